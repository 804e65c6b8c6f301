//! The bench: a fixed set of positions searched to a fixed depth. With one thread the number
//! of nodes is a signature of the search: it changes when, and only when, the search does.

use super::Engine;
use crate::nnue::Network;
use crate::search::{HashError, Info, Limits, Outcome, Reporter};
use crossbeam_channel::{Sender, unbounded};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Depth of the bench unless another is asked for.
pub const DEFAULT_DEPTH: u32 = 10;
/// Table of the bench in MiB unless another is asked for.
pub const DEFAULT_HASH_MIB: usize = 16;

/// What is searched: openings, middlegames, endgames and mates from games and collections.
pub const POSITIONS: [&str; 48] = [
    // Openings.
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakabr1/9/2n1c1c1n/p1p1p1pCp/9/6P2/P1P1P3P/1C2B1N2/9/RNBAKA1R1 w - - 10 6",
    "r1bakab1r/9/nc1c2n2/2p1p3p/p5p2/9/P1P1P1P1P/N1CC2N2/9/R1BAKABR1 w - - 10 6",
    "r2akabr1/9/1cn1b1nc1/p1p1p3p/6p2/1CP6/P3P1P1P/2N1C1N2/9/R1BAKAB1R w - - 10 6",
    "rn1akabr1/9/1c1cb1n2/p1p1p1C1p/6p2/9/P1P1P1P1P/1C2B1N2/9/RNBAKA1R1 w - - 10 6",
    "r2akabr1/9/1cn1b1nc1/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/8R/R1BAKAB2 w - - 10 6",
    "rnbaka1r1/9/1c2b1n1c/p1p1p2Rp/6p2/2P6/P3P1P1P/1C4C1N/9/RNBAKAB2 w - - 10 6",
    "r2akab2/8r/1cn1b2cn/p1p1p3p/6p2/P8/2P1P1P1P/N1C1B2C1/5N3/R1BAKA2R w - - 10 6",
    "r1baka2r/9/1cn1bcn2/p3p1p1p/2p6/6P2/P1P1P3P/NC2C1N2/9/R1BAKABR1 w - - 10 6",
    "rnbakab2/9/1c4n1c/p1p1p1p1p/9/6P2/P1P1P3P/1CN3N1C/9/R1BAKABr1 w - - 0 6",
    "1r1akab1r/9/1cn1b1nc1/p1p1p3p/6p2/2P6/P3P1P1P/2NCC4/9/1RBAKABNR w - - 10 6",
    "r1bakab1r/9/2n1c1n2/p1p1p3p/6p2/2P6/Pc2P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 10 6",
    // Middlegames.
    "rnbak2nr/4a4/2c1b2c1/2p1p1p1p/9/2P6/4P1P1P/NC2C1N2/9/1RBAKAB1R b - - 0 1",
    "r2akab2/3n5/4b2cn/p1p5p/7N1/8P/P1P1P4/2N1Cr3/9/R1BAKAB1R w - - 0 1",
    "r1bakab2/9/1cn2c2n/p1p1p1p1p/9/2P6/P2rP1P1P/BCN1C1N2/4A4/R3KABR1 b - - 0 1",
    "r2akabr1/9/2n1b4/p1p1p3p/6pn1/2PNP4/P1c3PcP/1C2C1N2/3R5/2BAKABR1 w - - 0 1",
    "2b1ka1r1/4a4/1c2b1n2/2P1p3p/1n5c1/5RR2/2C1P3P/N4CN2/3rA4/2BAK1B2 w - - 0 1",
    "2baka3/9/1c2b1n1c/N3p1C1p/3n3R1/2pr2P2/P3P2CP/4B1N2/4A4/2BAK4 b - - 0 1",
    "1Cba1kbr1/4a4/2r3n2/p1p1P3p/9/2P4c1/P5pcP/B1N1C4/3RA4/4KABR1 w - - 0 1",
    "r2akab2/9/1cn1b4/p1p1p3p/4P1p2/1CPN5/P5P1P/4C4/5R3/R1BAKABrc w - - 0 1",
    "2bak1b2/2r1a3r/4c1n2/p1P1n3p/4c1p2/2R1C4/P5P1P/B1N1C1N2/9/1R1AKAB2 w - - 0 1",
    "1rb1ka3/1CC1aR3/2n1b1n2/p1N1p3p/3r5/2P3B2/c3P3P/6Nc1/9/1RBAKA3 b - - 0 1",
    "r1bakan2/9/2n1b2c1/p3N2Rp/2p6/9/P3P1r1P/1C2C1p1B/9/R1BAKA3 w - - 0 1",
    "2bak2r1/4a4/2n1b1nc1/p1p1p2Rp/1r4p2/P1P1P4/3RN1P1P/1CN1C4/4A4/2c1KAB2 w - - 0 1",
    "2bakab2/3r5/2n1c1n1c/p1p1p3p/6pr1/2P2RP2/P3P3P/1CN1C1N2/9/1RBAKAB2 w - - 0 1",
    "r1baka3/9/nc2b1n2/2p1p1pRp/p5c2/P4R3/2P1P1P1P/N2rC1N2/2C6/2BAKAB2 w - - 0 1",
    "3ak4/4a2c1/1cn1C1n2/p3r1C1p/2pR2b2/6R2/P1PNP3P/2N6/4A2r1/2B1KAB2 b - - 0 1",
    "2baka1nr/r8/nc2b2c1/p1p1p3p/6p2/2P6/P3P1P1P/1CN1B2CN/R8/2BAKA2R b - - 0 1",
    "1n1ak1br1/4a4/4bc1Cn/p3p1N2/8p/2B3P2/P3P3c/N8/2C6/2BAKA1R1 b - - 0 1",
    // Endgames.
    "9/4k4/9/9/3P5/9/9/4n4/5K3/9 w - - 0 1",
    "6c2/4a4/4k4/9/9/2R6/9/3Ap4/3KN4/5A3 b - - 0 1",
    "9/4k4/4b4/5R3/9/9/1n7/3A5/4A4/2rC1K3 w - - 0 1",
    "r2aka3/3P5/8R/4r3C/6C2/6R2/9/3p5/4p4/3K1p3 w - - 0 1",
    "2b1k1P2/4a4/9/6N2/9/9/9/9/9/4K1B2 w - - 0 1",
    "2ba1k3/4a4/4b4/4P4/9/2B3B2/9/4K4/2C6/5A3 w - - 0 1",
    "3ak4/4ar3/R7b/9/6b2/7R1/9/4B4/9/4K4 w - - 0 1",
    "4ka3/4a4/3n5/3P5/9/1C7/9/9/9/3K5 w - - 0 1",
    "4k4/2P3P2/9/9/9/9/P8/B8/1c2Ap3/3AK4 b - - 0 1",
    "3ak4/6c2/4b4/9/6b2/9/4p4/4B4/4A4/3A1KB2 b - - 0 1",
    "3ak4/4a4/1R7/9/9/1C7/9/9/3r2p2/4K4 w - - 0 1",
    "2b6/5k3/1N2b4/3R5/9/9/4r4/5A2B/9/2BAK4 w - - 0 1",
    "3akab2/9/4b4/3P5/9/2B3B2/9/4K4/C8/5A3 w - - 0 1",
    // Mates.
    "2ba5/3P1k3/3a5/7C1/6b1N/1p2N3p/9/2r1BA3/4AK3/1rB6 w - - 0 1",
    "3a1ab2/3k5/1R7/p1p6/3Np1b2/2P3B1p/P2c4P/3CB4/C3A4/4KA1rr w - - 0 1",
    "9/3kaP2C/4na3/1r1P1N1R1/6b2/2B6/4p4/B2A5/4K4/5A3 w - - 0 1",
    "2P6/9/4k2C1/3R5/3Np4/9/9/3p1n3/4pr3/3K3c1 w - - 0 1",
    "2baka3/5rc2/2n1b4/p1CRp3p/9/3R5/P3c3P/2C3n2/9/2BAKAB2 w - - 0 1",
    "r5P2/2R1ak3/3aN4/9/2b6/4C4/9/3KB4/1nn1p4/5r3 w - - 0 1",
];

/// How a bench is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Depth of each search in plies.
    pub depth: u32,
    /// Search threads; more than one makes the number of nodes vary.
    pub threads: usize,
    /// Size of the table in MiB.
    pub hash_mib: usize,
    /// What evaluates; `None`: the pieces are counted.
    pub network: Option<Arc<Network>>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            depth: DEFAULT_DEPTH,
            threads: 1,
            hash_mib: DEFAULT_HASH_MIB,
            network: Some(Arc::new(Network::embedded())),
        }
    }
}

/// Nodes and time of a bench, or of one of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Tally {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Passes on the end of a search.
struct AtEnd(Sender<Outcome>);

impl Reporter for AtEnd {
    fn line(&mut self, _: &Info<'_>) {}

    fn finished(&mut self, outcome: &Outcome) {
        // Nobody left to hear it: then nobody misses it.
        let _ = self.0.send(*outcome);
    }
}

/// Searches all positions, each with what the table learnt from those before, beginning with
/// an empty one. Calls `each` after every position with its number and what it took; `false`
/// ends the bench early.
///
/// # Errors
/// [`HashError`] if there is no memory for the table.
pub fn run(plan: Plan, mut each: impl FnMut(usize, Tally) -> bool) -> Result<Tally, HashError> {
    let mut engine = Engine::new();
    engine.options.threads = plan.threads.max(1);
    engine.options.hash_mib = plan.hash_mib.max(1);
    engine.network = plan.network;
    let wanted = engine.options.hash_mib;
    engine.prepare()?;
    if engine.options.hash_mib != wanted {
        return Err(HashError { mib: wanted });
    }
    let mut total = Tally::default();
    for (i, fen) in POSITIONS.iter().enumerate() {
        if engine.set_position::<&str>(Some(fen), &[]).is_err() {
            unreachable!("bench position {i} is legal: a test says so");
        }
        let (sender, receiver) = unbounded();
        let limits = Limits {
            depth: Some(plan.depth.max(1)),
            ..Limits::default()
        };
        let start = Instant::now();
        engine.go(limits, start, Box::new(AtEnd(sender)))?;
        engine.wait();
        let one = Tally {
            nodes: receiver.recv().map_or(0, |outcome| outcome.nodes),
            time: start.elapsed(),
        };
        total.nodes += one.nodes;
        total.time += one.time;
        if !each(i, one) {
            break;
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn positions_are_legal_different_and_have_moves() {
        let mut seen = Vec::new();
        for fen in POSITIONS {
            let p = Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            assert!(p.has_legal_move(), "{fen}");
            assert!(!seen.contains(&p.key()), "{fen} twice");
            seen.push(p.key());
        }
        assert!(seen.len() >= 40);
    }
}

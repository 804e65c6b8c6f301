//! From nothing to a network: games of self-play, training, and play against the counting of
//! pieces. Takes minutes: `cargo test --release --test it -- --ignored from_nothing`.

use crate::train::Folder;
use chuhe::nnue::{Accumulators, Network};
use chuhe::position::Position;
use chuhe::types::{Color, PieceType};
use chuhe::util::SplitMix;

/// Pieces alone, in centipawns from the side to move.
fn material(p: &Position) -> i32 {
    let worth = |kind| match kind {
        PieceType::King => 0,
        PieceType::Advisor | PieceType::Bishop => 110,
        PieceType::Knight | PieceType::Cannon => 420,
        PieceType::Rook => 900,
        PieceType::Pawn => 90,
    };
    let side = |c: Color| -> i32 {
        let all = PieceType::ALL.into_iter();
        all.map(|k| p.pieces(c, k).count() as i32 * worth(k)).sum()
    };
    side(p.stm()) - side(!p.stm())
}

/// The best move two plies deep, captures followed to their end.
fn best(p: &mut Position, eval: &mut dyn FnMut(&Position) -> i32) -> chuhe::types::Move {
    fn quiet(
        p: &mut Position,
        mut alpha: i32,
        beta: i32,
        eval: &mut dyn FnMut(&Position) -> i32,
    ) -> i32 {
        if !p.has_legal_move() {
            return -30_000;
        }
        let value = eval(p);
        if value >= beta {
            return value;
        }
        alpha = alpha.max(value);
        for m in p.legal_moves() {
            if p.is_capture(m) && p.see_ge(m, 0) {
                p.make(m);
                let v = -quiet(p, -beta, -alpha, eval);
                p.unmake();
                alpha = alpha.max(v);
                if alpha >= beta {
                    break;
                }
            }
        }
        alpha
    }
    let (mut alpha, mut chosen) = (-31_000, p.legal_moves()[0]);
    for m in p.legal_moves() {
        p.make(m);
        let mut reply = if p.has_legal_move() { 31_000 } else { 30_001 };
        for r in p.legal_moves() {
            p.make(r);
            reply = reply.min(quiet(p, alpha, reply, eval));
            p.unmake();
            if reply <= alpha {
                break;
            }
        }
        p.unmake();
        if reply > alpha {
            (alpha, chosen) = (reply, m);
        }
    }
    chosen
}

#[test]
#[ignore = "takes minutes"]
fn from_nothing_to_a_network_that_beats_counting_pieces() {
    let f = Folder::new("nothing");
    f.run(
        "datagen --out g --games 2000 --nodes 400 --hash 1 --threads 2 --quiet",
        0,
    );
    f.run(
        "train g --lanes 64 --batch 1024 --epochs 12 --out n --threads 2",
        0,
    );
    let net = Network::parse(&f.bytes("n")).unwrap();
    let mut sums = Accumulators::new(&net);
    let mut by_network = |p: &Position| {
        sums.reset();
        sums.evaluate(&net, p)
    };
    let mut points = 0.0;
    const PAIRS: u64 = 20;
    for pair in 0..PAIRS {
        for network in Color::ALL {
            let mut rng = SplitMix::new(pair, 77);
            let mut p = Position::startpos();
            for _ in 0..8 {
                let moves = p.legal_moves();
                p.make(moves[rng.below(moves.len())]);
            }
            while p.ply_count() < 200 && p.has_legal_move() {
                let m = if p.stm() == network {
                    best(&mut p, &mut by_network)
                } else {
                    best(&mut p, &mut |p| material(p))
                };
                p.make(m);
            }
            points += match (p.has_legal_move(), p.stm() == network) {
                (false, true) => 0.0,
                (false, false) => 1.0,
                // Not over: whoever has clearly more.
                (true, own) => {
                    let ahead = if own { material(&p) } else { -material(&p) };
                    0.5 + f64::from(ahead.clamp(-300, 300)) / 600.0
                }
            };
        }
    }
    let share = points / (2 * PAIRS) as f64;
    assert!(share > 0.6, "{share}");
}

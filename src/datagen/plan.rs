//! What a run of self-play is to be.

use super::opening::Line;
use crate::eval;
use crate::nnue::Network;
use crate::rules::RuleSet;
use std::sync::Arc;

/// Everything that decides how a game goes, and which games there are.
#[derive(Clone, Debug)]
pub struct Plan {
    /// For everything drawn by lot.
    pub seed: u64,
    /// Number of games of all shards together; they are numbered from 0.
    pub games: u32,
    /// This shard, from 1, and how many there are: it plays the games whose number leaves
    /// `shard.0 - 1` when divided by `shard.1`.
    pub shard: (u32, u32),
    /// No new iteration of a search after so many nodes.
    pub nodes: u64,
    /// By so many percent the nodes of a move may lie above or below, at random.
    pub jitter: u32,
    /// Random plies at the start, least and most.
    pub opening_plies: (u32, u32),
    /// A start is played only if a quick search scores it within this, in centipawns.
    pub opening_window: i32,
    /// Games of people to start from.
    pub lines: Arc<Vec<Line>>,
    /// Percent of the games that start from a position of `lines`.
    pub lines_percent: u32,
    /// A score of so many centipawns, seen by both sides ...
    pub win_score: i32,
    /// ... for so many plies wins.
    pub win_plies: u32,
    /// Scores within so many centipawns of equality ...
    pub draw_score: i32,
    /// ... for so many plies draw ...
    pub draw_plies: u32,
    /// ... but not before this ply.
    pub draw_after: u32,
    /// Longer games are drawn.
    pub max_plies: u32,
    /// Table of each engine in MiB.
    pub hash_mib: usize,
    /// The rule book.
    pub rules: RuleSet,
    /// What evaluates; `None`, which is the default: the pieces are counted.
    pub network: Option<Arc<Network>>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            seed: 1,
            games: 1_000,
            shard: (1, 1),
            nodes: 5_000,
            jitter: 20,
            opening_plies: (6, 12),
            opening_window: 250,
            lines: Arc::default(),
            lines_percent: 0,
            win_score: 1_200,
            win_plies: 6,
            draw_score: 10,
            draw_plies: 16,
            draw_after: 80,
            max_plies: 300,
            hash_mib: 4,
            rules: RuleSet::default(),
            network: None,
        }
    }
}

impl Plan {
    /// The parameters as they are noted in the file: a file can be continued by the plan that
    /// has the same. The number of games is left out, so that a file can be made longer.
    pub fn parameters(&self) -> String {
        let Plan {
            seed,
            games: _,
            shard,
            nodes,
            jitter,
            opening_plies: (least, most),
            opening_window,
            lines,
            lines_percent,
            win_score,
            win_plies,
            draw_score,
            draw_plies,
            draw_after,
            max_plies,
            hash_mib,
            rules,
            network,
        } = self;
        let evaluation = eval::name(network.as_deref());
        format!(
            "engine=chuhe-{} evaluation={evaluation} seed={seed} shard={}/{} nodes={nodes} \
             jitter={jitter} opening={least}-{most} window={opening_window} lines={}:{:08x} \
             lines-percent={lines_percent} win={win_score}x{win_plies} \
             draw={draw_score}x{draw_plies}@{draw_after} max-plies={max_plies} hash={hash_mib} \
             rules={}",
            env!("CARGO_PKG_VERSION"),
            shard.0,
            shard.1,
            lines.len(),
            Line::fingerprint(lines),
            rules.name,
        )
    }

    /// The numbers of this shard's games from the one after `last` on.
    pub(super) fn numbers(&self, last: Option<u32>) -> impl Iterator<Item = u32> + use<> {
        let (first, step) = (self.shard.0.saturating_sub(1), self.shard.1.max(1));
        let from = last.map_or(first, |n| n.saturating_add(step));
        (from..self.games).step_by(step as usize)
    }
}

//! Points and ranks. Art. 14 and 15: a win counts 1, a draw ½; among equals in a round robin
//! decide 小分 (the scores of those beaten, half of those drawn with), 胜局 (games won), 直胜
//! (points among the equals), 犯规 (fouls); in a Swiss event 对手分 (the opponents' scores),
//! 胜局, 犯规. Who cannot be told apart shares the place.
//!
//! Art. 20: of an engine that withdrew from a round robin all results are void if it has met
//! less than half of its opponents; else they stand and what it missed is forfeited. In a Swiss
//! event they always stand. Forfeited games (+ and −) count as points, but not as games won.

use super::config::{EventConfig, Format};
use super::record::GameRecord;
use super::schedule::{Plan, plan};
use super::state::State;
use super::tally::Tally;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Place; shared by those who cannot be told apart.
    pub place: usize,
    /// Number of the engine.
    pub engine: usize,
    /// Name.
    pub name: String,
    /// Points.
    pub points: f64,
    /// Games that count.
    pub games: usize,
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// 小分 in a round robin, 对手分 in a Swiss event.
    pub tie_break: f64,
    /// 直胜: points among those of equal score.
    pub direct: f64,
    /// 犯规.
    pub fouls: u32,
    /// It withdrew.
    pub withdrawn: bool,
    /// Results by opponent, in order of the games: `1`, `=`, `0`, `+`, `-`.
    pub cells: BTreeMap<usize, String>,
}

/// The table of an event.
pub fn standings(state: &State) -> Vec<Standing> {
    let config = &state.header.config;
    let mut records: Vec<&GameRecord> = state.records.iter().collect();
    records.sort_by_key(|r| r.game);
    let mut tally = Tally::new(config);
    for record in &records {
        tally.add(record);
    }
    let gone = tally.withdrawn(&state.withdrawn, config);
    let void = voided(config, &records, &gone);
    records.retain(|r| !void.contains(&r.red) && !void.contains(&r.black));
    let plan = plan(config, &state.records);
    let mut table: Vec<Standing> = (0..config.engine.len())
        .map(|e| line(config, &plan, &records, e, gone.contains(&e)))
        .collect();
    tie_breaks(config, &records, &mut table);
    rank(config, &plan, &mut table, &void);
    table
}

/// Engines whose results are void (Art. 20.3).
fn voided(config: &EventConfig, records: &[&GameRecord], gone: &[usize]) -> Vec<usize> {
    if config.format != Format::RoundRobin || config.engine.len() < 3 {
        return Vec::new();
    }
    let opponents = config.engine.len() - 1;
    gone.iter()
        .copied()
        .filter(|&e| {
            let mut met: Vec<usize> = records
                .iter()
                .filter(|r| !r.forfeit)
                .filter_map(|r| match (r.red == e, r.black == e) {
                    (true, _) => Some(r.black),
                    (_, true) => Some(r.red),
                    _ => None,
                })
                .collect();
            met.sort_unstable();
            met.dedup();
            2 * met.len() < opponents
        })
        .collect()
}

/// Side of the engine in the game: own half points, the opponent, own fouls.
fn side(r: &GameRecord, e: usize) -> Option<(u32, usize, u32)> {
    let [red, black] = r.result.half_points();
    match (r.red == e, r.black == e) {
        (true, _) => Some((red, r.black, r.fouls[0])),
        (_, true) => Some((black, r.red, r.fouls[1])),
        _ => None,
    }
}

fn line(
    config: &EventConfig,
    plan: &Plan,
    records: &[&GameRecord],
    e: usize,
    withdrawn: bool,
) -> Standing {
    let mut s = Standing {
        place: 0,
        engine: e,
        name: config.engine.get(e).map_or("", |x| &x.name).to_string(),
        points: 0.0,
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        tie_break: 0.0,
        direct: 0.0,
        fouls: 0,
        withdrawn,
        cells: BTreeMap::new(),
    };
    for r in records {
        let Some((half, opponent, fouls)) = side(r, e) else {
            continue;
        };
        s.points += f64::from(half) / 2.0;
        s.games += 1;
        s.fouls += fouls;
        let mark = match (half, r.forfeit) {
            (2, true) => '+',
            (_, true) => '-',
            (2, false) => '1',
            (1, false) => '=',
            (_, false) => '0',
        };
        match mark {
            '1' => s.wins += 1,
            '=' => s.draws += 1,
            '0' => s.losses += 1,
            _ => {}
        }
        s.cells.entry(opponent).or_default().push(mark);
    }
    if config.format == Format::Swiss {
        let byes = plan.byes.iter().filter(|b| b.1 == e).count();
        s.points += (byes * config.games) as f64;
    }
    s
}

fn tie_breaks(config: &EventConfig, records: &[&GameRecord], table: &mut [Standing]) {
    let points: Vec<f64> = table.iter().map(|s| s.points).collect();
    for s in table.iter_mut() {
        let e = s.engine;
        if config.format == Format::Swiss {
            s.tie_break = s.cells.keys().map(|&o| points[o]).sum();
        } else {
            for r in records {
                if let Some((half, opponent, _)) = side(r, e) {
                    s.tie_break += points[opponent] * f64::from(half) / 2.0;
                }
            }
        }
        for r in records {
            if let Some((half, opponent, _)) = side(r, e) {
                if points[opponent] == points[e] {
                    s.direct += f64::from(half) / 2.0;
                }
            }
        }
    }
}

fn rank(config: &EventConfig, plan: &Plan, table: &mut [Standing], void: &[usize]) {
    let thousandths = |x: f64| Reverse((x * 1000.0).round() as i64);
    let key = |s: &Standing| {
        let reached = match config.format {
            Format::Knockout => plan
                .places
                .iter()
                .position(|&e| e == s.engine)
                .map_or(usize::MAX, knockout_tier),
            _ => 0,
        };
        let direct = match config.format {
            Format::Swiss => 0.0,
            _ => s.direct,
        };
        (
            void.contains(&s.engine),
            reached,
            thousandths(s.points),
            thousandths(s.tie_break),
            Reverse(s.wins),
            thousandths(direct),
            s.fouls,
        )
    };
    table.sort_by_key(|s| (key(s), s.engine));
    let mut place = 0;
    for i in 0..table.len() {
        if i == 0 || key(&table[i]) != key(&table[i - 1]) {
            place = i + 1;
        }
        table[i].place = place;
    }
}

/// The winner, the losing finalist, the losers of the semi-finals, ...
fn knockout_tier(index: usize) -> usize {
    (index + 1).next_power_of_two().trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::openings::Opening;
    use crate::tournament::record::Outcome;
    use crate::tournament::state::Header;

    fn state(n: usize, games: usize, results: &[(usize, usize, Outcome, bool)]) -> State {
        let mut config = EventConfig {
            games,
            ..EventConfig::default()
        };
        for i in 0..n {
            config.engine.push(crate::tournament::EngineConfig {
                name: format!("E{i}"),
                ..Default::default()
            });
        }
        State {
            header: Header::new(config, vec![Opening::default()]),
            records: results
                .iter()
                .enumerate()
                .map(|(i, &(red, black, result, forfeit))| GameRecord {
                    game: i,
                    pair: i / 2,
                    round: 1,
                    red,
                    black,
                    result,
                    termination: "test".into(),
                    reason: String::new(),
                    forfeit,
                    fouls: [0, 0],
                    start: String::new(),
                    book: 0,
                    moves: Vec::new(),
                    began: 0,
                    took: 0,
                })
                .collect(),
            withdrawn: Vec::new(),
        }
    }

    use Outcome::{Black, Draw, Red};

    #[test]
    fn points_then_small_points_then_wins() {
        // E0: beats E1, loses to E2. E1: loses to E0, beats E2. E2: beats E0, loses to E1.
        // A draw of each with E3, which loses nothing else.
        let s = state(
            4,
            2,
            &[
                (0, 1, Red, false),
                (1, 2, Red, false),
                (2, 0, Red, false),
                (0, 3, Draw, false),
                (1, 3, Draw, false),
                (2, 3, Black, false),
            ],
        );
        let t = standings(&s);
        let order: Vec<(usize, f64)> = t.iter().map(|x| (x.engine, x.points)).collect();
        // E3: 2 points; E0 and E1 1½ each; E2 1. 小分 of E0: 1½ + ½·2 = 2½, of E1: 1 + 1 = 2.
        assert_eq!(order, [(3, 2.0), (0, 1.5), (1, 1.5), (2, 1.0)]);
        assert_eq!((t[1].tie_break, t[2].tie_break), (2.5, 2.0));
        assert_eq!(t[0].cells[&2], "1");
    }

    #[test]
    fn equals_share_a_place() {
        let s = state(2, 2, &[(0, 1, Red, false), (1, 0, Red, false)]);
        let t = standings(&s);
        assert_eq!((t[0].place, t[1].place), (1, 1));
    }

    #[test]
    fn withdrawal_before_and_after_half_the_opponents() {
        let games = [
            (3, 0, Red, false),
            (0, 1, Red, false),
            (1, 2, Red, false),
            (2, 0, Red, false),
            (1, 3, Red, true),
            (2, 3, Red, true),
        ];
        let mut s = state(4, 2, &games);
        s.withdrawn = vec![3];
        // One of three opponents met: void.
        let t = standings(&s);
        let last = &t[3];
        assert_eq!((last.engine, last.games, last.points), (3, 0, 0.0));
        assert!(t.iter().take(3).all(|x| x.points == 1.0 && x.games == 2));
        // Two of three met: it stands, the rest is + and −.
        let mut games = games;
        games[4].3 = false;
        let mut s = state(4, 2, &games);
        s.withdrawn = vec![3];
        let t = standings(&s);
        let third = t.iter().find(|x| x.engine == 3).unwrap();
        assert_eq!((third.games, third.points), (3, 1.0));
        assert_eq!(third.cells[&2], "-");
        let two = t.iter().find(|x| x.engine == 2).unwrap();
        assert_eq!((two.points, two.wins), (2.0, 1));
    }
}

//! Who meets whom, when, with which colours. A pure function of the event and the games finished
//! so far: a resumed event and a shard see the same plan as an event that was never interrupted.

use super::config::{EventConfig, Format};
use super::record::GameRecord;
use super::swiss;
use std::collections::HashMap;

/// Pairs of games added to a tied knock-out encounter before lesser things decide.
pub const EXTRA_PAIRS: usize = 3;

/// Two games with swapped colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its number; its games are `2 * number` and `2 * number + 1`.
    pub number: usize,
    /// Round, from 1.
    pub round: usize,
    /// Who has Red in the first game.
    pub first: usize,
    /// Who has Red in the second.
    pub second: usize,
}

/// What is known of the event's games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// All pairs known so far, finished ones included.
    pub pairs: Vec<Pair>,
    /// Engines without an opponent: round and engine.
    pub byes: Vec<(usize, usize)>,
    /// Nothing will be added.
    pub complete: bool,
    /// The winner of a finished knock-out, then the others by how far they came.
    pub places: Vec<usize>,
}

/// Half points of both engines in a pair, once both games are finished.
pub(super) fn pair_score(pair: &Pair, games: &HashMap<usize, &GameRecord>) -> Option<[u32; 2]> {
    let mut sum = [0, 0];
    for k in 0..2 {
        let game = games.get(&(2 * pair.number + k))?;
        let [red, black] = game.result.half_points();
        if game.red == pair.first {
            sum[0] += red;
            sum[1] += black;
        } else {
            sum[0] += black;
            sum[1] += red;
        }
    }
    Some(sum)
}

/// The plan as far as the finished games let it be known.
pub fn plan(config: &EventConfig, records: &[GameRecord]) -> Plan {
    let n = config.engine.len();
    let games: HashMap<usize, &GameRecord> = records.iter().map(|r| (r.game, r)).collect();
    match config.format {
        Format::RoundRobin => fixed(config.games / 2, &berger(n)),
        Format::Gauntlet => {
            let rounds: Vec<Vec<(usize, usize)>> = (1..n).map(|i| vec![(0, i)]).collect();
            fixed(config.games / 2, &rounds)
        }
        Format::Swiss => swiss::plan(n, config.rounds, config.games / 2, &games),
        Format::Knockout => knockout(n, config.games / 2, &games),
    }
}

/// All rounds, as often as there are pairs in an encounter, colours turned each time.
fn fixed(each: usize, rounds: &[Vec<(usize, usize)>]) -> Plan {
    let mut pairs = Vec::new();
    for cycle in 0..each {
        for (r, round) in rounds.iter().enumerate() {
            for &(a, b) in round {
                let (first, second) = if cycle % 2 == 0 { (a, b) } else { (b, a) };
                pairs.push(Pair {
                    number: pairs.len(),
                    round: cycle * rounds.len() + r + 1,
                    first,
                    second,
                });
            }
        }
    }
    Plan {
        pairs,
        complete: true,
        ..Plan::default()
    }
}

/// The Berger tables (循环赛对局秩序表): rounds of pairings, the first named having Red. With an
/// odd number, whoever would meet the last number is free.
///
/// ```
/// use chuhe::tournament::berger;
/// // 1–4 2–3, 4–3 1–2, 2–4 3–1
/// assert_eq!(
///     berger(4),
///     [[(0, 3), (1, 2)], [(3, 2), (0, 1)], [(1, 3), (2, 0)]].map(|r| r.to_vec())
/// );
/// ```
pub fn berger(n: usize) -> Vec<Vec<(usize, usize)>> {
    if n < 2 {
        return Vec::new();
    }
    let even = n + n % 2;
    let m = even - 1;
    (1..=m)
        .map(|round| {
            // Numbers below the last meet in the round to which they add up; whoever would meet
            // himself meets the last.
            let mut pairings = Vec::new();
            for i in 1..=m {
                let j = (round + 1 + 2 * m - i - 1) % m + 1;
                if i == j && n == even {
                    pairings.push(if i <= even / 2 { (i, even) } else { (even, i) });
                } else if i < j {
                    pairings.push(if (i + j) % 2 == 1 { (i, j) } else { (j, i) });
                }
            }
            // The last number's board comes first, then boards as the tables list them.
            let base = pairings
                .iter()
                .find(|p| p.0 == even || p.1 == even)
                .map(|p| if p.0 == even { p.1 } else { p.0 });
            pairings.sort_by_key(|&(a, b)| match base {
                Some(base) if a != even && b != even => (a + m - base) % m,
                _ => 0,
            });
            pairings.into_iter().map(|(a, b)| (a - 1, b - 1)).collect()
        })
        .collect()
}

/// Places of a bracket for `size` seeds: neighbours meet, the best seeds meet last.
fn bracket(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let n = 2 * order.len();
        order = order.iter().flat_map(|&s| [s, n - 1 - s]).collect();
    }
    order
}

fn knockout(n: usize, each: usize, games: &HashMap<usize, &GameRecord>) -> Plan {
    let most = each + EXTRA_PAIRS;
    let mut alive: Vec<Option<usize>> = bracket(n.next_power_of_two())
        .into_iter()
        .map(|s| (s < n).then_some(s))
        .collect();
    let mut plan = Plan::default();
    let (mut base, mut round) = (0, 1);
    let mut out: Vec<Vec<usize>> = Vec::new();
    while alive.len() > 1 {
        let (mut next, mut waiting, mut losers) = (Vec::new(), false, Vec::new());
        for (slot, two) in alive.chunks(2).enumerate() {
            let (a, b) = match (
                two.first().copied().flatten(),
                two.get(1).copied().flatten(),
            ) {
                (Some(a), Some(b)) => (a, b),
                (one, other) => {
                    let lucky = one.or(other);
                    plan.byes.extend(lucky.map(|e| (round, e)));
                    next.push(lucky);
                    continue;
                }
            };
            let start = base + slot * most;
            match encounter(a, b, start, round, each, games, &mut plan.pairs) {
                Some(winner) => {
                    losers.push(if winner == a { b } else { a });
                    next.push(Some(winner));
                }
                None => waiting = true,
            }
        }
        if waiting {
            return plan;
        }
        out.push(losers);
        base += alive.len() / 2 * most;
        round += 1;
        alive = next;
    }
    plan.places = alive.into_iter().flatten().collect();
    plan.places.extend(out.into_iter().rev().flatten());
    plan.complete = true;
    plan
}

/// Adds the pairs of an encounter, ties being played on; its winner once it has one.
fn encounter(
    a: usize,
    b: usize,
    start: usize,
    round: usize,
    each: usize,
    games: &HashMap<usize, &GameRecord>,
    pairs: &mut Vec<Pair>,
) -> Option<usize> {
    let (mut points, mut fouls) = ([0, 0], [0, 0]);
    for k in 0..each + EXTRA_PAIRS {
        if k >= each && points[0] != points[1] {
            break;
        }
        let (first, second) = if k % 2 == 0 { (a, b) } else { (b, a) };
        let pair = Pair {
            number: start + k,
            round,
            first,
            second,
        };
        pairs.push(pair);
        let Some(score) = pair_score(&pair, games) else {
            if k + 1 < each {
                continue;
            }
            return None;
        };
        for (side, engine) in [a, b].into_iter().enumerate() {
            points[side] += score[usize::from(engine == second)];
            for game in (0..2).filter_map(|g| games.get(&(2 * pair.number + g))) {
                fouls[side] += game.fouls[usize::from(game.red != engine)];
            }
        }
    }
    let all_played = pairs
        .iter()
        .filter(|p| p.number >= start && p.number < start + each)
        .all(|p| pair_score(p, games).is_some());
    // Still tied: fewer fouls, then the better seed.
    let a_wins = (points[0], std::cmp::Reverse(fouls[0]), std::cmp::Reverse(a))
        > (points[1], std::cmp::Reverse(fouls[1]), std::cmp::Reverse(b));
    all_played.then_some(if a_wins { a } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::Outcome;
    use std::collections::HashSet;

    #[test]
    fn berger_tables() {
        // The printed table for six.
        let six: Vec<Vec<(usize, usize)>> = berger(6)
            .into_iter()
            .map(|r| r.into_iter().map(|(a, b)| (a + 1, b + 1)).collect())
            .collect();
        assert_eq!(six[0], [(1, 6), (2, 5), (3, 4)]);
        assert_eq!(six[1], [(6, 4), (5, 3), (1, 2)]);
        assert_eq!(six[2], [(2, 6), (3, 1), (4, 5)]);
        assert_eq!(six[3], [(6, 5), (1, 4), (2, 3)]);
        assert_eq!(six[4], [(3, 6), (4, 2), (5, 1)]);
        for n in 2..16 {
            let mut met = HashSet::new();
            for round in berger(n) {
                let mut busy = HashSet::new();
                for (a, b) in round {
                    assert!(a != b && a < n && b < n);
                    assert!(busy.insert(a) && busy.insert(b), "{n}: twice in a round");
                    assert!(met.insert((a.min(b), a.max(b))), "{n}: met twice");
                }
            }
            assert_eq!(met.len(), n * (n - 1) / 2, "{n}");
        }
    }

    pub(crate) fn play(pair: &Pair, strength: &dyn Fn(usize) -> usize) -> [GameRecord; 2] {
        [0, 1].map(|k| {
            let (red, black) = if k == 0 {
                (pair.first, pair.second)
            } else {
                (pair.second, pair.first)
            };
            GameRecord {
                game: 2 * pair.number + k,
                pair: pair.number,
                round: pair.round,
                red,
                black,
                result: match strength(red).cmp(&strength(black)) {
                    std::cmp::Ordering::Greater => Outcome::Red,
                    std::cmp::Ordering::Less => Outcome::Black,
                    std::cmp::Ordering::Equal => Outcome::Draw,
                },
                termination: "test".into(),
                reason: String::new(),
                forfeit: false,
                fouls: [0, 0],
                start: String::new(),
                book: 0,
                moves: Vec::new(),
                began: 0,
                took: 0,
            }
        })
    }

    fn run(config: &EventConfig, strength: &dyn Fn(usize) -> usize) -> (Plan, Vec<GameRecord>) {
        let mut records: Vec<GameRecord> = Vec::new();
        loop {
            let plan = plan(config, &records);
            let done: HashSet<usize> = records.iter().map(|r| r.pair).collect();
            let open: Vec<&Pair> = plan
                .pairs
                .iter()
                .filter(|p| !done.contains(&p.number))
                .collect();
            if open.is_empty() {
                assert!(plan.complete);
                return (plan, records);
            }
            for pair in open {
                records.extend(play(pair, strength));
            }
        }
    }

    fn config(n: usize, format: Format) -> EventConfig {
        EventConfig {
            format,
            rounds: 5,
            engine: vec![Default::default(); n],
            ..EventConfig::default()
        }
    }

    #[test]
    fn knockout_is_won_by_the_strongest_and_ends_when_all_is_drawn() {
        for n in 2..18 {
            let (plan, _) = run(&config(n, Format::Knockout), &|e| e);
            assert_eq!(plan.places.len(), n);
            assert_eq!(plan.places[0], n - 1);
            let (plan, records) = run(&config(n, Format::Knockout), &|_| 1);
            assert_eq!(plan.places[0], 0);
            assert_eq!(records.len(), (n - 1) * 2 * (1 + EXTRA_PAIRS));
            let numbers: HashSet<usize> = plan.pairs.iter().map(|p| p.number).collect();
            assert_eq!(numbers.len(), plan.pairs.len());
        }
    }

    #[test]
    fn swiss_never_repeats_a_meeting() {
        for n in 10..24 {
            let (plan, _) = run(&config(n, Format::Swiss), &|e| e);
            let mut met = HashSet::new();
            for p in &plan.pairs {
                let two = (p.first.min(p.second), p.first.max(p.second));
                assert!(met.insert(two), "{n}: {two:?} met twice");
            }
            assert_eq!(plan.pairs.len(), 5 * (n / 2));
            let byes: HashSet<usize> = plan.byes.iter().map(|b| b.1).collect();
            assert_eq!(byes.len(), if n % 2 == 1 { 5 } else { 0 });
        }
    }

    #[test]
    fn a_match_turns_colours() {
        let mut c = config(2, Format::RoundRobin);
        c.games = 6;
        let plan = plan(&c, &[]);
        let firsts: Vec<usize> = plan.pairs.iter().map(|p| p.first).collect();
        assert_eq!(firsts, [0, 1, 0]);
    }
}

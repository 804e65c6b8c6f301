//! The Swiss system (积分编排制): in each round those of equal score meet, nobody twice; with an
//! odd number the last without a bye is free and scores in full.

use super::record::GameRecord;
use super::schedule::{Pair, Plan, pair_score};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Steps of the search for a round without a second meeting.
const BUDGET: usize = 200_000;

/// The plan as far as finished rounds let it be known.
pub(super) fn plan(
    n: usize,
    rounds: usize,
    each: usize,
    games: &HashMap<usize, &GameRecord>,
) -> Plan {
    let mut plan = Plan::default();
    let mut points = vec![0u32; n];
    let mut opponents: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut firsts = vec![0usize; n];
    for round in 1..=rounds {
        let mut order: Vec<usize> = (0..n).collect();
        let opponent_score = |e: usize| -> u32 { opponents[e].iter().map(|&o| points[o]).sum() };
        order.sort_by_key(|&e| (Reverse(points[e]), Reverse(opponent_score(e)), e));
        if n % 2 == 1 {
            let had = |e: usize| plan.byes.iter().any(|b| b.1 == e);
            let free = order.iter().rposition(|&e| !had(e)).unwrap_or(n - 1);
            let free = order.remove(free);
            plan.byes.push((round, free));
            points[free] += 4 * each as u32;
        }
        let meetings = pairings(&order, &points, &opponents);
        let mut finished = true;
        let base = (round - 1) * (n / 2) * each;
        let mut gained = vec![0u32; n];
        for (slot, (a, b)) in meetings.into_iter().enumerate() {
            // Red first goes to whoever had it less often, then to the better placed.
            let (a, b) = if firsts[a] <= firsts[b] {
                (a, b)
            } else {
                (b, a)
            };
            firsts[a] += 1;
            opponents[a].push(b);
            opponents[b].push(a);
            for k in 0..each {
                let (first, second) = if k % 2 == 0 { (a, b) } else { (b, a) };
                let pair = Pair {
                    number: base + slot * each + k,
                    round,
                    first,
                    second,
                };
                plan.pairs.push(pair);
                match pair_score(&pair, games) {
                    Some([x, y]) => {
                        gained[first] += x;
                        gained[second] += y;
                    }
                    None => finished = false,
                }
            }
        }
        if !finished {
            return plan;
        }
        for (p, g) in points.iter_mut().zip(gained) {
            *p += g;
        }
    }
    plan.complete = true;
    plan
}

/// Pairs the engines in order; a second meeting only if there is no other way.
fn pairings(order: &[usize], points: &[u32], opponents: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut budget = BUDGET;
    let mut found = Vec::new();
    if !search(order, points, opponents, &mut found, &mut budget) {
        found = order.chunks_exact(2).map(|c| (c[0], c[1])).collect();
    }
    found
}

fn search(
    order: &[usize],
    points: &[u32],
    opponents: &[Vec<usize>],
    found: &mut Vec<(usize, usize)>,
    budget: &mut usize,
) -> bool {
    let Some((&a, rest)) = order.split_first() else {
        return true;
    };
    // In a group of equal score the upper half meets the lower half.
    let group = rest.iter().take_while(|&&b| points[b] == points[a]).count();
    let half = group.div_ceil(2).saturating_sub(1);
    let candidates = (half..group)
        .chain((0..half).rev())
        .chain(group..rest.len());
    for i in candidates {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let b = rest[i];
        if opponents[a].contains(&b) {
            continue;
        }
        let left: Vec<usize> = rest
            .iter()
            .enumerate()
            .filter(|(k, _)| *k != i)
            .map(|(_, &e)| e)
            .collect();
        found.push((a, b));
        if search(&left, points, opponents, found, budget) {
            return true;
        }
        found.pop();
    }
    false
}

//! In a build with feature `tune` the search's numbers are options of the protocols.

use crate::harness::Engine;
use chuhe::search::{Param, Params};

fn nodes_at_depth_8(e: &mut Engine) -> u64 {
    e.send("ucinewgame\nposition startpos\ngo depth 8");
    let lines = e.lines_until("bestmove");
    let last = lines
        .iter()
        .rev()
        .find(|l| l.contains(" nodes "))
        .expect("a line of thought");
    let mut words = last.split(' ').skip_while(|w| *w != "nodes");
    words.nth(1).and_then(|w| w.parse().ok()).expect("a number")
}

#[test]
fn parameters_are_announced_and_change_the_search() {
    let mut e = Engine::start();
    e.send("uci");
    let options = e.lines_until("uciok");
    assert!(Params::ALL.len() > 30);
    for Param {
        name,
        default,
        min,
        max,
    } in Params::ALL
    {
        let line = format!("option name {name} type spin default {default} min {min} max {max}");
        assert!(options.contains(&line), "{line}: {options:?}");
    }
    let before = nodes_at_depth_8(&mut e);
    assert_eq!(before, nodes_at_depth_8(&mut e), "a search repeats");
    for (name, value) in [("tune_lmr_base", 1_000), ("tune_futility_margin", 30)] {
        e.send(&format!("setoption name {name} value {value}"));
    }
    assert_ne!(before, nodes_at_depth_8(&mut e));
}

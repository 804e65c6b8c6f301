//! `chuhe bench`: its form, and that one thread always counts the same nodes.

use crate::harness::{run, stdout};

fn nodes(args: &[&str]) -> u64 {
    let output = run(args);
    assert!(output.status.success());
    let text = stdout(&output);
    let words: Vec<&str> = text.lines().last().unwrap_or("").split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else {
        panic!("last line: {words:?}");
    };
    assert!(nps.parse::<u64>().is_ok());
    nodes.parse().unwrap()
}

#[test]
fn the_number_of_nodes_is_a_signature() {
    let first = nodes(&["bench", "--depth", "5"]);
    assert!(first > 10_000);
    assert_eq!(first, nodes(&["bench", "--depth", "5"]));
    assert_ne!(first, nodes(&["bench", "--depth", "6"]));
}

#[test]
fn threads_and_table_can_be_chosen() {
    assert!(nodes(&["bench", "--depth", "3", "--threads", "2", "--hash", "1"]) > 1_000);
}

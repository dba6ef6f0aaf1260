//! Who waits for whom at the end of a run, as a graph.

use super::{Reader, text};
use crate::steer::recording::place;
use gosched_runtime::control::operation::Act;
use gosched_runtime::g::Goid;
use std::collections::{BTreeMap, BTreeSet};
use trace::graph::{Graph, HELD, Node};

/// Of these goroutines, which wait, and of those who hold what they want.
pub(super) fn of(reader: &Reader, stuck: &BTreeSet<Goid>) -> Graph {
    let mut graph = Graph::default();
    // Objects have no numbers that say anything: they get some in order.
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    let mut shown: BTreeSet<Goid> = stuck.clone();
    for g in stuck {
        let Some(op) = reader.waits.get(g).copied().flatten() else {
            continue;
        };
        if op.object == 0 {
            continue;
        }
        let next = numbers.len() as u64 + 1;
        let id = *numbers.entry(op.object).or_insert(next);
        let called = reader.called(&op);
        graph.objects.entry(id).or_insert_with(|| vec![called]);
        let what = match op.act {
            Act::Send => "sends",
            Act::Receive => "receives",
            _ => "waits",
        };
        let (from, to) = (Node::Goroutine(g.0), Node::Object(id));
        graph.edges.insert((from, to, what));
        for (holder, _) in reader.holders.get(&op.object).into_iter().flatten() {
            graph.edges.insert((to, Node::Goroutine(holder.0), HELD));
            shown.insert(*holder);
        }
    }
    for g in shown {
        let actor = reader.actor(g);
        let mut lines = vec![format!("goroutine {}", g.0), actor.does];
        match reader.waits.get(&g) {
            Some(Some(op)) => lines.extend([text(op.at), place(op.at)]),
            _ => lines.push(actor.at),
        }
        lines.retain(|line| !line.is_empty());
        graph.goroutines.insert(g.0, lines);
    }
    graph
}

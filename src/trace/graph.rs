//! Who waits for whom, as a graph in the language of Graphviz.
//!
//! A box is a goroutine that waits, or that holds what is waited for; an oval is an object. What
//! goes round in a circle is marked: no goroutine in it can go on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::file::Tables;
use crate::waits::{Dir, Doing, Goroutine, Waits};

/// A goroutine, by the lowest number if it stands for several, or an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Node {
    /// The goroutine of this number.
    Goroutine(u64),
    /// The object of this number.
    Object(u64),
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Node::Goroutine(g) => write!(f, "g{g}"),
            Node::Object(id) => write!(f, "o{id}"),
        }
    }
}

/// From what waits to what it waits for, or from that to who holds it, with a word for it.
pub type Edge = (Node, Node, &'static str);

/// The word for who holds something.
pub const HELD: &str = "held by";

/// A graph of what waits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// What is told of each goroutine, in lines.
    pub goroutines: BTreeMap<u64, Vec<String>>,
    /// The same of each object.
    pub objects: BTreeMap<u64, Vec<String>>,
    /// Who waits for what, and who holds it.
    pub edges: BTreeSet<Edge>,
}

impl Graph {
    /// As Graphviz reads it.
    pub fn dot(&self) -> String {
        let circle = in_circles(&self.edges);
        let mut out = String::from(
            "digraph waits {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n  edge \
             [fontname=\"monospace\"];\n",
        );
        let marked = |is: bool| if is { ", color=red, penwidth=2" } else { "" };
        let goroutines = self.goroutines.iter();
        let goroutines = goroutines.map(|(g, lines)| (Node::Goroutine(*g), "box", lines));
        let objects = self.objects.iter();
        let objects = objects.map(|(id, lines)| (Node::Object(*id), "ellipse", lines));
        // Writing to a String cannot fail.
        for (node, shape, lines) in goroutines.chain(objects) {
            let lines: Vec<String> = lines.iter().map(|l| escaped(l)).collect();
            let mark = marked(circle.contains(&node));
            let label = lines.join("\\n");
            let _ = writeln!(out, "  {node} [shape={shape}, label=\"{label}\"{mark}];");
        }
        for (from, to, what) in &self.edges {
            let mark = marked(circle.contains(from) && circle.contains(to));
            let _ = writeln!(out, "  {from} -> {to} [label=\"{what}\"{mark}];");
        }
        out.push_str("}\n");
        out
    }
}

/// What makes goroutines alike: all that is shown of them but their numbers.
type Alike<'a> = (u64, u64, &'a str, &'a [(u64, Dir)]);

/// The graph of what waits just now.
pub fn dot(waits: &Waits, tables: &Tables) -> String {
    let is_shown = |g: &Goroutine| g.doing == Doing::Waits && !g.is_system;
    let awaited: BTreeSet<u64> = waits
        .goroutines
        .values()
        .filter(|g| is_shown(g))
        .flat_map(|g| g.on.iter().map(|on| on.0))
        .collect();
    let holders: BTreeSet<u64> = awaited
        .iter()
        .filter_map(|id| waits.objects.get(id))
        .flat_map(|o| o.holders.iter().copied())
        .collect();

    // Those of whom there are many, alike in all, are one; but who holds something is himself.
    let mut groups: BTreeMap<(Option<u64>, Alike<'_>), Vec<u64>> = BTreeMap::new();
    for (&id, g) in &waits.goroutines {
        if is_shown(g) || holders.contains(&id) {
            let own = holders.contains(&id).then_some(id);
            let alike = (g.func, g.stack, waits.reason(g), &g.on[..]);
            groups.entry((own, alike)).or_default().push(id);
        }
    }
    let mut members: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for mut all in groups.into_values() {
        all.sort_unstable();
        members.insert(all[0], all);
    }

    // What waits points to what it waits on, and that to who holds it.
    let mut edges: BTreeSet<Edge> = BTreeSet::new();
    for first in members.keys() {
        let g = &waits.goroutines[first];
        if g.doing == Doing::Waits {
            let on = g.on.iter();
            let what = |dir: &Dir| match dir {
                Dir::Send => "sends",
                Dir::Receive => "receives",
                Dir::None => "waits",
            };
            edges.extend(
                on.map(|(id, dir)| (Node::Goroutine(*first), Node::Object(*id), what(dir))),
            );
        }
    }
    for id in &awaited {
        let holders = waits.objects.get(id).map_or(&[][..], |o| &o.holders);
        // A holder may have ended.
        let there = holders.iter().filter(|h| members.contains_key(h));
        edges.extend(there.map(|h| (Node::Object(*id), Node::Goroutine(*h), HELD)));
    }
    let goroutines = members.iter().map(|(first, all)| {
        let lines = label(waits, tables, &waits.goroutines[first], all);
        (*first, lines)
    });
    let objects = awaited.iter().map(|id| {
        let known = waits.objects.get(id);
        let kind = known.map_or("object".into(), |o| waits.kind(o, tables));
        let cap = match known.map_or(0, |o| o.cap) {
            0 => String::new(),
            cap => format!(", cap {cap}"),
        };
        (*id, vec![format!("{kind} {id}{cap}")])
    });
    let graph = Graph {
        goroutines: goroutines.collect(),
        objects: objects.collect(),
        edges,
    };
    graph.dot()
}

/// The nodes that are in a circle, or between two.
fn in_circles(edges: &BTreeSet<Edge>) -> BTreeSet<Node> {
    let mut rest: Vec<(Node, Node)> = edges.iter().map(|e| (e.0, e.1)).collect();
    loop {
        let from: BTreeSet<Node> = rest.iter().map(|e| e.0).collect();
        let to: BTreeSet<Node> = rest.iter().map(|e| e.1).collect();
        let before = rest.len();
        rest.retain(|(a, b)| from.contains(b) && to.contains(a));
        if rest.len() == before {
            return rest.into_iter().flat_map(|(a, b)| [a, b]).collect();
        }
    }
}

fn label(waits: &Waits, tables: &Tables, g: &Goroutine, all: &[u64]) -> Vec<String> {
    let mut lines = vec![match all {
        [one] => format!("goroutine {one}"),
        [first, .., last] => format!("{} goroutines, {first} to {last}", all.len()),
        [] => String::new(),
    }];
    let func = tables.text(g.func);
    if !func.is_empty() {
        lines.push(func.into());
    }
    if let Some(frame) = tables.stack(g.stack).first() {
        let file = tables.text(frame.file);
        let name = file.rsplit('/').next().unwrap_or(file);
        lines.push(format!("{name}:{}", frame.line));
    }
    lines.push(match g.doing {
        Doing::Waits => waits.reason(g).into(),
        Doing::Calls => "in a system call".into(),
        Doing::Runs => "running".into(),
        Doing::CanRun => "runnable".into(),
        Doing::Unknown => "not seen".into(),
    });
    lines
}

/// What can stand between quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

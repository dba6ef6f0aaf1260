//! Programs as trees of text, so that they can be shrunk without being parsed.
//!
//! A node is a declaration, a statement or an expression whose type is known by its spelling. Any
//! element of a list may be left out, and any expression be replaced by a smaller one of its type:
//! what is no valid program then, the caller finds out.

/// What a node is, as far as shrinking cares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Of a list: it may be left out.
    Item,
    /// A value of the type that is spelled so.
    Expr(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Node(Node),
    List(Vec<Node>),
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_string())
    }
}
impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}
impl From<Node> for Part {
    fn from(node: Node) -> Part {
        Part::Node(node)
    }
}
impl From<Vec<Node>> for Part {
    fn from(list: Vec<Node>) -> Part {
        Part::List(list)
    }
}

/// The parts of a node, each a text, a node or a list of nodes.
macro_rules! parts {
    ($($part:expr),* $(,)?) => { vec![$(crate::tree::Part::from($part)),*] };
}
pub(crate) use parts;

impl Node {
    pub(crate) fn item(parts: Vec<Part>) -> Node {
        let kind = Kind::Item;
        Node { kind, parts }
    }

    pub(crate) fn expr(ty: &str, parts: Vec<Part>) -> Node {
        let kind = Kind::Expr(ty.to_string());
        Node { kind, parts }
    }

    pub(crate) fn print(&self) -> String {
        let mut text = String::new();
        self.print_to(&mut text);
        text
    }

    fn print_to(&self, text: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(t) => text.push_str(t),
                Part::Node(n) => n.print_to(text),
                Part::List(list) => list.iter().for_each(|n| n.print_to(text)),
            }
        }
    }

    fn each<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        for part in &self.parts {
            match part {
                Part::Text(_) => {}
                Part::Node(n) => n.each(visit),
                Part::List(list) => list.iter().for_each(|n| n.each(visit)),
            }
        }
    }

    /// The node with this number in the order of [`Node::each`]; counts `number` down on the way.
    fn at(&mut self, number: &mut usize) -> Option<&mut Node> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        for part in &mut self.parts {
            let found = match part {
                Part::Text(_) => None,
                Part::Node(n) => n.at(number),
                Part::List(list) => list.iter_mut().find_map(|n| n.at(number)),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The nodes by their numbers.
    fn all(&self) -> Vec<&Node> {
        let mut nodes = Vec::new();
        self.each(&mut |n| nodes.push(n));
        nodes
    }

    fn with(&self, mut number: usize, change: impl FnOnce(&mut Node)) -> Node {
        let mut copy = self.clone();
        change(copy.at(&mut number).expect("a node of this number"));
        copy
    }
}

/// Makes `program` as small as it gets while `still_fails`, by leaving out runs of list elements
/// and by simplifying expressions, until no single step helps or `budget` candidates have been
/// tried.
pub(crate) fn shrink(
    program: &Node,
    mut budget: usize,
    still_fails: impl Fn(&Node) -> bool,
) -> Node {
    let mut best = program.clone();
    let mut try_candidate = |best: &mut Node, candidate: Node| {
        if budget == 0 || candidate.print().len() >= best.print().len() {
            return false;
        }
        budget -= 1;
        let is_smaller = still_fails(&candidate);
        if is_smaller {
            *best = candidate;
        }
        is_smaller
    };
    loop {
        let before = best.print().len();
        leave_out(&mut best, &mut try_candidate);
        simplify(&mut best, &mut try_candidate);
        if best.print().len() == before {
            return best;
        }
    }
}

/// Leaves out runs of elements of each list, long runs first, from the end.
fn leave_out(best: &mut Node, try_candidate: &mut impl FnMut(&mut Node, Node) -> bool) {
    let mut number = 0;
    while number < best.all().len() {
        let parts = best.all()[number].parts.len();
        for part in 0..parts {
            let length = |best: &Node| match best.all()[number].parts.get(part) {
                Some(Part::List(list)) => list.len(),
                _ => 0,
            };
            let mut run = length(best);
            while run > 0 {
                let mut end = length(best);
                while end > 0 {
                    let start = end.saturating_sub(run);
                    let candidate = best.with(number, |n| {
                        if let Part::List(list) = &mut n.parts[part] {
                            list.drain(start..end);
                        }
                    });
                    try_candidate(best, candidate);
                    end = start;
                }
                run /= 2;
            }
        }
        number += 1;
    }
}

/// Replaces expressions by the zero value of their type, or by a part of theirs that has it.
fn simplify(best: &mut Node, try_candidate: &mut impl FnMut(&mut Node, Node) -> bool) {
    let mut number = 0;
    while number < best.all().len() {
        let node = best.all()[number].clone();
        if let Kind::Expr(ty) = &node.kind {
            let zero = Node::expr(ty, parts![format!("*new({ty})")]);
            let mut smaller = vec![zero];
            node.each(&mut |n| {
                if n.kind == node.kind {
                    smaller.push(n.clone());
                }
            });
            for candidate in smaller {
                let candidate = best.with(number, |n| *n = candidate);
                if try_candidate(best, candidate) {
                    break;
                }
            }
        }
        number += 1;
    }
}

//! Deterministic automata, made as the text asks for them.
//!
//! A state is what the program's threads may be at: instructions that read a character or ask for a
//! condition, in order of preference. A condition depends on both sides of a position, so a state
//! knows what is to the left, and what it leads to is decided by the class of the next character,
//! or the end; so that there was a match is known one character late. The table of states is
//! emptied when it takes too much memory; an automaton that does so too often gives up.
//!
//! One automaton goes forward and finds where the leftmost match ends, and one goes back from there
//! over the reversed program and finds where it begins.
//!
//! Where the longest match counts, threads form groups by where they began: a match of one group
//! ends those that began later, but not its own.
//!
//! Go: none. RE2: re2/dfa.cc.

use super::program::{
    Inst, Program, Side, conditions, decode, decode_last, side_before, side_behind,
};
use rustc_hash::FxHashMap;

/// What an automaton's program consists of.
#[derive(Debug)]
enum Node {
    /// Goes on with each of these, in order of preference.
    Many(Vec<u32>),
    Set(u32, u32),
    Empty(u8, u32),
    Match,
    /// Begins anew behind every character: what makes a search of a match at the start one
    /// anywhere.
    Anew,
}

/// Stands between groups in a state.
const GROUP: u32 = u32::MAX;

// What is said of a state beside its number.
const UNKNOWN: u32 = 1 << 31;
/// There was a match before the character that has led here.
const MATCHED: u32 = 1 << 30;
/// Nothing can match any more.
const DEAD: u32 = 1 << 29;
/// As at the start of a search.
const START: u32 = 1 << 28;
const NUMBER: u32 = START - 1;

/// The automaton has given up.
#[derive(Debug)]
pub(super) struct GaveUp;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    First,
    Longest,
    /// Backwards, where only the set of threads matters.
    Reverse,
}

/// Memory of a table, bytes.
const MOST: usize = 4 << 20;

#[derive(Debug)]
pub(super) struct Automaton {
    kind: Kind,
    nodes: Vec<Node>,
    first: Vec<u32>,
    /// Classes, and one for the end.
    stride: usize,
    next: Vec<u32>,
    /// What each state consists of: the side before it, and its nodes.
    states: Vec<(Side, Box<[u32]>)>,
    numbers: FxHashMap<(u8, Box<[u32]>), u32>,
    starts: [u32; 4],
    bytes: usize,
    /// For `closure`.
    seen: Vec<u32>,
    mark: u32,
    stack: Vec<u32>,
    /// Where the table was last emptied.
    emptied: Option<usize>,
}

impl Automaton {
    pub(super) fn forward(p: &Program) -> Automaton {
        let mut nodes: Vec<Node> = p.insts.iter().map(|i| Self::node(*i)).collect();
        let mut first = vec![p.start];
        if !p.is_anchored {
            first.push(nodes.len() as u32);
            nodes.push(Node::Anew);
        }
        let kind = if p.longest {
            Kind::Longest
        } else {
            Kind::First
        };
        Automaton::new(kind, nodes, first, p)
    }

    fn node(inst: Inst) -> Node {
        match inst {
            Inst::Alt(a, b) => Node::Many(vec![a, b]),
            Inst::Capture(_, to) | Inst::Nop(to) => Node::Many(vec![to]),
            Inst::Empty(c, to) => Node::Empty(c, to),
            Inst::Set(s, to) => Node::Set(s, to),
            Inst::Match => Node::Match,
            Inst::Fail => Node::Many(Vec::new()),
        }
    }

    /// Node `i` leads to what comes before instruction `i`; node `n + i` is the step back over it,
    /// if it is one.
    pub(super) fn reverse(p: &Program) -> Automaton {
        let n = p.insts.len();
        let mut before = vec![Vec::new(); n];
        let mut steps = Vec::with_capacity(n);
        let mut first = Vec::new();
        before[p.start as usize].push(2 * n as u32);
        for (i, inst) in p.insts.iter().enumerate() {
            let this = i as u32;
            let mut step = Node::Many(Vec::new());
            match *inst {
                Inst::Alt(a, b) => {
                    before[a as usize].push(this);
                    before[b as usize].push(this);
                }
                Inst::Capture(_, to) | Inst::Nop(to) => before[to as usize].push(this),
                Inst::Empty(c, to) => {
                    before[to as usize].push(n as u32 + this);
                    step = Node::Empty(c, this);
                }
                Inst::Set(s, to) => {
                    before[to as usize].push(n as u32 + this);
                    step = Node::Set(s, this);
                }
                Inst::Match => first.push(this),
                Inst::Fail => {}
            }
            steps.push(step);
        }
        let nodes = before.into_iter().map(Node::Many).chain(steps);
        let nodes = nodes.chain([Node::Match]).collect();
        Automaton::new(Kind::Reverse, nodes, first, p)
    }

    fn new(kind: Kind, nodes: Vec<Node>, first: Vec<u32>, p: &Program) -> Automaton {
        Automaton {
            kind,
            seen: vec![0; nodes.len()],
            nodes,
            first,
            stride: p.classes.len() + 1,
            next: Vec::new(),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            starts: [UNKNOWN; 4],
            bytes: 0,
            mark: 0,
            stack: Vec::new(),
            emptied: None,
        }
    }

    /// Memory that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.nodes.len() * 40
    }

    /// Adds to `out` what `from` leads to without a character: those that read one, match or ask
    /// for a condition, which `holding` answers if it is there.
    /// False: nothing comes behind a match.
    fn closure(&mut self, from: u32, holding: Option<u8>, out: &mut Vec<u32>) -> bool {
        self.stack.push(from);
        while let Some(i) = self.stack.pop() {
            let seen = &mut self.seen[i as usize];
            if *seen == self.mark {
                continue;
            }
            *seen = self.mark;
            match &self.nodes[i as usize] {
                Node::Many(list) => self.stack.extend(list.iter().rev()),
                Node::Empty(c, to) => match holding {
                    Some(holding) if c & !holding == 0 => self.stack.push(*to),
                    Some(_) => {}
                    None => out.push(i),
                },
                Node::Match => {
                    out.push(i);
                    if self.kind == Kind::First {
                        self.stack.clear();
                        return false;
                    }
                }
                Node::Set(..) | Node::Anew => out.push(i),
            }
        }
        true
    }

    fn clear_seen(&mut self) {
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.seen.fill(0);
            self.mark = 1;
        }
    }

    fn state(&mut self, side: Side, mut list: Vec<u32>) -> u32 {
        match self.kind {
            Kind::First => {}
            Kind::Reverse => list.sort_unstable(),
            Kind::Longest => list
                .split_mut(|i| *i == GROUP)
                .for_each(|g| g.sort_unstable()),
        }
        let key = (side as u8, list.into_boxed_slice());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let mut number = self.states.len() as u32;
        if key.1.is_empty() {
            number |= DEAD;
        }
        self.bytes += self.stride * 4 + key.1.len() * 8 + 96;
        self.next.resize(self.next.len() + self.stride, UNKNOWN);
        self.states.push((side, key.1.clone()));
        self.numbers.insert(key, number);
        number
    }

    fn start(&mut self, p: &Program, side: Side) -> u32 {
        // Without conditions all sides are one.
        let side = if p.has_conditions { side } else { Side::Other };
        if self.starts[side as usize] == UNKNOWN {
            let mut list = Vec::new();
            self.clear_seen();
            for (i, from) in self.first.clone().into_iter().enumerate() {
                if i > 0 && self.kind == Kind::Longest {
                    list.push(GROUP);
                }
                if !self.closure(from, None, &mut list) {
                    break;
                }
            }
            let s = self.state(side, list);
            if s & START == 0 && self.kind != Kind::Reverse && p.is_skipping() {
                // Whoever comes back to it finds it so marked.
                let key = self.states[(s & NUMBER) as usize].clone();
                self.numbers.insert((key.0 as u8, key.1), s | START);
            }
            self.starts[side as usize] = s;
        }
        self.starts[side as usize]
    }

    /// Where state `from` leads with a character of the class (the last: the end of the text).
    #[cold]
    fn step(&mut self, p: &Program, from: u32, class: usize, at: usize) -> Result<u32, GaveUp> {
        let (side, list) = self.states[(from & NUMBER) as usize].clone();
        let emptied = self.bytes > MOST || self.states.len() as u32 >= NUMBER;
        if emptied {
            // An emptied table must have been worth its making.
            let enough = 16 * self.states.len();
            if self.emptied.is_some_and(|last| last.abs_diff(at) < enough) {
                return Err(GaveUp);
            }
            self.emptied = Some(at);
            self.next.clear();
            self.states.clear();
            self.numbers.clear();
            self.starts = [UNKNOWN; 4];
            self.bytes = 0;
        }
        let is_end = class + 1 == self.stride;
        let other = match is_end {
            true => Side::Edge,
            false => p.classes.side[class],
        };
        let c = (!is_end).then(|| p.classes.sample[class]);

        // What the conditions here let through.
        let mut now = Vec::with_capacity(list.len());
        if p.has_conditions {
            let holding = match self.kind {
                Kind::Reverse => conditions(other, side),
                _ => conditions(side, other),
            };
            self.clear_seen();
            for i in &list {
                if *i == GROUP {
                    now.push(GROUP);
                } else if !self.closure(*i, Some(holding), &mut now) {
                    break;
                }
            }
        } else {
            now.extend_from_slice(&list);
        }

        // What reads the character.
        let mut then = Vec::with_capacity(now.len());
        let mut matched = false;
        self.clear_seen();
        for i in now {
            if i == GROUP {
                if matched {
                    break;
                }
                if then.last().is_some_and(|last| *last != GROUP) {
                    then.push(GROUP);
                }
                continue;
            }
            let goes_on = match (&self.nodes[i as usize], c) {
                (Node::Match, _) => {
                    matched = true;
                    self.kind != Kind::First
                }
                (Node::Set(set, to), Some(c)) if p.sets[*set as usize].has(c) => {
                    let to = *to;
                    self.closure(to, None, &mut then)
                }
                (Node::Anew, Some(_)) => {
                    let goes_on = self.closure(p.start, None, &mut then);
                    if goes_on && self.kind == Kind::Longest {
                        if then.last().is_some_and(|last| *last != GROUP) {
                            then.push(GROUP);
                        }
                    }
                    goes_on && self.closure(i, None, &mut then)
                }
                _ => true,
            };
            if !goes_on {
                break;
            }
        }
        if then.last() == Some(&GROUP) {
            then.pop();
        }
        let side = if p.has_conditions { other } else { Side::Other };
        let mut to = self.state(side, then);
        if matched {
            to |= MATCHED;
        }
        if !emptied {
            self.next[(from & NUMBER) as usize * self.stride + class] = to;
        }
        Ok(to)
    }

    #[inline]
    fn follow(&mut self, p: &Program, from: u32, class: usize, at: usize) -> Result<u32, GaveUp> {
        let to = self.next[(from & NUMBER) as usize * self.stride + class];
        if to & UNKNOWN != 0 {
            return self.step(p, from, class, at);
        }
        Ok(to)
    }

    /// Where the match ends that is to be found from `at` on; `any` end of any match will do.
    pub(super) fn end(
        &mut self,
        p: &Program,
        text: &[u8],
        mut at: usize,
        any: bool,
    ) -> Result<Option<usize>, GaveUp> {
        self.emptied = None;
        let mut found = None;
        let mut state = self.start(p, side_before(text, at));
        if state & START != 0 {
            if let Some(prefix) = &p.prefix {
                match prefix.find(&text[at..]) {
                    None => return Ok(None),
                    Some(0) => {}
                    Some(n) => {
                        at += n;
                        state = self.start(p, side_before(text, at));
                    }
                }
            }
        }
        while at < text.len() {
            let b = text[at];
            let (c, width) = match b {
                0..0x80 => (u32::from(b), 1),
                _ => decode(&text[at..]),
            };
            let class = p.classes.of(c) as usize;
            state = self.follow(p, state, class, at)?;
            if state >= START {
                if state & MATCHED != 0 {
                    found = Some(at);
                    if any {
                        return Ok(found);
                    }
                }
                if state & DEAD != 0 {
                    return Ok(found);
                }
                if state & START != 0 {
                    if let Some(prefix) = &p.prefix {
                        let from = at + width;
                        match prefix.find(&text[from..]) {
                            None => return Ok(found),
                            Some(0) => {}
                            Some(n) => {
                                at = from + n;
                                state = self.start(p, side_before(text, at));
                                continue;
                            }
                        }
                    }
                }
            }
            at += width;
        }
        if self.follow(p, state, self.stride - 1, at)? & MATCHED != 0 {
            found = Some(at);
        }
        Ok(found)
    }

    /// Where the match begins that ends at `end` and does not begin before `from`.
    pub(super) fn begin(
        &mut self,
        p: &Program,
        text: &[u8],
        from: usize,
        end: usize,
    ) -> Result<Option<usize>, GaveUp> {
        self.emptied = None;
        let mut found = None;
        let mut at = end;
        let mut state = self.start(p, side_behind(text, end));
        while at > from {
            let (c, width) = decode_last(&text[from..at]);
            state = self.follow(p, state, p.classes.of(c) as usize, at)?;
            if state & MATCHED != 0 {
                found = Some(at);
            }
            if state & DEAD != 0 {
                return Ok(found);
            }
            at -= width;
        }
        // What is before the search only decides conditions.
        let class = match from {
            0 => self.stride - 1,
            _ => p.classes.of(decode_last(&text[..from]).0) as usize,
        };
        if self.follow(p, state, class, at)? & MATCHED != 0 {
            found = Some(at);
        }
        Ok(found)
    }
}

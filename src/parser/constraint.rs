//! Build constraints: `//go:build linux && !cgo`.
//!
//! Spec: none; see `go help buildconstraint`. Go: go/build/constraint.

use crate::lexer::directive::Directive;
use crate::source::Pos;

/// A constraint. Lists rather than pairs, so that however long a line is, only parentheses nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    Tag(String),
    Not(Box<Constraint>),
    And(Vec<Constraint>),
    Or(Vec<Constraint>),
}

impl Constraint {
    /// Parses what follows `//go:build`; `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Constraint> {
        let mut parser = Parser {
            rest: text,
            depth: 0,
        };
        let x = parser.or()?;
        parser.rest.trim_start().is_empty().then_some(x)
    }

    /// Is it satisfied, `has` telling which tags hold?
    pub fn eval(&self, has: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Constraint::Tag(tag) => has(tag),
            Constraint::Not(x) => !x.eval(has),
            // All are asked, as in Go.
            Constraint::And(all) => all.iter().filter(|x| !x.eval(has)).count() == 0,
            Constraint::Or(all) => all.iter().filter(|x| x.eval(has)).count() > 0,
        }
    }

    /// The N of the least Go version 1.N that it implies; negative if none.
    fn min_version(&self, positive: bool) -> i64 {
        match self {
            Constraint::Not(x) => x.min_version(!positive),
            Constraint::And(all) | Constraint::Or(all) => {
                let versions = all.iter().map(|x| x.min_version(positive));
                let needs_all = matches!(self, Constraint::And(..)) == positive;
                let version = if needs_all {
                    versions.max()
                } else {
                    versions.min()
                };
                version.unwrap_or(-1)
            }
            Constraint::Tag(tag) if positive => match tag.strip_prefix("go1") {
                Some("") => 0,
                Some(rest) => rest
                    .strip_prefix('.')
                    .and_then(|n| n.parse::<u32>().ok())
                    .map_or(-1, i64::from),
                None => -1,
            },
            Constraint::Tag(_) => -1,
        }
    }
}

/// The constraint of a file: its first `//go:build` line before the package clause.
pub fn of_file(directives: &[Directive], package: Pos) -> Option<Constraint> {
    let before = directives.iter().take_while(|d| d.pos < package);
    let mut lines = before.filter_map(|d| d.text.strip_prefix("go:build "));
    Constraint::parse(lines.next()?)
}

/// The N of the language version 1.N that a file's constraint asks for.
pub fn go_version(directives: &[Directive], package: Pos) -> Option<u32> {
    let version = of_file(directives, package)?.min_version(true);
    u32::try_from(version).ok()
}

struct Parser<'s> {
    rest: &'s str,
    depth: usize,
}

/// Parentheses and negations nested deeper than this are malformed.
const MAX_DEPTH: usize = 1000;

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Option<Constraint> {
        let mut all = vec![self.and()?];
        while self.eat("||") {
            all.push(self.and()?);
        }
        Some(Parser::one_or(all, Constraint::Or))
    }

    fn and(&mut self) -> Option<Constraint> {
        let mut all = vec![self.not()?];
        while self.eat("&&") {
            all.push(self.not()?);
        }
        Some(Parser::one_or(all, Constraint::And))
    }

    fn one_or(mut all: Vec<Constraint>, several: fn(Vec<Constraint>) -> Constraint) -> Constraint {
        match all.pop() {
            Some(only) if all.is_empty() => only,
            last => {
                all.extend(last);
                several(all)
            }
        }
    }

    fn not(&mut self) -> Option<Constraint> {
        self.depth += 1;
        let x = if self.depth > MAX_DEPTH {
            None
        } else if self.eat("!") {
            // Go allows one negation only: `!!x` is malformed.
            match self.rest.trim_start().starts_with('!') {
                true => None,
                false => self.not().map(|x| Constraint::Not(Box::new(x))),
            }
        } else if self.eat("(") {
            self.or().filter(|_| self.eat(")"))
        } else {
            self.tag()
        };
        self.depth -= 1;
        x
    }

    fn tag(&mut self) -> Option<Constraint> {
        let rest = self.rest.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (tag, rest) = rest.split_at(len);
        self.rest = rest;
        (!tag.is_empty()).then(|| Constraint::Tag(tag.to_string()))
    }
}

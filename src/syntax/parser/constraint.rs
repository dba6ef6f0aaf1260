//! Build constraints: `//go:build linux && !cgo`.
//!
//! Spec: none; see `go help buildconstraint`. Go: go/build/constraint.

use crate::lexer::directive::Directive;
use source::Pos;

/// A constraint. Lists rather than pairs, so that however long a line is, only parentheses nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    Tag(String),
    Not(Box<Constraint>),
    And(Vec<Constraint>),
    Or(Vec<Constraint>),
}

impl Constraint {
    /// Parses what follows `//go:build`. The error is in Go's words.
    pub fn parse(text: &str) -> Result<Constraint, String> {
        let mut parser = Parser {
            text,
            rest: text,
            token: "",
            is_tag: false,
            size: 0,
        };
        let x = parser.or()?;
        match parser.token {
            "" => Ok(x),
            token => Err(format!("unexpected token {token}")),
        }
    }

    /// Parses what follows `// +build`, the form that files had before Go 1.17;
    /// `None` if it is too long to count.
    pub fn parse_plus(text: &str) -> Option<Constraint> {
        const MAX_OPERATORS: usize = 100;
        let ignore = || Constraint::Tag("ignore".to_string());
        let literal = |word: &str| {
            let tag = word.strip_prefix('!').unwrap_or(word);
            if word.starts_with("!!") || word == "!" {
                return ignore();
            }
            let is_valid = !tag.is_empty() && tag.chars().all(is_tag_char);
            let x = match is_valid {
                true => Constraint::Tag(tag.to_string()),
                false => ignore(),
            };
            match tag.len() < word.len() {
                true => Constraint::Not(Box::new(x)),
                false => x,
            }
        };
        let clauses: Vec<Constraint> = text
            .split_whitespace()
            .map(|clause| Constraint::And(clause.split(',').map(literal).collect()))
            .collect();
        let operators = text.split_whitespace().count().saturating_sub(1)
            + text.bytes().filter(|&b| b == b',').count();
        match clauses.is_empty() {
            true => Some(ignore()),
            false => (operators <= MAX_OPERATORS).then_some(Constraint::Or(clauses)),
        }
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
            Constraint::Tag(tag) if positive && tag == "go1" => 0,
            Constraint::Tag(tag) if positive => {
                let minor = tag.split_once("go1.").map(|(_, minor)| minor);
                minor.and_then(|n| n.parse().ok()).unwrap_or(-1)
            }
            Constraint::Tag(_) => -1,
        }
    }
}

/// What follows `//go:build` in a line, if that is what it is.
pub fn after_go_build(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("//go:build")?;
    let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_word.then(|| rest.trim())
}

/// What follows `// +build` in a line, if that is what it is.
pub fn after_plus_build(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("//")?.trim_start();
    let rest = rest.strip_prefix("+build")?;
    let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
    is_word.then(|| rest.trim())
}

/// The N of the language version 1.N that a file's constraint asks for.
pub fn go_version(directives: &[Directive], package: Pos) -> Option<u32> {
    let before = directives.iter().take_while(|d| d.pos < package);
    let lines = before.filter_map(|d| d.text.strip_prefix("go:build"));
    let words = lines.filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    let last = words
        .filter_map(|rest| Constraint::parse(rest.trim()).ok())
        .last()?;
    u32::try_from(last.min_version(true)).ok()
}

struct Parser<'s> {
    text: &'s str,
    rest: &'s str,
    /// The token read last; empty at the end.
    token: &'s str,
    is_tag: bool,
    size: usize,
}

/// More operands make a constraint malformed.
const MAX_SIZE: usize = 1000;

const AT_END: &str = "unexpected end of expression";

fn is_tag_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

impl Parser<'_> {
    /// Reads the next token.
    fn next(&mut self) -> Result<(), String> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        self.is_tag = false;
        let len = match self.rest.as_bytes() {
            [] => 0,
            [b'(' | b')' | b'!', ..] => 1,
            [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
            _ => {
                let len = self.rest.find(|c| !is_tag_char(c));
                self.is_tag = true;
                len.unwrap_or(self.rest.len())
            }
        };
        if self.is_tag && len == 0 {
            let c = self.rest.chars().next().unwrap_or_default();
            return Err(format!("invalid syntax at {c}"));
        }
        let at = self.text.len() - self.rest.len();
        self.token = &self.text[at..at + len];
        self.rest = &self.rest[len..];
        Ok(())
    }

    fn or(&mut self) -> Result<Constraint, String> {
        let mut all = vec![self.and()?];
        while self.token == "||" {
            all.push(self.and()?);
        }
        Ok(Parser::one_or(all, Constraint::Or))
    }

    fn and(&mut self) -> Result<Constraint, String> {
        let mut all = vec![self.not()?];
        while self.token == "&&" {
            all.push(self.not()?);
        }
        Ok(Parser::one_or(all, Constraint::And))
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

    fn not(&mut self) -> Result<Constraint, String> {
        self.size += 1;
        if self.size > MAX_SIZE {
            return Err("build expression too large".into());
        }
        self.next()?;
        if self.token != "!" {
            return self.atom();
        }
        self.next()?;
        if self.token == "!" {
            return Err("double negation not allowed".into());
        }
        Ok(Constraint::Not(Box::new(self.atom()?)))
    }

    fn atom(&mut self) -> Result<Constraint, String> {
        if self.token == "(" {
            let inside = self.or();
            let is_open = match &inside {
                Ok(_) => self.token != ")",
                Err(why) => why == AT_END,
            };
            if is_open {
                return Err("missing close paren".into());
            }
            let inside = inside?;
            self.next()?;
            return Ok(inside);
        }
        if !self.is_tag {
            return Err(match self.token {
                "" => AT_END.into(),
                token => format!("unexpected token {token}"),
            });
        }
        let tag = Constraint::Tag(self.token.to_string());
        self.next()?;
        Ok(tag)
    }
}

//! Where in a program a token stands: which brackets are open around it, and what they are.
//!
//! One scan over the tokens before an error.
//! It need not be exact for broken programs; it decides between error texts.

use crate::lexer::{Tok, Token};

/// What an open bracket is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `const (`, `var (`, `type (`, `import (`
    Group,
    Params,
    TypeParams,
    Args,
    /// A parenthesised operand, or `.(T)`.
    Paren,
    Index,
    Struct,
    Interface,
    Composite,
    /// A function's body.
    Body,
    Block,
    Switch,
    Select,
}

/// An open bracket, and what is going on directly inside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub kind: Kind,
    /// Index of the bracket.
    pub at: usize,
    /// `if`, `for`, `switch` or `select` whose body has not begun.
    pub header: Option<Tok>,
    /// Semicolons in that header so far.
    pub(crate) header_semis: usize,
    /// Was there `range` in that header?
    pub ranges: bool,
    /// A `func` whose body may come.
    func: bool,
    /// An array, slice, map or struct type that may be a literal's.
    literal_type: bool,
    /// Index of the first token of the statement, field or declaration.
    pub item: usize,
}

/// The brackets open at some token, outermost first; the first entry stands for the file.
pub(super) struct Context {
    pub stack: Vec<Open>,
}

impl Context {
    /// What is open before the token at `end`.
    pub(super) fn at(tokens: &[Token], end: usize) -> Context {
        let mut scan = Context::scan(tokens);
        for i in 0..end.min(tokens.len()) {
            scan.token(i);
        }
        Context { stack: scan.stack }
    }

    /// A scan that has seen no token yet.
    pub(super) fn scan(tokens: &[Token]) -> Scan<'_> {
        Scan {
            tokens,
            stack: vec![Open::new(Kind::Group, 0)],
            last_closed: None,
        }
    }

    pub(super) fn top(&self) -> &Open {
        &self.stack[self.stack.len() - 1]
    }

    pub(super) fn is_top_level(&self) -> bool {
        self.stack.len() == 1
    }

    pub(super) fn in_function(&self) -> bool {
        self.stack.iter().any(|o| o.kind == Kind::Body)
    }
}

impl Open {
    fn new(kind: Kind, at: usize) -> Open {
        Open {
            kind,
            at,
            header: None,
            header_semis: 0,
            ranges: false,
            func: false,
            literal_type: false,
            item: at + 1,
        }
    }

    fn new_item(&mut self, next: usize) {
        self.func = false;
        self.literal_type = false;
        self.item = next;
    }
}

/// Goes through the tokens one by one.
pub(super) struct Scan<'t> {
    tokens: &'t [Token],
    pub stack: Vec<Open>,
    /// Of the bracket closed last.
    last_closed: Option<Open>,
}

impl Scan<'_> {
    fn tok(&self, i: usize) -> Option<Tok> {
        self.tokens.get(i).map(|t| t.1)
    }

    fn before(&self, i: usize, back: usize) -> Option<Tok> {
        i.checked_sub(back).and_then(|i| self.tok(i))
    }

    pub(super) fn top(&self) -> &Open {
        &self.stack[self.stack.len() - 1]
    }

    /// Goes past the token at `i`, the next one.
    pub(super) fn token(&mut self, i: usize) {
        let tok = self.tokens[i].1;
        let last = self.stack.len() - 1;
        match tok {
            Tok::LParen => {
                let kind = self.paren(i);
                self.stack[last].literal_type &= kind == Kind::Params;
                self.stack.push(Open::new(kind, i));
            }
            Tok::LBrack | Tok::TLBrack => {
                let kind = self.bracket(i);
                if !self.before(i, 1).is_some_and(Tok::ends_operand) {
                    self.stack[last].literal_type = true;
                }
                self.stack.push(Open::new(kind, i));
            }
            Tok::LBrace => {
                let kind = self.brace(i);
                let top = &mut self.stack[last];
                match kind {
                    Kind::Struct => top.literal_type = true,
                    Kind::Interface => {}
                    Kind::Body => top.func = false,
                    Kind::Block | Kind::Switch | Kind::Select => top.header = None,
                    _ => top.literal_type = false,
                }
                self.stack.push(Open::new(kind, i));
            }
            Tok::RParen | Tok::RBrack | Tok::RBrace if self.stack.len() > 1 => {
                self.last_closed = self.stack.pop();
            }
            Tok::Semi(_) => {
                let top = &mut self.stack[last];
                if top.header.is_some() {
                    top.header_semis += 1;
                }
                top.new_item(i + 1);
            }
            Tok::Comma => {
                self.stack[last].func = false;
                self.stack[last].literal_type = false;
            }
            Tok::Colon if self.stack[last].kind != Kind::Composite => {
                self.stack[last].new_item(i + 1);
            }
            Tok::If | Tok::For | Tok::Switch | Tok::Select => {
                let top = &mut self.stack[last];
                top.header = Some(tok);
                top.header_semis = 0;
                top.ranges = false;
            }
            Tok::Range => self.stack[last].ranges = true,
            // As an element's type it has no body.
            Tok::Func if self.before(i, 1) == Some(Tok::RBrack) => {}
            Tok::Func => self.stack[last].func = true,
            Tok::Map => self.stack[last].literal_type = true,
            _ => {}
        }
    }

    /// Does the token before `i` name the function being declared?
    fn after_func_name(&self, i: usize) -> bool {
        matches!(self.before(i, 1), Some(Tok::Name(_)))
            && (self.before(i, 2) == Some(Tok::Func)
                || self.stack.len() == 1
                    && self.before(i, 2) == Some(Tok::RParen)
                    && self
                        .last_closed
                        .is_some_and(|o| self.before(o.at, 1) == Some(Tok::Func)))
    }

    fn paren(&self, i: usize) -> Kind {
        let top = self.stack[self.stack.len() - 1].kind;
        match self.before(i, 1) {
            Some(Tok::Const | Tok::Var | Tok::Type | Tok::Import) => Kind::Group,
            Some(Tok::Func) => Kind::Params,
            Some(Tok::Name(_)) if self.after_func_name(i) || top == Kind::Interface => Kind::Params,
            Some(Tok::RParen | Tok::RBrack)
                if self.last_closed.is_some_and(|o| {
                    o.kind == Kind::TypeParams || o.kind == Kind::Params && !self.is_result(o.at)
                }) =>
            {
                Kind::Params
            }
            Some(tok) if tok.ends_operand() => Kind::Args,
            _ => Kind::Paren,
        }
    }

    /// Is the parameter list opened at `at` a result list?
    fn is_result(&self, at: usize) -> bool {
        self.before(at, 1) == Some(Tok::RParen)
    }

    fn bracket(&self, i: usize) -> Kind {
        if self.tok(i) == Some(Tok::TLBrack) || self.after_func_name(i) {
            Kind::TypeParams
        } else {
            Kind::Index
        }
    }

    fn brace(&self, i: usize) -> Kind {
        let top = &self.stack[self.stack.len() - 1];
        match self.before(i, 1) {
            Some(Tok::Struct) => return Kind::Struct,
            Some(Tok::Interface) => return Kind::Interface,
            _ => {}
        }
        if top.func {
            return Kind::Body;
        }
        if let Some(header) = top.header
            && !top.literal_type
        {
            return match header {
                Tok::Switch => Kind::Switch,
                Tok::Select => Kind::Select,
                _ => Kind::Block,
            };
        }
        match (top.kind, self.before(i, 1)) {
            (Kind::Composite, _) => Kind::Composite,
            _ if top.literal_type => Kind::Composite,
            (_, Some(Tok::Semi(_) | Tok::LBrace | Tok::RBrace | Tok::Colon | Tok::Else)) => {
                Kind::Block
            }
            _ => Kind::Composite,
        }
    }
}

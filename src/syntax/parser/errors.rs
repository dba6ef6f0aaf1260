//! Unexpected tokens in Go's words, and how to go on after them.
//!
//! An LR parser never shifts a wrong token, so where it stops is where Go's parser stops. What Go
//! says there depends on what its recursive descent is busy with; that is found again from the set
//! of expected tokens and from the open brackets ([`Context`]). Then Go skips tokens and acts as if
//! it had seen what it wanted: here, the token vector is mended in the same way and parsed again,
//! so that follow-up errors are Go's too.
//!
//! Go: cmd/compile/internal/syntax/parser.go: syntaxErrorAt, advance, and every call of them.

use super::actions::semi_text;
use super::context::{Context, Kind};
use super::retag::skip_brackets;
use crate::ast::LitKind;
use crate::ast::print::bin_op;
use crate::lexer::{SemiKind, Tok, Token};
use source::{SourceFile, Symbol};

/// A stop of the parser.
pub(super) struct Stop<'a> {
    pub file: &'static SourceFile,
    pub tokens: &'a [Token],
    /// Index of the unexpected token; the number of tokens at the end of the file.
    pub at: usize,
    /// As the grammar writes them, without quotes.
    pub expected: &'a [String],
    /// Did a check stop it, rather than the grammar?
    pub rejected: bool,
}

/// What to report, and how to mend the tokens.
pub(super) struct Repair {
    /// Index of the token at whose position to report.
    pub(crate) report_at: usize,
    /// Without "syntax error: ".
    pub message: String,
    /// Tokens to take out.
    pub remove: std::ops::Range<usize>,
    /// Tokens to put there.
    pub insert: Vec<Tok>,
    /// Nothing sensible follows.
    pub fatal: bool,
    /// Reported without "syntax error: ".
    pub plain: bool,
    /// A header is complete, but no brace follows.
    pub(crate) after_header: bool,
    /// Reported first, without "syntax error: ".
    pub before: Option<&'static str>,
}

const STATEMENT_KEYWORDS: [Tok; 14] = [
    Tok::Break,
    Tok::Const,
    Tok::Continue,
    Tok::Defer,
    Tok::Fallthrough,
    Tok::For,
    Tok::Go,
    Tok::Goto,
    Tok::If,
    Tok::Return,
    Tok::Select,
    Tok::Switch,
    Tok::Type,
    Tok::Var,
];

/// Tokens that may be wanted by themselves.
const FIXED: [(&str, Tok); 7] = [
    (")", Tok::RParen),
    ("]", Tok::RBrack),
    (":", Tok::Colon),
    ("}", Tok::RBrace),
    ("(", Tok::LParen),
    ("{", Tok::LBrace),
    ("[", Tok::LBrack),
];

/// A class of tokens to skip to.
type Set = fn(Tok) -> bool;

fn closers(tok: Tok) -> bool {
    tok.closes()
}
fn declarations(tok: Tok) -> bool {
    matches!(
        tok,
        Tok::Import | Tok::Const | Tok::Type | Tok::Var | Tok::Func
    )
}
fn statement_ends(tok: Tok) -> bool {
    matches!(tok, Tok::Semi(_) | Tok::RBrace | Tok::Case | Tok::Default)
}
fn semi_or_paren(tok: Tok) -> bool {
    matches!(tok, Tok::Semi(_) | Tok::RParen)
}
fn semi_or_brace(tok: Tok) -> bool {
    matches!(tok, Tok::Semi(_) | Tok::RBrace)
}
fn after_type(tok: Tok) -> bool {
    tok.closes() || matches!(tok, Tok::Comma | Tok::Colon | Tok::Semi(_))
}
fn name_or_brace(tok: Tok) -> bool {
    matches!(tok, Tok::Name(_) | Tok::RBrace)
}
fn cases(tok: Tok) -> bool {
    matches!(tok, Tok::Case | Tok::Default | Tok::RBrace)
}
fn colon_or_cases(tok: Tok) -> bool {
    tok == Tok::Colon || cases(tok)
}
fn braces(tok: Tok) -> bool {
    matches!(tok, Tok::LBrace | Tok::RBrace)
}
fn brace_or_semi(tok: Tok) -> bool {
    matches!(tok, Tok::LBrace | Tok::Semi(_))
}
fn comma_or_paren(tok: Tok) -> bool {
    matches!(tok, Tok::Comma | Tok::RParen)
}
fn comma_or_bracket(tok: Tok) -> bool {
    matches!(tok, Tok::Comma | Tok::RBrack)
}
fn index_parts(tok: Tok) -> bool {
    matches!(tok, Tok::Comma | Tok::Colon | Tok::RBrack)
}

impl Stop<'_> {
    fn expects(&self, tok: &str) -> bool {
        self.expected.iter().any(|e| e == tok)
    }

    fn tok(&self, i: usize) -> Option<Tok> {
        self.tokens.get(i).map(|t| t.1)
    }

    fn before(&self, back: usize) -> Option<Tok> {
        self.at.checked_sub(back).and_then(|i| self.tok(i))
    }

    /// How error texts name a token.
    fn name_of(&self, i: usize) -> String {
        let Some(&(start, tok, end)) = self.tokens.get(i) else {
            return "EOF".to_string();
        };
        let base = self.file.base;
        let text = &self.file.text[(start - base) as usize..(end - base) as usize];
        match tok {
            Tok::Name(name) => format!("name {name}"),
            Tok::Lit(_) | Tok::BadLit(_) => format!("literal {text}"),
            Tok::Semi(kind) => semi_text(kind).to_string(),
            Tok::Comma => "comma".to_string(),
            Tok::AssignOp(op) => format!("{}=", bin_op(op)),
            tok if tok.is_keyword() => format!("keyword {text}"),
            _ => text.to_string(),
        }
    }

    /// The first token from `from` on that is in `set`;
    /// inside functions, a keyword that begins a statement also stops.
    fn skip(&self, context: &Context, from: usize, set: Set) -> usize {
        let in_function = context.in_function();
        let rest = &self.tokens[from.min(self.tokens.len())..];
        let stops = |tok: Tok| set(tok) || in_function && STATEMENT_KEYWORDS.contains(&tok);
        let found = rest.iter().position(|t| stops(t.1));
        // The semicolon at the end of the file is one to Go's scanner too;
        // past it there is nothing.
        from + found.unwrap_or(rest.len())
    }

    fn repair(&self, message: String, to: usize, insert: Vec<Tok>) -> Repair {
        Repair {
            report_at: self.at,
            message,
            remove: self.at..to.max(self.at),
            insert,
            fatal: false,
            plain: false,
            after_header: false,
            before: None,
        }
    }

    /// "unexpected X" and what follows it.
    fn unexpected(&self, rest: &str) -> String {
        format!("unexpected {}{rest}", self.name_of(self.at))
    }

    /// A single token was wanted: one token is skipped, and it is taken as seen.
    fn wanted(&self, text: &str, tok: Tok) -> Repair {
        let skip = usize::from(self.at < self.tokens.len());
        self.repair(
            self.unexpected(&format!(", expected {text}")),
            self.at + skip,
            vec![tok],
        )
    }

    /// A list went wrong after an item.
    fn in_list(&self, context: &Context, what: &str, separator: &str, close: Tok) -> Repair {
        let to = self.skip(context, self.at, closers);
        let closed = self.tok(to) == Some(close);
        let insert = if closed { vec![] } else { vec![close] };
        let close = match close {
            Tok::RParen => ")",
            Tok::RBrack => "]",
            _ => "}",
        };
        let message = self.unexpected(&format!(
            " in {what}; possibly missing {separator} or {close}"
        ));
        self.repair(message, to, insert)
    }

    fn expected_expression(&self, context: &Context) -> Repair {
        let to = self.skip(context, self.at, closers);
        self.repair(self.unexpected(", expected expression"), to, vec![bad()])
    }

    fn expected_type(&self, context: &Context) -> Repair {
        let to = self.skip(context, self.at, after_type);
        self.repair(self.unexpected(", expected type"), to, vec![blank()])
    }

    fn expected_name(&self) -> Repair {
        self.wanted("name", blank())
    }

    /// What Go says about this token, and what it does next.
    pub(super) fn diagnose(&self) -> Repair {
        let context = Context::at(self.tokens, self.at);
        if self.before_package_clause_ends() {
            return self.package_clause();
        }
        if self.at == self.tokens.len()
            && let Some(repair) = self.end_of_file_in_list(&context)
        {
            return repair;
        }
        if let Some(special) = self.special(&context) {
            return special;
        }
        let operand = self.expects("literal")
            && self.expects("func")
            && self.expects("(")
            && context.top().kind != Kind::Struct;
        let ty = self.expects("chan") && self.expects("func") && !operand;
        if self.expects("import") && context.is_top_level() {
            return self.top_level(&context);
        }
        if self.expects("if") && self.expects("for") {
            return self.statement_start(&context);
        }
        if operand && self.before(1) != Some(Tok::LBrace) || self.expects_element(&context) {
            return self.operand(&context);
        }
        if ty && let Some(repair) = self.type_position(&context) {
            return repair;
        }
        if let Some(repair) = self.name_position(&context) {
            return repair;
        }
        self.after_item(&context)
    }

    fn expects_element(&self, context: &Context) -> bool {
        context.top().kind == Kind::Composite && self.expects("literal") && self.expects("func")
    }

    fn before_package_clause_ends(&self) -> bool {
        self.at < 3
    }

    /// Nothing is read after an error in the package clause.
    fn package_clause(&self) -> Repair {
        let fatal = true;
        match self.at {
            0 => Repair {
                fatal,
                ..self.repair("package statement must be first".to_string(), 0, vec![])
            },
            1 => Repair {
                fatal: matches!(self.tok(2), Some(Tok::Semi(_)) | None),
                ..self.expected_name()
            },
            _ => Repair {
                fatal,
                ..self.wanted("semicolon or newline", Tok::Semi(SemiKind::Newline))
            },
        }
    }

    /// A list that may end here does not complain about a missing item.
    fn end_of_file_in_list(&self, context: &Context) -> Option<Repair> {
        let (close, tok) = match context.top().kind {
            Kind::Args | Kind::Params => (")", Tok::RParen),
            Kind::Group if !context.is_top_level() => (")", Tok::RParen),
            Kind::Composite | Kind::Struct | Kind::Interface => ("}", Tok::RBrace),
            Kind::Body | Kind::Block | Kind::Switch | Kind::Select => ("}", Tok::RBrace),
            _ => return None,
        };
        let between = match self.before(1)? {
            Tok::Comma | Tok::Semi(_) => true,
            tok => tok.opens() && self.at == context.top().at + 1,
        };
        between.then(|| self.wanted(close, tok))
    }

    /// Mistakes with a text of their own.
    fn special(&self, context: &Context) -> Option<Repair> {
        let here = self.tok(self.at).unwrap_or(Tok::Semi(SemiKind::Eof));
        let top = context.top();
        let message = |m: &str| m.to_string();
        match (self.before(1), here) {
            (Some(Tok::Else), _) => {
                let to = self.skip(context, self.at, name_or_brace);
                let text = message("else must be followed by if or statement block");
                Some(self.repair(text, to, vec![Tok::LBrace, Tok::RBrace]))
            }
            (_, Tok::Define) if self.expects("=") => Some(self.wanted("=", Tok::Assign)),
            (Some(Tok::Func), Tok::LBrack)
                if !context.is_top_level() || top.item + 1 != self.at =>
            {
                let text = message("function type must have no type parameters");
                Some(self.repair(text, skip_brackets(self.tokens, self.at), vec![]))
            }
            (Some(Tok::LBrack), Tok::RBrack) if top.kind == Kind::TypeParams => {
                let text = message("empty type parameter list");
                Some(self.repair(text, self.at, vec![blank(), blank()]))
            }
            (Some(Tok::LBrack), Tok::RBrack) if self.in_interface_element(context) => {
                let what = if self.tok(self.at + 1) == Some(Tok::LParen) {
                    "parameter"
                } else {
                    "argument"
                };
                let text = format!("empty type {what} list");
                let mut repair = self.repair(text, self.at + 1, vec![]);
                repair.remove.start = top.at;
                repair.plain = true;
                Some(repair)
            }
            (Some(Tok::LBrack), Tok::RBrack) if self.expects("literal") => {
                let what = if self.expects(":") {
                    "operand"
                } else {
                    "type argument list"
                };
                let text = self.unexpected(&format!(", expected {what}"));
                Some(self.repair(text, self.at, vec![blank()]))
            }
            (_, Tok::Tilde) if self.rejected => Some(self.wanted("}", Tok::RBrace)),
            (Some(Tok::Comma), _) if top.kind == Kind::Index => Some(self.wanted("]", Tok::RBrack)),
            (Some(Tok::LBrack), _)
                if top.kind == Kind::Index && !self.expects(":") && !self.expects("]") =>
            {
                Some(self.expected_type(context))
            }
            (_, Tok::LParen) if top.kind == Kind::Struct && self.at_field_start(top.item) => {
                let text = message("cannot parenthesize embedded type");
                let end = skip_brackets(self.tokens, self.at).saturating_sub(1);
                let mut inner: Vec<Tok> = self.tokens[self.at + 1..end.max(self.at + 1)]
                    .iter()
                    .map(|t| t.1)
                    .collect();
                inner.retain(|&t| t != Tok::LParen);
                Some(self.repair(text, end + 1, inner))
            }
            (Some(Tok::If | Tok::For | Tok::Switch), Tok::Var) => {
                let keyword = self.name_of(self.at - 1);
                let keyword = keyword.trim_start_matches("keyword ");
                let text = format!("var declaration not allowed in {keyword} initializer");
                let mut repair = self.repair(text, self.at + 1, vec![]);
                repair.report_at = self.at + 1;
                Some(repair)
            }
            (Some(Tok::If), Tok::LBrace) => {
                let text = message("missing condition in if statement");
                Some(self.repair(text, self.at, vec![blank()]))
            }
            (_, Tok::LBrace)
                if top.header == Some(Tok::For)
                    && top.header_semis == 1
                    && self.before(1).is_some_and(|t| matches!(t, Tok::Semi(_))) =>
            {
                let text = self.unexpected(", expected for loop condition");
                Some(self.repair(text, self.at, vec![Tok::Semi(SemiKind::Semicolon)]))
            }
            _ if self.expected.len() <= 5
                && self.expects("literal")
                && !self.expects("func")
                && !self.expects("}")
                && !self.expects(";") =>
            {
                Some(self.import_path(context))
            }
            (_, Tok::Comma)
                if top.kind == Kind::Index
                    && !self.expects(":")
                    && !self.expects(",")
                    && self.expects("]")
                    && !self.before_is(top.at, Tok::Map)
                    && !self.tokens[top.at..self.at]
                        .iter()
                        .any(|t| t.1 == Tok::Colon) =>
            {
                let text = message("unexpected comma; expected ]");
                Some(self.repair(text, self.at + 1, vec![]))
            }
            _ if self.rejected && self.tok(top.item) == Some(Tok::Case) => {
                Some(self.wanted(":", Tok::Colon))
            }
            _ if self.in_interface_element(context) => {
                let text = message("interface method must have no type parameters");
                let mut repair = self.repair(text, skip_brackets(self.tokens, top.at), vec![]);
                repair.report_at = top.at;
                repair.remove.start = top.at;
                repair.plain = true;
                Some(repair)
            }
            _ => None,
        }
    }

    /// Is this inside `m[…` of an interface?
    fn in_interface_element(&self, context: &Context) -> bool {
        let top = context.top();
        top.kind == Kind::Index
            && context.stack.len() >= 2
            && context.stack[context.stack.len() - 2].kind == Kind::Interface
            && context.stack[context.stack.len() - 2].item + 1 == top.at
    }

    fn at_field_start(&self, item: usize) -> bool {
        self.at == item || self.at == item + 1 && self.before(1) == Some(Tok::Mul)
    }

    fn top_level(&self, context: &Context) -> Repair {
        let to = self.skip(context, self.at, declarations);
        let message = if self.tok(self.at) == Some(Tok::LBrace) && self.after_bodyless() {
            "unexpected semicolon or newline before {"
        } else {
            "non-declaration statement outside function body"
        };
        self.repair(message.to_string(), to, vec![])
    }

    /// Is the declaration before this token a function without a body?
    fn after_bodyless(&self) -> bool {
        let end = self.at.saturating_sub(1);
        let context = Context::at(self.tokens, end);
        self.tok(context.top().item) == Some(Tok::Func) && self.before(2) != Some(Tok::RBrace)
    }

    /// A statement may begin here, but none begins with this token.
    fn statement_start(&self, context: &Context) -> Repair {
        if self.before(1) == Some(Tok::Colon)
            && matches!(self.before(2), Some(Tok::Name(_)))
            && matches!(
                self.before(3),
                Some(Tok::Semi(_) | Tok::LBrace | Tok::Colon)
            )
        {
            let mut repair = self.repair(
                "missing statement after label".to_string(),
                self.at,
                vec![Tok::Semi(SemiKind::Semicolon)],
            );
            repair.report_at = self.at - 1;
            return repair;
        }
        match context.top().kind {
            Kind::Switch | Kind::Select => {
                let to = self.skip(context, self.at, colon_or_cases);
                self.repair(
                    self.unexpected(", expected case or default or }"),
                    to,
                    vec![Tok::Default],
                )
            }
            _ => self.wanted("}", Tok::RBrace),
        }
    }

    fn operand(&self, context: &Context) -> Repair {
        let top = context.top();
        // An operand may begin here, or what came before may be followed by something else.
        match self.before(1) {
            Some(Tok::Name(_)) if self.expects(".") => self.after_item(context),
            _ if top.header.is_some()
                && self.expects("{")
                && self.before(1) == Some(Tok::Semi(SemiKind::Semicolon)) =>
            {
                self.expected_expression(context)
            }
            _ => self.expected_expression(context),
        }
    }

    fn type_position(&self, context: &Context) -> Option<Repair> {
        let top = context.top();
        let previous = self.before(1);
        let plain = |text: &str, insert| Some(self.repair(text.to_string(), self.at, insert));
        match previous {
            Some(Tok::Chan) => return plain("missing channel element type", vec![blank()]),
            Some(Tok::Arrow) if self.before(2) == Some(Tok::Chan) => {
                return plain("missing channel element type", vec![blank()]);
            }
            Some(Tok::Ellipsis) if top.kind == Kind::Params => {
                let text = "... is missing type".to_string();
                let mut repair = self.repair(text, self.at, vec![blank()]);
                repair.remove.start -= 1;
                return Some(repair);
            }
            _ => {}
        }
        match top.kind {
            Kind::Params if self.expects("...") && !self.expects(",") => {
                let to = self.skip(context, self.at, comma_or_paren);
                return Some(self.repair(self.unexpected(", expected )"), to, vec![blank()]));
            }
            Kind::Params | Kind::TypeParams if self.expects(",") => return None,
            Kind::TypeParams
                if matches!(previous, Some(Tok::LBrack | Tok::TLBrack | Tok::Comma)) =>
            {
                let to = self.skip(context, self.at, comma_or_bracket);
                let insert = vec![blank(), blank()];
                return Some(self.repair(self.unexpected(", expected ]"), to, insert));
            }
            Kind::TypeParams if previous == Some(Tok::Or) => {
                let to = self.skip(context, self.at, after_type);
                let text = self.unexpected(", expected ~ term or type");
                return Some(self.repair(text, to, vec![blank()]));
            }
            Kind::Interface if self.expects("~") && self.at_item_start(context) => {
                let to = self.skip(context, self.at, semi_or_brace);
                return Some(self.repair(
                    self.unexpected(", expected ~ term or type"),
                    to,
                    vec![blank()],
                ));
            }
            Kind::Struct
                if !self.at_item_start(context)
                    && matches!(previous, Some(Tok::Name(_) | Tok::Comma)) =>
            {
                return Some(self.expected_type(context));
            }
            _ => {}
        }
        if self.in_type_declaration(context) {
            let to = self.skip(context, self.at, semi_or_paren);
            return Some(self.repair(self.unexpected(" in type declaration"), to, vec![blank()]));
        }
        let in_var =
            matches!(previous, Some(Tok::Name(_))) && self.expects("=") && !self.expects(";");
        let optional = self.expects(";")
            || self.expects("{")
            || self.expects(")")
            || self.expects("]")
            || self.expects(":")
            || self.expects(",") && !in_var;
        (!optional).then(|| self.expected_type(context))
    }

    fn at_item_start(&self, context: &Context) -> bool {
        self.at == context.top().item || self.before(1) == Some(Tok::Or)
    }

    /// Between the name of a type declaration and its type?
    fn in_type_declaration(&self, context: &Context) -> bool {
        if self.expects(";") {
            return false;
        }
        let start = context.top().item;
        let grouped = context.top().kind == Kind::Group && !context.is_top_level();
        let name = match self.tok(start) {
            Some(Tok::Type) => start + 1,
            Some(Tok::Name(_)) if grouped && self.before_is(context.top().at, Tok::Type) => start,
            _ => return false,
        };
        let after = match self.tok(name + 1) {
            Some(Tok::TLBrack) => skip_brackets(self.tokens, name + 1),
            _ => name + 1,
        };
        let after = match self.tok(after) {
            Some(Tok::Assign) => after + 1,
            _ => after,
        };
        self.at == after || self.at + 1 == after
    }

    fn before_is(&self, i: usize, tok: Tok) -> bool {
        i.checked_sub(1).and_then(|i| self.tok(i)) == Some(tok)
    }

    fn name_position(&self, context: &Context) -> Option<Repair> {
        let top = context.top();
        let previous = self.before(1);
        if !self.expects("name") {
            return None;
        }
        if previous == Some(Tok::Dot) {
            if self.expects("(") {
                let to = self.skip(context, self.at, semi_or_paren);
                let text = self.unexpected(", expected name or (");
                return Some(self.repair(text, to, vec![blank()]));
            }
            return Some(self.expected_name());
        }
        if context.is_top_level() && (previous == Some(Tok::Func) || self.after_receiver(context)) {
            let text = if previous == Some(Tok::Func) {
                ", expected name or ("
            } else {
                ", expected name"
            };
            let to = self.skip(context, self.at, brace_or_semi);
            let insert = vec![blank(), Tok::LParen, Tok::RParen];
            let mut repair = self.repair(self.unexpected(text), to, insert);
            repair.before = self.receiver_count_error(context);
            return Some(repair);
        }
        match top.kind {
            Kind::Params | Kind::TypeParams if self.expects(",") => return None,
            Kind::Struct if self.at_item_start(context) => {
                let to = self.skip(context, self.at, semi_or_brace);
                let text = self.unexpected(", expected field name or embedded type");
                return Some(self.repair(text, to, vec![blank()]));
            }
            Kind::TypeParams
                if matches!(previous, Some(Tok::LBrack | Tok::TLBrack | Tok::Comma)) =>
            {
                let to = self.skip(context, self.at, comma_or_bracket);
                return Some(self.repair(
                    self.unexpected(", expected ]"),
                    to,
                    vec![blank(), blank()],
                ));
            }
            _ => {}
        }
        let after_jump = matches!(previous, Some(Tok::Break | Tok::Continue));
        let mandatory = !self.expects(";") && !self.expects("{");
        if mandatory && !after_jump {
            if self.expects("literal") {
                return Some(self.import_path(context));
            }
            return Some(self.expected_name());
        }
        None
    }

    /// No import path follows; on the line of an `import` that stands too late,
    /// that is said instead.
    fn import_path(&self, context: &Context) -> Repair {
        let to = self.skip(context, self.at, semi_or_paren);
        let insert = vec![Tok::Lit(LitKind::String)];
        let import = context.stack[0].item;
        let line = |i: usize| Some(self.file.line(self.tokens.get(i)?.0 - self.file.base));
        if self.tok(import) == Some(Tok::Import)
            && line(import) == line(self.at)
            && self.follows_other_declaration(import)
        {
            let text = "imports must appear before other declarations".to_string();
            let mut repair = self.repair(text, to, insert);
            repair.report_at = import;
            return repair;
        }
        self.repair("missing import path".to_string(), to, insert)
    }

    /// Is the top-level declaration before the one at `start` no import?
    fn follows_other_declaration(&self, start: usize) -> bool {
        let (mut depth, mut item, mut before) = (0usize, 0, None);
        for (i, token) in self.tokens[..start].iter().enumerate() {
            match token.1 {
                Tok::Semi(_) if depth == 0 => {
                    before = self.tok(item);
                    item = i + 1;
                }
                tok if tok.opens() => depth += 1,
                tok if tok.closes() => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        !matches!(before, None | Some(Tok::Package | Tok::Import))
    }

    /// What is wrong with the number of receivers, after `func (…)`.
    fn receiver_count_error(&self, context: &Context) -> Option<&'static str> {
        let open = context.top().item + 1;
        let inside = self.tokens.get(open + 1..self.at.checked_sub(1)?)?;
        if inside.is_empty() {
            return Some("method has no receiver");
        }
        let mut depth = 0i32;
        let commas = inside[..inside.len() - 1].iter().filter(|t| {
            depth += i32::from(t.1.opens()) - i32::from(t.1.closes());
            depth == 0 && t.1 == Tok::Comma
        });
        (commas.count() > 0).then_some("method has multiple receivers")
    }

    fn after_receiver(&self, context: &Context) -> bool {
        self.before(1) == Some(Tok::RParen)
            && self.tok(context.top().item) == Some(Tok::Func)
            && self.tok(context.top().item + 1) == Some(Tok::LParen)
            && self.expected.len() == 1
    }

    /// Something is complete, and this cannot follow it.
    fn after_item(&self, context: &Context) -> Repair {
        let top = context.top();
        let single =
            self.expects(";") || self.expects(":") || top.header.is_some() && self.expects("{");
        if self.expects(":=") && self.expects(",") && !single {
            let to = self.skip(context, self.at, semi_or_brace);
            let text = self.unexpected(", expected := or = or comma");
            return self.repair(text, to, vec![Tok::Assign, blank()]);
        }
        if let [only] = self.expected
            && let Some(&(name, tok)) = FIXED.iter().find(|(name, _)| name == only)
            && !(only == "{" && top.header.is_some())
            && !(only == ":" && top.kind == Kind::Composite)
            && !(only == "(" && top.header.is_some() && self.before(1) != Some(Tok::Func))
        {
            return self.wanted(name, tok);
        }
        if matches!(self.before(1), Some(Tok::Struct | Tok::Interface)) {
            return self.wanted("{", Tok::LBrace);
        }
        if let Some(header) = top.header {
            return self.in_header(context, header);
        }
        match top.kind {
            Kind::Args if self.expects(",") => {
                return self.in_list(context, "argument list", "comma", Tok::RParen);
            }
            Kind::Params if self.expects(",") => {
                return self.in_list(context, "parameter list", "comma", Tok::RParen);
            }
            Kind::TypeParams if self.expects(",") => {
                return self.in_list(context, "parameter list", "comma", Tok::RBrack);
            }
            Kind::Composite if self.expects(",") || self.expects(":") => {
                return self.in_list(context, "composite literal", "comma", Tok::RBrace);
            }
            Kind::Struct if self.expects(";") => {
                return self.in_list(context, "struct type", "semicolon or newline", Tok::RBrace);
            }
            Kind::Interface if self.expects(";") => {
                let what = "interface type";
                return self.in_list(context, what, "semicolon or newline", Tok::RBrace);
            }
            Kind::Group if !context.is_top_level() && self.expects(";") => {
                let what = "grouped declaration";
                return self.in_list(context, what, "semicolon or newline", Tok::RParen);
            }
            // After the first colon.
            Kind::Index if self.expects("]") && top.item > top.at + 1 => {
                return self.wanted("]", Tok::RBrack);
            }
            Kind::Index if self.expects(":") => {
                let to = self.skip(context, self.at, index_parts);
                let text = self.unexpected(", expected comma, : or ]");
                return self.repair(text, to, vec![Tok::Colon]);
            }
            _ => {}
        }
        if self.expects(";") {
            if context.is_top_level() {
                let to = self.skip(context, self.at, declarations);
                return self.repair(
                    self.unexpected(" after top level declaration"),
                    to,
                    vec![Tok::Semi(SemiKind::Newline)],
                );
            }
            let to = self.skip(context, self.at, statement_ends);
            let insert = match self.tok(to) {
                Some(Tok::Semi(_) | Tok::RBrace) => vec![],
                _ => vec![Tok::Semi(SemiKind::Newline)],
            };
            return self.repair(self.unexpected(" at end of statement"), to, insert);
        }
        if self.expects("case") || self.expects("default") {
            let to = self.skip(context, self.at, colon_or_cases);
            let text = self.unexpected(", expected case or default or }");
            return self.repair(text, to, vec![Tok::Default]);
        }
        for (name, tok) in FIXED {
            if self.expects(name) {
                return self.wanted(name, tok);
            }
        }
        if self.expects("chan") {
            return self.wanted("keyword chan", Tok::Chan);
        }
        if self.expects("name") {
            return self.expected_name();
        }
        self.expected_expression(context)
    }

    fn in_header(&self, context: &Context, header: Tok) -> Repair {
        let top = context.top();
        let complete = match header {
            Tok::For => top.header_semis >= 2 || top.ranges,
            Tok::Select => true,
            _ => top.header_semis >= 1,
        };
        if !complete {
            if header == Tok::For && top.header_semis == 1 {
                return self.wanted("semicolon or newline", Tok::Semi(SemiKind::Semicolon));
            }
            let next = (self.at + 1).min(self.tokens.len());
            let to = if self.tok(next) == Some(Tok::LBrace) {
                next
            } else {
                self.skip(context, next, braces)
            };
            // Go reads on as if the next statement of the header came.
            let insert = if header != Tok::For && self.tok(to) == Some(Tok::LBrace) {
                vec![]
            } else {
                vec![Tok::Semi(SemiKind::Semicolon)]
            };
            return self.repair(self.unexpected(", expected {"), to, insert);
        }
        match header {
            Tok::Switch | Tok::Select => {
                let to = self.skip(context, self.at, cases);
                let what = if header == Tok::Switch {
                    "switch"
                } else {
                    "select"
                };
                let text = format!("missing {{ after {what} clause");
                let mut repair = self.repair(text, to, vec![Tok::LBrace]);
                repair.after_header = true;
                repair
            }
            _ => {
                let to = self.skip(context, self.at, name_or_brace);
                let what = if header == Tok::For { "for" } else { "if" };
                let text = self.unexpected(&format!(", expected {{ after {what} clause"));
                // Braces right after a literal's type would be the literal's.
                let insert = match self.expects("(") {
                    true => vec![Tok::LParen, Tok::RParen, Tok::LBrace],
                    false => vec![Tok::LBrace],
                };
                let mut repair = self.repair(text, to, insert);
                repair.after_header = true;
                repair
            }
        }
    }
}

/// Stands for an expression that was wanted: no braces can follow it.
fn bad() -> Tok {
    Tok::BadLit(LitKind::Int)
}

/// Stands for a name that was wanted.
fn blank() -> Tok {
    Tok::Name(Symbol::new("_"))
}

//! Compiler directives: comments that begin with `//go:`.
//!
//! A directive belongs to the declaration that it stands before; where there is none to take it, it
//! is misplaced. What is wrong with a directive alone is reported here, and does not keep the
//! checker from running. What depends on the declaration comes out with the tree, for Go says it of
//! otherwise correct programs only.
//!
//! Go: cmd/compile/internal/noder (noder.go: pragma; lex.go; writer.go: collectDecls,
//! checkPragmas), and cmd/compile/internal/syntax/parser.go: takePragma, clearPragma.

use super::context::{Context, Kind, Scan};
use crate::ast::{Directives, Embed, Linkname};
use crate::diagnostics::Diagnostics;
use crate::lexer::directive::Directive;
use crate::lexer::{Tok, Token};
use source::{Pos, SourceFile};

const MISPLACED: &str = "misplaced compiler directive";

/// What takes a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taker {
    /// Nothing: Go's parser gives it back.
    Nothing,
    File,
    Func,
    /// The variables declared from the token at this index on.
    Vars {
        at: usize,
        in_function: bool,
    },
    /// Any other declaration.
    Decl,
}

/// What a directive's verb is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    /// Not known to the compiler, which lets it stand anywhere.
    Unknown,
    Build,
    Func,
}

/// Goes through the directives of a file. Reports what Go's parser reports; also returns what it
/// reports of directives that nothing takes, which is known of files without syntax errors only.
pub(super) fn check(
    file: &'static SourceFile,
    directives: &[Directive],
    tokens: &[Token],
    diagnostics: &mut Diagnostics,
) -> (Directives, Diagnostics) {
    let mut untaken = Diagnostics::new();
    let mut found = Directives::default();
    if directives.is_empty() {
        return (found, untaken);
    }
    let mut scan = Context::scan(tokens);
    let mut next = 0;
    for d in directives.iter().filter(|d| d.text.starts_with("go:")) {
        let at = d.pos.offset(2);
        if !stands_alone(file, d.pos) {
            diagnostics.error(at, MISPLACED);
            continue;
        }
        while tokens.get(next).is_some_and(|t| t.0 < d.pos.0) {
            scan.token(next);
            next += 1;
        }
        if let Some(args) = d.text.strip_prefix("go:embed")
            && (args.is_empty() || args.starts_with(' '))
        {
            let begin = d.pos.offset(2 + (d.text.len() - args.len()) as u32);
            let patterns = match patterns(args, begin) {
                Ok(patterns) => patterns,
                Err(why) => {
                    if !why.is_empty() {
                        diagnostics.error(at, why);
                    }
                    diagnostics.error(at, "usage: //go:embed pattern...");
                    continue;
                }
            };
            match taker(&scan, tokens, next) {
                Taker::Nothing => untaken.error(at, "misplaced go:embed directive"),
                Taker::Vars {
                    at: first,
                    in_function,
                } => {
                    let variable = match tokens.get(first).map(|t| t.1) {
                        Some(Tok::Name(name)) => Some(name),
                        _ => None,
                    };
                    found.embeds.push(Embed {
                        pos: at,
                        variable,
                        why: not_for(tokens, first, in_function),
                        patterns,
                        files: 0,
                    });
                }
                _ => found.misplaced.push((at, "misplaced go:embed directive")),
            }
            continue;
        }
        let fields: Vec<&str> = d.text.split_ascii_whitespace().collect();
        let directive = fields[0];
        if d.text.starts_with("go:linkname ") || d.text.starts_with("go:linknamestd ") {
            if !(2..=3).contains(&fields.len()) {
                let text = format!("usage: //{directive} localname [linkname]");
                diagnostics.error(at, text);
                continue;
            }
            found.linknames.push(Linkname {
                pos: at,
                directive: directive.to_string(),
                local: fields[1].to_string(),
                remote: fields.get(2).map(|f| f.to_string()),
                names_instance: fields
                    .get(2)
                    .is_some_and(|f| f.contains('[') && f.contains(']')),
            });
            continue;
        }
        if d.text.starts_with("go:wasmimport ") || d.text.starts_with("go:wasmexport ") {
            let (want, usage) = match directive {
                "go:wasmimport" => (3, "usage: //go:wasmimport importmodule importname"),
                _ => (2, "usage: //go:wasmexport exportname"),
            };
            if fields.len() != want {
                diagnostics.error(at, usage);
            }
            continue;
        }
        let verb = verb(&d.text, at, diagnostics);
        match taker(&scan, tokens, next) {
            _ if verb == Verb::Unknown => {}
            Taker::File if verb == Verb::Build => {}
            Taker::Func if verb == Verb::Func => {}
            Taker::Nothing => untaken.error(at, MISPLACED),
            _ => found.misplaced.push((at, MISPLACED)),
        }
    }
    (found, untaken)
}

/// Is there nothing else on the line before the comment?
fn stands_alone(file: &'static SourceFile, pos: Pos) -> bool {
    let before = &file.text.as_bytes()[..(pos.0 - file.base) as usize];
    let line = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
    before[line..].iter().all(|b| b" \t\r".contains(b))
}

/// What takes a directive before the token at `next`, whose surroundings `scan` knows.
fn taker(scan: &Scan<'_>, tokens: &[Token], next: usize) -> Taker {
    let tok = |i: usize| tokens.get(i).map(|t| t.1);
    if next <= 1 {
        return Taker::File;
    }
    let top = scan.top();
    let in_function = scan.stack.iter().any(|o| o.kind == Kind::Body);
    // The item's first token, and whether the directive stands before it or right after.
    let keyword = match next - top.item.min(next) {
        0 | 1 => tok(top.item),
        _ => None,
    };
    let declared = |keyword: Option<Tok>, at: usize| match keyword {
        Some(Tok::Var) => Taker::Vars { at, in_function },
        _ => Taker::Decl,
    };
    match top.kind {
        Kind::Group if scan.stack.len() > 1 => {
            let is_spec = next == top.item && tok(next) != Some(Tok::RParen);
            if is_spec {
                declared(top.at.checked_sub(1).and_then(tok), next)
            } else {
                Taker::Nothing
            }
        }
        Kind::Group | Kind::Body | Kind::Block | Kind::Switch | Kind::Select => match keyword {
            Some(Tok::Func) if scan.stack.len() == 1 => Taker::Func,
            Some(Tok::Import | Tok::Const | Tok::Type | Tok::Var) => {
                let first = top.item + 1;
                match tok(first) {
                    Some(Tok::LParen) | None => Taker::Nothing,
                    _ => declared(keyword, first),
                }
            }
            _ => Taker::Nothing,
        },
        _ => Taker::Nothing,
    }
}

/// The patterns of a `//go:embed`, which may be quoted; the text begins at `begin`. Fails with what
/// is wrong, or nothing if there are none.
///
/// Go: cmd/compile/internal/noder (noder.go: parseGoEmbed).
fn patterns(text: &str, begin: Pos) -> Result<Vec<(Pos, String)>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = begin.offset((text.len() - rest.len()) as u32);
        let bad = |rest: &str| format!("invalid quoted string in //go:embed: {rest}");
        let (pattern, after) = match rest.chars().next() {
            None => break,
            Some('`') => {
                let (inner, after) = rest[1..].split_once('`').ok_or_else(|| bad(rest))?;
                (inner.to_string(), after)
            }
            Some('"') => {
                let mut is_escaped = false;
                let end = rest[1..].find(|c| {
                    let is_end = c == '"' && !is_escaped;
                    is_escaped = c == '\\' && !is_escaped;
                    is_end
                });
                let (inner, after) = rest[1..].split_at(end.ok_or_else(|| bad(rest))?);
                let inner = unquoted(inner).ok_or_else(|| bad(rest))?;
                (inner, &after[1..])
            }
            Some(_) => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let (pattern, after) = rest.split_at(end);
                found.push((at, pattern.to_string()));
                rest = after;
                continue;
            }
        };
        if after.chars().next().is_some_and(|c| !c.is_whitespace()) {
            return Err(bad(after));
        }
        found.push((at, pattern));
        rest = after;
    }
    match found.is_empty() {
        true => Err(String::new()),
        false => Ok(found),
    }
}

/// The text that quoted text means, of which only `\\` before signs is known.
fn unquoted(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let mut plain = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\\' => plain.push(chars.next().filter(|c| matches!(c, '\\' | '"'))?),
            c => plain.push(c),
        }
    }
    Some(plain)
}

/// Why `//go:embed` cannot apply to the variables declared from the token at `first` on.
fn not_for(tokens: &[Token], first: usize, in_function: bool) -> Option<&'static str> {
    let mut depth = 0;
    let spec = tokens[first..].iter().map(|t| t.1).take_while(|tok| {
        depth += i32::from(tok.opens()) - i32::from(tok.closes());
        depth > 0 || depth == 0 && !matches!(tok, Tok::Semi(_))
    });
    let spec: Vec<Tok> = spec.collect();
    if spec.get(1) == Some(&Tok::Comma) {
        Some("go:embed cannot apply to multiple vars")
    } else if spec.contains(&Tok::Assign) {
        Some("go:embed cannot apply to var with initializer")
    } else if in_function {
        Some("go:embed cannot apply to var inside func")
    } else {
        None
    }
}

/// What the directive's verb is for; reports those that programs must not use.
fn verb(text: &str, at: Pos, diagnostics: &mut Diagnostics) -> Verb {
    if text.starts_with("go:cgo_") {
        return cgo_verb(text, at, diagnostics);
    }
    let verb = text.split(' ').next().unwrap_or(text);
    match verb {
        "go:build" => Verb::Build,
        "go:noescape" | "go:norace" | "go:nosplit" | "go:noinline" | "go:nocheckptr"
        | "go:uintptrescapes" | "go:registerparams" => Verb::Func,
        "go:systemstack"
        | "go:nowritebarrier"
        | "go:nowritebarrierrec"
        | "go:yeswritebarrierrec" => {
            diagnostics.error(at, format!("//{verb} only allowed in runtime"));
            Verb::Func
        }
        "go:uintptrkeepalive" => {
            let text = format!("//{verb} is only allowed in the standard library");
            diagnostics.error(at, text);
            Verb::Func
        }
        _ => Verb::Unknown,
    }
}

/// Directives that cgo writes. Programs may use one form of one of them.
fn cgo_verb(text: &str, at: Pos, diagnostics: &mut Diagnostics) -> Verb {
    let fields = quoted_fields(text);
    let is_import = text.starts_with("go:cgo_import_dynamic ");
    if is_import && fields.len() >= 4 {
        let library = fields[3].trim_matches('"');
        if !library.is_empty() && !is_safe(library) {
            let text = format!("invalid library name {library:?} in cgo_import_dynamic directive");
            diagnostics.error(at, text);
        }
    } else {
        diagnostics.error(at, format!("//{text} only allowed in cgo-generated code"));
    }
    let is_quoted = |i: usize| fields[i].len() >= 2 && fields[i].starts_with('"');
    let plain = |n: usize| fields.len() == n && (1..n).all(|i| !is_quoted(i));
    let (right, usage) = match fields[0] {
        "go:cgo_export_static" => (plain(2) || plain(3), "cgo_export_static local [remote]"),
        "go:cgo_export_dynamic" => (plain(2) || plain(3), "cgo_export_dynamic local [remote]"),
        "go:cgo_import_dynamic" => (
            plain(2)
                || plain(3)
                || fields.len() == 4 && !is_quoted(1) && !is_quoted(2) && is_quoted(3),
            "cgo_import_dynamic local [remote [\"library\"]]",
        ),
        "go:cgo_import_static" => (plain(2), "cgo_import_static local"),
        "go:cgo_dynamic_linker" => (
            fields.len() == 2 && is_quoted(1),
            "cgo_dynamic_linker \"path\"",
        ),
        "go:cgo_ldflag" => (fields.len() == 2 && is_quoted(1), "cgo_ldflag \"arg\""),
        _ => (true, ""),
    };
    if !right {
        diagnostics.error(at, format!("usage: //go:{usage}"));
    }
    match text.split(' ').next() {
        Some("go:cgo_unsafe_args") => Verb::Func,
        _ => Verb::Unknown,
    }
}

/// May it stand on a command line?
fn is_safe(arg: &str) -> bool {
    let first = arg.chars().next();
    first.is_some_and(|c| c.is_ascii_alphanumeric() || "._/".contains(c) || !c.is_ascii())
}

/// The fields between spaces; a quoted one stands for itself, wherever it begins. What follows a
/// quote without an end is left out.
fn quoted_fields(text: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = match rest.strip_prefix('"') {
            Some(quoted) => match quoted.find('"') {
                Some(i) => i + 2,
                None => break,
            },
            None => rest
                .find(|c: char| c == '"' || c.is_ascii_whitespace())
                .unwrap_or(rest.len()),
        };
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    fields
}

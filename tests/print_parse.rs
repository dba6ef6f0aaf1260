//! Printing a tree and parsing the text gives the same tree.

use proptest::prelude::*;
use syntax::ast::{Decl, File, print};
use syntax::diagnostics::Diagnostics;
use syntax::parser;

fn parse(text: &str) -> Result<&'static File, String> {
    let file = source::map().add("p.go", "p.go", text.to_string());
    let mut diagnostics = Diagnostics::new();
    match parser::parse_file(file, &mut diagnostics) {
        Some(tree) if diagnostics.is_empty() => Ok(Box::leak(Box::new(tree))),
        _ => {
            let first = diagnostics.sorted().swap_remove(0);
            Err(format!(
                "{}: {}\n{text}",
                source::map().position(first.pos),
                first.message
            ))
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "x", "T", "_", "日"]).prop_map(String::from)
}

fn literal() -> impl Strategy<Value = String> {
    let all = vec![
        "0", "1", "0x1F", "0b1_0", "1.5", ".5", "1e9", "2i", "'x'", r"'\n'", "\"s\"", r#""\"""#,
        "`raw`",
    ];
    prop::sample::select(all).prop_map(String::from)
}

/// A type, written as the printer writes it.
fn ty() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        name().prop_filter("a type's name", |n| n != "_"),
        (name(), name()).prop_map(|(p, n)| format!("{p}.{n}")),
        Just("struct{}".to_string()),
        Just("interface{}".to_string()),
    ];
    leaf.prop_recursive(4, 24, 3, |ty| {
        prop_oneof![
            ty.clone().prop_map(|t| format!("*{t}")),
            ty.clone().prop_map(|t| format!("[]{t}")),
            ty.clone().prop_map(|t| format!("[4]{t}")),
            (ty.clone(), ty.clone()).prop_map(|(k, v)| format!("map[{k}]{v}")),
            ty.clone().prop_map(|t| match t.starts_with("<-") {
                true => format!("chan ({t})"),
                false => format!("chan {t}"),
            }),
            ty.clone().prop_map(|t| format!("<-chan {t}")),
            ty.clone().prop_map(|t| format!("chan<- {t}")),
            (name(), ty.clone(), ty.clone()).prop_map(|(n, t, u)| format!("{n}[{t}, {u}]")),
            (ty.clone(), ty.clone()).prop_map(|(a, b)| format!("func({a}, ...{b})")),
            (ty.clone(), ty.clone()).prop_map(|(a, r)| format!("func(a, b {a}) {r}")),
            (ty.clone(), ty.clone()).prop_map(|(a, r)| format!("func(x {a}) (y, z {r})")),
            (name(), ty.clone(), ty.clone())
                .prop_map(|(n, t, u)| format!("struct{{{n}, y {t}; *T; z {u} \"tag\"}}")),
            (ty.clone(), ty.clone())
                .prop_map(|(t, u)| format!("interface{{m({t}) {u}; ~{t} | {u}}}")),
        ]
    })
}

/// An expression, written as the printer writes it.
fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![name(), literal()];
    let binary = prop::sample::select(vec![
        "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^", "&&", "||", "==", "!=", "<",
        "<=", ">", ">=",
    ]);
    let unary = prop::sample::select(vec!["+", "-", "!", "^", "*", "&", "<-"]);
    leaf.prop_recursive(5, 48, 3, move |x| {
        // What can stand before a dot, a bracket or a parenthesis.
        let operand = prop_oneof![
            name(),
            x.clone().prop_map(|x| format!("({x})")),
            (name(), x.clone()).prop_map(|(f, x)| format!("{f}({x})")),
        ];
        prop_oneof![
            (x.clone(), binary.clone(), x.clone()).prop_map(|(x, op, y)| format!("{x} {op} {y}")),
            (unary.clone(), operand.clone()).prop_map(|(op, x)| format!("{op}{x}")),
            x.clone().prop_map(|x| format!("({x})")),
            (operand.clone(), name()).prop_map(|(x, n)| format!("{x}.{n}")),
            (operand.clone(), x.clone()).prop_map(|(x, i)| format!("{x}[{i}]")),
            (operand.clone(), x.clone(), x.clone()).prop_map(|(x, i, j)| format!("{x}[{i}:{j}]")),
            (operand.clone(), x.clone()).prop_map(|(x, j)| format!("{x}[:{j}:{j}]")),
            (operand.clone(), ty()).prop_map(|(x, t)| format!("{x}.({t})")),
            (operand, x.clone(), name()).prop_map(|(f, a, b)| format!("{f}({a}, {b}...)")),
            (ty(), x.clone()).prop_map(|(t, x)| format!("([]{t})({x})")),
            (ty(), x.clone(), x.clone())
                .prop_map(|(t, k, v)| format!("map[{t}]T{{{k}: {v}, {v}: {{{k}}}}}")),
            x.prop_map(|x| format!("T{{{x}, a: {{}}}}")),
        ]
        .boxed()
    })
}

fn value_of(file: &File) -> String {
    match &file.decls[..] {
        [Decl::Var(v)] => v.values.iter().map(print::file_expr).collect(),
        _ => panic!("one variable was declared"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn expressions_are_printed_as_written(text in expr()) {
        let tree = parse(&format!("package p\nvar v = {text}\n"));
        let tree = tree.map_err(TestCaseError::fail)?;
        // `&(x)` is kept as `&x`, as in Go's compiler.
        if !text.contains("&(") {
            prop_assert_eq!(value_of(tree), text);
        }
    }

    #[test]
    fn types_are_printed_as_written(text in ty()) {
        let tree = parse(&format!("package p\nvar v {text}\n"));
        let tree = tree.map_err(TestCaseError::fail)?;
        let printed = print::file_string(tree);
        prop_assert_eq!(printed, format!("package p\n\nvar v {text}\n"));
    }
}

/// Every kind of statement and declaration:
/// the printed text is stable, and parses to what prints the same.
#[test]
fn programs_survive_printing() {
    let programs = [
        include_str!("print_parse/statements.go"),
        include_str!("print_parse/declarations.go"),
    ];
    for text in programs {
        let once = print::file_string(parse(text).unwrap());
        let twice = print::file_string(parse(&once).unwrap());
        assert_eq!(once, twice);
        // Nothing was lost: the words are the same, layout and redundant semicolons aside.
        let words = |s: &str| s.replace([';', '(', ')', ',', '\n', '\t', ' '], "");
        assert_eq!(words(&once), words(text));
    }
}

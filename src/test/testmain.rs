//! The main package of a test: which functions of its files are tests, and the text that hands
//! them to package testing.
//!
//! Go: cmd/go/internal/load, loadTestFuncs; go/doc, Examples.

use super::Spec;
use source::SourceFile;
use std::fmt::Write;
use syntax::ast::{Decl, ExprKind, File, FuncDecl, ParamType};

/// What the file of the text is called.
pub(crate) const FILE: &str = "_testmain.go";

/// A file of a package, and its tree.
#[derive(Clone, Copy)]
pub(crate) struct Parsed {
    pub source: &'static SourceFile,
    pub tree: &'static File,
}

impl Parsed {
    /// Is the file named as one of a test?
    pub(crate) fn is_test(&self) -> bool {
        self.source.name.ends_with("_test.go")
    }

    /// Is it of the external package?
    pub(crate) fn is_external(&self) -> bool {
        self.is_test() && self.tree.package.name.as_str().ends_with("_test")
    }
}

/// What there is to run.
#[derive(Default)]
pub(crate) struct Found {
    tests: String,
    benchmarks: String,
    targets: String,
    examples: String,
    main: Option<String>,
    /// Which of the two packages are needed.
    uses: [bool; 2],
}

/// How the main package calls the package that is tested, and the external one.
const NAMES: [&str; 2] = ["_test", "_xtest"];

/// Looks for tests in files. The error is a message for the user.
pub(crate) fn find(files: &[Parsed]) -> Result<Found, String> {
    let mut found = Found::default();
    for external in [false, true] {
        let files = files.iter().filter(|f| f.is_test());
        for file in files.filter(|f| f.is_external() == external) {
            found.look(*file, external)?;
        }
    }
    Ok(found)
}

impl Found {
    fn look(&mut self, file: Parsed, external: bool) -> Result<(), String> {
        let package = NAMES[usize::from(external)];
        let functions = || {
            file.tree.decls.iter().filter_map(|decl| match decl {
                Decl::Func(func) if func.recv.is_none() => Some(&**func),
                _ => None,
            })
        };
        for func in functions() {
            let name = func.name.name.as_str();
            let entry = format!("\t{{{name:?}, {package}.{name}}},\n");
            match name {
                "TestMain" if !takes(func, "T") => {
                    check(func, "M")?;
                    if self.main.is_some() {
                        return Err("multiple definitions of TestMain".into());
                    }
                    self.main = Some(format!("{package}.{name}"));
                }
                _ if is_test(name, "Test") => {
                    check(func, "T")?;
                    self.tests.push_str(&entry);
                }
                _ if is_test(name, "Benchmark") => {
                    check(func, "B")?;
                    self.benchmarks.push_str(&entry);
                }
                _ if is_test(name, "Fuzz") => {
                    check(func, "F")?;
                    self.targets.push_str(&entry);
                }
                _ => continue,
            }
            self.uses[usize::from(external)] = true;
        }
        for func in functions() {
            let name = func.name.name.as_str();
            let has_params = !func.sig.params.is_empty() || !func.tparams.is_empty();
            if !is_test(name, "Example") || has_params {
                continue;
            }
            let Some((output, unordered)) = example_output(file.source, func) else {
                continue;
            };
            let _ = writeln!(
                self.examples,
                "\t{{{name:?}, {package}.{name}, {}, {unordered}}},",
                quoted(&output)
            );
            self.uses[usize::from(external)] = true;
        }
        Ok(())
    }

    /// The text of the main package; `has` says which of the two packages there are.
    pub(crate) fn text(&self, spec: &Spec, has: [bool; 2], cover: &str) -> String {
        let (path, module) = (spec.path.as_str(), &spec.module);
        let mut imports = String::new();
        for i in 0..2 {
            if has[i] {
                let name = if self.uses[i] { NAMES[i] } else { "_" };
                let path = [path, &format!("{path}_test")][i].to_string();
                let _ = writeln!(imports, "\t{name} {path:?}");
            }
        }
        let mut profiles = "";
        if spec.profiles {
            imports.push_str("\t\"runtime/pprof\"\n\t\"runtime/trace\"\n\t\"io\"\n");
            profiles = "\ttestdeps.StartCPUProfile = pprof.StartCPUProfile\n\
                        \ttestdeps.StopCPUProfile = pprof.StopCPUProfile\n\
                        \ttestdeps.StartTrace = trace.Start\n\
                        \ttestdeps.StopTrace = trace.Stop\n\
                        \ttestdeps.WriteProfile = func(name string, w io.Writer) error {\n\
                        \t\treturn pprof.Lookup(name).WriteTo(w, 0)\n\t}\n";
        }
        let shown = match path {
            "command-line-arguments" => "",
            path => path,
        };
        let run = match &self.main {
            Some(main) => format!("{main}(m)"),
            None => "m.Run()".into(),
        };
        // Where schedules are searched success is to return: what goes on then is of interest.
        let condition = match spec.explore {
            Some(_) => "if testdeps.ExitCode != 0 ",
            None => "",
        };
        let run = format!("\t{run}\n\t{condition}{{ os.Exit(testdeps.ExitCode) }}\n");
        let list = |name: &str, ty: &str, entries: &str| {
            format!("var {name} = []testing.{ty}{{\n{entries}}}\n")
        };
        format!(
            "package main\nimport (\n\t\"internal/testdeps\"\n\t\"os\"\n\t\"regexp\"\n\t\
             \"testing\"\n{imports})\n{}{}{}{}\
             type deps struct {{ testdeps.Deps }}\n\
             func (deps) MatchString(pat, str string) (bool, error) {{\n\
             \treturn regexp.MatchString(pat, str)\n}}\n\
             func init() {{\n{cover}{profiles}}}\n\
             func main() {{\n\
             \tm := testing.MainStart(deps{{testdeps.Deps{{{shown:?}, {module:?}}}}}, \
             tests, benchmarks, fuzzTargets, examples)\n{run}}}\n",
            list("tests", "InternalTest", &self.tests),
            list("benchmarks", "InternalBenchmark", &self.benchmarks),
            list("fuzzTargets", "InternalFuzzTarget", &self.targets),
            list("examples", "InternalExample", &self.examples),
        )
    }
}

/// Is it the name of a test: `prefix`, and what follows begins with no small letter?
fn is_test(name: &str, prefix: &str) -> bool {
    let rest = name.strip_prefix(prefix);
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Does a function take a `*testing.T`, by the look of it?
fn takes(func: &FuncDecl, arg: &str) -> bool {
    let [param] = &func.sig.params[..] else {
        return false;
    };
    let ParamType::Own(ty) = &param.ty else {
        return false;
    };
    let ExprKind::Star(to) = &ty.kind else {
        return false;
    };
    let is_it = match &to.kind {
        ExprKind::Name(name) => name.as_str() == arg,
        ExprKind::Selector { sel, .. } => sel.name.as_str() == arg,
        _ => false,
    };
    is_it && !param.variadic && func.sig.results.is_empty()
}

/// The error says what is wrong with the function's signature.
fn check(func: &FuncDecl, arg: &str) -> Result<(), String> {
    let name = func.name.name.as_str();
    let why = match () {
        () if !func.tparams.is_empty() => "test functions cannot have type parameters".to_string(),
        () if !takes(func, arg) => {
            format!(
                "must be: func {name}({} *testing.{arg})",
                arg.to_lowercase()
            )
        }
        () => return Ok(()),
    };
    let at = source::map().runtime_position(func.pos);
    Err(format!("{at}: wrong signature for {name}, {why}"))
}

/// What an example has to print, and whether its lines may stand in any order.
fn example_output(file: &SourceFile, func: &FuncDecl) -> Option<(String, bool)> {
    let body = func.body.as_ref()?;
    let range = (body.pos.0 - file.base) as usize..(body.end.0 - file.base) as usize;
    let text = comment_text(&last_comment(file.text.get(range)?)?);
    let head = text.trim_start();
    let lower = head.to_ascii_lowercase();
    let (unordered, length) = match lower.starts_with("unordered output:") {
        true => (true, "unordered output:".len()),
        false => (
            false,
            lower.starts_with("output:").then_some("output:".len())?,
        ),
    };
    let output = head[length..].trim_start_matches(' ');
    Some((
        output.strip_prefix('\n').unwrap_or(output).to_string(),
        unordered,
    ))
}

/// The comments of the last group in a function's body: those with nothing between them but the
/// ends of their lines. A group that begins behind code on its line ends with the line.
fn last_comment(body: &str) -> Option<Vec<&str>> {
    let bytes = body.as_bytes();
    let (mut group, mut is_open): (Vec<&str>, bool) = (Vec::new(), false);
    let mut newlines = 0;
    let (mut is_behind_code, mut most) = (false, 1);
    let mut at = 0;
    while at < bytes.len() {
        let rest = &body[at..];
        let length = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
            quote @ (b'"' | b'\'' | b'`') => {
                (is_open, is_behind_code) = (false, true);
                at += literal(rest, quote);
                continue;
            }
            b'\n' => {
                newlines += 1;
                is_behind_code = false;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            _ => {
                (is_open, is_behind_code) = (false, true);
                at += 1;
                continue;
            }
        };
        if !is_open || newlines > most {
            group.clear();
            most = usize::from(!is_behind_code);
        }
        group.push(&rest[..length]);
        (is_open, newlines) = (true, 0);
        at += length;
    }
    (!group.is_empty()).then_some(group)
}

/// How long the literal is that begins here.
fn literal(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' && quote != b'`' {
            2
        } else {
            1
        };
    }
    (at + 1).min(bytes.len())
}

/// What comments say, without what makes them comments. Go: go/ast, CommentGroup.Text.
fn comment_text(comments: &[&str]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        if let Some(line) = comment.strip_prefix("//") {
            let is_directive = line.split_once(':').is_some_and(|(tool, rest)| {
                let is_word = |s: &str| {
                    s.bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                };
                !tool.is_empty()
                    && is_word(tool)
                    && rest.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            });
            if !is_directive {
                lines.push(line.strip_prefix(' ').unwrap_or(line));
            }
        } else {
            let inner = comment.trim_start_matches("/*");
            lines.extend(inner.strip_suffix("*/").unwrap_or(inner).split('\n'));
        }
    }
    let mut text = String::new();
    for line in lines.iter().map(|l| l.trim_end_matches([' ', '\t', '\r'])) {
        let ends_empty = text.is_empty() || text.ends_with("\n\n");
        if line.is_empty() && ends_empty {
            continue;
        }
        text.push_str(line);
        text.push('\n');
    }
    match text.ends_with("\n\n") {
        true => text.trim_end_matches('\n').to_string() + "\n",
        false => text,
    }
}

/// A string of Go.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte as char]),
            b' '..=b'~' => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        for (name, want) in [
            ("Test", true),
            ("TestX", true),
            ("Test_x", true),
            ("Test1", true),
            ("Testé", false),
            ("Testing", false),
            ("TesT", false),
        ] {
            assert_eq!(is_test(name, "Test"), want, "{name}");
        }
    }

    #[test]
    fn the_last_comment_counts() {
        let text = |body| last_comment(body).map(|group| comment_text(&group));
        let of = |body| text(body).unwrap_or_default();
        assert_eq!(of("{ f()\n// Output:\n// a\n//  b\n"), "Output:\na\n b\n");
        assert_eq!(of("{ // x\n\n// Output: a\n"), "Output: a\n");
        assert_eq!(of("{ // Output: a\n f(\"// no\", '\\'') // x\n"), "x\n");
        assert_eq!(
            of("{\n// Output:\n// a\n//\n//\n// b\n}"),
            "Output:\na\n\nb\n"
        );
        assert_eq!(of("{ /* Output:\na */ }"), " Output:\na\n");
        assert_eq!(of("{ f() // x\n// Output: a\n// b\n"), "Output: a\nb\n");
        assert_eq!(text("{ `// x` }"), None);
    }
}

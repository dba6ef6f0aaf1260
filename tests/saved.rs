//! Sessions that are saved with `:save`: programs that real Go compiles, and that print what was
//! printed at the prompt.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use support::{End, difference, go_command, gosched, needs, real_go, run};

const LIMIT: Duration = Duration::from_secs(60);

/// Everything that a program has to be made of in another way than it was typed.
const SESSION: &str = r#"x := 6
x * 7
func f(n int) int { return n + x }
f(1)
x = 10
fmt.Println(f(1))
func f(n int) int { return -n }
fmt.Println(f(5))
x := "now a string"
fmt.Println(x, len(x))
type T struct { a int; b string }
func (t T) Show() { fmt.Println("old", t.a) }
t := T{1, "x"}
t.Show()
type T struct { c float64 }
func (t T) Show() { fmt.Println("first", t.c) }
u := T{2.5}
u.Show(); t.Show()
func (t T) Show() { fmt.Println("second", t.c) }
u.Show()
func (*T) Sum(n int, more ...int) (s int, err error) {
	for _, m := range more { n += m }
	return n, nil
}
fmt.Println(u.Sum(1, 2, 3))
func (t *T) Sum(int, ...int) (int, error) { return int(t.c), io.EOF }
fmt.Println(u.Sum(1, 2, 3))
len := 5
fmt.Println(len)
c := make(chan int)
go func() { for i := range 3 { c <- i * i } }()
for range 3 { fmt.Println(<-c) }
strings.Repeat("ab", 3)
fmt.Println(it)
strings := "shadow"
fmt.Println(strings)
func a(n int) int { if n == 0 { return 1 }; return b(n-1) }
func b(n int) int { if n == 0 { return 2 }; return a(n-1) }
fmt.Println(a(7))
func Map[A, B any](s []A, f func(A) B) []B {
	var r []B
	for _, x := range s { r = append(r, f(x)) }
	return r
}
fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return fmt.Sprint(i, "!") }))
const ( A = iota; B; C )
fmt.Println(A, B, C)
q, err := strconv.Atoi("12x")
err
fmt.Println(q, err)
x, y := y, x
m := map[string][]int{"a": {1, 2}}
m["b"] = append(m["b"], 3)
fmt.Println(m)
defer fmt.Println("deferred"); fmt.Println("body")
for i := range 3 { if i == 1 { break }; fmt.Println("i", i) }
outer: for { for { break outer } }
outer: for i := range 2 { for { fmt.Println("outer", i); continue outer } }
func init() { y := 3; fmt.Println("init", y) }
b := bytes.NewBufferString("abc")
b.WriteString("def")
fmt.Println(b)
time.Duration(1500) * time.Millisecond
d := it
fmt.Println(d)
panic("oops")
fmt.Println("after")
runtime.Goexit(); fmt.Println("never")
undefined(1)
fmt.Println("kept")
:undo
n := 1
n := n + 1
fmt.Println(n)
import "math/rand"
import r2 "math/rand/v2"
fmt.Println(rand.Intn(1), r2.IntN(1))
import . "strings"
fmt.Println(ToUpper("dot"))
var w io.Writer = os.Stdout
fmt.Fprintln(w, "writer")
"#;

fn main() {
    let args = Arguments::from_args();
    let folder = std::env::temp_dir().join(format!("gosched-saved-{}", std::process::id()));
    let folder = Arc::new(folder);
    let (own, all, judged) = (folder.clone(), folder.clone(), folder.clone());
    let trials = vec![
        Trial::test("a_saved_session_says_the_same", move || {
            session(&own.join("own"))
        }),
        Trial::test("transcripts_can_be_saved", move || {
            transcripts(&all.join("all")).map(|_| ())
        }),
        needs("go_compiles_them".into(), real_go(), move |go| {
            compare(&go, &judged.join("judged"))
        }),
    ];
    let conclusion = libtest_mimic::run(&args, trials);
    let _ = fs::remove_dir_all(&*folder);
    conclusion.exit();
}

/// Runs a session that is saved at its end, with the program at `path`; what it prints.
fn save(inputs: &str, path: &Path) -> Result<(String, String), Failed> {
    fs::create_dir_all(path.parent().expect("a file in a folder"))?;
    let text = format!("{inputs}:save {}\n", path.display());
    let ran = run(
        gosched()
            .args(["repl", "--keep-going"])
            .env_remove("VISUAL")
            .env("EDITOR", "true"),
        text.as_bytes(),
        LIMIT,
    );
    match ran.end {
        End::Exit(_) => Ok((ran.stdout, ran.stderr)),
        end => Err(format!("{end:?}: {}", ran.stderr).into()),
    }
}

/// What the session has printed, without what it has said.
fn printed(shown: &str) -> String {
    let is_said = |line: &str| line.contains(" // ") || line.starts_with("// ");
    let lines = shown
        .lines()
        .filter(|line| !is_said(line) && !line.contains("still use"));
    lines.map(|line| format!("{line}\n")).collect()
}

fn session(folder: &Path) -> Result<(), Failed> {
    let path = folder.join("main.go");
    let (shown, said) = save(SESSION, &path)?;
    if said.contains("needs your hand") {
        return Err(said.into());
    }
    // The saving of another session takes its place, not that of any other file.
    let again = format!("println(1)\n:save {}\n", folder.join("again.go").display());
    let (_, said) = save(&again, &folder.join("again.go"))?;
    assert_eq!(said, "1\n");
    fs::write(folder.join("other.go"), "package main\n")?;
    let text = format!(":save {}\n", folder.join("other.go").display());
    let ran = run(gosched().arg("repl"), text.as_bytes(), LIMIT);
    assert!(
        ran.stderr.ends_with("is there, and is not of a session\n"),
        "{}",
        ran.stderr
    );
    let program = run(gosched().arg(&path), b"", LIMIT);
    assert_eq!(program.end, End::Exit(0), "{}", program.stderr);
    match difference(&printed(&shown), &program.stdout) {
        None => Ok(()),
        Some(difference) => Err(difference.into()),
    }
}

/// Saves the sessions of `tests/repl`; the programs.
fn transcripts(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut programs = Vec::new();
    for file in support::files(&support::tests_dir().join("repl"), "txt") {
        let transcript = fs::read_to_string(&file)?;
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let inputs = support::inputs(&transcript);
        let ends = [":quit", "os.Exit", ":reset"];
        if ends.iter().any(|word| inputs.contains(word)) {
            continue;
        }
        let path = folder.join(&name).join("main.go");
        let (_, said) = save(&inputs, &path)?;
        // In functions variables must be used, where they were typed or not.
        if said.contains("needs your hand") {
            assert_eq!(name, "unused_is_fine", "{said}");
        } else if path.exists() {
            programs.push(path);
        }
    }
    assert!(programs.len() > 100, "{} programs", programs.len());
    Ok(programs)
}

/// Has real Go check them all, and run the one that says much.
fn compare(go: &Path, folder: &Path) -> Result<(), Failed> {
    transcripts(folder)?;
    let _ = fs::remove_dir_all(folder.join("unused_is_fine"));
    let (shown, _) = save(SESSION, &folder.join("session/main.go"))?;
    fs::write(folder.join("go.mod"), "module saved\n\ngo 1.27\n")?;
    let mut vet = go_command(go);
    // Its own opinions apart: what it compiles is what is asked.
    vet.args(["vet", "-printf", "./..."]).current_dir(folder);
    let ran = run(&mut vet, b"", LIMIT);
    if ran.end != End::Exit(0) {
        return Err(ran.stderr.into());
    }
    let mut program = go_command(go);
    program.args(["run", "./session"]).current_dir(folder);
    let program = run(&mut program, b"", LIMIT);
    match difference(&printed(&shown), &program.stdout) {
        None => Ok(()),
        Some(difference) => Err(format!("{difference}\n{}", program.stderr).into()),
    }
}

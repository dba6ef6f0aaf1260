//! Calls as a user types them, and all that they print.
//!
//! A transcript in `tests/calls` consists of blocks: a line `$ COMMAND` for the shell, more such
//! lines (`> MORE`) if the command has them, what it prints, standard output first, and `[STATUS]`
//! if that is not 0.
//! What stands between blocks begins with `#`. `UPDATE_EXPECT=1 cargo test --test calls` writes
//! what was seen.

mod support;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{End, gosched};

/// What a shell prints that runs `text` in `folder`, where `gosched` is the program under test.
fn run(text: &str, folder: &Path) -> String {
    let program = gosched().get_program().to_owned();
    let bin = Path::new(&program).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "GODEBUG",
        "GOTRACEBACK",
        "GOSCHED_WITHOUT",
    ] {
        shell.env_remove(name);
    }
    shell
        .args(["-c", text])
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("GOMAXPROCS", "2")
        .current_dir(folder);
    let ran = support::run(&mut shell, b"", Duration::from_secs(60));
    let mut shown = ran.stdout + &ran.stderr;
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    match ran.end {
        End::Exit(0) => {}
        End::Exit(status) => _ = writeln!(shown, "[{status}]"),
        end => _ = writeln!(shown, "[{end:?}]"),
    }
    shown
}

/// Runs the calls of a transcript in a folder of their own, which has these files.
fn transcript(name: &str, least: usize, files: &[(&str, &str)]) {
    let folder = std::env::temp_dir().join(format!("gosched-calls-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let path = support::tests_dir().join(format!("calls/{name}.txt"));
    let expected = std::fs::read_to_string(&path).unwrap();
    let mut seen = String::new();
    let mut calls = 0;
    let mut lines = expected.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            if line.starts_with('#') || line.is_empty() {
                let _ = writeln!(seen, "{line}");
            }
            continue;
        };
        let mut call = first.to_string();
        let _ = writeln!(seen, "{line}");
        while let Some(more) = lines.peek().and_then(|l| l.strip_prefix("> ")) {
            let _ = write!(call, "\n{more}");
            let _ = writeln!(seen, "> {more}");
            lines.next();
        }
        seen.push_str(&run(&call, &folder));
        calls += 1;
    }
    let _ = std::fs::remove_dir_all(&folder);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &seen).unwrap();
    }
    for (want, have) in expected.lines().zip(seen.lines()) {
        assert_eq!(want, have, "{name}");
    }
    assert_eq!(expected.lines().count(), seen.lines().count(), "{name}");
    assert!(calls >= least, "{calls} calls");
}

const PROG: &str = "package main\n\nimport \"os\"\n\nfunc main() { println(len(os.Args)) }\n";

#[test]
fn one_liners() {
    transcript("one_liners", 50, &[("prog.go", PROG)]);
}

const RACE: &str = "package main\n\
    \n\
    import \"sync\"\n\
    \n\
    type counter struct{ n int }\n\
    \n\
    //go:noinline\n\
    func (c *counter) add() {\n\
    \tc.n++\n\
    }\n\
    \n\
    func work(c *counter) {\n\
    \tc.add()\n\
    }\n\
    \n\
    func main() {\n\
    \tvar c counter\n\
    \tvar wg sync.WaitGroup\n\
    \tfor range 2 {\n\
    \t\twg.Go(func() { work(&c) })\n\
    \t}\n\
    \twg.Wait()\n\
    }\n";

/// Of a race: both accesses, who called for them, and where the program had the goroutines made.
#[test]
fn races() {
    transcript("races", 2, &[("race.go", RACE)]);
}

/// Each wrong call gets a sentence that says what is wrong, and one that says what to type.
#[test]
fn wrong_calls() {
    let bad = "package main\n\nfunc main() {\n\tvar count int\n\tcuont++\n}\n";
    transcript("wrong", 30, &[("prog.go", PROG), ("bad.go", bad)]);
}

#[test]
fn errors() {
    let bad = "package main\n\nimport \"fmt\"\n\n\
        type point struct{ first, second int }\n\n\
        func main() {\n\tvar count int\n\tcuont++\n\tfmt.Printn(1)\n\tvar p point\n\tp.frist = 1\n\
        \t_ = point{secnod: 2}\n\tcount, x := 1\n}\n";
    let module = "module m\n\ngo 1.27\n";
    let files = [
        ("bad.go", bad),
        (
            "import.go",
            "package main\n\nimport \"strngs\"\n\nfunc main() {}\n",
        ),
        ("prog.go", PROG),
        (
            "unimported.go",
            "package main\n\nfunc main() { fmt.Println(rand.IntN(1)) }\n",
        ),
        ("mod/go.mod", module),
        (
            "mod/main.go",
            "package main\n\nimport \"m/a\"\n\nfunc main() { a.F() }\n",
        ),
        ("mod/a/a.go", "package a\n\nfunc F() { undefined1() }\n"),
        ("mod/b/b.go", "package b\n\nfunc G() int { return \"\" }\n"),
        (
            "mod/b/testdata/c.go",
            "package c\n\nfunc G() int { return \"\" }\n",
        ),
        ("mod/good/good.go", "package good\n"),
        ("mod/other/go.mod", "module other\n"),
        ("mod/other/o.go", "package other\n\nvar x int = \"\"\n"),
    ];
    transcript("errors", 10, &files);
}

/// What the prompt does with packages of modules.
#[test]
fn prompt() {
    let files = [
        (
            "m/go.mod",
            "module example.com/m\n\ngo 1.27\n\nrequire example.com/v v1.0.0\n",
        ),
        (
            "m/a/a.go",
            "package a\n\nvar N = f()\n\nfunc f() int { return 7 }\n\n\
             func init() { println(\"init of a\") }\n",
        ),
        (
            "m/b/b.go",
            "package b\n\nimport \"example.com/m/a\"\n\nvar N = next(a.N)\n\n\
             var words = map[int]string{7: \"seven\"}\n\n\
             func next(n int) int { println(\"b:\", n); return n + 1 }\n\n\
             func init() { println(\"init of b 1\") }\n\n\
             func init() { println(\"init of b 2\") }\n\n\
             func Get() string { return words[a.N] }\n",
        ),
        (
            "m/bad/bad.go",
            "package bad\n\nvar N = 1\n\nfunc init() { panic(\"in init\") }\n",
        ),
        ("m/wrong/wrong.go", "package wrong\n\nvar N int = \"\"\n"),
        (
            "m/vendor/modules.txt",
            "# example.com/v v1.0.0\n## explicit; go 1.20\nexample.com/v\n",
        ),
        (
            "m/vendor/example.com/v/v.go",
            "package v\n\nimport \"strings\"\n\nvar r = strings.NewReader(\"abc\")\n\n\
             func init() { println(\"init of v\") }\n\nfunc V() int { return r.Len() }\n",
        ),
    ];
    transcript("prompt", 7, &files);
}

/// The version of the language of a package that others load packages for.
#[test]
fn languages() {
    let files = [
        (
            "m/go.mod",
            "module example.com/m\n\ngo 1.25\n\nrequire example.com/dep v1.0.0\n\n\
             replace example.com/dep => ./dep\n",
        ),
        ("m/m.go", "package m\n\nfunc One() int { return 1 }\n"),
        (
            "m/in_test.go",
            "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/dep\"\n)\n\n\
             func TestIn(t *testing.T) {\n\tif One()+1 != dep.Two() {\n\t\tt.Fatal()\n\t}\n}\n",
        ),
        (
            "m/m_test.go",
            "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n)\n\n\
             func TestX(t *testing.T) {\n\tfor i := range 3 {\n\t\t_ = i\n\t}\n\
             \tif m.One()+1 != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
        ),
        ("m/dep/go.mod", "module example.com/dep\n\ngo 1.17\n"),
        ("m/dep/d.go", "package dep\n\nfunc Two() int { return 2 }\n"),
    ];
    transcript("languages", 4, &files);
}

/// What GODEBUG is in a program by its module and its text.
#[test]
fn settings() {
    let main = "package main\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n\t\"net/http/httptest\"\n)\n\n\
        func nilPanic() (v any) {\n\tdefer func() { v = recover() }()\n\tpanic(nil)\n}\n\n\
        func main() {\n\tmux := http.NewServeMux()\n\
        \tmux.HandleFunc(\"/{id}\", func(http.ResponseWriter, *http.Request) {})\n\
        \tw := httptest.NewRecorder()\n\
        \tmux.ServeHTTP(w, httptest.NewRequest(\"GET\", \"/7\", nil))\n\
        \tfmt.Println(nilPanic(), w.Code)\n}\n";
    let test = "package main\n\nimport \"testing\"\n\n\
        func TestNil(t *testing.T) {\n\tif nilPanic() != nil {\n\t\tt.Fatal()\n\t}\n}\n";
    let files = [
        ("old/go.mod", "module example.com/old\n\ngo 1.20\n"),
        ("old/main.go", main),
        ("old/main_test.go", test),
    ];
    transcript("settings", 20, &files);
}

/// Packages of which a part is assembly: files are chosen as for a machine without it.
#[test]
fn assembly() {
    let asm = "TEXT \u{b7}add(SB), 4, $0-24\n\tMOVQ a+0(FP), AX\n\tADDQ b+8(FP), AX\n\
        \tMOVQ AX, ret+16(FP)\n\tRET\n";
    let main = "package main\n\nimport (\n\t\"example.com/a\"\n\t\"example.com/n\"\n\
        \t\"example.com/p\"\n)\n\nfunc main() { println(a.Add(1, 2), n.Add(3, 4), p.Add(5, 6)) }\n";
    let exported = "package NAME\n\nfunc Add(a, b int64) int64 { return add(a, b) }\n";
    let all: Vec<String> = ["a", "n", "p"]
        .iter()
        .map(|p| exported.replace("NAME", p))
        .collect();
    let require = "require (\n\texample.com/a v1.0.0\n\texample.com/n v1.0.0\n\
        \texample.com/p v1.0.0\n)\n\n\
        replace (\n\texample.com/a => ./a\n\texample.com/n => ./n\n\texample.com/p => ./p\n)\n";
    let module = format!("module example.com/m\n\ngo 1.27\n\n{require}");
    let files = [
        ("m/go.mod", &*module),
        ("m/main.go", main),
        // By the processor.
        ("m/a/go.mod", "module example.com/a\n"),
        ("m/a/add.go", &all[0]),
        (
            "m/a/add_amd64.go",
            "package a\n\nfunc add(a, b int64) int64\n",
        ),
        ("m/a/add_amd64.s", asm),
        (
            "m/a/add_other.go",
            "//go:build !amd64\n\npackage a\n\nfunc add(a, b int64) int64 { return a + b }\n",
        ),
        // By a tag.
        ("m/n/go.mod", "module example.com/n\n"),
        ("m/n/add.go", &all[1]),
        (
            "m/n/asm.go",
            "//go:build !noasm\n\npackage n\n\nfunc add(\n\ta, b int64,\n) (sum int64)\n",
        ),
        ("m/n/asm.s", &format!("//go:build !noasm\n\n{asm}")),
        (
            "m/n/plain.go",
            "//go:build noasm\n\npackage n\n\nfunc add(a, b int64) int64 { return a + b }\n",
        ),
        // The other way round: nothing but plain files are chosen, with assembly for others.
        ("m/p/go.mod", "module example.com/p\n"),
        ("m/p/add.go", &all[2]),
        (
            "m/p/arm.go",
            "//go:build arm64 || purego\n\npackage p\n\nfunc add(a, b int64) int64\n",
        ),
        ("m/p/add_arm64.s", asm),
        (
            "m/p/plain.go",
            "//go:build !arm64 && !purego\n\npackage p\n\n\
             func add(a, b int64) int64 { return a + b }\n",
        ),
        // In a main module; and where nothing helps.
        ("own/go.mod", "module example.com/own\n\ngo 1.27\n"),
        (
            "own/main.go",
            "package main\n\nfunc main() { println(add(1, 2)) }\n",
        ),
        (
            "own/add_amd64.go",
            "package main\n\nfunc add(a, b int64) int64\n",
        ),
        ("own/add_amd64.s", asm),
        (
            "own/add_generic.go",
            "//go:build !amd64\n\npackage main\n\nfunc add(a, b int64) int64 { return a + b }\n",
        ),
        ("none/go.mod", "module example.com/none\n\ngo 1.27\n"),
        (
            "none/main.go",
            "package main\n\nfunc add(a, b int64) int64\n\nfunc main() { println(add(1, 2)) }\n",
        ),
        ("none/add.s", asm),
        // No assembly: Go's error.
        ("bare/go.mod", "module example.com/bare\n\ngo 1.27\n"),
        (
            "bare/main.go",
            "package main\n\nfunc f()\n\nfunc main() { f() }\n",
        ),
    ];
    transcript("assembly", 5, &files);
}

/// What is checked of many packages at once is what is told of each alone.
#[test]
fn many() {
    let files = [
        ("m/go.mod", "module example.com/m\n\ngo 1.27\n"),
        (
            "m/a/a.go",
            "package main\n\nimport \"example.com/m/b\"\n\nfunc main() { b.F(); x() }\n",
        ),
        ("m/b/b.go", "package b\n\nfunc F() { undefined1() }\n"),
        (
            "m/c/c.go",
            "package main\n\nimport (\n\t\"example.com/m/b\"\n\t\"example.com/nope/x\"\n)\n\n\
             func main() { b.F(); x.Y() }\n",
        ),
        (
            "m/d/d.go",
            "package main\n\nimport \"example.com/nope/x\"\n\nfunc main() { x.Y() }\n",
        ),
        ("m/e/e.go", "package e\n\nfunc F() { if }\n"),
        (
            "m/f/f.go",
            "package main\n\nimport \"example.com/m/e\"\n\nfunc main() { e.F(); e.G(); y() }\n",
        ),
        (
            "m/g/g.go",
            "package main\n\nfunc f()\n\nfunc main() { f() }\n",
        ),
        (
            "m/h/h.go",
            "package main\n\nimport \"example.com/m/g\"\n\nfunc main() { g.X() }\n",
        ),
        (
            "m/i/i.go",
            "package main\n\nimport _ \"unsafe\"\n\n//go:linkname f time.nosuch\nfunc f()\n\n\
             func main() { f() }\n",
        ),
        (
            "m/j/j.go",
            "package main\n\ntype t struct{ a int }\n\nfunc main() { println(t{1}.a) }\n",
        ),
        (
            "m/k/k.go",
            "package main\n\ntype t struct{ a string }\n\nfunc main() { println(t{}.a) }\n",
        ),
    ];
    transcript("many", 3, &files);
}

/// A project with modules from elsewhere: vendored, in a module cache, in a workspace; and what is
/// told of what is missing. Real Go has made the hashes, and says the same where it says anything.
#[test]
fn modules() {
    let alpha = "module example.com/alpha\n\ngo 1.27\n\nrequire example.com/Beta v1.0.0\n";
    let beta = "module example.com/Beta\n\ngo 1.27\n\nrequire example.com/alpha v1.2.0\n";
    let files = [
        ("app/go.mod", GO_MOD),
        ("app/go.sum", GO_SUM),
        (
            "app/main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/alpha\"\n\
            \t\"example.com/local\"\n\t\"example.com/tagged\"\n)\n\n\
            func main() { fmt.Println(alpha.Name(), local.Hi(), tagged.Kind, tagged.OS) }\n",
        ),
        (
            "app/cmd/tool/main.go",
            "package main\n\nimport \"example.com/app/internal/name\"\n\n\
            func main() { println(name.Name) }\n",
        ),
        (
            "app/internal/name/name.go",
            "package name\n\nconst Name = \"tool\"\n",
        ),
        ("app/local/go.mod", "module example.com/local\n\ngo 1.21\n"),
        (
            "app/local/l.go",
            "package local\n\nfunc Hi() string { return \"local\" }\n",
        ),
        ("cache/example.com/alpha@v1.2.0/go.mod", alpha),
        (
            "cache/cache/download/example.com/alpha/@v/v1.2.0.mod",
            alpha,
        ),
        ("cache/cache/download/example.com/!beta/@v/v1.0.0.mod", beta),
        (
            "cache/example.com/alpha@v1.2.0/alpha.go",
            "package alpha\n\nimport \"example.com/Beta/words\"\n\n\
            func Name() string { return \"alpha+\" + words.Word() }\n",
        ),
        (
            "cache/example.com/alpha@v1.2.0/deep/deep.go",
            "package deep\n\nfunc Deep() string { return \"alpha/deep\" }\n",
        ),
        (
            "cache/example.com/alpha@v1.2.0/internal/in/in.go",
            "package in\n\nconst X = 1\n",
        ),
        ("cache/example.com/!beta@v1.0.0/go.mod", beta),
        (
            "cache/example.com/!beta@v1.0.0/words/words.go",
            "package words\n\nimport \"example.com/alpha/deep\"\n\n\
            func Word() string { return \"beta/words+\" + deep.Deep() }\n",
        ),
        (
            "cache/example.com/tagged@v0.3.0/go.mod",
            "module example.com/tagged\n\ngo 1.20\n",
        ),
        (
            "cache/example.com/tagged@v0.3.0/plain.go",
            "//go:build !fancy\n\npackage tagged\n\nconst Kind = \"plain\"\n",
        ),
        (
            "cache/example.com/tagged@v0.3.0/fancy.go",
            "//go:build fancy\n\npackage tagged\n\nconst Kind = \"fancy\"\n",
        ),
        (
            "cache/example.com/tagged@v0.3.0/x_windows.go",
            "package tagged\n\nconst Kind = \"windows\"\n",
        ),
        (
            "cache/example.com/tagged@v0.3.0/x_linux.go",
            "package tagged\n\nconst OS = \"linux\"\n",
        ),
        ("modules.txt", MODULES_TXT),
        ("work/go.work", "go 1.27\n\nuse (\n\t./a\n\t./b\n)\n"),
        ("work/a/go.mod", "module example.com/a\n\ngo 1.27\n"),
        (
            "work/a/a.go",
            "package main\n\nimport \"example.com/b\"\n\nfunc main() { println(b.X) }\n",
        ),
        ("work/b/go.mod", "module example.com/b\n\ngo 1.27\n"),
        (
            "work/b/b.go",
            "package b\n\nconst X = \"b of the workspace\"\n",
        ),
        ("work/c/go.mod", "module example.com/c\n"),
        ("work/c/c.go", "package main\n\nfunc main() {}\n"),
    ];
    transcript("modules", 30, &files);
}

const GO_MOD: &str = "module example.com/app\n\ngo 1.27\n\nrequire (\n\
    \texample.com/alpha v1.2.0\n\texample.com/local v0.0.0\n\texample.com/tagged v0.3.0\n)\n\n\
    require example.com/Beta v1.0.0 // indirect\n\n\
    replace example.com/local => ./local\n";

const GO_SUM: &str = "example.com/Beta v1.0.0 h1:orQ5oBwcszdVXFzk2Q9rWEj/NmhnXC1sLpPxknUq7B0=\n\
    example.com/Beta v1.0.0/go.mod h1:35Y0JjPZCWdv32+hmahYmcFIyhXYBwiweHj/Ht4Ouvw=\n\
    example.com/alpha v1.2.0 h1:HjJBa8FBcz+rsDif2WoKUs+dj7sXbLKgBRnwOdDBfY8=\n\
    example.com/alpha v1.2.0/go.mod h1:osVT2xInm5xKmHa6BxNnyQvnGiq4pQrgmsLeHbGmcfE=\n\
    example.com/tagged v0.3.0 h1:K6KQATUx1U5FUeMmqOUZPSZOhL095uYPvbr/NDgJqmg=\n\
    example.com/tagged v0.3.0/go.mod h1:sbCb8xSdFQG6yTQLC+lCVWx4/q2ecUTbqYNlxLG7HH8=\n";

const MODULES_TXT: &str = "# example.com/Beta v1.0.0\n## explicit; go 1.27\n\
    example.com/Beta/words\n\
    # example.com/alpha v1.2.0\n## explicit; go 1.27\nexample.com/alpha\nexample.com/alpha/deep\n\
    # example.com/local v0.0.0 => ./local\n## explicit; go 1.21\nexample.com/local\n\
    # example.com/tagged v0.3.0\n## explicit; go 1.20\nexample.com/tagged\n\
    # example.com/local => ./local\n";

/// Programs that exceed a limit, and such as keep to it.
#[test]
fn limits() {
    let prog = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"os/exec\"\n)\n\n\
        func main() {\n\tif len(os.Args) > 1 {\n\t\tc := exec.Command(os.Args[0])\n\
        \t\tc.Stderr, c.Env = os.Stderr, append(os.Environ(), \"GOTRACEBACK=none\")\n\
        \t\tfmt.Println(c.Run())\n\t\treturn\n\t}\n\
        \tfor {\n\t\tgo func() { select {} }()\n\t}\n}\n";
    transcript("limits", 25, &[("prog.go", prog)]);
}

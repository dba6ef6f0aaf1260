//! Flags and commands of Go's own command that gosched has not, with the answer to each.

/// A flag of Go's command that takes a value in the same word or the next one, or none.
pub(super) struct GoFlag {
    pub(super) name: &'static str,
    pub(super) has_value: bool,
    means: Means,
}

#[derive(Clone, Copy)]
enum Means {
    /// It says how to build: nothing that a program does depends on it.
    Nothing,
    /// The same, unless its value contains this; and what to do then.
    Unless(&'static str, &'static str),
    /// What to do instead.
    No(&'static str),
}

const fn row(name: &'static str, has_value: bool, means: Means) -> GoFlag {
    GoFlag {
        name,
        has_value,
        means,
    }
}

use Means::{No, Nothing, Unless};

/// Those of `go run` and `go vet` that are none of ours.
const FLAGS: &[GoFlag] = &[
    row("a", false, Nothing),
    row("v", false, Nothing),
    row("x", false, Nothing),
    row("work", false, Nothing),
    row("trimpath", false, Nothing),
    row("linkshared", false, Nothing),
    row("asmflags", true, Nothing),
    row("buildmode", true, Nothing),
    row("buildvcs", true, Nothing),
    row("compiler", true, Nothing),
    row("gcflags", true, Nothing),
    row("pgo", true, Nothing),
    row("pkgdir", true, Nothing),
    row(
        "ldflags",
        true,
        Unless(
            "-X",
            "Nothing is linked, so -X sets no variable: write its value in the program.",
        ),
    ),
    row(
        "C",
        true,
        No("Change the folder first: cd DIR, then gosched."),
    ),
    row(
        "asan",
        false,
        No("Leave it out: there is no C whose memory it could look at."),
    ),
    row(
        "msan",
        false,
        No("Leave it out: there is no C whose memory it could look at."),
    ),
    row("cover", false, No("Type it with gosched test.")),
    row(
        "exec",
        true,
        No("Leave it out: no executable is made that another program could run."),
    ),
    row("toolexec", true, No("Leave it out: no tools are run.")),
    row("modfile", true, No("Leave it out: the file is go.mod.")),
    row(
        "overlay",
        true,
        No("Leave it out: files are read where they are."),
    ),
];

/// The flag that `name` is, if it is one of these.
pub(super) fn flag(name: &str) -> Option<&'static GoFlag> {
    FLAGS.iter().find(|flag| flag.name == name)
}

impl GoFlag {
    /// What to do instead, if the flag with this value is not passed over.
    pub(super) fn advice(&self, value: &str) -> Option<&'static str> {
        match self.means {
            Nothing => None,
            Unless(part, _) if !value.contains(part) => None,
            Unless(_, advice) | No(advice) => Some(advice),
        }
    }
}

/// The answer to a command of Go's that gosched has not.
pub(super) fn command(name: &str) -> Option<&'static str> {
    Some(match name {
        "build" => {
            "Type gosched run FILE or gosched run DIR: nothing has to be built before. gosched \
             check tells whether it compiles."
        }
        "vet" => {
            "Type gosched check for what the compiler finds; what vet finds besides, Go's own \
             command tells (https://go.dev/dl)."
        }
        "fmt" | "fix" => {
            "Files are left as they are: gofmt, which comes with Go (https://go.dev/dl), formats \
             them."
        }
        "doc" => {
            "Type gosched, and at the prompt :doc strings.Cut; https://pkg.go.dev has the whole \
             text."
        }
        "get" | "install" => {
            "Nothing is fetched: modules come from vendor, or from Go's module cache, which go mod \
             download of Go's own command fills (https://go.dev/dl)."
        }
        "mod" | "init" => {
            "Write the file go.mod yourself; these two lines are enough for a module without \
             others: module example.com/name, and go 1.27. To fetch modules needs Go's own command \
             (https://go.dev/dl)."
        }
        "debug" | "dlv" => {
            "Type gosched explore to find a schedule that fails, and gosched replay --until=N to \
             see all goroutines at a decision of it; no debugger steps through lines."
        }
        "list" | "env" | "work" | "clean" | "generate" | "tool" | "bug" | "telemetry" => {
            "It is a command of Go's that gosched does without; gosched help lists ours."
        }
        _ => return None,
    })
}

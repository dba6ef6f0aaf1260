//! The table of commands, and the flags that they take.

use super::call::Call;
use super::{
    check, describe, disasm, explore, help, lab, prompt, record, replay, run_program, top, trace,
};
use crate::{repl, test};

/// A flag: `--name`, `--name=VALUE`, perhaps also a letter, `-x`.
#[derive(Clone, Copy)]
pub(crate) struct Flag {
    pub(super) letter: Option<char>,
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    pub(super) help: &'static str,
    /// Given by gosched to itself only: help does not show it.
    pub(super) is_hidden: bool,
}

/// The value that a flag takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// Whatever help calls so.
    Text(&'static str),
    File,
    Mechanisms,
    OneOf(&'static [&'static str]),
    Language,
    Number,
    /// A number of things, at least one.
    Count,
    /// The same, and at most so many.
    UpTo(u32),
    Duration,
    /// The number of an event, or a time.
    Moment,
    /// A duration, `0` or `any`.
    Stall,
    Size,
}

pub(crate) const fn flag(name: &'static str, takes: Takes, help: &'static str) -> Flag {
    Flag {
        letter: None,
        name,
        takes,
        help,
        is_hidden: false,
    }
}

impl Flag {
    pub(crate) const fn letter(self, letter: char) -> Flag {
        Flag {
            letter: Some(letter),
            ..self
        }
    }

    pub(crate) const fn hidden(self) -> Flag {
        Flag {
            is_hidden: true,
            ..self
        }
    }
}

/// The flags of every command.
pub(super) const COMMON: &[Flag] = &[flag(
    "color",
    Takes::OneOf(&["auto", "always", "never"]),
    "When to use colors and to show the line of an error; auto is at a terminal",
)];

/// The flags of commands that run something by the scheduler's own rules.
pub(super) const RUNS: &[Flag] = &[flag(
    "without",
    Takes::Mechanisms,
    "Switch off mechanisms of the scheduler (also GOSCHED_WITHOUT)",
)];

/// The flags of commands that run something.
pub(super) const TRACES: &[Flag] = &[
    flag(
        "sched-log",
        Takes::File,
        "Write what the scheduler decides, and why, to FILE as JSON lines; - is standard error",
    ),
    flag(
        "sched-trace",
        Takes::File,
        "Write the same to FILE as a trace, which gosched trace reads",
    ),
    flag(
        "sched-trace-stack",
        Takes::UpTo(32),
        "How many frames of each stack, 1 to 32; with 1, the innermost of the program itself",
    ),
];

/// The flags that say what of the scheduler's records is kept, and what they are measured for.
pub(super) const RECORDS: &[Flag] = &[
    flag(
        "sched-trace-last",
        Takes::Duration,
        "Of the trace keep only what was recorded in this time, and write it at the end (10s)",
    ),
    flag(
        "sched-trace-only",
        Takes::Text("EVENT,…"),
        "Record only these events, such as create,start,park",
    ),
    DOT,
    flag(
        "top",
        Takes::Number,
        "The descriptor by which to tell what there is to see",
    )
    .hidden(),
    flag(
        "latency",
        Takes::Nothing,
        "At the end tell the longest waits for a turn, who ran instead, and by which rule",
    ),
    flag(
        "latency-max",
        Takes::Duration,
        "End the program, with status 68, when a goroutine waits longer for its turn (20ms)",
    ),
];

/// The flags that write profiles of a program, for `go tool pprof`.
pub(super) const PROFILES: &[Flag] = &[
    flag(
        "cpuprofile",
        Takes::File,
        "Write to FILE where the program spends its time, for go tool pprof",
    ),
    flag(
        "blockprofile",
        Takes::File,
        "Write to FILE where goroutines wait for others, and how long",
    ),
    flag(
        "mutexprofile",
        Takes::File,
        "Write to FILE who lets others wait for locks, and how long",
    ),
    flag(
        "memprofile",
        Takes::File,
        "Write to FILE where memory is allocated, as far as samples tell",
    ),
];

/// The flags of commands that compile something.
pub(super) const COMPILES: &[Flag] = &[LANG, TAGS, MOD, GOROOT, ERROR_FORMAT];

pub(super) const LANG: Flag = flag(
    "lang",
    Takes::Language,
    "The version of the language that the package is of, whatever go.mod says",
);

pub(super) const TAGS: Flag = flag(
    "tags",
    Takes::Text("LIST"),
    "Build tags to set, with commas between them",
);

pub(super) const MOD: Flag = flag(
    "mod",
    Takes::OneOf(&["vendor", "readonly", "mod"]),
    "Whether packages of other modules come from vendor",
);

pub(super) const GOROOT: Flag = flag(
    "goroot",
    Takes::File,
    "A Go source tree, for packages that gosched does not have (also GOROOT)",
);

pub(super) const DOT: Flag = flag(
    "dot",
    Takes::File,
    "Write who waits for whom at the end to FILE, as a graph for dot: of a deadlock, or of leaks",
);

pub(super) const OUTPUT: Flag =
    flag("output", Takes::File, "Write the recording to this file").letter('o');

pub(super) const ERROR_FORMAT: Flag = flag(
    "error-format",
    Takes::OneOf(&["go", "pretty", "json"]),
    "How errors are told; pretty is usual at a terminal, go elsewhere",
);

/// The flags that say a program on the command line.
pub(super) const CODE: &[Flag] = &[
    flag(
        "eval",
        Takes::Text("CODE"),
        "Statements and declarations in place of a file; packages are imported by use",
    )
    .letter('e'),
    flag(
        "print",
        Takes::Text("EXPR"),
        "Print the values of EXPR, each on a line",
    )
    .letter('p'),
    flag(
        "each-line",
        Takes::Nothing,
        "Run the code for each line of standard input: it is `line`, its fields are `F`",
    )
    .letter('n'),
    flag(
        "each-line-print",
        Takes::Nothing,
        "As -n, and print `line` after each round",
    )
    .letter('N'),
    flag(
        "end",
        Takes::Text("CODE"),
        "With -n or -N: statements for after the last line",
    ),
];

pub(super) const INTERACTIVE: &[Flag] = &[flag(
    "interactive",
    Takes::Nothing,
    "Run the code of -e and -p at the prompt, and stay there",
)
.letter('i')];

pub(super) const WATCH: &[Flag] = &[
    flag(
        "watch",
        Takes::Nothing,
        "Run the program again whenever one of its files changes",
    ),
    flag(
        "watched",
        Takes::Number,
        "The descriptor by which to tell what has been read",
    )
    .hidden(),
];

/// The flags of a run whose decisions are ours.
pub(super) const STEERS: &[Flag] = &[
    flag(
        "seed",
        Takes::Number,
        "Draw all decisions of the scheduler from N: the same seed, the same run; time is virtual",
    ),
    flag(
        "virtual-time",
        Takes::Nothing,
        "Let time pass only when nothing can run: sleeping takes no time",
    ),
    flag(
        "race",
        Takes::Nothing,
        "Look for data races; with any, the status is 66. Without GOMAXPROCS there is one P",
    ),
    flag(
        "leaks",
        Takes::Nothing,
        "At the end look for goroutines that wait for ever; with any, the status is 67",
    ),
];

/// The limits on a run.
pub(super) const LIMITS: &[Flag] = &[
    flag(
        "timeout",
        Takes::Duration,
        "End the program after this time (1.5s, 2m), with its goroutines shown and status 124",
    ),
    flag(
        "max-heap",
        Takes::Size,
        "End it, with status 71, when its objects and stacks need more than this (64M, 2G)",
    ),
    flag(
        "max-goroutines",
        Takes::Count,
        "End it, with status 72, when it has more goroutines than this",
    ),
];

/// The flags that a program which starts itself again is given.
pub(super) const AGAIN: &[Flag] = &[
    flag("argv0", Takes::Text("NAME"), "What os.Args[0] is").hidden(),
    flag("files", Takes::Number, "How many of the words are files").hidden(),
    flag("unit", Takes::File, "What the files have been compiled to").hidden(),
    flag("godebug", Takes::Text("LIST"), "What GODEBUG is in that").hidden(),
];

/// The strategies of `explore`; a number is the depth of bugs that PCT looks for.
pub(super) const STRATEGIES: &[&str] = &["auto", "random", "pos", "pct[:N]", "dfs[:N]"];

/// What a command takes besides flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// What to run; all that follows is the program's.
    Program,
    /// What to compile.
    Files,
    /// The name of a command, or nothing.
    Command,
    /// The name of a shell.
    Shell,
    /// A recording.
    Recording,
    /// What is asked of a trace, and its file.
    Trace,
    /// An experiment, or a program to make one with.
    Experiment,
    /// Flags and packages as Go takes them: what follows is read elsewhere.
    Test,
    Nothing,
}

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) words: Words,
    /// In groups; those of [`COMMON`] come with every command.
    pub(super) flags: &'static [&'static [Flag]],
    pub(super) examples: &'static [(&'static str, &'static str)],
    pub(super) act: fn(&Call) -> i32,
}

impl Row {
    pub(super) fn flags(&self) -> impl Iterator<Item = &'static Flag> {
        self.flags.iter().copied().flatten().chain(COMMON)
    }
}

/// The first one is meant by a file that stands in place of a command.
pub(super) const COMMANDS: &[Row] = &[
    Row {
        name: "run",
        about: "Compile and run a program; what follows the files are its arguments",
        words: Words::Program,
        flags: &[
            CODE,
            INTERACTIVE,
            WATCH,
            RUNS,
            TRACES,
            RECORDS,
            PROFILES,
            STEERS,
            LIMITS,
            COMPILES,
            AGAIN,
        ],
        examples: &[
            ("gosched run prog.go a b", "one file, with two arguments"),
            ("gosched run main.go util.go a", "two files of one package"),
            ("gosched run ./cmd/tool", "the package in a folder"),
            (
                "gosched run example.com/a/cmd",
                "a package of this module, or one it requires",
            ),
            ("gosched run - < prog.go", "the program on standard input"),
            ("gosched run --watch .", "again at each change"),
            (
                "gosched run --without=runnext prog.go",
                "without the slot of the next goroutine",
            ),
        ],
        act: run_program,
    },
    Row {
        name: "test",
        about: "Run the tests of packages; flags may stand anywhere, with one dash or two",
        words: Words::Test,
        flags: &[test::FLAGS, &[AGAIN[0]]],
        examples: &[
            ("gosched test", "the package in this folder"),
            ("gosched test ./...", "all packages below this folder"),
            (
                "gosched test -v -run=TestX/sub ./pkg",
                "some, told as they run",
            ),
            ("gosched test -bench=. -benchmem", "benchmarks"),
            ("gosched test -cover ./...", "how many statements run"),
            (
                "gosched test --explore -run=TestX",
                "a test under many schedules",
            ),
        ],
        act: |call| test::run(&call.words),
    },
    Row {
        name: "explore",
        about: "Run a program under many schedules, until one of them fails",
        words: Words::Program,
        flags: &[
            &[
                flag("schedules", Takes::Count, "Try at most N schedules (1000)"),
                flag("time", Takes::Duration, "Spend at most so much CPU (60s)"),
                flag("seed", Takes::Number, "Where the schedules come from"),
                flag("jobs", Takes::Count, "Run N at once (as there are CPUs)"),
                flag("steps", Takes::Count, "Decisions in one run (200000)"),
                flag(
                    "strategy",
                    Takes::OneOf(STRATEGIES),
                    "Who takes the decisions (auto: each in turn)",
                ),
                flag("no-race", Takes::Nothing, "Do not look for data races"),
                flag(
                    "max-stall",
                    Takes::Stall,
                    "By how much the clock may pass what can run (50ms)",
                ),
                flag(
                    "allow-io",
                    Takes::Nothing,
                    "Let runs start processes, reach other machines, write outside of TMPDIR",
                ),
                flag(
                    "left-over",
                    Takes::OneOf(&["schedule", "all", "off"]),
                    "Which goroutines left behind count (schedule: not those of each)",
                ),
                flag(
                    "keep-going",
                    Takes::Nothing,
                    "Go on when something is found, and tell all that is different",
                ),
                flag(
                    "limits",
                    Takes::OneOf(&["note", "error"]),
                    "What runs are that do not come to their end (note)",
                ),
                flag(
                    "outputs",
                    Takes::OneOf(&["note", "error"]),
                    "What outputs are that differ (note)",
                ),
                flag(
                    "check",
                    Takes::Text("COMMAND"),
                    "A command that is given each output, and fails if that is wrong",
                ),
                flag(
                    "no-minimise",
                    Takes::Nothing,
                    "Leave what is found as it is",
                ),
                flag("json", Takes::Nothing, "Tell it as JSON on standard output"),
                OUTPUT,
                DOT,
            ],
            CODE,
            COMPILES,
        ],
        examples: &[
            ("gosched explore examples/lock_order.go", "finds a deadlock"),
            (
                "gosched explore --time=10m --schedules=100000 .",
                "look harder",
            ),
        ],
        act: explore,
    },
    Row {
        name: "record",
        about: "Run a program as ever, and record it for replay",
        words: Words::Program,
        flags: &[
            &[
                OUTPUT,
                flag(
                    "chaos",
                    Takes::Nothing,
                    "Vary slices and who runs next, to shake bugs out",
                ),
                flag("seed", Takes::Number, "Where what is drawn comes from"),
            ],
            CODE,
            COMPILES,
        ],
        examples: &[
            (
                "gosched record server.go",
                "writes .gosched/record-….gosched",
            ),
            (
                "gosched record --chaos -o run.gosched .",
                "as if the machine were a bad one",
            ),
        ],
        act: record,
    },
    Row {
        name: "replay",
        about: "Run exactly what explore or record has recorded",
        words: Words::Recording,
        flags: &[
            &[
                flag("story", Takes::Nothing, "Tell in a few lines what happens"),
                DOT,
                flag(
                    "until",
                    Takes::Number,
                    "Stop before decision N and show where all goroutines are",
                ),
                flag(
                    "dump",
                    Takes::Nothing,
                    "Print the recording as lines of JSON",
                ),
                flag(
                    "edited",
                    Takes::Nothing,
                    "Go as far as it fits a program or recording that has been edited",
                ),
            ],
            TRACES,
        ],
        examples: &[
            (
                "gosched replay .gosched/deadlock-7f3a.gosched",
                "what explore has found",
            ),
            (
                "gosched replay --until=12 .gosched/deadlock-7f3a.gosched",
                "its first twelve decisions",
            ),
        ],
        act: replay,
    },
    Row {
        name: "trace",
        about: "Show what is in a trace that --sched-trace has written, or in a recording",
        words: Words::Trace,
        flags: &[&[
            flag(
                "at",
                Takes::Moment,
                "queues, graph: behind this event, or at this time; at the end if unset",
            ),
            flag(
                "by",
                Takes::OneOf(&["time", "decision"]),
                "timeline: what a column is; by decision, the last are shown",
            ),
            flag(
                "from",
                Takes::Duration,
                "timeline and view: where it begins",
            ),
            flag("for", Takes::Duration, "timeline and view: how long it is"),
            flag(
                "width",
                Takes::Count,
                "timeline: columns of a lane, 100 if unset",
            ),
            flag(
                "output",
                Takes::File,
                "view: the page, - being standard output; if unset, FILE.html",
            )
            .letter('o'),
            flag(
                "to",
                Takes::OneOf(&["json", "perfetto", "go"]),
                "convert: lines of JSON, if unset, or what Perfetto or go tool trace shows",
            ),
            flag(
                "json",
                Takes::Nothing,
                "queues, summary and why: tell it as JSON",
            ),
            flag(
                "svg",
                Takes::Nothing,
                "flame: a picture; without it folded stacks, for tools that draw them",
            ),
        ]],
        examples: &[
            (
                "gosched trace summary run.trace",
                "what each goroutine spent its time with",
            ),
            (
                "gosched trace timeline --by=decision run.trace",
                "who ran where, a column for each decision",
            ),
            (
                "gosched trace view run.trace",
                "a page for a browser, run.trace.html",
            ),
            (
                "gosched trace check run.trace",
                "whether all its events agree",
            ),
            (
                "gosched trace queues --at=812 run.trace",
                "who runs, waits for a turn, waits on what",
            ),
            (
                "gosched trace why main.third run.trace",
                "who ran while a goroutine waited, and by which rule",
            ),
            (
                "gosched trace convert --to=go run.trace > go.trace",
                "for go tool trace go.trace",
            ),
            (
                "gosched trace graph run.trace | dot -Tsvg > waits.svg",
                "who waits for whom at the end",
            ),
            (
                "gosched trace flame --svg run.trace > run.svg",
                "where goroutines wait and run",
            ),
            (
                "gosched trace convert --to=json run.trace",
                "one event a line",
            ),
            (
                "gosched trace timeline .gosched/deadlock-7f3a.gosched",
                "of a recording: it is replayed, and what the program prints is dropped",
            ),
        ],
        act: trace,
    },
    Row {
        name: "top",
        about: "Run a program and show live what its scheduler does, at a terminal",
        words: Words::Program,
        flags: &[
            &[flag(
                "without",
                Takes::Mechanisms,
                "Switch off mechanisms of the scheduler (also GOSCHED_WITHOUT)",
            )],
            CODE,
            COMPILES,
        ],
        examples: &[(
            "gosched top server.go",
            "its Ps, their queues, who waits longest",
        )],
        act: top,
    },
    Row {
        name: "lab",
        about: "Show what the scheduler does, with each of its rules and without it",
        words: Words::Experiment,
        flags: &[&[
            flag(
                "all",
                Takes::Nothing,
                "Make all experiments, and judge them",
            ),
            flag(
                "without",
                Takes::Mechanisms,
                "What to switch off for the second run of a program",
            ),
            flag("json", Takes::Nothing, "Tell it as JSON"),
            flag(
                "html",
                Takes::File,
                "Write both runs to FILE as a page for a browser; - is standard output",
            ),
            flag(
                "quiz",
                Takes::Nothing,
                "Ask what comes of it first; of all experiments if none is named",
            ),
        ]],
        examples: &[
            ("gosched lab", "which experiments there are"),
            ("gosched lab --quiz", "riddles, and their solutions"),
            (
                "gosched lab runnext-starvation",
                "a third goroutine, beside two that wake one another",
            ),
            (
                "gosched lab prog.go --without=steal",
                "a program of yours, with and without thieves",
            ),
            (
                "gosched lab stealing --html=lab.html",
                "both runs as a page for a browser",
            ),
        ],
        act: lab,
    },
    Row {
        name: "check",
        about: "Compile a program and report its errors",
        words: Words::Files,
        flags: &[
            &[
                flag(
                    "all-errors",
                    Takes::Nothing,
                    "Report every error, not only the first ten",
                ),
                flag(
                    "json",
                    Takes::Nothing,
                    "Write errors to standard output as JSON, one on a line",
                ),
            ],
            CODE,
            COMPILES,
        ],
        examples: &[
            ("gosched check prog.go", "one file"),
            ("gosched check ./...", "all packages below this folder"),
            ("gosched check --json --all-errors .", "for an editor"),
        ],
        act: check,
    },
    Row {
        name: "disasm",
        about: "Print a program's bytecode",
        words: Words::Files,
        flags: &[
            &[
                flag(
                    "func",
                    Takes::Text("NAME"),
                    "Only functions whose name contains NAME, and where they are compiled in place",
                ),
                flag(
                    "native",
                    Takes::Nothing,
                    "With the code of the machine that each instruction becomes where it runs hot",
                ),
            ],
            CODE,
            COMPILES,
        ],
        examples: &[
            (
                "gosched disasm prog.go",
                "the functions of a program's own packages",
            ),
            (
                "gosched disasm --func=main.fib prog.go",
                "those with a name",
            ),
            ("gosched disasm -e 'a := []int{1}; _ = a[0]'", "of a line"),
        ],
        act: disasm,
    },
    Row {
        name: "repl",
        about: "Run what standard input says, input by input, and show values",
        words: Words::Nothing,
        flags: &[
            &[
                flag(
                    "echo",
                    Takes::Nothing,
                    "Print each input before what comes of it",
                ),
                flag(
                    "keep-going",
                    Takes::Nothing,
                    "Do not end at the first error",
                ),
                flag(
                    "json",
                    Takes::Nothing,
                    "Read requests and write replies as JSON",
                ),
                flag(
                    "no-init",
                    Takes::Nothing,
                    "Do not run init.go first, at a terminal",
                ),
                LANG,
            ],
            RUNS,
            TRACES,
        ],
        examples: &[
            ("gosched", "the prompt, at a terminal"),
            ("gosched repl --echo < session.txt", "a session in a file"),
            (
                "gosched -i -e 'var mu sync.Mutex'",
                "the prompt, after some code",
            ),
        ],
        act: |call| repl::run(prompt(call)),
    },
    Row {
        name: "completions",
        about: "Print what a shell completes by: bash, zsh or fish",
        words: Words::Shell,
        flags: &[],
        examples: &[
            (
                "eval \"$(gosched completions bash)\"",
                "in ~/.bashrc; for zsh alike",
            ),
            ("gosched completions fish | source", "in config.fish"),
        ],
        act: describe::completions,
    },
    Row {
        name: "man",
        about: "Print the manual page",
        words: Words::Nothing,
        flags: &[],
        examples: &[("gosched man | man -l -", "read it")],
        act: |_| describe::man(),
    },
    Row {
        name: "version",
        about: "Print the version",
        words: Words::Nothing,
        flags: &[&[flag(
            "json",
            Takes::Nothing,
            "Print version, commit, Go level and target as JSON",
        )]],
        examples: &[],
        act: describe::version,
    },
    Row {
        name: "licenses",
        about: "Print the licences of gosched and of all that it carries",
        words: Words::Nothing,
        flags: &[],
        examples: &[("gosched licenses | less", "read them")],
        act: |_| describe::licenses(),
    },
    Row {
        name: "help",
        about: "Print this help, or that of a command",
        words: Words::Command,
        flags: &[],
        examples: &[("gosched help run", "the flags of run")],
        act: help::help,
    },
];

/// The command of this name.
pub(super) fn command(name: &str) -> Option<&'static Row> {
    COMMANDS.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_are_unique() {
        for row in COMMANDS {
            let mut names: Vec<&str> = row.flags().map(|f| f.name).collect();
            names.extend(["help", "version"]);
            let mut letters: Vec<char> = row.flags().filter_map(|f| f.letter).collect();
            letters.extend(['h', 'V']);
            names.sort_unstable();
            letters.sort_unstable();
            assert!(
                names.windows(2).all(|w| w[0] != w[1]),
                "{}: {names:?}",
                row.name
            );
            assert!(
                letters.windows(2).all(|w| w[0] != w[1]),
                "{}: {letters:?}",
                row.name
            );
            // No long name looks like letters that are joined.
            assert!(names.iter().all(|n| n.len() > 1));
            assert_eq!(COMMANDS.iter().filter(|c| c.name == row.name).count(), 1);
        }
    }

    #[test]
    fn a_flag_takes_the_same_wherever_it_stands() {
        let all: Vec<&Flag> = COMMANDS.iter().flat_map(Row::flags).collect();
        for a in &all {
            for b in all.iter().filter(|b| b.name == a.name) {
                assert!(a.takes == b.takes && a.letter == b.letter, "--{}", a.name);
            }
        }
    }
}

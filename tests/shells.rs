//! Completions in the shells they are for, and the manual page by `man`. Shells that are not
//! installed are oracles that are missing.

mod support;

use libtest_mimic::{Arguments, Failed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{End, gosched, needs, run};

fn main() {
    let args = Arguments::from_args();
    let trials = vec![
        needs("bash".into(), installed("bash"), |_| bash()),
        needs("fish".into(), installed("fish"), |_| fish()),
        needs("zsh".into(), installed("zsh"), |_| zsh()),
        needs("man".into(), installed("man"), |_| man()),
    ];
    libtest_mimic::run(&args, trials).exit();
}

fn installed(name: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|dir| dir.join(name));
    let found = places.into_iter().find(|file| file.is_file());
    found.ok_or_else(|| format!("needs {name}"))
}

/// What a shell prints that runs `script`, in which `$GOSCHED` is the program under test.
fn says(shell: &str, words: &[&str], script: &str) -> Result<String, Failed> {
    let program = gosched().get_program().to_owned();
    let folder = Path::new(&program).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command
        .args(words)
        .args(["-c", script])
        .env("GOSCHED", &program)
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "dumb")
        .env("HOME", std::env::temp_dir())
        .env("PATH", format!("{}:{path}", folder.display()));
    let ran = run(&mut command, b"", Duration::from_secs(60));
    if ran.end != End::Exit(0) || !ran.stderr.is_empty() {
        return Err(format!("{shell}: {:?}\n{}{}", ran.end, ran.stdout, ran.stderr).into());
    }
    Ok(ran.stdout)
}

fn is(want: &str, have: &str) -> Result<(), Failed> {
    match want == have {
        true => Ok(()),
        false => Err(format!("{have:?}, not {want:?}").into()),
    }
}

fn bash() -> Result<(), Failed> {
    let script = r#"
        source <("$GOSCHED" completions bash)
        try() {
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            _gosched gosched "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
        }
        try gosched --with
        try gosched --without runn
        try gosched --without = st
        try gosched dis
        try gosched check --all
        try gosched completions z
        complete -p gosched
    "#;
    let have = says("bash", &["--norc"], script)?;
    let (have, how) = have.trim_end().rsplit_once('\n').unwrap_or_default();
    is(
        "--without\nrunnext runnext-backoff\nsteal\ndisasm\n--all-errors\nzsh",
        have,
    )?;
    match how.contains("-F _gosched") {
        true => Ok(()),
        false => Err(how.into()),
    }
}

fn fish() -> Result<(), Failed> {
    let script = r#"
        $GOSCHED completions fish | source
        for line in "gosched --with" "gosched --without=runn" "gosched dis" "gosched check --all"
            complete -C "$line" | string split -f1 \t
        end
    "#;
    let have = says("fish", &["--no-config"], script)?;
    is(
        "--without\n--without=runnext\n--without=runnext-backoff\ndisasm\n--all-errors\n",
        &have,
    )
}

/// Zsh completes at a terminal only: here it loads the script, which has the words in it.
fn zsh() -> Result<(), Failed> {
    let script = r#"
        autoload -U compinit && compinit -u -D
        source <("$GOSCHED" completions zsh)
        whence -w _gosched
        print $_comps[gosched]
        [[ $functions[_gosched] == *--without=*runnext*steal* ]] && print mechanisms
    "#;
    let have = says("zsh", &["-f"], script)?;
    is("_gosched: function\n_gosched\nmechanisms\n", &have)
}

fn man() -> Result<(), Failed> {
    let script = r#""$GOSCHED" man > "$0"; MANWIDTH=100 man --warnings -l "$0""#;
    let file = std::env::temp_dir().join(format!("gosched-man-{}", std::process::id()));
    let script = script.replace("$0", &file.display().to_string());
    let page = says("sh", &[], &script);
    let _ = std::fs::remove_file(file);
    let page = page?;
    for part in [
        "EXAMPLES",
        "--without=MECH",
        "EXIT STATUS",
        "GOMAXPROCS",
        "--watch",
    ] {
        if !page.contains(part) {
            return Err(format!("no {part} in\n{page}").into());
        }
    }
    Ok(())
}

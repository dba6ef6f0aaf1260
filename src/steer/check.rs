//! A command that says whether what a run has printed is right.

use rustix::fs::{MemfdFlags, memfd_create};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::Command;

/// The exit status of a shell that cannot run a command, and of one that does not find it.
const NOT_RUN: [i32; 2] = [126, 127];

/// See the module. A run's output is its standard input; it is wrong if it exits with another
/// status than 0.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Check {
    /// What a shell is told.
    command: String,
    /// What was said of outputs: nothing of those that are right.
    judged: RefCell<BTreeMap<Vec<u8>, Option<String>>>,
}

impl Check {
    pub(crate) fn new(command: String) -> Check {
        Check {
            command,
            judged: RefCell::default(),
        }
    }

    /// What is wrong with `output`: the first line that the command prints, if it prints one.
    pub(super) fn judge(&self, output: &[u8]) -> io::Result<Option<String>> {
        if let Some(judged) = self.judged.borrow().get(output) {
            return Ok(judged.clone());
        }
        let judged = self.ask(output)?;
        let mut all = self.judged.borrow_mut();
        all.insert(output.to_vec(), judged.clone());
        Ok(judged)
    }

    fn ask(&self, output: &[u8]) -> io::Result<Option<String>> {
        let mut input = File::from(memfd_create("gosched-output", MemfdFlags::CLOEXEC)?);
        input.write_all(output)?;
        input.rewind()?;
        let shell = Command::new("sh")
            .args(["-c", &self.command])
            .stdin(input)
            .output()?;
        let told = [shell.stdout, shell.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        let first = told.lines().next().unwrap_or_default().to_string();
        match shell.status.code() {
            Some(0) => Ok(None),
            Some(status) if NOT_RUN.contains(&status) => {
                Err(io::Error::other(format!("--check: {first}")))
            }
            _ => Ok(Some(first)),
        }
    }
}

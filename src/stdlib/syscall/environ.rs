//! The program's environment.
//!
//! It is the program's own copy: Setenv changes that, and what the program starts gets it. The
//! process's environment is left alone, since it cannot be changed safely beside other threads.
//! Packages syscall, os and time and all settings of GODEBUG are read from here; `runtime` alone
//! asks for the environment as it was at the start, as in Go.
//!
//! Go: syscall/env_unix.go.

use std::os::unix::ffi::OsStringExt;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use gosched_runtime::knobs;
use rustc_hash::FxHashMap;

use vm::native::GoStr;

/// Entries `key=value` in the order in which they were first set; removed ones are empty.
#[derive(Debug, Default)]
struct Environment {
    entries: Vec<Vec<u8>>,
    /// Where the entry of a key is.
    places: FxHashMap<Vec<u8>, usize>,
}

impl Environment {
    /// The process's; of several entries for one key the first counts.
    fn of_process() -> Environment {
        let mut all = Environment::default();
        for (key, value) in std::env::vars_os() {
            let key = key.into_vec();
            if !all.places.contains_key(&key) {
                all.set(key, &value.into_vec());
            }
        }
        all
    }

    fn get(&self, key: &[u8]) -> Option<&[u8]> {
        let place = *self.places.get(key)?;
        self.entries[place].get(key.len() + 1..)
    }

    fn set(&mut self, key: Vec<u8>, value: &[u8]) {
        let entry = [&key, value].join(&b'=');
        match self.places.get(&key) {
            Some(&place) => self.entries[place] = entry,
            None => {
                self.places.insert(key, self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    fn unset(&mut self, key: &[u8]) {
        if let Some(place) = self.places.remove(key) {
            self.entries[place] = Vec::new();
        }
    }
}

/// Natives hold the lock for a look-up only.
fn environment() -> MutexGuard<'static, Environment> {
    static ENVIRONMENT: OnceLock<Mutex<Environment>> = OnceLock::new();
    ENVIRONMENT
        .get_or_init(|| Mutex::new(Environment::of_process()))
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// The value of a variable.
pub(crate) fn get(key: &[u8]) -> Option<Vec<u8>> {
    // Read before the lock is taken: a name with nil data faults, and the native ends there.
    let key = key.to_vec();
    environment().get(&key).map(<[u8]>::to_vec)
}

/// Sets a variable; false if its name or the value cannot be one's.
pub(crate) fn set(key: &[u8], value: &[u8]) -> bool {
    let valid =
        !key.is_empty() && !key.iter().any(|b| matches!(b, b'=' | 0)) && !value.contains(&0);
    if valid {
        // Read before the lock is taken, as above.
        let key = key.to_vec();
        environment().set(key.clone(), value);
        follow(&key, value);
    }
    valid
}

/// Removes a variable.
pub(crate) fn unset(key: &[u8]) {
    let key = key.to_vec();
    environment().unset(&key);
    follow(&key, b"");
}

/// Tells the runtime that a variable has changed of which it reads settings while programs run.
fn follow(key: &[u8], value: &[u8]) {
    if key == b"GODEBUG" {
        knobs::follow_godebug(&String::from_utf8_lossy(value));
    }
}

/// Removes all variables.
pub(crate) fn clear() {
    *environment() = Environment::default();
    follow(b"GODEBUG", b"");
}

/// All entries, `key=value` each.
pub(crate) fn all() -> Vec<Vec<u8>> {
    let set = |entry: &&Vec<u8>| !entry.is_empty();
    environment().entries.iter().filter(set).cloned().collect()
}

/// The value that a variable had when the program started.
pub(crate) fn at_start(key: &GoStr) -> Option<Vec<u8>> {
    std::env::var_os(key.to_text()).map(OsStringExt::into_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order() {
        let mut e = Environment::default();
        for (key, value) in [("A", "1"), ("B", "2"), ("C", "3"), ("A", "x=y")] {
            e.set(key.into(), value.as_bytes());
        }
        e.unset(b"B");
        e.set(b"B".to_vec(), b"");
        assert_eq!(e.get(b"A"), Some(&b"x=y"[..]));
        assert_eq!(e.get(b"B"), Some(&b""[..]));
        assert_eq!(e.get(b"D"), None);
        let all: Vec<_> = e
            .entries
            .iter()
            .map(|x| str::from_utf8(x).unwrap())
            .collect();
        assert_eq!(all, ["A=x=y", "", "C=3", "B="]);
    }
}

#![allow(unsafe_code)]
//! Labels of goroutines, which the program keeps as a `*labelMap` of package runtime/pprof.
//!
//! # Invariants
//!
//! - L1. `G::labels` is 0 or a `*labelMap`: a slice of pairs of strings, which nobody changes.
//! - L2. A `*labelMap` that a sample of the profile of time may name is in [`KEPT`], whose words
//!   are roots, until the profile has been written.
//!
//! Go: runtime/pprof/label.go, runtime/proflabel.go.

use std::fmt::Write;
use std::sync::Mutex;

use crate::strconv::natives::core::append_quoted;
use gosched_runtime::prof::{self, cpu};
use rustc_hash::FxHashSet;
use vm::native::{Cx, GoStr};
use vm::roots;

/// See L2.
static KEPT: Mutex<Option<FxHashSet<usize>>> = Mutex::new(None);

/// Key and value of each label.
pub(crate) type Labels = Vec<(String, String)>;

/// The labels at `map`.
///
/// # Safety
/// L1; it lives.
unsafe fn read(map: usize) -> Labels {
    if map == 0 {
        return Labels::new();
    }
    // SAFETY: L1.
    unsafe {
        let [at, n, _] = *(map as *const [usize; 3]);
        let text = |k: usize| {
            let [at, len] = *(at as *const [usize; 2]).add(k);
            GoStr::from_raw(at as *const u8, len).to_text()
        };
        (0..n).map(|k| (text(2 * k), text(2 * k + 1))).collect()
    }
}

/// The labels of a goroutine that stands still.
pub(crate) fn of(g: &prof::Goroutine) -> Labels {
    // SAFETY: L1: they live with the goroutine.
    unsafe { read(g.labels) }
}

/// The labels of a sample.
pub(crate) fn of_sample(map: usize) -> Labels {
    // SAFETY: L2.
    unsafe { read(map) }
}

/// The labels of a program's `*labelMap`.
pub(crate) fn of_map(map: usize) -> Labels {
    // SAFETY: the type of the native's parameter.
    unsafe { read(map) }
}

/// What profiles print of labels. Go: (*labelMap).String.
pub(crate) fn text(labels: &Labels) -> String {
    let mut all: Vec<String> = labels
        .iter()
        .map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)))
        .collect();
    all.sort();
    format!("{{{}}}", all.join(", "))
}

/// Labels in the header of a traceback. Only what must be is quoted. Go: goroutineheader.
fn in_header(map: usize) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['.', '/', '_'].contains(&c);
    let text = |s: &String| match s.chars().all(is_plain) {
        true => s.clone(),
        false => quoted_plainly(s),
    };
    // SAFETY: L1: they live with the goroutine.
    let all = unsafe { read(map) };
    if all.is_empty() {
        return String::new();
    }
    let pairs: Vec<String> = all
        .iter()
        .map(|(key, value)| format!("{}: {}", text(key), text(value)))
        .collect();
    format!(" {{{}}}", pairs.join(", "))
}

/// As Go's runtime quotes. Go: runtime/print.go, printquoted.
fn quoted_plainly(s: &str) -> String {
    let mut out = String::from('"');
    for c in s.chars() {
        // Writing to a String cannot fail.
        let _ = match c {
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '\\' | '"' => write!(out, "\\{c}"),
            ' '..='~' => out.write_char(c),
            _ if u32::from(c) < 127 => write!(out, "\\x{:02x}", u32::from(c)),
            _ if u32::from(c) < 0x1_0000 => write!(out, "\\u{:04x}", u32::from(c)),
            _ => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push('"');
    out
}

fn quoted(s: &str) -> String {
    let mut out = Vec::new();
    append_quoted(&mut out, s.as_bytes(), b'"', false, false);
    String::from_utf8_lossy(&out).into_owned()
}

/// Gives the goroutine labels.
pub(crate) fn set(cx: &mut Cx, map: usize) {
    prof::write_labels_by(in_header);
    cx.g().labels = map;
    keep(map);
}

/// A sample may name the labels from now on.
fn keep(map: usize) {
    if map != 0 && cpu::is_on() {
        let mut kept = KEPT.lock().unwrap_or_else(|e| e.into_inner());
        kept.get_or_insert_default().insert(map);
        roots::keep(kept.iter().flatten().copied().collect());
    }
}

/// As [`keep`], for all that goroutines have when a profile begins.
pub(crate) fn keep_all(all: &[prof::Goroutine]) {
    all.iter().for_each(|g| keep(g.labels));
}

/// The profile has been written.
pub(crate) fn forget() {
    let mut kept = KEPT.lock().unwrap_or_else(|e| e.into_inner());
    *kept = None;
    roots::keep(Vec::new());
}

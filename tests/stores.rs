//! Every pointer that is stored outside frames goes through `heap/write.rs`, where the write
//! barrier is. So each other way of writing to memory that the sources have is listed here
//! with the reason why no such pointer goes that way: a new one is to be thought about. That the
//! reasons are true the corpus shows under `gcstress=1,gccheckmark=1`: marking again with the world
//! stopped finds what was lost.

use regex::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files with how many raw writes they have, and what these write to.
const RAW: &[(&str, usize, &str)] = &[
    (
        "src/bytecode/arena.rs",
        3,
        "code, constants and descriptions, before they are used",
    ),
    (
        "runtime/src/control/points.rs",
        1,
        "a number that an instruction changes, as it was when it was read",
    ),
    (
        "runtime/src/control/log.rs",
        1,
        "records, which are outside of the heap",
    ),
    (
        "src/vm/native/outside.rs",
        1,
        "bytes that a recorded call has written",
    ),
    ("src/vm/exec/bodies.rs", 5, "slots of frames"),
    (
        "src/vm/place.rs",
        7,
        "numbers, lengths, words of types, values without pointers",
    ),
    (
        "src/vm/reflect/call.rs",
        1,
        "a copy of an argument outside of the heap",
    ),
    ("src/vm/exec/regs.rs", 1, "scalars at odd addresses"),
    ("src/vm/tier.rs", 1, "headers of frames"),
    ("src/vm/tier/memory.rs", 1, "native code"),
    (
        "src/vm/map.rs",
        5,
        "keys of numbers, lengths, entries without pointers, an iterator in a frame",
    ),
    (
        "src/vm/native.rs",
        5,
        "bytes, a type word, elements without pointers, fresh memory",
    ),
    (
        "src/stdlib/hash/adler32/natives.rs",
        1,
        "bytes that are summed up",
    ),
    (
        "src/stdlib/syscall/loopback.rs",
        3,
        "bytes and numbers that a system call fills in",
    ),
    (
        "src/vm/place.rs",
        7,
        "numbers, lengths, capacities, a type word",
    ),
    ("src/vm/call.rs", 1, "slots of frames"),
    ("src/vm/reflect/call.rs", 1, "slots of a call"),
    ("src/vm/slice.rs", 2, "elements without pointers"),
    (
        "src/vm/slow/memory.rs",
        3,
        "slots of frames, values without pointers",
    ),
    (
        "src/vm/native/table.rs",
        1,
        "an entry of the table of natives",
    ),
    ("src/vm/string.rs", 4, "bytes and runes"),
    ("src/vm/value.rs", 1, "a word of ours"),
    (
        "runtime/src/chan.rs",
        8,
        "slots of frames, elements without pointers, a fresh channel",
    ),
    (
        "runtime/src/race/clocks.rs",
        1,
        "the detector's threads, which are outside of the heap",
    ),
    ("runtime/src/timer.rs", 1, "a fresh timer without pointers"),
    ("runtime/src/stack.rs", 3, "stacks"),
    ("runtime/src/gc/sweep.rs", 1, "free memory"),
    ("runtime/src/heap/layout.rs", 1, "the table of layouts"),
    ("runtime/src/heap/mcache.rs", 3, "free memory"),
    ("runtime/src/heap/pages.rs", 1, "free memory"),
    ("runtime/src/heap/write.rs", 5, "the place itself"),
];

fn sources(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                if !path.ends_with("tests") && !path.ends_with("sync") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn pointers_are_stored_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let raw = Regex::new(
        r"(?x)
        copy_nonoverlapping | swap_nonoverlapping | write_bytes | write_unaligned | write_volatile
        | ptr::copy\( | ptr::write\b | ptr::swap | ptr::replace | copy_to\b | copy_from\b
        | \.write\((?P<what>\w*)",
    )
    .unwrap();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for folder in ["src/vm", "src/stdlib", "src/bytecode", "runtime/src"] {
        for file in sources(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let n = code
                .lines()
                .filter(|l| !l.trim_start().starts_with("//"))
                .filter(|l| {
                    // `write(cx, …)` writes a native's results to its window;
                    // `write(true)` opens a file.
                    raw.captures(l).is_some_and(|c| {
                        !["cx", "true"].contains(&c.name("what").map_or("", |w| w.as_str()))
                    })
                })
                .count();
            if n > 0 {
                let name = file.strip_prefix(root).unwrap().display().to_string();
                found.insert(name, n);
            }
        }
    }
    let want: BTreeMap<String, usize> = RAW.iter().map(|(f, n, _)| (f.to_string(), *n)).collect();
    let differ: Vec<String> = found
        .iter()
        .filter(|(f, n)| want.get(*f) != Some(n))
        .map(|(f, n)| format!("{f}: {n} raw writes, the table says {:?}", want.get(f)))
        .chain(
            want.keys()
                .filter(|f| !found.contains_key(*f))
                .map(|f| format!("{f}: none left")),
        )
        .collect();
    assert!(
        differ.is_empty(),
        "a pointer must be stored by heap::store_ptr and its kin; \
         say in the table what else is written:\n{}",
        differ.join("\n")
    );
}

/// The natives that write pointers see them as cells, which are written by the functions of that
/// place.
#[test]
fn atomics_on_pointers_use_that_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("src/stdlib/sync/atomic/natives.rs")).unwrap();
    let natives = text.split("\n    \"").skip(1);
    let natives: Vec<(&str, &str)> = natives.filter_map(|n| n.split_once('"')).collect();
    let on_pointers = natives.iter().filter(|(name, _)| name.ends_with("Pointer"));
    let typed = on_pointers.map(|(_, body)| body.contains("p: PtrTo<PointerCell>"));
    assert_eq!(typed.collect::<Vec<_>>(), [true; 4]);
}

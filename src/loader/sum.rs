//! `go.sum`: the hashes of modules, and whether what lies in the module cache is what they say.
//!
//! A module's hash is made of the names and hashes of all its files. That takes as long as reading
//! them, so the result is kept with the numbers by which the system knows the files (size, times,
//! inode): as long as these are the same, the files are not read again.
//!
//! Go: golang.org/x/mod/sumdb/dirhash, cmd/go/internal/modfetch (fetch.go).

use super::goenv;
use super::gomod::ModVersion;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The hashes of `go.sum` files.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// By path and version; those of `go.mod` files have `/go.mod` behind the version.
    hashes: BTreeMap<(String, String), Vec<String>>,
}

impl Sums {
    /// Adds what a file says.
    pub(super) fn add(&mut self, text: &str) {
        for line in text.lines() {
            if let [path, version, hash] = *line.split_whitespace().collect::<Vec<_>>() {
                let key = (path.to_string(), version.to_string());
                self.hashes.entry(key).or_default().push(hash.into());
            }
        }
    }

    fn of(&self, path: &str, version: &str) -> &[String] {
        let key = (path.to_string(), version.to_string());
        self.hashes.get(&key).map_or(&[], |hashes| hashes)
    }

    /// The hash of the module's files, if it is known.
    pub(super) fn hash_of(&self, module: &ModVersion) -> Option<&str> {
        let mut hashes = self.of(&module.path, &module.version).iter();
        hashes
            .find(|hash| hash.starts_with("h1:"))
            .map(String::as_str)
    }

    /// Is there a hash of the module's files?
    pub(super) fn has(&self, module: &ModVersion) -> bool {
        let hashes = self.of(&module.path, &module.version);
        hashes.iter().any(|hash| hash.starts_with("h1:"))
    }

    /// Is the module in `folder` what the hashes say? The error is a message for the user.
    pub(super) fn verify(&self, module: &ModVersion, folder: &Path) -> Result<(), String> {
        let hash =
            hash_of_folder(module, folder).map_err(|e| super::message("open", folder, &e))?;
        let want = self.of(&module.path, &module.version);
        match want.iter().find(|want| want.starts_with("h1:")) {
            Some(want) if *want != hash => Err(format!(
                "verifying {module}: checksum mismatch\n\tdownloaded: {hash}\n\t\
                 go.sum:     {want}\n\t\
                 dir has been modified ({}); to get all modules again:\n\t\
                 go clean -modcache; go mod download",
                folder.display()
            )),
            _ => Ok(()),
        }
    }

    /// Is a module's `go.mod` what the hashes say? The error is a message for the user.
    pub(super) fn verify_mod(&self, module: &ModVersion, text: &[u8]) -> Result<(), String> {
        let want = self.of(&module.path, &format!("{}/go.mod", module.version));
        let hash = hash(&[("go.mod".into(), hex(text))]);
        match want.iter().find(|want| want.starts_with("h1:")) {
            Some(want) if *want != hash => Err(format!(
                "verifying {module}/go.mod: checksum mismatch\n\tdownloaded: {hash}\n\tgo.sum:     \
                 {want}"
            )),
            _ => Ok(()),
        }
    }
}

/// The hash of the module whose files lie in `folder`.
fn hash_of_folder(module: &ModVersion, folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let mut print = Sha256::new();
    for (name, known) in &files {
        print.update(format!("{name} {known:?}\n"));
    }
    let print = format!("{module} {}", hex_of(&print.finalize()));
    let kept = kept_at(folder);
    if let Some(text) = kept
        .as_ref()
        .and_then(|at| std::fs::read_to_string(at).ok())
        && let Some(hash) = text.strip_prefix(&print).and_then(|t| t.strip_prefix('\n'))
    {
        return Ok(hash.trim_end().to_string());
    }
    let mut hashes = Vec::new();
    for (name, _) in &files {
        let bytes = std::fs::read(folder.join(name))?;
        hashes.push((format!("{module}/{name}"), hex(&bytes)));
    }
    let hash = hash(&hashes);
    if let Some(at) = kept {
        // That it cannot be kept costs time only.
        let _ = at.parent().map(std::fs::create_dir_all);
        let part = at.with_extension(std::process::id().to_string());
        let written = std::fs::write(&part, format!("{print}\n{hash}\n"));
        let _ = written.and_then(|()| std::fs::rename(&part, &at));
    }
    Ok(hash)
}

/// Where the hash of a folder is kept.
fn kept_at(folder: &Path) -> Option<PathBuf> {
    let name = hex(folder.as_os_str().as_encoded_bytes());
    Some(goenv::own_cache()?.join("modules").join(&name[..32]))
}

/// The files below a folder, and by what each is known again.
fn collect(root: &Path, below: &str, files: &mut Vec<(String, [i64; 5])>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(below))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = match below {
            "" => name,
            _ => format!("{below}/{name}"),
        };
        let meta = std::fs::metadata(entry.path())?;
        match meta.is_dir() {
            true => collect(root, &name, files)?,
            false => {
                let times = [meta.mtime(), meta.mtime_nsec(), meta.ctime_nsec()];
                let [a, b, c] = times;
                files.push((name, [meta.len() as i64, meta.ino() as i64, a, b, c]));
            }
        }
    }
    Ok(())
}

/// Hash 1 of files, by their names and hashes.
fn hash(files: &[(String, String)]) -> String {
    let mut whole = Sha256::new();
    for (name, hash) in files {
        whole.update(format!("{hash}  {name}\n"));
    }
    format!("h1:{}", base64(&whole.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    hex_of(&Sha256::digest(bytes))
}

fn hex_of(digest: &[u8]) -> String {
    let mut text = String::new();
    for byte in digest {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= group.len() {
                letter as char
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_base_64() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64(b"M"), "TQ==");
    }

    /// As `go.sum` has it.
    #[test]
    fn the_hash_of_a_go_mod() {
        let text = b"module example.com/alpha\n\ngo 1.27\n";
        let want = "h1:wS8ojZX9J+e+DB3zqRP2c9sa1bzuioc+95RBIndpKTA=";
        assert_eq!(hash(&[("go.mod".into(), hex(text))]), want);
    }
}

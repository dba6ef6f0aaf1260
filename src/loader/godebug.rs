//! The settings of GODEBUG: which there are, and which ones a program has by itself.
//!
//! What the environment says of a setting counts; then, the later the stronger: what the setting
//! was in the version of Go that the main module names, that module's `godebug` lines (a
//! workspace's in their place), and `//go:debug` lines above the package clauses of the main
//! package. `default=go1.N` among these lines names another version.
//!
//! [`SETTINGS`] and [`REMOVED`] are what Go 1.27.3 lists in internal/godebugs: names, versions and
//! values.
//!
//! Go: cmd/go/internal/load (godebug.go), cmd/go/internal/modload (CheckGodebug).

use super::gomod::{self, Version};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The settings, each with the N of the version go1.N that has changed what it is where nobody sets
/// it, and with what it was before.
const SETTINGS: &[(&str, Option<(u32, &str)>)] = &[
    ("allowmultiplevcs", None),
    ("containermaxprocs", Some((25, "0"))),
    ("cryptocustomrand", Some((26, "1"))),
    ("dataindependenttiming", None),
    ("decoratemappings", Some((25, "0"))),
    ("embedfollowsymlinks", None),
    ("execerrdot", None),
    ("fips140", None),
    ("fips140ems", None),
    ("gocachehash", None),
    ("gocachetest", None),
    ("gocacheverify", None),
    ("gotestjsonbuildtext", Some((24, "1"))),
    ("htmlmetacontenturlescape", None),
    ("http2client", None),
    ("http2debug", None),
    ("http2server", None),
    ("httpcookiemaxnum", Some((24, "0"))),
    ("httplaxcontentlength", Some((22, "1"))),
    ("httpmuxgo121", Some((22, "1"))),
    ("httpservecontentkeepheaders", Some((23, "1"))),
    ("httpservecontentmaxranges", Some((26, "1"))),
    ("installgoroot", None),
    ("jstmpllitinterp", None),
    ("multipartmaxheaders", None),
    ("multipartmaxparts", None),
    ("multipathtcp", Some((24, "0"))),
    ("netdns", None),
    ("netedns0", Some((19, "0"))),
    ("panicnil", Some((21, "1"))),
    ("randautoseed", None),
    ("randseednop", Some((24, "0"))),
    ("rsa1024min", Some((24, "0"))),
    ("tarinsecurepath", None),
    ("tlsmaxrsasize", None),
    ("tlsmlkem", Some((24, "0"))),
    ("tlssecpmlkem", Some((26, "0"))),
    ("tlssha1", Some((25, "1"))),
    ("tracebacklabels", Some((27, "0"))),
    ("updatemaxprocs", Some((25, "0"))),
    ("urlmaxqueryparams", Some((24, "0"))),
    ("urlstrictcolons", Some((26, "0"))),
    ("winreadlinkvolume", Some((23, "0"))),
    ("winsymlink", Some((23, "0"))),
    ("x509negativeserial", Some((23, "1"))),
    ("x509rsacrt", Some((24, "0"))),
    ("x509sha256skid", Some((25, "0"))),
    ("x509sslcertoverrideplatform", Some((27, "0"))),
    ("x509usefallbackroots", None),
    ("x509usepolicies", Some((24, "0"))),
    ("zipinsecurepath", None),
];

/// Settings that are no more, with the N of the version go1.N that has removed them and the values
/// that nobody can ask for since.
const REMOVED: &[(&str, u32, &[&str])] = &[
    ("x509sha1", 24, &["1"]),
    ("tlskyber", 24, &["0"]),
    ("gotypesalias", 27, &["0"]),
    ("tlsunsafeekm", 27, &["1"]),
    ("tlsrsakex", 27, &["1"]),
    ("tls3des", 27, &["1"]),
    ("tls10server", 27, &["1"]),
    ("x509keypairleaf", 27, &["0"]),
    ("asynctimerchan", 27, &["1", "2"]),
];

/// A setting that a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub key: String,
    pub value: String,
}

impl Setting {
    /// The setting that `key=value` asks for.
    pub(super) fn parse(text: &str) -> Option<Setting> {
        let (key, value) = text.split_once('=')?;
        Some(Setting {
            key: key.to_string(),
            value: value.to_string(),
        })
    }

    /// Can it be asked for? The error is Go's, which calls the setting `what`.
    pub(super) fn check(&self, what: &str) -> Result<(), String> {
        let Setting { key, value } = self;
        for (c, name) in [([' ', '\t'], "space"), ([',', ','], "comma")] {
            for (text, part) in [(key, "key"), (value, "value")] {
                if text.contains(c) {
                    return Err(format!("{part} contains {name}"));
                }
            }
        }
        if key == "default" {
            let version = value.strip_prefix("go").and_then(Version::parse);
            return match version {
                None => Err("value for default= must be goVERSION".into()),
                Some(version) if version.is_too_new() => {
                    let (n, m) = source::GO;
                    let local = format!("toolchain is go1.{n}.{m}");
                    Err(format!("default={value} too new ({local})"))
                }
                Some(_) => Ok(()),
            };
        }
        if SETTINGS.iter().any(|(name, _)| name == key) {
            return self.refusal().map_or(Ok(()), Err);
        }
        match removed(key, value) {
            Some(Ok(())) => Ok(()),
            Some(Err(why)) => Err(format!("{why} ({})", page_of(key))),
            None => Err(format!("unknown {what} {key:?}")),
        }
    }

    /// Why we do not do what it asks for, if programs could see that.
    fn refusal(&self) -> Option<String> {
        let Setting { key, value } = self;
        let why = match &**key {
            "fips140" if value != "off" => "there is no FIPS 140-3 mode",
            "http2debug" if value == "1" || value == "2" => "HTTP/2 writes no log",
            "netdns" if value.contains(|c: char| c.is_ascii_digit()) => {
                "the resolver does not tell what it does"
            }
            _ => return None,
        };
        Some(format!("unsupported: {key}={value}: {why}"))
    }
}

/// Is it a setting that is no more? The error says that the value cannot be asked for.
fn removed(key: &str, value: &str) -> Option<Result<(), String>> {
    let (_, _, old) = REMOVED.iter().find(|(name, ..)| *name == key)?;
    Some(match old.contains(&value) {
        true => Err(format!(
            "removed GODEBUG {key:?} set to old value {value:?}"
        )),
        false => Ok(()),
    })
}

/// Where Go tells of a setting that is no more.
fn page_of(key: &str) -> String {
    let version = REMOVED.iter().find(|(name, ..)| *name == key);
    let version = version.map_or(0, |(_, version, _)| *version);
    format!("https://go.dev/doc/godebug#go-1{version}")
}

/// What is wrong with GODEBUG in the environment: a setting that is no more has a value that nobody
/// can ask for.
pub fn wrong_in_environment(list: &str) -> Option<String> {
    let settings = list.split(',').filter_map(Setting::parse);
    settings.into_iter().find_map(|Setting { key, value }| {
        let why = removed(&key, &value)?.err()?;
        Some(format!("{why} in environment ({})", page_of(&key)))
    })
}

/// What a program has by itself: the value of GODEBUG that stands below that of the environment.
/// Its main module is of version go1.`lang`, and the later `asked` are the stronger ones.
pub fn defaults<'s>(lang: u32, asked: impl IntoIterator<Item = &'s Setting>) -> String {
    let mut asked: BTreeMap<&str, &str> = asked
        .into_iter()
        .map(|Setting { key, value }| (&**key, &**value))
        .collect();
    let version = asked.remove("default");
    let version = version.and_then(|v| Version::parse(v.strip_prefix("go").unwrap_or(v)));
    let lang = version.map_or(lang, |v| v.minor.parse().unwrap_or(gomod::DEFAULT));
    let old = SETTINGS.iter().filter_map(|&(name, changed)| {
        let (since, value) = changed?;
        (lang < since).then_some((name, value))
    });
    let mut all: BTreeMap<&str, &str> = old.collect();
    all.extend(asked);
    let mut list = String::new();
    for (key, value) in all {
        let comma = if list.is_empty() { "" } else { "," };
        let _ = write!(list, "{comma}{key}={value}");
    }
    list
}

/// A `//go:debug` line: where it begins in its file, and what it asks for or what is wrong with it.
pub type Line = (usize, Result<Setting, String>);

/// The `//go:debug` lines above the package clause.
pub fn lines(text: &str) -> Vec<Line> {
    comments(text).0
}

/// Where the first thing of a text begins that is no comment.
pub fn end_of_comments(text: &str) -> usize {
    comments(text).1
}

/// The `//go:debug` lines among the comments that a text begins with, and the end of these.
fn comments(text: &str) -> (Vec<Line>, usize) {
    let mut found = Vec::new();
    let (mut at, mut in_comment) = (0, false);
    while at < text.len() {
        let rest = &text[at..];
        if in_comment {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            in_comment = false;
        } else if rest.starts_with("/*") {
            at += 2;
            in_comment = true;
        } else if rest.starts_with("//") {
            let line = rest.lines().next().unwrap_or("");
            found.extend(line_of(line).map(|line| (at, line)));
            at += line.len();
        } else if rest.starts_with(|c: char| c.is_whitespace() || c == '\u{feff}') {
            at += rest.chars().next().map_or(1, char::len_utf8);
        } else {
            break;
        }
    }
    (found, at)
}

/// What a comment asks for, if it is such a line.
fn line_of(comment: &str) -> Option<Result<Setting, String>> {
    let rest = comment.strip_prefix("//go:debug")?;
    let missing = || Err("missing key=value".to_string());
    if rest.trim().is_empty() {
        return Some(missing());
    }
    let text = rest.strip_prefix([' ', '\t'])?.trim();
    let Some(setting) = Setting::parse(text) else {
        return Some(missing());
    };
    Some(setting.check("//go:debug setting").map(|()| setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(text: &str) -> Setting {
        Setting::parse(text).unwrap()
    }

    #[test]
    fn the_later_is_the_stronger() {
        assert_eq!(defaults(27, []), "");
        assert_eq!(
            defaults(26, []),
            "tracebacklabels=0,x509sslcertoverrideplatform=0"
        );
        let asked = [
            "default=go1.26",
            "panicnil=1",
            "panicnil=0",
            "tracebacklabels=1",
        ];
        let asked: Vec<Setting> = asked.iter().map(|text| setting(text)).collect();
        let want = "panicnil=0,tracebacklabels=1,x509sslcertoverrideplatform=0";
        assert_eq!(defaults(17, &asked), want);
        assert!(defaults(16, []).contains("netedns0=0,panicnil=1,"));
    }

    #[test]
    fn lines_stand_above_the_package_clause() {
        let text = "// c\n/* //go:debug panicnil=1\n*/\n\n//go:debug panicnil=1\n\
                    //go:debug\n//go:debug x=1\n//go:debugger\npackage p\n//go:debug y=1\n";
        let found: Vec<String> = lines(text)
            .into_iter()
            .map(|(at, line)| format!("{at} {}", line.map_or_else(|e| e, |s| s.value)))
            .collect();
        let unknown = "67 unknown //go:debug setting \"x\"";
        assert_eq!(found, ["34 1", "56 missing key=value", unknown]);
    }

    #[test]
    fn settings_are_refused_as_by_go() {
        for (text, want) in [
            ("panicnil=1", ""),
            ("default=go1.21", ""),
            ("asynctimerchan=0", ""),
            ("default=1.21", "value for default= must be goVERSION"),
            (
                "default=go1.99",
                "default=go1.99 too new (toolchain is go1.27.3)",
            ),
            ("a,b=1", "key contains comma"),
            ("a=1 2", "value contains space"),
            ("foo=1", "unknown godebug \"foo\""),
            (
                "asynctimerchan=2",
                "removed GODEBUG \"asynctimerchan\" set to old value \"2\" \
                 (https://go.dev/doc/godebug#go-127)",
            ),
            (
                "fips140=on",
                "unsupported: fips140=on: there is no FIPS 140-3 mode",
            ),
        ] {
            let said = setting(text).check("godebug").err().unwrap_or_default();
            assert_eq!(said, want, "{text}");
        }
    }
}

//! `-json`: what a test prints, as lines of JSON.
//!
//! The test runs with `-test.v=test2json` and marks the lines that say what it does, so that what
//! tests print cannot be mistaken for them.
//!
//! Go: cmd/internal/test2json.

use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Serialize, Default)]
#[serde(rename_all = "PascalCase")]
struct Event {
    #[serde(skip_serializing_if = "String::is_empty")]
    time: String,
    action: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    package: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    import_path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    test: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    elapsed: Option<serde_json::Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    output_type: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    failed_build: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    key: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    value: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
}

/// ^V: a line that says what is done begins.
const FRAMING: u8 = 0x16;
/// ^O and ^N: an error begins, and ends.
const ERROR_BEGIN: u8 = 0x0f;
const ERROR_END: u8 = 0x0e;
/// ^[: the next byte is no mark.
const ESCAPE: u8 = 0x1b;

/// So much of a line without an end is waited for.
const LINE: usize = 4096;
/// So much is in one piece of output.
const PIECE: usize = 1024;

/// The states of a test that are told of.
const UPDATES: &[&str] = &[
    "=== RUN   ",
    "=== PAUSE ",
    "=== CONT  ",
    "=== NAME  ",
    "=== PASS  ",
    "=== FAIL  ",
    "=== SKIP  ",
    "=== ATTR  ",
    "=== ARTIFACTS ",
];
const REPORTS: &[&str] = &["--- PASS: ", "--- FAIL: ", "--- SKIP: ", "--- BENCH: "];

/// Makes events of what the test of a package prints.
pub(super) struct Converter {
    package: String,
    start: Instant,
    /// The test that prints.
    test: String,
    /// Results that wait for what belongs to them, of tests below each other.
    results: Vec<Event>,
    result: &'static str,
    /// Only marked lines say what is done.
    wants_marks: bool,
    in_error: bool,
    is_escaped: bool,
    lines: Lines,
    /// What is printed of the test, up to a piece.
    output: Lines,
}

/// A converter that begins when there is something to tell: what is told of the build comes first.
pub(super) struct Teller {
    package: String,
    converter: Option<Converter>,
}

impl Teller {
    pub(super) fn new(package: &str) -> Teller {
        Teller {
            package: package.to_string(),
            converter: None,
        }
    }

    pub(super) fn converter(&mut self) -> &mut Converter {
        self.converter
            .get_or_insert_with(|| Converter::new(&self.package))
    }

    pub(super) fn finish(mut self, is_well: bool, failed_build: &str) {
        self.converter();
        if let Some(converter) = self.converter {
            converter.finish(is_well, failed_build);
        }
    }
}

/// What has come of a line.
#[derive(Default)]
struct Lines {
    pending: Vec<u8>,
    /// In the midst of a line whose begin has been taken.
    in_line: bool,
    is_escaped: bool,
}

/// A line, or a part of one.
enum Part {
    Line(Vec<u8>),
    Piece(Vec<u8>),
}

impl Lines {
    /// Takes what can be taken when these bytes have come.
    fn take(&mut self, mut bytes: &[u8], room: usize) -> Vec<Part> {
        let mut parts = Vec::new();
        while !bytes.is_empty() {
            let some = bytes.len().min(room - self.pending.len());
            self.pending.extend_from_slice(&bytes[..some]);
            bytes = &bytes[some..];
            let mut from = 0;
            while from < self.pending.len() {
                let Some(length) = self.end_of_line(from) else {
                    let rest = &self.pending[from..];
                    if !self.in_line
                        && let Some(tab) = rest.iter().position(|&b| b == b'\t')
                        && is_benchmark(&rest[..tab])
                    {
                        // One wants to see which benchmark runs.
                        parts.push(Part::Piece(rest[..=tab].to_vec()));
                        self.in_line = true;
                        from += tab + 1;
                    }
                    break;
                };
                let line = self.pending[from..from + length].to_vec();
                parts.push(match std::mem::take(&mut self.in_line) {
                    true => Part::Piece(line),
                    false => Part::Line(line),
                });
                from += length;
            }
            if from == 0 && self.pending.len() == room {
                from = whole_characters(&self.pending);
                parts.push(Part::Piece(self.pending[..from].to_vec()));
                self.in_line = true;
            }
            self.pending.drain(..from);
        }
        parts
    }

    /// How long the line is that begins at `from`, with its end; before a mark another begins.
    fn end_of_line(&mut self, from: usize) -> Option<usize> {
        for (i, &byte) in self.pending[from..].iter().enumerate() {
            match byte {
                b'\n' => return Some(i + 1),
                _ if self.is_escaped => self.is_escaped = false,
                ESCAPE => self.is_escaped = true,
                FRAMING if i > 0 => return Some(i),
                _ => (),
            }
        }
        None
    }
}

fn is_benchmark(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let rest = text.trim_end_matches(' ').strip_prefix("Benchmark");
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// How much of the bytes ends with a whole character.
fn whole_characters(bytes: &[u8]) -> usize {
    for i in 1..=3.min(bytes.len()) {
        let byte = bytes[bytes.len() - i];
        if byte & 0xc0 != 0x80 {
            let length = match byte {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => 1,
            };
            return if i < length {
                bytes.len() - i
            } else {
                bytes.len()
            };
        }
    }
    bytes.len()
}

impl Converter {
    pub(super) fn new(package: &str) -> Converter {
        let converter = Converter {
            package: package.to_string(),
            start: Instant::now(),
            test: String::new(),
            results: Vec::new(),
            result: "",
            wants_marks: false,
            in_error: false,
            is_escaped: false,
            lines: Lines::default(),
            output: Lines::default(),
        };
        converter.tell(Event {
            action: "start".into(),
            ..Event::default()
        });
        converter
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        for part in self.lines.take(bytes, LINE) {
            match part {
                Part::Line(line) => self.line(line),
                Part::Piece(piece) => self.print(&piece, false),
            }
        }
    }

    /// The test has ended so; `failed_build` is the package that could not be built.
    pub(super) fn finish(mut self, is_well: bool, failed_build: &str) {
        match is_well {
            true if self.result == "skip" => (),
            true => self.result = "pass",
            false => self.result = "fail",
        }
        let rest = std::mem::take(&mut self.lines.pending);
        self.print(&rest, false);
        self.flush(false);
        let elapsed = Duration::from_millis((self.start.elapsed().as_micros() as u64 + 500) / 1000);
        let failed_build = match self.result {
            "fail" => failed_build.to_string(),
            _ => String::new(),
        };
        self.tell(Event {
            action: self.result.into(),
            elapsed: number(elapsed.as_secs_f64()),
            failed_build,
            ..Event::default()
        });
    }

    fn line(&mut self, line: Vec<u8>) {
        let Some(&first) = line.first() else { return };
        if self.wants_marks && first != FRAMING {
            return self.print(&line, false);
        }
        let is_marked = first == FRAMING;
        if is_marked {
            self.flush(false);
        }
        let mut line = line[usize::from(is_marked)..].to_vec();
        let text = String::from_utf8_lossy(&line).into_owned();
        let mut trimmed = text.strip_suffix('\n').unwrap_or(&text);
        trimmed = match text.ends_with('\n') {
            true => trimmed.strip_suffix('\r').unwrap_or(trimmed),
            false => trimmed,
        };
        let mut text = text.clone();
        if trimmed == "=== NAME" {
            line = b"=== NAME  \n".to_vec();
            text = "=== NAME  \n".into();
        }
        if trimmed == "PASS" || trimmed == "FAIL" || trimmed.starts_with("FAIL\t") {
            self.results_from(0);
            self.test.clear();
            self.wants_marks = is_marked;
            self.print(&line, true);
            self.result = if trimmed == "PASS" { "pass" } else { "fail" };
            return;
        }
        let has_no_tests = text.starts_with("?   \t") && trimmed.ends_with("\t[no test files]");
        if has_no_tests && self.results.is_empty() {
            self.result = "skip";
        }
        if UPDATES.iter().any(|update| text.starts_with(update)) {
            self.wants_marks = is_marked;
            return self.update(&text, &line);
        }
        let mut rest = text.as_str();
        let mut depth = 0;
        while let Some(next) = rest.strip_prefix("    ") {
            rest = next;
            depth += 1;
        }
        if !REPORTS.iter().any(|report| rest.starts_with(report)) {
            if depth > 0 && depth <= self.results.len() {
                self.test = self.results[depth - 1].test.clone();
            }
            return self.print(&line, false);
        }
        if self.results.len() < depth {
            // Somebody prints what looks like a report.
            return self.print(&line, false);
        }
        let (action, mut name) = split(rest);
        let mut elapsed = None;
        if let Some(at) = name.find(" (") {
            let time = name[at + 2..].strip_suffix("s)");
            elapsed = time.and_then(|t| t.parse().ok()).and_then(number);
            name.truncate(at);
        }
        self.wants_marks = is_marked;
        self.results_from(depth);
        self.test.clone_from(&name);
        self.results.push(Event {
            action,
            test: name,
            elapsed,
            ..Event::default()
        });
        self.print(&line, true);
    }

    /// A line that says what a test does.
    fn update(&mut self, text: &str, line: &[u8]) {
        let (action, mut name) = split(text);
        let mut event = Event::default();
        match action.as_str() {
            "artifacts" => (name, event.path) = cut(&name),
            "attr" => {
                let (test, rest) = cut(&name);
                name = test;
                (event.key, event.value) = cut(&rest);
            }
            _ => (),
        }
        self.results_from(0);
        self.test = name;
        if action == "name" {
            return;
        }
        let is_pause = action == "pause";
        event.action = action;
        if is_pause {
            self.print(line, true);
        }
        self.tell(event);
        if !is_pause {
            self.print(line, true);
        }
    }

    /// Tells the results that wait, down to those at `depth`.
    fn results_from(&mut self, depth: usize) {
        self.test.clear();
        while self.results.len() > depth {
            let Some(event) = self.results.pop() else {
                return;
            };
            self.tell(event);
        }
    }

    fn print(&mut self, bytes: &[u8], is_frame: bool) {
        for part in self.output.take(bytes, PIECE) {
            let (Part::Line(piece) | Part::Piece(piece)) = part;
            self.piece(piece, is_frame);
        }
    }

    /// Tells what is left of the output.
    fn flush(&mut self, is_frame: bool) {
        let rest = std::mem::take(&mut self.output.pending);
        if !rest.is_empty() {
            self.piece(rest, is_frame);
        }
    }

    /// Tells a piece of output, without its marks.
    fn piece(&mut self, piece: Vec<u8>, is_frame: bool) {
        let mut kind = match (is_frame, self.in_error) {
            (true, _) => "frame",
            (false, true) => "error-continue",
            (false, false) => "",
        };
        let mut out = Vec::with_capacity(piece.len());
        let mut ends_error = false;
        for byte in piece {
            if std::mem::take(&mut ends_error) {
                let is_end = byte == b'\n';
                if is_end {
                    out.push(byte);
                }
                self.told(&mut out, kind);
                (self.in_error, kind) = (false, "");
                if is_end {
                    continue;
                }
            }
            if std::mem::take(&mut self.is_escaped) {
                out.push(byte);
                continue;
            }
            match byte {
                ESCAPE => self.is_escaped = true,
                ERROR_BEGIN => {
                    self.told(&mut out, kind);
                    (self.in_error, kind) = (true, "error");
                }
                ERROR_END => ends_error = true,
                _ => out.push(byte),
            }
        }
        if ends_error {
            self.told(&mut out, kind);
            (self.in_error, kind) = (false, "");
        }
        self.told(&mut out, kind);
    }

    fn told(&mut self, out: &mut Vec<u8>, kind: &'static str) {
        if !out.is_empty() {
            let text = String::from_utf8_lossy(out).into_owned();
            out.clear();
            self.tell(Event {
                action: "output".into(),
                output: Some(text),
                output_type: kind,
                ..Event::default()
            });
        }
    }

    fn tell(&self, mut event: Event) {
        event.package.clone_from(&self.package);
        if event.test.is_empty() {
            event.test.clone_from(&self.test);
        }
        event.time = now();
        say(&event);
    }
}

/// Tells what was printed when a package was built, or that it failed.
pub(super) fn build(package: &str, output: &str) {
    let event = |action: &str, output: Option<String>| Event {
        import_path: package.to_string(),
        action: action.into(),
        output,
        ..Event::default()
    };
    for line in output.split_inclusive('\n') {
        say_in_order(&event("build-output", Some(line.to_string())));
    }
    say_in_order(&event("build-fail", None));
}

/// Events of builds begin with the package.
fn say_in_order(event: &Event) {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let output = match &event.output {
        Some(text) => format!(",\"Output\":{}", escaped(quoted(text))),
        None => String::new(),
    };
    print_line(&format!(
        "{{\"ImportPath\":{},\"Action\":{}{output}}}",
        quoted(&event.import_path),
        quoted(&event.action)
    ));
}

fn say(event: &Event) {
    let text = serde_json::to_string(event).unwrap_or_default();
    print_line(&escaped(text));
}

/// Go's JSON escapes what would be markup, and some that end lines in JavaScript.
fn escaped(json: String) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn print_line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Whole numbers have no point.
fn number(x: f64) -> Option<serde_json::Number> {
    match x.fract() == 0.0 {
        true => Some((x as i64).into()),
        false => serde_json::Number::from_f64(x),
    }
}

/// `=== RUN   TestX` and `--- PASS: TestX (0.00s)`: what is done, in small letters, and the rest.
fn split(line: &str) -> (String, String) {
    let rest = line.get(4..).unwrap_or("");
    let (action, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let action = action.trim_end().trim_end_matches(':').to_lowercase();
    (action, name.trim().to_string())
}

fn cut(text: &str) -> (String, String) {
    let (head, tail) = text.split_once(' ').unwrap_or((text, ""));
    (head.to_string(), tail.to_string())
}

/// The time, in UTC.
fn now() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Days of the era that begins in March of the year 0.
    let z = days as i64 + 719_468;
    let era = z / 146_097;
    let day = z % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = format!("{:09}", since.subsec_nanos());
    let fraction = match fraction.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

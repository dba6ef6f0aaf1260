//! The prompt for programs: requests and replies as JSON, one object in a line.
//!
//! A thread reads requests and hands them to the front thread, but for interrupts, which are for
//! the input that runs. Descriptors 1 and 2 of the program are pipes, as is a third one to which
//! values are shown; a thread each empties them. A mark behind what was written tells that all
//! that came of an input has been told before its reply.
//!
//! `examples/repl-json.md` describes it to users.

use super::commands::{self, Outcome};
use super::front::{Came, Front};
use super::session::Failed;
use gosched_runtime::proc;
use rustix::fs::{Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use vm::prompt;

/// Goes through a pipe behind what has been written, and is not told.
const MARK: &[u8] = b"\0gosched: so far\0";
/// How long the end of the process waits for what is still to be told.
const LAST_WAIT: Duration = Duration::from_millis(200);
/// How long who waits for a mark sleeps at a time.
const STEP: Duration = Duration::from_micros(100);

/// What is asked.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    op: Op,
    #[serde(default)]
    code: String,
    /// In characters; without it, at the end.
    cursor: Option<usize>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Op {
    Eval,
    Complete,
    Inspect,
    IsComplete,
    Interrupt,
}

/// What is answered: only what there is to say.
#[derive(Serialize, Default)]
struct Reply {
    id: serde_json::Value,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Shown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Where what is completed begins, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goroutine: Option<u64>,
}

/// A value and its static type.
#[derive(Serialize, Clone)]
struct Shown {
    text: String,
    r#type: String,
}

#[derive(Serialize)]
struct Fault {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Output { stream: &'static str, text: String },
    Goroutines { live: Vec<Goroutine> },
    Exit,
}

#[derive(Serialize)]
struct Goroutine {
    id: u64,
    state: String,
    place: String,
}

/// What is shared with the threads and with the process's end.
struct Wires {
    /// Standard output, for replies and events.
    out: Mutex<File>,
    pipes: [Pipe; 3],
    values: Mutex<Vec<Shown>>,
    /// Inputs that have been asked for and not been answered.
    pending: AtomicUsize,
}

/// The end of a pipe that the program writes to.
struct Pipe {
    write: File,
    /// Marks written into it, and read from it.
    marks: AtomicU64,
    seen: AtomicU64,
}

static WIRES: OnceLock<Arc<Wires>> = OnceLock::new();

/// The wires, laid before the session begins: values go to the descriptor that is returned.
pub(super) struct Laid {
    wires: Arc<Wires>,
    requests: File,
    reads: [File; 3],
}

impl Laid {
    /// The descriptor for values.
    pub(super) fn values_fd(&self) -> i32 {
        self.wires.pipes[2].write.as_raw_fd()
    }
}

/// Puts pipes in place of standard output and standard error, and nothing in place of standard
/// input.
pub(super) fn lay() -> io::Result<Laid> {
    let own = |fd: io::Result<OwnedFd>| fd.map(File::from);
    let requests = own(rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3).map_err(Into::into))?;
    let out = own(rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3).map_err(Into::into))?;
    let nothing = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty())?;
    rustix::stdio::dup2_stdin(&nothing)?;
    let lay = || -> io::Result<(File, Pipe)> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        let pipe = Pipe {
            write: write.into(),
            marks: AtomicU64::new(0),
            seen: AtomicU64::new(0),
        };
        Ok((read.into(), pipe))
    };
    let ((a, stdout), (b, stderr), (c, values)) = (lay()?, lay()?, lay()?);
    rustix::stdio::dup2_stdout(&stdout.write)?;
    rustix::stdio::dup2_stderr(&stderr.write)?;
    let wires = Arc::new(Wires {
        out: Mutex::new(out),
        pipes: [stdout, stderr, values],
        values: Mutex::new(Vec::new()),
        pending: AtomicUsize::new(0),
    });
    let _ = WIRES.set(wires.clone());
    Ok(Laid {
        wires,
        requests,
        reads: [a, b, c],
    })
}

/// Answers requests to the end of standard input.
pub(super) fn serve(mut front: Front, laid: Laid) -> ! {
    prompt::hear_interrupts();
    prompt::on_exit(|_| end());
    let Laid {
        wires,
        requests,
        reads,
    } = laid;
    let (send, asked) = mpsc::channel();
    let [out, err, values] = reads;
    let (a, b, c, d) = (wires.clone(), wires.clone(), wires.clone(), wires.clone());
    let threads = [
        spawn("stdout", move || a.tell(0, "stdout", out)),
        spawn("stderr", move || b.tell(1, "stderr", err)),
        spawn("values", move || c.gather(values)),
        spawn("requests", move || d.read(requests, &send)),
    ];
    if threads.iter().any(io::Result::is_err) {
        wires.say(&refusal(
            serde_json::Value::Null,
            "no thread for the protocol",
        ));
        proc::exit(2);
    }
    let mut live = Vec::new();
    for request in asked {
        let reply = match request {
            Ok(request) => answer(&mut front, &wires, request),
            Err(reply) => Some(reply),
        };
        let Some(reply) = reply else { break };
        wires.say(&reply);
        let now = goroutines();
        let ids: Vec<u64> = now.iter().map(|g| g.id).collect();
        if ids != live {
            wires.say(&Event::Goroutines { live: now });
            live = ids;
        }
    }
    proc::exit(0)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.into())
        .spawn(work)
        .map(|_| ())
}

/// The goroutines of the program.
fn goroutines() -> Vec<Goroutine> {
    let row = |mut g: prompt::Info| {
        // How long it has waited is no news.
        g.waits = Duration::ZERO;
        let [_, state, place] = commands::row(&g);
        let id = g.id;
        Goroutine { id, state, place }
    };
    commands::live().into_iter().map(row).collect()
}

/// The reply to a request that cannot be understood.
fn refusal(id: serde_json::Value, why: &str) -> Reply {
    Reply {
        id,
        errors: vec![fault(why, "request")],
        ..Reply::default()
    }
}

fn fault(message: &str, kind: &'static str) -> Fault {
    Fault {
        file: None,
        line: None,
        column: None,
        message: message.trim_end().into(),
        kind,
    }
}

/// `None`: the session ends.
fn answer(front: &mut Front, wires: &Wires, request: Request) -> Option<Reply> {
    let mut reply = Reply {
        id: request.id,
        ok: true,
        ..Reply::default()
    };
    let code = request.code;
    let cursor = request.cursor.and_then(|n| code.char_indices().nth(n));
    let cursor = cursor.map_or(code.len(), |(at, _)| at);
    match request.op {
        Op::Eval => {
            let goes_on = eval(front, wires, code, &mut reply);
            wires.pending.fetch_sub(1, Ordering::SeqCst);
            if wires.pending.load(Ordering::SeqCst) == 0 {
                prompt::take_interrupt();
            }
            if !goes_on {
                wires.say(&reply);
                return None;
            }
        }
        Op::Complete => {
            let (from, matches) = match commands::complete(&code[..cursor]) {
                Some(found) => found,
                None => front.session.borrow_mut().complete(&code[..cursor]),
            };
            reply.from = Some(code[..from].chars().count());
            reply.matches = Some(matches);
        }
        Op::Inspect => {
            let name = name_around(&code, cursor);
            let mut session = front.session.borrow_mut();
            reply.text = session.doc(name).map(|text| text.trim_end().to_string());
            reply.ok = reply.text.is_some();
        }
        Op::IsComplete => reply.status = Some(super::session::completeness(&code)),
        Op::Interrupt => {}
    }
    Some(reply)
}

/// The name, with those that qualify it, at a place in a text.
fn name_around(code: &str, at: usize) -> &str {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let end = code[at..]
        .find(|c| !is_part(c))
        .map_or(code.len(), |n| at + n);
    let is_before = |c: char| c == '.' || is_part(c);
    let begin = code[..at].trim_end_matches(is_before).len();
    &code[begin..end]
}

/// Runs an input or command; false: the session ends.
fn eval(front: &mut Front, wires: &Wires, code: String, reply: &mut Reply) -> bool {
    front.place.0 = format!("#{}", front.number);
    front.number += 1;
    let mut goes_on = true;
    if commands::is_command(&code) {
        match commands::run(front, &code) {
            Outcome::Said(text) => reply.text = Some(text.trim_end().to_string()),
            Outcome::Wrong(why) => {
                reply.errors.push(fault(&why, "command"));
                reply.status = Some("refused");
            }
            Outcome::Ran(0) => {}
            Outcome::Ran(_) => reply.status = Some("refused"),
            Outcome::Quit => goes_on = false,
        }
    } else {
        let text = (code + "\n").into_bytes();
        let notes = &mut reply.notes;
        let came = front.evaluate(text, &mut |note| notes.push(note.to_string()));
        reply.status = match came {
            Came::Done => None,
            Came::Refused(why) => {
                reply.errors = faults(why);
                Some("refused")
            }
            Came::Panicked => Some("panicked"),
            Came::Deadlocked => Some("deadlock"),
            Came::Interrupted => Some("interrupted"),
            Came::LeftAlone(id) => {
                reply.goroutine = Some(id);
                Some("interrupted")
            }
        };
    }
    wires.empty(Duration::MAX);
    let mut values = wires.values.lock().unwrap_or_else(PoisonError::into_inner);
    reply.values = std::mem::take(&mut values);
    reply.ok = reply.status.is_none();
    reply.status.get_or_insert("ok");
    goes_on
}

fn faults(why: Failed) -> Vec<Fault> {
    let errors = match why {
        Failed::Fatal(text) => return vec![fault(&text, "fatal")],
        Failed::Errors(errors, _) => errors,
    };
    let one = |e: &syntax::diagnostics::Diagnostic| {
        let place = source::map().position(e.pos);
        Fault {
            file: Some(place.file),
            line: Some(place.line),
            column: Some(place.column),
            message: e.message.clone(),
            kind: if e.is_syntax { "syntax" } else { "type" },
        }
    };
    errors.as_slice().iter().map(one).collect()
}

impl Wires {
    /// Writes a reply or event. That this failed could be told nowhere.
    fn say(&self, what: &impl Serialize) {
        if let Ok(mut line) = serde_json::to_vec(what) {
            line.push(b'\n');
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = out.write_all(&line);
        }
    }

    /// Reads requests to their end.
    fn read(&self, requests: File, send: &mpsc::Sender<Result<Request, Reply>>) {
        for line in BufReader::new(requests).split(b'\n') {
            let Ok(line) = line else { break };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let request = match serde_json::from_slice::<Request>(&line) {
                Ok(request) => request,
                Err(why) => {
                    let any: Option<serde_json::Value> = serde_json::from_slice(&line).ok();
                    let id = any.and_then(|mut any| any.get_mut("id").map(|id| id.take()));
                    let _ = send.send(Err(refusal(id.unwrap_or_default(), &why.to_string())));
                    continue;
                }
            };
            match request.op {
                Op::Interrupt => {
                    if self.pending.load(Ordering::SeqCst) > 0 {
                        prompt::raise_interrupt();
                    }
                    self.say(&Reply {
                        id: request.id,
                        ok: true,
                        ..Reply::default()
                    });
                    continue;
                }
                Op::Eval => _ = self.pending.fetch_add(1, Ordering::SeqCst),
                Op::Complete | Op::Inspect | Op::IsComplete => {}
            }
            if send.send(Ok(request)).is_err() {
                break;
            }
        }
    }

    /// Tells what comes out of a pipe.
    fn tell(&self, pipe: usize, stream: &'static str, mut read: File) {
        self.drain(pipe, &mut read, |text, is_last| {
            // A character may have been cut.
            let whole = match std::str::from_utf8(text) {
                Err(e) if e.error_len().is_none() && !is_last => e.valid_up_to(),
                _ => text.len(),
            };
            if whole > 0 {
                let text = String::from_utf8_lossy(&text[..whole]).into_owned();
                self.say(&Event::Output { stream, text });
            }
            whole
        });
    }

    /// Takes the values out of their pipe: text and type, each with a zero behind it.
    fn gather(&self, mut read: File) {
        self.drain(2, &mut read, |text, _| {
            let mut used = 0;
            let mut rest = text;
            while let Some(a) = rest.iter().position(|&b| b == 0)
                && let Some(b) = rest[a + 1..].iter().position(|&b| b == 0)
            {
                let part = |range: &[u8]| String::from_utf8_lossy(range).into_owned();
                let shown = Shown {
                    text: part(&rest[..a]),
                    r#type: part(&rest[a + 1..a + 1 + b]),
                };
                let values = &self.values;
                values
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(shown);
                used += a + b + 2;
                rest = &rest[a + b + 2..];
            }
            used
        });
    }

    /// Reads a pipe to its end. `take` gets what is there, and whether a mark follows, and says
    /// how much of it it has used.
    fn drain(&self, pipe: usize, read: &mut File, mut take: impl FnMut(&[u8], bool) -> usize) {
        let mut held = Vec::new();
        let mut chunk = [0; 1 << 16];
        while let Ok(n) = read.read(&mut chunk) {
            if n == 0 {
                break;
            }
            held.extend(&chunk[..n]);
            while let Some(at) = held.windows(MARK.len()).position(|w| w == MARK) {
                take(&held[..at], true);
                held.drain(..at + MARK.len());
                self.pipes[pipe].seen.fetch_add(1, Ordering::SeqCst);
            }
            // What may be the beginning of a mark waits for the rest.
            let begun = (1..MARK.len()).rev().find(|&n| held.ends_with(&MARK[..n]));
            let whole = held.len() - begun.unwrap_or(0);
            let used = take(&held[..whole], false);
            held.drain(..used);
        }
    }

    /// Waits, for at most so long, until all is told that has been written so far.
    fn empty(&self, time: Duration) {
        let begin = Instant::now();
        for pipe in &self.pipes {
            let mark = pipe.marks.fetch_add(1, Ordering::SeqCst) + 1;
            if (&pipe.write).write_all(MARK).is_err() {
                continue;
            }
            while pipe.seen.load(Ordering::SeqCst) < mark && begin.elapsed() < time {
                thread::sleep(STEP);
            }
        }
    }
}

/// The process ends: what has been written is told.
fn end() {
    let Some(wires) = WIRES.get() else { return };
    wires.empty(LAST_WAIT);
    // A signal may have stopped the very thread that holds the lock.
    let out = (0..50).find_map(|_| match wires.out.try_lock() {
        Ok(out) => Some(out),
        Err(_) => {
            thread::sleep(Duration::from_millis(1));
            None
        }
    });
    if let Some(mut out) = out
        && let Ok(mut line) = serde_json::to_vec(&Event::Exit)
    {
        line.push(b'\n');
        let _ = out.write_all(&line);
    }
}

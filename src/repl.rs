//! The prompt: a program that is typed while it runs.
//!
//! The front thread, which runs no goroutines, reads inputs, checks and compiles them
//! ([`session`]), and has each run by a goroutine of its own ([`front`]). What earlier inputs have
//! started runs on beside it.

mod commands;
mod front;
mod protocol;
mod save;
mod screen;
mod session;
mod terminal;
mod watch;

use crate::driver::{self, Refused, report_refused};
use crate::loader::{self, Text};
use session::Session;
use std::sync::mpsc;
use std::thread;
use stdlib::os::natives::{Running, set_running};

/// Address space for the stack of the front thread; what is not touched costs nothing.
const STACK: usize = 1 << 30;
/// The least that is tried where there is not as much.
const STACK_MIN: usize = 8 << 20;

/// How to run a session.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Print each input before what comes of it.
    pub echo: bool,
    /// Do not end at the first error.
    pub keep_going: bool,
    /// Run the file first that the user keeps for it, at a terminal.
    pub init: bool,
    /// Requests and replies are JSON.
    pub json: bool,
    /// See [`driver::Options`].
    pub lang: Option<u32>,
    /// See [`driver::Options`].
    pub traces: driver::Traces,
    /// What is run before all else.
    pub first: Vec<Text>,
}

/// Reads inputs from standard input and runs them. Returns only if that cannot begin.
pub(crate) fn run(options: Options) -> i32 {
    let (send, loaded) = mpsc::channel();
    let (attached, is_attached) = mpsc::channel();
    let laid = match options.json.then(protocol::lay).transpose() {
        Ok(laid) => laid,
        Err(e) => return report_refused(Refused::Fatal(format!("the protocol's pipes: {e}"))),
    };
    let (lang, traces) = (options.lang, options.traces.clone());
    let front = move || {
        let values = laid.as_ref().map_or(1, protocol::Laid::values_fd);
        let session = match Session::begin(values, lang) {
            Ok((session, loaded)) => {
                let _ = send.send(Ok(loaded));
                session
            }
            Err(why) => {
                let _ = send.send(Err(why));
                return;
            }
        };
        let _ = is_attached.recv();
        front::run(session, options, laid)
    };
    if let Err(why) = start(front) {
        return report_refused(why);
    }
    set_running(Running {
        arguments: vec![b"gosched".to_vec()],
        again: Vec::new(),
        path: b"gosched".to_vec(),
        is_test: false,
        build: loader::build_text(),
    });
    if let Err(status) = traces.begin() {
        return status;
    }
    match loaded.recv() {
        Ok(Ok(loaded)) => vm::prompt::start(loaded, move || {
            let _ = attached.send(());
        }),
        Ok(Err(why)) => report_refused(why),
        Err(_) => report_refused(Refused::Fatal("the front thread has ended".into())),
    }
}

/// Starts the front thread, with as much stack as the machine lets it have.
fn start(front: impl FnOnce() + Send + 'static) -> Result<(), Refused> {
    let mut bytes = STACK;
    while !gosched_runtime::coro::is_room_for(bytes) && bytes > STACK_MIN {
        bytes /= 2;
    }
    let work = move || {
        syntax::nesting::announce(bytes);
        front();
    };
    let name = thread::Builder::new().name("front".into());
    let started = name.stack_size(bytes).spawn(work);
    let why = |e| Refused::Fatal(format!("out of memory: no thread for the prompt ({e})"));
    started.map(|_| ()).map_err(why)
}

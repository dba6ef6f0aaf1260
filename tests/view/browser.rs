//! A browser without a window, which is asked through pipes.
//!
//! Chromium reads messages of its protocol from descriptor 3 and writes answers to descriptor 4,
//! each with a zero byte behind it. A shell puts two named pipes there.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A page comes no later than that.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct Browser {
    folder: PathBuf,
    child: Child,
    to: RefCell<File>,
    from: RefCell<BufReader<File>>,
    asked: RefCell<u64>,
    session: Value,
}

impl Browser {
    /// Shows the page at this address, and waits until it says that it is ready.
    pub(crate) fn open(address: &str) -> Browser {
        let chromium = std::env::var_os("GOSCHED_CHROMIUM");
        let chromium = chromium.expect("GOSCHED_CHROMIUM names Chromium");
        let folder = std::env::temp_dir().join(format!(
            "gosched-{}-browser-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let pipes = ["to", "from"].map(|name| folder.join(name));
        for pipe in &pipes {
            mknodat(CWD, pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        }
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec 3<\"$1\" 4>\"$2\"; shift 2; exec \"$@\"", "sh"])
            .args(&pipes)
            .arg(chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .args(["--window-size=1280,800", "--remote-debugging-pipe"])
            .arg(format!(
                "--user-data-dir={}",
                folder.join("profile").display()
            ))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        crate::support::die_with_us(&mut command);
        let child = command.spawn().unwrap();
        let mut browser = Browser {
            to: RefCell::new(File::options().write(true).open(&pipes[0]).unwrap()),
            from: RefCell::new(BufReader::new(File::open(&pipes[1]).unwrap())),
            folder,
            child,
            asked: RefCell::new(0),
            session: Value::Null,
        };
        let page = browser.call("Target.createTarget", json!({ "url": address }));
        let page = json!({ "targetId": page["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", page);
        browser.session = session["sessionId"].clone();
        let began = Instant::now();
        // An error, too, is an answer while the page is not there.
        while browser.ask("document.documentElement?.dataset.ready ?? ''") != "yes" {
            assert!(
                began.elapsed() < LIMIT,
                "{}",
                browser.ask("document.body.textContent")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        browser
    }

    /// What a method of the protocol gives.
    fn call(&self, method: &str, params: Value) -> Value {
        let mut id = self.asked.borrow_mut();
        *id += 1;
        let mut message = json!({ "id": *id, "method": method, "params": params });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.borrow_mut().write_all(&bytes).unwrap();
        loop {
            let mut bytes = Vec::new();
            let n = self.from.borrow_mut().read_until(0, &mut bytes).unwrap();
            assert_ne!(n, 0, "the browser has ended");
            let answer: Value = serde_json::from_slice(&bytes[..n - 1]).unwrap();
            if answer["id"] == *id {
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn ask(&self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true,
        });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{answer}");
        answer["result"]["value"].clone()
    }

    /// What can be seen, as a PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        BASE64.decode(answer["data"].as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

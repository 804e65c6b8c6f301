//! A conversation with the binary: lines go in, lines are awaited with a deadline, and the
//! process is killed when the test ends, however it ends.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Vec<String>,
}

impl Engine {
    /// Starts the binary without arguments: the protocol loop.
    pub fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Engine {
            child,
            stdin,
            lines,
            log: Vec::new(),
        }
    }

    /// Starts the binary and shakes hands in UCI.
    pub fn uci() -> Engine {
        let mut e = Engine::start();
        e.send("uci");
        e.expect("uciok");
        e
    }

    /// Starts the binary, shakes hands in UCCI and turns the book off, which is on there: tests
    /// of searches want searches.
    pub fn ucci() -> Engine {
        let mut e = Engine::ucci_with_book();
        e.send("setoption usebook false");
        e
    }

    /// Starts the binary and shakes hands in UCCI.
    pub fn ucci_with_book() -> Engine {
        let mut e = Engine::start();
        e.send("ucci");
        e.expect("ucciok");
        e
    }

    /// Sends one line, or several in one write.
    pub fn send(&mut self, lines: &str) {
        self.send_raw(format!("{lines}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        self.log.push(format!("> {text:?}"));
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).expect("the engine reads");
        stdin.flush().expect("the engine reads");
    }

    /// Closes stdin.
    pub fn end_input(&mut self) {
        self.log.push("> (end)".into());
        self.stdin = None;
    }

    fn next(&mut self, deadline: Instant) -> Option<String> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.fail("stdout was closed"),
        }
    }

    fn fail(&self, what: &str) -> ! {
        let from = self.log.len().saturating_sub(30);
        panic!(
            "{what}; the last lines were:\n{}",
            self.log[from..].join("\n")
        );
    }

    /// The next line that begins with `start`; those before it are skipped.
    pub fn expect(&mut self, start: &str) -> String {
        self.expect_within(start, PATIENCE)
    }

    /// The same with a deadline.
    pub fn expect_within(&mut self, start: &str, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        loop {
            match self.next(deadline) {
                Some(line) if line.starts_with(start) => return line,
                Some(_) => {}
                None => self.fail(&format!("no line {start:?} within {patience:?}")),
            }
        }
    }

    /// All lines up to and with the one that begins with `start`.
    pub fn lines_until(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline) {
                Some(line) => lines.push(line),
                None => self.fail(&format!("no line {start:?}")),
            }
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// The move of the next `bestmove`.
    pub fn best_move(&mut self) -> String {
        let line = self.expect("bestmove ");
        line.split(' ').nth(1).unwrap_or("").to_owned()
    }

    /// All lines that come within this time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        std::iter::from_fn(|| self.next(deadline)).collect()
    }

    /// How many answers to a `go` come until a `readyok`, which is asked for here.
    pub fn answers_until_ready(&mut self) -> usize {
        self.send("isready");
        self.lines_until("readyok")
            .iter()
            .filter(|l| l.starts_with("bestmove") || l.starts_with("nobestmove"))
            .count()
    }

    /// Waits for the process to end.
    pub fn exit(&mut self, patience: Duration) -> ExitStatus {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the process can be waited for")
            {
                return status;
            }
            if Instant::now() > deadline {
                self.fail(&format!("still running after {patience:?}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the binary with these arguments to its end.
pub fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts")
}

/// Runs the protocol loop with this input to its end.
pub fn pipe(input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(input.as_bytes()).expect("the engine reads");
    drop(stdin);
    child.wait_with_output().expect("the process ends")
}

/// What a run wrote to stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8")
}

//! A child process whose output cannot block or flood us: one thread reads standard output line
//! by line and stamps each line with its arrival, one drains standard error, one writes. Its own
//! process group, so that Ctrl-C does not reach it and helpers it started die with it.

use super::log::EngineLog;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Longest line taken for text; a longer one is garbage.
const LINE_LIMIT: usize = 1 << 20;
/// Lines that may wait to be read before the engine itself has to wait.
const QUEUE: usize = 4096;
/// What is kept of standard error for error messages.
const STDERR_TAIL: usize = 5;

/// What comes from a process.
#[derive(Debug)]
pub(super) enum Event {
    /// A line on standard output, decoded, with the time it was read.
    Line(Instant, String),
    /// A line longer than a mebibyte.
    Overlong,
    /// Standard output was closed.
    Eof,
    /// Writing to standard input failed: it was closed.
    WriteFailed,
    /// More was written to standard error than is allowed.
    StderrFlood,
}

/// A running program and the threads that serve its pipes.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<Sender<String>>,
    events: Receiver<Event>,
    stderr_tail: Arc<Mutex<VecDeque<String>>>,
    log: EngineLog,
    reaped: Option<ExitStatus>,
    closed: bool,
}

impl Process {
    /// Starts the program. `stderr_limit` is in bytes.
    pub(super) fn spawn(
        mut command: Command,
        stderr_limit: u64,
        cpus: &[usize],
        log: EngineLog,
    ) -> io::Result<Process> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        own_group(&mut command);
        let mut child = on_cpus(cpus, || command.spawn())?;
        let (event_out, events) = bounded(QUEUE);
        let (input, lines_to_write) = unbounded::<String>();
        let stderr_tail = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(mut pipe) = child.stdin.take() {
            let failed = event_out.clone();
            thread::spawn(move || {
                for line in lines_to_write {
                    if pipe.write_all(line.as_bytes()).is_err() || pipe.flush().is_err() {
                        let _ = failed.send(Event::WriteFailed);
                        break;
                    }
                }
            });
        }
        if let Some(pipe) = child.stderr.take() {
            let (out, tail, log) = (event_out.clone(), Arc::clone(&stderr_tail), log.clone());
            thread::spawn(move || drain_stderr(pipe, stderr_limit, &out, &tail, &log));
        }
        if let Some(pipe) = child.stdout.take() {
            let log = log.clone();
            thread::spawn(move || read_lines(pipe, &event_out, &log));
        }
        Ok(Process {
            child,
            input: Some(input),
            events,
            stderr_tail,
            log,
            reaped: None,
            closed: false,
        })
    }

    /// Sends a line. Never blocks; that the pipe is closed is reported as an event.
    pub(super) fn send(&self, line: &str) {
        self.log.sent(line);
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next event, `None` when the deadline has passed.
    pub(super) fn next(&mut self, deadline: Instant) -> Option<Event> {
        if self.closed {
            return Some(Event::Eof);
        }
        let event = match self.events.recv_deadline(deadline) {
            Ok(event) => Some(event),
            Err(crossbeam_channel::RecvTimeoutError::Timeout) => None,
            Err(crossbeam_channel::RecvTimeoutError::Disconnected) => Some(Event::Eof),
        };
        self.closed |= matches!(event, Some(Event::Eof | Event::WriteFailed));
        event
    }

    /// An event that already waits.
    pub(super) fn poll(&mut self) -> Option<Event> {
        let event = self.events.try_recv().ok();
        self.closed |= matches!(event, Some(Event::Eof | Event::WriteFailed));
        event
    }

    /// The status if the process ends within `patience`.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            if self.reaped.is_some() {
                return self.reaped;
            }
            match self.child.try_wait() {
                Ok(Some(status)) => self.reaped = Some(status),
                Ok(None) if Instant::now() >= deadline => return None,
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(_) => return None,
            }
        }
    }

    /// Says `quit` and waits; whoever ignores it is killed.
    pub(super) fn quit(&mut self, patience: Duration) {
        if self.reaped.is_none() {
            self.send("quit");
            self.input = None;
            if self.wait(patience).is_none() {
                self.log.note("ignored quit, killed");
            }
        }
        self.kill();
    }

    /// Kills the process and what it started, and reaps it.
    pub(super) fn kill(&mut self) {
        if self.reaped.is_none() {
            kill_group(&self.child);
            let _ = self.child.kill();
            self.reaped = self.child.wait().ok();
        }
    }

    /// The last lines of standard error, for messages.
    pub(super) fn stderr_tail(&self) -> String {
        match self.stderr_tail.lock() {
            Ok(tail) => tail.iter().cloned().collect::<Vec<_>>().join(" / "),
            Err(_) => String::new(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Text of the field: UTF-8, else GB 18030 (of which GBK is a part).
pub(super) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim().to_string(),
        Err(_) => encoding_rs::GB18030.decode(bytes).0.trim().to_string(),
    }
}

/// Reads one line of at most [`LINE_LIMIT`] bytes; the rest of a longer one is skipped.
/// `Ok(None)` at the end, `Ok(Some(false))` for a line that was too long.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut fits = true;
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok((!line.is_empty()).then_some(fits));
        }
        let end = chunk.iter().position(|&b| b == b'\n');
        let used = end.map_or(chunk.len(), |i| i + 1);
        if fits && line.len() + used <= LINE_LIMIT {
            line.extend_from_slice(&chunk[..used]);
        } else {
            if fits {
                // Tell at once: a line without an end may never end.
                reader.consume(used);
                return Ok(Some(false));
            }
            fits = false;
        }
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(fits));
        }
    }
}

fn read_lines(pipe: impl Read, out: &Sender<Event>, log: &EngineLog) {
    let mut reader = BufReader::with_capacity(1 << 14, pipe);
    let mut line = Vec::new();
    loop {
        let event = match read_line(&mut reader, &mut line) {
            Ok(Some(true)) => {
                let now = Instant::now();
                let text = decode(&line);
                log.received(&text);
                Event::Line(now, text)
            }
            Ok(Some(false)) => Event::Overlong,
            Ok(None) | Err(_) => {
                log.note("closed its output");
                let _ = out.send(Event::Eof);
                return;
            }
        };
        if out.send(event).is_err() {
            return;
        }
    }
}

fn drain_stderr(
    pipe: impl Read,
    limit: u64,
    out: &Sender<Event>,
    tail: &Mutex<VecDeque<String>>,
    log: &EngineLog,
) {
    let mut reader = BufReader::with_capacity(1 << 16, pipe);
    let (mut line, mut total, mut told) = (Vec::new(), 0, false);
    while let Ok(Some(_)) = read_line(&mut reader, &mut line) {
        total += line.len() as u64;
        if total <= limit {
            let text = decode(&line);
            log.complaint(&text);
            if let Ok(mut tail) = tail.lock() {
                if tail.len() == STDERR_TAIL {
                    tail.pop_front();
                }
                tail.push_back(text.chars().take(200).collect());
            }
        } else if !told {
            told = true;
            if out.send(Event::StderrFlood).is_err() {
                return;
            }
        }
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

/// The child leads its group and is not reaped yet, so the number still means it.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(pid) = i32::try_from(child.id()) {
        let _ = killpg(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Starts a child bound to processors. This thread is bound while it starts the child, which
/// inherits that: bound afterwards, threads the child had already started would stay free. That it
/// cannot be done only costs steadiness.
#[cfg(target_os = "linux")]
fn on_cpus<T>(cpus: &[usize], start: impl FnOnce() -> T) -> T {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    let this = nix::unistd::Pid::from_raw(0);
    let mut set = CpuSet::new();
    for &cpu in cpus {
        let _ = set.set(cpu);
    }
    let before = if cpus.is_empty() {
        None
    } else {
        sched_getaffinity(this).ok()
    };
    let Some(before) = before else {
        return start();
    };
    let _ = sched_setaffinity(this, &set);
    let started = start();
    let _ = sched_setaffinity(this, &before);
    started
}

#[cfg(not(target_os = "linux"))]
fn on_cpus<T>(_: &[usize], start: impl FnOnce() -> T) -> T {
    start()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gbk_and_utf8_are_read() {
        assert_eq!(decode("象棋\r\n".as_bytes()), "象棋");
        assert_eq!(decode(&[0xcf, 0xf3, 0xc6, 0xe5, b'\n']), "象棋");
    }

    #[test]
    fn long_lines_are_told_and_skipped() {
        let text = [
            b"short\n".to_vec(),
            vec![b'x'; LINE_LIMIT + 5],
            b"\nend".to_vec(),
        ]
        .concat();
        let mut reader = BufReader::new(&text[..]);
        let mut line = Vec::new();
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), Some(true));
        assert_eq!(line, b"short\n");
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), Some(false));
    }
}

//! Lines in, lines out, each on its own thread, so that neither a silent nor a deaf client can
//! hold up the session. The only place of the protocol that touches stdin and stdout.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io::{self, BufRead, BufWriter, ErrorKind, Write};
use std::time::{Duration, Instant};

/// The longest line that is read; what is longer is dropped whole.
pub const LONGEST_LINE: usize = 1 << 20;
/// Lines read ahead of the session: enough for any burst, and a bound for memory.
const READ_AHEAD: usize = 64;
/// Info lines that may wait for a slow client before further ones are dropped.
const CHATTER: usize = 1_000;

/// What the reader hands over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end, bytes that are no UTF-8 replaced.
    Line {
        /// The text.
        text: String,
        /// When its end was read.
        received: Instant,
    },
    /// A line beyond [`LONGEST_LINE`] was dropped.
    TooLong,
    /// Nothing more will come.
    End,
}

/// Starts the thread that reads stdin.
///
/// # Errors
/// If the system gives no thread.
pub fn read_stdin() -> io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(READ_AHEAD);
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || {
            // A session that has gone ends the reading.
            let _ = read_lines(io::stdin().lock(), |input| sender.send(input).is_ok());
            let _ = sender.send(Input::End);
        })?;
    Ok(receiver)
}

/// Cuts a stream into lines until it ends, fails, or `take` says no. A last line without an
/// end counts.
fn read_lines(mut source: impl BufRead, mut take: impl FnMut(Input) -> bool) -> io::Result<()> {
    let mut line: Vec<u8> = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match source.fill_buf() {
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        let at_end = chunk.is_empty();
        let line_end = chunk.iter().position(|&b| b == b'\n');
        let part = &chunk[..line_end.unwrap_or(chunk.len())];
        if line.len() + part.len() > LONGEST_LINE {
            too_long = true;
            line.clear();
        } else if !too_long {
            line.extend_from_slice(part);
        }
        let used = line_end.map_or(chunk.len(), |i| i + 1);
        source.consume(used);
        if line_end.is_some() || at_end && (too_long || !line.is_empty()) {
            let input = if too_long {
                Input::TooLong
            } else {
                Input::Line {
                    text: String::from_utf8_lossy(&line).trim_end().to_owned(),
                    received: Instant::now(),
                }
            };
            line.clear();
            too_long = false;
            if !take(input) {
                return Ok(());
            }
        }
        if at_end {
            return Ok(());
        }
    }
}

/// The way out. Lines are written in order and flushed as soon as no other is waiting.
#[derive(Debug)]
pub struct Output {
    lines: Sender<String>,
    /// Disconnected when the writer has ended: on failure, or when all is written.
    ended: Receiver<()>,
}

impl Output {
    /// Starts the thread that writes to `sink`.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(sink: impl Write + Send + 'static) -> io::Result<Output> {
        let (lines, waiting) = unbounded();
        let (alive, ended) = bounded::<()>(0);
        std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || {
                // A client that reads no more is no error of ours; the session hears of it.
                let _ = write_lines(sink, &waiting);
                drop(alive);
            })?;
        Ok(Output { lines, ended })
    }

    /// Starts the thread that writes to stdout.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn to_stdout() -> io::Result<Output> {
        Output::new(io::stdout())
    }

    /// Writes a line.
    pub fn say(&self, line: impl Into<String>) {
        let _ = self.lines.send(line.into());
    }

    /// Writes a line that may be dropped if the client does not keep up.
    pub fn chat(&self, line: impl Into<String>) {
        if self.lines.len() < CHATTER {
            self.say(line);
        }
    }

    /// Never delivers, but is disconnected once nothing can be written any more.
    pub fn ended(&self) -> &Receiver<()> {
        &self.ended
    }

    /// Waits until all is written, but not longer than this.
    pub fn close(self, timeout: Duration) {
        drop(self.lines);
        let _ = self.ended.recv_timeout(timeout);
    }
}

fn write_lines(sink: impl Write, waiting: &Receiver<String>) -> io::Result<()> {
    let mut sink = BufWriter::new(sink);
    for line in waiting {
        sink.write_all(line.as_bytes())?;
        sink.write_all(b"\n")?;
        if waiting.is_empty() {
            sink.flush()?;
        }
    }
    sink.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines_of(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        // A tiny buffer cuts lines anywhere.
        read_lines(BufReader::with_capacity(3, bytes), |input| {
            lines.push(match input {
                Input::Line { text, .. } => text,
                other => format!("{other:?}"),
            });
            true
        })
        .unwrap();
        lines
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_end() {
        assert_eq!(lines_of(b""), [""; 0]);
        assert_eq!(
            lines_of(b"ucci\r\n\nisready\nquit"),
            ["ucci", "", "isready", "quit"]
        );
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(lines_of(b"a\xff\xfeb\n"), ["a\u{fffd}\u{fffd}b"]);
    }

    #[test]
    fn endless_lines_are_dropped_whole() {
        let mut bytes = vec![b'x'; LONGEST_LINE + 5];
        bytes.extend_from_slice(b"\nisready\n");
        assert_eq!(lines_of(&bytes), ["TooLong", "isready"]);
        let longest = [vec![b'y'; LONGEST_LINE], b"\n".to_vec()].concat();
        assert_eq!(lines_of(&longest)[0].len(), LONGEST_LINE);
    }

    #[test]
    fn a_broken_pipe_ends_the_writer_only() {
        struct Broken;
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let out = Output::new(Broken).unwrap();
        out.say("x");
        assert!(out.ended().recv_timeout(Duration::from_secs(5)).is_err());
        out.say("still no panic");
        out.close(Duration::from_secs(5));
    }
}

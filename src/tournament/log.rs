//! The full dialogue with one engine, on request: who said what, when, in milliseconds since it
//! was started. `>` to the engine, `<` from it, `!` its standard error, `#` remarks.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// No log grows beyond this.
const LIMIT: u64 = 256 << 20;

#[derive(Debug)]
struct Sink {
    file: BufWriter<File>,
    start: Instant,
    written: u64,
}

/// Where the dialogue with an engine goes; clones share the file, the default goes nowhere.
#[derive(Clone, Debug, Default)]
pub struct EngineLog(Option<Arc<Mutex<Sink>>>);

impl EngineLog {
    /// A log in a new file.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path) -> io::Result<EngineLog> {
        Ok(EngineLog(Some(Arc::new(Mutex::new(Sink {
            file: BufWriter::new(File::create(path)?),
            start: Instant::now(),
            written: 0,
        })))))
    }

    fn write(&self, mark: char, text: &str) {
        let Some(sink) = &self.0 else { return };
        let Ok(mut sink) = sink.lock() else { return };
        if sink.written > LIMIT {
            return;
        }
        let ms = sink.start.elapsed().as_secs_f64() * 1e3;
        sink.written += text.len() as u64 + 16;
        let _ = writeln!(sink.file, "{ms:>11.1} {mark} {text}");
        if mark != '!' {
            let _ = sink.file.flush();
        }
    }

    pub(super) fn sent(&self, text: &str) {
        self.write('>', text);
    }

    pub(super) fn received(&self, text: &str) {
        self.write('<', text);
    }

    pub(super) fn stderr(&self, text: &str) {
        self.write('!', text);
    }

    pub(super) fn note(&self, text: &str) {
        self.write('#', text);
    }
}

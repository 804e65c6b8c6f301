//! Ctrl-C as a flag, so that a command can end in order.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that the first Ctrl-C sets; the second ends the program at once. To be asked for once.
/// A build without the tools leaves Ctrl-C to the system.
#[cfg(feature = "tools")]
pub(super) fn flag() -> Arc<AtomicBool> {
    use std::sync::atomic::Ordering;
    let flag = Arc::new(AtomicBool::new(false));
    let own = Arc::clone(&flag);
    let handler = ctrlc::set_handler(move || {
        if own.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    if let Err(e) = handler {
        eprintln!("chuhe: Ctrl-C will end it at once: {e}");
    }
    flag
}

/// A flag that is never set.
#[cfg(not(feature = "tools"))]
pub(super) fn flag() -> Arc<AtomicBool> {
    Arc::default()
}

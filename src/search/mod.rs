//! Thinking: iterative deepening alpha-beta over a transposition table shared by a pool of
//! threads. Reports through [`Reporter`]; knows nothing of protocols and prints nothing.

mod limits;
mod pool;
mod report;

pub use limits::{Clock, Limits, Settings};
pub use pool::{HashError, Pool, ProbeResult, Signals};
pub use report::{Bound, Info, Outcome, Reporter};

//! Thinking: iterative deepening alpha-beta over a transposition table shared by a pool of
//! threads (Lazy SMP). Reports through [`Reporter`]; knows nothing of protocols and prints
//! nothing. Imports `eval`, `rules`, `position`, `attacks`, `types`.

mod alphabeta;
mod cuckoo;
mod deepening;
mod history;
mod learning;
mod limits;
mod mate;
mod move_picker;
mod params;
mod pool;
mod pruning;
mod quiescence;
mod report;
mod skill;
mod threats;
mod time;
mod tt;
mod verdict;
mod worker;

pub use limits::{Clock, Limits, Settings};
pub use params::{Param, Params};
pub use pool::{HashError, Pool, ProbeResult, Signals};
pub use report::{Bound, Info, Outcome, Reporter};
pub use skill::{LEVEL_GRAIN, MAX_LEVEL, Skill};

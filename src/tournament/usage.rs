//! Processor time of the runner and of its engines, and which processors there are.

/// Processor seconds of this process and of the children it has reaped.
#[cfg(unix)]
pub fn cpu_seconds() -> Option<(f64, f64)> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let of = |who| {
        let usage = getrusage(who).ok()?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        Some(micros as f64 / 1e6)
    };
    Some((of(UsageWho::RUSAGE_SELF)?, of(UsageWho::RUSAGE_CHILDREN)?))
}

/// Not known here.
#[cfg(not(unix))]
pub fn cpu_seconds() -> Option<(f64, f64)> {
    None
}

/// The processors this process may run on.
#[cfg(target_os = "linux")]
pub fn processors() -> Vec<usize> {
    use nix::sched::{CpuSet, sched_getaffinity};
    match sched_getaffinity(nix::unistd::Pid::from_raw(0)) {
        Ok(set) => (0..CpuSet::count())
            .filter(|&c| set.is_set(c).unwrap_or(false))
            .collect(),
        Err(_) => Vec::new(),
    }
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> Vec<usize> {
    Vec::new()
}

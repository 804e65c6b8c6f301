//! How much memory can still be had. A kernel that overcommits maps any size and kills later,
//! so the question must be asked before a large table is made.

/// MiB that can be used without swapping, as far as this system tells: the least of what the
/// machine has and what the limits of a container leave.
pub fn available_mib() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| meminfo_available(&text));
    let group = read("/sys/fs/cgroup/memory.max")
        .zip(read("/sys/fs/cgroup/memory.current"))
        .and_then(|(max, used)| group_available(&max, &used));
    match (machine, group) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Reads the line `MemAvailable: N kB`.
fn meminfo_available(text: &str) -> Option<usize> {
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

/// Limit minus use of a control group, both in bytes; `max` means no limit.
fn group_available(max: &str, used: &str) -> Option<usize> {
    let max: usize = max.trim().parse().ok()?;
    let used: usize = used.trim().parse().ok()?;
    Some(max.saturating_sub(used) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_system_writes() {
        let text = "MemTotal:  24683112 kB\nMemFree: 1 kB\nMemAvailable:   2048000 kB\n";
        assert_eq!(meminfo_available(text), Some(2000));
        assert_eq!(meminfo_available("MemTotal: 5 kB\n"), None);
        assert_eq!(group_available("max\n", "5\n"), None);
        assert_eq!(group_available("3145728\n", "1048576\n"), Some(2));
        assert_eq!(group_available("1\n", "1048576\n"), Some(0));
    }
}

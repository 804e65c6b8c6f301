//! The transposition table: what earlier searches found out about a position.
//!
//! Sound under threads without locks: an entry is two atomic words, the second being the data and
//! the first the key XOR the data (Hyatt and Mann, "A lock-less transposition table
//! implementation for parallel search", 2002). A torn entry fails the key test and reads as
//! absent. Four entries share a cache line.

use super::report::Bound;
use super::{HashError, ProbeResult};
use crate::types::{Move, Score, score};
use memmap2::MmapMut;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

const ENTRIES: usize = 4;
const AGE_BITS: u32 = 5;
const AGE_MASK: u8 = (1 << AGE_BITS) - 1;

/// Four entries of two words: one cache line.
#[repr(align(64))]
#[derive(Debug)]
struct Cluster([[AtomicU64; 2]; ENTRIES]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// What an entry tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Best move, or `Move::NONE`.
    pub mv: Move,
    /// Score relative to the node, `score::NONE` if the entry only holds an evaluation.
    pub score: Score,
    /// Static evaluation, `score::NONE` if unknown.
    pub eval: Score,
    /// Depth in plies; 0 for quiescence.
    pub depth: i32,
    /// What the score is.
    pub bound: Bound,
    /// Whether the node was on a principal variation.
    pub pv: bool,
}

// Layout of the data word from bit 0: move 14, bound 2, score 16, eval 16, depth 8, pv 1, age 5.
fn pack(e: &Entry, age: u8) -> u64 {
    let bound = match e.bound {
        Bound::Upper => 1u64,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(e.mv.to_bits())
        | bound << 14
        | u64::from(to_16(e.score)) << 16
        | u64::from(to_16(e.eval)) << 32
        | (e.depth.clamp(0, 255) as u64) << 48
        | u64::from(e.pv) << 56
        | u64::from(age) << 57
}

fn unpack(data: u64) -> Entry {
    Entry {
        mv: Move::from_bits(data as u16 & 0x3fff).unwrap_or(Move::NONE),
        bound: match data >> 14 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        score: from_16((data >> 16) as u16),
        eval: from_16((data >> 32) as u16),
        depth: (data >> 48 & 0xff) as i32,
        pv: data >> 56 & 1 != 0,
    }
}

const fn to_16(s: Score) -> u16 {
    s as i16 as u16
}

const fn from_16(bits: u16) -> Score {
    bits as i16 as Score
}

const _: () = assert!(score::NONE <= i16::MAX as Score);

fn age_of(data: u64) -> u8 {
    (data >> 57) as u8 & AGE_MASK
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32
}

/// A table of clusters in anonymous memory, which the system hands out zeroed when touched.
#[derive(Debug)]
pub(super) struct Table {
    map: MmapMut,
    clusters: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of this many MiB, at least one.
    pub fn new(mib: usize) -> Result<Table, HashError> {
        let failed = HashError { mib };
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(failed)?;
        let map = MmapMut::map_anon(bytes).map_err(|_| failed)?;
        // Fewer page-table misses where the system has huge pages; elsewhere nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Table {
            map,
            clusters: bytes / size_of::<Cluster>(),
            age: AtomicU8::new(0),
        })
    }

    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        debug_assert!(index < self.clusters);
        // SAFETY: `index < clusters` and the map holds `clusters` clusters of zeroed or written
        // memory. A map starts on a page, so the alignment of 64 holds. A cluster is made of
        // atomics, for which any bits are valid, and all access goes through shared references
        // to them for the life of `self`, which owns the map.
        unsafe { &*self.map.as_ptr().cast::<Cluster>().add(index) }
    }

    /// Fetches the cache line of a position ahead of its probe.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && check.load(Ordering::Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Stores an entry in the place of the same position, else of the one that is worth least:
    /// shallow and old.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let cluster = &self.cluster(key).0;
        let mut victim = &cluster[0];
        let mut least = i32::MAX;
        for slot in cluster {
            let data = slot[1].load(Ordering::Relaxed);
            if data == 0 {
                victim = slot;
                break;
            }
            if slot[0].load(Ordering::Relaxed) ^ data == key {
                // Keep what is deeper and of this search unless the new score is exact.
                let old = unpack(data);
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                if entry.bound != Bound::Exact
                    && entry.depth + 4 + 2 * i32::from(entry.pv) <= old.depth
                    && age_of(data) == age
                {
                    return;
                }
                victim = slot;
                break;
            }
            let stale = i32::from(age.wrapping_sub(age_of(data)) & AGE_MASK);
            let worth = depth_of(data) - 8 * stale;
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = pack(&entry, age);
        victim[0].store(key ^ data, Ordering::Relaxed);
        victim[1].store(data, Ordering::Relaxed);
    }

    /// A new search begins: what is in the table becomes older.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed).wrapping_add(1) & AGE_MASK;
        self.age.store(age, Ordering::Relaxed);
    }

    /// Empties the table with this many threads.
    pub fn clear(&self, threads: usize) {
        let next = AtomicU64::new(0);
        const CHUNK: usize = 1 << 14;
        let work = || loop {
            let start = next.fetch_add(CHUNK as u64, Ordering::Relaxed) as usize;
            if start >= self.clusters {
                return;
            }
            for index in start..self.clusters.min(start + CHUNK) {
                // SAFETY: as in `cluster`; `index < clusters`.
                let cluster = unsafe { &*self.map.as_ptr().cast::<Cluster>().add(index) };
                for [check, data] in &cluster.0 {
                    check.store(0, Ordering::Relaxed);
                    data.store(0, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// Filled part in thousandths, by a sample; only entries of this search count.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = 250.min(self.clusters);
        let step = u64::MAX / sample as u64;
        let mut used = 0;
        for i in 0..sample as u64 {
            for slot in &self.cluster(i * step).0 {
                let data = slot[1].load(Ordering::Relaxed);
                used += usize::from(data != 0 && age_of(data) == age);
            }
        }
        (used * 1000 / (sample * ENTRIES)) as u32
    }

    /// An entry as the protocol's `probe` shows it.
    pub fn probe_result(&self, key: u64) -> Option<ProbeResult> {
        let e = self.probe(key)?;
        let known = e.score != score::NONE;
        Some(ProbeResult {
            best: e.mv.is_some().then_some(e.mv),
            lower: (known && e.bound != Bound::Upper).then_some(e.score),
            upper: (known && e.bound != Bound::Lower).then_some(e.score),
            depth: e.depth as u32,
        })
    }
}

/// Fetches the cache line where something begins, ahead of its use.
#[inline(always)]
pub(super) fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line: *const T = line;
        // SAFETY: a prefetch reads nothing, and a reference is a valid address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: "h2e2".parse().unwrap(),
            score: -30_990,
            eval: 123,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn stores_and_finds() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(77), None);
        table.store(77, entry(9));
        assert_eq!(table.probe(77), Some(entry(9)));
        let none = Entry {
            eval: score::NONE,
            score: score::NONE,
            ..entry(1)
        };
        table.store(78 << 50, none);
        assert_eq!(table.probe(78 << 50), Some(none));
        table.clear(2);
        assert_eq!(table.probe(77), None);
    }

    #[test]
    fn deep_entries_of_this_search_outlive_shallow_ones() {
        let table = Table::new(1).unwrap();
        for i in 0..4 {
            table.store(i, entry(20 + i as i32));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(0), None, "the shallowest gives way");
        assert_eq!(table.probe(3), Some(entry(23)));
        for _ in 0..4 {
            table.new_search();
        }
        table.store(5, entry(2));
        assert_eq!(table.probe(4), None, "shallow and old");
        // The key index uses the high bits: these five share a cluster.
        assert!(table.probe(5).is_some());
    }

    #[test]
    fn a_torn_entry_reads_as_absent() {
        let table = Table::new(1).unwrap();
        table.store(42, entry(5));
        let slot = &table.cluster(42).0[0];
        slot[1].store(pack(&entry(6), 0), Ordering::Relaxed);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(1 << 40).is_err());
    }
}

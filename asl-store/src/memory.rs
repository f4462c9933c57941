//! Memory of executions in the process's budget, and the default size of the budget.
use asl_backend::{MemoryBudget, MemoryReservation, MemoryUse};
use asl_engine::{Execution, HeldEstimate};
use std::sync::Arc;

/// Memory of an execution without its data.
const BASE: u64 = 4 << 10;
/// Bytes from which on an execution is large: it is measured, packed and loaded next to the event loops, and the first to
/// leave memory.
pub(crate) const LARGE: u64 = 1 << 20;
/// The budget of a machine that does not say how much memory it has.
const UNKNOWN: u64 = 4 << 30;

/// Share of an execution in memory of the budget.
#[derive(Debug)]
pub(crate) struct MemoryShare {
    reservation: MemoryReservation,
    held: HeldEstimate,
}

impl MemoryShare {
    /// Creates the share of an execution.
    pub(crate) fn of(execution: &Execution, budget: &Arc<MemoryBudget>) -> Self {
        let held = HeldEstimate::of(execution);
        Self {
            reservation: budget.take(MemoryUse::Executions, BASE + held.bytes()),
            held,
        }
    }

    /// Notes what an execution made.
    pub(crate) fn note(&mut self, execution: &Execution) {
        if self.held.note(execution) {
            self.reservation.resize(BASE + self.held.bytes());
        }
    }

    /// Returns true if the execution is large.
    pub(crate) fn is_large(&self) -> bool {
        self.reservation.bytes() >= LARGE
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// Says whether the execution is about to leave memory.
    pub(crate) fn set_leaving(&mut self, is_leaving: bool) {
        self.reservation.set_leaving(is_leaving);
    }
}

/// Returns a budget of so many bytes; by default, of half of what the process may have.
pub(crate) fn budget(bytes: Option<u64>) -> Arc<MemoryBudget> {
    let bytes = bytes.unwrap_or_else(|| available().map_or(UNKNOWN, |bytes| bytes / 2));
    Arc::new(MemoryBudget::new(bytes))
}

/// Returns how many bytes of memory the process may have: those of the machine, of its control group, of its address space.
#[cfg(target_os = "linux")]
fn available() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let machine = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| total_of_machine(&text));
    let address_space = getrlimit(Resource::As).current;
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_groups = files_of_groups(&groups).into_iter().filter_map(|file| {
        let text = std::fs::read_to_string(file).ok()?;
        text.trim().parse::<u64>().ok()
    });
    let found = of_groups.chain(machine).chain(address_space);
    found.filter(|bytes| *bytes > 0).min()
}

#[cfg(not(target_os = "linux"))]
fn available() -> Option<u64> {
    None
}

/// Returns the memory of the machine, of the text of `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn total_of_machine(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// Returns the files that may limit the memory of control groups, of the text of `/proc/self/cgroup`: those of the group and of
/// the groups that it is in.
#[cfg(target_os = "linux")]
fn files_of_groups(text: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (root, name) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let mut group = group.trim_end_matches('/');
        loop {
            files.push(format!("{root}{group}/{name}"));
            match group.rsplit_once('/') {
                Some((outer, _)) => group = outer,
                None => break,
            }
        }
    }
    files
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_found() {
        let text = "MemTotal:       24599012 kB\nMemFree:         1 kB\n";
        assert_eq!(total_of_machine(text), Some(24_599_012 * 1_024));
        assert_eq!(total_of_machine("MemFree: 1 kB"), None);
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn groups_and_those_around_them_limit_memory() {
        assert_eq!(
            files_of_groups("0::/a/b\n"),
            [
                "/sys/fs/cgroup/a/b/memory.max",
                "/sys/fs/cgroup/a/memory.max",
                "/sys/fs/cgroup/memory.max"
            ]
        );
        assert_eq!(
            files_of_groups("5:cpu:/x\n4:memory:/\n"),
            ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        );
    }
}

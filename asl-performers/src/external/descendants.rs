//! Descendants of a command: processes that left its group and are killed with it, as far as the system names their parents.

#[cfg(target_os = "linux")]
use std::collections::BTreeMap;

/// Returns all descendants of a process, in any process group. Call it before the process is killed, while its children
/// still name it as their parent.
#[cfg(target_os = "linux")]
pub(super) fn descendants(ancestor: u32) -> Vec<u32> {
    let mut children = children();
    let mut found = vec![ancestor];
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        found.extend(children.remove(parent).unwrap_or_default());
        next += 1;
    }
    found.split_off(1)
}

/// Returns the children of every process that has some.
#[cfg(target_os = "linux")]
fn children() -> BTreeMap<u32, Vec<u32>> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut children = BTreeMap::<u32, Vec<u32>>::new();
    for id in ids {
        if let Some(parent) = parent(id) {
            children.entry(parent).or_default().push(id);
        }
    }
    children
}

/// Returns the parent of a process that has not ended.
#[cfg(target_os = "linux")]
fn parent(id: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name before may hold anything, brackets too (proc_pid_stat(5)).
    let (_, after_name) = status.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn descendants(_: u32) -> Vec<u32> {
    Vec::new()
}

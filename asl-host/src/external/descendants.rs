//! Descendants of a command: processes that left its group and are killed with it, as far as the system names their parents.

/// Kills all that descends from a process but is not in its group; to be called before the process itself is killed, while its
/// children still name it as their parent.
#[cfg(target_os = "linux")]
pub(super) fn kill_descendants(ancestor: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    let parents = parents();
    let mut open = vec![ancestor];
    while let Some(parent) = open.pop() {
        let children = parents.iter().filter(|(_, of)| *of == parent);
        for (child, _) in children {
            open.push(*child);
            let id = i32::try_from(*child).ok().and_then(Pid::from_raw);
            // An error says that it has ended.
            let _ = id.map(|id| kill_process(id, Signal::KILL));
        }
    }
}

/// Every process with its parent.
#[cfg(target_os = "linux")]
fn parents() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter_map(|id| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name before may hold anything, brackets too (proc_pid_stat(5)).
        let (_, after_name) = status.rsplit_once(')')?;
        let parent = after_name.split_ascii_whitespace().nth(1)?;
        Some((id, parent.parse().ok()?))
    })
    .collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_descendants(_: u32) {}

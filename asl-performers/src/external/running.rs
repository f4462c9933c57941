//! Running commands, which are killed when the process must end.
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The commands that run, each a process group of its own: a signal to the host does not reach them.
#[derive(Debug, Default)]
pub struct RunningCommands(Mutex<BTreeSet<u32>>);

impl RunningCommands {
    /// Adds a command that began, by the id of its process group.
    pub fn began(&self, group: u32) {
        self.groups().insert(group);
    }

    /// Removes a command that ended by itself.
    pub fn ended(&self, group: u32) {
        self.groups().remove(&group);
    }

    /// Kills a command with all that it started, and removes it.
    pub fn kill(&self, group: u32) {
        self.ended(group);
        kill_group(group);
    }

    /// Kills all with all they started.
    pub fn kill_all(&self) {
        for group in std::mem::take(&mut *self.groups()) {
            kill_group(group);
        }
    }

    fn groups(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kills a process group, then what descends from its leader outside of it. The group is first, and all of it at once: a
/// shell whose child ended alone would continue.
#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let id = |process: u32| i32::try_from(process).ok().and_then(Pid::from_raw);
    let descendants = super::descendants::descendants(group);
    // An error says that it has ended.
    let _ = id(group).map(|group| kill_process_group(group, Signal::KILL));
    for descendant in descendants.into_iter().filter_map(id) {
        let _ = kill_process(descendant, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

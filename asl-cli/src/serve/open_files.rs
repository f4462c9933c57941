//! Open files: each connection is one, and commands and the store have theirs.

/// Files per connection: as many connections may wait, or be refused, as are open.
const OF_A_CONNECTION: u64 = 2;
/// A command's three pipes, and what waits for its end.
const OF_A_TASK: u64 = 4;
/// Those of the store, the runtime, the folder that is watched, the terminal.
const OTHERS: u64 = 64;

/// Numbers of open files that are needed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    pub(super) connections: u64,
    pub(super) tasks: u64,
}

impl Needs {
    /// Returns the total number of files.
    pub(super) fn files(self) -> u64 {
        let connections = self.connections.saturating_mul(OF_A_CONNECTION);
        connections.saturating_add(self.tasks * OF_A_TASK + OTHERS)
    }

    /// Returns the number of connections for a number of files: at least half of the files are for connections, and at least
    /// one connection is allowed.
    pub(super) fn connections_within(self, files: u64) -> u64 {
        let files = files.saturating_sub(OTHERS);
        let of_tasks = (self.tasks * OF_A_TASK).min(files / 2);
        let connections = (files - of_tasks) / OF_A_CONNECTION;
        connections.clamp(1, self.connections.max(1))
    }
}

/// Has this process open as many files as are needed: raises its own limit, as far as it may.
///
/// # Errors
/// How many it may open, where these are fewer.
#[cfg(unix)]
pub(super) fn allow(needs: Needs) -> Result<(), u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let needed = needs.files();
    let is_enough = |most: Option<u64>| most.is_none_or(|most| most >= needed);
    if is_enough(limit.current) {
        return Ok(());
    }
    let current = limit.maximum.map_or(needed, |most| most.min(needed));
    let raised = Rlimit {
        current: Some(current),
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) if current >= needed => Ok(()),
        Ok(()) => Err(current),
        Err(_) => Err(limit.current.unwrap_or(needed)),
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(super) fn allow(_needs: Needs) -> Result<(), u64> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_share_the_files_with_tasks() {
        let needs = Needs {
            connections: 2_000,
            tasks: 64,
        };
        assert_eq!(needs.files(), 4_320);
        assert_eq!(needs.connections_within(4_320), 2_000);
        assert_eq!(needs.connections_within(1_000_000), 2_000);
        assert_eq!(needs.connections_within(1_024), 352);
        // Tasks leave half of them.
        assert_eq!(needs.connections_within(264), 50);
        assert_eq!(needs.connections_within(10), 1);
    }
}

//! File systems of a test's own.
use super::Folder;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Says that something could not be tried here.
pub(crate) fn left_out(why: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "left out, because {why}").unwrap();
}

/// A file system of two megabytes, in memory.
pub(crate) struct SmallDisk(Folder);

impl SmallDisk {
    /// Mounts a disk; None if mounting is not allowed.
    pub(crate) fn new() -> Option<Self> {
        let disk = Self(Folder::new());
        disk.mount("size=2m").then_some(disk)
    }

    /// Lets nobody write it any more.
    pub(crate) fn set_read_only(&self) {
        assert!(self.mount("remount,ro"));
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0.0
    }

    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(self.path());
        mount.output().is_ok_and(|done| done.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).output();
    }
}

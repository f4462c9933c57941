//! File systems of a test's own.
use super::Folder;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
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

    /// Writes a file that takes all room that is left.
    pub(crate) fn fill(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        let mut file = File::create(&path).unwrap();
        while file.write_all(&[0; 4_096]).is_ok() {}
        path
    }

    /// Keeps a file of another disk on this one.
    pub(crate) fn take_over(&self, file: &Path) -> BoundFile {
        let own = self.path().join(file.file_name().unwrap());
        File::create(&own).unwrap();
        File::create(file).unwrap();
        let mut mount = Command::new("mount");
        mount.arg("--bind").args([&own, file]);
        assert!(mount.output().unwrap().status.success());
        BoundFile(file.to_path_buf())
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

/// A file that is kept on another disk than its folder.
pub(crate) struct BoundFile(PathBuf);

impl Drop for BoundFile {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

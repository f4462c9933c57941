//! A terminal before which `asl` runs, and the person at it.
use super::Folder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Maximum time until a text is shown.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Terminal {
    controller: File,
    child: Child,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: std::thread::JoinHandle<()>,
    /// Up to where what was shown has been looked at.
    seen: usize,
}

impl Terminal {
    /// Runs `asl` with stdin, stdout and stderr on a terminal of so many columns.
    pub(crate) fn start(folder: &Folder, arguments: &[&str], columns: u16) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&controller, size).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap();
        let name = name.into_string().unwrap();
        let terminal = || {
            let mut options = std::fs::OpenOptions::new();
            Stdio::from(options.read(true).write(true).open(&name).unwrap())
        };
        let child = folder
            .command(arguments)
            .env("TERM", "xterm-256color")
            .env(
                "XDG_STATE_HOME",
                folder.path("state").canonicalize().unwrap_or_default(),
            )
            .env_remove("HOME")
            .env_remove("NO_COLOR")
            .stdin(terminal())
            .stdout(terminal())
            .stderr(terminal())
            .spawn()
            .unwrap();
        let controller = File::from(controller);
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (mut from, to) = (controller.try_clone().unwrap(), Arc::clone(&shown));
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once no one has the terminal open.
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                to.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Self {
            controller,
            child,
            shown,
            reader,
            seen: 0,
        }
    }

    /// Types something.
    pub(crate) fn send(&mut self, text: &str) {
        self.controller.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until a text is shown, after those that were waited for before; what was shown up to its end.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        let begin = Instant::now();
        loop {
            let shown = self.shown.lock().unwrap().clone();
            let new = &shown[self.seen..];
            let found = new.windows(text.len()).position(|it| it == text.as_bytes());
            if let Some(at) = found {
                self.seen += at + text.len();
                return String::from_utf8_lossy(&new[..at + text.len()]).into_owned();
            }
            assert!(
                begin.elapsed() < PATIENCE,
                "no {text:?} in {:?}",
                String::from_utf8_lossy(new)
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end: the exit code, and all that was shown.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        self.reader.join().unwrap();
        let shown = self.shown.lock().unwrap();
        (code, String::from_utf8_lossy(&shown).into_owned())
    }
}

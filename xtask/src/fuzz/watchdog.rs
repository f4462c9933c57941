//! Stores the current input on disk, and detects excessive time or memory.
use super::memory;
use crate::measure::cpu_seconds;
use crate::workspace;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// No input may take more time of a processor: what else the machine does counts against no input.
const LONGEST: Duration = Duration::from_secs(5);

/// Nor may it stand still for so long.
const STANDSTILL: Duration = Duration::from_secs(120);

/// Minimum duration for a memory check: shorter runs cannot fill the memory.
const QUICK: Duration = Duration::from_millis(10);

/// Stores the current input on disk, and detects excessive time or memory.
pub(super) struct Watchdog {
    name: &'static str,
    begun: Instant,
    /// Milliseconds after `begun` at which the input that runs began, plus one; 0 between inputs.
    running_since: AtomicU64,
    current: Mutex<File>,
    path: PathBuf,
}

impl Watchdog {
    pub(super) fn new(name: &'static str) -> Result<Self, String> {
        let folder = workspace::target_directory().join("fuzz-inputs");
        let path = folder.join(format!("{name}.current"));
        let fault = |error: std::io::Error| format!("{}: {error}", path.display());
        fs::create_dir_all(&folder).map_err(fault)?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path);
        let current = Mutex::new(file.map_err(fault)?);
        Ok(Self {
            name,
            begun: Instant::now(),
            running_since: AtomicU64::new(0),
            current,
            path,
        })
    }

    /// An input is about to run.
    pub(super) fn start(&self, input: &[u8]) -> Result<(), String> {
        let mut file = self.current.lock().map_err(|error| error.to_string())?;
        let length = input.len() as u64;
        file.rewind()
            .and_then(|()| file.write_all(input))
            .and_then(|()| file.set_len(length))
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.running_since
            .store(self.milliseconds() + 1, Ordering::Release);
        Ok(())
    }

    /// It ended after `took`.
    pub(super) fn end(&self, took: Duration) -> Result<(), String> {
        self.running_since.store(0, Ordering::Release);
        match took {
            took if took < QUICK => Ok(()),
            _ => self.check_memory(),
        }
    }

    /// An error where more memory was taken than any input may.
    fn check_memory(&self) -> Result<(), String> {
        memory::check().map_err(|fault| {
            let (name, kept) = (self.name, self.save_input());
            format!("{name} {fault}; the input is in {}", kept.display())
        })
    }

    /// Puts the last input where the next one does not overwrite it.
    pub(super) fn save_input(&self) -> PathBuf {
        let kept = self.path.with_file_name(format!("{}.broken", self.name));
        match fs::copy(&self.path, &kept) {
            Ok(_) => kept,
            Err(_) => self.path.clone(),
        }
    }

    /// Waits until the work is finished, or an input took too long or too much memory.
    pub(super) fn watch(&self, is_finished: impl Fn() -> bool) -> Result<(), String> {
        let mut seen = 0;
        let mut cpu_before = 0.0;
        while !is_finished() {
            thread::sleep(Duration::from_millis(20));
            self.check_memory()?;
            let since = self.running_since.load(Ordering::Acquire);
            if since == 0 {
                continue;
            }
            let cpu = cpu_seconds();
            if since != seen {
                (seen, cpu_before) = (since, cpu);
            }
            let stands_still = self.milliseconds() - (since - 1) > STANDSTILL.as_millis() as u64;
            if cpu - cpu_before > LONGEST.as_secs_f64() || stands_still {
                let (name, seconds, kept) = (self.name, LONGEST.as_secs(), self.save_input());
                return Err(format!(
                    "{name} takes more than {seconds} s; the input is in {}",
                    kept.display()
                ));
            }
        }
        Ok(())
    }

    fn milliseconds(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }
}

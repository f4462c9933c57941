//! A bound on the memory that fuzzing takes.
use std::fs;

/// Four times what one evaluation may take by default, in kB: seeds, journals and what a value weighs beyond its content
/// find room in it.
const MOST: u64 = 1 << 20;

/// An error where this process has ever taken more (Linux; elsewhere nothing is known).
pub(super) fn check() -> Result<(), String> {
    match peak() {
        Some(peak) if peak > MOST => Err(format!(
            "takes {} MiB of memory, more than {} MiB",
            peak >> 10,
            MOST >> 10
        )),
        _ => Ok(()),
    }
}

/// Returns the most kB that were resident at any time.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_known_and_grows() {
        let before = peak().expect("a peak");
        let large = vec![1_u8; 64 << 20];
        let after = peak().expect("a peak");
        assert!(
            after > before.max(60 << 10),
            "{before} and {after} kB with {} bytes",
            std::hint::black_box(&large).len()
        );
        assert_eq!(check(), Ok(()));
    }
}

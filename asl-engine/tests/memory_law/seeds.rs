//! Definitions and inputs that a number decides on: any languages, distributed Maps in distributed Maps, loops, deep data.
use super::{is_bounded, limits, peak};
use asl_engine::Limits;
use asl_model::generate::{Tape, any_definition, input};
use serde_json::Value;
use std::ops::Range;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Variable with a range of seeds: `MEMORY_LAW_SEEDS=1000..2000 cargo test … --test memory_law -- --ignored`.
const SEEDS: &str = "MEMORY_LAW_SEEDS";

/// Of a process that runs one seed, in KiB of address space.
const MOST_MEMORY: u32 = 4_000_000;
const MOST_TIME: Duration = Duration::from_secs(60);

/// Runs what the number decides on, by both hosts.
pub(crate) fn keeps_the_law(seed: u64, limits: Limits) {
    let definition = any_definition(&mut Tape::endless(&seed.to_le_bytes()));
    let input = input(&mut Tape::endless(&seed.to_be_bytes()));
    let synchronous = peak(&definition, &input, b"[1, 2, 3]", limits.clone());
    is_bounded(&format!("seed {seed}"), synchronous);
    #[cfg(feature = "runtime")]
    if has_children(&definition) {
        let by_runtime = super::peak_by_runtime(&definition, &input, limits);
        is_bounded(&format!("seed {seed} of the runtime"), by_runtime);
    }
}

/// Returns true if there may be child executions.
pub(crate) fn has_children(definition: &Value) -> bool {
    definition.to_string().contains("DISTRIBUTED")
}

fn seeds() -> Range<u64> {
    let text = std::env::var(SEEDS).unwrap_or_else(|_| "1000..2000".to_owned());
    let ends = text.split_once("..");
    let range = ends.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    range.expect("MEMORY_LAW_SEEDS=FROM..TO")
}

/// With few limits on steps, in this process; which is that of one seed.
#[test]
#[ignore = "takes minutes; what `many_seeds_keep_the_law` starts"]
fn these_seeds_keep_the_law() {
    for seed in seeds() {
        keeps_the_law(seed, limits());
    }
}

/// One process each, so that what takes all memory or never ends is found and named.
#[test]
#[ignore = "takes minutes; for a look at many"]
fn many_seeds_keep_the_law() {
    let broken: Vec<u64> = seeds().filter(|seed| !holds(*seed)).collect();
    assert!(broken.is_empty(), "these break the law: {broken:?}");
}

fn holds(seed: u64) -> bool {
    let this = std::env::current_exe().expect("a test's own path");
    let script = format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"");
    let mut process = Command::new("sh")
        .args(["-c", &script])
        .arg(this)
        .args(["--ignored", "--exact", "seeds::these_seeds_keep_the_law"])
        .env(SEEDS, format!("{seed}..{}", seed + 1))
        .stdout(Stdio::null())
        .spawn()
        .expect("a process");
    let started = Instant::now();
    while started.elapsed() < MOST_TIME {
        if let Some(status) = process.try_wait().expect("its status") {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    process.kill().expect("its end");
    process.wait().expect("its end");
    false
}

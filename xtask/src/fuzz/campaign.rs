//! One target's run: its seeds, then mutations until time is up.
use super::corpus::{self, Corpus, Shown};
use super::mutate::mutate;
use super::targets::Target;
use super::watchdog::Watchdog;
use crate::random::Random;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The stack of a worker thread of tokio, which is what hosts give the libraries.
const STACK: usize = 2 << 20;

/// One target's run.
pub(super) struct Campaign {
    target: &'static Target,
    seed: u64,
    duration: Duration,
    watchdog: Arc<Watchdog>,
}

/// The result of a run without violations.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Report {
    pub(super) seeds: usize,
    pub(super) inputs: u64,
    pub(super) kept: usize,
    pub(super) slowest: Duration,
}

impl Campaign {
    pub(super) fn new(
        target: &'static Target,
        seed: u64,
        duration: Duration,
    ) -> Result<Self, String> {
        let watchdog = Arc::new(Watchdog::new(target.name)?);
        Ok(Self {
            target,
            seed,
            duration,
            watchdog,
        })
    }

    /// Replays all seeds, then mutates.
    pub(super) fn run(self) -> Result<Report, String> {
        let seeds = corpus::seeds(self.target)?;
        self.on_small_stack(move |campaign| campaign.fuzz(seeds))
    }

    /// Runs the input in a file.
    pub(super) fn run_one(self, path: &Path) -> Result<Report, String> {
        let input = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        self.on_small_stack(move |campaign| campaign.fuzz(vec![input]))
    }

    /// Runs on a thread of its own, watched from this one.
    fn on_small_stack(
        self,
        work: impl FnOnce(&Self) -> Result<Report, String> + Send + 'static,
    ) -> Result<Report, String> {
        let watchdog = Arc::clone(&self.watchdog);
        let worker = thread::Builder::new()
            .name(format!("fuzz {}", self.target.name))
            .stack_size(STACK)
            .spawn(move || work(&self))
            .map_err(|error| error.to_string())?;
        watchdog.watch(|| worker.is_finished())?;
        worker
            .join()
            .map_err(|_| "the fuzzer itself panicked".to_owned())?
    }

    fn fuzz(&self, seeds: Vec<Vec<u8>>) -> Result<Report, String> {
        let mut report = Report {
            seeds: seeds.len(),
            ..Report::default()
        };
        let mut corpus = Corpus::default();
        for seed in seeds {
            let shown = self.execute(&seed, &mut report)?;
            corpus.add(seed, shown);
        }
        let mut random = Random::new(self.seed);
        let begun = Instant::now();
        while begun.elapsed() < self.duration {
            let input = mutate(&corpus, self.target.words, &mut random);
            let shown = self.execute(&input, &mut report)?;
            report.kept += usize::from(corpus.add(input, shown));
        }
        Ok(report)
    }

    /// Runs one input, and returns its features, or the file of an input that violates a law.
    fn execute(&self, input: &[u8], report: &mut Report) -> Result<Shown, String> {
        self.watchdog.start(input)?;
        let begun = Instant::now();
        let feature = catch_unwind(AssertUnwindSafe(|| (self.target.run)(input)));
        let took = begun.elapsed();
        report.slowest = report.slowest.max(took);
        report.inputs += 1;
        self.watchdog.end(took)?;
        let shown = feature.map(|feature| Shown { feature, took });
        shown.map_err(|_| {
            let kept = self.watchdog.save_input();
            format!(
                "{} broke a law; the input is in {}",
                self.target.name,
                kept.display()
            )
        })
    }
}

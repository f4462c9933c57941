//! Wall and CPU time of things that take from under a microsecond to seconds.
use std::fs;
use std::time::{Duration, Instant};

/// Repetitions are at most this many.
const MAX_REPETITIONS: usize = 20;

/// Shorter runs are repeated within one repetition until it is this long, so that the clocks' own cost does not count.
const SHORTEST_REPETITION: Duration = Duration::from_millis(20);

/// So many outputs are kept until a time is taken.
const OUTPUTS_KEPT: u32 = 100;

/// Something whose time is measured.
pub(crate) trait Measurable {
    /// The product of a run, dropped after its time is taken.
    type Product;

    /// Once more.
    fn run(&mut self) -> Self::Product;
}

/// Duration of a measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget(pub(crate) Duration);

impl Budget {
    /// `BUDGET` seconds, 1 by default.
    pub(crate) fn from_environment() -> Result<Self, String> {
        let Ok(text) = std::env::var("BUDGET") else {
            return Ok(Self(Duration::from_secs(1)));
        };
        let seconds = text
            .parse()
            .ok()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        seconds
            .map(Self)
            .ok_or_else(|| format!("BUDGET is {text:?}, expected a number of seconds"))
    }
}

/// The result of repeated runs, in seconds per run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measurement {
    /// Median of the wall time.
    pub(crate) seconds: f64,
    pub(crate) min: f64,
    /// Median of this process's time on processors.
    pub(crate) cpu: f64,
    pub(crate) reps: usize,
}

/// One repetition's wall and CPU time, in seconds for one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

impl Measurement {
    pub(crate) fn from_samples(samples: &[Sample]) -> Self {
        let sorted = |field: fn(&Sample) -> f64| {
            let mut values: Vec<f64> = samples.iter().map(field).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let (wall, cpu) = (sorted(|sample| sample.wall), sorted(|sample| sample.cpu));
        Self {
            seconds: median(&wall),
            min: wall.first().copied().unwrap_or(0.0),
            cpu: median(&cpu),
            reps: samples.len(),
        }
    }
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted {
        [] => 0.0,
        _ if sorted.len() % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// Measures all subjects in turn, repetition by repetition, so that what disturbs one disturbs all.
pub(crate) fn interleaved<M: Measurable>(
    subjects: &mut [&mut M],
    budget: Budget,
) -> Vec<Measurement> {
    let runs: Vec<u32> = subjects
        .iter_mut()
        .map(|subject| runs_of_one_repetition(*subject))
        .collect();
    let mut samples = vec![Vec::new(); subjects.len()];
    let begun = Instant::now();
    for repetition in 0..MAX_REPETITIONS {
        if repetition > 0
            && begun.elapsed()
                >= budget
                    .0
                    .saturating_mul(u32::try_from(subjects.len()).unwrap_or(1))
        {
            break;
        }
        for ((subject, runs), samples) in subjects.iter_mut().zip(&runs).zip(&mut samples) {
            samples.push(sample(*subject, *runs));
        }
    }
    samples
        .iter()
        .map(|samples| Measurement::from_samples(samples))
        .collect()
}

/// Returns the first run warms up; the second reports how many make a repetition.
fn runs_of_one_repetition(subject: &mut impl Measurable) -> u32 {
    drop(subject.run());
    let one = sample(subject, 1).wall.max(1e-9);
    let runs = (SHORTEST_REPETITION.as_secs_f64() / one).ceil();
    runs.clamp(1.0, 20_000.0) as u32
}

/// Runs a number of times; dropping the outputs does not count.
fn sample(subject: &mut impl Measurable, runs: u32) -> Sample {
    let mut total = Sample {
        wall: 0.0,
        cpu: 0.0,
    };
    let mut outputs = Vec::with_capacity(OUTPUTS_KEPT.min(runs) as usize);
    let mut left = runs;
    while left > 0 {
        let now = left.min(OUTPUTS_KEPT);
        let (cpu, wall) = (cpu_seconds(), Instant::now());
        for _ in 0..now {
            outputs.push(subject.run());
        }
        total.wall += wall.elapsed().as_secs_f64();
        total.cpu += cpu_seconds() - cpu;
        outputs.clear();
        left -= now;
    }
    Sample {
        wall: total.wall / f64::from(runs),
        cpu: total.cpu / f64::from(runs),
    }
}

/// Seconds that this process's threads were on a processor (Linux; 0 elsewhere).
pub(crate) fn cpu_seconds() -> f64 {
    // The scheduler brings its account up to date when a thread yields, otherwise only at its next tick.
    std::thread::yield_now();
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let nanoseconds = |path: &std::path::Path| -> Option<u64> {
        let text = fs::read_to_string(path.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let total: u64 = threads
        .filter_map(|thread| nanoseconds(&thread.path()))
        .sum();
    Duration::from_nanos(total).as_secs_f64()
}

/// Seconds as a person reads them.
pub(crate) fn format_seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-5 => format!("{:.1} µs", s * 1e6),
        s => format!("{:.2} µs", s * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_between_the_two_in_the_middle() {
        let samples = |walls: &[f64]| -> Vec<Sample> {
            walls
                .iter()
                .map(|wall| Sample {
                    wall: *wall,
                    cpu: wall / 2.0,
                })
                .collect()
        };
        let odd = Measurement::from_samples(&samples(&[3.0, 1.0, 2.0]));
        assert_eq!(
            odd,
            Measurement {
                seconds: 2.0,
                min: 1.0,
                cpu: 1.0,
                reps: 3
            }
        );
        assert_eq!(
            Measurement::from_samples(&samples(&[4.0, 1.0, 2.0, 8.0])).seconds,
            3.0
        );
    }
}

//! The law of steps: no definition takes more than linear time in its charged cost.
//!
//! Each family does one thing at sizes n, 2n, 4n and 8n. Its cost, steps and bytes, is the smallest value of each limit with
//! which it succeeds; its time is measured on this processor. If the time per cost grows with the size, some work is not
//! charged.
mod drawn;
mod expressions;
mod families;
mod fields;

use asl_engine::{
    Limits, Outcome, Program, Start, StorageOperation, StorageRequest, StorageResult,
    SynchronousHost, TaskError, TaskInvocation, drive_with,
};
use asl_model::Timestamp;
use families::Family;
use serde_json::Value;
use std::time::{Duration, Instant};

fn all() -> impl Iterator<Item = Family> {
    [
        expressions::jsonata(),
        expressions::repeated(),
        families::paths(),
        families::intrinsics(),
        families::states(),
        fields::fields(),
        families::files(),
    ]
    .into_iter()
    .flatten()
}

/// Arguments of `cargo xtask growth`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only families whose names hold this
    filter: Option<String>,
    /// Measure so many drawn calls of every built-in function instead
    #[arg(long, value_name = "COUNT")]
    drawn: Option<usize>,
    /// Seed of the drawn calls
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Sizes of each family, as multiples of its smallest.
const SIZES: [usize; 4] = [1, 2, 4, 8];

/// Runs of which the fastest counts.
const RUNS: usize = 5;

/// Maximum growth of the time per cost at the last doubling, to allow for noise. Before that it may grow more: expensive
/// steps, such as those of 64 bytes of text, outweigh the others.
const NOISE: f64 = 1.6;

/// Number of repeated measurements of a family that seems to take more than linear time: another program may have run in the
/// meantime, or the processor may have slowed down.
const MORE_MEASUREMENTS: usize = 3;

/// Answers with the request; every object of its store has this content.
struct Host<'o>(&'o [u8]);

impl SynchronousHost for Host<'_> {
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError> {
        Ok(Value::clone(&invocation.payload))
    }

    fn perform_storage(&mut self, request: &StorageRequest) -> Result<StorageResult, String> {
        match request.operation {
            StorageOperation::GetObject { .. } => Ok(StorageResult::Object(self.0.to_vec())),
            StorageOperation::ListObjects { .. } => Ok(StorageResult::Listing(Vec::new())),
            StorageOperation::PutObject { .. } => Ok(StorageResult::Written),
        }
    }
}

/// A family at one size, ready to run.
struct Subject {
    program: Program,
    start: Start,
    object: String,
}

/// Measurement of a family at one size.
struct SizeMeasurement {
    time: Duration,
    steps: u64,
    bytes: u64,
}

impl SizeMeasurement {
    /// Nanoseconds for a step or for the bytes of a small value.
    fn cost(&self) -> f64 {
        const BYTES_OF_A_STEP: f64 = 80.0;
        let charge = self.steps as f64 + self.bytes as f64 / BYTES_OF_A_STEP;
        self.time.as_nanos() as f64 / charge
    }
}

/// Prints what each family takes; false if one takes more than it is charged for.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let families = match arguments.drawn {
        Some(count) => drawn::calls(arguments.seed, count, |family| check(family).is_ok()),
        None => all().collect(),
    };
    let mut is_held = true;
    println!(
        "{:<34}{:>10}{:>12}{:>14}{:>30}{:>8}",
        "", "ms", "steps", "bytes", "ns for a charge", "growth"
    );
    for family in families {
        let filter = arguments.filter.as_deref().unwrap_or_default();
        if !family.name.contains(filter) {
            continue;
        }
        let mut measured = match growth_of(&family) {
            // A limit of a value, such as the length of a text, is reached at a larger size.
            Err(error) if arguments.drawn.is_some() => {
                println!("{:<34} left out: {error}", family.name);
                continue;
            }
            measured => measured?,
        };
        for _ in 0..MORE_MEASUREMENTS {
            if measured.is_linear() {
                break;
            }
            measured = growth_of(&family)?;
        }
        is_held &= measured.is_linear();
        measured.print(&family.name);
    }
    Ok(is_held)
}

/// A family at every size.
struct Growth([SizeMeasurement; SIZES.len()]);

fn growth_of(family: &Family) -> Result<Growth, String> {
    let [one, two, four, eight] = SIZES.map(|size| measure(family, size));
    Ok(Growth([one?, two?, four?, eight?]))
}

impl Growth {
    /// Returns the growth of the cost of a charge at the last doubling of the size.
    fn factor(&self) -> f64 {
        let [.., before, last] = &self.0;
        last.cost() / before.cost()
    }

    fn is_linear(&self) -> bool {
        self.factor() < NOISE
    }

    fn print(&self, name: &str) {
        let [.., SizeMeasurement { time, steps, bytes }] = &self.0;
        let costs: Vec<String> = (self.0.iter())
            .map(|measured| format!("{:.1}", measured.cost()))
            .collect();
        let verdict = match self.is_linear() {
            true => "",
            false => "  <- more than linear",
        };
        println!(
            "{name:<34}{:>10.2}{steps:>12}{bytes:>14}{:>30}{:>8.2}{verdict}",
            time.as_secs_f64() * 1e3,
            costs.join(" "),
            self.factor(),
        );
    }
}

/// Returns the limits under which every family succeeds.
fn largest_limits() -> Limits {
    Limits::unlimited()
        .with_max_expression_steps(1 << 32)
        .with_max_expression_memory(4 << 30)
        .with_max_execution_bytes(4 << 30)
}

/// Checks that a family succeeds at its smallest size.
fn check(family: &Family) -> Result<(), String> {
    let subject = subject(family, 1)?;
    match run_with(&subject, largest_limits()).0 {
        Outcome::Succeeded(_) => Ok(()),
        other => Err(format!("{}: {other:?}", family.name)),
    }
}

fn measure(family: &Family, size: usize) -> Result<SizeMeasurement, String> {
    let subject = subject(family, size)?;
    let most = largest_limits();
    let outcome = run_with(&subject, most.clone()).0;
    if !matches!(outcome, Outcome::Succeeded(_)) {
        return Err(format!("{} at {size}: {outcome:?}", family.name));
    }
    let runs = (0..RUNS).map(|_| run_with(&subject, most.clone()).1);
    let time = runs.min().unwrap_or_default();
    let steps = find_least_limit(&subject, |steps| {
        most.clone().with_max_expression_steps(steps)
    });
    let bytes = find_least_limit(&subject, |bytes| {
        most.clone().with_max_execution_bytes(bytes)
    });
    Ok(SizeMeasurement { time, steps, bytes })
}

/// Returns the least limit under which it succeeds, to a hundredth.
fn find_least_limit(subject: &Subject, limits: impl Fn(u64) -> Limits) -> u64 {
    let succeeds = |limit| matches!(run_with(subject, limits(limit)).0, Outcome::Succeeded(_));
    // Runs that end early are cheap.
    let (mut below, mut above) = (0, 1);
    while above < 1 << 32 && !succeeds(above) {
        (below, above) = (above, above * 2);
    }
    while above - below > 1 + above / 128 {
        let middle = below + (above - below) / 2;
        match succeeds(middle) {
            true => above = middle,
            false => below = middle,
        }
    }
    above
}

fn subject(family: &Family, size: usize) -> Result<Subject, String> {
    let case = (family.case)(family.smallest * size);
    let text = case.definition.to_string();
    let program = Program::parse(&text).map_err(|error| format!("{}: {error}", family.name))?;
    let start = Start::new("growth", case.input, Timestamp::default());
    Ok(Subject {
        program,
        start,
        object: case.object,
    })
}

fn run_with(subject: &Subject, limits: Limits) -> (Outcome, Duration) {
    let start = subject.start.clone().with_limits(limits);
    let program = subject.program.clone();
    let begun = Instant::now();
    let outcome = drive_with(program, start, Host(subject.object.as_bytes()));
    (outcome, begun.elapsed())
}

//! Subjects of measurements: the engine on one of its hosts, validation, or a floor.
use super::files::Workload;
use super::tokio_host::TokioHost;
use super::{core_host, stubs};
use crate::floor::{self, Floor};
use crate::measure::Measurable;
use asl_engine::{Outcome, Program};
use asl_model::Options;
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;

/// Through which host executions run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Host {
    /// None: the bare core.
    Core,
    /// The tokio runtime.
    Tokio,
}

/// Something to measure, loaded and run once.
pub(super) struct Subject {
    run: Box<dyn FnMut() -> Product>,
    /// True if the first run gave what the workload expects.
    pub(super) ok: bool,
    /// Parse and compile time.
    pub(super) load_seconds: f64,
    pub(super) transitions: u64,
}

/// The product of a run, dropped after its time is taken.
pub(super) enum Product {
    Ended(Outcome, u64),
    Value(Value),
    Faults(usize),
}

impl Subject {
    /// Loads the workload into the engine, or prepares validation for a validation workload.
    pub(super) fn load(workload: &Workload, host: Host) -> Result<Self, String> {
        let begun = Instant::now();
        if workload.expected.is_none() {
            return Ok(Self::first_run(
                workload,
                0.0,
                validation(workload.definition.clone()),
            ));
        }
        let (machine, _) = asl_model::parse(&workload.definition, Options::default())
            .map_err(|found| format!("{}: the definition is refused: {found}", workload.name))?;
        let program = Program::compile(&machine).map_err(|error| error.to_string())?;
        let load_seconds = begun.elapsed().as_secs_f64();
        let (program, input) = (Arc::new(program), Arc::new(workload.input.clone()));
        let ended = |(outcome, transitions)| Product::Ended(outcome, transitions);
        let mut number = 0;
        let run: Box<dyn FnMut() -> Product> = match host {
            Host::Core => Box::new(move || {
                number += 1;
                ended(core_host::run(&program, stubs::start(&input, number)))
            }),
            Host::Tokio => {
                let host = TokioHost::new()?;
                Box::new(move || {
                    number += 1;
                    ended(host.run(&program, stubs::start(&input, number)))
                })
            }
        };
        Ok(Self::first_run(workload, load_seconds, run))
    }

    /// Creates the workload's floor.
    pub(super) fn floor(workload: &Workload) -> Result<Self, String> {
        let begun = Instant::now();
        let run: Box<dyn FnMut() -> Product> = if workload.expected.is_none() {
            let text = workload.definition.clone();
            Box::new(move || Product::Faults(floor::validate::faults(&text)))
        } else {
            let floor = prepared_floor(workload)?;
            let input = workload.input.clone();
            Box::new(move || Product::Value(floor(&input)))
        };
        Ok(Self::first_run(
            workload,
            begun.elapsed().as_secs_f64(),
            run,
        ))
    }

    fn first_run(
        workload: &Workload,
        load_seconds: f64,
        mut run: Box<dyn FnMut() -> Product>,
    ) -> Self {
        let (ok, transitions) = match run() {
            Product::Ended(Outcome::Succeeded(output), transitions) => {
                (workload.is_expected(&output), transitions)
            }
            Product::Ended(_, transitions) => (false, transitions),
            Product::Value(output) => (workload.is_expected(&output), 0),
            Product::Faults(faults) => (faults == 0, 0),
        };
        Self {
            run,
            ok,
            load_seconds,
            transitions,
        }
    }
}

impl Measurable for Subject {
    type Product = Product;

    fn run(&mut self) -> Product {
        (self.run)()
    }
}

fn validation(text: String) -> Box<dyn FnMut() -> Product> {
    Box::new(move || {
        let diagnostics = asl_model::validate(&text, Options::default());
        let errors = diagnostics
            .iter()
            .filter(|d| d.severity == asl_model::Severity::Error);
        Product::Faults(errors.count())
    })
}

fn prepared_floor(workload: &Workload) -> Result<Floor, String> {
    let definition =
        serde_json::from_str(&workload.definition).map_err(|error| error.to_string())?;
    floor::prepare(&workload.name, &definition)
        .ok_or_else(|| format!("{} has no floor", workload.name))
}

//! `asl serve --watch`: the state machines of templates and definitions.
use super::plan_files::PlanFiles;
use crate::arguments::ServeArguments;
use crate::definition::Definition;
use crate::exit::Failure;
use crate::stamp::PERIOD;
use crate::substitutions::Substitutions;
use crate::terminal::{self, FAINT, SUCCESS, warn};
use asl_application::{Plan, PlannedMachine};
use asl_model::{Options, Placeholders, StateMachineType};
use asl_server::{DeploymentOutcome, Deployments};
use asl_template::is_called_definition;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// Templates and definitions whose state machines are served.
pub(super) struct WatchedFiles {
    files: PlanFiles,
    express: BTreeSet<String>,
    /// The plan that was deployed last.
    plan: Plan,
    is_new: bool,
    /// Files that were reported.
    reported: BTreeSet<PathBuf>,
}

impl WatchedFiles {
    /// Returns the files that the arguments name.
    pub(super) fn new(arguments: &ServeArguments) -> Result<Option<Self>, Failure> {
        let Some(path) = &arguments.watch else {
            return Ok(None);
        };
        if !path.exists() {
            return Err(Failure::new(format!(
                "--watch {}: cannot be read: it does not exist",
                path.display()
            )));
        }
        let substitutions = Substitutions::read(&arguments.substitutions)?;
        let mut files = PlanFiles::new(vec![path.clone()], substitutions);
        files
            .read()
            .map_err(|failure| Failure::new(format!("--watch {}", failure.0)))?;
        Ok(Some(Self {
            files,
            express: arguments.express.iter().cloned().collect(),
            plan: Plan::default(),
            is_new: true,
            reported: BTreeSet::new(),
        }))
    }

    /// Reports which of the values given one by one no definition had.
    pub(super) fn warn_of_unused(&self) {
        self.files.warn_of_unused();
    }

    /// Checks the files, and deploys changed definitions.
    pub(super) async fn look(&mut self, deployments: &Deployments) {
        // They are requested their times in a thread that may wait.
        let changed = tokio::task::block_in_place(|| self.files.have_changed());
        if !std::mem::take(&mut self.is_new) && !changed {
            return;
        }
        let mut plan = match tokio::task::block_in_place(|| self.files.read()) {
            Ok(plan) => plan,
            Err(failure) => return warn(&failure.0),
        };
        self.report_findings(&plan);
        self.keep_unreadable(&mut plan);
        let difference = plan.difference(&self.plan);
        for name in &difference.changed_machines {
            let machine = plan.machines.iter().find(|it| it.name == *name);
            if let Some(machine) = machine {
                self.deploy(machine, deployments).await;
            }
        }
        for name in &difference.removed_machines {
            let machine = self.plan.machines.iter().find(|it| it.name == *name);
            if let Some(machine) = machine {
                report_removed(machine);
            }
        }
        self.plan = plan;
    }

    /// Reports the faults of templates, and the parts of them that are not served.
    fn report_findings(&mut self, plan: &Plan) {
        for finding in &plan.findings {
            warn(&finding.to_string());
        }
        for ignored in &plan.ignored {
            if self.reported.insert(ignored.file.clone()) {
                warn(&format!(
                    "{} is ignored: state machine '{}' comes from {}",
                    ignored.file.display(),
                    ignored.name,
                    ignored.other.display()
                ));
            }
        }
        for function in &plan.functions {
            if self.reported.insert(function.file.clone()) {
                let file = function.file.display();
                warn(&format!(
                    "the functions of {file} are not run: `asl dev {file}` runs them"
                ));
            }
        }
    }

    /// Keeps the state machines of files that cannot be read now.
    fn keep_unreadable(&self, plan: &mut Plan) {
        for (path, reason) in plan.unreadable.clone() {
            if !path.exists() {
                continue;
            }
            terminal::error_line(&format!("cannot read {}: {reason}", path.display()));
            let kept = self
                .plan
                .machines
                .iter()
                .filter(|it| it.source.file() == path);
            for machine in kept {
                warn(&format!("state machine '{}' is unchanged", machine.name));
                plan.machines.push(machine.clone());
            }
        }
    }

    async fn deploy(&self, machine: &PlannedMachine, deployments: &Deployments) {
        let name = &machine.name;
        match self.put(machine, deployments).await {
            Ok(DeploymentOutcome::Unchanged) => {}
            Ok(outcome) => {
                let done = match outcome {
                    DeploymentOutcome::Created => "created",
                    _ => "updated",
                };
                let reference = machine.source.reference();
                let what = format!("state machine '{name}' {SUCCESS}{done}{SUCCESS:#}");
                report(&reference, &what);
            }
            Err(failure) => {
                failure.report();
                warn(&format!("state machine '{name}' is unchanged"));
            }
        }
    }

    /// Puts a definition in place.
    async fn put(
        &self,
        machine: &PlannedMachine,
        deployments: &Deployments,
    ) -> Result<DeploymentOutcome, Failure> {
        let machine_type = match self.express.contains(&machine.name) {
            true => StateMachineType::Express,
            false => machine.machine_type,
        };
        let reference = machine.source.reference();
        let options = Options::default()
            .with_state_machine_type(machine_type)
            .with_placeholders(Placeholders::Left);
        let source = Definition::of_found(machine.source.clone());
        let (_, _warnings) = source.parse(source.options(options, true))?;
        let definition = machine.definition();
        let definition = definition
            .ok_or_else(|| Failure::new(format!("the definition of {reference} cannot be read")))?;
        let put = deployments.put(&machine.name, &definition, machine_type);
        put.await
            .map_err(|error| Failure::new(format!("{reference}: {error}")))
    }
}

/// Looks at the files from time to time, if there are some; for ever.
pub(super) async fn poll_forever(
    watched: Option<WatchedFiles>,
    deployments: &Deployments,
) -> Infallible {
    let Some(mut watched) = watched else {
        return std::future::pending().await;
    };
    loop {
        tokio::time::sleep(PERIOD).await;
        watched.look(deployments).await;
    }
}

fn report_removed(machine: &PlannedMachine) {
    let file: &Path = machine.source.file();
    let how = match is_called_definition(file) || !file.exists() {
        true => "deleted",
        false => "gone from the template",
    };
    let reference = machine.source.reference();
    let name = &machine.name;
    report(
        &reference,
        &format!("{how}; state machine '{name}' remains"),
    );
}

fn report(reference: &str, what: &str) {
    terminal::error_line(&format!("{FAINT}{reference}:{FAINT:#} {what}"));
}

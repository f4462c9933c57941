//! Lines of `asl dev` about an application: its parts, who performs its tasks, and changes.
use super::Application;
use super::http::APIS;
use crate::serve::tasks::Performers;
use crate::terminal::{self, ERROR, FAINT, STRONG, SUCCESS, WARNING, warn};
use asl_application::{AppliedPart, Outcome, PartKind, PlannedMachine, RouteTarget};
use asl_engine::{Program, ProgramTask};
use asl_model::Placeholders;
use asl_performers::{AwsTasks, HttpTasks};
use asl_template::FunctionSource;

impl Application {
    pub(super) fn report_findings(&self) {
        for finding in &self.plan.findings {
            warn(&finding.to_string());
        }
        for ignored in &self.plan.ignored {
            warn(&format!(
                "state machine '{}' of {} is ignored: the one of {} has its name",
                ignored.name,
                ignored.file.display(),
                ignored.other.display()
            ));
        }
        for (path, reason) in &self.plan.unreadable {
            warn(&format!("cannot read {}: {reason}", path.display()));
        }
    }

    /// Prints all parts of the application, and who performs each task.
    pub(super) fn report_table(&self, applied: &[AppliedPart], performers: &Performers) {
        let outcome = |part: PartKind, name: &str| {
            let mut all = applied.iter();
            all.find(|it| it.part == part && it.name == name)
                .map(|it| &it.outcome)
        };
        for machine in &self.plan.machines {
            let reference = machine.source.reference();
            line(&format!(
                "{STRONG}{}{STRONG:#} {FAINT}{reference}{FAINT:#}{}",
                machine.name,
                problem(outcome(PartKind::StateMachine, &machine.name))
            ));
            for task in tasks_of(machine).iter().flat_map(|program| program.tasks()) {
                line(&task_line(&task, performers));
            }
        }
        for function in &self.plan.functions {
            line(&format!(
                "function {STRONG}{}{STRONG:#} {FAINT}{}{FAINT:#}{}",
                function.name,
                described(function),
                problem(outcome(PartKind::Function, &function.name))
            ));
        }
        for part in applied.iter().filter(|it| it.part == PartKind::Resource) {
            self.report(part);
        }
        self.report_routes();
        self.report_events();
    }

    fn report_routes(&self) {
        for route in self.plan.routes() {
            let target = match &route.target {
                RouteTarget::Function(name) => format!("function {name}"),
                RouteTarget::StateMachine(name) => format!("an execution of {name}"),
                _ => continue,
            };
            let stage = match route.stage.as_str() {
                "$default" => String::new(),
                stage => format!("/{stage}"),
            };
            line(&format!(
                "{} {}{APIS}/{}{stage}{} {FAINT}by {target}{FAINT:#}",
                route.method, self.url, route.api, route.path
            ));
        }
    }

    /// Reports the events that are not delivered, with the command to start an execution.
    fn report_events(&self) {
        for event in &self.plan.events {
            let machine = self.plan.machines.iter().find(|it| it.id == event.target);
            let is_route = matches!(event.event_type.as_str(), "Api" | "HttpApi");
            let Some(machine) = machine.filter(|_| !is_route) else {
                continue;
            };
            line(&format!(
                "{} {STRONG}{}{STRONG:#} of {} is not delivered by itself: start an execution of {}",
                event.event_type, event.id, machine.name, machine.name
            ));
        }
    }

    pub(super) fn report_missing(&self, name: &str, performers: &Performers) {
        let machine = self.plan.machines.iter().find(|it| it.name == name);
        let Some(program) = machine.and_then(tasks_of) else {
            return;
        };
        let missing = program
            .tasks()
            .filter(|task| performer_of(task, performers).is_none());
        for task in missing {
            line(&task_line(&task, performers));
        }
    }

    pub(super) fn report(&self, applied: &AppliedPart) {
        let what = match applied.part {
            PartKind::StateMachine => "state machine",
            PartKind::Function => "function",
            _ => "resource",
        };
        let outcome = match &applied.outcome {
            Outcome::Created => format!("{SUCCESS}created{SUCCESS:#}"),
            Outcome::Updated => format!("{SUCCESS}updated{SUCCESS:#}"),
            Outcome::Unchanged => "is there".to_owned(),
            Outcome::Removed if applied.part == PartKind::StateMachine => {
                "is gone from the template, and remains".to_owned()
            }
            Outcome::Removed => "removed".to_owned(),
            Outcome::Warned(reason) => format!("updated; {WARNING}{reason}{WARNING:#}"),
            Outcome::Failed(reason) => format!("{ERROR}failed{ERROR:#}: {reason}"),
            _ => "changed".to_owned(),
        };
        line(&format!(
            "{what} {STRONG}{}{STRONG:#} {outcome}",
            applied.name
        ));
    }
}

/// Returns the program of a state machine; None if its definition is invalid, which the deployment reports.
fn tasks_of(machine: &PlannedMachine) -> Option<Program> {
    let options = asl_model::Options::default().with_placeholders(Placeholders::Left);
    let (machine, _) = machine.source.parse(options)?.ok()?;
    Program::compile(&machine).ok()
}

/// Describes the performer of a task.
fn performer_of(task: &ProgramTask<'_>, performers: &Performers) -> Option<String> {
    if let Some(performer) = performers.describe(task) {
        return Some(performer);
    }
    let resource = task.resource();
    let service = resource.integration().map(|it| it.service.as_str());
    match service {
        Some("states" | "aws-sdk:sfn") => Some("this server".to_owned()),
        _ if resource.uri.contains(":activity:") => Some("workers of the activity".to_owned()),
        _ => None,
    }
}

fn task_line(task: &ProgramTask<'_>, performers: &Performers) -> String {
    let state = task.state_name();
    match performer_of(task, performers) {
        Some(performer) => format!("  {state} {FAINT}by {performer}{FAINT:#}"),
        None => {
            let resource = task.resource();
            let function = resource.function_name().or(task.function_name());
            let name = function.unwrap_or(&resource.uri);
            let endpoint = match () {
                () if HttpTasks::is_call(resource) => ", or --allow-http HOST",
                () if AwsTasks::is_call(resource) => ", or --aws URL",
                () => "",
            };
            format!(
                "  {state} {WARNING}by nobody{WARNING:#}: add --task '{name}=exec:COMMAND'{endpoint}"
            )
        }
    }
}

fn described(function: &FunctionSource) -> String {
    let runtime = function.runtime.as_deref().unwrap_or("no runtime");
    let handler = function.handler.as_deref().unwrap_or_default();
    let file = function.file.display();
    format!("{runtime} {handler} {file}:{}", function.line)
}

fn problem(outcome: Option<&Outcome>) -> String {
    match outcome {
        Some(Outcome::Failed(reason)) => format!(" {ERROR}does not work{ERROR:#}: {reason}"),
        Some(Outcome::Warned(reason)) => format!(" {WARNING}{reason}{WARNING:#}"),
        _ => String::new(),
    }
}

fn line(text: &str) {
    terminal::error_line(text);
}

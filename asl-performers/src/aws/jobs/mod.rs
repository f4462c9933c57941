//! Jobs (`.sync`): submitted, and followed until they are over.
mod catalogue;
mod follow;
mod running;

pub(super) use follow::{follow, submitted};
pub use running::RunningJobs;

use asl_aws::services::polled_operation;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The rules by which the jobs of an operation are followed. Places are JSON Pointers.
#[derive(Debug, Clone, Copy)]
pub(super) struct JobKind {
    /// As resources name it.
    service: &'static str,
    /// The operation that submits a job.
    submits: &'static str,
    /// The request of the operation that reports on a job.
    asked_by: Members,
    /// Place of the status in the report.
    status: &'static str,
    end: JobEnd,
    result: JobResult,
    /// The operation that stops a job, and its request.
    stopped_by: Option<(&'static str, Members)>,
}

type Members = &'static [Member];

/// A member of a request about a job.
#[derive(Debug, Clone, Copy)]
struct Member {
    name: &'static str,
    value: Place,
    is_list: bool,
}

/// The source of a value.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// In the answer to the submission.
    Submission(&'static str),
    /// In the arguments of the task.
    Argument(&'static str),
    Constant(&'static str),
}

/// Sign that a job is over.
#[derive(Debug, Clone, Copy)]
enum JobEnd {
    /// By these statuses.
    Statuses {
        succeeded: &'static [&'static str],
        failed: &'static [&'static str],
    },
    /// The task of ECS was stopped: it succeeded if each container exited with 0.
    ContainersExited,
}

/// Result of a job.
#[derive(Debug, Clone, Copy)]
enum JobResult {
    /// The whole report.
    Report,
    /// A part of it.
    Part(&'static str),
    /// A part of it as the member of an object.
    Named(&'static str, &'static str),
    /// The answer to the submission, with this member of the report.
    AddedTo(&'static str),
}

impl Member {
    const fn one(name: &'static str, value: Place) -> Self {
        Self {
            name,
            value,
            is_list: false,
        }
    }

    /// A list with one element.
    const fn list(name: &'static str, value: Place) -> Self {
        Self {
            name,
            value,
            is_list: true,
        }
    }
}

impl JobKind {
    const fn new(service: &'static str, submits: &'static str) -> Self {
        Self {
            service,
            submits,
            asked_by: &[],
            status: "",
            end: JobEnd::Statuses {
                succeeded: &[],
                failed: &[],
            },
            result: JobResult::Report,
            stopped_by: None,
        }
    }

    const fn asked_by(mut self, members: Members) -> Self {
        self.asked_by = members;
        self
    }

    const fn with_status(mut self, place: &'static str) -> Self {
        self.status = place;
        self
    }

    const fn ended_by(
        self,
        succeeded: &'static [&'static str],
        failed: &'static [&'static str],
    ) -> Self {
        self.ended_when(JobEnd::Statuses { succeeded, failed })
    }

    const fn ended_when(mut self, end: JobEnd) -> Self {
        self.end = end;
        self
    }

    const fn resulting_in(mut self, result: JobResult) -> Self {
        self.result = result;
        self
    }

    const fn stopped_by(mut self, operation: &'static str, members: Members) -> Self {
        self.stopped_by = Some((operation, members));
        self
    }

    /// Returns the jobs of an operation, as the resource names it.
    pub(super) fn find(service: &str, operation: &str) -> Option<&'static Self> {
        catalogue::find(service, operation)
    }

    /// Returns the parameters of the submission. Recorded of Batch: jobs of Step Functions have a variable that says so.
    pub(super) fn parameters<'p>(&self, arguments: &'p Value) -> Cow<'p, Value> {
        let is_of_one_container = [
            "NodeOverrides",
            "EcsPropertiesOverride",
            "EksPropertiesOverride",
        ]
        .iter()
        .all(|other| arguments.get(other).is_none());
        if self.service != "batch" || !is_of_one_container {
            return Cow::Borrowed(arguments);
        }
        let mut arguments = arguments.clone();
        let variable = json!({"Name": "MANAGED_BY_AWS", "Value": "STARTED_BY_STEP_FUNCTIONS"});
        if let Value::Object(members) = &mut arguments {
            let overrides = members
                .entry("ContainerOverrides")
                .or_insert_with(|| json!({}));
            let environment = overrides
                .as_object_mut()
                .map(|it| it.entry("Environment").or_insert_with(|| json!([])));
            if let Some(Value::Array(environment)) = environment {
                environment.push(variable);
            }
        }
        Cow::Owned(arguments)
    }

    /// Returns the operation that reports on a job.
    fn polled(&self) -> Option<&'static str> {
        polled_operation(self.service, self.submits)
    }

    /// Returns true if a job succeeded, false if it failed, and None while it runs.
    fn has_succeeded(&self, report: &Value) -> Option<bool> {
        let status = report.pointer(self.status)?.as_str()?;
        match self.end {
            JobEnd::Statuses { succeeded, .. } if succeeded.contains(&status) => Some(true),
            JobEnd::Statuses { failed, .. } => failed.contains(&status).then_some(false),
            JobEnd::ContainersExited => {
                let containers = report.pointer("/Tasks/0/Containers")?.as_array()?;
                let mut codes = containers.iter().map(|it| it["ExitCode"].as_i64());
                (status == "STOPPED").then(|| codes.all(|code| code == Some(0)))
            }
        }
    }

    /// Returns the result of a job that is over.
    fn result(&self, report: &Value, submission: &Value) -> Value {
        let part = |place| report.pointer(place).cloned().unwrap_or_default();
        match self.result {
            JobResult::Report => report.clone(),
            JobResult::Part(place) => part(place),
            JobResult::Named(name, place) => json!({ name: part(place) }),
            JobResult::AddedTo(member) => {
                let mut result = submission.as_object().cloned().unwrap_or_default();
                result.insert(member.to_owned(), report[member].clone());
                result.into()
            }
        }
    }
}

/// Returns the request with these members.
fn request(members: Members, arguments: &Value, submission: &Value) -> Value {
    let mut request = Map::new();
    for Member {
        name,
        value,
        is_list,
    } in members
    {
        let value = match *value {
            Place::Submission(place) => submission.pointer(place).cloned(),
            Place::Argument(place) => arguments.pointer(place).cloned(),
            Place::Constant(text) => Some(text.into()),
        };
        if let Some(value) = value {
            let value = match is_list {
                true => json!([value]),
                false => value,
            };
            request.insert((*name).to_owned(), value);
        }
    }
    request.into()
}

#[cfg(test)]
mod tests;

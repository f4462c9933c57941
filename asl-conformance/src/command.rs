//! Another interpreter: a command that reads a request and writes an answer, both as lines of JSON. `fixtures/README.md` has the
//! protocol.
use crate::case::LONGEST;
use crate::verdict::cut;
use crate::{Case, CasesError, DefinitionFault, Kind, Run, Subject, Validation};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

/// An interpreter that runs as a command: it reads a request from each line of its standard input, and writes an answer as a line
/// of JSON. A command that gives a wrong answer, or none within 30 s, is not asked again.
///
/// ```
/// use asl_conformance::{CommandSubject, Conformance};
///
/// let mut command = CommandSubject::start("while read -r request; do echo '{\"value\": 6}'; done")?;
/// let report = Conformance::own().with_filter("eval/").judge(&mut command)?;
/// assert!(!report.holds());
/// # Ok::<(), asl_conformance::CasesError>(())
/// ```
#[derive(Debug)]
pub struct CommandSubject {
    process: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    /// The reason why it gives no more answers.
    fault: Option<String>,
}

/// Members of an answer; which ones there must be depends on the kind of the case.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct AnswerMembers {
    status: Option<String>,
    output: Option<Value>,
    error: Option<String>,
    cause: Option<String>,
    events: Option<Vec<Value>>,
    valid: Option<bool>,
    code: Option<String>,
    message: Option<String>,
    value: Option<Value>,
}

impl CommandSubject {
    /// Starts a command of the shell.
    ///
    /// # Errors
    /// The shell does not start.
    pub fn start(command: &str) -> Result<Self, CasesError> {
        let mut process = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| CasesError::Command(error.to_string()))?;
        let (Some(requests), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(CasesError::Command("it has no pipes".to_owned()));
        };
        let (sender, answers) = sync_channel(16);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self {
            process,
            requests,
            answers,
            fault: None,
        })
    }

    fn ask(&mut self, kind: Kind, case: &Case) -> Result<AnswerMembers, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let answer = self.exchange(&request(kind, case));
        if let Err(fault) = &answer {
            // An answer that comes later would be taken for that of another case.
            self.fault = Some(fault.clone());
        }
        let answer = answer?;
        serde_json::from_str(&answer)
            .map_err(|error| format!("not an answer ({error}): {}", cut(&answer, 200)))
    }

    fn exchange(&mut self, request: &Value) -> Result<String, String> {
        let sent = writeln!(self.requests, "{request}").and_then(|()| self.requests.flush());
        sent.map_err(|error| format!("the command reads no more requests: {error}"))?;
        self.answers
            .recv_timeout(LONGEST)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("no answer within {} s", LONGEST.as_secs()),
                RecvTimeoutError::Disconnected => "the command ended without an answer".to_owned(),
            })
    }
}

impl Drop for CommandSubject {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the request of a case: all that an interpreter needs, and nothing that is expected.
fn request(kind: Kind, case: &Case) -> Value {
    let mut request = json!({"id": case.id, "kind": kind.name()});
    let mut add = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            request[name] = value;
        }
    };
    if kind == Kind::Eval {
        add("expr", Some(case.expr.clone().into()));
        add("variables", Some(case.variables.clone().into()));
    } else {
        add("definition", Some(case.definition_text().into()));
        add("type", serde_json::to_value(case.state_machine_type()).ok());
        add("profile", serde_json::to_value(case.profile).ok());
        add("tasks", case.tasks.clone().map(Value::Object));
    }
    add("input", case.input.clone());
    add("context", case.context.clone());
    add(
        "clock",
        case.start_time().ok().map(|now| now.to_string().into()),
    );
    request
}

impl Subject for CommandSubject {
    fn execute(&mut self, case: &Case) -> Result<Run, String> {
        let answer = self.ask(Kind::Exec, case)?;
        let status = answer.status.ok_or("the answer has no `status`")?;
        let mut run = Run::new(status);
        match run.status.as_str() {
            "SUCCEEDED" => run.output = Some(answer.output.unwrap_or_default()),
            "FAILED" | "ABORTED" => (run.error, run.cause) = (answer.error, answer.cause),
            "TIMED_OUT" => {}
            other => return Err(format!("`{other}` is not a status")),
        }
        run.events = answer.events;
        Ok(run)
    }

    fn validate(&mut self, case: &Case) -> Result<Validation, String> {
        let answer = self.ask(Kind::Validate, case)?;
        let is_valid = answer.valid.ok_or("the answer has no `valid`")?;
        let fault = DefinitionFault {
            code: answer.code.unwrap_or_default(),
            location: String::new(),
            message: answer.message.unwrap_or_default(),
        };
        let mut validation = Validation::refused(vec![fault]);
        if is_valid {
            validation.errors.clear();
        }
        Ok(validation)
    }

    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String> {
        let answer = self.ask(Kind::Eval, case)?;
        match (answer.value, answer.error) {
            (Some(value), None) => Ok(Ok(value)),
            (None, Some(error)) => Ok(Err(error)),
            _ => Err("the answer has neither `value` nor `error`, or both".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::judge::judge;

    fn case(fields: Value) -> Case {
        serde_json::from_value(fields).expect("it is a case")
    }

    fn answering(answer: &str) -> CommandSubject {
        let command = format!("while read -r request; do echo '{answer}'; done");
        CommandSubject::start(&command).expect("the shell starts")
    }

    fn reason(verdict: Verdict) -> String {
        verdict.reason().unwrap_or("it holds").to_owned()
    }

    #[test]
    fn answers_are_judged_as_those_of_this_workspace() {
        let six = case(json!({"id": "six", "expr": "{% 2 * 3 %}", "expect": {"value": 6}}));
        let fails = case(
            json!({"id": "fails", "expr": "$.a", "input": {}, "expect": {"error": "States.Runtime"}}),
        );
        let mut subject = answering(r#"{"value": 6}"#);
        let judged = |case, subject: &mut CommandSubject| {
            reason(judge(Kind::Eval, case, subject).expect("it can be asked"))
        };
        assert_eq!(judged(&six, &mut subject), "it holds");
        assert_eq!(judged(&fails, &mut subject), "expected an error, got 6");

        let run =
            json!({"id": "run", "definition": {}, "expect": {"status": "SUCCEEDED", "output": 1}});
        let mut subject = answering(r#"{"status": "SUCCEEDED", "output": 1}"#);
        assert_eq!(
            reason(judge(Kind::Exec, &case(run), &mut subject).expect("it can be asked")),
            "it holds"
        );
        let refused = json!({"id": "refused", "definition": {}, "expect": {"valid": false}});
        let mut subject = answering(r#"{"valid": true}"#);
        let found =
            reason(judge(Kind::Validate, &case(refused), &mut subject).expect("it can be asked"));
        assert!(
            found.starts_with("expected refused; got accepted"),
            "{found}"
        );
    }

    #[test]
    fn a_command_that_fails_differs_from_a_wrong_answer() {
        // It expects an error, but not this one.
        let fails = case(
            json!({"id": "fails", "expr": "$.a", "input": {}, "expect": {"error": "States.Runtime"}}),
        );
        for (command, expected) in [
            ("exit 1", "the command "),
            ("read -r request; echo no", "not an answer "),
            (
                "read -r request; echo '{}'",
                "the answer has neither `value` nor `error`",
            ),
            (
                "read -r request; echo '{\"valve\": 6}'",
                "not an answer (unknown field `valve`",
            ),
        ] {
            let mut subject = CommandSubject::start(command).expect("the shell starts");
            let found = reason(judge(Kind::Eval, &fails, &mut subject).expect("it can be asked"));
            assert!(found.contains(expected), "{command}: {found}");
        }
    }
}

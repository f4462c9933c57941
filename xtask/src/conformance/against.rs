//! Another interpreter: a command that reads a request and writes an answer, both as lines of JSON. `fixtures/README.md` has the
//! protocol.
use super::case::{Case, Kind};
use super::exec::{CaseRun, LONGEST};
use super::subject::Subject;
use super::validate::{Fault, Validation};
use super::verdict::cut;
use asl_engine::{ErrorOutput, Outcome};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

/// A running command.
pub(super) struct Against {
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

impl Against {
    /// Starts a command of the shell.
    ///
    /// # Errors
    /// The shell does not start.
    pub(super) fn start(command: &str) -> Result<Self, String> {
        let mut process = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("sh: {error}"))?;
        let (Some(requests), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the command has no pipes".to_owned());
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

impl Drop for Against {
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

impl Subject for Against {
    fn execute(&mut self, case: &Case) -> Result<CaseRun, String> {
        let answer = self.ask(Kind::Exec, case)?;
        let error_output = ErrorOutput {
            error: answer.error,
            cause: answer.cause,
        };
        let outcome = match answer.status.as_deref() {
            Some("SUCCEEDED") => Outcome::Succeeded(answer.output.unwrap_or_default().into()),
            Some("FAILED") => Outcome::Failed(error_output),
            Some("ABORTED") => Outcome::Aborted(error_output),
            Some("TIMED_OUT") => Outcome::TimedOut,
            Some(other) => return Err(format!("`{other}` is not a status")),
            None => return Err("the answer has no `status`".to_owned()),
        };
        Ok(CaseRun {
            outcome,
            events: answer.events,
            difference: None,
        })
    }

    fn validate(&mut self, case: &Case) -> Result<Validation, String> {
        let answer = self.ask(Kind::Validate, case)?;
        let is_valid = answer.valid.ok_or("the answer has no `valid`")?;
        let code = answer.code.unwrap_or_default();
        Ok(Validation {
            codes: vec![code.clone()],
            errors: match is_valid {
                true => Vec::new(),
                false => vec![Fault {
                    code,
                    location: String::new(),
                    message: answer.message.unwrap_or_default(),
                }],
            },
        })
    }

    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String> {
        let answer = self.ask(Kind::Eval, case)?;
        match (answer.value, answer.error) {
            (Some(value), None) => Ok(Ok(value)),
            (None, Some(error)) => Ok(Err(error)),
            _ => Err("the answer has neither `value` nor `error`, or both".to_owned()),
        }
    }

    fn tests_states(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::Verdict;
    use super::super::{eval, exec, validate};
    use super::*;

    fn case(fields: Value) -> Case {
        serde_json::from_value(fields).expect("it is a case")
    }

    fn answering(answer: &str) -> Against {
        let command = format!("while read -r request; do echo '{answer}'; done");
        Against::start(&command).expect("the shell starts")
    }

    fn reason(verdict: Verdict) -> String {
        verdict.reason.unwrap_or_else(|| "it holds".to_owned())
    }

    #[test]
    fn answers_are_judged_as_those_of_this_workspace() {
        let six = case(json!({"id": "six", "expr": "{% 2 * 3 %}", "expect": {"value": 6}}));
        let fails = case(
            json!({"id": "fails", "expr": "$.a", "input": {}, "expect": {"error": "States.Runtime"}}),
        );
        let mut subject = answering(r#"{"value": 6}"#);
        let judged = |case, subject: &mut Against| {
            reason(eval::judge(case, subject).expect("it can be asked"))
        };
        assert_eq!(judged(&six, &mut subject), "it holds");
        assert_eq!(judged(&fails, &mut subject), "expected an error, got 6");

        let run =
            json!({"id": "run", "definition": {}, "expect": {"status": "SUCCEEDED", "output": 1}});
        let mut subject = answering(r#"{"status": "SUCCEEDED", "output": 1}"#);
        assert_eq!(reason(exec::judge(&case(run), &mut subject)), "it holds");
        let refused = json!({"id": "refused", "definition": {}, "expect": {"valid": false}});
        let mut subject = answering(r#"{"valid": true}"#);
        let found = reason(validate::judge(&case(refused), &mut subject));
        assert!(
            found.starts_with("expected refused; got accepted"),
            "{found}"
        );
    }

    #[test]
    fn a_command_that_fails_is_told_apart_from_a_wrong_answer() {
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
            let mut subject = Against::start(command).expect("the shell starts");
            let found = reason(eval::judge(&fails, &mut subject).expect("it can be asked"));
            assert!(found.contains(expected), "{command}: {found}");
        }
    }
}

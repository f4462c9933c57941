//! A terminal that is requested one expression after another.
use super::completion;
use super::evaluation::Evaluation;
use crate::arguments::EvalArguments;
use crate::exit::{Exit, Failure, print_value};
use crate::prompt::{Completer, Line, Prompt};
use crate::source::Source;
use crate::terminal::{self, FAINT, STRONG};
use asl_engine::runtime::Clock;
use asl_model::did_you_mean;
use asl_path::is_variable_name;
use serde_json::Value;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Commands with their arguments and descriptions.
const COMMANDS: [(&str, &str, &str); 8] = [
    (":input", "[JSON|FILE]", "set or show the input"),
    (":context", "[JSON|FILE]", "set or show the Context Object"),
    (":result", "[JSON|FILE]", "set or show $states.result"),
    (":error", "[JSON|FILE]", "set or show $states.errorOutput"),
    (":let", "NAME = EXPRESSION", "set a variable"),
    (":vars", "", "show the variables"),
    (":help", "", "show this"),
    (":quit", "", "quit (Ctrl-D)"),
];

/// Expressions and commands, one a line.
pub(super) struct Session {
    evaluation: Arc<Mutex<Evaluation>>,
    prompt: Prompt<Arc<Mutex<Evaluation>>>,
    /// Time stands still.
    is_now_given: bool,
}

impl Completer for Evaluation {
    fn complete(&self, line: &str, position: usize) -> (usize, Vec<String>) {
        let before = line.get(..position).unwrap_or(line);
        if before.starts_with(':') && !before.contains(char::is_whitespace) {
            let names = COMMANDS.iter().map(|(name, ..)| (*name).to_owned());
            return (0, completion::starting_with(before, names));
        }
        completion::complete(self, line, position, false)
    }
}

impl Session {
    pub(super) fn new(evaluation: Evaluation, arguments: &EvalArguments) -> Result<Self, Failure> {
        let evaluation = Arc::new(Mutex::new(evaluation));
        Ok(Self {
            prompt: Prompt::new("eval-history", Arc::clone(&evaluation))?,
            evaluation,
            is_now_given: arguments.time_and_chance.is_now_given(),
        })
    }

    /// Asks until there is no more.
    pub(super) fn run(mut self) -> Result<Exit, Failure> {
        terminal::error_line(&format!(
            "{FAINT}one expression per line; :help for help, Ctrl-D to quit{FAINT:#}"
        ));
        loop {
            let line = match self.prompt.read("asl> ")? {
                Line::Text(line) => line,
                Line::Interrupted => continue,
                Line::End => return Ok(Exit::Success),
            };
            let told = match line.trim() {
                "" => Ok(()),
                ":quit" | ":q" | ":exit" => return Ok(Exit::Success),
                command if command.starts_with(':') => self.obey(command),
                expression => self.show(expression),
            };
            if let Err(failure) = told {
                failure.report();
            }
        }
    }

    fn evaluation(&self) -> MutexGuard<'_, Evaluation> {
        let lock = self.evaluation.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&mut self, expression: &str) -> Result<(), Failure> {
        self.evaluate(expression)
            .map_or(Ok(()), |value| print_value(&value))
    }

    /// Returns the value, or prints the error.
    fn evaluate(&mut self, expression: &str) -> Option<Value> {
        let mut evaluation = self.evaluation();
        if !self.is_now_given {
            evaluation.now = Clock::real().now();
        }
        evaluation.evaluate_or_tell(expression)
    }

    fn obey(&mut self, line: &str) -> Result<(), Failure> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim();
        match command {
            ":let" => self.assign(argument),
            ":vars" => print_value(&Value::Object(
                self.evaluation().documents.variables.clone(),
            )),
            ":help" | ":h" | ":?" => {
                help();
                Ok(())
            }
            ":input" | ":context" | ":result" | ":error" if argument.is_empty() => {
                print_value(&self.document(command))
            }
            ":input" | ":context" | ":result" | ":error" => {
                let value = read(command, argument)?;
                let documents = &mut self.evaluation().documents;
                match command {
                    ":input" => documents.input = value,
                    ":context" => documents.context = value,
                    ":result" => documents.result = Some(value),
                    _ => documents.error_output = Some(value),
                }
                Ok(())
            }
            unknown => {
                let hint = did_you_mean(unknown, COMMANDS.map(|(name, ..)| name));
                Err(Failure::new(format!(
                    "unknown command {unknown}{hint} (:help lists the commands)"
                )))
            }
        }
    }

    fn document(&self, command: &str) -> Value {
        let documents = &self.evaluation().documents;
        let document = match command {
            ":input" => Some(&documents.input),
            ":context" => Some(&documents.context),
            ":result" => documents.result.as_ref(),
            _ => documents.error_output.as_ref(),
        };
        document.cloned().unwrap_or_default()
    }

    /// `NAME = EXPRESSION`, the name with `$` or without.
    fn assign(&mut self, argument: &str) -> Result<(), Failure> {
        let usage = || Failure::new("expected :let NAME = EXPRESSION");
        let (name, expression) = argument.split_once('=').ok_or_else(usage)?;
        // As JSONata writes it, too.
        let name = name.trim_end().trim_end_matches(':').trim();
        let name = name.strip_prefix('$').unwrap_or(name);
        if !is_variable_name(name) || name == "states" {
            return Err(Failure::new(format!(
                "{name:?} is not a variable name: expected letters, digits and _, with a letter first, and not states"
            )));
        }
        if let Some(value) = self.evaluate(expression.trim()) {
            let documents = &mut self.evaluation().documents;
            documents.variables.insert(name.to_owned(), value);
        }
        Ok(())
    }
}

/// JSON unchanged, or that of a file.
fn read(command: &str, argument: &str) -> Result<Value, Failure> {
    match argument.strip_prefix('@') {
        Some(path) => Source::read(path)?.json(),
        None if Path::new(argument).exists() => Source::read(argument)?.json(),
        None => Source::read_argument(command, argument)?.json(),
    }
}

fn help() {
    let lines = [
        ("$.a[0]", "a path of the input"),
        ("States.Format('{}', $.a)", "an intrinsic function"),
        ("{% $states.input.a %}", "JSONata"),
    ];
    for (example, what) in lines {
        terminal::error_line(&format!("  {STRONG}{example:<28}{STRONG:#}  {what}"));
    }
    for (command, arguments, what) in COMMANDS {
        let usage = format!("{command} {arguments}");
        terminal::error_line(&format!("  {STRONG}{usage:<28}{STRONG:#}  {what}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_intrinsics::random::SplitMix64;
    use asl_jsonata::Documents;
    use asl_model::Timestamp;

    #[test]
    fn commands_are_completed_where_a_line_begins_with_one() {
        let evaluation = Evaluation {
            documents: Documents::default(),
            now: Timestamp::from_milliseconds(0),
            random: SplitMix64::new(0),
            is_jsonata: false,
        };
        for (line, expected) in [
            (":l", &[":let"][..]),
            (":v", &[":vars"]),
            (":let x = :l", &[]),
        ] {
            let (start, candidates) = evaluation.complete(line, line.len());
            let candidates: Vec<String> = candidates
                .into_iter()
                .map(|word| format!("{}{word}", &line[..start]))
                .collect();
            assert_eq!(candidates, expected, "{line}");
        }
    }
}

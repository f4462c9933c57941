//! `--step`: stops before each state, for a person at a terminal.
use crate::eval::{Evaluation, complete};
use crate::exit::{Exit, Failure, print_value};
use crate::explain::Text;
use crate::prompt::{Completer, Line, Prompt};
use crate::terminal::{self, FAINT, STRONG};
use asl_engine::runtime::ExecutionId;
use asl_intrinsics::random::SplitMix64;
use asl_jsonata::Documents;
use asl_model::did_you_mean;
use asl_model::{QueryLanguage, StateMachine, Timestamp};
use asl_trace::{Entry, Holder, Step, StrandKind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The commands, by their long names; one letter of each will do.
const COMMANDS: [(&str, &str, &str); 7] = [
    ("next", "", "continue to the next state (Enter)"),
    (
        "continue",
        "",
        "continue to the next breakpoint, or to the end",
    ),
    (
        "break",
        "[STATE]",
        "set a breakpoint before a state, or list breakpoints",
    ),
    (
        "print",
        "[EXPRESSION]",
        "evaluate an expression; without one, print the input",
    ),
    ("variables", "", "show the variables visible to the state"),
    ("help", "", "show this"),
    ("quit", "", "abort the execution"),
];

/// Cleans up before an immediate end of the process.
pub(crate) type Quit = Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>;

/// Stops before states.
pub(crate) struct Stepper {
    prompt: Prompt<Arc<Mutex<Here>>>,
    here: Arc<Mutex<Here>>,
    states: BTreeMap<String, StateDetails>,
    breakpoints: BTreeSet<String>,
    /// Stops at breakpoints alone.
    runs: bool,
    /// Start time and input of each execution.
    begun: HashMap<ExecutionId, (Timestamp, Value)>,
    quit: Quit,
}

/// Details of a state from the definition.
struct StateDetails {
    is_jsonata: bool,
}

/// The current state, for evaluation and completion.
struct Here {
    evaluation: Evaluation,
    is_jsonata: bool,
    names: Vec<String>,
}

impl Completer for Here {
    fn complete(&self, line: &str, position: usize) -> (usize, Vec<String>) {
        let before = line.get(..position).unwrap_or(line);
        let start = |text: &str| before.len() - text.len();
        match before.split_once(' ') {
            None => {
                let names = COMMANDS.iter().map(|(name, ..)| (*name).to_owned());
                let names = names.filter(|name| name.starts_with(before)).collect();
                (0, names)
            }
            Some(("b" | "break", name)) => {
                let names = self.names.iter().filter(|known| known.starts_with(name));
                (start(name), names.cloned().collect())
            }
            Some(_) => complete(&self.evaluation, line, position, self.is_jsonata),
        }
    }
}

impl Stepper {
    /// Stops before the first state of a definition.
    ///
    /// # Errors
    ///
    /// There is no terminal.
    pub(crate) fn new(machine: &StateMachine, quit: Quit) -> Result<Self, Failure> {
        if !io::stdin().is_terminal() || !terminal::is_interactive() {
            return Err(Failure::new(
                "--step needs a terminal for stdin and stderr; use --trace=full to print the value of each field without one",
            ));
        }
        let states = state_details(machine);
        let here = Arc::new(Mutex::new(Here {
            evaluation: Evaluation {
                documents: Documents::default(),
                now: Timestamp::from_milliseconds(0),
                random: SplitMix64::new(0),
                is_jsonata: false,
            },
            is_jsonata: false,
            names: states.keys().cloned().collect(),
        }));
        terminal::error_line(&format!(
            "{FAINT}before each state: n to continue, p to print data, h for help{FAINT:#}"
        ));
        Ok(Self {
            prompt: Prompt::new("step-history", Arc::clone(&here))?,
            here,
            states,
            breakpoints: BTreeSet::new(),
            runs: false,
            begun: HashMap::new(),
            quit,
        })
    }

    /// A state begins its work: asks what to do.
    pub(crate) fn stop(&mut self, entry: &Entry<'_>) {
        let began = (entry.at, entry.input.clone());
        self.begun.entry(entry.execution.id).or_insert(began);
        if self.runs && !self.breakpoints.contains(entry.state) {
            return;
        }
        self.runs = false;
        self.look_at(entry);
        for line in Text::on_stderr(false).entry(entry) {
            terminal::error_line(&line);
        }
        loop {
            let line = match self.prompt.read("step> ") {
                Ok(Line::Text(line)) => line,
                Ok(Line::Interrupted) => continue,
                Ok(Line::End) | Err(_) => "quit".to_owned(),
            };
            match self.obey(line.trim()) {
                Ok(true) => return,
                Ok(false) => {}
                Err(failure) => {
                    failure.report();
                }
            }
        }
    }

    /// Prints the data of a state that ended, in single-step mode.
    pub(crate) fn print_exit(&mut self, holders: &[Holder], step: &Step) {
        if !self.runs {
            for line in Text::on_stderr(false).print_fields(holders, step) {
                terminal::error_line(&line);
            }
        }
    }

    fn look_at(&self, entry: &Entry<'_>) {
        let known = self.states.get(entry.state);
        let mut here = self.here();
        here.is_jsonata = known.is_some_and(|known| known.is_jsonata);
        here.evaluation.now = entry.at;
        here.evaluation.documents = Documents::default()
            .with_input(entry.input.clone())
            .with_context(self.context(entry))
            .with_variables(entry.variables.clone());
    }

    /// Returns the Context Object, as far as it is known outside of the core.
    fn context(&self, entry: &Entry<'_>) -> Value {
        let identity = &entry.execution.identity;
        let (started, input) = match self.begun.get(&entry.execution.id) {
            Some((at, input)) => (at.to_string(), input.clone()),
            None => (entry.at.to_string(), Value::Null),
        };
        let mut context = json!({
            "Execution": {"Id": identity.execution_arn(), "Input": input, "StartTime": started,
                "Name": identity.execution_name(), "RoleArn": identity.role_arn(), "RedriveCount": 0},
            "State": {"EnteredTime": entry.at.to_string(), "Name": entry.state, "RetryCount": entry.retry_count},
            "StateMachine": {"Id": identity.state_machine_arn(), "Name": identity.state_machine_name()},
        });
        let is_of_map = |holder: &&Holder| holder.kind != StrandKind::Branch;
        if let Some(holder) = entry.holders.iter().rfind(is_of_map) {
            context["Map"] = json!({"Item": {"Index": holder.index}});
        }
        context
    }

    /// Returns true if the execution continues.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let argument = argument.trim();
        match command {
            "" | "n" | "next" => return Ok(true),
            "c" | "continue" => {
                self.runs = true;
                return Ok(true);
            }
            "q" | "quit" => self.end(),
            "b" | "break" => self.set_breakpoint(argument)?,
            "p" | "print" if argument.is_empty() => {
                print_value(&self.here().evaluation.documents.input)?;
            }
            "p" | "print" => self.evaluate(argument)?,
            "v" | "variables" => {
                let variables = self.here().evaluation.documents.variables.clone();
                print_value(&Value::Object(variables))?;
            }
            "h" | "help" | "?" => help(),
            _ if line.starts_with(['$', '{']) || line.starts_with("States.") => {
                self.evaluate(line)?;
            }
            unknown => {
                let hint = did_you_mean(unknown, COMMANDS.map(|(name, ..)| name));
                let message = format!("unknown command {unknown}{hint} (h lists the commands)");
                return Err(Failure::new(message));
            }
        }
        Ok(false)
    }

    fn set_breakpoint(&mut self, state: &str) -> Result<(), Failure> {
        if state.is_empty() {
            for state in &self.breakpoints {
                terminal::error_line(&format!("  {state}"));
            }
            return Ok(());
        }
        if !self.states.contains_key(state) {
            let hint = did_you_mean(state, self.states.keys().map(String::as_str));
            return Err(Failure::new(format!("no state {state:?}{hint}")));
        }
        self.breakpoints.insert(state.to_owned());
        Ok(())
    }

    /// Evaluates an expression in the current state; in a JSONata state with or without delimiters.
    fn evaluate(&self, expression: &str) -> Result<(), Failure> {
        let mut here = self.here();
        let is_bare = here.is_jsonata && !expression.starts_with("{%");
        let text = match is_bare {
            true => format!("{{% {expression} %}}"),
            false => expression.to_owned(),
        };
        let value = here.evaluation.evaluate_or_tell(&text);
        value.map_or(Ok(()), |value| print_value(&value))
    }

    fn here(&self) -> MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing of the execution happens any more.
    fn end(&self) -> ! {
        if let Some(quit) = self.quit.get() {
            quit();
        }
        Exit::Interrupted.leave()
    }
}

fn state_details(machine: &StateMachine) -> BTreeMap<String, StateDetails> {
    let language = |own: Option<QueryLanguage>| own.or(machine.query_language).unwrap_or_default();
    let states = machine.all_states().into_iter().map(|(name, state)| {
        let known = StateDetails {
            is_jsonata: language(state.query_language) == QueryLanguage::JSONata,
        };
        (name.as_str().to_owned(), known)
    });
    states.collect()
}

fn help() {
    for (command, arguments, what) in COMMANDS {
        let (letter, rest) = command.split_at(1);
        let usage = format!("{letter}({rest}) {arguments}");
        terminal::error_line(&format!("  {STRONG}{usage:<24}{STRONG:#}  {what}"));
    }
}

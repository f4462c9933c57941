//! Interpreters of this machine.
use crate::{Function, Runtime};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A program that runs functions of a runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interpreter {
    /// The program.
    pub program: PathBuf,
    /// The runtime that it is.
    pub runtime: Runtime,
}

impl Interpreter {
    /// Finds the interpreter of a function: the one that it names, else one of the runtime's version, else any of the
    /// language. It runs each candidate for its version. None for functions with a `bootstrap` of their own.
    ///
    /// # Errors
    /// A message for the reader: no interpreter is installed.
    pub fn find(function: &Function) -> Result<Option<Self>, String> {
        let names = match &function.runtime {
            Runtime::Python { minor } => python_names(*minor),
            Runtime::Node { .. } => vec!["node".to_owned(), "nodejs".to_owned()],
            _ => return Ok(None),
        };
        let named = function.interpreter.clone();
        let mut programs = named.into_iter().chain(names.iter().map(PathBuf::from));
        let found = programs.find_map(|program| Self::ask(&program, &function.runtime));
        let what = match function.runtime {
            Runtime::Python { .. } => "Python 3",
            _ => "Node.js",
        };
        found.map(Some).ok_or_else(|| {
            let names = names.join(", ");
            format!(
                "no {what} for the runtime {} is installed: expected one of {names}",
                function.runtime
            )
        })
    }

    /// Describes a difference from the version that a function is made for.
    pub fn differs_from(&self, function: &Function) -> Option<String> {
        let (wanted, found) = (&function.runtime, &self.runtime);
        let is_any = matches!(
            wanted,
            Runtime::Python { minor: None } | Runtime::Node { major: None }
        );
        (!is_any && wanted != found).then(|| format!("runs with {found} instead of {wanted}"))
    }

    fn ask(program: &Path, runtime: &Runtime) -> Option<Self> {
        let question: &[&str] = match runtime {
            Runtime::Python { .. } => &["-c", "import sys; print(*sys.version_info[:2])"],
            _ => &["-p", "process.versions.node"],
        };
        let output = Command::new(program)
            .args(question)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let told = String::from_utf8(output.stdout).ok()?;
        let mut numbers = told.split([' ', '.']).map(|it| it.trim().parse().ok());
        let (first, second): (Option<u32>, Option<u32>) = (numbers.next()?, numbers.next()?);
        let runtime = match runtime {
            Runtime::Python { .. } => Runtime::Python {
                minor: second.filter(|_| first == Some(3)).map(Some)?,
            },
            _ => Runtime::Node { major: first },
        };
        Some(Self {
            program: program.to_owned(),
            runtime,
        })
    }
}

/// The interpreters that were found, by runtime and given program.
#[derive(Debug, Default)]
pub(crate) struct Interpreters {
    found: Mutex<HashMap<(Runtime, Option<PathBuf>), InterpreterResult>>,
}

type InterpreterResult = Result<Option<Interpreter>, String>;

impl Interpreters {
    /// Finds the interpreter of a function. A missing one is looked for again the next time.
    pub(crate) fn find(&self, function: &Function) -> InterpreterResult {
        let key = (function.runtime.clone(), function.interpreter.clone());
        // Other functions of the runtime wait for the answer.
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known @ Ok(_)) = found.get(&key) {
            return known.clone();
        }
        let asked = Interpreter::find(function);
        found.insert(key, asked.clone());
        asked
    }
}

fn python_names(minor: Option<u32>) -> Vec<String> {
    let exact = minor.map(|minor| format!("python3.{minor}"));
    let others = ["python3", "python"].map(str::to_owned);
    exact.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_differs_is_told() {
        let wanted = Runtime::from_identifier("python3.12");
        let function = Function::new("f", wanted.clone(), ".");
        let found = |runtime| Interpreter {
            program: "p".into(),
            runtime,
        };
        assert_eq!(found(wanted).differs_from(&function), None);
        let other = found(Runtime::Python { minor: Some(11) });
        let told = other.differs_from(&function).unwrap();
        assert_eq!(told, "runs with python3.11 instead of python3.12");
    }

    #[test]
    fn what_is_no_interpreter_is_passed_over() {
        let function = Function::new("f", Runtime::Python { minor: None }, ".")
            .with_interpreter(PathBuf::from("/no/such/python"));
        let found = Interpreter::find(&function).unwrap().unwrap();
        assert_ne!(found.program, PathBuf::from("/no/such/python"));
        let own = Function::new("f", Runtime::Provided, ".");
        assert_eq!(Interpreter::find(&own), Ok(None));
    }
}

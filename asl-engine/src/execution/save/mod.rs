//! Saving an execution between two calls, and continuing with it in another process.
mod children;
mod damage;
mod envelope;
mod error;
mod flow;
mod flow_id;
mod flow_parts;
mod flows;
mod machine;
mod map_run;
mod map_run_children;
mod map_run_source;
mod output;
mod phase;
mod reading;
mod request;
mod restore_error;
mod restoring;
mod stage_parts;
mod start;
mod storage;
mod task;
mod values;

pub use restore_error::RestoreError;

use super::Execution;
use super::token::TaskTokens;
use super::version::{CORE_VERSION, SAVE_FORMAT};
use crate::program::Program;
use envelope::Envelope;
use machine::SavedMachine;
use serde::{Serialize, Serializer};
use std::sync::Arc;

#[doc = include_str!("format.md")]
#[derive(Debug, Clone, PartialEq)]
pub struct SavedExecution {
    format: u32,
    core: u32,
    program: u64,
    token_key: Option<String>,
    /// None of another format.
    machine: Option<Box<SavedMachine>>,
}

impl SavedExecution {
    fn new(execution: &Execution) -> Self {
        let Execution { program, machine } = execution;
        let tokens = machine.tokens.as_deref();
        Self {
            format: SAVE_FORMAT,
            core: CORE_VERSION,
            program: program.fingerprint(),
            token_key: tokens.map(|tokens| tokens.key_name().to_owned()),
            machine: Some(Box::new(SavedMachine::new(machine))),
        }
    }

    /// Returns the version of its form.
    pub fn format(&self) -> u32 {
        self.format
    }

    /// Returns the version of the core that wrote it.
    pub fn core_version(&self) -> u32 {
        self.core
    }

    /// [`Program::fingerprint`] of the program that it was made with.
    pub fn program_fingerprint(&self) -> u64 {
        self.program
    }

    /// Returns the name of the key of its task tokens, where the host made them.
    pub fn token_key(&self) -> Option<&str> {
        self.token_key.as_deref()
    }

    /// Restores an execution that creates its task tokens itself.
    ///
    /// # Errors
    /// A save of another format, of a later core, of another program or of one with a maker of tokens, and one that is
    /// damaged.
    pub fn restore(self, program: impl Into<Program>) -> Result<Execution, RestoreError> {
        self.check_key(None)?;
        self.restored(program.into(), None)
    }

    /// Restores an execution whose task tokens the host creates.
    ///
    /// # Errors
    /// As [`restore`](Self::restore), and where the tokens were made with another key.
    pub fn restore_with_tokens(
        self,
        program: impl Into<Program>,
        tokens: Arc<dyn TaskTokens>,
    ) -> Result<Execution, RestoreError> {
        self.check_key(Some(tokens.key_name()))?;
        self.restored(program.into(), Some(tokens))
    }

    /// Restores an execution whose tasks get tokens of another kind than before, if no waiting task can be completed with an
    /// old token.
    #[cfg(feature = "runtime")]
    pub(crate) fn restore_with_other_tokens(
        self,
        program: Program,
        tokens: Arc<dyn TaskTokens>,
    ) -> Result<Execution, RestoreError> {
        let other_key = self.check_key(Some(tokens.key_name()));
        let execution = self.restored(program, Some(tokens))?;
        let is_out = execution
            .pending()
            .any(|pending| pending.is_known_by_token());
        match other_key {
            Err(error) if is_out => Err(error),
            _ => Ok(execution),
        }
    }

    fn check_key(&self, key: Option<&str>) -> Result<(), RestoreError> {
        if self.token_key() == key {
            return Ok(());
        }
        Err(RestoreError::OtherTokenKey {
            found: key.map(str::to_owned),
            expected: self.token_key.clone(),
        })
    }

    fn restored(
        self,
        program: Program,
        tokens: Option<Arc<dyn TaskTokens>>,
    ) -> Result<Execution, RestoreError> {
        let found = self.format;
        let machine = self.machine.filter(|_| found == SAVE_FORMAT);
        let machine = machine.ok_or(RestoreError::Format { found })?;
        if self.core > CORE_VERSION {
            return Err(RestoreError::Core { found: self.core });
        }
        if self.program != program.fingerprint() {
            return Err(RestoreError::OtherProgram {
                expected: self.program,
                found: program.fingerprint(),
            });
        }
        let mut machine = machine.machine(&program)?;
        machine.tokens = tokens;
        Ok(Execution { program, machine })
    }
}

impl Execution {
    /// Returns all that it is, to be gone on with in another process; it continues itself as if nothing had been.
    ///
    /// Between [steps](Self::step) is the best moment: then nothing is left to be polled.
    pub fn save(&self) -> SavedExecution {
        SavedExecution::new(self)
    }
}

impl Serialize for SavedExecution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(machine) = &self.machine else {
            let format = self.format;
            let error = format!("a save of format {format} can only be kept as it was written");
            return Err(serde::ser::Error::custom(error));
        };
        let envelope = Envelope {
            format: self.format,
            core: self.core,
            program: self.program,
            token_key: self.token_key.as_deref(),
            machine,
        };
        envelope.serialize(serializer)
    }
}

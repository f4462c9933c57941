//! Identity of a definition, and the program compiled from it.
use super::{Definition, DefinitionId};
use asl_engine::model::{Options, Profile, StateMachineType};
use asl_engine::{DefinitionError, Program};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

impl Definition {
    /// Returns a hash of the text and of all options that affect execution.
    ///
    /// ```
    /// use asl_engine::model::{Profile, StateMachineType};
    /// use asl_backend::Definition;
    ///
    /// let standard = Definition { text: "{}".into(), profile: Profile::Aws, state_machine_type: StateMachineType::Standard };
    /// let express = Definition { state_machine_type: StateMachineType::Express, ..standard.clone() };
    /// assert_ne!(standard.id(), express.id());
    /// ```
    pub fn id(&self) -> DefinitionId {
        let mut hash = Sha256::new();
        for part in [self.profile_word(), self.type_word(), &self.text] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        DefinitionId(hash.finalize().into())
    }

    /// Returns the profile as one word.
    pub fn profile_word(&self) -> &'static str {
        match self.profile {
            Profile::Aws => "aws",
            Profile::Spec => "spec",
        }
    }

    /// Returns its type, in the service's word.
    pub fn type_word(&self) -> &'static str {
        match self.state_machine_type {
            StateMachineType::Standard => "STANDARD",
            StateMachineType::Express => "EXPRESS",
        }
    }

    /// Creates the definition of a text from the words of its [profile](Self::profile_word) and [type](Self::type_word).
    pub fn from_words(text: Arc<str>, profile: &str, state_machine_type: &str) -> Self {
        Self {
            text,
            profile: match profile {
                "spec" => Profile::Spec,
                _ => Profile::Aws,
            },
            state_machine_type: match state_machine_type {
                "EXPRESS" => StateMachineType::Express,
                _ => StateMachineType::Standard,
            },
        }
    }

    /// Compiles the program.
    ///
    /// # Errors
    ///
    /// The definition is invalid.
    pub fn compile(&self) -> Result<Program, DefinitionError> {
        // A program that embeds the backend names its tasks as it likes; an API requires more.
        let options = Options::embedded()
            .with_profile(self.profile)
            .with_state_machine_type(self.state_machine_type);
        Program::parse_with(&self.text, options)
    }
}

impl DefinitionId {
    /// Returns the id in hexadecimal digits.
    pub fn digits(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

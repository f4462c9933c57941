//! What a definition is called, and the program made of it.
use super::{Definition, DefinitionId};
use asl_engine::model::{Options, Profile, ResourceNames, StateMachineType};
use asl_engine::{DefinitionError, Program};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

impl Definition {
    /// A hash of its text and of what decides how it runs.
    ///
    /// ```
    /// use asl_engine::model::{Profile, StateMachineType};
    /// use asl_host::engine::Definition;
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

    /// The rules it goes by, as one word.
    pub fn profile_word(&self) -> &'static str {
        match self.profile {
            Profile::Aws => "aws",
            Profile::Spec => "spec",
        }
    }

    /// Its type, in the service's word.
    pub fn type_word(&self) -> &'static str {
        match self.state_machine_type {
            StateMachineType::Standard => "STANDARD",
            StateMachineType::Express => "EXPRESS",
        }
    }

    /// The definition of this text whose [profile](Self::profile_word) and [type](Self::type_word) have these words.
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

    /// The program made of it.
    ///
    /// # Errors
    /// Where it has faults.
    pub fn compile(&self) -> Result<Program, DefinitionError> {
        let options = Options {
            profile: self.profile,
            state_machine_type: self.state_machine_type,
            // Whoever embeds the engine may call tasks what they like; an API asks for more.
            resources: ResourceNames::Any,
            ..Options::default()
        };
        Program::parse_with(&self.text, options)
    }
}

impl DefinitionId {
    /// It in hexadecimal digits.
    pub fn digits(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

//! The form of a result: as the API has it, or as a state sees it.
use crate::timestamp::TimestampForm;
use asl_services::Member;

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultForm {
    /// The names of members.
    pub names: ResultNames,
    /// Timestamps.
    pub timestamps: TimestampForm,
}

/// The names of members in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers choose")]
pub enum ResultNames {
    /// As in the API: `taskArn`.
    Api,
    /// With a capital letter: `TaskArn`.
    Capitalized,
    /// As Step Functions writes them, with acronyms as words: `TaskArn`, `SsekmsKeyId`.
    StepFunctions,
}

impl ResultForm {
    /// As the API has it, with timestamps in seconds.
    pub const API: Self = Self {
        names: ResultNames::Api,
        timestamps: TimestampForm::Seconds,
    };

    /// As optimized integrations have it: `arn:aws:states:::ecs:runTask`.
    pub const OPTIMIZED: Self = Self {
        names: ResultNames::Capitalized,
        timestamps: TimestampForm::Milliseconds,
    };

    /// As the other integrations have it: `arn:aws:states:::aws-sdk:ecs:runTask`.
    pub const SDK: Self = Self {
        names: ResultNames::StepFunctions,
        timestamps: TimestampForm::Iso8601,
    };

    pub(crate) fn name(self, member: Member<'_>) -> String {
        let [capitalized, own] = member.step_functions_names();
        match self.names {
            ResultNames::Api => member.name().to_owned(),
            ResultNames::Capitalized => capitalized,
            ResultNames::StepFunctions => own,
        }
    }
}

//! Validates the definitions of cases.
use crate::{Case, DefinitionFault, Validation};
use asl_model::{Diagnostic, Options, Severity};
use serde_json::Value;

/// Validates the definition of a case.
pub(super) fn validate(case: &Case) -> Validation {
    let options = Options::default()
        .with_profile(case.profile)
        .with_state_machine_type(case.state_machine_type());
    let diagnostics = asl_model::validate(&case.definition_text(), options);
    let errors = diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error);
    let fault = |error: &Diagnostic| DefinitionFault {
        code: code_of(error),
        location: error.location.to_string(),
        message: error.message.clone(),
    };
    let mut validation = Validation::refused(errors.map(fault).collect());
    validation.codes = diagnostics.iter().map(code_of).collect();
    validation
}

fn code_of(diagnostic: &Diagnostic) -> String {
    match serde_json::to_value(diagnostic.code()) {
        Ok(Value::String(code)) => code,
        _ => String::new(),
    }
}

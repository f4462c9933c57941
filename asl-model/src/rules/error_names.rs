//! "ErrorEquals" (specification, Errors): the wildcard is alone and last, and names that begin with `States.` are
//! those that the language defines.
use crate::read::{Place, Read, Reader};
use crate::{Diagnostic, DiagnosticCode, Profile, Severity};

const WILDCARD: &str = "States.ALL";
/// Appendix A, and the names of the service's guide to error handling.
const RESERVED: &[&str] = &[
    WILDCARD,
    "States.BranchFailed",
    "States.DataLimitExceeded",
    "States.ExceedToleratedFailureThreshold",
    "States.HeartbeatTimeout",
    "States.Http.Socket",
    "States.IntrinsicFailure",
    "States.ItemReaderFailed",
    "States.NoChoiceMatched",
    "States.ParameterPathFailure",
    "States.Permissions",
    "States.QueryEvaluationError",
    "States.ResultPathMatchFailure",
    "States.ResultWriterFailed",
    "States.Runtime",
    "States.TaskFailed",
    "States.Timeout",
];

impl Reader<'_> {
    /// Reports `States.ALL` beside other names, or before the last retrier or catcher.
    pub(crate) fn wildcard_alone_and_last(
        &mut self,
        names: &[String],
        last: bool,
        place: &Place<'_>,
    ) -> Read<()> {
        let found = names.iter().any(|name| name == WILDCARD);
        if !found || (names.len() == 1 && last) {
            return Ok(());
        }
        let message = "States.ALL must appear alone and at end of list";
        Err(self.schema(place, message))
    }

    /// Points out a name that nothing reports: a fault by the specification, a warning for the service.
    pub(crate) fn reserved_error_name(&mut self, name: &str, place: &Place<'_>) {
        if !name.starts_with("States.") || RESERVED.contains(&name) {
            return;
        }
        self.diagnostics.push(Diagnostic {
            severity: match self.options.profile {
                Profile::Aws => Severity::Warning,
                Profile::Spec => Severity::Error,
            },
            code: DiagnosticCode::SchemaValidationFailed,
            message: format!("'{name}' is not an error name that the language defines"),
            location: place.pointer(),
            hint: Some("names that begin with `States.` are reserved".to_owned()),
        });
    }
}

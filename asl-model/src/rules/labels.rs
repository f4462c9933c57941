//! "Label" of a distributed Map State: at most 40 characters, none of those that an ARN cannot hold, and each label
//! once.
use crate::DiagnosticCode;
use crate::read::{Object, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use std::collections::HashSet;

const LONGEST: usize = 40;
const REFUSED: &str = "?*<>{}[]:;,\\|^~$#%&`\"";

/// The labels of a machine so far.
#[derive(Debug, Default)]
pub(crate) struct Labels<'v>(HashSet<&'v str>);

impl<'v> Reader<'v> {
    /// "Label".
    pub(crate) fn label(&mut self, state: Object<'v, '_>) -> Read<Option<String>> {
        let Some(label) = self.text(state, "Label")? else {
            return Ok(None);
        };
        let place = state.at("Label");
        if is_placeholder(label) {
            return Ok(Some(label.to_owned()));
        }
        if label.chars().count() > LONGEST {
            let message = format!("Label cannot exceed {LONGEST} characters");
            return Err(self.fault(&place, DiagnosticCode::InvalidLabelName, message));
        }
        if let Some(character) = label.chars().find(|character| is_refused(*character)) {
            let message = format!(
                "Label contains invalid character: '{}'",
                character.escape_debug()
            );
            return Err(self.fault(&place, DiagnosticCode::InvalidLabelName, message));
        }
        if !self.labels.0.insert(label) {
            let message = format!("Duplicate Label name: {label}");
            return Err(self.fault(&place, DiagnosticCode::DuplicateLabelName, message));
        }
        Ok(Some(label.to_owned()))
    }
}

fn is_refused(character: char) -> bool {
    character.is_whitespace() || character.is_control() || REFUSED.contains(character)
}

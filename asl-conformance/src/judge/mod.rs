//! Compares the answers of an interpreter with the expectations of a case.
mod eval;
mod exec;
mod history;
mod test_state;
mod validate;

use crate::{Case, Kind, Subject, Verdict};

/// Judges one case; None if the interpreter cannot be asked.
pub(crate) fn judge(kind: Kind, case: &Case, subject: &mut dyn Subject) -> Option<Verdict> {
    match kind {
        Kind::Exec => Some(exec::judge(case, subject)),
        Kind::Validate => Some(validate::judge(case, subject)),
        Kind::Eval => eval::judge(case, subject),
        Kind::TestState => test_state::judge(case, subject),
    }
}

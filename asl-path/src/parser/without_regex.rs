//! A program without regular expressions refuses them.

use crate::PatternBudget;

/// No value: nothing is compiled.
#[derive(Debug, Clone)]
pub(crate) enum Regex {}

impl Regex {
    pub(crate) fn is_match(&self, _text: &str) -> bool {
        match *self {}
    }
}

pub(super) fn compile(
    text: &str,
    _flags: &str,
    budget: &PatternBudget,
) -> Result<(Regex, usize), String> {
    budget.charge(text.len())?;
    Err("this program is built without regular expressions (the feature regex of asl-path)".into())
}

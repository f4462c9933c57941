//! Assignment of arguments to parameters.
use super::kinds::Kinds;
use super::{Parameter, Repetition, Signature};

/// The arguments of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArgumentRange {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Signature {
    /// Divides arguments of these kinds among the parameters, as the pattern that the signature stands for would match them.
    ///
    /// # Errors
    ///
    /// The arguments do not match: the index of the first one that is wrong.
    pub(super) fn divide(&self, kinds: &[Kinds]) -> Result<Vec<ArgumentRange>, usize> {
        preferred(&self.parameters, kinds, End::Last).ok_or_else(|| self.first_wrong(kinds))
    }

    /// As many arguments as the parameters before the first that cannot match take.
    fn first_wrong(&self, kinds: &[Kinds]) -> usize {
        let prefix = |count: usize| self.parameters.get(..count).unwrap_or_default();
        let counts: Vec<usize> = (1..=self.parameters.len()).collect();
        let matching = counts
            .partition_point(|count| preferred(prefix(*count), kinds, End::Anywhere).is_some());
        let taken = preferred(prefix(matching), kinds, End::Anywhere).unwrap_or_default();
        taken.last().map_or(0, |last| last.first + last.count)
    }
}

/// Possible ends of the arguments of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Last,
    Anywhere,
}

/// Returns the first assignment of arguments to parameters in the order in which a regular expression tries them: as many as
/// possible for each parameter, or as few as possible if it is lazy. None if there is no assignment.
///
/// What can follow is found from the end on, so that nothing is tried twice.
fn preferred(parameters: &[Parameter], kinds: &[Kinds], end: End) -> Option<Vec<ArgumentRange>> {
    let last = (0..=kinds.len()).map(|at| end == End::Anywhere || at == kinds.len());
    let mut possible: Vec<Vec<bool>> = vec![last.collect()];
    for parameter in parameters.iter().rev() {
        let before = parameter.possible_before(kinds, possible.last()?);
        possible.push(before);
    }
    let mut first = 0;
    let mut taken = Vec::with_capacity(parameters.len());
    if !*possible.pop()?.first()? {
        return None;
    }
    for parameter in parameters {
        let count =
            parameter.preferred_count(kinds.get(first..)?, possible.pop()?.get(first..)?)?;
        taken.push(ArgumentRange { first, count });
        first += count;
    }
    Some(taken)
}

impl Parameter {
    /// Returns the possible starts of this parameter, given those of the next one.
    fn possible_before(&self, kinds: &[Kinds], next: &[bool]) -> Vec<bool> {
        let next_at = |at: usize| next.get(at).copied().unwrap_or_default();
        let mut possible = vec![false; kinds.len() + 1];
        let mut following = false;
        for at in (0..possible.len()).rev() {
            let accepted = kinds
                .get(at)
                .is_some_and(|kind| self.accepts.accepts(*kind));
            let may_begin = match self.repetition {
                Repetition::One => accepted && next_at(at + 1),
                Repetition::Optional { .. } => next_at(at) || accepted && next_at(at + 1),
                Repetition::Many { .. } => accepted && (next_at(at + 1) || following),
            };
            following = may_begin;
            if let Some(possible) = possible.get_mut(at) {
                *possible = may_begin;
            }
        }
        possible
    }

    /// Returns the number of arguments of this parameter, given the possible starts of the next one.
    fn preferred_count(&self, kinds: &[Kinds], next: &[bool]) -> Option<usize> {
        let run = kinds.iter().take_while(|kind| self.accepts.accepts(**kind));
        let (least, most, few) = match self.repetition {
            Repetition::One => (1, 1, true),
            Repetition::Optional { few } => (0, 1, few),
            Repetition::Many { few } => (1, usize::MAX, few),
        };
        let most = run.take(most).count();
        let mut counts = least..=most;
        let possible = |count: &usize| next.get(*count).copied().unwrap_or_default();
        if few {
            counts.find(possible)
        } else {
            counts.rfind(possible)
        }
    }
}

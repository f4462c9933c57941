//! Acknowledged and performed work, from the lines of all processes, and its violations.
use super::load::rank;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Summary of the lines of all rounds.
#[derive(Default)]
pub(crate) struct Account {
    /// Executions whose start was acknowledged since the store was looked at last.
    pub(crate) started: BTreeSet<Arc<str>>,
    pub(crate) redriven: BTreeSet<Arc<str>>,
    pub(crate) stopped: BTreeSet<Arc<str>>,
    /// Tokens without an acknowledged answer.
    pub(crate) open_tokens: BTreeSet<Arc<str>>,
    pub(crate) counts: Counts,
    answered: BTreeSet<Arc<str>>,
    taken: BTreeSet<Arc<str>>,
    /// The round in which each task was performed last.
    performed: BTreeMap<String, usize>,
    /// Last known rank of each execution.
    ranks: BTreeMap<String, usize>,
    token_of: BTreeMap<String, Arc<str>>,
}

/// Reported counts.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) kills: usize,
    pub(crate) acknowledged: usize,
    pub(crate) lost: usize,
    /// Tasks that were performed again because a kill left them without an answer: that is how it has to be.
    pub(crate) repeated: usize,
    /// Tasks that were performed, or taken, again although their answer stood.
    pub(crate) repeated_wrongly: usize,
}

impl Account {
    /// Takes a line of a round; whether it acknowledges something.
    pub(crate) fn take(&mut self, round: usize, line: &str) -> bool {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["acknowledged", what, of] => {
                self.counts.acknowledged += 1;
                self.acknowledged(what, Arc::from(*of));
                true
            }
            ["performed", arn, state, key] => {
                self.performed(round, arn, state, key);
                false
            }
            ["handed-on", token, key] => {
                let token: Arc<str> = Arc::from(*token);
                if !self.answered.contains(&token) {
                    self.open_tokens.insert(Arc::clone(&token));
                }
                self.token_of.insert((*key).to_owned(), token);
                false
            }
            // What the test harness says.
            _ => false,
        }
    }

    fn acknowledged(&mut self, what: &str, of: Arc<str>) {
        match what {
            "start" => drop(self.started.insert(of)),
            "redrive" => drop(self.redriven.insert(of)),
            "stop" => drop(self.stopped.insert(of)),
            "taking" => {
                self.open_tokens.insert(Arc::clone(&of));
                if !self.taken.insert(of) {
                    self.counts.repeated_wrongly += 1;
                }
            }
            "answer" => {
                self.open_tokens.remove(&of);
                self.answered.insert(of);
            }
            other => panic!("an acknowledgement of what? {other}"),
        }
    }

    fn performed(&mut self, round: usize, arn: &str, state: &str, key: &str) {
        let before = self.performed.insert(key.to_owned(), round);
        let is_answered = self
            .token_of
            .get(key)
            .is_some_and(|token| self.answered.contains(token));
        let rank = rank(state);
        let farthest = self.ranks.entry(arn.to_owned()).or_default();
        let has_gone_on = *farthest > rank;
        *farthest = rank.max(*farthest);
        match before {
            Some(before) if before == round || has_gone_on || is_answered => {
                self.counts.repeated_wrongly += 1;
            }
            Some(_) => self.counts.repeated += 1,
            // What is performed for the first time after a later state was is no repetition, but as wrong.
            None if has_gone_on => self.counts.repeated_wrongly += 1,
            None => {}
        }
    }
}

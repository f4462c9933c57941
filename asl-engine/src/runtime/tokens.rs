//! Task tokens of a runtime: made and verified by one maker, and the executions that they name.
use super::identifier::{ExecutionId, RunningExecution};
use crate::{EffectId, Identity, TaskTokens};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What makes and verifies the tokens of a runtime's tasks, and where to find the executions that they name.
pub(super) struct TokenBook {
    maker: Arc<dyn TaskTokens>,
    /// Only of executions that have a task with a token, by ARN.
    executions: Mutex<HashMap<String, ExecutionId>>,
}

impl TokenBook {
    pub(super) fn new(maker: Arc<dyn TaskTokens>) -> Self {
        Self {
            maker,
            executions: Mutex::default(),
        }
    }

    pub(super) fn maker(&self) -> &Arc<dyn TaskTokens> {
        &self.maker
    }

    /// The task that a token names, which may be done long ago.
    pub(super) fn find(&self, token: &str) -> Option<(ExecutionId, EffectId)> {
        let task = self.maker.verify(token)?;
        let execution = self.executions().get(&task.execution_arn).copied()?;
        Some((execution, task.effect))
    }

    /// Notes whose ARN this is; false where it is that of another.
    fn enter(&self, arn: &str, execution: ExecutionId) -> bool {
        match self.executions().entry(arn.to_owned()) {
            Entry::Vacant(entry) => *entry.insert(execution) == execution,
            Entry::Occupied(entry) => *entry.get() == execution,
        }
    }

    fn executions(&self) -> MutexGuard<'_, HashMap<String, ExecutionId>> {
        self.executions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// An execution of a runtime, as its tasks hold it: found by their tokens while the runtime or one of them has it.
pub(super) struct Member {
    running: RunningExecution,
    book: Arc<TokenBook>,
    entry: OnceLock<BookEntry>,
}

/// Under which names an execution is in the book.
struct BookEntry {
    identity: Arc<Identity>,
    arn: String,
}

impl Member {
    pub(super) fn new(running: RunningExecution, book: Arc<TokenBook>) -> Self {
        Self {
            running,
            book,
            entry: OnceLock::new(),
        }
    }

    /// Sees to it that tokens which the execution itself gave its tasks lead here; false where another execution has the
    /// same names.
    pub(super) fn is_found_by_its_name(&self) -> bool {
        Arc::ptr_eq(&self.entry().identity, &self.running.identity)
    }

    /// A token of a task that the execution itself gave none.
    pub(super) fn token(&self, effect: EffectId) -> String {
        self.book.maker.token(&self.entry().identity, effect)
    }

    fn entry(&self) -> &BookEntry {
        self.entry.get_or_init(|| {
            let (id, identity) = (self.running.id, &self.running.identity);
            let arn = identity.execution_arn();
            if self.book.enter(&arn, id) {
                let identity = Arc::clone(identity);
                return BookEntry { identity, arn };
            }
            // No name of an execution holds `#`.
            let name = format!("{}#{id}", identity.execution_name());
            let identity = Arc::new(Identity::from_execution_name(name));
            let arn = identity.execution_arn();
            self.book.enter(&arn, id);
            BookEntry { identity, arn }
        })
    }
}

impl Deref for Member {
    type Target = RunningExecution;

    fn deref(&self) -> &RunningExecution {
        &self.running
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.get() {
            self.book.executions().remove(&entry.arn);
        }
    }
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.running.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MacTokens;

    fn book() -> Arc<TokenBook> {
        Arc::new(TokenBook::new(Arc::new(MacTokens::new("k", b"secret"))))
    }

    fn member(book: &Arc<TokenBook>, id: u64, name: &str) -> Member {
        let running = RunningExecution {
            id: ExecutionId(id),
            root: ExecutionId(id),
            identity: Arc::new(Identity::new("M", name)),
        };
        Member::new(running, Arc::clone(book))
    }

    #[test]
    fn a_token_leads_to_its_task_while_someone_has_the_execution() {
        let book = book();
        let (first, second) = (member(&book, 3, "a"), member(&book, 4, "b"));
        for (member, id) in [(&first, 3), (&second, 4)] {
            let token = member.token(EffectId(14));
            assert_eq!(book.find(&token), Some((ExecutionId(id), EffectId(14))));
        }
        let token = first.token(EffectId(14));
        drop(first);
        assert_eq!(book.find(&token), None);
        drop(second);
        assert!(book.executions().is_empty());
    }

    #[test]
    fn tasks_of_one_name_are_not_confused() {
        let book = book();
        let (first, second) = (member(&book, 3, "a"), member(&book, 4, "a"));
        let tokens = [first.token(EffectId(0)), second.token(EffectId(0))];
        assert!(first.is_found_by_its_name() && !second.is_found_by_its_name());
        let found = tokens.each_ref().map(|token| book.find(token));
        let expected = [3, 4].map(|id| Some((ExecutionId(id), EffectId(0))));
        assert_eq!(found, expected);
        drop(first);
        assert_eq!(book.find(&tokens[1]), expected[1]);
    }

    #[test]
    fn made_up_tokens_lead_nowhere() {
        let (book, foreign) = (book(), MacTokens::new("k", b"another"));
        let member = member(&book, 3, "a");
        let token = member.token(EffectId(0));
        let forged = foreign.token(&member.identity, EffectId(0));
        for token in ["", "task-3-0", &forged, &token[1..]] {
            assert_eq!(book.find(token), None, "{token}");
        }
    }
}

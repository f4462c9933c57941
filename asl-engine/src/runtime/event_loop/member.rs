//! An execution of a runtime, as its tasks hold it.
use super::shared::SharedState;
use crate::runtime::RunningExecution;
use crate::runtime::spans::ExecutionSpan;
use crate::{EffectId, Identity};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// An execution of a runtime, as its tasks hold it: found by their tokens while the runtime or one of them has it.
pub(super) struct Member {
    running: RunningExecution,
    span: ExecutionSpan,
    shared: Arc<SharedState>,
    entry: OnceLock<BookEntry>,
}

/// Under which names an execution is in the book.
struct BookEntry {
    identity: Arc<Identity>,
    arn: Arc<str>,
}

impl Member {
    /// An execution that a caller starts or resumes.
    pub(super) fn new(running: RunningExecution, shared: Arc<SharedState>) -> Self {
        Self {
            span: ExecutionSpan::of_caller(&running),
            running,
            shared,
            entry: OnceLock::new(),
        }
    }

    /// A child execution of this one.
    pub(super) fn child(&self, running: RunningExecution) -> Self {
        Self {
            span: self.span.child(&running),
            running,
            shared: Arc::clone(&self.shared),
            entry: OnceLock::new(),
        }
    }

    pub(super) fn span(&self) -> &ExecutionSpan {
        &self.span
    }

    pub(super) fn shared(&self) -> &Arc<SharedState> {
        &self.shared
    }

    /// From here on, tokens which the execution itself gave its tasks lead to it; false if another execution has the same
    /// names.
    pub(super) fn claim_name(&self) -> bool {
        Arc::ptr_eq(&self.entry().identity, &self.running.identity)
    }

    /// Returns a token of a task that the execution itself gave none.
    pub(super) fn token(&self, effect: EffectId) -> String {
        self.shared
            .tokens
            .maker()
            .token(&self.entry().identity, effect)
    }

    fn entry(&self) -> &BookEntry {
        self.entry.get_or_init(|| {
            let (id, identity) = (self.running.id, &self.running.identity);
            let arn = Arc::from(identity.execution_arn());
            if self.shared.tokens.enter(&arn, id) {
                let identity = Arc::clone(identity);
                return BookEntry { identity, arn };
            }
            // No name of an execution holds `#`.
            let name = format!("{}#{id}", identity.execution_name());
            let identity = Arc::new(Identity::from_execution_name(name));
            let arn = Arc::from(identity.execution_arn());
            self.shared.tokens.enter(&arn, id);
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
            self.shared.tokens.leave(&entry.arn);
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
    use crate::TaskTokens as _;
    use crate::runtime::admission::Admission;
    use crate::runtime::chance::Chance;
    use crate::runtime::event_loop::Places;
    use crate::runtime::performer::{Performer, TaskHandlers};
    use crate::runtime::tokens::TokenBook;
    use crate::runtime::{Clock, ExecutionId};
    use std::sync::Weak;

    fn shared() -> Arc<SharedState> {
        let tokens = TokenBook::new(Arc::new(MacTokens::new("k", b"secret")));
        let chance = Chance::new(Some(0));
        let performer: Weak<dyn Performer> = Weak::<TaskHandlers>::new();
        let admission = Admission {
            performer,
            records_history: false,
            refuses_unhandled_tasks: false,
        };
        let clock = Clock::real();
        Arc::new(SharedState::new(
            clock,
            tokens,
            chance,
            admission,
            Places::default(),
            Box::default(),
        ))
    }

    fn member(shared: &Arc<SharedState>, id: u64, name: &str) -> Member {
        let running = RunningExecution {
            id: ExecutionId::new(id),
            root: ExecutionId::new(id),
            identity: Arc::new(Identity::new("M", name)),
            child: None,
        };
        Member::new(running, Arc::clone(shared))
    }

    #[test]
    fn a_token_leads_to_its_task_while_someone_has_the_execution() {
        let shared = shared();
        let (first, second) = (member(&shared, 3, "a"), member(&shared, 4, "b"));
        for (member, id) in [(&first, 3), (&second, 4)] {
            let token = member.token(EffectId(14));
            let found = Some((ExecutionId::new(id), EffectId(14)));
            assert_eq!(shared.tokens.find(&token), found);
        }
        let token = first.token(EffectId(14));
        drop(first);
        assert_eq!(shared.tokens.find(&token), None);
        drop(second);
        assert!(shared.tokens.is_empty());
    }

    #[test]
    fn tasks_of_one_name_are_not_confused() {
        let shared = shared();
        let (first, second) = (member(&shared, 3, "a"), member(&shared, 4, "a"));
        let tokens = [first.token(EffectId(0)), second.token(EffectId(0))];
        assert!(first.claim_name() && !second.claim_name());
        let found = tokens.each_ref().map(|token| shared.tokens.find(token));
        let expected = [3, 4].map(|id| Some((ExecutionId::new(id), EffectId(0))));
        assert_eq!(found, expected);
        drop(first);
        assert_eq!(shared.tokens.find(&tokens[1]), expected[1]);
    }

    #[test]
    fn made_up_tokens_lead_nowhere() {
        let (shared, foreign) = (shared(), MacTokens::new("k", b"another"));
        let member = member(&shared, 3, "a");
        let token = member.token(EffectId(0));
        let forged = foreign.token(&member.identity, EffectId(0));
        for token in ["", "task-3-0", &forged, &token[1..]] {
            assert_eq!(shared.tokens.find(token), None, "{token}");
        }
    }
}

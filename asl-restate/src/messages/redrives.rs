//! Redrives of an execution.
use asl_backend::SAME_REDRIVE;
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Redrives of an execution so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Redrives {
    pub(crate) count: u64,
    /// Time of the last redrive.
    pub(crate) date: Option<Timestamp>,
    /// Those of the last quarter of an hour that said whose they are.
    recent: Vec<(Arc<str>, Timestamp)>,
}

impl Redrives {
    /// Returns the time of the redrive that a client repeats.
    pub(crate) fn same(&self, client_token: Option<&str>, now: Timestamp) -> Option<Timestamp> {
        let token = client_token?;
        let mut recent = self.recent.iter().filter(|(_, at)| is_recent(*at, now));
        recent
            .find(|(known, _)| **known == *token)
            .map(|(_, at)| *at)
    }

    /// One more.
    pub(crate) fn add(&mut self, client_token: Option<Arc<str>>, now: Timestamp) {
        self.count += 1;
        self.date = Some(now);
        self.recent.retain(|(_, at)| is_recent(*at, now));
        self.recent.extend(client_token.map(|token| (token, now)));
    }
}

fn is_recent(at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(at) < SAME_REDRIVE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_same_redrive_for_a_quarter_of_an_hour() {
        let start = Timestamp::default();
        let mut redrives = Redrives::default();
        redrives.add(Some("t".into()), start);
        redrives.add(None, start.plus_seconds(1));
        let same = |token, seconds| redrives.same(token, start.plus_seconds(seconds));
        assert_eq!(same(Some("t"), 899), Some(start));
        assert_eq!(same(Some("t"), 900), None);
        assert_eq!((same(Some("u"), 1), same(None, 1)), (None, None));
        assert_eq!(
            (redrives.count, redrives.date),
            (2, Some(start.plus_seconds(1)))
        );
        redrives.add(None, start.plus_seconds(900));
        assert!(redrives.recent.is_empty());
    }
}

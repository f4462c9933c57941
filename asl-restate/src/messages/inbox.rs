//! Inboxes, and commands to an execution.
use super::{ExecutionOutcome, Redrives};
use asl_engine::{ErrorOutput, MapRunUpdate, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An inbox that waits for a message, as the state of its workflow keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenInbox {
    /// Id of the awakeable to resolve.
    pub(crate) awakeable: String,
    /// Number of messages received before.
    pub(crate) turn: u64,
}

/// A command to an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Command {
    pub(crate) at: Timestamp,
    pub(crate) what: CommandReply,
}

/// Kinds of commands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum CommandReply {
    Stop(ErrorOutput),
    UpdateMapRun(MapRunUpdate),
    Redrive { client_token: Option<Arc<str>> },
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CommandAnswer {
    /// The execution has ended, by the command or before it.
    Ended(Timestamp),
    /// True if the Map Run that is to have other limits was under way.
    Updated(bool),
    /// It was redriven, by the command or by the same one before.
    Redriven(Timestamp),
    /// It may not be redriven, and why not.
    NotRedrivable(String),
}

impl Command {
    /// Returns the answer, where the command changes nothing: of an execution with these redrives, and with this ending if
    /// it ended.
    pub(crate) fn foreseen(
        &self,
        redrives: &Redrives,
        ending: Option<&ExecutionOutcome>,
    ) -> Option<CommandAnswer> {
        match &self.what {
            CommandReply::Stop(_) => ending.map(|ending| CommandAnswer::Ended(ending.stop_date)),
            CommandReply::UpdateMapRun(_) => ending.map(|_| CommandAnswer::Updated(false)),
            CommandReply::Redrive { client_token } => {
                if let Some(date) = redrives.same(client_token.as_deref(), self.at) {
                    return Some(CommandAnswer::Redriven(date));
                }
                ExecutionOutcome::why_not_redrivable(ending, self.at)
                    .map(CommandAnswer::NotRedrivable)
            }
        }
    }

    /// Returns the answer of an execution that ended, and hears no commands any more.
    pub(crate) fn too_late(&self, redrives: &Redrives, ending: &ExecutionOutcome) -> CommandAnswer {
        let closed = || {
            CommandAnswer::NotRedrivable(
                "Execution ended for good and cannot be redriven: it is an Express one or a child of a Map Run, its workflow was \
                 cancelled in Restate, or it ended before the retention period"
                    .to_owned(),
            )
        };
        self.foreseen(redrives, Some(ending)).unwrap_or_else(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(status: &str) -> ExecutionOutcome {
        ExecutionOutcome {
            status: status.into(),
            stop_date: Timestamp::from_milliseconds(5_000),
            output: None,
            error_output: ErrorOutput::default(),
            event_count: 7,
        }
    }

    fn command(what: CommandReply) -> Command {
        let at = Timestamp::from_milliseconds(6_000);
        Command { at, what }
    }

    #[test]
    fn what_ended_is_not_stopped_again_and_runs_no_map() {
        let none = Redrives::default();
        let failed = ending("FAILED");
        let stop = command(CommandReply::Stop(ErrorOutput::default()));
        assert_eq!(stop.foreseen(&none, None), None);
        let ended = CommandAnswer::Ended(failed.stop_date);
        assert_eq!(stop.foreseen(&none, Some(&failed)), Some(ended));
        let update = command(CommandReply::UpdateMapRun(MapRunUpdate::default()));
        let nothing = CommandAnswer::Updated(false);
        assert_eq!(update.foreseen(&none, Some(&failed)), Some(nothing));
    }

    #[test]
    fn a_redrive_is_refused_but_for_the_same_one_and_one_of_what_failed() {
        let client_token = Some(Arc::from("t"));
        let redrive = command(CommandReply::Redrive { client_token });
        let mut redrives = Redrives::default();
        let refused = |ending: Option<&ExecutionOutcome>, redrives: &Redrives| match redrive
            .foreseen(redrives, ending)
        {
            Some(CommandAnswer::NotRedrivable(why)) => why,
            other => format!("{other:?}"),
        };
        assert!(refused(None, &redrives).starts_with("Execution is RUNNING"));
        let succeeded = ending("SUCCEEDED");
        assert!(refused(Some(&succeeded), &redrives).starts_with("Execution is SUCCEEDED"));
        assert_eq!(refused(Some(&ending("FAILED")), &redrives), "None");
        let closed = redrive.too_late(&redrives, &ending("FAILED"));
        assert!(matches!(closed, CommandAnswer::NotRedrivable(why) if why.contains("for good")));
        redrives.add(Some("t".into()), redrive.at);
        let same = CommandAnswer::Redriven(redrive.at);
        assert_eq!(redrive.foreseen(&redrives, None), Some(same));
    }
}

//! The workflow of an execution: `run` is the execution, and the other handlers receive commands and messages.
use super::durable::Durable;
use super::express;
use super::feed;
use super::history;
use super::inbox::{self, SendOutcome};
use super::index;
use super::names::{EXECUTION, FEED, INDEX, MOCKS};
use super::nested;
use super::redriven_children;
use crate::driver::Driver;
use crate::messages::{
    Began, Command, CommandAnswer, CommandReply, Delivery, ExecutionDetails, ExecutionOutcome,
    ExecutionStart, ExternalEvent, ExternalMessage, FeedEntry, HistorySource, KeptMapRun,
    ListEntry, MapRunsOf, MockedTestCase, Redrives,
};
use crate::node::Node;
use asl_backend::{CoreStart, REDRIVABLE_PERIOD};
use asl_engine::model::StateMachineType;
use asl_engine::{CORE_VERSION, EffectId, JournalRecord, Timestamp};
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

// What the state of a workflow holds, and its promises.
pub(super) const BEGINNING: &str = "beginning";
pub(super) const ENDING: &str = "ending";
pub(super) const REDRIVES: &str = "redrives";
const MAP_RUN: &str = "map-run-";
const BEGAN: &str = "began";

/// Returns the key of a Map Run.
pub(super) fn map_run_key(arn: &str) -> String {
    format!("{MAP_RUN}{arn}")
}

/// Returns the key of that a performer may end before it answers.
pub(super) fn abandoned_key(id: EffectId) -> String {
    format!("let-go-{}", id.0)
}

/// A message to a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TellMessage {
    pub(crate) effect: EffectId,
    pub(crate) outside: ExternalMessage,
}

/// The execution that a task waits for has begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LinkMessage {
    pub(crate) effect: EffectId,
    pub(crate) nested: Arc<str>,
    pub(crate) at: Timestamp,
}

pub(super) struct ExecutionWorkflow(pub(super) Arc<Node>);

#[restate_sdk::workflow(name = "AslExecution")]
impl ExecutionWorkflow {
    #[handler]
    async fn run(
        &self,
        ctx: WorkflowContext<'_>,
        beginning: Json<ExecutionStart>,
    ) -> HandlerResult<Json<ExecutionOutcome>> {
        let beginning = beginning.into_inner();
        check_version(beginning.core_version)?;
        if beginning.is_express() {
            return Ok(Json(express::run_child(&ctx, &self.0, beginning).await?));
        }
        let command = inbox::open(&ctx, inbox::OWN, 0);
        note_beginning(&ctx, &beginning);
        let program = self.0.program(&beginning.definition).await?;
        let tokens = self.0.tokens().await;
        nested::report_start(&ctx, &beginning, &*tokens);
        let mut start = beginning.start.clone();
        start.record_history();
        let execution = start.begin(program, Arc::clone(&tokens));
        let redrivable = match &beginning.start {
            CoreStart::Root(_) => Some(self.0.retention.min(REDRIVABLE_PERIOD)),
            // Its parent runs it again.
            CoreStart::Child(_) => None,
        };
        let mocked = beginning.about.mocked.clone();
        let host = Durable::new(&ctx, Arc::clone(&self.0), tokens, beginning, command);
        let (ending, _, _) = Driver::new(execution, host, redrivable).run().await?;
        if let Some(mocked) = mocked.filter(|mocked| *mocked.root == *ctx.key()) {
            forget_attempts(&ctx, &mocked, self.0.retention);
        }
        Ok(Json(ending))
    }

    /// Begins the execution, unless one of this name did: whose beginning it was.
    #[handler]
    async fn begin(
        &self,
        ctx: SharedWorkflowContext<'_>,
        beginning: Json<ExecutionStart>,
    ) -> HandlerResult<Json<Began>> {
        let target = RequestTarget::workflow(EXECUTION, ctx.key(), "run");
        // Where there is one already, this is let go.
        ctx.request::<_, ()>(target, beginning).send();
        let Json(mut began) = ctx.promise::<Json<Began>>(BEGAN).await?;
        began.has_ended = ctx.get::<Json<ExecutionOutcome>>(ENDING).await?.is_some();
        Ok(Json(began))
    }

    #[handler]
    async fn describe(
        &self,
        ctx: SharedWorkflowContext<'_>,
    ) -> HandlerResult<Json<Option<ExecutionDetails>>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "describe", ()).await;
        }
        let Some(Json(beginning)) = ctx.get::<Json<ExecutionStart>>(BEGINNING).await? else {
            return Ok(Json(None));
        };
        let ending = ctx.get::<Json<ExecutionOutcome>>(ENDING).await?;
        let ending = ending.map(Json::into_inner);
        let listed = ListEntry::new(&beginning).redriven(&redrives(&ctx).await?);
        Ok(Json(Some(ExecutionDetails {
            listed: match &ending {
                Some(ending) => listed.ended(ending),
                None => listed,
            },
            input: beginning.start.input_text(),
            definition: beginning.definition,
            about: beginning.about,
            ending,
        })))
    }

    /// Returns the source of its history.
    #[handler]
    async fn history(
        &self,
        ctx: SharedWorkflowContext<'_>,
    ) -> HandlerResult<Json<Option<HistorySource>>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "history", ()).await;
        }
        Ok(Json(history::source(&ctx).await?))
    }

    /// Returns the records from a number on, if the history is made from records.
    #[handler]
    async fn records(
        &self,
        ctx: SharedWorkflowContext<'_>,
        from: Json<u64>,
    ) -> HandlerResult<Json<Option<Vec<JournalRecord>>>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "records", from).await;
        }
        Ok(Json(history::records(&ctx, from.0).await?))
    }

    /// Returns a piece of its sealed history.
    #[handler]
    async fn history_piece(
        &self,
        ctx: SharedWorkflowContext<'_>,
        first: Json<u64>,
    ) -> HandlerResult<Vec<u8>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "history_piece", first).await;
        }
        Ok(history::piece(&ctx, first.0).await?)
    }

    /// Returns its Map Runs.
    #[handler]
    async fn map_runs(
        &self,
        ctx: SharedWorkflowContext<'_>,
    ) -> HandlerResult<Json<Option<MapRunsOf>>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "map_runs", ()).await;
        }
        let Some(Json(beginning)) = ctx.get::<Json<ExecutionStart>>(BEGINNING).await? else {
            return Ok(Json(None));
        };
        let mut keys = ctx.get_keys().await?;
        keys.retain(|key| key.starts_with(MAP_RUN));
        let mut runs = Vec::with_capacity(keys.len());
        for key in keys {
            let run = ctx.get::<Json<KeptMapRun>>(&key).await?;
            runs.extend(run.map(Json::into_inner));
        }
        let redrives = redrives(&ctx).await?;
        Ok(Json(Some(MapRunsOf {
            execution_arn: beginning.start.start().identity.execution_arn().into(),
            runs,
            redrive_count: redrives.count,
            redrive_date: redrives.date,
        })))
    }

    /// Sends a message to a task. Of several concurrent senders, one succeeds, and the others must repeat.
    #[handler]
    async fn tell(
        &self,
        ctx: SharedWorkflowContext<'_>,
        message: Json<TellMessage>,
    ) -> HandlerResult<Json<Delivery>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "tell", message).await;
        }
        let TellMessage { effect, outside } = message.into_inner();
        let may_be_lost = outside.what.may_be_lost();
        let sent = inbox::send(&ctx, &inbox::of_task(effect), outside).await?;
        Ok(Json(match sent {
            SendOutcome::Heard(_) => Delivery::Heard,
            SendOutcome::Busy(_) if may_be_lost => Delivery::Heard,
            SendOutcome::Busy(_) => Delivery::Busy,
            SendOutcome::Closed if is_known(&ctx).await? => Delivery::TooLate,
            SendOutcome::Closed => Delivery::NoExecution,
        }))
    }

    /// Links a task to its nested execution, and waits until the task has received the link: from then on the nested
    /// execution is stopped when the task is cancelled. Returns true if the task still waits.
    #[handler]
    async fn link(
        &self,
        ctx: SharedWorkflowContext<'_>,
        message: Json<LinkMessage>,
    ) -> HandlerResult<Json<bool>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "link", message).await;
        }
        let LinkMessage { effect, nested, at } = message.into_inner();
        let inbox = inbox::of_task(effect);
        let what = ExternalEvent::Nested(nested);
        let outside = ExternalMessage { at, what };
        let mut heard_in = None;
        for pause in nested::pauses() {
            match heard_in {
                None => match inbox::send(&ctx, &inbox, outside.clone()).await? {
                    SendOutcome::Heard(turn) => heard_in = Some(turn),
                    SendOutcome::Busy(_) => {}
                    SendOutcome::Closed => break,
                },
                Some(turn) => match inbox::turn(&ctx, &inbox).await? {
                    Some(next) if next > turn => return Ok(Json(true)),
                    Some(_) => {}
                    None => break,
                },
            }
            ctx.sleep(pause).await?;
        }
        Ok(Json(false))
    }

    /// Returns true if what a performer does is still waited for.
    #[handler]
    async fn awaits(
        &self,
        ctx: SharedWorkflowContext<'_>,
        effect: Json<EffectId>,
    ) -> HandlerResult<Json<bool>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "awaits", effect).await;
        }
        let is_let_go = ctx.get::<bool>(&abandoned_key(effect.0)).await?.is_some();
        Ok(Json(
            !is_let_go && inbox::turn(&ctx, inbox::OWN).await?.is_some(),
        ))
    }

    /// Notes which workflow continues as the same child.
    #[handler]
    async fn go_on_as(
        &self,
        ctx: SharedWorkflowContext<'_>,
        key: Json<String>,
    ) -> HandlerResult<()> {
        redriven_children::note(&ctx, key);
        Ok(())
    }

    /// Stops a child of a Map Run, once it has begun, which its shard has requested.
    #[handler]
    async fn stop_child(
        &self,
        ctx: SharedWorkflowContext<'_>,
        stop: Json<Command>,
    ) -> HandlerResult<()> {
        let _: Json<Began> = ctx.promise(BEGAN).await?;
        let target = RequestTarget::workflow(EXECUTION, ctx.key(), "command");
        ctx.request::<_, ()>(target, stop).send();
        Ok(())
    }

    /// Sends a command to the execution after the previous one is answered, and returns its result; None if the execution
    /// does not exist.
    #[handler]
    async fn command(
        &self,
        ctx: SharedWorkflowContext<'_>,
        command: Json<Command>,
    ) -> HandlerResult<Json<Option<CommandAnswer>>> {
        if let Some(next) = redriven_children::next_of(&ctx).await? {
            return redriven_children::forward(&ctx, next, "command", command).await;
        }
        let Json(command) = command;
        let is_redrive = matches!(command.what, CommandReply::Redrive { .. });
        loop {
            let redrives = redrives(&ctx).await?;
            let ending = ctx.get::<Json<ExecutionOutcome>>(ENDING).await?;
            // What ended is not woken for what would change nothing.
            let foreseen = ending.and_then(|ending| command.foreseen(&redrives, Some(&ending.0)));
            if foreseen.is_some() {
                return Ok(Json(foreseen));
            }
            match inbox::send(&ctx, inbox::OWN, command.clone()).await? {
                // Where it ends before it hears of this, its end is the answer; who redrives it comes again.
                SendOutcome::Heard(turn) => match inbox::answered(&ctx, turn).await? {
                    CommandAnswer::Ended(_) if is_redrive => {}
                    answer => return Ok(Json(Some(answer))),
                },
                SendOutcome::Busy(turn) => inbox::answered(&ctx, turn).await.map(drop)?,
                SendOutcome::Closed => {
                    // It may have ended a moment ago.
                    let ending = ctx.get::<Json<ExecutionOutcome>>(ENDING).await?;
                    let answer = ending.map(|ending| command.too_late(&redrives, &ending.0));
                    return Ok(Json(answer));
                }
            }
        }
    }
}

async fn redrives(ctx: &SharedWorkflowContext<'_>) -> Result<Redrives, TerminalError> {
    let redrives: Option<Json<Redrives>> = ctx.get(REDRIVES).await?;
    Ok(redrives.map(Json::into_inner).unwrap_or_default())
}

/// Returns true if there is an execution, running or not.
async fn is_known(ctx: &SharedWorkflowContext<'_>) -> Result<bool, TerminalError> {
    Ok(ctx.get::<Json<ExecutionStart>>(BEGINNING).await?.is_some())
}

/// Refuses to continue with what another version of the core began: it would go another way.
fn check_version(began_with: u32) -> Result<(), HandlerError> {
    if began_with == CORE_VERSION {
        return Ok(());
    }
    Err(HandlerError::from(format!(
        "this execution started with version {began_with} of the core, and this build has version {CORE_VERSION}: run a build of \
         that version at the address of this deployment until the execution has ended"
    )))
}

pub(super) fn note_beginning(ctx: &WorkflowContext<'_>, beginning: &ExecutionStart) {
    ctx.set(BEGINNING, Json(beginning.clone()));
    put(ctx, beginning, ListEntry::new(beginning), None);
    let began = Began {
        nonce: beginning.nonce.clone(),
        start_date: beginning.start.start().now,
        input: beginning.start.input_text(),
        has_ended: false,
    };
    ctx.resolve_promise(BEGAN, Json(began));
}

/// Deletes the attempt counts of its test case after the execution can no longer be requested.
fn forget_attempts(ctx: &WorkflowContext<'_>, mocked: &MockedTestCase, retention: Duration) {
    let target = RequestTarget::object(MOCKS, &*mocked.root, "forget");
    ctx.request::<_, ()>(target, ()).send_after(retention);
}

/// Keeps how it ended, and has lists show it.
pub(super) fn note_ending(
    ctx: &WorkflowContext<'_>,
    beginning: &ExecutionStart,
    redrives: &Redrives,
    ending: &ExecutionOutcome,
) {
    let listed = ListEntry::new(beginning).redriven(redrives).ended(ending);
    put(ctx, beginning, listed, Some(ending));
    ctx.set(ENDING, Json(ending.clone()));
}

/// Has lists show where the execution is, and followers.
pub(super) fn put(
    ctx: &WorkflowContext<'_>,
    beginning: &ExecutionStart,
    listed: ListEntry,
    ending: Option<&ExecutionOutcome>,
) {
    for (key, listed) in index::by_object([listed.clone()]) {
        let target = RequestTarget::object(INDEX, key, "put_all");
        ctx.request::<_, ()>(target, Json(listed)).send();
    }
    let is_standard = beginning.start.start().state_machine_type == StateMachineType::Standard;
    if beginning.about.is_followed && is_standard {
        let target = RequestTarget::object(FEED, feed::part_of(&listed.arn), "add");
        let entry = FeedEntry::new(listed, ending);
        ctx.request::<_, ()>(target, Json(entry)).send();
    }
}

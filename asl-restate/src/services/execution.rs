//! The workflow of an execution: `run` is the execution, the other handlers are what is asked of it meanwhile and afterwards.
use super::durable::Durable;
use super::index;
use super::names::{EXECUTION, INDEX, MOCKS};
use crate::driver::Driver;
use crate::messages::{
    Began, Beginning, Described, Ending, Listed, Mocked, OpenTask, Outside, Telling,
};
use crate::node::Node;
use asl_engine::{CORE_VERSION, EffectId, ErrorOutput, JournalRecord, Timestamp};
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

// What the state of a workflow holds, and its promises.
const BEGINNING: &str = "beginning";
const ENDING: &str = "ending";
const RECORD: &str = "record-";
const BEGAN: &str = "began";
const ENDED: &str = "ended";
pub(super) const STOP: &str = "stop";

/// The key of what a task is open by.
pub(super) fn task_key(id: EffectId) -> String {
    format!("task-{}", id.0)
}

/// The key of a record; in the order of the numbers.
pub(super) fn record_key(number: u64) -> String {
    format!("{RECORD}{number:020}")
}

/// What an execution is stopped with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StopMessage {
    pub(crate) at: Timestamp,
    pub(crate) error_output: ErrorOutput,
}

/// What is said to a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TellMessage {
    pub(crate) effect: EffectId,
    pub(crate) outside: Outside,
}

/// What a history is made of: how the execution began, and all that it was told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct HistorySource {
    pub(crate) beginning: Beginning,
    pub(crate) records: Vec<JournalRecord>,
}

pub(super) struct ExecutionWorkflow(pub(super) Arc<Node>);

#[restate_sdk::workflow(name = "AslExecution")]
impl ExecutionWorkflow {
    #[handler]
    async fn run(
        &self,
        ctx: WorkflowContext<'_>,
        beginning: Json<Beginning>,
    ) -> HandlerResult<Json<Ending>> {
        let beginning = beginning.into_inner();
        check_version(beginning.core_version)?;
        let listed = Listed::new(&beginning);
        note_beginning(&ctx, &beginning, &listed);
        let program = self.0.program(&beginning.definition).await?;
        let tokens = self.0.tokens().await;
        let execution = beginning.start.clone().begin(program, Arc::clone(&tokens));
        let mocked = beginning.about.mocked.clone();
        let host = Durable::new(&ctx, Arc::clone(&self.0), tokens, beginning);
        let (outcome, execution, _) = Driver::new(execution, host).run().await?;
        let ended = (&outcome).into();
        let ending = Ending::new(ended, execution.now(), execution.event_count());
        if let Some(mocked) = mocked.filter(|mocked| mocked.root == listed.arn) {
            forget_attempts(&ctx, &mocked, self.0.retention);
        }
        note_ending(&ctx, &ending, listed);
        Ok(Json(ending))
    }

    /// Begins the execution, unless one of this name did: whose beginning it was.
    #[handler]
    async fn begin(
        &self,
        ctx: SharedWorkflowContext<'_>,
        beginning: Json<Beginning>,
    ) -> HandlerResult<Json<Began>> {
        let target = RequestTarget::workflow(EXECUTION, ctx.key(), "run");
        // Where there is one already, this is let go.
        ctx.request::<_, ()>(target, beginning).send();
        let Json(mut began) = ctx.promise::<Json<Began>>(BEGAN).await?;
        began.has_ended = ctx.get::<Json<Ending>>(ENDING).await?.is_some();
        Ok(Json(began))
    }

    #[handler]
    async fn describe(
        &self,
        ctx: SharedWorkflowContext<'_>,
    ) -> HandlerResult<Json<Option<Described>>> {
        let Some(Json(beginning)) = ctx.get::<Json<Beginning>>(BEGINNING).await? else {
            return Ok(Json(None));
        };
        let ending = ctx.get::<Json<Ending>>(ENDING).await?;
        let ending = ending.map(Json::into_inner);
        let listed = Listed::new(&beginning);
        Ok(Json(Some(Described {
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

    /// What its history is made of.
    #[handler]
    async fn history(
        &self,
        ctx: SharedWorkflowContext<'_>,
    ) -> HandlerResult<Json<Option<HistorySource>>> {
        let Some(Json(beginning)) = ctx.get::<Json<Beginning>>(BEGINNING).await? else {
            return Ok(Json(None));
        };
        let mut keys = ctx.get_keys().await?;
        keys.retain(|key| key.starts_with(RECORD));
        keys.sort_unstable();
        let mut records = Vec::with_capacity(keys.len());
        for key in keys {
            let record = ctx.get::<Json<JournalRecord>>(&key).await?;
            records.extend(record.map(Json::into_inner));
        }
        Ok(Json(Some(HistorySource { beginning, records })))
    }

    /// Says something to a task. Of several that say something at once, one is heard, and the others are told to come again.
    #[handler]
    async fn tell(
        &self,
        ctx: SharedWorkflowContext<'_>,
        message: Json<TellMessage>,
    ) -> HandlerResult<Json<Telling>> {
        let TellMessage { effect, outside } = message.into_inner();
        let Some(Json(open)) = ctx.get::<Json<OpenTask>>(&task_key(effect)).await? else {
            let is_known = ctx.get::<Json<Beginning>>(BEGINNING).await?.is_some();
            return Ok(Json(match is_known {
                true => Telling::TooLate,
                false => Telling::NoExecution,
            }));
        };
        let turn = format!("told-{}-{}", effect.0, open.sequence);
        let own = ctx.invocation_id().to_owned();
        // A promise is resolved once, by whoever comes first.
        ctx.resolve_promise(&turn, own.clone());
        let first: String = ctx.promise(&turn).await?;
        if first != own {
            return Ok(Json(match outside.what.may_be_lost() {
                true => Telling::Heard,
                false => Telling::Busy,
            }));
        }
        ctx.resolve_awakeable(&open.awakeable, Json(outside));
        Ok(Json(Telling::Heard))
    }

    /// Stops it: when it ended; nothing where there is no such execution.
    #[handler]
    async fn stop(
        &self,
        ctx: SharedWorkflowContext<'_>,
        message: Json<StopMessage>,
    ) -> HandlerResult<Json<Option<Timestamp>>> {
        let Some(Json(awakeable)) = ctx.get::<Json<String>>(STOP).await? else {
            return Ok(Json(None));
        };
        if let Some(Json(ending)) = ctx.get::<Json<Ending>>(ENDING).await? {
            return Ok(Json(Some(ending.stop_date)));
        }
        // The first is heard; where it ended meanwhile, none is.
        ctx.resolve_awakeable(&awakeable, message);
        let Json(ended) = ctx.promise::<Json<Timestamp>>(ENDED).await?;
        Ok(Json(Some(ended)))
    }
}

/// Refuses to go on with what another version of the core began: it would go another way.
fn check_version(began_with: u32) -> Result<(), HandlerError> {
    if began_with == CORE_VERSION {
        return Ok(());
    }
    Err(HandlerError::from(format!(
        "this execution began with version {began_with} of the core, and this build has version {CORE_VERSION}: run a build of \
         that version at the address of this deployment until the execution has ended"
    )))
}

fn note_beginning(ctx: &WorkflowContext<'_>, beginning: &Beginning, listed: &Listed) {
    ctx.set(BEGINNING, Json(beginning.clone()));
    put(ctx, listed);
    let began = Began {
        nonce: beginning.nonce.clone(),
        start_date: beginning.start.start().now,
        input: beginning.start.input_text(),
        has_ended: false,
    };
    ctx.resolve_promise(BEGAN, Json(began));
}

fn note_ending(ctx: &WorkflowContext<'_>, ending: &Ending, listed: Listed) {
    ctx.set(ENDING, Json(ending.clone()));
    put(ctx, &listed.ended(ending));
    ctx.resolve_promise(ENDED, Json(ending.stop_date));
}

/// Has the attempts of its test case forgotten when nobody can ask for the execution any more.
fn forget_attempts(ctx: &WorkflowContext<'_>, mocked: &Mocked, retention: Duration) {
    let target = RequestTarget::object(MOCKS, &*mocked.root, "forget");
    ctx.request::<_, ()>(target, ()).send_after(retention);
}

/// Has lists show where the execution is.
fn put(ctx: &WorkflowContext<'_>, listed: &Listed) {
    for key in index::keys_of(listed) {
        let target = RequestTarget::object(INDEX, key, "put");
        ctx.request::<_, ()>(target, Json(listed.clone())).send();
    }
}

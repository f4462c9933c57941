//! The host of an execution that Restate is: what the driver requests becomes entries of the workflow's journal.
use super::children::Children;
use super::execution::{ENDING, REDRIVES, abandoned_key, map_run_key, note_ending, put};
use super::history::{self, record_key};
use super::names::{ACTIVITY, EXECUTION, MAP_RUN, MOCKS, PERFORMER};
use super::{inbox, nested};
use crate::driver::{DurableHost, HostEvent, HostInterruption};
use crate::messages::{
    ActivityOffer, ChildAgain, ChildBeginning, Command, CommandAnswer, ExecutionOutcome,
    ExecutionStart, ExternalMessage, JsonText, KeptMapRun, ListEntry, MOST_OBJECT_BYTES,
    MockedTestCase, PerformRequest, PerformedRequest, Redrives, SealedHistory, ShardReport,
    StartMetadata, too_large,
};
use crate::node::{Node, now};
use asl_backend::CoreStart;
use asl_backend::HistoryPiece;
use asl_engine::{
    CORE_VERSION, ChildExecution, EffectId, JournalRecord, TaskError, TaskInvocation, TaskTokens,
    Timestamp,
};
use restate_sdk::context::{
    ContextSideEffects as _, DurableFuture, DurableFuturesUnordered, RequestTarget,
};
use restate_sdk::prelude::*;
use serde::Serialize;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The result of a durable future.
pub(super) enum DurableEvent {
    Performed(EffectId, Result<Json<PerformedRequest>, TerminalError>),
    Told(EffectId, Result<Json<ExternalMessage>, TerminalError>),
    /// By the number of a shard.
    Reported(u64, Result<Json<ShardReport>, TerminalError>),
    ShardEnded(u64, Result<(), TerminalError>),
    Slept(Timestamp, Result<(), TerminalError>),
    Commanded(Result<Json<Command>, TerminalError>),
}

pub(super) type PendingFuture<'ctx> =
    Pin<Box<dyn DurableFuture<Output = DurableEvent> + Send + 'ctx>>;

pub(super) struct Durable<'h, 'ctx> {
    ctx: &'h WorkflowContext<'ctx>,
    node: Arc<Node>,
    tokens: Arc<dyn TaskTokens>,
    beginning: ExecutionStart,
    arn: Arc<str>,
    /// Pending futures. Futures that are no longer needed remain, and their results are ignored.
    waiting: DurableFuturesUnordered<PendingFuture<'ctx>>,
    children: Children,
    sealed: SealedHistory,
    /// The pending event.
    happened: Option<HostEvent>,
    /// Objects to be written that are too large for Restate.
    refused: VecDeque<EffectId>,
    /// Time of the last stop of children.
    now: Timestamp,
}

impl<'h, 'ctx> Durable<'h, 'ctx> {
    /// Creates the host of an execution, whose own inbox is open.
    pub(super) fn new(
        ctx: &'h WorkflowContext<'ctx>,
        node: Arc<Node>,
        tokens: Arc<dyn TaskTokens>,
        beginning: ExecutionStart,
        command: impl DurableFuture<Output = Result<Json<Command>, TerminalError>> + Send + 'ctx,
    ) -> Self {
        let mut waiting: DurableFuturesUnordered<PendingFuture<'ctx>> =
            DurableFuturesUnordered::new();
        waiting.push(Box::pin(command.map(DurableEvent::Commanded)));
        let arn = beginning.start.start().identity.execution_arn().into();
        Self {
            ctx,
            node,
            tokens,
            beginning,
            arn,
            waiting,
            children: Children::default(),
            sealed: SealedHistory::default(),
            happened: None,
            refused: VecDeque::new(),
            now: Timestamp::default(),
        }
    }
}

impl Durable<'_, '_> {
    /// Calls the performer of an effect, and adds its result to the pending futures.
    fn call_performer(
        &mut self,
        id: EffectId,
        target: RequestTarget,
        request: impl Serialize + Send + 'static,
    ) {
        let call = self
            .ctx
            .request::<_, Json<PerformedRequest>>(target, Json(request));
        let came = call
            .call()
            .map(move |performed| DurableEvent::Performed(id, performed));
        self.waiting.push(Box::pin(came));
    }
}

/// Returns the present moment, kept in the journal.
async fn moment(ctx: &WorkflowContext<'_>) -> Result<Timestamp, TerminalError> {
    let moment = ctx.run(|| async { Ok(Json(now())) });
    Ok(moment.name("now").await?.into_inner())
}

impl DurableHost for Durable<'_, '_> {
    fn perform(&mut self, id: EffectId, request: PerformRequest) {
        if request.object_bytes() > MOST_OBJECT_BYTES {
            return self.refused.push_back(id);
        }
        let mocked = self.beginning.about.mocked.as_deref();
        let answers =
            |mocked: &&MockedTestCase| request.state_name().is_some_and(|it| mocked.answers(it));
        match mocked.filter(answers) {
            Some(mocked) => {
                let target = RequestTarget::object(MOCKS, &*mocked.root, "perform");
                let request = mocked.request(request);
                self.call_performer(id, target, request);
            }
            None => {
                let target = RequestTarget::service(PERFORMER, "perform");
                let workflow = Some(self.ctx.key().into());
                let request = PerformRequest {
                    workflow,
                    ..request
                };
                self.call_performer(id, target, request);
            }
        }
    }

    fn is_mocked(&self, state_name: &str) -> bool {
        let mocked = self.beginning.about.mocked.as_deref();
        mocked.is_some_and(|mocked| mocked.answers(state_name))
    }

    fn offer(&mut self, task: &Arc<TaskInvocation>) {
        let token = task.task_token.clone();
        let made = || self.tokens.token(&task.identity, task.id).into();
        let offer = ActivityOffer {
            execution_arn: Arc::clone(&self.arn),
            effect: task.id,
            token: token.unwrap_or_else(made),
            input: JsonText::new(&task.payload),
        };
        let target = RequestTarget::object(ACTIVITY, &task.resource.uri, "offer");
        self.ctx.request::<_, ()>(target, Json(offer)).send();
    }

    fn start_child(
        &mut self,
        child: ChildExecution,
        map_run_arn: Option<Arc<str>>,
        again: Option<ChildAgain>,
    ) {
        let id = child.id;
        let arn = child.start.identity.execution_arn();
        let key = match &again {
            Some(again) => again.key(&arn),
            None => arn.clone(),
        };
        if let Some(again) = &again {
            let target = RequestTarget::workflow(EXECUTION, &*again.key_before, "go_on_as");
            self.ctx.request::<_, ()>(target, Json(key.clone())).send();
        }
        let beginning = ExecutionStart {
            nonce: arn,
            core_version: CORE_VERSION,
            definition: self.beginning.definition.clone(),
            about: StartMetadata {
                revision: Arc::clone(&self.beginning.about.revision),
                item_count: Some(child.item_count),
                map_run_arn,
                again,
                mocked: self.beginning.about.mocked.clone(),
                is_followed: self.beginning.about.is_followed,
                ..StartMetadata::default()
            },
            start: CoreStart::Child(Box::new(child)),
        };
        self.children.add_child(ChildBeginning {
            id,
            key,
            beginning: Box::new(beginning),
        });
    }

    fn open(&mut self, id: EffectId, heard: u64) {
        let told = inbox::open::<ExternalMessage>(self.ctx, &inbox::of_task(id), heard);
        self.waiting
            .push(Box::pin(told.map(move |told| DurableEvent::Told(id, told))));
    }

    fn close(&mut self, id: EffectId, was_open: bool) {
        if was_open {
            self.ctx.clear(&inbox::of_task(id));
        }
    }

    fn abandon(&mut self, id: EffectId) {
        self.ctx.set(&abandoned_key(id), true);
        self.node.links.cancel(&self.arn, id);
    }

    fn stop_child(&mut self, id: EffectId, at: Timestamp) {
        self.now = at;
        self.children.stop(id);
    }

    fn stop_children(&mut self, at: Timestamp) {
        self.children.stop_all(self.ctx, at);
    }

    fn stop_nested(&mut self, arn: Arc<str>, at: Timestamp) {
        let target = RequestTarget::workflow(EXECUTION, &*arn, "command");
        let stop = nested::stop(&self.arn, at);
        self.ctx.request::<_, ()>(target, Json(stop)).send();
    }

    fn sleep_until(&mut self, due: Timestamp) {
        // Where it sleeps already, Restate knows until when, and this is not looked at.
        let slept = self.ctx.sleep(due.duration_since(now()));
        self.waiting.push(Box::pin(
            slept.map(move |slept| DurableEvent::Slept(due, slept)),
        ));
    }

    fn store_record(&mut self, number: u64, record: &JournalRecord) {
        self.ctx.set(&record_key(number), Json(record.clone()));
    }

    fn listen(&mut self, turn: u64) {
        let command = inbox::open::<Command>(self.ctx, inbox::OWN, turn);
        self.waiting
            .push(Box::pin(command.map(DurableEvent::Commanded)));
    }

    fn answer(&mut self, turn: u64, answer: CommandAnswer) {
        inbox::answer(self.ctx, turn, answer);
    }

    fn end(&mut self, redrives: &Redrives, ending: &ExecutionOutcome) {
        nested::report_end(self.ctx, &self.beginning, &*self.tokens, redrives, ending);
        note_ending(self.ctx, &self.beginning, redrives, ending);
    }

    fn rest(&mut self) {
        self.waiting = DurableFuturesUnordered::new();
        self.happened = None;
        self.refused.clear();
    }

    fn redrive(&mut self, redrives: &Redrives) {
        self.ctx.clear(ENDING);
        self.ctx.set(REDRIVES, Json(redrives.clone()));
        let listed = ListEntry::new(&self.beginning).redriven(redrives);
        put(self.ctx, &self.beginning, listed, None);
    }

    async fn seal(
        &mut self,
        pieces: Vec<HistoryPiece>,
        events: u64,
    ) -> Result<(), HostInterruption> {
        let sealed = history::seal(self.ctx, &mut self.sealed, pieces, events).await;
        sealed.map_err(|error| HostInterruption(error.message().to_owned()))
    }

    fn forget_records(&mut self, records: u64) {
        for number in 0..records {
            self.ctx.clear(&record_key(number));
        }
    }

    fn close_inbox(&mut self) {
        self.ctx.clear(inbox::OWN);
    }

    fn store_map_runs(&mut self, changed: Vec<KeptMapRun>, new: Vec<Arc<str>>) {
        for run in changed {
            self.ctx.set(&map_run_key(&run.arn), Json(run));
        }
        for arn in new {
            let target = RequestTarget::object(MAP_RUN, &*arn, "note");
            let execution = String::from(&*self.arn);
            self.ctx.request::<_, ()>(target, Json(execution)).send();
        }
    }

    fn threads(&self) -> Arc<Semaphore> {
        Arc::clone(&self.node.threads)
    }

    async fn next(&mut self) -> Result<HostEvent, HostInterruption> {
        loop {
            if let Some(happening) = self.happened.take() {
                return Ok(happening);
            }
            if let Some(id) = self.refused.pop_front() {
                let at = moment(self.ctx).await.unwrap_or_default();
                let error = TaskError::failed(too_large("the object"));
                return Ok(HostEvent::Performed(
                    id,
                    PerformedRequest::new(at, Err(error)),
                ));
            }
            // All that came of what happened at once goes in one order.
            let (ctx, waiting) = (self.ctx, &mut self.waiting);
            if self.children.order(ctx, waiting, self.now).await.is_err() {
                return Ok(HostEvent::Cancelled);
            }
            let Ok(next) = self.waiting.next().await else {
                return Ok(HostEvent::Cancelled);
            };
            let Some((_, came)) = next else {
                // The next command is always waited for.
                return Err(HostInterruption("nothing is pending".to_owned()));
            };
            self.apply_event(came).await;
        }
    }
}

impl Durable<'_, '_> {
    async fn apply_event(&mut self, came: DurableEvent) {
        let happening = match came {
            DurableEvent::Performed(id, Ok(Json(performed))) => HostEvent::Performed(id, performed),
            DurableEvent::Performed(id, Err(error)) => {
                let at = moment(self.ctx).await.unwrap_or_default();
                let error = TaskError::failed(format!("Restate error: {}", error.message()));
                HostEvent::Performed(id, PerformedRequest::new(at, Err(error)))
            }
            DurableEvent::Told(id, Ok(Json(outside))) => HostEvent::Told(id, outside),
            DurableEvent::Reported(shard, Ok(Json(report))) => {
                return self.reported(shard, report).await;
            }
            DurableEvent::ShardEnded(_, Ok(())) => return,
            DurableEvent::ShardEnded(shard, Err(error)) => {
                return self.handle_lost_shard(shard, &error).await;
            }
            DurableEvent::Slept(due, Ok(())) => match moment(self.ctx).await {
                Ok(now) => HostEvent::Slept {
                    due,
                    now: now.max(due),
                },
                Err(_) => HostEvent::Cancelled,
            },
            DurableEvent::Commanded(Ok(Json(command))) => HostEvent::Commanded(command),
            DurableEvent::Told(_, Err(_))
            | DurableEvent::Reported(_, Err(_))
            | DurableEvent::Slept(_, Err(_))
            | DurableEvent::Commanded(Err(_)) => HostEvent::Cancelled,
        };
        self.happened = Some(happening);
    }

    async fn reported(&mut self, shard: u64, report: ShardReport) {
        self.children.reported(shard, &report);
        let children = report.into_iter();
        self.children_ended(children.map(|child| (child.id, child.ending)))
            .await;
    }

    /// A shard was ended by Restate's own means.
    async fn handle_lost_shard(&mut self, shard: u64, error: &TerminalError) {
        let lost = self.children.remove_shard(shard).into_iter();
        self.children_ended(lost.map(|id| (id, ExecutionOutcome::lost(error.message()))))
            .await;
    }

    /// Records the end of children, with the current time: a child that requested nothing has no other time than its start.
    async fn children_ended(
        &mut self,
        children: impl Iterator<Item = (EffectId, ExecutionOutcome)>,
    ) {
        let ended: Vec<_> = children.collect();
        self.happened = Some(match moment(self.ctx).await {
            Ok(now) => {
                let at = |ending: &ExecutionOutcome| now.max(ending.stop_date);
                let ended = ended.into_iter();
                let ended = ended.map(|(id, ending)| (id, at(&ending), ending.outcome()));
                HostEvent::ChildrenEnded(ended.collect())
            }
            Err(_) => HostEvent::Cancelled,
        });
    }
}

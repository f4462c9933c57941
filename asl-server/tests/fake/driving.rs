//! Lets executions continue: each input at once, and what follows from it in other executions.
use super::kept::{
    Delivery, FakeState, FakeStore, KeptEffect, KeptExecution, KeptMapRun, Parent, StartData,
};
use super::link::Link;
use asl_backend::*;
use asl_engine::runtime::{Request, StorageTask, Task};
use asl_engine::{
    ChildExecution, Effect, EffectId, ErrorOutput, Input, PendingEffect, Step, TaskTokens as _,
};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

impl FakeState {
    /// Adds an execution, and lets it start.
    pub(super) fn start(self: &Arc<Self>, core: CoreStart, about: StartData) {
        let mut kept = self.kept();
        let arn = add(self, &mut kept, core, about);
        self.deliver(&mut kept, (arn, None));
        drop(kept);
        self.changed.notify_waiters();
    }

    /// Applies an input to an execution.
    pub(super) fn apply(self: &Arc<Self>, arn: &Arc<str>, input: Input) {
        self.deliver(&mut self.kept(), (Arc::clone(arn), Some(input)));
        self.changed.notify_waiters();
    }

    /// Applies the inputs of an effect that is still waited for; whether it is.
    pub(super) fn apply_to_effect(
        self: &Arc<Self>,
        arn: &Arc<str>,
        id: EffectId,
        inputs: impl FnOnce(&mut PendingEffect) -> Vec<Input>,
    ) -> bool {
        let mut kept = self.kept();
        let effect = kept.execution(arn).and_then(|it| it.effects.get_mut(&id));
        let Some(effect) = effect else {
            return false;
        };
        for input in inputs(&mut effect.pending) {
            self.deliver(&mut kept, (Arc::clone(arn), Some(input)));
        }
        if let Some(execution) = kept.execution(arn)
            && execution.execution.awaits(id).is_none()
        {
            execution.effects.remove(&id);
        }
        drop(kept);
        self.changed.notify_waiters();
        true
    }

    /// Gives a worker a task of an activity, if the task is still waited for.
    pub(super) fn start_task(
        self: &Arc<Self>,
        arn: &Arc<str>,
        id: EffectId,
        worker_name: Option<String>,
    ) -> Option<ActivityTask> {
        let mut task = None;
        self.apply_to_effect(arn, id, |pending| {
            task = activity_task(pending).cloned();
            vec![Input::TaskStarted { id, worker_name }]
        });
        let task = task?;
        Some(ActivityTask {
            token: self.tokens.token(&task.identity, id).into(),
            input: task.payload.to_string().into(),
        })
    }

    fn deliver(self: &Arc<Self>, kept: &mut FakeStore, first: Delivery) {
        let mut open = VecDeque::from([first]);
        while let Some((arn, input)) = open.pop_front() {
            let now = self.clock.now();
            let Some(execution) = kept.execution(&arn) else {
                continue;
            };
            let is_redrive = matches!(input, Some(Input::Redrive));
            if execution.ended.is_some() && !is_redrive {
                continue;
            }
            let KeptExecution {
                execution: core,
                map_runs,
                events,
                ..
            } = execution;
            let step = core.step_with(now, input, |event| {
                map_runs.note(&event);
                events.push(event_text(&event).into());
            });
            if is_redrive {
                kept.record_change(&arn);
            }
            self.follow_map_runs(kept, &arn);
            self.take_step(kept, &arn, step, &mut open);
        }
    }

    fn follow_map_runs(&self, kept: &mut FakeStore, arn: &Arc<str>) {
        let now = self.clock.now();
        let Some(execution) = kept.execution(arn) else {
            return;
        };
        let changes = execution.map_runs.follow(&execution.execution);
        for (run, figures) in changes.told {
            kept.map_runs.retain(|known| *known.arn != *run);
            kept.map_runs.push(KeptMapRun {
                arn: run.into(),
                execution_arn: Arc::clone(arn),
                figures,
                status: ExecutionStatus::Running,
                started: now,
                stopped: None,
            });
        }
        for (run, status) in changes.ended {
            if let Some(known) = kept.map_runs.iter_mut().find(|known| *known.arn == *run) {
                (known.status, known.stopped) = (status, Some(now));
            }
        }
    }

    fn take_step(
        self: &Arc<Self>,
        kept: &mut FakeStore,
        arn: &Arc<str>,
        step: Step,
        open: &mut VecDeque<Delivery>,
    ) {
        for id in step.cancelled {
            let execution = kept.execution(arn);
            let effect = execution.and_then(|it| it.effects.remove(&id));
            if let Some(effect) = effect {
                effect.link.cancel();
                let stop = Input::Stop(ErrorOutput::default());
                open.extend(effect.child.map(|child| (child, Some(stop))));
            }
        }
        for effect in step.effects {
            self.request(kept, arn, effect, open);
        }
        if step.yielded {
            open.push_back((Arc::clone(arn), Some(Input::TimePassed)));
        } else if let Some(wake) = step.wake {
            let (shared, arn) = (Arc::clone(self), Arc::clone(arn));
            let pause = wake.duration_since(self.clock.now());
            tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                shared.apply(&arn, Input::TimePassed);
            });
        }
        if let Some(outcome) = step.outcome {
            let now = self.clock.now();
            let Some(execution) = kept.execution(arn) else {
                return;
            };
            execution.ended = Some((outcome.clone(), now));
            let left = std::mem::take(&mut execution.effects);
            left.values().for_each(|effect| effect.link.cancel());
            let children = left.into_values().filter_map(|effect| effect.child);
            open.extend(children.map(|it| (it, Some(Input::Stop(ErrorOutput::default())))));
            if let Some(parent) = &execution.about.parent {
                let id = parent.effect;
                let ended = Input::ChildExecutionEnded { id, outcome };
                open.push_back((Arc::clone(&parent.arn), Some(ended)));
            }
            kept.record_change(arn);
        }
    }

    /// Has an effect performed.
    fn request(
        self: &Arc<Self>,
        kept: &mut FakeStore,
        arn: &Arc<str>,
        effect: Effect,
        open: &mut VecDeque<Delivery>,
    ) {
        let Some(execution) = kept.execution(arn) else {
            return;
        };
        let identity = Arc::clone(&execution.execution.start_parameters().identity);
        let (id, link) = (effect.id(), Link::new(self, &identity, effect.id()));
        let request: Option<Request> = match &effect {
            Effect::Task(task) => Some(Task::new(Arc::clone(task), link.clone()).into()),
            Effect::Storage(it) => Some(StorageTask::new(it.clone(), link.clone()).into()),
            Effect::Child(_) => None,
        };
        let child = match &effect {
            Effect::Child(child) => Some(self.add_child(kept, arn, child)),
            Effect::Task(_) | Effect::Storage(_) => None,
        };
        open.extend(child.clone().map(|child| (child, None)));
        let pending = PendingEffect::new(effect);
        let activity = activity_task(&pending).map(|task| task.resource.uri.clone());
        let kept_effect = KeptEffect {
            pending,
            link,
            child,
        };
        if let Some(execution) = kept.execution(arn) {
            execution.effects.insert(id, kept_effect);
        }
        if let Some(activity) = activity {
            let offers = kept.offers.entry(activity).or_default();
            offers.push_back((Arc::clone(arn), id));
        } else if let Some(request) = request {
            self.spawn(Arc::clone(arn), id, request);
        }
    }

    fn spawn(self: &Arc<Self>, arn: Arc<str>, id: EffectId, request: Request) {
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let Some(performer) = shared.performer.get() else {
                return;
            };
            let answer = perform(&**performer, request).await;
            shared.apply_to_effect(&arn, id, |pending| pending.record_answer(answer).collect());
        });
    }

    fn add_child(
        self: &Arc<Self>,
        kept: &mut FakeStore,
        parent: &Arc<str>,
        child: &ChildExecution,
    ) -> Arc<str> {
        let arn = child.start.identity.execution_arn();
        let of = kept.execution(parent);
        let (map_run_arn, definition) = match of {
            Some(of) => (map_run_of(&of.execution, &arn), of.about.definition),
            None => (None, DefinitionId([0; 32])),
        };
        let about = StartData {
            start_date: self.clock.now(),
            definition,
            request: None,
            parent: Some(Parent {
                arn: Arc::clone(parent),
                effect: child.id,
                map_run_arn,
                item_count: child.item_count,
            }),
        };
        add(self, kept, CoreStart::Child(Box::new(child.clone())), about)
    }
}

/// Adds an execution, in place of an earlier run of the same child.
fn add(
    shared: &Arc<FakeState>,
    kept: &mut FakeStore,
    mut core: CoreStart,
    about: StartData,
) -> Arc<str> {
    let arn: Arc<str> = core.start().identity.execution_arn().into();
    core.record_history();
    let program = kept.definitions.get(&about.definition);
    let Some((_, program)) = program else {
        return arn;
    };
    let execution = core.begin(program.clone(), Arc::clone(&shared.tokens) as _);
    kept.executions.retain(|known| known.arn != arn);
    kept.executions.push(KeptExecution {
        arn: Arc::clone(&arn),
        about: Arc::new(about),
        map_runs: FollowedMapRuns::default(),
        execution,
        effects: HashMap::new(),
        events: Vec::new(),
        ended: None,
        redriven: None,
    });
    kept.record_change(&arn);
    arn
}

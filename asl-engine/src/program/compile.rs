//! From a definition to a program: scopes first, then their states, without recursion.
use super::context_use::uses_context;
use super::state::{
    Catcher, DataPath, ErrorHandling, Literal, MapState, PassState, ResultPath, ResultProcessing,
    Retrier, ScopeIndex, StateAction, StateIndex, StateProgram, TaskState, WaitDuration,
};
use super::template::CompiledTemplate;
use super::{CompileError, Program};
use crate::execution::measure::measure;
use crate::history::{StateType, TaskResource};
use crate::{Resource, ResourceKind};
use asl_model::{
    self as model, PayloadTemplate, Profile, QueryLanguage, StateKind, StateMachine, StateName,
    States, Transition,
};
use asl_path::{Path, ReferencePath, Root};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

pub(super) fn compile(machine: &StateMachine, profile: Profile) -> Result<Program, CompileError> {
    let mut compiler = Compiler {
        profile,
        states: Vec::new(),
        scopes: Vec::new(),
        pending: VecDeque::new(),
    };
    compiler.add_scope(&machine.states);
    while let Some((scope, states)) = compiler.pending.pop_front() {
        compiler.compile_scope(scope, states, machine.query_language.unwrap_or_default())?;
    }
    Ok(Program {
        profile,
        states: compiler.states,
        scopes: compiler.scopes,
        timeout_seconds: machine.timeout_seconds,
    })
}

struct Compiler<'m> {
    profile: Profile,
    states: Vec<StateProgram>,
    scopes: Vec<StateIndex>,
    pending: VecDeque<(ScopeIndex, &'m States)>,
}

/// Where the states of the scope at hand are.
struct Targets<'m> {
    indexes: HashMap<&'m str, StateIndex>,
}

impl Targets<'_> {
    fn find(&self, from: &str, to: &StateName) -> Result<StateIndex, CompileError> {
        self.indexes
            .get(to.as_str())
            .copied()
            .ok_or_else(|| CompileError::MissingTarget {
                from: from.to_owned(),
                to: to.as_str().to_owned(),
            })
    }

    fn next(
        &self,
        from: &str,
        transition: &Transition,
    ) -> Result<Option<StateIndex>, CompileError> {
        match transition {
            Transition::Next(name) => self.find(from, name).map(Some),
            Transition::End => Ok(None),
        }
    }
}

/// What every state has besides its name, with defaults for the types that lack it.
struct Common<'m> {
    state_type: StateType,
    input_path: &'m model::DataPath,
    output_path: &'m model::DataPath,
    transition: Option<&'m Transition>,
}

const ABSENT: &model::DataPath = &model::DataPath::Absent;

impl<'m> Common<'m> {
    fn of(kind: &'m StateKind) -> Self {
        let with = |state_type, input_path, output_path, transition| Self {
            state_type,
            input_path,
            output_path,
            transition,
        };
        match kind {
            StateKind::Pass(s) => with(
                StateType::Pass,
                &s.input_path,
                &s.output_path,
                Some(&s.transition),
            ),
            StateKind::Task(s) => with(
                StateType::Task,
                &s.input_path,
                &s.output_path,
                Some(&s.transition),
            ),
            StateKind::Choice(s) => with(StateType::Choice, &s.input_path, &s.output_path, None),
            StateKind::Wait(s) => with(
                StateType::Wait,
                &s.input_path,
                &s.output_path,
                Some(&s.transition),
            ),
            StateKind::Succeed(s) => with(StateType::Succeed, &s.input_path, &s.output_path, None),
            StateKind::Fail(_) => with(StateType::Fail, ABSENT, ABSENT, None),
            StateKind::Parallel(s) => with(
                StateType::Parallel,
                &s.input_path,
                &s.output_path,
                Some(&s.transition),
            ),
            StateKind::Map(s) => with(
                StateType::Map,
                &s.input_path,
                &s.output_path,
                Some(&s.transition),
            ),
        }
    }
}

impl<'m> Compiler<'m> {
    fn add_scope(&mut self, states: &'m States) -> ScopeIndex {
        let scope = ScopeIndex(self.scopes.len() as u32);
        self.scopes.push(StateIndex(0));
        self.pending.push_back((scope, states));
        scope
    }

    fn compile_scope(
        &mut self,
        scope: ScopeIndex,
        states: &'m States,
        language: QueryLanguage,
    ) -> Result<(), CompileError> {
        let base = self.states.len();
        if base + states.states.len() > u32::MAX as usize {
            return Err(CompileError::TooManyStates(u32::MAX as usize));
        }
        let indexes = states
            .states
            .iter()
            .enumerate()
            .map(|(i, (name, _))| (name.as_str(), StateIndex((base + i) as u32)));
        let targets = Targets {
            indexes: indexes.collect(),
        };
        self.scopes[scope.0 as usize] = targets.find("StartAt", &states.start_at)?;
        for (name, state) in &states.states {
            if state.query_language.unwrap_or(language) == QueryLanguage::JSONata {
                return Err(CompileError::QueryLanguage {
                    state: name.as_str().to_owned(),
                });
            }
            let compiled = self.compile_state(name, &state.kind, &targets)?;
            self.states.push(compiled);
        }
        Ok(())
    }

    fn compile_state(
        &mut self,
        name: &StateName,
        kind: &'m StateKind,
        targets: &Targets<'_>,
    ) -> Result<StateProgram, CompileError> {
        let common = Common::of(kind);
        let next = common
            .transition
            .map(|t| targets.next(name.as_str(), t))
            .transpose()?
            .flatten();
        Ok(StateProgram {
            name: name.shared(),
            state_type: common.state_type,
            uses_context: uses_context(kind),
            input_path: data_path(common.input_path),
            output_path: data_path(common.output_path),
            next,
            action: self.compile_action(name.as_str(), kind, targets)?,
        })
    }

    fn compile_action(
        &mut self,
        name: &str,
        kind: &'m StateKind,
        targets: &Targets<'_>,
    ) -> Result<StateAction, CompileError> {
        Ok(match kind {
            StateKind::Pass(pass) => StateAction::Pass(PassState {
                parameters: template(pass.parameters.as_ref()),
                result: pass.result.as_ref().map(|value| {
                    let measured = measure(value, true);
                    Literal {
                        value: value.clone(),
                        depth: measured.depth,
                        bytes: measured.bytes,
                    }
                }),
                result_path: result_path(&pass.result_path),
            }),
            StateKind::Task(task) => {
                StateAction::Task(Box::new(self.compile_task(name, task, targets)?))
            }
            StateKind::Choice(choice) => {
                let rules = choice
                    .choices
                    .iter()
                    .map(|rule| Ok((rule.clone(), targets.find(name, &rule.next)?)));
                StateAction::Choice {
                    rules: rules.collect::<Result<_, _>>()?,
                    default: choice
                        .default
                        .as_ref()
                        .map(|to| targets.find(name, to))
                        .transpose()?,
                }
            }
            StateKind::Wait(wait) => StateAction::Wait(match &wait.duration {
                model::WaitDuration::Seconds(seconds) => WaitDuration::Seconds(*seconds),
                model::WaitDuration::SecondsPath(path) => WaitDuration::SecondsPath(path.clone()),
                model::WaitDuration::Timestamp(moment, _) => WaitDuration::Timestamp(*moment),
                model::WaitDuration::TimestampPath(path) => {
                    WaitDuration::TimestampPath(path.clone())
                }
            }),
            StateKind::Succeed(_) => StateAction::Succeed,
            StateKind::Fail(fail) => StateAction::Fail {
                error: fail.error.clone(),
                cause: fail.cause.clone(),
            },
            StateKind::Parallel(parallel) => StateAction::Parallel {
                branches: parallel
                    .branches
                    .iter()
                    .map(|branch| self.add_scope(branch))
                    .collect(),
                parameters: template(parallel.parameters.as_ref()),
                result: result_processing(parallel.result_selector.as_ref(), &parallel.result_path),
                errors: error_handling(name, &parallel.retry, &parallel.catch, targets)?,
            },
            StateKind::Map(map) => {
                StateAction::Map(Box::new(self.compile_map(name, map, targets)?))
            }
        })
    }

    fn compile_task(
        &self,
        name: &str,
        task: &model::Task,
        targets: &Targets<'_>,
    ) -> Result<TaskState, CompileError> {
        let resource = Resource::parse(&task.resource);
        let event_resource = match &resource.kind {
            ResourceKind::Integration(integration) => Some(Arc::new(TaskResource {
                resource_type: integration.service.clone(),
                resource: integration.action.clone(),
            })),
            _ => None,
        };
        let default_timeout = self
            .profile
            .default_task_timeout_seconds()
            .map(model::Whole::Number);
        let result = result_processing(task.result_selector.as_ref(), &task.result_path);
        let errors = error_handling(name, &task.retry, &task.catch, targets)?;
        Ok(TaskState {
            keeps_input: !matches!(result.path, ResultPath::Replace)
                || !errors.retriers.is_empty()
                || !errors.catchers.is_empty(),
            resource: Arc::new(resource),
            event_resource,
            parameters: template(task.parameters.as_ref()),
            credentials: template(task.credentials.as_ref()),
            timeout: task.timeout.clone().or(default_timeout),
            heartbeat: task.heartbeat.clone(),
            result,
            errors,
        })
    }

    fn compile_map(
        &mut self,
        name: &str,
        map: &'m model::Map,
        targets: &Targets<'_>,
    ) -> Result<MapState, CompileError> {
        let config = map.item_processor.processor_config;
        Ok(MapState {
            scope: self.add_scope(&map.item_processor.states),
            mode: config.and_then(|c| c.mode).unwrap_or_default(),
            execution_type: config.and_then(|c| c.execution_type),
            items_path: map.items_path.clone(),
            items_reference: map.items_path.as_ref().and_then(items_reference),
            item_selector: template(map.item_selector.as_ref()),
            item_reader_parameters: template(
                map.item_reader
                    .as_ref()
                    .and_then(|reader| reader.parameters.as_ref()),
            ),
            item_reader: map.item_reader.clone(),
            batch_input: template(
                map.item_batcher
                    .as_ref()
                    .and_then(|batcher| batcher.batch_input.as_ref()),
            ),
            item_batcher: map.item_batcher.clone(),
            result_writer_parameters: template(
                map.result_writer
                    .as_ref()
                    .and_then(|writer| writer.parameters.as_ref()),
            ),
            result_writer: map.result_writer.clone(),
            max_concurrency: map.max_concurrency.clone(),
            tolerated_failure_count: map.tolerated_failure_count.clone(),
            tolerated_failure_percentage: map.tolerated_failure_percentage.clone(),
            label: map.label.clone(),
            result: result_processing(map.result_selector.as_ref(), &map.result_path),
            errors: error_handling(name, &map.retry, &map.catch, targets)?,
        })
    }
}

fn items_reference(path: &Path) -> Option<ReferencePath> {
    matches!(path.root(), Root::Input)
        .then(|| ReferencePath::parse(path.json_path().source()).ok())
        .flatten()
}

fn template(template: Option<&PayloadTemplate>) -> Option<CompiledTemplate> {
    template.map(CompiledTemplate::new)
}

fn data_path(path: &model::DataPath) -> DataPath {
    match path {
        model::DataPath::Absent => DataPath::Whole,
        model::DataPath::Null => DataPath::Null,
        model::DataPath::Path(path) if path.is_whole_input() => DataPath::Whole,
        model::DataPath::Path(path) => DataPath::Path(path.clone()),
    }
}

fn result_path(path: &model::ResultPath) -> ResultPath {
    match path {
        model::ResultPath::Absent => ResultPath::Replace,
        model::ResultPath::Null => ResultPath::Discard,
        model::ResultPath::Path(path) if path.steps().is_empty() => ResultPath::Replace,
        model::ResultPath::Path(path) => ResultPath::Write(path.clone()),
    }
}

fn result_processing(
    selector: Option<&PayloadTemplate>,
    path: &model::ResultPath,
) -> ResultProcessing {
    ResultProcessing {
        selector: template(selector),
        path: result_path(path),
    }
}

fn error_handling(
    name: &str,
    retriers: &[model::Retrier],
    catchers: &[model::Catcher],
    targets: &Targets<'_>,
) -> Result<ErrorHandling, CompileError> {
    let catchers = catchers.iter().map(|catcher| {
        Ok(Catcher {
            error_equals: catcher.error_equals.0.clone(),
            result_path: result_path(&catcher.result_path),
            next: targets.find(name, &catcher.next)?,
        })
    });
    Ok(ErrorHandling {
        retriers: retriers.iter().map(retrier).collect(),
        catchers: catchers.collect::<Result<_, _>>()?,
    })
}

/// Defaults of the specification, Retrying after error.
fn retrier(retrier: &model::Retrier) -> Retrier {
    Retrier {
        error_equals: retrier.error_equals.0.clone(),
        interval_seconds: retrier.interval_seconds.unwrap_or(1),
        max_attempts: retrier.max_attempts.unwrap_or(3),
        backoff_rate: retrier.backoff_rate.unwrap_or(2.0),
        max_delay_seconds: retrier.max_delay_seconds,
        jitter: retrier.jitter_strategy.unwrap_or_default(),
    }
}

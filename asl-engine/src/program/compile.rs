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
    self as model, CatcherOutput, JsonPathProcessing, PayloadTemplate, Processing, Profile,
    QueryLanguage, StateKind, StateMachine, StateName, States, Transition,
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
    processing: &'m JsonPathProcessing,
    transition: Option<&'m Transition>,
}

const ABSENT: &JsonPathProcessing = &JsonPathProcessing {
    input_path: model::DataPath::Absent,
    parameters: None,
    result_selector: None,
    result_path: model::ResultPath::Absent,
    output_path: model::DataPath::Absent,
};

/// The processing of a JSONPath state: no other is compiled.
fn json_path(processing: &Processing) -> &JsonPathProcessing {
    match processing {
        Processing::JsonPath(processing) => processing,
        Processing::Jsonata(_) => ABSENT,
    }
}

impl<'m> Common<'m> {
    fn of(kind: &'m StateKind) -> Self {
        let (state_type, processing, transition) = match kind {
            StateKind::Pass(s) => (StateType::Pass, &s.processing, Some(&s.transition)),
            StateKind::Task(s) => (StateType::Task, &s.processing, Some(&s.transition)),
            StateKind::Choice(s) => (StateType::Choice, &s.processing, None),
            StateKind::Wait(s) => (StateType::Wait, &s.processing, Some(&s.transition)),
            StateKind::Succeed(s) => (StateType::Succeed, &s.processing, None),
            StateKind::Fail(_) => {
                return Self {
                    state_type: StateType::Fail,
                    processing: ABSENT,
                    transition: None,
                };
            }
            StateKind::Parallel(s) => (StateType::Parallel, &s.processing, Some(&s.transition)),
            StateKind::Map(s) => (StateType::Map, &s.processing, Some(&s.transition)),
        };
        Self {
            state_type,
            processing: json_path(processing),
            transition,
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
            let state_name = || name.as_str().to_owned();
            if state.query_language.unwrap_or(language) == QueryLanguage::JSONata {
                return Err(CompileError::QueryLanguage {
                    state: state_name(),
                });
            }
            if assigns(&state.kind) {
                return Err(CompileError::Assign {
                    state: state_name(),
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
            input_path: data_path(&common.processing.input_path),
            output_path: data_path(&common.processing.output_path),
            next,
            action: self.compile_action(name.as_str(), kind, common.processing, targets)?,
        })
    }

    fn compile_action(
        &mut self,
        name: &str,
        kind: &'m StateKind,
        processing: &JsonPathProcessing,
        targets: &Targets<'_>,
    ) -> Result<StateAction, CompileError> {
        Ok(match kind {
            StateKind::Pass(pass) => StateAction::Pass(PassState {
                parameters: template(processing.parameters.as_ref()),
                result: pass.result.as_ref().map(|value| {
                    let measured = measure(value, true);
                    Literal {
                        value: value.clone(),
                        depth: measured.depth,
                        bytes: measured.bytes,
                    }
                }),
                result_path: result_path(&processing.result_path),
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
                model::WaitDuration::SecondsExpression(_)
                | model::WaitDuration::TimestampExpression(_) => {
                    return Err(CompileError::QueryLanguage {
                        state: name.to_owned(),
                    });
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
                parameters: template(processing.parameters.as_ref()),
                result: result_processing(processing),
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
        let processing = json_path(&task.processing);
        let result = result_processing(processing);
        let errors = error_handling(name, &task.retry, &task.catch, targets)?;
        Ok(TaskState {
            keeps_input: !matches!(result.path, ResultPath::Replace)
                || !errors.retriers.is_empty()
                || !errors.catchers.is_empty(),
            resource: Arc::new(resource),
            event_resource,
            parameters: template(processing.parameters.as_ref()),
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
        let items_path = match &map.items {
            Some(model::Items::Path(path)) => Some(path),
            Some(model::Items::Template(_)) | None => None,
        };
        Ok(MapState {
            scope: self.add_scope(&map.item_processor.states),
            mode: config.and_then(|c| c.mode).unwrap_or_default(),
            execution_type: config.and_then(|c| c.execution_type),
            items_path: items_path.cloned(),
            items_reference: items_path.and_then(items_reference),
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
            result: result_processing(json_path(&map.processing)),
            errors: error_handling(name, &map.retry, &map.catch, targets)?,
        })
    }
}

/// Whether a state, a rule or a catcher of it has "Assign".
fn assigns(kind: &StateKind) -> bool {
    let caught = |catchers: &[model::Catcher]| catchers.iter().any(|c| c.assign.is_some());
    match kind {
        StateKind::Pass(s) => s.assign.is_some(),
        StateKind::Task(s) => s.assign.is_some() || caught(&s.catch),
        StateKind::Choice(s) => {
            s.assign.is_some() || s.choices.iter().any(|rule| rule.assign.is_some())
        }
        StateKind::Wait(s) => s.assign.is_some(),
        StateKind::Succeed(_) | StateKind::Fail(_) => false,
        StateKind::Parallel(s) => s.assign.is_some() || caught(&s.catch),
        StateKind::Map(s) => s.assign.is_some() || caught(&s.catch),
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

fn result_processing(processing: &JsonPathProcessing) -> ResultProcessing {
    ResultProcessing {
        selector: template(processing.result_selector.as_ref()),
        path: result_path(&processing.result_path),
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
            result_path: match &catcher.output {
                CatcherOutput::JsonPath(path) => result_path(path),
                CatcherOutput::Jsonata(_) => ResultPath::Replace,
            },
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

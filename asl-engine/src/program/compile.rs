//! From a definition to a program: scopes first, then their states, without recursion.
use super::context_use::uses_context;
use super::literal::Literal;
use super::processing::{items, processing, result_path};
use super::state::{
    Catcher, CatcherOutput, ChoiceRule, DataPath, ErrorHandling, MapState, Processing, Retrier,
    ScopeIndex, StateAction, StateIndex, StateProgram, TaskState,
};
use super::template::{CompiledAssign, template};
use super::{CompileError, Scope};
use crate::history::TaskResource;
use asl_model::{
    self as model, Assign, Profile, State, StateKind, StateMachine, StateName, States,
    TemplateNode, Transition,
};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The states of a machine and its scopes, by index.
pub(super) struct CompiledStates {
    pub(super) states: Vec<StateProgram>,
    pub(super) scopes: Vec<Scope>,
}

pub(super) fn compile(machine: &StateMachine) -> Result<CompiledStates, CompileError> {
    let mut compiler = Compiler {
        profile: machine.profile,
        states: Vec::new(),
        scopes: Vec::new(),
        pending: VecDeque::new(),
    };
    compiler.add_scope(&machine.states);
    while let Some((scope, states)) = compiler.pending.pop_front() {
        compiler.compile_scope(scope, states)?;
    }
    Ok(CompiledStates {
        states: compiler.states,
        scopes: compiler.scopes,
    })
}

struct Compiler<'m> {
    profile: Profile,
    states: Vec<StateProgram>,
    scopes: Vec<Scope>,
    pending: VecDeque<(ScopeIndex, &'m States)>,
}

/// Indexes of the states of the current scope.
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
}

impl<'m> Compiler<'m> {
    fn add_scope(&mut self, states: &'m States) -> ScopeIndex {
        let scope = ScopeIndex(self.scopes.len() as u32);
        // Both are set when its states are compiled.
        let unknown = StateIndex(0);
        self.scopes.push(Scope {
            base: unknown,
            start: unknown,
        });
        self.pending.push_back((scope, states));
        scope
    }

    fn compile_scope(&mut self, scope: ScopeIndex, states: &'m States) -> Result<(), CompileError> {
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
        self.scopes[scope.0 as usize] = Scope {
            base: StateIndex(base as u32),
            start: targets.find("StartAt", &states.start_at)?,
        };
        for (name, state) in &states.states {
            let compiled = self.compile_state(name, state, &targets)?;
            self.states.push(compiled);
        }
        Ok(())
    }

    fn compile_state(
        &mut self,
        name: &StateName,
        state: &'m State,
        targets: &Targets<'_>,
    ) -> Result<StateProgram, CompileError> {
        let next = match &state.transition {
            Some(Transition::Next(to)) => Some(targets.find(name.as_str(), to)?),
            Some(Transition::End) | None => None,
        };
        let processing = processing(&state.processing);
        let assign = assign(state.assign.as_ref());
        let errors = error_handling(name.as_str(), state, targets)?;
        let action = match &state.kind {
            StateKind::Pass(pass) => StateAction::Pass(pass.result.as_ref().map(Literal::new)),
            StateKind::Task(task) => {
                StateAction::Task(Box::new(self.compile_task(task, state, errors)))
            }
            StateKind::Choice(choice) => compile_choice(name.as_str(), choice, targets)?,
            StateKind::Wait(wait) => StateAction::Wait(wait.duration.clone()),
            StateKind::Succeed => StateAction::Succeed,
            StateKind::Fail(fail) => StateAction::Fail {
                error: fail.error.clone(),
                cause: fail.cause.clone(),
            },
            StateKind::Parallel(parallel) => {
                let branches = parallel.branches.iter();
                let branches = branches.map(|branch| self.add_scope(branch)).collect();
                StateAction::Parallel { branches, errors }
            }
            StateKind::Map(map) => StateAction::Map(Box::new(self.compile_map(map, errors))),
        };
        Ok(StateProgram {
            name: name.shared(),
            state_type: state.state_type(),
            is_plain: is_plain(&processing, assign.as_ref()),
            uses_context: uses_context(state),
            processing,
            assign,
            next,
            action,
        })
    }

    fn compile_task(&self, task: &model::Task, state: &State, errors: ErrorHandling) -> TaskState {
        let integration = task.resource.integration();
        let path_markers = match &state.processing {
            model::Processing::JsonPath(processing) if integration.is_some() => {
                path_markers(processing.parameters.as_ref())
            }
            _ => Vec::new(),
        };
        let event_resource = integration.map(|integration| {
            Arc::new(TaskResource {
                resource_type: integration.service.clone(),
                resource: integration.action.clone(),
            })
        });
        let default_timeout = self
            .profile
            .default_task_timeout_seconds()
            .map(model::Whole::Number);
        TaskState {
            resource: Arc::new(task.resource.clone()),
            event_resource,
            credentials: template(task.credentials.as_ref()),
            path_markers,
            timeout: task.timeout.clone().or(default_timeout),
            heartbeat: task.heartbeat.clone(),
            errors,
        }
    }

    fn compile_map(&mut self, map: &'m model::Map, errors: ErrorHandling) -> MapState {
        let config = map.item_processor.processor_config;
        MapState {
            scope: self.add_scope(&map.item_processor.states),
            mode: config.and_then(|c| c.mode).unwrap_or_default(),
            execution_type: config.and_then(|c| c.execution_type),
            items: map.items.as_ref().map(items),
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
            errors,
        }
    }
}

fn compile_choice(
    name: &str,
    choice: &model::Choice,
    targets: &Targets<'_>,
) -> Result<StateAction, CompileError> {
    let rules = choice.choices.iter();
    let rules = rules.map(|rule| choice_rule(name, rule, targets));
    let default = choice.default.as_ref();
    Ok(StateAction::Choice {
        rules: rules.collect::<Result<_, _>>()?,
        default: default.map(|to| targets.find(name, to)).transpose()?,
    })
}

fn choice_rule(
    name: &str,
    rule: &model::ChoiceRule,
    targets: &Targets<'_>,
) -> Result<ChoiceRule, CompileError> {
    Ok(ChoiceRule {
        rule: rule.rule.clone(),
        next: targets.find(name, &rule.next)?,
        assign: assign(rule.assign.as_ref()),
        output: template(rule.output.as_ref()),
    })
}

fn assign(assign: Option<&Assign>) -> Option<CompiledAssign> {
    assign.map(CompiledAssign::new)
}

fn error_handling(
    name: &str,
    state: &State,
    targets: &Targets<'_>,
) -> Result<ErrorHandling, CompileError> {
    let catchers = state.catch.iter().map(|catcher| {
        Ok(Catcher {
            error_equals: catcher.error_equals.0.clone(),
            output: match &catcher.output {
                model::CatcherOutput::JsonPath(path) => CatcherOutput::JsonPath(result_path(path)),
                model::CatcherOutput::Jsonata(output) => {
                    CatcherOutput::Jsonata(template(output.as_ref()))
                }
            },
            assign: assign(catcher.assign.as_ref()),
            next: targets.find(name, &catcher.next)?,
        })
    });
    Ok(ErrorHandling {
        retriers: state.retry.iter().map(retrier).collect(),
        catchers: catchers.collect::<Result<_, _>>()?,
    })
}

/// Defaults (2024 specification, Retrying after error).
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

/// Returns true if a state has neither InputPath nor OutputPath nor Assign.
fn is_plain(processing: &Processing, assign: Option<&CompiledAssign>) -> bool {
    let has_no_paths = match processing {
        Processing::JsonPath(processing) => {
            matches!(processing.input_path, DataPath::Whole)
                && matches!(processing.output_path, DataPath::Whole)
        }
        Processing::Jsonata(_) => true,
    };
    has_no_paths && assign.is_none()
}

/// Returns the names in a Payload Template that end in `.$` still when their own suffix is gone.
fn path_markers(template: Option<&model::PayloadTemplate>) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Vec<&TemplateNode> = template
        .map(|template| &template.root)
        .into_iter()
        .collect();
    while let Some(node) = open.pop() {
        match node {
            TemplateNode::Object(fields) => {
                let marked = fields.iter().filter(|field| field.name.ends_with(".$"));
                names.extend(marked.map(|field| field.name.clone()));
                open.extend(fields.iter().map(|field| &field.value));
            }
            TemplateNode::Array(items) => open.extend(items),
            _ => {}
        }
    }
    names
}

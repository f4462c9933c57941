//! The position of a flow in its state.
use super::children::SavedChildren;
use super::damage::{DamageContext as _, Read, ensure};
use super::error::{SavedError, SavedResult};
use super::flow_parts::FlowParts;
use super::restoring::{RestoreContext, SavedTimer};
use super::task::SavedTask;
use super::values::ValueTable;
use crate::execution::machine::{Broken, Phase, Resumption, TimerOwner};
use crate::program::{StateAction, StateProgram};
use serde::{Deserialize, Serialize};

/// The position of a flow in its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedPhase {
    Entering,
    Attempting,
    Waiting(SavedTimer),
    Waited,
    Task(Box<SavedTask>),
    Retrying(SavedTimer),
    Children(SavedChildren),
    Settled(Box<SavedResult>),
    Broken(Box<SavedBroken>),
    Interrupted(SavedResumption),
}

/// A state that one of its children failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedBroken {
    error: SavedError,
    children: SavedChildren,
}

/// Point from which a redrive continues a flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedResumption {
    Enter,
    Attempt,
    Children(SavedChildren),
}

impl SavedPhase {
    pub(super) fn new(phase: &Phase, table: &mut ValueTable) -> Self {
        match phase {
            Phase::Entering => Self::Entering,
            Phase::Attempting => Self::Attempting,
            Phase::Waiting(timer) => Self::Waiting((*timer).into()),
            Phase::Waited => Self::Waited,
            Phase::Task(task) => Self::Task(Box::new(SavedTask::new(task, table))),
            Phase::Retrying(timer) => Self::Retrying((*timer).into()),
            Phase::Parallel(branches) => Self::Children(SavedChildren::from_branches(branches)),
            Phase::Map(iterations) => {
                Self::Children(SavedChildren::from_iterations(iterations, table))
            }
            Phase::DistributedMap(map) => Self::Children(SavedChildren::from_map_run(map, table)),
            Phase::Succeeded(result) => {
                let result = SavedResult::Succeeded(table.shared(&result.value));
                Self::Settled(Box::new(result))
            }
            Phase::Failed(error) => {
                Self::Settled(Box::new(SavedResult::Failed(SavedError::new(error))))
            }
            Phase::Broken(broken) => Self::from_broken(broken, table),
            Phase::Interrupted(resumption) => {
                Self::Interrupted(SavedResumption::new(resumption, table))
            }
        }
    }

    fn from_broken(Broken { error, children }: &Broken, table: &mut ValueTable) -> Self {
        let error = SavedError::new(error);
        match SavedChildren::from_phase(children, table) {
            Some(children) => Self::Broken(Box::new(SavedBroken { error, children })),
            // Only states that have children are broken; without, it is a state that failed.
            None => Self::Settled(Box::new(SavedResult::Failed(error))),
        }
    }

    pub(super) fn phase(self, parts: &FlowParts<'_>, save: &mut RestoreContext<'_>) -> Read<Phase> {
        let owner = TimerOwner::Flow(parts.id);
        match self {
            Self::Entering => Ok(Phase::Entering),
            Self::Attempting => Ok(Phase::Attempting),
            Self::Waiting(timer) => {
                check_wait(parts)?;
                Ok(Phase::Waiting(save.claim_timer(timer, owner)?))
            }
            Self::Waited => {
                check_wait(parts)?;
                Ok(Phase::Waited)
            }
            Self::Task(task) => Ok(Phase::Task(task.task(parts, save).within("task")?)),
            Self::Retrying(timer) => {
                let retriers = parts.state.error_handling();
                let has_some = retriers.is_some_and(|errors| !errors.retriers.is_empty());
                ensure(has_some, "a state with retriers", &parts.state.name)?;
                Ok(Phase::Retrying(save.claim_timer(timer, owner)?))
            }
            Self::Children(children) => children.phase(parts, save, true),
            Self::Settled(result) => match result.result(&mut save.values).within("settled")? {
                Ok(result) => {
                    check_result(parts)?;
                    Ok(Phase::Succeeded(result.into()))
                }
                Err(error) => Ok(Phase::Failed(error)),
            },
            Self::Broken(broken) => {
                let children = broken.children.phase(parts, save, false);
                Ok(Phase::Broken(Box::new(Broken {
                    error: broken.error.error(),
                    children: children.within("broken")?,
                })))
            }
            Self::Interrupted(resumption) => {
                let resumption = resumption.resumption(parts, save);
                Ok(Phase::Interrupted(resumption.within("interrupted")?))
            }
        }
    }
}

impl SavedResumption {
    fn new(resumption: &Resumption, table: &mut ValueTable) -> Self {
        match resumption {
            Resumption::Enter => Self::Enter,
            Resumption::Attempt => Self::Attempt,
            Resumption::Children(phase) => match SavedChildren::from_phase(phase, table) {
                Some(children) => Self::Children(children),
                None => Self::Attempt,
            },
        }
    }

    fn resumption(self, parts: &FlowParts<'_>, save: &mut RestoreContext<'_>) -> Read<Resumption> {
        Ok(match self {
            Self::Enter => Resumption::Enter,
            Self::Attempt => Resumption::Attempt,
            Self::Children(children) => {
                Resumption::Children(Box::new(children.phase(parts, save, false)?))
            }
        })
    }
}

fn check_wait(parts: &FlowParts<'_>) -> Read<()> {
    match parts.state.action {
        StateAction::Wait(_) => Ok(()),
        _ => Err(parts.not_of("a Wait State")),
    }
}

fn check_result(parts: &FlowParts<'_>) -> Read<()> {
    let StateProgram { action, .. } = parts.state;
    match action {
        StateAction::Task(_) | StateAction::Parallel { .. } | StateAction::Map(_) => Ok(()),
        _ => Err(parts.not_of("a Task, Parallel or Map State")),
    }
}

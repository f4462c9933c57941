//! Parts of an execution: flows and their phases, events, timers, effects, variables, and errors of states. This module
//! knows no state type.

mod context;
mod effects;
mod end;
pub(crate) mod error_handling;
mod events;
mod flow;
mod ids;
mod kernel;
mod limits;
mod phase;
mod queue;
mod random;
mod scope;
mod timers;
mod turn;
mod turn_budget;
mod visible;
mod weighing;

pub(crate) use effects::Effects;
pub(crate) use end::deadline;
pub(crate) use flow::{Flow, Flows};
pub(crate) use ids::{FlowId, Owner};
pub(crate) use kernel::Machine;
pub(crate) use limits::check_data;
pub(crate) use phase::{
    Broken, ChildInputs, DistributedMap, Heartbeat, ItemSource, MapIterations, MapRun,
    ParallelBranches, PendingTask, Phase, ResultExport, Resumption, RunningChild, Stage,
    TaskTimers,
};
pub use phase::{MapRunCounts, TaskProgress};
pub(crate) use queue::Queue;
pub(crate) use random::Random;
pub(crate) use scope::ScopeVariables;
pub(crate) use timers::{Timer, TimerOwner, Timers};
pub(crate) use turn::{Next, StepResult, Turn, place};
pub(crate) use turn_budget::TurnBudget;
pub use turn_budget::TurnLimits;
pub(crate) use weighing::FLOW;

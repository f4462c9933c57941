//! The data that flows between states: JSON, how large it is, and who owns it. Knows no state and no execution.

mod items;
mod measure;
mod memory;
mod release;
mod state_data;
mod weight;

pub(crate) use items::{ItemStep, Items, MapItem, item_steps};
pub(crate) use measure::{Excess, Measure, measure, measure_and_weigh_exactly};
pub(crate) use memory::{Memory, OutOfMemory, SHARE};
pub(crate) use release::{cut, cut_measured};
pub(crate) use state_data::{Data, SharedData};
pub(crate) use weight::{VALUE, weigh, weigh_text};

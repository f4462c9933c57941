//! The data that flows between states: JSON, how large it is, and who owns it. Knows no state and no execution.

mod items;
mod measure;
mod state_data;

pub(crate) use items::{ItemStep, Items, MapItem, item_steps};
pub(crate) use measure::{Excess, Measure, measure};
pub(crate) use state_data::{Data, SharedData};

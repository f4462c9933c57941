//! The data that flows between states: JSON, how large it is, and who owns it. Knows no state and no execution.

mod items;
mod measure;
mod state_data;

pub(crate) use items::{Items, MapItem, Place, places};
pub(crate) use measure::{Excess, Measure, measure};
pub(crate) use state_data::{Data, SharedData};

//! The core, held to the specification and to its invariants without a runtime: every test drives executions by
//! hand on a virtual clock.

mod aborted;
mod actions;
mod case;
mod catch;
mod choice;
mod context_object;
mod damage;
mod data_in_place;
mod deep_data;
mod distributed_map;
mod fail;
mod history;
mod host;
mod input_output;
mod inspection;
mod invariants;
mod journal;
mod jsonata;
mod jsonata_errors;
mod limits;
mod map;
mod memory;
mod parallel;
mod redrive;
mod restoring;
mod resume;
mod retry;
mod samples;
mod save_formats;
mod saves;
mod saving;
mod sharing;
mod task;
mod variables;
mod wait;

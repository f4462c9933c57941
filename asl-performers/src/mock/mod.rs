//! Mocked tasks: the `MockConfigFile.json` of AWS Step Functions Local.
//!
//! ```json
//! {
//!   "StateMachines": {"Orders": {"TestCases": {"HappyPath": {"Charge": "ChargeOnRetry"}}}},
//!   "MockedResponses": {"ChargeOnRetry": {
//!     "0-1": {"Throw": {"Error": "Card.Busy", "Cause": "try again"}},
//!     "2": {"Return": {"receipt": 17}}
//!   }}
//! }
//! ```
mod configuration;
mod handler;

pub use configuration::{MockConfiguration, MockConfigurationError};
pub use handler::MockHandler;

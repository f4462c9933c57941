//! A generator of definitions for tests and fuzzing (feature `generate`): every state type with all of its fields, in
//! both query languages, nested; data that they can use; JSONata expressions of every construct.
//!
//! Every decision is read from a [`Tape`]. Definitions are accepted ([`broken_definition`] makes the others), every state can be
//! reached, and most executions come far: paths find something, results lie next to the data. On a surprise, they do not.
//!
//! ```
//! use asl_model::generate::{Languages, Tape, definition, input};
//! let mut tape = Tape::endless(b"any bytes");
//! let definition = definition(&mut tape, Languages::Both);
//! assert!(asl_model::parse_value(&definition, asl_model::Options::default()).is_ok());
//! let input = input(&mut tape);
//! # let _ = input;
//! ```

mod change;
mod choice_rules;
mod error_handling;
pub mod expression;
mod json_path;
mod jsonata;
mod map;
mod scope;
mod setting;
mod states;
mod tape;
#[cfg(test)]
mod tests;
mod values;

pub use change::broken_definition;
pub use setting::Languages;
pub use tape::Tape;
pub use values::{input, value};

use serde_json::{Value, json};

/// A definition that is accepted.
pub fn definition(tape: &mut Tape<'_>, languages: Languages) -> Value {
    let mut definition = scope::Generator::new(tape, languages).scope(0);
    if languages == Languages::Jsonata {
        definition["QueryLanguage"] = "JSONata".into();
    } else if tape.one_in(8) {
        definition["QueryLanguage"] = "JSONPath".into();
    }
    if tape.one_in(6) {
        definition["TimeoutSeconds"] = json!(1 + tape.below(200));
    }
    if tape.one_in(6) {
        definition["Comment"] = values::text(tape).into();
    }
    definition
}

/// A definition that is accepted, of any languages.
pub fn any_definition(tape: &mut Tape<'_>) -> Value {
    let languages = tape.pick(&[Languages::JsonPath, Languages::Both, Languages::Jsonata]);
    definition(tape, languages)
}

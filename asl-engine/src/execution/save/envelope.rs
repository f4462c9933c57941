//! The envelope of every save, in any format: enough to decide whether the rest can be read.
use super::SavedExecution;
use super::machine::SavedMachine;
use crate::execution::version::SAVE_FORMAT;
use serde::de::{self, IgnoredAny, MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A save as it is written. It is read by hand, so that one of another format is known as such.
#[derive(Serialize)]
#[serde(rename = "SavedExecution")]
pub(super) struct Envelope<'s> {
    pub(super) format: u32,
    pub(super) core: u32,
    #[serde(with = "crate::saved::word")]
    pub(super) program: u64,
    pub(super) token_key: Option<&'s str>,
    pub(super) machine: &'s SavedMachine,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Format,
    Core,
    Program,
    TokenKey,
    Machine,
    #[serde(other)]
    Other,
}

const FIELDS: &[&str] = &["format", "core", "program", "token_key", "machine"];

/// A fingerprint, as [`crate::saved::word`] writes it.
#[derive(Deserialize)]
struct Fingerprint(#[serde(with = "crate::saved::word")] u64);

impl<'de> Deserialize<'de> for SavedExecution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("SavedExecution", FIELDS, EnvelopeVisitor)
    }
}

struct EnvelopeVisitor;

/// Parts read so far.
#[derive(Default)]
struct EnvelopeParts {
    format: Option<u32>,
    core: Option<u32>,
    program: Option<u64>,
    token_key: Option<String>,
    machine: Option<Box<SavedMachine>>,
}

impl EnvelopeParts {
    /// Returns true if what follows is of another format, whose fields may be anything.
    fn is_other(&self) -> bool {
        self.format.is_some_and(|format| format != SAVE_FORMAT)
    }

    fn save<E: de::Error>(self) -> Result<SavedExecution, E> {
        let format = self.format.ok_or_else(|| E::missing_field("format"))?;
        if format != SAVE_FORMAT {
            return Ok(SavedExecution {
                format,
                core: self.core.unwrap_or_default(),
                program: self.program.unwrap_or_default(),
                token_key: self.token_key,
                machine: None,
            });
        }
        Ok(SavedExecution {
            format,
            core: self.core.ok_or_else(|| E::missing_field("core"))?,
            program: self.program.ok_or_else(|| E::missing_field("program"))?,
            token_key: self.token_key,
            machine: Some(self.machine.ok_or_else(|| E::missing_field("machine"))?),
        })
    }
}

impl<'de> de::Visitor<'de> for EnvelopeVisitor {
    type Value = SavedExecution;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a saved execution")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SavedExecution, A::Error> {
        let mut parts = EnvelopeParts::default();
        while let Some(field) = map.next_key()? {
            match field {
                Field::Format => parts.format = Some(map.next_value()?),
                _ if parts.is_other() => drop(map.next_value::<IgnoredAny>()?),
                Field::Core => parts.core = Some(map.next_value()?),
                Field::Program => parts.program = Some(map.next_value::<Fingerprint>()?.0),
                Field::TokenKey => parts.token_key = map.next_value()?,
                Field::Machine => parts.machine = Some(map.next_value()?),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        parts.save()
    }

    /// Of formats that leave names out.
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<SavedExecution, A::Error> {
        let mut parts = EnvelopeParts {
            format: sequence.next_element()?,
            ..EnvelopeParts::default()
        };
        if parts.is_other() {
            while sequence.next_element::<IgnoredAny>()?.is_some() {}
            return parts.save();
        }
        parts.core = sequence.next_element()?;
        parts.program = sequence.next_element::<Fingerprint>()?.map(|it| it.0);
        parts.token_key = sequence.next_element()?.flatten();
        parts.machine = sequence.next_element()?;
        parts.save()
    }
}

//! `--substitute NAME=VALUE` and `--substitutions FILE`: what stands for `${NAME}` in a definition.
use crate::arguments::Substitutions as Arguments;
use crate::definition::Definition;
use crate::exit::Failure;
use crate::source::Source;
use crate::terminal::{self, WARNING};
use asl_model::Options;
use asl_path::json::described;
use asl_template::{FileSystem, ReadOptions};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The values of placeholders, by name.
#[derive(Debug, Default)]
pub(crate) struct Substitutions {
    values: BTreeMap<String, String>,
    given: asl_template::Substitutions,
    /// Those given one by one.
    named: BTreeSet<String>,
    /// Allows templates to name files outside of their repository.
    reads_anywhere: bool,
}

impl Substitutions {
    /// Reads what the arguments name; a value that is given by itself wins over the file's.
    pub(crate) fn read(arguments: &Arguments) -> Result<Self, Failure> {
        Self::read_with_defaults(arguments, &[])
    }

    /// Reads what the arguments name, and uses `defaults` for the other names.
    pub(crate) fn read_with_defaults(
        arguments: &Arguments,
        defaults: &[(&str, &str)],
    ) -> Result<Self, Failure> {
        let defaults = defaults.iter();
        let mut values: BTreeMap<String, String> = defaults
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        if let Some(path) = &arguments.file {
            values.extend(from_file(path)?);
        }
        let mut named = BTreeSet::new();
        for argument in &arguments.values {
            let Some((name, value)) = argument
                .split_once('=')
                .filter(|(name, _)| !name.is_empty())
            else {
                return Err(Failure::new(format!(
                    "--substitute '{argument}' is not NAME=VALUE"
                )));
            };
            values.insert(name.to_owned(), value.to_owned());
            named.insert(name.to_owned());
        }
        Ok(Self {
            given: values.clone().into_iter().collect(),
            values,
            named,
            reads_anywhere: arguments.files_anywhere,
        })
    }

    /// By which files are read.
    pub(crate) fn reading(&self) -> ReadOptions<'_> {
        ReadOptions::new(&FileSystem, &self.given).anywhere(self.reads_anywhere)
    }

    /// The values that definitions had placeholders for.
    pub(crate) fn into_used(self) -> BTreeMap<String, String> {
        let used = self.given.used();
        let values = self.values.into_iter();
        values.filter(|(name, _)| used.contains(name)).collect()
    }

    /// Reports which of the values given one by one were needed nowhere.
    pub(crate) fn warn_of_unused(&self) {
        for name in self.named.difference(&self.given.used()) {
            terminal::error_line(&format!(
                "{WARNING}warning:{WARNING:#} --substitute {name}: the definition has no ${{{name}}}"
            ));
        }
    }
}

/// Reads the definition of a command that has one: with its placeholders replaced, and warned of values that it did not need.
pub(crate) fn read_definition(
    arguments: &Arguments,
    argument: &str,
) -> Result<Definition, Failure> {
    let substitutions = Substitutions::read(arguments)?;
    let definition = Definition::read(&substitutions, argument)?;
    substitutions.warn_of_unused();
    Ok(definition)
}

/// Returns an object in JSON or YAML, else lines of NAME=VALUE.
fn from_file(path: &str) -> Result<BTreeMap<String, String>, Failure> {
    let source = Source::read(path)?;
    if path.ends_with(".env") || path.ends_with(".properties") {
        return from_lines(&source);
    }
    let value = asl_model::value_from_text(&source.text, Options::default()).map_err(|faults| {
        let faults: Vec<&str> = faults.iter().map(|fault| &*fault.message).collect();
        Failure::new(format!(
            "{path} is neither JSON nor YAML: {}",
            faults.join(", ")
        ))
    })?;
    match value {
        Value::Object(fields) => Ok(fields
            .into_iter()
            .map(|(name, value)| (name, written(value)))
            .collect()),
        // `NAME=VALUE` alone is text in YAML.
        Value::String(_) => from_lines(&source),
        Value::Null => Ok(BTreeMap::new()),
        other => Err(Failure::new(format!(
            "{path} must be an object with a field for each placeholder, not {}",
            described(&other)
        ))),
    }
}

/// As it is put into a definition: a text unchanged, anything else as JSON.
fn written(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Lines of a `.env` file: `NAME=VALUE`, perhaps with `export` before and quotes around; `#` begins a comment.
fn from_lines(source: &Source) -> Result<BTreeMap<String, String>, Failure> {
    let mut values = BTreeMap::new();
    for (number, line) in source.text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let assignment = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = assignment.split_once('=') else {
            return Err(Failure::new(format!(
                "{}, line {}: expected NAME=VALUE, found {line:?}",
                source.name,
                number + 1
            )));
        };
        values.insert(name.trim().to_owned(), unquoted(value.trim()));
    }
    Ok(values)
}

fn unquoted(value: &str) -> String {
    for quote in ['"', '\''] {
        let inner = value.strip_prefix(quote);
        if let Some((inner, _)) = inner.and_then(|rest| rest.split_once(quote)) {
            return inner.to_owned();
        }
    }
    match value.split_once(" #") {
        Some((value, _)) => value.trim_end().to_owned(),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_in_the_text() {
        let known = [("A", "1"), ("AWS::Region", "eu-west-1"), ("B", "${A}")];
        let given = asl_template::Substitutions::from_iter(known);
        for (text, expected) in [
            (r#"{"Seconds": ${A}}"#, r#"{"Seconds": 1}"#),
            ("arn:${AWS::Region}:${ A }", "arn:eu-west-1:1"),
            ("${B} ${C} ${} ${A", "${A} ${C} ${} ${A"),
            ("é${A}é", "é1é"),
            ("${${A}}", "${1}"),
        ] {
            let reading = ReadOptions::new(&FileSystem, &given);
            let contents = asl_template::read_file(asl_template::File::new("f", text), &reading);
            let found = contents.machine(None).unwrap();
            assert_eq!(found.definition().unwrap().as_str(), expected, "{text}");
        }
    }

    #[test]
    fn lines_are_assignments() {
        let text = "# why\nA=1\n\nexport B = \"x # y\" # z\nC='it'\nD=a=b # c\nE=\n";
        let source = Source {
            name: "x.env".to_owned(),
            text: text.to_owned(),
            begins_with_mark: false,
        };
        let read = from_lines(&source).ok().unwrap();
        let read: Vec<(&str, &str)> = read
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let expected = [
            ("A", "1"),
            ("B", "x # y"),
            ("C", "it"),
            ("D", "a=b"),
            ("E", ""),
        ];
        assert_eq!(read, expected);
        let source = Source {
            text: "A=1\nB".to_owned(),
            ..source
        };
        let Err(Failure(message)) = from_lines(&source) else {
            panic!("accepted")
        };
        assert_eq!(message, "x.env, line 2: expected NAME=VALUE, found \"B\"");
    }
}

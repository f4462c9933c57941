//! Text or JSON in, a definition or its diagnostics out.
use crate::advice::texts::{Slip, slip_in_json, slip_in_yaml};
use crate::order::Order;
use crate::text::{Duplicate, ReadOptions, Tags, TextError, Tree, UnquotedPlaceholders};
use crate::{
    Diagnostic, DiagnosticRule, Diagnostics, Location, Position, Profile, Severity, StateMachine,
    StateMachineType, read, text,
};
use asl_path::json::{self, TooDeep, service_fault};
use serde_json::Value;

/// Options for parsing and validation. Stack use depends on the nesting limits, not on the definition; the defaults fit into
/// 2 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The profile.
    pub profile: Profile,
    /// Type of the state machine.
    pub state_machine_type: StateMachineType,
    /// Valid resources of Task States.
    pub resources: ResourceNames,
    /// The meaning of `${Name}`.
    pub placeholders: Placeholders,
    /// The syntax of a text that starts with a brace.
    pub syntax: Syntax,
    /// Levels of arrays and objects allowed in the text.
    pub max_depth: usize,
    /// Scopes of states allowed within each other; a machine alone has one.
    pub max_nesting: usize,
    /// Bytes of the text that aliases of YAML may repeat, about.
    pub max_repeated: usize,
}

asl_path::with_methods! {
    impl Options {
        with_profile(profile: Profile),
        with_state_machine_type(state_machine_type: StateMachineType),
        with_resources(resources: ResourceNames),
        with_placeholders(placeholders: Placeholders),
        with_syntax(syntax: Syntax),
        with_max_depth(max_depth: usize),
        with_max_nesting(max_nesting: usize),
        with_max_repeated(max_repeated: usize),
    }
}

/// Rules for the values of "Resource" in a Task State.
///
/// ```
/// use asl_model::{Options, ResourceNames, parse};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "charge-card", "End": true}}}"#;
/// let known = Options::embedded().with_resources(ResourceNames::Known);
/// assert!(parse(text, Options::embedded()).is_ok());
/// assert!(parse(text, known).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ResourceNames {
    /// Resources of the profile: ARNs of the service, or any URI by the specification.
    #[default]
    Known,
    /// Any URI or plain name: those of a program's own task handlers, for definitions that only this program runs.
    Any,
}

/// The meaning of `${Name}` in a string or in place of a JSON value. Tools replace these placeholders before they deploy a
/// definition.
///
/// ```
/// use asl_model::{Options, Placeholders, parse};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": "${Delay}", "End": true}}}"#;
/// let to_be_run = Options::default().with_placeholders(Placeholders::Left);
/// assert!(parse(text, Options::default()).is_ok());
/// let faults = parse(text, to_be_run).unwrap_err();
/// assert!(faults.to_string().starts_with("SCHEMA_VALIDATION_FAILED: the placeholder '${Delay}' was not replaced"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Placeholders {
    /// A placeholder is replaced later, so any value can take its place.
    #[default]
    ToBeReplaced,
    /// The definition is to be run with the remaining placeholders: an error where a placeholder decides something, elsewhere
    /// a warning for each name.
    Left,
}

/// The syntax of a text that starts with a brace. Other texts are YAML.
///
/// ```
/// use asl_model::{Options, Syntax, parse};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"},}}"#;
/// assert!(parse(text, Options::default()).is_err());
/// assert!(parse(text, Options::default().with_syntax(Syntax::Yaml)).is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Syntax {
    /// JSON, as the service's API takes it.
    #[default]
    Guessed,
    /// YAML, which can look similar to JSON: for files with a YAML extension, and for texts that CloudFormation cannot read
    /// as JSON.
    Yaml,
    /// YAML 1.1, by which CloudFormation reads templates and the files that they name; JSON begins with a brace there too.
    CloudFormation,
    /// JSON only, as in the service's API. A text that is not JSON is refused in the words of the service's parser.
    ///
    /// ```
    /// use asl_model::{Options, Syntax, validate};
    /// let options = Options::default().with_syntax(Syntax::Json);
    /// let found = validate("StartAt: A", options);
    /// let fault = found.iter().next().unwrap();
    /// assert!(fault.message.starts_with("Unrecognized token 'StartAt': was expecting"));
    /// assert_eq!(fault.location.as_str(), "[Source: (String)\"StartAt: A\"; line: 1, column: 8]");
    /// ```
    Json,
}

impl Options {
    /// Returns the options for definitions that only this program runs: the rules of the service, and any URI or plain name
    /// as the "Resource" of a task. The default options are those of the service alone.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "charge-card", "End": true}}}"#;
    /// assert!(parse(text, Options::embedded()).is_ok());
    /// assert!(parse(text, Options::default()).is_err());
    /// ```
    pub fn embedded() -> Self {
        Self {
            resources: ResourceNames::Any,
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            state_machine_type: StateMachineType::default(),
            resources: ResourceNames::default(),
            placeholders: Placeholders::default(),
            syntax: Syntax::default(),
            max_depth: json::DEFAULT_MAX_DEPTH,
            max_nesting: 100,
            max_repeated: 16 << 20,
        }
    }
}

/// Parses a definition in JSON or YAML, and returns it with its warnings, or all problems.
///
/// A text that starts with a brace is JSON, any other text is YAML. With [`Profile::Aws`], it has at most 1,048,576
/// characters. For YAML, the length of the compact JSON counts.
///
/// # Errors
///
/// All errors and warnings in the order of the text, if there is at least one error.
pub fn parse(text: &str, options: Options) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    parse_with(text, options, |_| Vec::new())
}

/// Parses a definition like [`parse`], and adds diagnostics of a valid one: all are in the order of the text.
///
/// # Errors
/// As [`parse`].
///
/// ```
/// use asl_model::{Options, parse, parse_with};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"a": "$.b"}, "End": true}}}"#;
/// let (_, warnings) = parse(text, Options::default())?;
/// let again = |_: &_| warnings.iter().cloned().collect();
/// let (_, twice) = parse_with(text, Options::default(), again)?;
/// assert_eq!(twice.len(), 2 * warnings.len());
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
pub fn parse_with(
    text: &str,
    options: Options,
    added: impl FnOnce(&StateMachine) -> Vec<Diagnostic>,
) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    let tree = read_definition(text, options)?;
    let Some(value) = tree.value else {
        let message = "the definition is empty".to_owned();
        return Err(vec![whole(DiagnosticRule::EMPTY_DEFINITION, message)].into());
    };
    let duplicates = tree.duplicates.into_iter().map(twice);
    let mut faults: Vec<Diagnostic> = duplicates.collect();
    let length = match tree.is_json {
        true => text.chars().count(),
        false => printed_length(&value),
    };
    faults.extend(too_long(length, options));
    read_value(&value, faults, options, added).map_err(|faults| faults.located_in(text))
}

/// Parses the text of a definition like [`parse`], without validation. The value of an empty text is null.
///
/// # Errors
/// The place where the text cannot be read on.
///
/// ```
/// let value = asl_model::definition_value(r#"{"States": ${States}}"#, asl_model::Options::default())?;
/// assert_eq!(value, serde_json::json!({"States": "${States}"}));
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
pub fn definition_value(text: &str, options: Options) -> Result<Value, Diagnostics> {
    Ok(read_definition(text, options)?.value.unwrap_or_default())
}

fn read_definition(text: &str, options: Options) -> Result<Tree, Diagnostics> {
    // What is to be run has values in the place of its placeholders.
    let unquoted = match options.placeholders {
        Placeholders::ToBeReplaced => UnquotedPlaceholders::Taken,
        Placeholders::Left => UnquotedPlaceholders::Refused,
    };
    read_text(text, options, unquoted)
}

/// Returns the number of characters that the service receives for a YAML definition.
fn printed_length(definition: &Value) -> usize {
    struct Characters(usize);
    impl std::io::Write for Characters {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            // What begins a character is no continuation of one (RFC 3629, section 3).
            self.0 += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut characters = Characters(0);
    // Counting cannot fail, nor can JSON be no JSON.
    let _ = serde_json::to_writer(&mut characters, definition);
    characters.0
}

fn too_long(length: usize, options: Options) -> Option<Diagnostic> {
    let longest = options.profile.longest_definition()?;
    (length > longest).then(|| {
        let message = format!(
            "the definition has {length} characters, and the service accepts at most {longest}"
        );
        whole(DiagnosticRule::DEFINITION_TOO_LONG, message)
    })
}

/// Parses any text in JSON or YAML. The value of an empty text is null. Only the limits of `options` apply.
///
/// # Errors
/// The place where the text cannot be read on.
///
/// ```
/// let value = asl_model::value_from_text("a: [1, b]", asl_model::Options::default())?;
/// assert_eq!(value, serde_json::json!({"a": [1, "b"]}));
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
pub fn value_from_text(text: &str, options: Options) -> Result<Value, Diagnostics> {
    Ok(read_text(text, options, UnquotedPlaceholders::Refused)?
        .value
        .unwrap_or_default())
}

/// Parses a text like [`value_from_text`], and rejects duplicate fields.
///
/// # Errors
/// The place where the text cannot be read on, or the fields that their objects have already.
///
/// ```
/// let twice = asl_model::unique_value_from_text("a: 1\nb: {c: 1, c: 2}\n", asl_model::Options::default());
/// assert_eq!(twice.unwrap_err().iter().next().unwrap().location.pointer(), "/b/c");
/// ```
pub fn unique_value_from_text(text: &str, options: Options) -> Result<Value, Diagnostics> {
    let tree = read_text(text, options, UnquotedPlaceholders::Refused)?;
    match tree.duplicates.is_empty() {
        true => Ok(tree.value.unwrap_or_default()),
        false => {
            let duplicates: Vec<Diagnostic> = tree.duplicates.into_iter().map(twice).collect();
            Err(Diagnostics::from(duplicates).located_in(text))
        }
    }
}

pub(crate) fn twice(duplicate: Duplicate) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        rule: DiagnosticRule::DUPLICATE_FIELD,
        message: format!("Duplicate field '{}'", duplicate.name),
        location: duplicate.location,
        field: None,
        offset: None,
        hint: Some(
            "a field can occur only once in an object: it is undefined which of the two applies"
                .to_owned(),
        ),
        fix: None,
    }
}

fn read_text(
    text: &str,
    options: Options,
    unquoted: UnquotedPlaceholders,
) -> Result<Tree, Diagnostics> {
    let is_json = options.syntax == Syntax::Json;
    if is_json && !text::starts_with_brace(text) {
        return Err(refused_by_service(text).unwrap_or_else(|| {
            let message = "Definition must be a valid JSON object".to_owned();
            vec![whole(DiagnosticRule::NOT_AN_OBJECT, message)].into()
        }));
    }
    let reading = ReadOptions {
        unquoted: if is_json {
            UnquotedPlaceholders::Refused
        } else {
            unquoted
        },
        tags: Tags::Placeholders,
        syntax: options.syntax,
    };
    text::read(text, options.max_depth, options.max_repeated, reading).map_err(|error| {
        if let Some(refused) = is_json.then(|| refused_by_service(text)).flatten() {
            return refused;
        }
        let is_yaml = || {
            let syntax = Syntax::Yaml;
            let reading = ReadOptions { syntax, ..reading };
            text::read(text, options.max_depth, options.max_repeated, reading).is_ok()
        };
        unreadable(text, error, is_yaml)
    })
}

/// Returns the fault of a text in the words of the service's JSON parser; None if that parser accepts the text.
fn refused_by_service(text: &str) -> Option<Diagnostics> {
    let fault = service_fault(text)?;
    let rule = DiagnosticRule::UNREADABLE_TEXT;
    let mut diagnostic = whole(rule, format!("{}\n at {}", fault.message, fault.location));
    diagnostic.location = Location::of_text(fault.location);
    Some(vec![diagnostic].into())
}

/// Returns the one fault of a text that cannot be read on.
fn unreadable(text: &str, error: TextError, is_yaml: impl Fn() -> bool) -> Diagnostics {
    let TextError {
        mut message,
        mut position,
    } = error;
    let slip = slip(text, &message, position, is_yaml);
    let Slip { hint, fix, .. } = slip;
    message = slip.message.unwrap_or(message);
    if let Some(offset) = slip.offset {
        position = text::position_of(text, offset);
    }
    let Position { line, column } = position;
    let message = format!("{message} at line {line} column {column}");
    let mut fault = whole(DiagnosticRule::UNREADABLE_TEXT, message);
    (fault.hint, fault.fix) = (hint, fix);
    Diagnostics::unreadable(fault, position)
}

/// Returns the likely typing error.
fn slip(text: &str, message: &str, position: Position, is_yaml: impl Fn() -> bool) -> Slip {
    if let Some(name) = placeholder_at(text, position) {
        let hint = format!(
            "replace the placeholder {name} before the definition is parsed, or put it in quotes"
        );
        return Slip {
            hint: Some(hint),
            ..Slip::default()
        };
    }
    let slip = match text::offset_in_json(text, position) {
        Some((text, offset)) => slip_in_json(text, offset, is_yaml),
        None => slip_in_yaml(text, message, position.line, position.column),
    };
    slip.unwrap_or_default()
}

/// A template that definitions are part of, with its fields that stand twice.
pub(crate) fn read_document(text: &str, options: Options) -> Result<Tree, Diagnostics> {
    let reading = ReadOptions {
        unquoted: UnquotedPlaceholders::Refused,
        tags: Tags::Functions,
        syntax: text::document_syntax(options.syntax),
    };
    text::read(text, options.max_depth, options.max_repeated, reading)
        .map_err(|error| unreadable(text, error, || false))
}

/// Reads a definition that is JSON already.
///
/// # Errors
/// As [`parse`].
pub fn parse_value(
    definition: &Value,
    options: Options,
) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    parse_value_with(definition, Vec::new(), options)
}

/// Reads a definition like [`parse_value`], and adds faults that were found before.
pub(crate) fn parse_value_with(
    definition: &Value,
    mut faults: Vec<Diagnostic>,
    options: Options,
) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    if json::depth_within(definition, options.max_depth).is_none() {
        let message = TooDeep(options.max_depth).to_string();
        return Err(vec![whole(DiagnosticRule::UNREADABLE_TEXT, message)].into());
    }
    faults.extend(too_long(printed_length(definition), options));
    read_value(definition, faults, options, |_| Vec::new())
}

/// Returns all faults and warnings of a definition in JSON or YAML.
pub fn validate(text: &str, options: Options) -> Diagnostics {
    match parse(text, options) {
        Ok((_, diagnostics)) | Err(diagnostics) => diagnostics,
    }
}

/// Returns the placeholder that stands, without quotes, where a text cannot be read.
fn placeholder_at(text: &str, position: Position) -> Option<&str> {
    let line = text.lines().nth(position.line.checked_sub(1)?)?;
    let (start, _) = line.char_indices().nth(position.column.checked_sub(1)?)?;
    let rest = line.get(start..)?;
    let end = rest.strip_prefix("${")?.find('}')? + "${}".len();
    rest.get(..end)
}

pub(crate) fn whole(rule: DiagnosticRule, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        rule,
        message,
        location: Location::default(),
        field: None,
        offset: None,
        hint: None,
        fix: None,
    }
}

fn read_value(
    value: &Value,
    mut faults: Vec<Diagnostic>,
    options: Options,
    added: impl FnOnce(&StateMachine) -> Vec<Diagnostic>,
) -> Result<(StateMachine, Diagnostics), Diagnostics> {
    let (machine, found) = read::read(value, options);
    faults.extend(found);
    let is_refused = faults.iter().any(|it| it.severity == Severity::Error);
    let machine = machine.filter(|_| !is_refused);
    faults.extend(machine.as_ref().map(added).into_iter().flatten());
    sort(&mut faults, value);
    let diagnostics = Diagnostics::from(faults);
    match machine {
        Some(machine) => Ok((machine, diagnostics)),
        None => Err(diagnostics),
    }
}

/// Sorts diagnostics in the order of a definition.
pub(crate) fn sort(faults: &mut [Diagnostic], definition: &Value) {
    if faults.len() < 2 {
        return;
    }
    let mut order = Order::new(definition);
    faults.sort_by_cached_key(|fault| (order.place_of(&fault.pointer()), fault.offset));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn debugged(text: &str) -> String {
        format!("{:?}", parse(text, Options::default()).unwrap_err())
    }

    #[test]
    fn faults_are_printed_for_people_one_below_the_other() {
        let text = r#"{
  "StartAt": "A",
  "States": {
    "A": {"Type": "Pass", "Next": "B"},
    "B": {"Type": "Task", "Resource": "charge-card", "Timeout": 5, "End": true}
  }
}"#;
        let shown = debugged(text);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "the definition is not valid");
        let resource = lines.iter().find(|line| line.contains("/Resource)"));
        assert!(
            resource
                .unwrap()
                .starts_with("  line 5, column 39: error: "),
            "{shown}"
        );
        assert!(shown.contains("\n    hint: "), "{shown}");
    }

    #[test]
    fn a_text_that_cannot_be_read_is_told_with_its_place() {
        assert_eq!(
            debugged("{\n  \"StartAt\": }"),
            "the definition is not valid\n  line 2, column 14: error: expected a value, found '}' at line 2 column 14 (at /)"
        );
        let twice = r#"{"StartAt": "A", "StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
        assert_eq!(
            debugged(twice),
            "the definition is not valid\n  line 1, column 29: error: Duplicate field 'StartAt' (at /StartAt)\n    hint: a field can occur only once in an object: it is undefined which of the two applies"
        );
    }

    #[test]
    fn a_definition_has_a_greatest_length() {
        const LONGEST: usize = 1_048_576;
        let machine = |comment: usize| {
            let comment = "é".repeat(comment);
            format!(
                r#"{{"StartAt":"A","States":{{"A":{{"Type":"Succeed"}}}},"Comment":"{comment}"}}"#
            )
        };
        let frame = machine(0).len();
        let (fits, too_long) = (machine(LONGEST - frame), machine(LONGEST - frame + 1));
        let message = "SCHEMA_VALIDATION_FAILED: the definition has 1048577 characters, and the service accepts at most 1048576 at /";
        let refusal =
            |text: &str, options| parse(text, options).map(|_| ()).map_err(|e| e.to_string());
        for yaml in ["", "# in YAML this is no part of it\n"] {
            assert_eq!(
                refusal(&format!("{yaml}{fits}"), Options::default()),
                Ok(())
            );
            let text = format!("{yaml}{too_long}");
            assert_eq!(refusal(&text, Options::default()), Err(message.to_owned()));
            let spec = Options::default().with_profile(Profile::Spec);
            assert_eq!(refusal(&text, spec), Ok(()));
        }
        let value = serde_json::from_str(&too_long).unwrap();
        let found = parse_value(&value, Options::default()).unwrap_err();
        assert_eq!(found.to_string(), message);
    }

    #[test]
    fn a_placeholder_without_quotes_is_read_where_it_is_to_be_replaced() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": ${Delay}, "End": true}}}"#;
        let quoted = text.replace("${Delay}", "\"${Delay}\"");
        assert_eq!(
            parse(text, Options::default()).unwrap(),
            parse(&quoted, Options::default()).unwrap()
        );
        let to_be_run = Options::default().with_placeholders(Placeholders::Left);
        let shown = format!("{:?}", parse(text, to_be_run).unwrap_err());
        let hint = "hint: replace the placeholder ${Delay} before the definition is parsed, or put it in quotes";
        assert!(shown.contains(hint), "{shown}");
        assert!(value_from_text("{\"a\": ${Delay}}", Options::default()).is_err());
    }

    #[test]
    fn warnings_and_faults_of_json_that_was_no_text_have_no_lines() {
        let state = serde_json::json!({"Type": "Pass", "Parameters": {"a": "$.b"}, "End": true});
        let machine = serde_json::json!({"StartAt": "A", "States": {"A": state}});
        let (_, warnings) = parse_value(&machine, Options::default()).unwrap();
        let shown = format!("{warnings:?}");
        assert!(
            shown.starts_with("the definition is valid, with warnings\n  warning: "),
            "{shown}"
        );
        assert_eq!(
            format!("{:?}", Diagnostics::default()),
            "the definition is valid"
        );
    }
}

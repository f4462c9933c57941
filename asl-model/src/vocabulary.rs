//! The words of the language, for programs that offer them while a definition is written.
use crate::definition::Word;
use crate::read::comparison::OPERATORS;
use crate::rules::error_names::RESERVED;
use crate::rules::resources::INTEGRATIONS;
use crate::{
    CsvDelimiter, CsvHeaderLocation, ExecutionType, FieldOwner, InputType, JitterStrategy,
    ManifestType, OutputType, ProcessorMode, QueryLanguage, ReaderTransformation, StateType,
    Version, WriterTransformation,
};

/// Returns the error names that the language reserves, and that the service raises.
///
/// ```
/// assert!(asl_model::vocabulary::error_names().contains(&"States.Timeout"));
/// ```
pub fn error_names() -> &'static [&'static str] {
    RESERVED
}

/// Returns the comparisons of Choice Rules in JSONPath states.
///
/// ```
/// assert!(asl_model::vocabulary::comparisons().contains(&"StringEquals"));
/// ```
pub fn comparisons() -> &'static [&'static str] {
    OPERATORS
}

/// Returns the values that a field takes, where these are a few words.
///
/// ```
/// use asl_model::{FieldOwner, vocabulary};
/// assert_eq!(vocabulary::words(FieldOwner::Retrier, "JitterStrategy"), ["NONE", "FULL"]);
/// assert!(vocabulary::words(FieldOwner::Retrier, "Comment").is_empty());
/// ```
pub fn words(owner: FieldOwner, field: &str) -> Vec<&'static str> {
    match (owner, field) {
        (FieldOwner::Machine | FieldOwner::State(_), "QueryLanguage") => list::<QueryLanguage>(),
        (FieldOwner::Machine, "Version") => list::<Version>(),
        (FieldOwner::State(_), "Type") => list::<StateType>(),
        (FieldOwner::Retrier, "JitterStrategy") => list::<JitterStrategy>(),
        (FieldOwner::ProcessorConfig, "Mode") => list::<ProcessorMode>(),
        (FieldOwner::ProcessorConfig, "ExecutionType") => list::<ExecutionType>(),
        (FieldOwner::ReaderConfig, "InputType") => list::<InputType>(),
        (FieldOwner::ReaderConfig, "CSVHeaderLocation") => list::<CsvHeaderLocation>(),
        (FieldOwner::ReaderConfig, "CSVDelimiter") => list::<CsvDelimiter>(),
        (FieldOwner::ReaderConfig, "ManifestType") => list::<ManifestType>(),
        (FieldOwner::ReaderConfig, "Transformation") => list::<ReaderTransformation>(),
        (FieldOwner::WriterConfig, "Transformation") => list::<WriterTransformation>(),
        (FieldOwner::WriterConfig, "OutputType") => list::<OutputType>(),
        _ => Vec::new(),
    }
}

fn list<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.word()).collect()
}

/// Returns the ARNs of all optimized integrations, each with the ways in which it can wait.
///
/// ```
/// let arns: Vec<String> = asl_model::vocabulary::integrations().collect();
/// assert!(arns.contains(&"arn:aws:states:::sqs:sendMessage.waitForTaskToken".to_owned()));
/// ```
pub fn integrations() -> impl Iterator<Item = String> {
    INTEGRATIONS
        .iter()
        .flat_map(|(service, actions, patterns)| {
            actions.iter().flat_map(move |action| {
                let suffixes = std::iter::once(&"").chain(*patterns);
                suffixes.map(move |suffix| format!("arn:aws:states:::{service}:{action}{suffix}"))
            })
        })
}

//! That definitions are accepted, and show everything.
use super::*;
use crate::definition::Word;
use crate::{Options, Profile, Severity, StateMachine, StateType, parse_value};
use asl_intrinsics::random::{RandomSource, SplitMix64};
use std::collections::{BTreeMap, BTreeSet};

const ALL: [Languages; 3] = [Languages::JsonPath, Languages::Both, Languages::Jsonata];

/// Returns the first bytes of 400 tapes.
fn tapes() -> impl Iterator<Item = [u8; 8]> {
    let mut random = SplitMix64::new(1);
    (0..400).map(move |_| random.next_u64().to_le_bytes())
}

fn endless(languages: Languages) -> impl Iterator<Item = Value> {
    tapes().map(move |bytes| definition(&mut Tape::endless(&bytes), languages))
}

fn accepted(definition: &Value) -> StateMachine {
    match parse_value(definition, Options::default()) {
        Ok((machine, _)) => machine,
        Err(found) => {
            let errors = found
                .iter()
                .filter(|found| found.severity == Severity::Error);
            let errors: Vec<String> = errors.map(ToString::to_string).collect();
            panic!("{errors:#?} in {definition}")
        }
    }
}

#[test]
fn definitions_are_accepted_and_hold_every_type_of_state() {
    for languages in ALL {
        let mut types = BTreeSet::new();
        for definition in endless(languages) {
            let machine = accepted(&definition);
            let states = machine.all_states().into_iter();
            types.extend(states.map(|(_, state)| state.kind.state_type().as_str()));
        }
        let all = StateType::ALL.iter().map(|kind| kind.as_str());
        assert_eq!(types, all.collect(), "{languages:?}");
    }
}

/// Counts the occurrences of each field name in a definition.
fn count_names(value: &Value, counts: &mut BTreeMap<String, usize>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                *counts.entry(name.clone()).or_default() += 1;
                count_names(field, counts);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|each| count_names(each, counts)),
        _ => {}
    }
}

#[test]
fn every_field_is_used_in_the_languages_that_have_it() {
    let both = "Assign BackoffRate BatchInput Branches Bucket CSVHeaderLocation Catch Cause Choices Comment Credentials \
        Default End Error ErrorEquals ExecutionType HeartbeatSeconds IntervalSeconds ItemBatcher ItemProcessor \
        ItemReader ItemSelector JitterStrategy Key Label MaxAttempts MaxConcurrency MaxDelaySeconds \
        MaxInputBytesPerBatch MaxItems MaxItemsPerBatch Mode Next OutputType Prefix ProcessorConfig ReaderConfig \
        Resource ResultWriter Retry Seconds StartAt States TimeoutSeconds Timestamp ToleratedFailureCount \
        ToleratedFailurePercentage Transformation Type WriterConfig";
    let json_path = "And CausePath ErrorPath HeartbeatSecondsPath InputPath IsPresent Iterator ItemsPath \
        MaxConcurrencyPath MaxInputBytesPerBatchPath MaxItemsPath Not Or OutputPath Parameters Result ResultPath \
        ResultSelector SecondsPath StringMatches TimeoutSecondsPath TimestampPath ToleratedFailureCountPath \
        ToleratedFailurePercentagePath Variable";
    for (languages, own) in [
        (Languages::JsonPath, json_path),
        (
            Languages::Jsonata,
            "Arguments Condition Items Output QueryLanguage",
        ),
    ] {
        let mut counts = BTreeMap::new();
        endless(languages).for_each(|definition| count_names(&definition, &mut counts));
        for name in both.split_whitespace().chain(own.split_whitespace()) {
            assert!(counts.contains_key(name), "{name} in {languages:?}");
        }
    }
}

#[test]
fn a_tape_of_zeros_makes_the_smallest_definition() {
    let smallest = definition(&mut Tape::ending(&[]), Languages::JsonPath);
    let pass = json!({"Type": "Pass", "ResultPath": "$.r", "End": true});
    assert_eq!(
        smallest,
        json!({"StartAt": "State 0", "States": {"State 0": pass}})
    );
}

#[test]
fn most_broken_definitions_are_refused_and_some_are_not() {
    let refused = tapes()
        .filter(|bytes| {
            let definition = broken_definition(&mut Tape::endless(bytes));
            parse_value(&definition, Options::default()).is_err()
        })
        .count();
    assert!(
        (200..400).contains(&refused),
        "{refused} of 400 are refused"
    );
}

#[test]
fn most_definitions_are_accepted_by_the_specification_too() {
    let options = Options::default().with_profile(Profile::Spec);
    let accepted = |definition: &Value| parse_value(definition, options).is_ok();
    let count = endless(Languages::Both).filter(accepted).count();
    assert!(count > 200, "{count} of 400 are accepted");
}

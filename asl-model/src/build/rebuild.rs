//! Builds any definition again, by the methods named after its fields.
use super::language::{JsonPath, Jsonata, Language};
use super::part::{self, Part};
use super::state::{State, StateBuilder, kind};
use super::{Rule, StateMachineBuilder, States, Variable, json_path, jsonata};
use crate::{
    CsvDelimiter, ExecutionType, JitterStrategy, ManifestType, OutputType, QueryLanguage,
    ReaderTransformation, WriterTransformation,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Calls the methods of the fields that are there.
macro_rules! set {
    ($builder:expr, $json:expr; $($field:literal $method:ident $get:ident,)+) => {{
        let mut builder = $builder;
        $(
            if let Some(value) = $json.get($field) {
                builder = builder.$method($get(value));
            }
        )+
        builder
    }};
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("it is a whole number")
}

fn float(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

fn any(value: &Value) -> Value {
    value.clone()
}

fn boolean(value: &Value) -> bool {
    value.as_bool().expect("it is a boolean")
}

fn word<W: DeserializeOwned>(value: &Value) -> W {
    serde_json::from_value(value.clone()).expect("it is one of the words")
}

fn elements<'v>(json: &'v Value, field: &str) -> &'v [Value] {
    json.get(field)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<String> {
    word(value)
}

/// Returns a builder of this definition.
pub(super) fn machine(definition: &Value) -> StateMachineBuilder {
    let language = definition
        .get("QueryLanguage")
        .map_or(QueryLanguage::JSONPath, word);
    let builder = StateMachineBuilder::from(states(definition, language)).query_language(language);
    let builder = match definition.get("Version") {
        Some(_) => builder.version(),
        None => builder,
    };
    set!(builder, definition; "TimeoutSeconds" timeout_seconds number,)
}

fn states(scope: &Value, language: QueryLanguage) -> States {
    let mut states =
        set!(States::start_at(text(&scope["StartAt"])), scope; "Comment" comment text,);
    for (name, definition) in scope["States"].as_object().expect("it has states") {
        states = states.state(name, state(definition, language));
    }
    states
}

fn state(json: &Value, of_machine: QueryLanguage) -> State {
    match json.get("QueryLanguage").map_or(of_machine, word) {
        QueryLanguage::JSONPath => json_path_state(json, of_machine),
        QueryLanguage::JSONata => jsonata_state(json, of_machine),
    }
}

fn json_path_state(json: &Value, language: QueryLanguage) -> State {
    match json["Type"].as_str().expect("it has a type") {
        "Task" => {
            let task = set!(task(json), json;
                "TimeoutSecondsPath" timeout_seconds_path text,
                "HeartbeatSecondsPath" heartbeat_seconds_path text,);
            failing(parameters(task, json), json)
        }
        "Pass" => {
            let pass = set!(json_path::PassState::new(), json; "Result" result any,);
            transition(result(parameters(pass, json), json), json)
        }
        "Wait" => {
            let wait = match (json.get("SecondsPath"), json.get("TimestampPath")) {
                (Some(path), _) => json_path::WaitState::seconds_path(text(path)),
                (_, Some(path)) => json_path::WaitState::timestamp_path(text(path)),
                _ => wait(json),
            };
            transition(input(wait, json), json)
        }
        "Succeed" => input(json_path::SucceedState::new(), json).into(),
        "Fail" => {
            set!(fail(json), json; "ErrorPath" error_path text, "CausePath" cause_path text,).into()
        }
        "Choice" => {
            let mut state = set!(json_path::ChoiceState::new(), json; "Default" default text,);
            for choice in elements(json, "Choices") {
                let complete = rule(choice).next(text(&choice["Next"]));
                state = state
                    .choice(set!(complete, choice; "Assign" assign any, "Comment" comment text,));
            }
            assign(input(state, json), json).into()
        }
        "Parallel" => failing(parameters(parallel(json, language), json), json),
        _ => match ExecutionTypeOf(json).get() {
            Some(kind) => {
                let map = json_path::DistributedMapState::new(
                    kind,
                    states(&json["ItemProcessor"], language),
                );
                let mut map = set!(json_path_map(map, json), json; "Label" label text,);
                if let Some(reader) = json.get("ItemReader") {
                    map = map.item_reader(item_reader(
                        reader,
                        "Parameters",
                        Part::parameters,
                        |config, json| set!(config, json; "MaxItemsPath" max_items_path text,),
                    ));
                }
                if let Some(batcher) = json.get("ItemBatcher") {
                    map = map.item_batcher(set!(item_batcher(batcher), batcher;
                        "MaxItemsPerBatchPath" max_items_per_batch_path text,
                        "MaxInputBytesPerBatchPath" max_input_bytes_per_batch_path text,));
                }
                if let Some(writer) = json.get("ResultWriter") {
                    map = map.result_writer(
                        set!(result_writer(writer), writer; "Parameters" parameters any,),
                    );
                }
                failing(map, json)
            }
            None => {
                let map = json_path::MapState::new(states(&json["ItemProcessor"], language));
                failing(json_path_map(map, json), json)
            }
        },
    }
}

fn jsonata_state(json: &Value, language: QueryLanguage) -> State {
    match json["Type"].as_str().expect("it has a type") {
        "Task" => jsonata_failing(arguments(task(json), json), json),
        "Pass" => transition(output(jsonata::PassState::new(), json), json),
        "Wait" => transition(output(wait(json), json), json),
        "Succeed" => output(jsonata::SucceedState::new(), json).into(),
        "Fail" => fail::<Jsonata>(json).into(),
        "Choice" => {
            let mut state = set!(jsonata::ChoiceState::new(), json; "Default" default text,);
            for choice in elements(json, "Choices") {
                let open = jsonata::ChoiceRule::condition(choice["Condition"].clone());
                let complete = open.next(text(&choice["Next"]));
                state = state.choice(set!(complete, choice;
                    "Assign" assign any, "Output" output any, "Comment" comment text,));
            }
            assign(output(state, json), json).into()
        }
        "Parallel" => jsonata_failing(arguments(parallel(json, language), json), json),
        _ => match ExecutionTypeOf(json).get() {
            Some(kind) => {
                let map = jsonata::DistributedMapState::new(
                    kind,
                    states(&json["ItemProcessor"], language),
                );
                let mut map =
                    set!(map_state(map, json), json; "Items" items any, "Label" label text,);
                if let Some(reader) = json.get("ItemReader") {
                    map = map.item_reader(item_reader(
                        reader,
                        "Arguments",
                        Part::arguments,
                        |config, _| config,
                    ));
                }
                if let Some(batcher) = json.get("ItemBatcher") {
                    map = map.item_batcher(item_batcher(batcher));
                }
                if let Some(writer) = json.get("ResultWriter") {
                    map = map.result_writer(
                        set!(result_writer(writer), writer; "Arguments" arguments any,),
                    );
                }
                jsonata_failing(map, json)
            }
            None => {
                let map = jsonata::MapState::new(states(&json["ItemProcessor"], language));
                let map = set!(map_state(map, json), json; "Items" items any,);
                jsonata_failing(map, json)
            }
        },
    }
}

/// The type of the children of a Map State, if it is distributed.
struct ExecutionTypeOf<'v>(&'v Value);

impl ExecutionTypeOf<'_> {
    fn get(&self) -> Option<ExecutionType> {
        let config = self.0["ItemProcessor"].get("ProcessorConfig")?;
        Some(word(&config["ExecutionType"]))
    }
}

fn task<L: Language>(json: &Value) -> StateBuilder<kind::Task, L> {
    set!(StateBuilder::<kind::Task, L>::new(text(&json["Resource"])), json;
        "Credentials" credentials any,
        "TimeoutSeconds" timeout_seconds any,
        "HeartbeatSeconds" heartbeat_seconds any,)
}

fn wait<L: Language>(json: &Value) -> StateBuilder<kind::Wait, L> {
    match json.get("Seconds") {
        Some(seconds) => StateBuilder::<kind::Wait, L>::seconds(seconds.clone()),
        None => StateBuilder::<kind::Wait, L>::timestamp(text(&json["Timestamp"])),
    }
}

fn fail<L: Language>(json: &Value) -> StateBuilder<kind::Fail, L> {
    let state = StateBuilder::<kind::Fail, L>::new();
    set!(state, json; "Comment" comment text, "Error" error text, "Cause" cause text,)
}

fn parallel<L: Language>(json: &Value, language: QueryLanguage) -> StateBuilder<kind::Parallel, L> {
    let mut state = StateBuilder::<kind::Parallel, L>::new();
    for branch in elements(json, "Branches") {
        state = state.branch(states(branch, language));
    }
    state
}

fn map_state<K: kind::IsMap, L: Language>(
    state: StateBuilder<K, L>,
    json: &Value,
) -> StateBuilder<K, L> {
    set!(state, json;
        "ItemSelector" item_selector any,
        "MaxConcurrency" max_concurrency any,
        "ToleratedFailureCount" tolerated_failure_count any,
        "ToleratedFailurePercentage" tolerated_failure_percentage any,)
}

fn json_path_map<K: kind::IsMap>(
    state: StateBuilder<K, JsonPath>,
    json: &Value,
) -> StateBuilder<K, JsonPath> {
    set!(map_state(state, json), json;
        "ItemsPath" items_path text,
        "MaxConcurrencyPath" max_concurrency_path text,
        "ToleratedFailureCountPath" tolerated_failure_count_path text,
        "ToleratedFailurePercentagePath" tolerated_failure_percentage_path text,)
}

fn item_reader<L: Language>(
    json: &Value,
    request: &str,
    set_request: fn(Part<part::kind::ItemReader, L>, Value) -> Part<part::kind::ItemReader, L>,
    set_paths: fn(Part<part::kind::ReaderConfig, L>, &Value) -> Part<part::kind::ReaderConfig, L>,
) -> Part<part::kind::ItemReader, L> {
    let mut reader = Part::<part::kind::ItemReader, L>::new(text(&json["Resource"]));
    if let Some(request) = json.get(request) {
        reader = set_request(reader, request.clone());
    }
    match json.get("ReaderConfig") {
        Some(config) => reader.reader_config(set_paths(reader_config(config), config)),
        None => reader,
    }
}

fn reader_config<L: Language>(json: &Value) -> Part<part::kind::ReaderConfig, L> {
    type Config<L> = Part<part::kind::ReaderConfig, L>;
    let config = match json["InputType"].as_str().expect("it has a type") {
        "CSV" => match json.get("CSVHeaders") {
            Some(headers) => Config::<L>::csv_with_headers(texts(headers)),
            None => Config::<L>::csv(),
        },
        "JSON" => Config::<L>::json(),
        "JSONL" => Config::<L>::json_lines(),
        "PARQUET" => Config::<L>::parquet(),
        _ => Config::<L>::manifest(word::<ManifestType>(&json["ManifestType"])),
    };
    let (delimiter, transformation) = (word::<CsvDelimiter>, word::<ReaderTransformation>);
    set!(config, json;
        "CSVDelimiter" csv_delimiter delimiter,
        "Transformation" transformation transformation,
        "ItemsPointer" items_pointer text,
        "MaxItems" max_items any,)
}

fn item_batcher<L: Language>(json: &Value) -> Part<part::kind::ItemBatcher, L> {
    set!(Part::<part::kind::ItemBatcher, L>::new(), json;
        "MaxItemsPerBatch" max_items_per_batch any,
        "MaxInputBytesPerBatch" max_input_bytes_per_batch any,
        "BatchInput" batch_input any,)
}

fn result_writer<L: Language>(json: &Value) -> Part<part::kind::ResultWriter, L> {
    let writer = Part::<part::kind::ResultWriter, L>::new(text(&json["Resource"]));
    match json.get("WriterConfig") {
        Some(config) => writer.writer_config(
            word::<WriterTransformation>(&config["Transformation"]),
            word::<OutputType>(&config["OutputType"]),
        ),
        None => writer,
    }
}

fn assign<K: kind::Assigns, L: Language>(
    state: StateBuilder<K, L>,
    json: &Value,
) -> StateBuilder<K, L> {
    set!(state, json; "Assign" assign any,)
}

fn parameters<K: kind::HasParameters>(
    state: StateBuilder<K, JsonPath>,
    json: &Value,
) -> StateBuilder<K, JsonPath> {
    set!(state, json; "Parameters" parameters any,)
}

fn arguments<K: kind::HasArguments>(
    state: StateBuilder<K, Jsonata>,
    json: &Value,
) -> StateBuilder<K, Jsonata> {
    set!(state, json; "Arguments" arguments any,)
}

fn output<K: kind::ProcessesInput>(
    state: StateBuilder<K, Jsonata>,
    json: &Value,
) -> StateBuilder<K, Jsonata> {
    set!(state, json; "Comment" comment text, "Output" output any,)
}

fn input<K: kind::ProcessesInput>(
    state: StateBuilder<K, JsonPath>,
    json: &Value,
) -> StateBuilder<K, JsonPath> {
    let state = set!(state, json; "Comment" comment text,);
    let state = match json.get("InputPath") {
        None => state,
        Some(Value::Null) => state.discard_input(),
        Some(path) => state.input_path(text(path)),
    };
    match json.get("OutputPath") {
        None => state,
        Some(Value::Null) => state.discard_output(),
        Some(path) => state.output_path(text(path)),
    }
}

fn result<K: kind::HasResult + kind::ProcessesInput>(
    state: StateBuilder<K, JsonPath>,
    json: &Value,
) -> StateBuilder<K, JsonPath> {
    let state = input(state, json);
    match json.get("ResultPath") {
        None => state,
        Some(Value::Null) => state.discard_result(),
        Some(path) => state.result_path(text(path)),
    }
}

/// Completes a JSONPath state that can fail.
fn failing<K>(state: StateBuilder<K, JsonPath>, json: &Value) -> State
where
    K: kind::CanFail + kind::HasResult + kind::ProcessesInput + kind::Assigns + kind::HasTransition,
{
    let mut state = set!(result(state, json), json; "ResultSelector" result_selector any,);
    for catcher in elements(json, "Catch") {
        let open = json_path::Catcher::on(texts(&catcher["ErrorEquals"]));
        let open = match catcher.get("ResultPath") {
            None => open,
            Some(Value::Null) => open.discard_error_output(),
            Some(path) => open.result_path(text(path)),
        };
        let open = set!(open, catcher; "Assign" assign any, "Comment" comment text,);
        state = state.catch(open.next(text(&catcher["Next"])));
    }
    transition(retry(state, json), json)
}

/// Completes a JSONata state that can fail.
fn jsonata_failing<K>(state: StateBuilder<K, Jsonata>, json: &Value) -> State
where
    K: kind::CanFail + kind::ProcessesInput + kind::Assigns + kind::HasTransition,
{
    let mut state = output(state, json);
    for catcher in elements(json, "Catch") {
        let open = jsonata::Catcher::on(texts(&catcher["ErrorEquals"]));
        let open =
            set!(open, catcher; "Output" output any, "Assign" assign any, "Comment" comment text,);
        state = state.catch(open.next(text(&catcher["Next"])));
    }
    transition(retry(state, json), json)
}

fn retry<K: kind::CanFail, L: Language>(
    mut state: StateBuilder<K, L>,
    json: &Value,
) -> StateBuilder<K, L> {
    let jitter = word::<JitterStrategy>;
    for retrier in elements(json, "Retry") {
        let built = Part::<part::kind::Retrier, L>::on(texts(&retrier["ErrorEquals"]));
        state = state.retry(set!(built, retrier;
            "IntervalSeconds" interval_seconds number,
            "MaxAttempts" max_attempts number,
            "BackoffRate" backoff_rate float,
            "MaxDelaySeconds" max_delay_seconds number,
            "JitterStrategy" jitter_strategy jitter,
            "Comment" comment text,));
    }
    state
}

fn transition<K: kind::HasTransition + kind::Assigns, L: Language>(
    state: StateBuilder<K, L>,
    json: &Value,
) -> State {
    let state = assign(state, json);
    match json.get("Next") {
        Some(next) => state.next(text(next)),
        None => state.end(),
    }
}

fn rule(json: &Value) -> Rule {
    let inner = |field| elements(json, field).iter().map(commented_rule);
    if json.get("And").is_some() {
        return Rule::and(inner("And"));
    }
    if json.get("Or").is_some() {
        return Rule::or(inner("Or"));
    }
    match json.get("Not") {
        Some(not) => Rule::not(commented_rule(not)),
        None => test(Rule::variable(text(&json["Variable"])), json),
    }
}

fn commented_rule(json: &Value) -> Rule {
    set!(rule(json), json; "Comment" comment text,)
}

macro_rules! comparisons {
    ($($field:literal $method:ident $get:ident,)+) => {
        /// Completes a data test by the method of its operator.
        fn test(variable: Variable, json: &Value) -> Rule {
            $(
                if let Some(value) = json.get($field) {
                    return variable.$method($get(value));
                }
            )+
            unreachable!("{json} has no operator")
        }

        /// All operators.
        pub(super) const OPERATORS: &[&str] = &[$($field),+];
    };
}

comparisons! {
    "IsNull" is_null boolean,
    "IsPresent" is_present boolean,
    "IsNumeric" is_numeric boolean,
    "IsString" is_string boolean,
    "IsBoolean" is_boolean boolean,
    "IsTimestamp" is_timestamp boolean,
    "BooleanEquals" boolean_equals boolean,
    "BooleanEqualsPath" boolean_equals_path text,
    "StringMatches" string_matches text,
    "StringEquals" string_equals text,
    "StringEqualsPath" string_equals_path text,
    "StringLessThan" string_less_than text,
    "StringLessThanPath" string_less_than_path text,
    "StringGreaterThan" string_greater_than text,
    "StringGreaterThanPath" string_greater_than_path text,
    "StringLessThanEquals" string_less_than_equals text,
    "StringLessThanEqualsPath" string_less_than_equals_path text,
    "StringGreaterThanEquals" string_greater_than_equals text,
    "StringGreaterThanEqualsPath" string_greater_than_equals_path text,
    "NumericEquals" numeric_equals any,
    "NumericEqualsPath" numeric_equals_path text,
    "NumericLessThan" numeric_less_than any,
    "NumericLessThanPath" numeric_less_than_path text,
    "NumericGreaterThan" numeric_greater_than any,
    "NumericGreaterThanPath" numeric_greater_than_path text,
    "NumericLessThanEquals" numeric_less_than_equals any,
    "NumericLessThanEqualsPath" numeric_less_than_equals_path text,
    "NumericGreaterThanEquals" numeric_greater_than_equals any,
    "NumericGreaterThanEqualsPath" numeric_greater_than_equals_path text,
    "TimestampEquals" timestamp_equals text,
    "TimestampEqualsPath" timestamp_equals_path text,
    "TimestampLessThan" timestamp_less_than text,
    "TimestampLessThanPath" timestamp_less_than_path text,
    "TimestampGreaterThan" timestamp_greater_than text,
    "TimestampGreaterThanPath" timestamp_greater_than_path text,
    "TimestampLessThanEquals" timestamp_less_than_equals text,
    "TimestampLessThanEqualsPath" timestamp_less_than_equals_path text,
    "TimestampGreaterThanEquals" timestamp_greater_than_equals text,
    "TimestampGreaterThanEqualsPath" timestamp_greater_than_equals_path text,
}

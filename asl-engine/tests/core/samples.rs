//! Executions that wait in the middle of what they do, one for each part that a save has.
use crate::case::start_time;
use crate::host::Host;
use asl_engine::{
    ChildExecution, Effect, EffectId, ErrorOutput, Execution, Input, MacTokens, MockedChildren,
    MockedOutcome, ObjectPart, Outcome, Program, SavedExecution, Start, StartAt, StorageResult,
    TaskTokens,
};
use asl_model::{Options, ResourceNames};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An execution that waits in the middle of what it does: how it came there.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) definition: Value,
    pub(crate) begin: Begin,
    /// Inputs, with their seconds after the start.
    pub(crate) inputs: Vec<(u64, Input)>,
    /// True if the host makes the tokens of its tasks.
    pub(crate) tokens: bool,
    /// True if what the last input led to is left to be polled.
    pub(crate) unpolled: bool,
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum Begin {
    Start(Box<Start>),
    Child(Box<ChildExecution>),
}

/// Returns the maker of tokens of samples that have one.
pub(crate) fn tokens() -> Arc<dyn TaskTokens> {
    Arc::new(MacTokens::new("2026", b"a secret that no save may tell"))
}

/// Tasks here need no arguments.
pub(crate) fn options() -> Options {
    Options::default().with_resources(ResourceNames::Any)
}

pub(crate) fn compiled(definition: &Value) -> Program {
    let (machine, _) = asl_model::parse_value(definition, options()).expect("valid");
    Program::compile(&machine).expect("it compiles")
}

impl Sample {
    fn new(name: &'static str, states: Value, input: Value) -> Self {
        let first = states.as_object().and_then(|states| states.keys().next());
        let definition = json!({"StartAt": first, "States": states});
        let start = Start::new(name, input, start_time());
        Self {
            name,
            definition,
            begin: Begin::Start(Box::new(start)),
            inputs: Vec::new(),
            tokens: false,
            unpolled: false,
        }
    }

    fn starting(mut self, change: impl FnOnce(&mut Start)) -> Self {
        if let Begin::Start(start) = &mut self.begin {
            change(start);
        }
        self
    }

    fn then(mut self, seconds: u64, input: Input) -> Self {
        self.inputs.push((seconds, input));
        self
    }

    pub(crate) fn program(&self) -> Program {
        compiled(&self.definition)
    }

    /// Not yet run.
    pub(crate) fn begun(&self) -> Execution {
        let tokens = self.tokens.then(tokens);
        match (self.begin.clone(), tokens) {
            (Begin::Child(child), tokens) => Execution::start_child(self.program(), *child, tokens),
            (Begin::Start(start), Some(tokens)) => {
                Execution::start_with_tokens(self.program(), *start, tokens)
            }
            (Begin::Start(start), None) => Execution::start(self.program(), *start),
        }
    }

    /// After all that happened.
    pub(crate) fn host(&self) -> Host {
        let mut host = Host::new(self.begun(), None);
        host.go_on();
        for (index, (seconds, input)) in self.inputs.iter().enumerate() {
            let now = start_time().plus_seconds(*seconds);
            if self.unpolled && index + 1 == self.inputs.len() {
                let record = host.execution.journal(now, input.clone());
                host.journal.push(record);
                host.execution.handle_input(now, input.clone());
            } else {
                host.tell(now, input.clone());
                host.go_on();
            }
        }
        host
    }

    pub(crate) fn save(&self) -> SavedExecution {
        self.host().execution.save()
    }

    pub(crate) fn restored(&self, save: SavedExecution) -> Execution {
        let restored = match self.tokens {
            true => save.restore_with_tokens(self.program(), tokens()),
            false => save.restore(self.program()),
        };
        restored.expect("it is taken up")
    }
}

/// Returns all samples.
pub(crate) fn samples() -> Vec<Sample> {
    vec![
        waiting_for_a_token(),
        map_half_way(),
        reading(),
        reading_again(),
        running(),
        writing(),
        child(),
        retrying(),
        failed(),
        redriven(),
        variables(),
        unpolled(),
        one_state(),
        mocked(),
        ended(),
        yielding(),
    ]
}

/// Returns the sample of this name.
pub(crate) fn sample(name: &str) -> Sample {
    let found = samples().into_iter().find(|sample| sample.name == name);
    found.expect("there is such a sample")
}

fn succeeded(id: u64, output: Value) -> Input {
    Input::TaskSucceeded {
        id: EffectId(id),
        output: output.into(),
    }
}

fn failed_task(id: u64, error: &str) -> Input {
    Input::TaskFailed {
        id: EffectId(id),
        error_output: ErrorOutput {
            error: Some(error.to_owned()),
            cause: Some("because".to_owned()),
        },
    }
}

fn child_ended(id: u64, outcome: Outcome) -> Input {
    Input::ChildExecutionEnded {
        id: EffectId(id),
        outcome,
    }
}

const ACTIVITY: &str = "arn:aws:states:us-east-1:111111111111:activity:A";

fn task() -> Value {
    json!({"Type": "Task", "Resource": ACTIVITY, "End": true})
}

fn waiting_for_a_token() -> Sample {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true,
        "Parameters": {"token.$": "$$.Task.Token", "order.$": "$.order"}, "ResultPath": "$.answer",
        "TimeoutSeconds": 3600, "HeartbeatSeconds": 60, "Credentials": {"RoleArn.$": "$.role"}});
    let input = json!({"order": 17, "role": "arn:aws:iam::111111111111:role/orders"});
    let (id, output) = (EffectId(0), json!({"MessageId": "m"}).into());
    let mut sample = Sample::new("waiting_for_a_token", json!({"Ask": task}), input)
        .then(1, Input::TaskSubmitted { id, output })
        .then(30, Input::TaskHeartbeat { id });
    sample.definition["TimeoutSeconds"] = json!(86_400);
    sample.tokens = true;
    sample
}

fn map_half_way() -> Sample {
    let processor = json!({"StartAt": "Each", "States": {"Each": task()}});
    let map = json!({"Type": "Map", "ItemsPath": "$.rows[0].items", "MaxConcurrency": 3, "ItemProcessor": processor,
        "ItemSelector": {"item.$": "$$.Map.Item.Value", "n.$": "$$.Map.Item.Index"}, "ToleratedFailureCount": 1, "End": true});
    let input = json!({"rows": [{"items": ["a", "b", "c", "d", "e", "f"]}]});
    Sample::new("map_half_way", json!({"Map": map}), input)
        .then(1, succeeded(1, json!({"done": [1.5, null]})))
        .then(2, failed_task(0, "E"))
        .then(
            3,
            Input::TaskStarted {
                id: EffectId(2),
                worker_name: Some("w".to_owned()),
            },
        )
}

fn distributed(fields: Value) -> Value {
    let mut map = json!({"Type": "Map", "Label": "L", "MaxConcurrency": 2, "End": true,
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "Each", "States": {"Each": task()}}});
    if let (Some(map), Value::Object(fields)) = (map.as_object_mut(), fields) {
        map.extend(fields);
    }
    map
}

fn reading() -> Sample {
    let reader = json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "b", "Prefix": "p"},
        "ReaderConfig": {"Transformation": "LOAD_AND_FLATTEN", "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "MaxItems": 100}});
    let object = |key: &str| asl_engine::StoredObject {
        key: key.to_owned(),
        size: 9,
        etag: "\"e\"".to_owned(),
        last_modified: 1_700_000_000,
        storage_class: "STANDARD".to_owned(),
    };
    let listing = StorageResult::Listing(vec![object("p/1"), object("p/2"), object("p/3")]);
    let file = StorageResult::Object(b"a,b\n1,2\n".to_vec());
    let given = |id, result| Input::StorageSucceeded {
        id: EffectId(id),
        result,
    };
    Sample::new(
        "reading",
        json!({"Map": distributed(json!({"ItemReader": reader}))}),
        json!({}),
    )
    .then(1, given(0, listing))
    .then(2, given(1, file))
}

/// A dataset that is too heavy to be held: children run while the rest of it is requested.
fn reading_again() -> Sample {
    let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key": "k"},
        "ReaderConfig": {"InputType": "JSONL"}});
    let text = b"1\n[2]\n{\"a\": 3}\n\"four\"\n5\n";
    let part = |id, from: usize, to: usize| Input::StorageSucceeded {
        id: EffectId(id),
        result: StorageResult::Part(ObjectPart {
            bytes: text[from..to].to_vec(),
            size: text.len() as u64,
            etag: Some("\"e\"".to_owned()),
        }),
    };
    let fields = json!({"ItemReader": reader, "MaxConcurrency": 2, "ToleratedFailureCount": 3});
    let failed = Outcome::Failed(ErrorOutput::without_cause("E"));
    Sample::new(
        "reading_again",
        json!({"Map": distributed(fields)}),
        json!({}),
    )
    .starting(|start| start.limits.max_held_items_bytes = Some(400))
    .then(1, part(0, 0, 13))
    .then(2, part(1, 13, text.len()))
    .then(3, part(2, 0, 13))
    .then(4, child_ended(3, failed))
    .then(5, child_ended(4, Outcome::Succeeded(json!("b").into())))
}

fn running() -> Sample {
    let fields = json!({"ItemBatcher": {"MaxItemsPerBatch": 2, "BatchInput": {"k.$": "$.k"}}, "ItemsPath": "$.items",
        "ToleratedFailurePercentage": 50});
    let input = json!({"k": 1, "items": [1, 2, 3, 4, 5, 6, 7]});
    let failed = Outcome::Failed(ErrorOutput::without_cause("E"));
    Sample::new("running", json!({"Map": distributed(fields)}), input)
        .then(1, child_ended(1, Outcome::Succeeded(json!(["b"]).into())))
        .then(2, child_ended(0, failed))
}

fn writing() -> Sample {
    let writer = json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "out", "Prefix": "p"}});
    let map = distributed(json!({"ResultWriter": writer, "ToleratedFailureCount": 2}));
    Sample::new("writing", json!({"Map": map}), json!([1, 2]))
        .then(1, child_ended(0, Outcome::Succeeded(json!("ä").into())))
        .then(2, child_ended(1, Outcome::TimedOut))
        .then(
            3,
            Input::StorageSucceeded {
                id: EffectId(2),
                result: StorageResult::Written,
            },
        )
}

/// Returns a child of [`running`].
fn child() -> Sample {
    let parent = running();
    let host = parent.host();
    let child = host
        .execution
        .pending()
        .find_map(|pending| match pending.effect {
            Effect::Child(child) => Some(child),
            _ => None,
        });
    let begin = Begin::Child(child.expect("a child runs"));
    Sample {
        name: "child",
        begin,
        inputs: vec![(
            3,
            Input::TaskStarted {
                id: EffectId(0),
                worker_name: None,
            },
        )],
        ..parent
    }
}

fn retrying() -> Sample {
    let mut task = task();
    task["Retry"] = json!([
        {"ErrorEquals": ["Other"]},
        {"ErrorEquals": ["E"], "IntervalSeconds": 10, "BackoffRate": 3, "JitterStrategy": "FULL"}]);
    Sample::new("retrying", json!({"Ask": task}), json!({}))
        .starting(|start| start.record_history = true)
        .then(1, failed_task(0, "E"))
        .then(31, Input::TimePassed)
        .then(32, failed_task(1, "E"))
}

fn parallel(name: &'static str) -> Sample {
    let branch = |name: &str| json!({"StartAt": name, "States": {name: task()}});
    let parallel = json!({"Type": "Parallel", "Branches": [branch("A"), branch("B"), branch("C")], "End": true});
    Sample::new(name, json!({"All": parallel}), json!({"shared": [true]}))
        .then(1, succeeded(1, json!("b")))
        .then(2, failed_task(0, "E"))
}

fn failed() -> Sample {
    parallel("failed")
}

fn redriven() -> Sample {
    parallel("redriven")
        .then(60, Input::Redrive)
        .then(61, succeeded(3, json!("a")))
}

fn variables() -> Sample {
    let inner = json!({"StartAt": "Inner", "States": {
        "Inner": {"Type": "Pass", "Assign": {"inner": "{% $outer %}"}, "Output": "{% $outer %}", "Next": "Wait"},
        "Wait": {"Type": "Wait", "Seconds": 60, "Output": "{% [$inner, $outer, $list] %}", "End": true}}});
    let states = json!({
        "Outer": {"Type": "Pass", "Assign": {"outer": "{% $states.input %}", "list": []}, "Next": "More"},
        "More": {"Type": "Pass", "Assign": {"list": "{% $append($list, [1, $uuid()]) %}"}, "Next": "All"},
        "All": {"Type": "Parallel", "Branches": [inner], "End": true}});
    let mut sample = Sample::new("variables", states, json!({"big": "data"}));
    sample.definition["QueryLanguage"] = json!("JSONata");
    sample.starting(|start| start.seed = Some(u64::MAX))
}

/// Polled up to an event in the middle of its states.
fn unpolled() -> Sample {
    let mut sample = parallel("unpolled");
    sample.unpolled = true;
    sample.starting(|start| {
        start.record_history = true;
        start.input_text = Some(r#"{ "shared": [true] }"#.into());
        start.context = Map::from_iter([("Execution".to_owned(), json!({"Name": "other"}))]);
    })
}

fn one_state() -> Sample {
    let sample = Sample::new(
        "one_state",
        json!({"Before": {"Type": "Pass", "Next": "Ask"}, "Ask": task()}),
        json!(1),
    );
    let state = sample.program().find_state("Ask").expect("a state");
    sample.starting(|start| {
        start.at = Some(Box::new(
            StartAt::new(state)
                .with_variables(Map::from_iter([("given".to_owned(), json!([1]))]))
                .with_retry_count(2)
                .with_only(true),
        ));
    })
}

/// Returns a Map State whose iterations failed once, for which something stands in, with a Context Object of its own.
fn mocked() -> Sample {
    let sample = Sample::new(
        "mocked",
        json!({"Each": {"Type": "Map", "QueryLanguage": "JSONata", "End": true, "Retry": [{"ErrorEquals": ["Busy"]}],
            "ItemProcessor": {"StartAt": "Ask", "States": {"Ask": {"Type": "Pass", "End": true}}}}}),
        json!([1, 2]),
    );
    let state = sample.program().find_state("Each").expect("a state");
    sample.starting(|start| {
        start.at = Some(Box::new(
            StartAt::new(state)
                .with_retry_count(1)
                .with_only(true)
                .with_context(json!({"Execution": {"Name": "given"}}))
                .with_children(
                    MockedChildren::new(MockedOutcome::Failed(ErrorOutput::new("Busy", "later")))
                        .with_failed_iterations(1)
                        .with_reads_items(true),
                ),
        ));
    })
}

fn ended() -> Sample {
    Sample::new("ended", json!({"Ask": task()}), json!({})).then(5, succeeded(0, json!({"a": "é"})))
}

/// Random numbers of each kind, in calls of three transitions at most.
fn yielding() -> Sample {
    let draw = json!({"id.$": "States.UUID()", "number.$": "States.MathRandom(1, 1000000)", "before.$": "$"});
    let mut states = Map::new();
    for number in 0..8 {
        let name = |number: u32| format!("Draw {number}");
        let pass = json!({"Type": "Pass", "Parameters": draw, "Next": name(number + 1)});
        states.insert(name(number), pass);
    }
    let last = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Next": "Wait",
        "Output": "{% [$states.input, $uuid(), $random(), $millis()] %}"});
    states.insert("Draw 8".to_owned(), last);
    states.insert(
        "Wait".to_owned(),
        json!({"Type": "Wait", "Seconds": 5, "Next": "Ask"}),
    );
    states.insert("Ask".to_owned(), task());
    Sample::new("yielding", Value::Object(states), json!(null))
        .starting(|start| start.limits.turn_cost = 3)
        .then(5, Input::TimePassed)
}

//! The fields of states, by what they are about.
use super::setting::{Language, Setting};
use super::values::{
    arguments, expression, json, output, path, reference_path, single_path, template,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Fields of one state.
pub(super) type Fields = Map<String, Value>;

pub(super) fn maybe(
    name: &'static str,
    value: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Fields> {
    prop::option::of(value)
        .prop_map(move |value| {
            value
                .map(|value| (name.to_owned(), value))
                .into_iter()
                .collect()
        })
        .boxed()
}

pub(super) fn text<T: Into<Value> + std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Value> {
    value.prop_map(Into::into).boxed()
}

/// A number, or a path or an expression that gives it, or neither.
pub(super) fn pair(
    setting: Setting,
    name: &'static str,
    path_name: &'static str,
    number: std::ops::Range<u64>,
) -> BoxedStrategy<Fields> {
    let dynamic = match setting.language {
        Language::JsonPath => maybe(path_name, text(single_path())),
        Language::Jsonata => maybe(name, text(expression())),
    };
    prop_oneof![maybe(name, text(number)), dynamic].boxed()
}

pub(super) fn all(parts: Vec<BoxedStrategy<Fields>>) -> BoxedStrategy<Fields> {
    parts
        .prop_map(|parts| parts.into_iter().flatten().collect())
        .boxed()
}

fn data_path(name: &'static str) -> BoxedStrategy<Fields> {
    maybe(name, prop_oneof![text(path()), Just(Value::Null)])
}

fn result_path() -> BoxedStrategy<Fields> {
    maybe(
        "ResultPath",
        prop_oneof![text(reference_path()), Just(Value::Null)],
    )
}

/// What every state but Fail has, and "QueryLanguage" where the state needs to say it.
fn common(setting: Setting) -> BoxedStrategy<Fields> {
    let comment = maybe("Comment", text("[a-zé ]{0,8}"));
    all(vec![comment, query_language(setting)])
}

fn query_language(setting: Setting) -> BoxedStrategy<Fields> {
    let name = text(Just(setting.language.name()));
    match setting.is_machines_language() {
        true => maybe("QueryLanguage", name),
        false => always("QueryLanguage", name),
    }
}

fn always(name: &'static str, value: BoxedStrategy<Value>) -> BoxedStrategy<Fields> {
    value
        .prop_map(move |value| Fields::from_iter([(name.to_owned(), value)]))
        .boxed()
}

/// The output of a state without a result.
fn passing(setting: Setting) -> BoxedStrategy<Fields> {
    let processing = match setting.language {
        Language::JsonPath => all(vec![data_path("InputPath"), data_path("OutputPath")]),
        Language::Jsonata => maybe("Output", arguments()),
    };
    all(vec![common(setting), processing])
}

/// "Assign", of names that only scopes of this depth have.
pub(super) fn assign(
    setting: Setting,
    value: impl Fn() -> BoxedStrategy<Value>,
) -> BoxedStrategy<Fields> {
    let depth = setting.depth;
    let assignment = |name: &'static str| {
        prop::option::of(value()).prop_map(move |value| match (value, setting.language) {
            (None, _) => Fields::new(),
            // What a template of one field would have is taken as the field.
            (Some(Value::Object(mut fields)), Language::JsonPath) if fields.contains_key("x.$") => {
                let value = fields.remove("x.$").unwrap_or_default();
                Fields::from_iter([(format!("{name}{depth}.$"), value)])
            }
            (Some(value), _) => Fields::from_iter([(format!("{name}{depth}"), value)]),
        })
    };
    let variables = all(vec![assignment("v").boxed(), assignment("größe").boxed()]);
    maybe("Assign", text(variables))
}

fn entry_assign(setting: Setting) -> BoxedStrategy<Fields> {
    assign(setting, move || match setting.language {
        Language::JsonPath => template().boxed(),
        Language::Jsonata => arguments().boxed(),
    })
}

fn result_assign(setting: Setting) -> BoxedStrategy<Fields> {
    assign(setting, move || match setting.language {
        Language::JsonPath => template().boxed(),
        Language::Jsonata => output().boxed(),
    })
}

pub(super) fn pass(setting: Setting) -> BoxedStrategy<Fields> {
    let own = match setting.language {
        Language::JsonPath => all(vec![
            maybe("Parameters", template()),
            maybe("Result", json()),
            result_path(),
        ]),
        Language::Jsonata => Just(Fields::new()).boxed(),
    };
    all(vec![passing(setting), own, entry_assign(setting)])
}

pub(super) fn succeed(setting: Setting) -> BoxedStrategy<Fields> {
    passing(setting)
}

/// A Choice State without its rules.
pub(super) fn choice(setting: Setting) -> BoxedStrategy<Fields> {
    all(vec![passing(setting), entry_assign(setting)])
}

pub(super) fn fail(setting: Setting) -> BoxedStrategy<Fields> {
    let texts = |name, path_name| {
        let dynamic = match setting.language {
            Language::JsonPath => maybe(
                path_name,
                prop_oneof![
                    text(single_path()),
                    text(Just("States.Format('{} {}', $.a, $v0)"))
                ],
            ),
            Language::Jsonata => maybe(name, text(expression())),
        };
        prop_oneof![maybe(name, text("[A-Z][a-z]{0,5}")), dynamic].boxed()
    };
    all(vec![
        query_language(setting),
        texts("Error", "ErrorPath"),
        texts("Cause", "CausePath"),
    ])
}

pub(super) fn wait(setting: Setting) -> BoxedStrategy<Fields> {
    let moments = vec![
        "2016-03-14T01:59:00Z",
        "1999-12-31T23:59:59.999999999-11:30",
    ];
    let dynamic = |name, path_name| match setting.language {
        Language::JsonPath => always(path_name, text(single_path())),
        Language::Jsonata => always(name, text(expression())),
    };
    let duration = prop_oneof![
        always("Seconds", text(0..100_u64)),
        dynamic("Seconds", "SecondsPath"),
        always("Timestamp", text(select(moments))),
        dynamic("Timestamp", "TimestampPath"),
    ];
    all(vec![
        passing(setting),
        duration.boxed(),
        entry_assign(setting),
    ])
}

/// What a Task, Parallel or Map State makes of its result.
pub(super) fn results(setting: Setting) -> BoxedStrategy<Fields> {
    let processing = match setting.language {
        Language::JsonPath => all(vec![
            data_path("InputPath"),
            data_path("OutputPath"),
            maybe("ResultSelector", template()),
            result_path(),
        ]),
        Language::Jsonata => maybe("Output", output()),
    };
    all(vec![
        common(setting),
        processing,
        result_assign(setting),
        maybe("Retry", retry()),
    ])
}

/// What a Task or Parallel State hands on.
fn payload(setting: Setting) -> BoxedStrategy<Fields> {
    match setting.language {
        Language::JsonPath => maybe("Parameters", template()),
        Language::Jsonata => maybe("Arguments", arguments()),
    }
}

pub(super) fn task(setting: Setting) -> BoxedStrategy<Fields> {
    let resources = vec![
        "arn:aws:states:::lambda:invoke",
        "arn:aws:lambda:us-east-1:123456789012:function:F:$LATEST",
        "arn:aws:states:us-east-1:123456789012:activity:A",
    ];
    let resource = select(resources)
        .prop_map(|resource| Fields::from_iter([("Resource".to_owned(), resource.into())]));
    let role = match setting.language {
        Language::JsonPath => json!({"RoleArn.$": "$.role"}),
        Language::Jsonata => json!({"RoleArn": "{% $v0.role %}"}),
    };
    all(vec![
        resource.boxed(),
        results(setting),
        payload(setting),
        maybe("Credentials", Just(role)),
        pair(setting, "TimeoutSeconds", "TimeoutSecondsPath", 10..100),
        pair(setting, "HeartbeatSeconds", "HeartbeatSecondsPath", 1..10),
    ])
}

pub(super) fn parallel(setting: Setting) -> BoxedStrategy<Fields> {
    all(vec![results(setting), payload(setting)])
}

fn retry() -> BoxedStrategy<Value> {
    let retrier = (
        error_equals(),
        1..9_u64,
        0..4_u64,
        1.0..3.0_f64,
        1..99_u64,
        any::<bool>(),
    );
    let retrier = retrier.prop_map(|(errors, interval, attempts, rate, delay, full)| {
        json!({
            "ErrorEquals": errors,
            "IntervalSeconds": interval,
            "MaxAttempts": attempts,
            "BackoffRate": rate,
            "MaxDelaySeconds": delay,
            "JitterStrategy": if full { "FULL" } else { "NONE" },
        })
    });
    (prop::collection::vec(retrier, 0..3), any::<bool>())
        .prop_map(|(mut retry, wildcard)| {
            if wildcard {
                retry.push(json!({"ErrorEquals": ["States.ALL"]}));
            }
            retry.into()
        })
        .boxed()
}

/// "ErrorEquals" without the wildcard.
pub(super) fn error_equals() -> BoxedStrategy<Value> {
    let name = select(vec![
        "States.Timeout",
        "States.TaskFailed",
        "Boom",
        "Lambda.Unknown",
    ]);
    prop::collection::vec(name, 1..3)
        .prop_map(|names| json!(names))
        .boxed()
}

/// What a catcher has besides the errors that it catches and the state that it leads to.
pub(super) fn catcher(setting: Setting) -> BoxedStrategy<Fields> {
    let caught =
        || prop_oneof![arguments(), Just("{% $states.errorOutput.Cause %}".into())].boxed();
    match setting.language {
        Language::JsonPath => all(vec![result_path(), assign(setting, || template().boxed())]),
        Language::Jsonata => all(vec![maybe("Output", caught()), assign(setting, caught)]),
    }
}

//! States, retriers and catchers.
use super::object::{ObjectPrinter, number};
use super::{choice, map, states};
use crate::{
    Catcher, CatcherOutput, Retrier, State, StateKind, TextField, Transition, WaitDuration,
};
use serde_json::Value;

pub(super) fn state(state: &State) -> Value {
    let mut fields = ObjectPrinter::default();
    fields.put("Type", state.state_type().as_str());
    fields.text("Comment", state.comment.as_deref());
    fields.word("QueryLanguage", state.query_language);
    before_input(&mut fields, &state.kind);
    fields.input_processing(&state.processing);
    before_output(&mut fields, state);
    fields.output_processing(&state.processing, state.assign.as_ref());
    if let StateKind::Task(task) = &state.kind {
        fields.template("Credentials", task.credentials.as_ref());
        fields.whole("TimeoutSeconds", task.timeout.as_ref());
        fields.whole("HeartbeatSeconds", task.heartbeat.as_ref());
    }
    fields.list("Retry", state.retry.iter().map(retrier).collect());
    fields.list("Catch", state.catch.iter().map(catcher).collect());
    match &state.transition {
        Some(Transition::Next(name)) => fields.put("Next", name.as_str()),
        Some(Transition::End) => fields.put("End", true),
        None => {}
    }
    fields.into()
}

/// Adds the fields of the type that precede "InputPath".
fn before_input(fields: &mut ObjectPrinter, kind: &StateKind) {
    match kind {
        StateKind::Pass(_) | StateKind::Succeed => {}
        StateKind::Task(task) => fields.put("Resource", task.resource.uri.as_str()),
        StateKind::Choice(choice) => choice::choice(fields, choice),
        StateKind::Wait(wait) => duration(fields, &wait.duration),
        StateKind::Fail(fail) => {
            text_field(fields, "Error", fail.error.as_ref());
            text_field(fields, "Cause", fail.cause.as_ref());
        }
        StateKind::Parallel(parallel) => {
            let branches = parallel.branches.iter().map(|branch| states(branch).into());
            fields.put("Branches", branches.collect::<Vec<Value>>());
        }
        StateKind::Map(map) => fields.text("Label", map.label.as_deref()),
    }
}

/// Adds the fields of the type that precede "ResultSelector".
fn before_output(fields: &mut ObjectPrinter, state: &State) {
    match &state.kind {
        StateKind::Pass(pass) => fields.some("Result", pass.result.clone()),
        StateKind::Map(map) => map::map(fields, map, state.processing.query_language()),
        _ => {}
    }
}

fn duration(fields: &mut ObjectPrinter, duration: &WaitDuration) {
    match duration {
        WaitDuration::Seconds(seconds) => fields.put("Seconds", *seconds),
        WaitDuration::SecondsPath(path) => fields.put("SecondsPath", path.source()),
        WaitDuration::Timestamp(_, text) => fields.put("Timestamp", text.as_str()),
        WaitDuration::TimestampPath(path) => fields.put("TimestampPath", path.source()),
        WaitDuration::SecondsExpression(expression) => fields.put("Seconds", expression.text()),
        WaitDuration::TimestampExpression(expression) => fields.put("Timestamp", expression.text()),
    }
}

fn text_field(fields: &mut ObjectPrinter, name: &str, text: Option<&TextField>) {
    let path = format!("{name}Path");
    match text {
        None => {}
        Some(TextField::Text(text)) => fields.put(name, text.as_str()),
        Some(TextField::Path(text)) => fields.put(&path, text.source()),
        Some(TextField::Intrinsic(text)) => fields.put(&path, text.source()),
        Some(TextField::Expression(text)) => fields.put(name, text.text()),
    }
}

fn retrier(retrier: &Retrier) -> Value {
    let mut fields = ObjectPrinter::default();
    fields.put("ErrorEquals", retrier.error_equals.0.clone());
    fields.some("IntervalSeconds", retrier.interval_seconds);
    fields.some("MaxAttempts", retrier.max_attempts);
    fields.some("BackoffRate", retrier.backoff_rate.map(number));
    fields.some("MaxDelaySeconds", retrier.max_delay_seconds);
    fields.word("JitterStrategy", retrier.jitter_strategy);
    fields.text("Comment", retrier.comment.as_deref());
    fields.into()
}

fn catcher(catcher: &Catcher) -> Value {
    let mut fields = ObjectPrinter::default();
    fields.put("ErrorEquals", catcher.error_equals.0.clone());
    match &catcher.output {
        CatcherOutput::JsonPath(path) => fields.result_path(path),
        CatcherOutput::Jsonata(output) => fields.template("Output", output.as_ref()),
    }
    fields.assign(catcher.assign.as_ref());
    fields.put("Next", catcher.next.as_str());
    fields.text("Comment", catcher.comment.as_deref());
    fields.into()
}

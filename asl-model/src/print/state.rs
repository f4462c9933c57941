//! States of all types but Choice and Map, retriers and catchers.
use super::object::{Printed, number};
use super::{choice, map, query_language, states};
use crate::{
    Catcher, Fail, JitterStrategy, Parallel, Pass, Retrier, State, StateKind, Succeed, Task,
    TextField, Transition, Wait, WaitDuration,
};
use serde_json::Value;

pub(super) fn state(state: &State) -> Value {
    let name = match state.kind {
        StateKind::Pass(_) => "Pass",
        StateKind::Task(_) => "Task",
        StateKind::Choice(_) => "Choice",
        StateKind::Wait(_) => "Wait",
        StateKind::Succeed(_) => "Succeed",
        StateKind::Fail(_) => "Fail",
        StateKind::Parallel(_) => "Parallel",
        StateKind::Map(_) => "Map",
    };
    let mut fields = Printed::default();
    fields.put("Type", name);
    fields.text("Comment", state.comment.as_deref());
    fields.some("QueryLanguage", state.query_language.map(query_language));
    match &state.kind {
        StateKind::Pass(state) => pass(&mut fields, state),
        StateKind::Task(state) => task(&mut fields, state),
        StateKind::Choice(state) => choice::choice(&mut fields, state),
        StateKind::Wait(state) => wait(&mut fields, state),
        StateKind::Succeed(state) => succeed(&mut fields, state),
        StateKind::Fail(state) => fail(&mut fields, state),
        StateKind::Parallel(state) => parallel(&mut fields, state),
        StateKind::Map(state) => map::map(&mut fields, state),
    }
    fields.into()
}

pub(super) fn transition(fields: &mut Printed, transition: &Transition) {
    match transition {
        Transition::Next(name) => fields.put("Next", name.as_str()),
        Transition::End => fields.put("End", true),
    }
}

fn pass(fields: &mut Printed, state: &Pass) {
    fields.data_path("InputPath", &state.input_path);
    fields.template("Parameters", state.parameters.as_ref());
    fields.some("Result", state.result.clone());
    fields.result_path(&state.result_path);
    fields.data_path("OutputPath", &state.output_path);
    transition(fields, &state.transition);
}

fn task(fields: &mut Printed, state: &Task) {
    fields.put("Resource", state.resource.as_str());
    fields.data_path("InputPath", &state.input_path);
    fields.template("Parameters", state.parameters.as_ref());
    fields.template("ResultSelector", state.result_selector.as_ref());
    fields.result_path(&state.result_path);
    fields.data_path("OutputPath", &state.output_path);
    fields.template("Credentials", state.credentials.as_ref());
    fields.whole("TimeoutSeconds", state.timeout.as_ref());
    fields.whole("HeartbeatSeconds", state.heartbeat.as_ref());
    retry(fields, &state.retry);
    catch(fields, &state.catch);
    transition(fields, &state.transition);
}

fn wait(fields: &mut Printed, state: &Wait) {
    match &state.duration {
        WaitDuration::Seconds(seconds) => fields.put("Seconds", *seconds),
        WaitDuration::SecondsPath(path) => fields.put("SecondsPath", path.source()),
        WaitDuration::Timestamp(_, text) => fields.put("Timestamp", text.as_str()),
        WaitDuration::TimestampPath(path) => fields.put("TimestampPath", path.source()),
    }
    fields.data_path("InputPath", &state.input_path);
    fields.data_path("OutputPath", &state.output_path);
    transition(fields, &state.transition);
}

fn succeed(fields: &mut Printed, state: &Succeed) {
    fields.data_path("InputPath", &state.input_path);
    fields.data_path("OutputPath", &state.output_path);
}

fn fail(fields: &mut Printed, state: &Fail) {
    text_field(fields, "Error", state.error.as_ref());
    text_field(fields, "Cause", state.cause.as_ref());
}

fn text_field(fields: &mut Printed, name: &str, text: Option<&TextField>) {
    let path = format!("{name}Path");
    match text {
        None => {}
        Some(TextField::Text(text)) => fields.put(name, text.as_str()),
        Some(TextField::Path(text)) => fields.put(&path, text.source()),
        Some(TextField::Intrinsic(text)) => fields.put(&path, text.source()),
    }
}

fn parallel(fields: &mut Printed, state: &Parallel) {
    let branches = state.branches.iter().map(|branch| states(branch).into());
    fields.put("Branches", branches.collect::<Vec<Value>>());
    fields.data_path("InputPath", &state.input_path);
    fields.template("Parameters", state.parameters.as_ref());
    fields.template("ResultSelector", state.result_selector.as_ref());
    fields.result_path(&state.result_path);
    fields.data_path("OutputPath", &state.output_path);
    retry(fields, &state.retry);
    catch(fields, &state.catch);
    transition(fields, &state.transition);
}

pub(super) fn retry(fields: &mut Printed, list: &[Retrier]) {
    fields.list("Retry", list.iter().map(retrier).collect());
}

fn retrier(retrier: &Retrier) -> Value {
    let mut fields = Printed::default();
    fields.put("ErrorEquals", retrier.error_equals.0.clone());
    fields.some("IntervalSeconds", retrier.interval_seconds);
    fields.some("MaxAttempts", retrier.max_attempts);
    fields.some("BackoffRate", retrier.backoff_rate.map(number));
    fields.some("MaxDelaySeconds", retrier.max_delay_seconds);
    let strategy = retrier.jitter_strategy.map(|strategy| match strategy {
        JitterStrategy::Full => "FULL",
        JitterStrategy::None => "NONE",
    });
    fields.some("JitterStrategy", strategy);
    fields.text("Comment", retrier.comment.as_deref());
    fields.into()
}

pub(super) fn catch(fields: &mut Printed, list: &[Catcher]) {
    fields.list("Catch", list.iter().map(catcher).collect());
}

fn catcher(catcher: &Catcher) -> Value {
    let mut fields = Printed::default();
    fields.put("ErrorEquals", catcher.error_equals.0.clone());
    fields.result_path(&catcher.result_path);
    fields.put("Next", catcher.next.as_str());
    fields.text("Comment", catcher.comment.as_deref());
    fields.into()
}

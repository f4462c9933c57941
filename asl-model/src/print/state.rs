//! States of all types but Choice and Map, retriers and catchers.
use super::object::{Printed, number};
use super::{choice, map, states};
use crate::{
    Catcher, CatcherOutput, Fail, Parallel, Pass, Retrier, State, StateKind, Succeed, Task,
    TextField, Transition, Wait, WaitDuration,
};
use serde_json::Value;

pub(super) fn state(state: &State) -> Value {
    let mut fields = Printed::default();
    fields.put("Type", state.state_type().as_str());
    fields.text("Comment", state.comment.as_deref());
    fields.word("QueryLanguage", state.query_language);
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
    fields.input_processing(&state.processing);
    fields.some("Result", state.result.clone());
    fields.output_processing(&state.processing, state.assign.as_ref());
    transition(fields, &state.transition);
}

fn task(fields: &mut Printed, state: &Task) {
    fields.put("Resource", state.resource.uri.as_str());
    fields.input_processing(&state.processing);
    fields.output_processing(&state.processing, state.assign.as_ref());
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
        WaitDuration::SecondsExpression(expression) => fields.put("Seconds", expression.text()),
        WaitDuration::TimestampExpression(expression) => fields.put("Timestamp", expression.text()),
    }
    fields.input_processing(&state.processing);
    fields.output_processing(&state.processing, state.assign.as_ref());
    transition(fields, &state.transition);
}

fn succeed(fields: &mut Printed, state: &Succeed) {
    fields.input_processing(&state.processing);
    fields.output_processing(&state.processing, None);
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
        Some(TextField::Expression(text)) => fields.put(name, text.text()),
    }
}

fn parallel(fields: &mut Printed, state: &Parallel) {
    let branches = state.branches.iter().map(|branch| states(branch).into());
    fields.put("Branches", branches.collect::<Vec<Value>>());
    fields.input_processing(&state.processing);
    fields.output_processing(&state.processing, state.assign.as_ref());
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
    fields.word("JitterStrategy", retrier.jitter_strategy);
    fields.text("Comment", retrier.comment.as_deref());
    fields.into()
}

pub(super) fn catch(fields: &mut Printed, list: &[Catcher]) {
    fields.list("Catch", list.iter().map(catcher).collect());
}

fn catcher(catcher: &Catcher) -> Value {
    let mut fields = Printed::default();
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

//! Data flow through a state (2024 specification, Input and Output Processing; Using Assign).
use super::choice::ChoiceInput;
use super::exit::{StateExit, assign};
use super::object::Object;
use super::reading::{Sources, StateReader};
use super::shape::Shape;
use crate::flow::transitions::Way;
use crate::subject::{PlacedState, Subject};
use asl_model::{
    Catcher, CatcherOutput, DataPath, Items, JsonPathProcessing, Map, Processing, ProcessorMode,
    ResultPath, StateKind, TextField, WaitDuration,
};
use asl_path::Path;
use std::sync::Arc;

/// Data at the entry of a state.
pub(super) struct StateEntry {
    /// The effective input.
    effective: Shape,
    /// Input of its work: for a Map or Parallel State, the input of nested states.
    pub(super) given: Shape,
    /// Description of the items of a Map State that are never an array.
    pub(super) no_array: Option<String>,
}

pub(super) fn enter<'m>(
    subject: &Subject<'m>,
    placed: &PlacedState<'m>,
    reading: &mut StateReader<'_, 'm>,
    input: &Shape,
) -> StateEntry {
    let has_result = matches!(&placed.state.kind, StateKind::Pass(pass) if pass.result.is_some());
    let effective = match &placed.state.processing {
        // A result takes the place of the effective input, which is not selected.
        Processing::JsonPath(_) if has_result => input.clone(),
        Processing::JsonPath(processing) => reading.at("InputPath", |reading| {
            selected(reading, &processing.input_path, input)
        }),
        Processing::Jsonata(_) => input.clone(),
    };
    let sources = Sources::input(&effective);
    let payload = placed.state.processing.payload();
    let name = match &placed.state.processing {
        Processing::JsonPath(_) => "Parameters",
        Processing::Jsonata(_) => "Arguments",
    };
    let (given, no_array) = match (&placed.state.kind, payload) {
        (StateKind::Map(map), _) => {
            let items = items(subject, map, reading, &effective);
            let given = iteration_input(map, reading, &items.shape, sources);
            (given, items.no_array)
        }
        (StateKind::Pass(pass), _) if pass.result.is_some() => {
            let result = pass.result.as_ref();
            (result.map_or(Shape::Anything, Shape::of_value), None)
        }
        (_, Some(template)) => {
            let given = reading.at(name, |reading| reading.template(&template.root, sources));
            (given, None)
        }
        (_, None) => (effective.clone(), None),
    };
    StateEntry {
        effective,
        given,
        no_array,
    }
}

fn selected(reading: &mut StateReader<'_, '_>, path: &DataPath, data: &Shape) -> Shape {
    match path {
        DataPath::Absent => data.clone(),
        DataPath::Null if data.is_nothing() => Shape::Nothing,
        DataPath::Null => Shape::object(Object::default()),
        DataPath::Path(path) => reading.path(path, data),
    }
}

struct MapItems {
    shape: Shape,
    no_array: Option<String>,
}

fn items<'m>(
    subject: &Subject<'m>,
    map: &Map,
    reading: &mut StateReader<'_, 'm>,
    effective: &Shape,
) -> MapItems {
    let shape = match &map.items {
        _ if map.item_reader.is_some() => Shape::Anything,
        None => effective.clone(),
        Some(Items::Path(items)) => {
            reading.at("ItemsPath", |reading| reading.path(&items.path, effective))
        }
        Some(Items::Template(template)) => {
            let sources = Sources::input(effective);
            reading.at("Items", |reading| reading.template(&template.root, sources))
        }
    };
    let (may_be_array, may_be_object) = shape.may_be_array_or_object();
    let takes_objects = is_distributed(map) && subject.options.profile.takes_objects_as_items();
    if may_be_object && takes_objects {
        return MapItems {
            shape: Shape::Anything,
            no_array: None,
        };
    }
    let no_array = (!may_be_array && !shape.is_nothing()).then(|| shape.described());
    MapItems { shape, no_array }
}

fn is_distributed(map: &Map) -> bool {
    let config = map.item_processor.processor_config.as_ref();
    config.and_then(|config| config.mode) == Some(ProcessorMode::Distributed)
}

fn iteration_input(
    map: &Map,
    reading: &mut StateReader<'_, '_>,
    items: &Shape,
    sources: Sources<'_>,
) -> Shape {
    let name = match map.spelling.parameters {
        true => "Parameters",
        false => "ItemSelector",
    };
    let selected = map
        .item_selector
        .as_ref()
        .map(|selector| reading.at(name, |reading| reading.template(&selector.root, sources)));
    match selected {
        _ if items.is_nothing() => Shape::Nothing,
        Some(shape) if shape.is_nothing() => Shape::Nothing,
        _ if map.item_batcher.is_some() => Shape::Anything,
        Some(shape) => shape,
        None => items.elements(),
    }
}

/// Computes the exit of a state; `within` has the outputs of its branches or its processor.
pub(super) fn leave<'m>(
    placed: &PlacedState<'m>,
    reading: &mut StateReader<'_, 'm>,
    input: &Shape,
    entered: &StateEntry,
    within: &[Shape],
) -> StateExit<'m> {
    let state = placed.state;
    let mut left = StateExit::default();
    match &state.kind {
        StateKind::Choice(choice) => {
            let chosen = ChoiceInput {
                choice,
                effective: &entered.effective,
            };
            chosen.leave(state, reading, &mut left);
            return left;
        }
        StateKind::Fail(fail) => {
            text(reading, "Error", fail.error.as_ref(), input);
            text(reading, "Cause", fail.cause.as_ref(), input);
            return left;
        }
        StateKind::Wait(wait) => duration(reading, &wait.duration, &entered.effective),
        _ => {}
    }
    for (index, catcher) in state.catch.iter().enumerate() {
        let caught = reading.at("Catch", |reading| {
            reading.at_index(index, |reading| caught(reading, catcher, input, &mut left))
        });
        left.ways.push((Way::Catcher(index), caught));
    }
    let result = result(&state.kind, &entered.given, within);
    let output = output(placed, reading, input, entered, &result, &mut left);
    match &state.transition {
        Some(asl_model::Transition::Next(_)) => left.ways.push((Way::Next, output)),
        Some(asl_model::Transition::End) => left.end = Some(output),
        None => left.end = matches!(state.kind, StateKind::Succeed).then_some(output),
    }
    left
}

/// Returns the shape of the result.
fn result(kind: &StateKind, given: &Shape, within: &[Shape]) -> Shape {
    match kind {
        _ if given.is_nothing() && !matches!(kind, StateKind::Map(_)) => Shape::Nothing,
        StateKind::Task(_) => Shape::Anything,
        StateKind::Parallel(_) if within.iter().any(Shape::is_nothing) => Shape::Nothing,
        StateKind::Parallel(_) => {
            let all = within.iter().fold(Shape::Nothing, |all, one| all.join(one));
            Shape::array_of(all)
        }
        StateKind::Map(map) if map.result_writer.is_some() => Shape::Anything,
        StateKind::Map(map) if is_distributed(map) => Shape::array_of(Shape::Anything),
        // Without items it gives an empty array, whatever is within.
        StateKind::Map(_) => Shape::array_of(within.first().cloned().unwrap_or(Shape::Nothing)),
        _ => given.clone(),
    }
}

fn output<'m>(
    placed: &PlacedState<'m>,
    reading: &mut StateReader<'_, 'm>,
    input: &Shape,
    entered: &StateEntry,
    result: &Shape,
    left: &mut StateExit<'m>,
) -> Shape {
    let state = placed.state;
    let has_result = matches!(
        state.kind,
        StateKind::Pass(_) | StateKind::Task(_) | StateKind::Parallel(_) | StateKind::Map(_)
    );
    match &state.processing {
        Processing::JsonPath(processing) => {
            let over = match has_result {
                true => result,
                false => &entered.effective,
            };
            assign(reading, state.assign.as_ref(), Sources::input(over), left);
            let combined = match has_result {
                true => combined(processing, reading, input, result),
                false => entered.effective.clone(),
            };
            reading.at("OutputPath", |reading| {
                selected(reading, &processing.output_path, &combined)
            })
        }
        Processing::Jsonata(processing) => {
            let has_result = has_result && !matches!(state.kind, StateKind::Pass(_));
            let sources = Sources {
                result: has_result.then_some(result),
                ..Sources::input(input)
            };
            assign(reading, state.assign.as_ref(), sources, left);
            match &processing.output {
                _ if has_result && result.is_nothing() => Shape::Nothing,
                Some(template) => reading.at("Output", |reading| {
                    reading.template(&template.root, sources)
                }),
                None if has_result => result.clone(),
                None => input.clone(),
            }
        }
    }
}

fn combined(
    processing: &JsonPathProcessing,
    reading: &mut StateReader<'_, '_>,
    input: &Shape,
    result: &Shape,
) -> Shape {
    let result = match &processing.result_selector {
        Some(selector) => &reading.at("ResultSelector", |reading| {
            reading.template(&selector.root, Sources::input(result))
        }),
        None => result,
    };
    placed_at(&processing.result_path, input, result)
}

fn placed_at(path: &ResultPath, input: &Shape, result: &Shape) -> Shape {
    match path {
        _ if result.is_nothing() => Shape::Nothing,
        ResultPath::Absent => result.clone(),
        ResultPath::Null => input.clone(),
        ResultPath::Path(path) => input.written(path.steps(), result),
    }
}

fn caught<'m>(
    reading: &mut StateReader<'_, 'm>,
    catcher: &'m Catcher,
    input: &Shape,
    left: &mut StateExit<'m>,
) -> Shape {
    let fields = ["Error", "Cause"].map(|name| (Arc::from(name), Shape::scalar()));
    let error_output = Shape::object(Object::of(fields));
    match &catcher.output {
        CatcherOutput::JsonPath(path) => {
            assign(
                reading,
                catcher.assign.as_ref(),
                Sources::input(&error_output),
                left,
            );
            placed_at(path, input, &error_output)
        }
        CatcherOutput::Jsonata(output) => {
            let sources = Sources {
                error_output: Some(&error_output),
                ..Sources::input(input)
            };
            assign(reading, catcher.assign.as_ref(), sources, left);
            match output {
                Some(template) => reading.at("Output", |reading| {
                    reading.template(&template.root, sources)
                }),
                None => error_output,
            }
        }
    }
}

fn duration(reading: &mut StateReader<'_, '_>, duration: &WaitDuration, input: &Shape) {
    let sources = Sources::input(input);
    let mut at_path = |field: &str, path: &Path| {
        reading.at(field, |reading| reading.path(path, input));
    };
    match duration {
        WaitDuration::Seconds(_) | WaitDuration::Timestamp(..) => {}
        WaitDuration::SecondsPath(path) => at_path("SecondsPath", path),
        WaitDuration::TimestampPath(path) => at_path("TimestampPath", path),
        WaitDuration::SecondsExpression(expression) => {
            reading.at("Seconds", |reading| reading.expression(expression, sources));
        }
        WaitDuration::TimestampExpression(expression) => {
            reading.at("Timestamp", |reading| {
                reading.expression(expression, sources)
            });
        }
    }
}

/// "Error" and "Cause" of a Fail State, over its raw input.
fn text(reading: &mut StateReader<'_, '_>, name: &str, field: Option<&TextField>, input: &Shape) {
    let by_path = format!("{name}Path");
    match field {
        None | Some(TextField::Text(_)) => {}
        Some(TextField::Path(path)) => {
            reading.at(&by_path, |reading| reading.path(path, input));
        }
        Some(TextField::Intrinsic(intrinsic)) => {
            reading.at(&by_path, |reading| reading.intrinsic(intrinsic, input));
        }
        Some(TextField::Expression(expression)) => {
            let sources = Sources::input(input);
            reading.at(name, |reading| reading.expression(expression, sources));
        }
    }
}

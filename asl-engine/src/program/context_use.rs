//! Whether a state reads the Context Object: only then is it built.
use asl_jsonata::{JsonataString, StatesField};
use asl_model::{
    Assign, Catcher, CatcherOutput, Choice, Condition, DataPath, Items, Map, PayloadTemplate,
    Percentage, Processing, Rule, StateKind, TemplateNode, TextField, WaitDuration, Whole,
};
use asl_path::{Path, Root};

pub(super) fn uses_context(kind: &StateKind) -> bool {
    match kind {
        StateKind::Pass(s) => processing(&s.processing) || assign(s.assign.as_ref()),
        StateKind::Task(s) => {
            processing(&s.processing)
                || assign(s.assign.as_ref())
                || template(s.credentials.as_ref())
                || whole(s.timeout.as_ref())
                || whole(s.heartbeat.as_ref())
                || s.catch.iter().any(catcher)
        }
        StateKind::Choice(s) => choice(s),
        StateKind::Wait(s) => {
            duration(&s.duration) || processing(&s.processing) || assign(s.assign.as_ref())
        }
        StateKind::Succeed(s) => processing(&s.processing),
        StateKind::Fail(s) => [&s.error, &s.cause].into_iter().flatten().any(text),
        StateKind::Parallel(s) => {
            processing(&s.processing) || assign(s.assign.as_ref()) || s.catch.iter().any(catcher)
        }
        StateKind::Map(s) => map(s),
    }
}

fn processing(processing: &Processing) -> bool {
    match processing {
        Processing::JsonPath(p) => {
            data_path(&p.input_path)
                || data_path(&p.output_path)
                || template(p.parameters.as_ref())
                || template(p.result_selector.as_ref())
        }
        Processing::Jsonata(p) => template(p.arguments.as_ref()) || template(p.output.as_ref()),
    }
}

fn choice(s: &Choice) -> bool {
    processing(&s.processing)
        || assign(s.assign.as_ref())
        || s.choices.iter().any(|choice| {
            rule(&choice.rule) || assign(choice.assign.as_ref()) || template(choice.output.as_ref())
        })
}

fn catcher(catcher: &Catcher) -> bool {
    let output = match &catcher.output {
        CatcherOutput::JsonPath(_) => false,
        CatcherOutput::Jsonata(output) => template(output.as_ref()),
    };
    output || assign(catcher.assign.as_ref())
}

fn duration(duration: &WaitDuration) -> bool {
    match duration {
        WaitDuration::SecondsPath(p) | WaitDuration::TimestampPath(p) => path(p),
        WaitDuration::SecondsExpression(e) | WaitDuration::TimestampExpression(e) => expression(e),
        WaitDuration::Seconds(_) | WaitDuration::Timestamp(..) => false,
    }
}

fn map(s: &Map) -> bool {
    let batcher = s.item_batcher.as_ref();
    let reader = s.item_reader.as_ref();
    let wholes = [
        s.max_concurrency.as_ref(),
        s.tolerated_failure_count.as_ref(),
        batcher.and_then(|b| b.max_items_per_batch.as_ref()),
        batcher.and_then(|b| b.max_input_bytes_per_batch.as_ref()),
        reader
            .and_then(|r| r.reader_config.as_ref())
            .and_then(|c| c.max_items.as_ref()),
    ];
    let templates = [
        s.item_selector.as_ref(),
        batcher.and_then(|b| b.batch_input.as_ref()),
        reader.and_then(|r| r.parameters.as_ref()),
        s.result_writer.as_ref().and_then(|w| w.parameters.as_ref()),
    ];
    processing(&s.processing)
        || assign(s.assign.as_ref())
        || s.catch.iter().any(catcher)
        || items(s.items.as_ref())
        || wholes.into_iter().any(whole)
        || templates.into_iter().any(template)
        || percentage(s.tolerated_failure_percentage.as_ref())
}

fn items(items: Option<&Items>) -> bool {
    match items {
        Some(Items::Path(p)) => path(p),
        Some(Items::Template(items)) => template(Some(items)),
        None => false,
    }
}

fn path(path: &Path) -> bool {
    matches!(path.root(), Root::Context)
}

fn expression(string: &JsonataString) -> bool {
    string.expression().references().reads(StatesField::Context)
}

fn data_path(field: &DataPath) -> bool {
    matches!(field, DataPath::Path(p) if path(p))
}

fn whole(field: Option<&Whole>) -> bool {
    match field {
        Some(Whole::Path(p)) => path(p),
        Some(Whole::Expression(e)) => expression(e),
        Some(Whole::Number(_)) | None => false,
    }
}

fn percentage(field: Option<&Percentage>) -> bool {
    match field {
        Some(Percentage::Path(p)) => path(p),
        Some(Percentage::Expression(e)) => expression(e),
        Some(Percentage::Number(_)) | None => false,
    }
}

fn text(field: &TextField) -> bool {
    match field {
        TextField::Text(_) => false,
        TextField::Path(p) => path(p),
        TextField::Intrinsic(intrinsic) => intrinsic.paths().any(path),
        TextField::Expression(e) => expression(e),
    }
}

fn rule(rule: &Rule) -> bool {
    use asl_model::Comparison::{BooleanPath, NumericPath, StringPath, TimestampPath};
    let mut pending = vec![rule];
    while let Some(rule) = pending.pop() {
        match rule {
            Rule::And(rules) | Rule::Or(rules) => {
                pending.extend(rules.iter().map(|nested| &nested.rule));
            }
            Rule::Not(inner) => pending.push(&inner.rule),
            Rule::Test(test) => {
                let operand = match &test.comparison {
                    StringPath(_, p) | NumericPath(_, p) | TimestampPath(_, p) | BooleanPath(p) => {
                        path(p)
                    }
                    _ => false,
                };
                if operand || path(&test.variable) {
                    return true;
                }
            }
            Rule::Condition(Condition::Expression(e)) if expression(e) => return true,
            Rule::Condition(_) => {}
        }
    }
    false
}

fn template(template: Option<&PayloadTemplate>) -> bool {
    template.is_some_and(|template| nodes(vec![&template.root]))
}

fn assign(assign: Option<&Assign>) -> bool {
    assign.is_some_and(|assign| nodes(assign.variables.iter().map(|v| &v.value).collect()))
}

fn nodes(mut pending: Vec<&TemplateNode>) -> bool {
    while let Some(node) = pending.pop() {
        match node {
            TemplateNode::Object(fields) => pending.extend(fields.iter().map(|field| &field.value)),
            TemplateNode::Array(nodes) => pending.extend(nodes),
            TemplateNode::Path(p) if path(p) => return true,
            TemplateNode::Intrinsic(intrinsic) if intrinsic.paths().any(path) => return true,
            TemplateNode::Expression(e) if expression(e) => return true,
            TemplateNode::Literal(_)
            | TemplateNode::Path(_)
            | TemplateNode::Intrinsic(_)
            | TemplateNode::Expression(_) => {}
        }
    }
    false
}

//! Whether a state reads the Context Object: only then is it built.
use asl_model::{
    DataPath, Items, PayloadTemplate, Percentage, Processing, Rule, StateKind, TemplateNode,
    TextField, WaitDuration, Whole,
};
use asl_path::{Path, Root};

pub(super) fn uses_context(kind: &StateKind) -> bool {
    match kind {
        StateKind::Pass(s) => processing(&s.processing),
        StateKind::Task(s) => {
            processing(&s.processing)
                || template(s.credentials.as_ref())
                || whole(s.timeout.as_ref())
                || whole(s.heartbeat.as_ref())
        }
        StateKind::Choice(s) => {
            processing(&s.processing) || s.choices.iter().any(|choice| rule(&choice.rule))
        }
        StateKind::Wait(s) => {
            let duration = match &s.duration {
                WaitDuration::SecondsPath(p) | WaitDuration::TimestampPath(p) => path(p),
                _ => false,
            };
            duration || processing(&s.processing)
        }
        StateKind::Succeed(s) => processing(&s.processing),
        StateKind::Fail(s) => [&s.error, &s.cause].into_iter().flatten().any(text),
        StateKind::Parallel(s) => processing(&s.processing),
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
        Processing::Jsonata(_) => false,
    }
}

fn map(s: &asl_model::Map) -> bool {
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
        || matches!(&s.items, Some(Items::Path(p)) if path(p))
        || wholes.into_iter().any(whole)
        || templates.into_iter().any(template)
        || matches!(&s.tolerated_failure_percentage, Some(Percentage::Path(p)) if path(p))
}

fn path(path: &Path) -> bool {
    matches!(path.root(), Root::Context)
}

fn data_path(field: &DataPath) -> bool {
    matches!(field, DataPath::Path(p) if path(p))
}

fn whole(field: Option<&Whole>) -> bool {
    matches!(field, Some(Whole::Path(p)) if path(p))
}

fn text(field: &TextField) -> bool {
    match field {
        TextField::Text(_) | TextField::Expression(_) => false,
        TextField::Path(p) => path(p),
        TextField::Intrinsic(intrinsic) => intrinsic.paths().any(path),
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
            Rule::Condition(_) => {}
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
        }
    }
    false
}

fn template(template: Option<&PayloadTemplate>) -> bool {
    let mut pending: Vec<&TemplateNode> = template.map(|t| &t.root).into_iter().collect();
    while let Some(node) = pending.pop() {
        match node {
            TemplateNode::Literal(_) | TemplateNode::Expression(_) => {}
            TemplateNode::Object(fields) => pending.extend(fields.iter().map(|field| &field.value)),
            TemplateNode::Array(nodes) => pending.extend(nodes),
            TemplateNode::Path(p) if path(p) => return true,
            TemplateNode::Intrinsic(intrinsic) if intrinsic.paths().any(path) => return true,
            TemplateNode::Path(_) | TemplateNode::Intrinsic(_) => {}
        }
    }
    false
}

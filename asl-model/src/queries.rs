//! Queries in the fields of a state.
use crate::{
    Assign, Catcher, CatcherOutput, Choice, Comparison, Condition, DataPath, Items, Map,
    PayloadTemplate, Percentage, Processing, Rule, State, StateKind, TemplateNode, TextField,
    WaitDuration, Whole,
};
use asl_jsonata::JsonataString;
use asl_path::Path;

/// A query: a path, which may be an argument of an intrinsic function, or a JSONata string.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Query<'m> {
    /// A path of a JSONPath state.
    Path(&'m Path),
    /// An expression of a JSONata state.
    Expression(&'m JsonataString),
}

impl State {
    /// Visits the queries of all fields, but those of the states within a Parallel or Map State.
    ///
    /// ```
    /// use asl_model::{Options, Query, parse};
    /// let text = r#"{"StartAt": "A", "States": {
    ///     "A": {"Type": "Pass", "InputPath": "$.a", "Parameters": {"b.$": "States.Array($x, $$.c)"}, "End": true}
    /// }}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let mut found = Vec::new();
    /// machine.states.states[0].1.visit_queries(&mut |query| match query {
    ///     Query::Path(path) => found.push(path.source().to_owned()),
    ///     Query::Expression(expression) => found.push(expression.text()),
    /// });
    /// assert_eq!(found, ["$.a", "$x", "$$.c"]);
    /// ```
    pub fn visit_queries<'m>(&'m self, visit: &mut dyn FnMut(Query<'m>)) {
        let mut visitor = Visitor { visit };
        visitor.processing(&self.processing);
        visitor.assign(self.assign.as_ref());
        visitor.kind(&self.kind);
        visitor.catchers(&self.catch);
    }
}

struct Visitor<'v, 'm> {
    visit: &'v mut dyn FnMut(Query<'m>),
}

impl<'m> Visitor<'_, 'm> {
    fn path(&mut self, path: &'m Path) {
        (self.visit)(Query::Path(path));
    }

    fn expression(&mut self, expression: &'m JsonataString) {
        (self.visit)(Query::Expression(expression));
    }

    fn kind(&mut self, kind: &'m StateKind) {
        match kind {
            StateKind::Pass(_) | StateKind::Succeed | StateKind::Parallel(_) => {}
            StateKind::Task(task) => {
                self.template(task.credentials.as_ref());
                self.whole(task.timeout.as_ref());
                self.whole(task.heartbeat.as_ref());
            }
            StateKind::Choice(choice) => self.choice(choice),
            StateKind::Wait(wait) => self.duration(&wait.duration),
            StateKind::Fail(fail) => {
                self.text(fail.error.as_ref());
                self.text(fail.cause.as_ref());
            }
            StateKind::Map(map) => self.map(map),
        }
    }

    fn processing(&mut self, processing: &'m Processing) {
        match processing {
            Processing::JsonPath(processing) => {
                self.data_path(&processing.input_path);
                self.template(processing.parameters.as_ref());
                self.template(processing.result_selector.as_ref());
                self.data_path(&processing.output_path);
            }
            Processing::Jsonata(processing) => {
                self.template(processing.arguments.as_ref());
                self.template(processing.output.as_ref());
            }
        }
    }

    fn assign(&mut self, assign: Option<&'m Assign>) {
        for assignment in assign.iter().flat_map(|assign| &assign.variables) {
            self.node(&assignment.value);
        }
    }

    fn data_path(&mut self, path: &'m DataPath) {
        if let DataPath::Path(path) = path {
            self.path(path);
        }
    }

    fn template(&mut self, template: Option<&'m PayloadTemplate>) {
        if let Some(template) = template {
            self.node(&template.root);
        }
    }

    /// Without recursion, however deep the template.
    fn node(&mut self, node: &'m TemplateNode) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match node {
                TemplateNode::Literal(_) => {}
                TemplateNode::Object(fields) => {
                    open.extend(fields.iter().rev().map(|field| &field.value));
                }
                TemplateNode::Array(elements) => open.extend(elements.iter().rev()),
                TemplateNode::Path(path) => self.path(path),
                TemplateNode::Intrinsic(intrinsic) => {
                    intrinsic.paths().for_each(|path| self.path(path));
                }
                TemplateNode::Expression(expression) => self.expression(expression),
            }
        }
    }

    fn whole(&mut self, whole: Option<&'m Whole>) {
        match whole {
            None | Some(Whole::Number(_)) => {}
            Some(Whole::Path(path)) => self.path(path),
            Some(Whole::Expression(expression)) => self.expression(expression),
        }
    }

    fn text(&mut self, text: Option<&'m TextField>) {
        match text {
            None | Some(TextField::Text(_)) => {}
            Some(TextField::Path(path)) => self.path(path),
            Some(TextField::Intrinsic(intrinsic)) => {
                intrinsic.paths().for_each(|path| self.path(path));
            }
            Some(TextField::Expression(expression)) => self.expression(expression),
        }
    }

    fn duration(&mut self, duration: &'m WaitDuration) {
        match duration {
            WaitDuration::Seconds(_) | WaitDuration::Timestamp(..) => {}
            WaitDuration::SecondsPath(path) | WaitDuration::TimestampPath(path) => self.path(path),
            WaitDuration::SecondsExpression(expression)
            | WaitDuration::TimestampExpression(expression) => self.expression(expression),
        }
    }

    fn catchers(&mut self, catchers: &'m [Catcher]) {
        for catcher in catchers {
            self.assign(catcher.assign.as_ref());
            if let CatcherOutput::Jsonata(output) = &catcher.output {
                self.template(output.as_ref());
            }
        }
    }

    fn choice(&mut self, state: &'m Choice) {
        for choice in &state.choices {
            self.rule(&choice.rule);
            self.assign(choice.assign.as_ref());
            self.template(choice.output.as_ref());
        }
    }

    fn rule(&mut self, rule: &'m Rule) {
        let mut open = vec![rule];
        while let Some(rule) = open.pop() {
            match rule {
                Rule::And(rules) | Rule::Or(rules) => {
                    open.extend(rules.iter().rev().map(|nested| &nested.rule));
                }
                Rule::Not(nested) => open.push(&nested.rule),
                Rule::Test(test) => {
                    self.path(&test.variable);
                    self.comparison(&test.comparison);
                }
                Rule::Condition(Condition::Boolean(_)) => {}
                Rule::Condition(Condition::Expression(expression)) => self.expression(expression),
            }
        }
    }

    fn comparison(&mut self, comparison: &'m Comparison) {
        match comparison {
            Comparison::StringPath(_, path)
            | Comparison::NumericPath(_, path)
            | Comparison::TimestampPath(_, path)
            | Comparison::BooleanPath(path) => self.path(path),
            Comparison::String(..)
            | Comparison::Numeric(..)
            | Comparison::Timestamp(..)
            | Comparison::Boolean(_)
            | Comparison::Matches(_)
            | Comparison::Is(..) => {}
        }
    }

    fn map(&mut self, state: &'m Map) {
        match &state.items {
            None => {}
            Some(Items::Path(items)) => self.path(&items.path),
            Some(Items::Template(template)) => self.node(&template.root),
        }
        self.template(state.item_selector.as_ref());
        if let Some(reader) = &state.item_reader {
            self.template(reader.parameters.as_ref());
            let config = reader.reader_config.as_ref();
            self.whole(config.and_then(|config| config.max_items.as_ref()));
        }
        if let Some(batcher) = &state.item_batcher {
            self.template(batcher.batch_input.as_ref());
            self.whole(batcher.max_items_per_batch.as_ref());
            self.whole(batcher.max_input_bytes_per_batch.as_ref());
        }
        if let Some(writer) = &state.result_writer {
            self.template(writer.parameters.as_ref());
        }
        self.whole(state.max_concurrency.as_ref());
        self.whole(state.tolerated_failure_count.as_ref());
        match &state.tolerated_failure_percentage {
            None | Some(Percentage::Number(_)) => {}
            Some(Percentage::Path(path)) => self.path(path),
            Some(Percentage::Expression(expression)) => self.expression(expression),
        }
    }
}

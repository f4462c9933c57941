//! Definitions without names, and how names are given.
use super::fields::{self, Fields};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A scope: each state leads to the next, the last ends.
pub(super) type Scope = Vec<State>;

/// A state: its fields, and where it leads besides.
#[derive(Debug, Clone)]
pub(super) struct State {
    kind: Kind,
    fields: Fields,
    /// "ErrorEquals", and the number of the state to go to, for types that have catchers.
    catch: Vec<(Value, usize)>,
}

#[derive(Debug, Clone)]
enum Kind {
    Pass,
    Task,
    Wait,
    Succeed,
    Fail,
    /// Rules with the numbers of the states to go to.
    Choice(Vec<(Value, usize)>),
    Parallel(Vec<Scope>),
    Map {
        distributed: bool,
        iterator: bool,
        processor: Scope,
    },
}

/// Scopes with `depth` levels of scopes below them.
pub(super) fn scope(depth: u32) -> BoxedStrategy<Scope> {
    let last = prop_oneof![
        fields::succeed().prop_map(|fields| State::new(Kind::Succeed, fields)),
        fields::fail().prop_map(|fields| State::new(Kind::Fail, fields)),
        flat(),
    ];
    let state = if depth == 0 {
        prop_oneof![3 => flat(), 1 => choice()].boxed()
    } else {
        prop_oneof![4 => flat(), 1 => choice(), 1 => parallel(depth), 1 => map(depth)].boxed()
    };
    (prop::collection::vec(state, 0..4), last)
        .prop_map(|(mut states, last)| {
            states.push(last);
            states
        })
        .boxed()
}

impl State {
    fn new(kind: Kind, fields: Fields) -> Self {
        Self {
            kind,
            fields,
            catch: Vec::new(),
        }
    }
}

fn catch() -> impl Strategy<Value = Vec<(Value, usize)>> {
    prop::collection::vec((fields::error_equals(), 0..9_usize), 0..2)
}

fn flat() -> impl Strategy<Value = State> {
    let task = (fields::task(), catch()).prop_map(|(fields, catch)| State {
        kind: Kind::Task,
        fields,
        catch,
    });
    prop_oneof![
        fields::pass().prop_map(|fields| State::new(Kind::Pass, fields)),
        fields::wait().prop_map(|fields| State::new(Kind::Wait, fields)),
        task,
    ]
}

fn choice() -> impl Strategy<Value = State> {
    let rules = prop::collection::vec((fields::rule(), 0..9_usize), 1..4);
    (rules, fields::succeed()).prop_map(|(rules, fields)| State::new(Kind::Choice(rules), fields))
}

fn parallel(depth: u32) -> impl Strategy<Value = State> {
    let branches = prop::collection::vec(scope(depth - 1), 1..3);
    (branches, fields::parallel(), catch()).prop_map(|(branches, fields, catch)| State {
        kind: Kind::Parallel(branches),
        fields,
        catch,
    })
}

fn map(depth: u32) -> impl Strategy<Value = State> {
    (scope(depth - 1), fields::map(), catch()).prop_map(
        |(processor, (distributed, iterator, fields), catch)| State {
            kind: Kind::Map {
                distributed,
                iterator,
                processor,
            },
            fields,
            catch,
        },
    )
}

/// Gives names.
#[derive(Debug, Default)]
pub(super) struct Writer {
    names: usize,
}

impl Writer {
    pub(super) fn machine(&mut self, scope: &Scope) -> Value {
        Value::Object(self.scope(scope))
    }

    fn scope(&mut self, scope: &Scope) -> Map<String, Value> {
        let first = self.names;
        self.names += scope.len();
        let name = |number: usize| format!("state {}", first + number % scope.len());
        let mut states = Map::new();
        for (number, state) in scope.iter().enumerate() {
            let next = (number + 1 < scope.len()).then(|| name(number + 1));
            states.insert(name(number), self.state(state, next, &name));
        }
        Map::from_iter([
            ("StartAt".to_owned(), name(0).into()),
            ("States".to_owned(), states.into()),
        ])
    }

    fn state(
        &mut self,
        state: &State,
        next: Option<String>,
        name: &dyn Fn(usize) -> String,
    ) -> Value {
        let mut fields = state.fields.clone();
        let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        let kind = match &state.kind {
            Kind::Pass => "Pass",
            Kind::Task => "Task",
            Kind::Wait => "Wait",
            Kind::Succeed => "Succeed",
            Kind::Fail => "Fail",
            Kind::Choice(rules) => {
                let rules = rules.iter().map(|(rule, to)| {
                    let mut rule = rule.clone();
                    rule["Next"] = name(*to).into();
                    rule
                });
                put("Choices", rules.collect());
                "Choice"
            }
            Kind::Parallel(branches) => {
                let branches = branches.iter().map(|branch| self.scope(branch).into());
                put("Branches", Value::Array(branches.collect()));
                "Parallel"
            }
            Kind::Map {
                distributed,
                iterator,
                processor,
            } => {
                let mut processor = self.scope(processor);
                if *distributed {
                    let config = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
                    processor.insert("ProcessorConfig".to_owned(), config);
                }
                let name = if *iterator {
                    "Iterator"
                } else {
                    "ItemProcessor"
                };
                put(name, processor.into());
                "Map"
            }
        };
        put("Type", kind.into());
        match (&state.kind, next) {
            (Kind::Succeed | Kind::Fail, _) => {}
            (Kind::Choice(_), next) => {
                put("Default", next.unwrap_or_else(|| name(0)).into());
            }
            (_, Some(next)) => {
                put("Next", next.into());
            }
            (_, None) => {
                put("End", true.into());
            }
        }
        if !state.catch.is_empty() {
            let catch = state.catch.iter();
            let catch = catch.map(|(errors, to)| json!({"ErrorEquals": errors, "Next": name(*to)}));
            put("Catch", catch.collect());
        }
        fields.into()
    }
}

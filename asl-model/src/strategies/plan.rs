//! Definitions without names, and how names are given.
use super::fields::{self, Fields};
use super::setting::{Place, Setting};
use super::{maps, rules};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A scope: each state leads to the next, the last ends.
pub(super) type Scope = Vec<State>;

/// A state: its fields, and where it leads besides.
#[derive(Debug, Clone)]
pub(super) struct State {
    kind: Kind,
    fields: Fields,
    /// Catchers, and the number of the state that each leads to.
    catch: Vec<(Fields, usize)>,
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

/// Scopes of a machine.
pub(super) fn scope(place: Place) -> BoxedStrategy<Scope> {
    let of = move |state: fn(Setting, Place) -> BoxedStrategy<State>| {
        place
            .setting()
            .prop_flat_map(move |setting| state(setting, place))
    };
    let last = prop_oneof![
        of(|setting, _| plain(Kind::Succeed, fields::succeed(setting))),
        of(|setting, _| plain(Kind::Fail, fields::fail(setting))),
        of(flat),
    ];
    let state = if place.depth == 0 {
        prop_oneof![3 => of(flat), 1 => of(choice)].boxed()
    } else {
        prop_oneof![4 => of(flat), 1 => of(choice), 1 => of(parallel), 1 => of(map)].boxed()
    };
    (prop::collection::vec(state, 0..4), last)
        .prop_map(|(mut states, last)| {
            states.push(last);
            states
        })
        .boxed()
}

fn plain(kind: Kind, fields: BoxedStrategy<Fields>) -> BoxedStrategy<State> {
    let state = move |fields| State {
        kind: kind.clone(),
        fields,
        catch: Vec::new(),
    };
    fields.prop_map(state).boxed()
}

fn catch(setting: Setting) -> impl Strategy<Value = Vec<(Fields, usize)>> {
    let catcher = (fields::error_equals(), fields::catcher(setting));
    let catcher = catcher.prop_map(|(errors, mut fields)| {
        fields.insert("ErrorEquals".to_owned(), errors);
        fields
    });
    prop::collection::vec((catcher, 0..9_usize), 0..2)
}

fn flat(setting: Setting, _: Place) -> BoxedStrategy<State> {
    let task = (fields::task(setting), catch(setting)).prop_map(|(fields, catch)| State {
        kind: Kind::Task,
        fields,
        catch,
    });
    prop_oneof![
        plain(Kind::Pass, fields::pass(setting)),
        plain(Kind::Wait, fields::wait(setting)),
        task,
    ]
    .boxed()
}

fn choice(setting: Setting, _: Place) -> BoxedStrategy<State> {
    let rules = prop::collection::vec((rules::rule(setting), 0..9_usize), 1..4);
    (rules, fields::choice(setting))
        .prop_map(|(rules, fields)| State {
            kind: Kind::Choice(rules),
            fields,
            catch: Vec::new(),
        })
        .boxed()
}

fn parallel(setting: Setting, place: Place) -> BoxedStrategy<State> {
    let branches = prop::collection::vec(scope(place.below()), 1..3);
    (branches, fields::parallel(setting), catch(setting))
        .prop_map(|(branches, fields, catch)| State {
            kind: Kind::Parallel(branches),
            fields,
            catch,
        })
        .boxed()
}

fn map(setting: Setting, place: Place) -> BoxedStrategy<State> {
    (scope(place.below()), maps::map(setting), catch(setting))
        .prop_map(
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
        .boxed()
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
            let catch = catch.map(|(fields, to)| {
                let mut fields = fields.clone();
                fields.insert("Next".to_owned(), name(*to).into());
                Value::from(fields)
            });
            put("Catch", catch.collect());
        }
        fields.into()
    }
}

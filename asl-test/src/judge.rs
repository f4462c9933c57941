//! Comparison of a run with its expectations.
use crate::compare::{Extent, JsonDifference, difference};
use crate::expectations::{Bounds, Expectations, ExpectedCalls};
use crate::record::{Call, Visit};
use crate::report::{CaseRun, Difference};
use crate::{Definition, Predicate};
use serde_json::{Value, json};

/// Everything that is not as expected, in the order in which a reader wants to know it.
pub(crate) fn differences(
    expected: &Expectations,
    run: &CaseRun,
    definition: &Definition,
) -> Vec<Difference> {
    let judge = Judge { run, definition };
    let mut found = Vec::new();
    found.extend(judge.status(expected));
    found.extend(judge.failure(expected));
    found.extend(judge.output(expected));
    found.extend(judge.paths(expected));
    found.extend(expected.calls.iter().flat_map(|calls| judge.calls(calls)));
    found.extend(judge.duration(expected));
    found.extend(judge.variables(expected));
    found
}

struct Judge<'j> {
    run: &'j CaseRun,
    definition: &'j Definition,
}

impl Judge<'_> {
    fn status(&self, expected: &Expectations) -> Option<Difference> {
        let status = self.run.outcome.status();
        let fails = expected.error.as_ref().is_some_and(Option::is_some)
            || expected.cause.as_ref().is_some_and(Option::is_some)
            || expected.cause_contains.is_some();
        let is_as_expected = match &expected.status {
            Some(expected) => expected == status,
            None if fails => status != "SUCCEEDED",
            None => status == "SUCCEEDED",
        };
        let wanted = expected.status.as_deref();
        let wanted = wanted.unwrap_or(if fails { "a failure" } else { "SUCCEEDED" });
        let told = match self.run.outcome.failure() {
            Some(failure) => format!("{status}: {failure}"),
            None => status.to_owned(),
        };
        (!is_as_expected).then(|| Difference {
            state: self.failed_in(),
            ..plain("status", format!("expected {wanted}, found {told}"))
        })
    }

    fn failure(&self, expected: &Expectations) -> Vec<Difference> {
        let failure = self.run.outcome.failure();
        let (error, cause) = failure.map_or((None, None), |failure| (failure.error, failure.cause));
        let mut found = Vec::new();
        for (subject, wanted, there) in [
            ("error", &expected.error, &error),
            ("cause", &expected.cause, &cause),
        ] {
            if let Some(wanted) = wanted
                && wanted != there
            {
                let message = format!("expected {}, found {}", text(wanted), text(there));
                found.push(Difference {
                    state: self.failed_in(),
                    ..plain(subject, message)
                });
            }
        }
        if let Some(part) = &expected.cause_contains
            && !cause.as_ref().is_some_and(|cause| cause.contains(part))
        {
            let message = format!(
                "expected a cause that contains {part:?}, found {}",
                text(&cause)
            );
            found.push(Difference {
                state: self.failed_in(),
                ..plain("causeContains", message)
            });
        }
        found
    }

    fn failed_in(&self) -> Option<String> {
        let visit = self.run.visits.get(self.run.failed_in?)?;
        Some(visit.state.to_string())
    }

    fn output(&self, expected: &Expectations) -> Vec<Difference> {
        let Some(output) = self.run.outcome.output() else {
            // The status says that there is none.
            return Vec::new();
        };
        let mut found = Vec::new();
        for (subject, wanted, extent) in [
            ("output", &expected.output, Extent::Whole),
            ("outputContains", &expected.output_contains, Extent::Part),
        ] {
            let values = wanted
                .as_ref()
                .and_then(|wanted| difference(wanted, output, extent));
            found.extend(values.map(|values| Difference {
                state: self.find_producer(&values.pointer),
                ..of_values(subject, values)
            }));
        }
        found.extend(
            expected
                .output_where
                .iter()
                .filter_map(|one| find_difference(one, output)),
        );
        found
    }

    /// Returns the state of the machine itself that produced a part of the output: the last one that changed it, or the last
    /// one of all if it never existed.
    fn find_producer(&self, pointer: &str) -> Option<String> {
        let left = self.run.visits.iter().filter(|visit| visit.depth == 0);
        let left = left.filter_map(|visit| Some((visit, &visit.left.as_ref()?.1)));
        let changes =
            |visit: &Visit, output: &Value| visit.input.pointer(pointer) != output.pointer(pointer);
        let states: Vec<_> = left.collect();
        let (last, output) = states.last()?;
        let is_there = output.pointer(pointer).is_some();
        let maker = states
            .iter()
            .rev()
            .find(|(visit, output)| changes(visit, output));
        let first = if is_there { states.first() } else { None };
        let maker = maker.or(first).map_or(last, |(visit, _)| visit);
        Some(maker.state.to_string())
    }

    fn paths(&self, expected: &Expectations) -> Vec<Difference> {
        let mut found = Vec::new();
        if let Some(wanted) = &expected.path {
            let path: Vec<&str> = self.run.path().collect();
            let values = difference(&json!(wanted), &json!(path), Extent::Whole);
            found.extend(values.map(|values| {
                let message = format!(
                    "expected {}, found {}",
                    wanted.join(" → "),
                    path.join(" → ")
                );
                Difference {
                    values: Some(values),
                    ..plain("path", message)
                }
            }));
        }
        if let Some(wanted) = &expected.path_contains {
            let mut visits = self.run.visits.iter();
            let missing = wanted.iter().find(|state| {
                let name = self.definition.find_state(state).unwrap_or_default();
                !visits.any(|visit| &*visit.state == name)
            });
            found.extend(missing.map(|state| {
                let states: Vec<&str> = self.run.visits.iter().map(|visit| &*visit.state).collect();
                let way = wanted.join(" … ");
                plain(
                    "pathContains",
                    format!(
                        "expected {way}, but found no `{state}` there in {}",
                        states.join(" → ")
                    ),
                )
            }));
        }
        for (state, wanted) in &expected.visits {
            let name = self.definition.find_state(state).unwrap_or_default();
            let count = self
                .run
                .visits
                .iter()
                .filter(|visit| &*visit.state == name)
                .count();
            if !wanted.contains(count as f64) {
                found.push(plain(
                    "visits",
                    format!(
                        "expected `{state}` to be entered {}, found {}",
                        often(wanted),
                        often(&Bounds::from(count as u64))
                    ),
                ));
            }
        }
        found
    }

    fn calls(&self, expected: &ExpectedCalls) -> Vec<Difference> {
        let calls: Vec<&Call> = self.calls_of(&expected.target);
        let target = &expected.target;
        let mut found = Vec::new();
        let count = calls.len() as u64;
        if let Some(wanted) = &expected.times
            && !wanted.contains(count as f64)
        {
            found.push(plain(
                "calls",
                format!(
                    "expected `{target}` to be called {}, found {}",
                    often(wanted),
                    often(&count.into())
                ),
            ));
        }
        if let Some(wanted) = &expected.with {
            let payloads: Vec<&Value> = calls.iter().map(|call| &*call.payload).collect();
            let values = difference(&json!(wanted), &json!(payloads), Extent::Whole);
            found.extend(values.map(|values| Difference {
                state: calls.first().map(|call| call.state.to_string()),
                ..of_named_values("calls", target, values)
            }));
        }
        for part in &expected.with_some {
            let is_there = |call: &&Call| difference(part, &call.payload, Extent::Part).is_none();
            if !calls.iter().any(is_there) {
                found.push(plain(
                    "calls",
                    format!(
                        "no call of `{target}` has {part} in its payload; it was called {}",
                        often(&count.into())
                    ),
                ));
            }
        }
        found
    }

    /// Returns the calls of a state, or of a resource.
    fn calls_of(&self, target: &str) -> Vec<&Call> {
        let states = self.definition.tasks_of(target);
        let of_target = |call: &&Call| states.contains(&&*call.state) || &*call.state == target;
        self.run.calls.iter().filter(of_target).collect()
    }

    fn duration(&self, expected: &Expectations) -> Option<Difference> {
        let (wanted, took) = (expected.duration?, self.run.duration().as_secs_f64());
        let message = || format!("expected {wanted} seconds, found {took}");
        (!wanted.contains(took)).then(|| plain("duration", message()))
    }

    fn variables(&self, expected: &Expectations) -> Vec<Difference> {
        let differs = |(name, wanted): (&String, &Value)| {
            let values = match self.run.variables.get(name) {
                Some(value) => difference(wanted, value, Extent::Whole)?,
                None => JsonDifference {
                    pointer: String::new(),
                    expected: Some(wanted.clone()),
                    found: None,
                },
            };
            Some(of_named_values("variables", name, values))
        };
        expected.variables.iter().filter_map(differs).collect()
    }
}

/// The same, of one of several that have values.
fn of_named_values(field: &'static str, name: &str, values: JsonDifference) -> Difference {
    let found = of_values(field, values);
    Difference {
        message: format!("of `{name}`: {}", found.message),
        ..found
    }
}

fn find_difference(predicate: &Predicate, output: &Value) -> Option<Difference> {
    let message = match predicate.holds(output) {
        Ok(true) => return None,
        Ok(false) => format!("{} is not true for {output}", predicate.source()),
        Err(error) => error,
    };
    Some(plain("outputWhere", message))
}

/// Returns a difference in words alone.
pub(crate) fn plain(subject: &'static str, message: String) -> Difference {
    Difference {
        subject,
        message,
        values: None,
        state: None,
        position: None,
    }
}

fn of_values(subject: &'static str, values: JsonDifference) -> Difference {
    let nothing = || "nothing".to_owned();
    let shown = |value: &Option<Value>| value.as_ref().map_or_else(nothing, Value::to_string);
    let place = match values.pointer.as_str() {
        "" => String::new(),
        pointer => format!("at {pointer} "),
    };
    let message = format!(
        "{place}expected {}, found {}",
        shown(&values.expected),
        shown(&values.found)
    );
    Difference {
        values: Some(values),
        ..plain(subject, message)
    }
}

fn text(text: &Option<String>) -> String {
    text.as_ref()
        .map_or_else(|| "none".to_owned(), |text| format!("{text:?}"))
}

fn often(count: &Bounds) -> String {
    match count {
        Bounds { least, most } if least == most && *least == 1.0 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

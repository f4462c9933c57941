//! Forms of expressions whose value a host can have without a copy of what they read.
use crate::evaluate;
use crate::syntax::{Node, NodeKind, Path, Step, Symbols};
use crate::{Environment, EvaluationError, Expression, StatesField};
use serde_json::Value;

/// `$states.input.order.id`: names alone, from a field of `$states` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesPath<'e> {
    /// The field of `$states`.
    pub field: StatesField,
    /// The names after it.
    pub names: Vec<&'e str>,
}

/// `$merge([$states.input, {…}])`: a field of `$states` with other fields set in it.
#[derive(Debug)]
pub struct StatesMerge<'e> {
    /// The field of `$states`.
    pub field: StatesField,
    expression: &'e Expression,
    fields: &'e Node,
}

impl StatesMerge<'_> {
    /// The object of the fields that are set. Where the field of `$states` is an object, and no variable of the state machine hides `$merge`, the
    /// expression's value is that object with these fields set in it.
    ///
    /// # Errors
    ///
    /// As [`Expression::evaluate`].
    pub fn fields(
        &self,
        environment: &mut Environment<'_>,
    ) -> Result<Option<Value>, EvaluationError> {
        let (syntax, dialect) = self.expression.parts();
        evaluate::run(syntax, self.fields, dialect, environment)
    }
}

impl Expression {
    /// The names that the expression goes through, where it does no more than that. Its value is what the names lead to, as long as they lead
    /// through objects alone.
    ///
    /// ```
    /// use asl_jsonata::{Expression, StatesField};
    /// let expression = Expression::parse("$states.input.order.id")?;
    /// let path = expression.states_path().unwrap();
    /// assert_eq!((path.field, path.names), (StatesField::Input, vec!["order", "id"]));
    /// assert!(Expression::parse("$states.input.orders[0]")?.states_path().is_none());
    /// # Ok::<(), asl_jsonata::ParseError>(())
    /// ```
    pub fn states_path(&self) -> Option<StatesPath<'_>> {
        let (syntax, _) = self.parts();
        states_path(&syntax.root, &syntax.symbols)
    }

    /// What the expression merges, where it does no more than that.
    ///
    /// ```
    /// use asl_jsonata::{Environment, Expression, StatesField};
    /// let expression = Expression::parse("$merge([$states.input, {'n': 1 + 1}])")?;
    /// let merge = expression.states_merge().unwrap();
    /// assert_eq!(merge.field, StatesField::Input);
    /// let fields = merge.fields(&mut Environment::of_input(&serde_json::Value::Null))?;
    /// assert_eq!(fields, Some(serde_json::json!({"n": 2})));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states_merge(&self) -> Option<StatesMerge<'_>> {
        let (syntax, _) = self.parts();
        let NodeKind::Call(call) = plain(&syntax.root)? else {
            return None;
        };
        let (NodeKind::Variable(name), [argument]) = (plain(&call.procedure)?, &*call.arguments)
        else {
            return None;
        };
        let NodeKind::Array { items, .. } = plain(argument)? else {
            return None;
        };
        let [merged, fields] = &**items else {
            return None;
        };
        let path = states_path(merged, &syntax.symbols)?;
        let is_merge = syntax.symbols.name(*name) == "merge" && path.names.is_empty();
        let sets_fields = matches!(plain(fields)?, NodeKind::Object(_));
        (is_merge && sets_fields).then_some(StatesMerge {
            field: path.field,
            expression: self,
            fields,
        })
    }
}

/// What a node is, where nothing follows it.
fn plain(node: &Node) -> Option<&NodeKind> {
    (node.postfix.is_none() && !node.keep_array).then_some(&node.kind)
}

fn states_path<'e>(node: &'e Node, symbols: &Symbols) -> Option<StatesPath<'e>> {
    let NodeKind::Path(Path {
        steps,
        keep_singleton: false,
        tuple: false,
        group: None,
    }) = plain(node)?
    else {
        return None;
    };
    let [states, field, names @ ..] = &**steps else {
        return None;
    };
    match plain_step(states)? {
        NodeKind::Variable(name) if symbols.name(*name) == "states" => {}
        _ => return None,
    }
    Some(StatesPath {
        field: StatesField::named(name_of(field)?)?,
        names: names.iter().map(name_of).collect::<Option<_>>()?,
    })
}

fn name_of(step: &Step) -> Option<&str> {
    match plain_step(step)? {
        NodeKind::Name(name) => Some(name),
        _ => None,
    }
}

fn plain_step(step: &Step) -> Option<&NodeKind> {
    let bare = step.stages.is_empty()
        && step.focus.is_none()
        && step.index.is_none()
        && step.ancestors.is_empty()
        && !step.tuple;
    plain(&step.node).filter(|_| bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoVariables, StatesVariable};
    use serde_json::json;

    fn environment(input: &Value) -> Environment<'_> {
        Environment {
            input: None,
            states: Some(StatesVariable {
                input: Some(input),
                ..StatesVariable::default()
            }),
            variables: &NoVariables,
            ..Environment::of_input(input)
        }
    }

    #[test]
    fn only_names_make_a_path() {
        for text in [
            "$states",
            "$states.other",
            "$states.input[]",
            "$states.input.a[0]",
            "$states.input.a[]",
            "$states.input{'a': b}",
            "$states.input.*",
            "$states.input^(a)",
            "$states.input@$i.a",
            "$states.input#$i.a",
            "$states.input.(a)",
            "$states.input.a.%",
            "$input.a",
            "$states.input & ''",
        ] {
            let expression = Expression::parse(text).unwrap();
            assert_eq!(expression.states_path(), None, "{text}");
        }
        let expression = Expression::parse("$states.result.`a b`.'c'").unwrap();
        let path = expression.states_path().unwrap();
        assert_eq!(path.field, StatesField::Result);
        assert_eq!(path.names, ["a b", "c"]);
    }

    #[test]
    fn merging_gives_what_setting_the_fields_gives() {
        let input = json!({"a": 1, "b": {"c": [1]}, "d": null});
        for text in [
            "$merge([$states.input, {}])",
            "$merge([$states.input, {'a': 2}])",
            "$merge([$states.input, {'z': $states.input.b, 'a': null, 'y': [$states.input.a]}])",
            "$merge([$states.input, {'b': {'e': $states.input.none}, 'f': $states.input.none}])",
            "$merge([$states.input, {'g': $sum}])",
            " $merge ( [ $states.input , { 'a' : $states.input.a + 1 } ] ) ",
        ] {
            let expression = Expression::parse(text).unwrap();
            let merge = expression.states_merge().unwrap();
            let mut merged = input.clone();
            if let Some(Value::Object(fields)) = merge.fields(&mut environment(&input)).unwrap() {
                merged.as_object_mut().unwrap().extend(fields);
            }
            let evaluated = expression.evaluate(&mut environment(&input)).unwrap();
            assert_eq!(
                evaluated.map(|value| value.to_string()),
                Some(merged.to_string()),
                "{text}"
            );
        }
    }

    #[test]
    fn other_calls_merge_nothing() {
        for text in [
            "$merge([$states.input])",
            "$merge($states.input)",
            "$merge([$states.input, $states.result])",
            "$merge([{'a': 1}, $states.input])",
            "$merge([$states.input.a, {'a': 1}])",
            "$merge([$states.input, {'a': 1}, {'b': 1}])",
            "$merge([$states.input, {'a': 1}])[0]",
            "$merge([$states.input, {'a': 1}]).a",
            "$append([$states.input, {'a': 1}])",
            "($merge([$states.input, {'a': 1}]))",
        ] {
            let expression = Expression::parse(text).unwrap();
            assert!(expression.states_merge().is_none(), "{text}");
        }
    }
}

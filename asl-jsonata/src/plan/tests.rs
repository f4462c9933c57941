use super::*;
use crate::{Limits, Options, StatesVariable, Variables};
use serde_json::json;

fn plan_of(source: &str) -> Plan {
    Expression::parse(source).unwrap().plan().clone()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// One field of each kind, and variables by their names.
struct Machine {
    input: Value,
    variables: Value,
}

impl Variables for Machine {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }
}

impl Machine {
    fn environment(&self) -> Environment<'_> {
        let states = StatesVariable::default().with_input(&self.input);
        Environment::from_states(states).with_variables(self)
    }

    /// Returns the value that a host computes from the plan of an expression; None if the plan does not apply.
    fn planned(&self, expression: &Expression) -> Option<Option<Value>> {
        let plan = expression.plan();
        if plan
            .function()
            .is_some_and(|name| self.variable(name).is_some())
        {
            return None;
        }
        match plan {
            Plan::Merge(StatesField::Input, fields) => {
                let fields = match fields {
                    MergedFields::Constant(fields) => fields.clone(),
                    MergedFields::Evaluated => match self.rest(expression) {
                        Some(Value::Object(fields)) => fields,
                        _ => Map::new(),
                    },
                };
                let mut object = self.input.as_object()?.clone();
                object.extend(fields);
                Some(Some(Value::Object(object)))
            }
            Plan::Append(name) => {
                let mut items = self.variable(name)?.as_array()?.clone();
                match self.rest(expression) {
                    Some(Value::Array(more)) => items.extend(more),
                    item => items.extend(item),
                }
                Some(Some(Value::Array(items)))
            }
            Plan::Operation(operation) => {
                let [left, right] = operation.operands().map(|plan| self.at_hand(plan));
                operation.apply(&left?, &right?).map(Some)
            }
            plan => self.at_hand(plan).map(Some),
        }
    }

    fn at_hand(&self, plan: &Plan) -> Option<Value> {
        let walk = |from: &Value, names: &[String]| {
            let mut names = names.iter();
            names
                .try_fold(from, |value, name| value.as_object()?.get(name))
                .cloned()
        };
        match plan {
            Plan::Constant(value) => Some(value.clone()),
            Plan::Field(StatesField::Input) => Some(self.input.clone()),
            Plan::Walk(StatesField::Input, names) => walk(&self.input, names),
            Plan::Variable(name) => self.variable(name).cloned(),
            Plan::WalkVariable(name, names) => walk(self.variable(name)?, names),
            _ => None,
        }
    }

    fn rest(&self, expression: &Expression) -> Option<Value> {
        expression.evaluate_rest(&mut self.environment()).unwrap()
    }
}

#[test]
fn an_expression_may_only_name_a_value() {
    for (source, field) in [
        (" $states.input ", StatesField::Input),
        ("$states.result", StatesField::Result),
        ("$states.errorOutput", StatesField::ErrorOutput),
        ("$states.context", StatesField::Context),
    ] {
        assert_eq!(plan_of(source), Plan::Field(field));
    }
    assert_eq!(plan_of("/* its */ $order"), Plan::Variable("order".into()));
    assert_eq!(
        plan_of("$states.result.`a b`.'c'"),
        Plan::Walk(StatesField::Result, names(&["a b", "c"]))
    );
    assert_eq!(
        plan_of("$order.customer.id"),
        Plan::WalkVariable("order".into(), names(&["customer", "id"]))
    );
}

#[test]
fn an_expression_may_be_a_constant() {
    for (source, value) in [
        ("'a'", json!("a")),
        ("-1.5", json!(-1.5)),
        ("null", Value::Null),
        ("[]", json!([])),
        ("[1, [2], {'a': true}]", json!([1, [2], {"a": true}])),
        ("{'a': {}, 'b': [null]}", json!({"a": {}, "b": [null]})),
    ] {
        assert_eq!(plan_of(source), Plan::Constant(value), "{source}");
    }
}

#[test]
fn what_fails_or_may_reach_a_bound_is_no_constant() {
    let nested = |levels| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    assert_ne!(plan_of(&nested(15)), Plan::Evaluate);
    for source in [
        &nested(16),
        &nested(150),
        "{'a': 1, 'a': 2}",
        "{1: 2}",
        "[1..3]",
        "[$x]",
        "(1)",
        "()",
        "'a'[0]",
        "[1][]",
    ] {
        assert_eq!(plan_of(source), Plan::Evaluate, "{source}");
    }
}

#[test]
fn an_expression_may_only_set_fields() {
    let fields = json!({"a": 1, "b": [{}]});
    let constant = MergedFields::Constant(fields.as_object().unwrap().clone());
    let merge = |source| match plan_of(source) {
        Plan::Merge(field, fields) => (field, fields),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        merge("$merge([$states.result, {'a': 1, 'b': [{}]}])"),
        (StatesField::Result, constant)
    );
    for source in [
        "$merge([$states.input, {'a': 1 + 1}])",
        "$merge([$states.input, {'a': 1, 'a': 2}])",
        " $merge ( [ $states.input , { $key : 1 } ] ) ",
    ] {
        let evaluated = (StatesField::Input, MergedFields::Evaluated);
        assert_eq!(merge(source), evaluated, "{source}");
    }
}

#[test]
fn an_expression_may_only_append_to_a_variable() {
    for source in ["$append($list, 1)", "$append($list, $states.input.x[0])"] {
        assert_eq!(plan_of(source), Plan::Append("list".into()), "{source}");
    }
}

#[test]
fn any_other_expression_is_evaluated() {
    for source in [
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
        "$states.input & ''",
        "$",
        "$$",
        "a.b",
        "$.a",
        "$order[]",
        "$order[0]",
        "$order.a[]",
        "$a and $b",
        "$a & 'b'",
        "$a + 1 + 2",
        "$a + $b[0]",
        "-$a",
        "$now()",
        "$merge([$states.input])",
        "$merge($states.input)",
        "$merge([$states.input, $states.result])",
        "$merge([{'a': 1}, $states.input])",
        "$merge([$states.input.a, {'a': 1}])",
        "$merge([$states.input, {'a': 1}, {'b': 1}])",
        "$merge([$states.input, {'a': 1}])[0]",
        "$merge([$states.input, {'a': 1}]).a",
        "($merge([$states.input, {'a': 1}]))",
        "$append([$states.input, {'a': 1}])",
        "$append($list)",
        "$append($list, 1, 2)",
        "$append($list, ?)",
        "$append($list[0], 1)",
        "$append($list.a, 1)",
        "$append([], $list)",
        "$append($states, 1)",
        "$append($list, 1)[0]",
        "append($list, 1)",
    ] {
        assert_eq!(plan_of(source), Plan::Evaluate, "{source}");
    }
}

#[test]
fn plans_give_what_evaluation_gives() {
    let machine = Machine {
        input: json!({"a": 1, "b": {"c": [1]}, "d": null, "e": [], "f": [{"g": 1}]}),
        variables: json!({"list": [1, [2]], "one": 1, "order": {"id": 7, "tags": ["x"]}, "nothing": null}),
    };
    for source in [
        "[1, [2, []], {'a': {'b': null}}]",
        "$states.input",
        "$states.input.a",
        "$states.input.b.c",
        "$states.input.d",
        "$states.input.e",
        "$list",
        "$order.id",
        "$order.tags",
        "$merge([$states.input, {}])",
        "$merge([$states.input, {'a': 2}])",
        "$merge([$states.input, {'z': [1, {'y': 2}], 'a': {}}])",
        "$merge([$states.input, {'z': $states.input.b, 'a': null, 'y': [$states.input.a]}])",
        "$merge([$states.input, {'b': {'e': $states.input.none}, 'f': $states.input.none}])",
        "$merge([$states.input, {'g': $sum}])",
        "$append($list, 3)",
        "$append($list, [3, [4]])",
        "$append($list, [[3]])",
        "$append($list, [])",
        "$append($list, $states.input.e)",
        "$append($list, $states.input.f.g)",
        "$append($list, $states.input.none)",
        "$append($list, $list)",
        "$append($list, [1..3])",
        "$append($list, null)",
        "$append($list, $sum)",
        "$append($list, [$sum])",
        "$append($list, {'a': $one})",
    ] {
        let expression = Expression::parse(source).unwrap();
        let evaluated = expression.evaluate(&mut machine.environment()).unwrap();
        let text = |value: Option<Value>| value.map(|value| value.to_string());
        let planned = machine.planned(&expression).expect(source);
        assert_eq!(text(planned), text(evaluated), "{source}");
    }
    for source in [
        "$states.input.f.g",
        "$states.input.none.x",
        "$none",
        "$order.none",
        "$one.x",
        "$nothing.x",
        "$append($one, 2)",
        "$append($none, 2)",
        "$append($none, $none)",
    ] {
        let expression = Expression::parse(source).unwrap();
        assert_ne!(expression.plan(), &Plan::Evaluate, "{source}");
        assert_eq!(machine.planned(&expression), None, "{source}");
    }
}

#[test]
fn operations_give_what_evaluation_gives() {
    let values = json!([
        0, 1, -1, 2.5, 0.1, 1e15, 9_007_199_254_740_993_u64, u64::MAX, i64::MIN, 1e308, -0.0,
        "", "a", "b", "\u{1f600}", "x".repeat(300), true, false, null, [], [1], {}, {"a": 1}
    ]);
    let operators = ["+", "-", "*", "/", "%", "=", "!=", "<", "<=", ">", ">="];
    let expressions = operators
        .map(|operator| Expression::parse(&format!("$states.input.a {operator} $b")).unwrap());
    let mut applied = 0;
    for (left, right) in pairs(values.as_array().unwrap()) {
        let machine = Machine {
            input: json!({"a": left}),
            variables: json!({"b": right}),
        };
        for expression in &expressions {
            if let Some(planned) = machine.planned(expression) {
                let evaluated = expression.evaluate(&mut machine.environment()).unwrap();
                let (planned, evaluated) = (planned.unwrap(), evaluated.unwrap());
                let source = expression.source();
                assert_eq!(
                    planned.to_string(),
                    evaluated.to_string(),
                    "{left} {source} {right}"
                );
                applied += 1;
            }
        }
    }
    assert!(applied > 1_500, "{applied}");
}

fn pairs(values: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    let with_each = |left| values.iter().map(move |right| (left, right));
    values.iter().flat_map(with_each)
}

#[test]
fn an_operation_needs_values_at_hand_that_suit_it() {
    let machine = Machine {
        input: json!({"a": 1, "list": [1]}),
        variables: json!({"text": "x".repeat(300)}),
    };
    for source in [
        "$states.input.none + 1",
        "$none = 1",
        "$states.input.list = 1",
        "$text = 'a'",
        "'a' < 'b'",
        "'a' + 1",
        "1 / 0",
        "1e308 * 10",
    ] {
        let expression = Expression::parse(source).unwrap();
        let plan = expression.plan();
        assert!(matches!(plan, Plan::Operation(_)), "{source}: {plan:?}");
        assert_eq!(machine.planned(&expression), None, "{source}");
    }
}

#[test]
fn a_variable_may_hide_the_function_of_a_plan() {
    let machine = Machine {
        input: json!({}),
        variables: json!({"merge": 1, "append": 2, "list": []}),
    };
    for source in ["$merge([$states.input, {'a': 1}])", "$append($list, 1)"] {
        let expression = Expression::parse(source).unwrap();
        assert_eq!(machine.planned(&expression), None, "{source}");
        let error = expression.evaluate(&mut machine.environment()).unwrap_err();
        assert_eq!(error.code, "T1006", "{source}");
    }
}

/// Checks that a separately evaluated part nests no less than in the whole.
#[test]
fn the_rest_of_a_plan_nests_as_deep_as_in_the_whole() {
    let machine = Machine {
        input: json!({}),
        variables: json!({"list": []}),
    };
    for (source, whole) in [
        ("$merge([$states.input, {'a': [$list]}])", 5),
        ("$append($list, [$list])", 3),
        ("$list ~> $count()", 2),
    ] {
        let expression = Expression::parse_with(source, &Options::default()).unwrap();
        for depth in [whole - 1, whole] {
            let limits = Limits::default().with_max_depth(depth);
            let environment = || machine.environment().with_limits(limits);
            let rest = expression.evaluate_rest(&mut environment()).map(drop);
            let evaluated = expression.evaluate(&mut environment()).map(drop);
            assert_eq!(rest, evaluated, "{source} within {depth}");
            assert_eq!(rest.is_ok(), depth == whole, "{source} within {depth}");
        }
    }
}

//! References of expressions.
use super::parse;
use crate::syntax::references;
use crate::{References, StatesField, UnsupportedUse};

fn analysed(text: &str) -> References {
    parse(text).map_or_else(
        |error| panic!("{text}: {error}"),
        |syntax| references(&syntax),
    )
}

/// Returns the free variables, with their positions.
fn free(text: &str) -> Vec<String> {
    let variables = analysed(text).variables.into_iter();
    variables
        .map(|used| format!("{}@{}", used.name, used.position))
        .collect()
}

/// Returns the uses that the States Language refuses, as text.
fn unsupported(text: &str) -> Vec<String> {
    let found = analysed(text).unsupported;
    let shown = found.iter().map(|used| match used {
        UnsupportedUse::Input { .. } => "$".to_owned(),
        UnsupportedUse::Root { .. } => "$$".to_owned(),
        UnsupportedUse::FieldName { name, .. } => name.clone(),
    });
    let shown: Vec<String> = shown.collect();
    for (used, shown) in found.iter().zip(&shown) {
        assert!(
            text[used.position()..].starts_with(shown),
            "{text}: {used:?}"
        );
    }
    shown
}

#[test]
fn variables_are_free_unless_they_are_bound_before() {
    for (text, expected) in [
        ("$x + $été.a", vec!["x@0", "été@5"]),
        ("($x := $x; $x)", vec!["x@7"]),
        ("($x := 1; $y := $x; $y)", vec![]),
        ("(($x := 1); $x)", vec!["x@12"]),
        ("($x; $x := 1)", vec!["x@1"]),
        ("$x := 1", vec![]),
        ("[($x := 1; $x), $x]", vec!["x@16"]),
        ("$c ? ($x := 1; $x) : $x", vec!["c@0", "x@21"]),
        ("(1 ? $x := 1; $x)", vec![]),
        ("{'a': $x, $k: 1}", vec!["x@6", "k@10"]),
        ("$x.a[$y]{$z: 1}^(>$w)", vec!["x@0", "y@5", "z@9", "w@18"]),
        ("$f($x)($y, ?)", vec!["f@0", "x@3", "y@7"]),
        ("$v ~> |$p|$u,$d|", vec!["v@0", "p@7", "u@10", "d@13"]),
    ] {
        assert_eq!(free(text), expected, "{text}");
    }
}

#[test]
fn parameters_are_bound_in_the_body() {
    for (text, expected) in [
        ("function($x){$x + $y}", vec!["y@18"]),
        ("[function($x){$x}, $x]", vec!["x@19"]),
        ("$map($xs, function($v, $i){$v * $i})", vec!["xs@5"]),
        ("function($x){function($y){$x + $y}}", vec![]),
    ] {
        assert_eq!(free(text), expected, "{text}");
    }
}

#[test]
fn a_function_sees_what_is_bound_around_it_later() {
    for (text, expected) in [
        (
            "($f := function($n){$n = 0 ? 1 : $f($n - 1)}; $f(3))",
            vec![],
        ),
        (
            "($f := function(){$g()}; $g := function(){$f()}; $f())",
            vec![],
        ),
        ("(($f := function(){$g()}); $g := 1)", vec![]),
        ("(function(){$x := $y}; $x; $y := 1)", vec!["x@23"]),
        ("function(){($a; $a := 1)}", vec!["a@12"]),
        (
            "(($f := function(){$g}; $g := 1); function(){$g})",
            vec!["g@45"],
        ),
        ("($t := |a|$u|; $u := {})", vec![]),
    ] {
        assert_eq!(free(text), expected, "{text}");
    }
}

#[test]
fn steps_bind_for_the_rest_of_their_path() {
    for (text, expected) in [
        ("$a@$x.$b[$x.id = id]{$x.k: $}", vec!["a@0", "b@6"]),
        ("$a#$i[$i = 0].$i", vec!["a@0"]),
        ("$a[$i]#$i.$i", vec!["a@0", "i@3"]),
        ("($a@$x.b; $x)", vec!["a@1", "x@10"]),
        ("$a@$x^($x.k)", vec!["a@0"]),
    ] {
        assert_eq!(free(text), expected, "{text}");
    }
}

#[test]
fn built_in_functions_are_free_in_neither_dialect() {
    assert_eq!(free("$sum($x) ~> $partition(2) ~> $map($uuid)"), ["x@5"]);
    assert_eq!(free("function($sum){$sum}"), Vec::<String>::new());
}

#[test]
fn fields_of_states_are_told_apart() {
    for (text, field, name) in [
        ("$states.input.a", Some(StatesField::Input), Some("input")),
        ("$states.result", Some(StatesField::Result), Some("result")),
        (
            "$states.'errorOutput'",
            Some(StatesField::ErrorOutput),
            Some("errorOutput"),
        ),
        (
            "$states.`context`[0]",
            Some(StatesField::Context),
            Some("context"),
        ),
        ("$states.other", None, Some("other")),
        ("$states", None, None),
        ("$states[input].result", None, None),
        ("$states.(input)", None, None),
        ("$states.*", None, None),
        ("$lookup($states, 'input')", None, None),
        (
            "function(){$states.input}",
            Some(StatesField::Input),
            Some("input"),
        ),
    ] {
        let states = analysed(text).states;
        let [used] = states.as_slice() else {
            panic!("{text}: {states:?}");
        };
        assert_eq!(used.field, field, "{text}");
        assert_eq!(used.name.as_deref(), name, "{text}");
        assert_eq!(text.find("$states"), Some(used.position), "{text}");
    }
    assert_eq!(analysed("function($states){$states.input}").states, []);
    assert!(analysed("$states[input].result").reads(StatesField::Input));
}

#[test]
fn the_top_level_has_no_context() {
    for (text, expected) in [
        ("$", vec!["$"]),
        ("$.total", vec!["$"]),
        ("total.a", vec!["total"]),
        ("and.a", vec!["and"]),
        ("*", vec!["*"]),
        ("**.a", vec!["**"]),
        (
            "a + $f(b, {'c': d}) & [e, -f]",
            vec!["a", "b", "d", "e", "f"],
        ),
        ("(a; $x := b; c ? d : e)", vec!["a", "b", "c", "d", "e"]),
        ("function($v){name}", vec!["name"]),
        ("$map($xs, function($v){$.name})", vec!["$"]),
        ("a[b]{c: d}", vec!["a"]),
        ("f($x)", vec!["f"]),
        ("{k: 1}", vec!["k"]),
        ("$x ~> f(?, g)", vec!["f", "g"]),
    ] {
        assert_eq!(unsupported(text), expected, "{text}");
    }
}

#[test]
fn nested_in_an_expression_names_are_those_of_its_items() {
    for text in [
        "$order[$.total > 10]",
        "$order[total > 10]",
        "$x.a.$.b.*",
        "$x.(a; $ ? b : c)",
        "$x^(a, >$.b)",
        "$x{a: $}",
        "$x.a{b: $sum(c)}",
        "$x.{'a': b, c: function(){d}}",
        "(1)[a]",
        "[1..3].($ * 2)",
        "$x ~> |a.b|{'c': d}, $|",
        "$x#$i.a[$i]",
    ] {
        assert_eq!(unsupported(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_focus_leaves_the_context_as_it_was() {
    assert_eq!(unsupported("$x@$v.b[c]"), ["b"]);
    assert_eq!(unsupported("$x.a@$v.b[c]"), Vec::<String>::new());
    assert_eq!(unsupported("$x@$v.$y@$w[$w.k = k].($.a)"), ["k", "$"]);
    assert_eq!(unsupported("$x@$v^(k){l: $v}"), ["k", "l"]);
}

#[test]
fn the_root_is_refused_everywhere() {
    assert_eq!(unsupported("$x[$$.a].($sum([$$]))"), ["$$", "$$"]);
}

/// The service takes it in a definition: where nothing assigns it, calling it fails.
#[test]
fn eval_is_a_variable_like_others() {
    let text = "$eval('1') ~> $eval";
    assert_eq!(unsupported(text), Vec::<String>::new());
    assert_eq!(free(text), ["eval@0", "eval@14"]);
    assert_eq!(free("function($eval){$eval('1')}"), [""; 0]);
}

#[test]
fn names_of_built_in_functions_are_told_apart() {
    let built_in = |text: &str| {
        let used = analysed(text).built_in.into_iter();
        used.map(|used| format!("{}@{}", used.name, used.position))
            .collect::<Vec<String>>()
    };
    assert_eq!(built_in("$sum($x) & $hash"), ["sum@0", "hash@11"]);
    assert_eq!(free("$sum($x) & $hash"), ["x@5"]);
    assert_eq!(built_in("($sum := 1; $sum)"), [""; 0]);
    assert_eq!(
        built_in("[function(){$count}, $sum]"),
        ["count@12", "sum@21"]
    );
}

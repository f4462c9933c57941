//! Data computed from finished trees.
use super::parse;
use crate::StatesField;
use crate::syntax::{NodeKind, Origin, Symbol};

fn origin(text: &str) -> Option<Origin> {
    match parse(text).unwrap().root.kind {
        NodeKind::Path(path) => path.origin,
        other => panic!("{text} is no path but {other:?}"),
    }
}

#[test]
fn a_path_of_names_begins_somewhere() {
    for (text, expected) in [
        ("a", Origin::Name),
        ("a.`b c`.'d'", Origin::Name),
        ("$.a", Origin::Context),
        ("$$.a", Origin::Variable(Symbol::ROOT)),
        ("$states.input", Origin::States(StatesField::Input)),
        (
            "$states.errorOutput.a",
            Origin::States(StatesField::ErrorOutput),
        ),
    ] {
        assert_eq!(origin(text), Some(expected), "{text}");
    }
    assert!(matches!(origin("$x.a.b"), Some(Origin::Variable(_))));
}

#[test]
fn other_paths_are_evaluated_step_by_step() {
    for text in [
        "a[]",
        "a[0]",
        "a.b[]",
        "a.b[0]",
        "a{b: c}",
        "a^(b)",
        "a@$b.c",
        "a#$b.c",
        "a.*",
        "a.(b)",
        "a.b.%",
        "$states.other",
        "(a).b",
        "[a].b",
        "{'a': b}.c",
        "$f().a",
    ] {
        assert_eq!(origin(text), None, "{text}");
    }
}

#[test]
fn names_bound_outside_of_blocks_and_functions_need_a_frame() {
    let binds = |text: &str| parse(text).unwrap().binds;
    for text in [
        "$x := 1",
        "[$x := 1, $x]",
        "$sum($x := [1])",
        "(1)[$x := 0]",
        "a.b[$x := 0]",
        "{'a': $x := 1}",
        "a{b: $x := 1}",
        "a ~> |$x := b|{}|",
        "$map(a, function($y) { 1 })[$x := 0]",
        "$eval('1')",
        "$x ? $y := 1",
        "$map([$x := 1], ?)",
        "-($eval)",
    ] {
        assert!(binds(text), "{text}");
    }
    for text in [
        "$x",
        "($x := 1; $x)",
        "function($y) { $x := 1 }",
        "a.b[c = ($x := 1)]",
        "a@$x.b#$y",
    ] {
        assert!(!binds(text), "{text}");
    }
}

#[test]
fn only_blocks_that_bind_names_need_frames() {
    let block_binds = |text: &str| match parse(text).unwrap().root.kind {
        NodeKind::Block { binds, .. } => binds,
        other => panic!("{text} is no block but {other:?}"),
    };
    for text in ["($x := 1)", "(1; a[$x := 1])", "([$x := 1])", "($eval)"] {
        assert!(block_binds(text), "{text}");
    }
    for text in ["(a + 1)", "(($x := 1); 2)", "(function() { $x := 1 })"] {
        assert!(!block_binds(text), "{text}");
    }
}

#[test]
fn a_function_may_only_compare_keys() {
    let swapped = |text: &str| match parse(text).unwrap().root.kind {
        NodeKind::Lambda(lambda) => lambda.order.map(|order| order.swapped),
        other => panic!("{text} is no function but {other:?}"),
    };
    for (text, expected) in [
        ("function($a, $b) { $a > $b }", false),
        ("function($a, $b) { $b <= $a }", true),
        ("λ($a, $b) { $a.k.l < $b.k.l }", false),
        ("function($a, $b) { $b.k >= $a.l }", true),
    ] {
        assert_eq!(swapped(text), Some(expected), "{text}");
    }
    for text in [
        "function($a, $b) { $a = $b }",
        "function($a, $b) { $a > 1 }",
        "function($a, $b) { $a > $a }",
        "function($a, $b) { $a > $c }",
        "function($a, $a) { $a > $a }",
        "function($a) { $a > $b }",
        "function($a, $b, $c) { $a > $b }",
        "function($a, $b)<nn> { $a > $b }",
        "function($a, $b) { ($a > $b) }",
        "function($a, $b) { ($a > $b)[0] }",
        "function($a, $b) { $a[0] > $b[0] }",
        "function($a, $b) { $a.k[0] > $b.k[0] }",
        "function($a, $b) { $a.k > $b.k and $a.l > $b.l }",
        "function($a, $b) { $a.(k) > $b.(k) }",
    ] {
        assert_eq!(swapped(text), None, "{text}");
    }
}

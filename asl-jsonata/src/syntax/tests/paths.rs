//! Paths, their steps, and the stages of steps.
use super::assert_trees;

#[test]
fn what_is_joined_by_dots_is_one_path() {
    assert_trees(&[
        ("a", "`a`"),
        ("a.b.c", "⟨`a`.`b`.`c`⟩"),
        ("$.a", "⟨$.`a`⟩"),
        ("$x.a.$f(b)", "⟨$x.`a`.$f(`b`)⟩"),
        ("a.*.**.b", "⟨`a`.*.**.`b`⟩"),
        ("a.(b.c).d", "⟨`a`.(⟨`b`.`c`⟩).`d`⟩"),
        ("a.{'b':c}", "⟨`a`.{\"b\":`c`}⟩"),
        ("a.-b", "⟨`a`.-`b`⟩"),
        ("a.function($x){b}", "⟨`a`.function($x){`b`}⟩"),
    ]);
}

#[test]
fn strings_that_are_steps_are_names() {
    assert_trees(&[
        ("'a'.\"b c\"", "⟨`a`.`b c`⟩"),
        ("'a'", "\"a\""),
        ("'a'^(b)", "⟨\"a\"^(<`b`)⟩"),
        ("'a'^(b).c", "⟨`a`^(<`b`).`c`⟩"),
    ]);
}

#[test]
fn predicates_belong_to_their_step() {
    assert_trees(&[
        ("a[0]", "`a`[0]"),
        ("a.b[0][c=1].d", "⟨`a`.`b`[0][⟨`c` = 1⟩].`d`⟩"),
        ("$x[0].a", "⟨$x[0].`a`⟩"),
        ("(a.b)[0]", "(⟨`a`.`b`⟩)[0]"),
        ("$f(1)[0]", "$f(1)[0]"),
        ("a+b[0]", "⟨`a` + `b`[0]⟩"),
    ]);
}

#[test]
fn empty_brackets_keep_an_array() {
    assert_trees(&[
        ("a[]", "`a`[]+"),
        ("a.b[]", "⟨`a`.`b`[]⟩+"),
        ("a[].b", "⟨`a`[].`b`⟩+"),
        ("a[0][]", "`a`[][0]+"),
        ("$x[]", "$x[]"),
        ("$x[].a", "⟨$x[].`a`⟩+"),
        ("(a.b)[]", "(⟨`a`.`b`⟩)[]"),
        ("a@$x[].b", "⟨`a`[]@$x°.`b`⟩+"),
    ]);
}

#[test]
fn array_constructors_at_the_ends_of_a_path_are_not_flattened() {
    assert_trees(&[
        ("[a].b", "⟨[`a`]=.`b`⟩"),
        ("a.[b]", "⟨`a`.[`b`]=⟩"),
        ("a.[b].c", "⟨`a`.[`b`]=.`c`⟩"),
        ("a.([b]).c", "⟨`a`.([`b`]).`c`⟩"),
        ("([a].b)", "(⟨[`a`]=.`b`⟩)="),
        ("(([a].b)).c", "⟨((⟨[`a`]=.`b`⟩)=)=.`c`⟩"),
        ("[a]", "[`a`]"),
    ]);
}

#[test]
fn a_group_ends_a_path() {
    assert_trees(&[
        ("a.b{c:d}", "⟨`a`.`b`{`c`:`d`}⟩"),
        ("a.b{c:d}.e", "⟨`a`.`b`.`e`{`c`:`d`}⟩"),
        ("$x{c:d}", "$x{`c`:`d`}"),
        ("$x{c:d}.e", "⟨$x{`c`:`d`}.`e`⟩"),
    ]);
}

#[test]
fn sorting_is_a_step() {
    assert_trees(&[
        ("a^(b)", "⟨`a`^(<`b`)⟩"),
        ("a.b^(<c,>d.e).f", "⟨`a`.`b`^(<`c`,>⟨`d`.`e`⟩).`f`⟩"),
        ("$x^(>$)[0]", "⟨$x^(>$)[0]⟩"),
        ("a^(b)^(c)", "⟨`a`^(<`b`)^(<`c`)⟩"),
        // The operator binds no stronger than a comparison.
        ("1+a^(b)", "⟨⟨1 + `a`⟩^(<`b`)⟩"),
        ("a=b^(c)", "⟨⟨`a` = `b`⟩^(<`c`)⟩"),
        ("a and b^(c)", "⟨`a` and ⟨`b`^(<`c`)⟩⟩"),
    ]);
}

#[test]
fn steps_bind_their_items_and_positions() {
    assert_trees(&[
        ("a@$x.b", "⟨`a`@$x°.`b`⟩"),
        ("a#$i.b", "⟨`a`#$i°.`b`⟩"),
        ("a@$x#$i[$i=0]", "`a`@$x#$i[⟨$i = 0⟩]°"),
        ("a[0]#$i", "`a`[0]#$i°"),
        ("$x#$i", "$x#$i°"),
        ("$x[0]#$i", "$x[0]#$i°"),
        ("a.b@$x.c@$y", "⟨`a`.`b`@$x°.`c`@$y°⟩"),
        ("a^(b)#$i", "⟨`a`^(<`b`)#$i°⟩"),
        // Alone it is no path, so there is nothing to bind for.
        ("$x@$y", "$x"),
    ]);
}

#[test]
fn the_parent_is_the_context_of_its_step() {
    assert_trees(&[
        ("a.%", "⟨`a`°!0.%!0⟩"),
        ("a.b.%.c", "⟨`a`.`b`°!0.%!0.`c`⟩"),
        ("a.b.%.%", "⟨`a`°!0.`b`°!1.%!1.%!0⟩"),
        ("a.b.(%.c).%", "⟨`a`.`b`°!0.(⟨%!0.`c`°!1⟩°)°.%!1⟩"),
        ("a.b[%.c=1]", "⟨`a`.`b`[⟨⟨%!0.`c`⟩ = 1⟩]°!0⟩"),
        ("a.b[%.%.c]", "⟨`a`°!0.`b`[⟨%!1.%!0.`c`⟩]°!1⟩"),
        (
            "a.b.{'c':%.d,'e':%}",
            "⟨`a`.`b`°!0!1.{\"c\":⟨%!0.`d`⟩,\"e\":%!1}⟩",
        ),
        ("a.(b.c).%", "⟨`a`.(⟨`b`.`c`°!0⟩°)°.%!0⟩"),
        ("a.(b).%.%", "⟨`a`°!0.(`b`°!1°)°.%!1.%!0⟩"),
        ("a^(%.b)", "⟨`a`°!0^(<⟨%!0.`b`⟩)⟩"),
        ("a.b^(%.c)", "⟨`a`.`b`°!0^(<⟨%!0.`c`⟩)⟩"),
        ("a@$x.b@$y.%", "⟨`a`@$x°!0.`b`@$y°.%!0⟩"),
        ("*.%", "⟨*°!0.%!0⟩"),
    ]);
}

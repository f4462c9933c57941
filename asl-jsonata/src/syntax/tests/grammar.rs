//! Tokens, operators, and nodes other than paths.
use super::{assert_trees, parse, tree};
use crate::syntax::{Node, NodeKind, RegexLiteral};
use serde_json::{Value, json};

fn literal(text: &str) -> Option<Value> {
    match parse(text).ok()?.root.kind {
        NodeKind::Literal(value) => Some(value),
        _ => None,
    }
}

#[test]
fn literals_have_their_values() {
    for (text, expected) in [
        ("true", json!(true)),
        ("false", json!(false)),
        (" null\u{b}", json!(null)),
        ("0", json!(0)),
        ("-0", json!(0)),
        ("12.50", json!(12.5)),
        ("1e3", json!(1000)),
        ("25E-1", json!(2.5)),
        ("1e+2", json!(100)),
        ("9007199254740991", json!(9_007_199_254_740_991_i64)),
        ("1e300", json!(1e300)),
        ("- 7", json!(-7)),
        ("--7", json!(7)),
        ("'it\"s'", json!("it\"s")),
        (r#""a\"\\\/\b\f\n\r\t""#, json!("a\"\\/\u{8}\u{c}\n\r\t")),
        (r#""é\u00E9\u000a""#, json!("éé\n")),
        (r#""\ud83d\ude00""#, json!("😀")),
        (r#""\ud83d\ud83d\ude00x""#, json!("\u{fffd}😀x")),
        (r#""\ude00-\ud83d-""#, json!("\u{fffd}-\u{fffd}-")),
        ("\"line\nbreak\"", json!("line\nbreak")),
    ] {
        assert_eq!(literal(text), Some(expected), "{text}");
    }
}

#[test]
fn blanks_and_comments_mean_nothing() {
    assert_trees(&[
        (" \t\r\n\u{b}1 /* one */ + /**//* / * */ 2\n", "⟨1 + 2⟩"),
        ("1/**/+2", "⟨1 + 2⟩"),
        ("6 /* half */ / 2", "⟨6 / 2⟩"),
    ]);
}

#[test]
fn names_go_on_to_a_blank_or_an_operator() {
    assert_trees(&[
        ("a\"b", "`a\"b`"),
        ("été", "`été`"),
        ("a\u{a0}b", "`a\u{a0}b`"),
        ("`x.y + z`", "`x.y + z`"),
        ("``", "``"),
        ("$été", "$été"),
        ("$", "$"),
        ("$$", "$$"),
        ("truely", "`truely`"),
    ]);
}

#[test]
fn and_or_and_in_are_names_where_a_name_stands() {
    assert_trees(&[
        ("and", "`and`"),
        ("or and in", "⟨`or` and `in`⟩"),
        ("in in or", "⟨`in` in `or`⟩"),
        ("and.or.in", "⟨`and`.`or`.`in`⟩"),
    ]);
}

#[test]
fn a_slash_divides_after_an_operand_and_begins_a_regular_expression_elsewhere() {
    let regex = |text: &str| match parse(text).ok()?.root.kind {
        NodeKind::Regex(pattern) => Some(pattern.literal().clone()),
        _ => None,
    };
    let literal = |pattern: &str, ignore_case, multiline| {
        Some(RegexLiteral {
            pattern: pattern.into(),
            ignore_case,
            multiline,
        })
    };
    assert_eq!(regex("/ab+/"), literal("ab+", false, false));
    assert_eq!(regex("/a/im"), literal("a", true, true));
    assert_eq!(
        regex(r"/[a/b](\/)\\/m"),
        literal(r"[a/b](\/)\\", false, true)
    );
    assert_trees(&[
        ("a/b/c", "⟨`a` / `b` / `c`⟩"),
        ("$f(/b/,$)/2", "⟨$f(/b/,$) / 2⟩"),
        ("a~>/b/", "⟨`a` ~> /b/⟩"),
        // The reference looks for an operator after an opening bracket.
        (
            "(/b/)",
            "S0211: The symbol \"/\" cannot be used as a unary operator at 1",
        ),
    ]);
}

#[test]
fn regular_expressions_are_checked_and_bounded() {
    let code = |text: &str| parse(text).err().map(|error| (error.code, error.position));
    assert_eq!(code("$f(/a{2/)"), Some(("S0302", 9)));
    assert_eq!(code("$f(/[b-a]/)"), Some(("S0303", 3)));
    assert_eq!(code("$f(/a++/)"), Some(("S0303", 3)));
    let many = |count: usize| {
        let calls = (0..count).map(|n| format!(",$f(/a{{{}}}/)", 100 + n));
        format!("[1{}]", calls.collect::<String>())
    };
    assert_eq!(code(&many(100)), None);
    assert_eq!(code(&many(800)).map(|(code, _)| code), Some("S0303"));
    let equal = format!("[1{}]", ",$f(/a{900}/)".repeat(10_000));
    assert_eq!(code(&equal), None);
}

#[test]
fn operators_bind_as_in_the_reference() {
    assert_trees(&[
        ("1+2*3-4", "⟨1 + ⟨2 * 3⟩ - 4⟩"),
        ("1*2+3*4", "⟨1 * 2 + ⟨3 * 4⟩⟩"),
        ("a&b=c&d", "⟨`a` & `b` = ⟨`c` & `d`⟩⟩"),
        ("a or b and c", "⟨`a` or ⟨`b` and `c`⟩⟩"),
        ("a<b and c>=d", "⟨`a` < `b` and ⟨`c` >= `d`⟩⟩"),
        ("a!=b in c", "⟨`a` != `b` in `c`⟩"),
        ("a%2=0", "⟨`a` % 2 = 0⟩"),
        ("-a.b*2", "⟨-⟨`a`.`b`⟩ * 2⟩"),
        ("-a+b", "⟨-`a` + `b`⟩"),
        ("- - a", "--`a`"),
        ("a=b~>$f=c", "⟨⟨⟨`a` = `b`⟩ ~> $f⟩ = `c`⟩"),
        ("a~>$f~>$g(1)", "⟨`a` ~> $f ~> $g(1)⟩"),
        ("$a:=$b:=1+2", "$a:=$b:=⟨1 + 2⟩"),
        ("$a:=b?c:d", "$a:=`b`?`c`:`d`"),
        ("a?b:c?d:e", "`a`?`b`:`c`?`d`:`e`"),
        ("a?b", "`a`?`b`"),
        ("a or b?c+1:d", "⟨`a` or `b`⟩?⟨`c` + 1⟩:`d`"),
    ]);
}

#[test]
fn constructors_hold_expressions() {
    assert_trees(&[
        ("[]", "[]"),
        ("[1,a+b,[2]]", "[1,⟨`a` + `b`⟩,[2]]"),
        ("[1..5,a..b+1]", "[⟨1 .. 5⟩,⟨`a` .. ⟨`b` + 1⟩⟩]"),
        ("[1+1..5]", "[⟨⟨1 + 1⟩ .. 5⟩]"),
        ("{}", "{}"),
        ("{'a':1,b:c?d:e}", "{\"a\":1,`b`:`c`?`d`:`e`}"),
        ("()", "()"),
        ("(1;2;)", "(1;2)"),
        ("($x:=1;$x)", "($x:=1;$x)"),
    ]);
}

#[test]
fn functions_are_called_defined_and_partially_applied() {
    assert_trees(&[
        ("$f()", "$f()"),
        ("f(1)", "`f`(1)"),
        ("$f(1)(2)", "$f(1)(2)"),
        ("$f(?,1,?)", "$f(?,1,?)"),
        ("function($x){$x+1}", "function($x){⟨$x + 1⟩}"),
        ("λ($x,$y){$x}(1,2)", "function($x,$y){$x}(1,2)"),
        ("`function`(){1}", "function(){1}"),
        ("function[]($x){1}", "function($x){1}"),
        ("and(1)", "`and`(1)"),
        ("|a.b|{'c':1}|", "|⟨`a`.`b`⟩|{\"c\":1}|"),
        ("$~>|*|{},['d']|", "⟨$ ~> |*|{},[\"d\"]|⟩"),
    ]);
}

#[test]
fn signatures_are_read_from_their_tokens() {
    let signature = |text: &str| match parse(text).map(|syntax| syntax.root.kind) {
        Ok(NodeKind::Lambda(lambda)) => lambda.signature.map(|signature| signature.parameters()),
        _ => None,
    };
    assert_eq!(signature("function($a,$b)<s- a<n>? : s>{1}"), Some(2));
    assert_eq!(signature("function()<a<a<s>>(sf)x+j>{1}"), Some(4));
    assert_eq!(signature("function()<>{1}"), Some(0));
    assert_eq!(signature("function(){1}"), None);
}

#[test]
fn calls_that_a_function_ends_with_are_tail_calls() {
    assert_trees(&[
        ("function(){$f()}", "function(){$f()'}"),
        ("function(){$f()[0]}", "function(){$f()[0]}"),
        (
            "function(){(a;b?$f():($g();$h()))}",
            "function(){(`a`;`b`?$f()':($g();$h()'))}",
        ),
        ("function(){$f()+1}", "function(){⟨$f() + 1⟩}"),
        ("function(){a.$f()}", "function(){⟨`a`.$f()⟩}"),
        ("function(){$f(?)}", "function(){$f(?)}"),
        (
            "function(){function(){$f()}}",
            "function(){function(){$f()'}}",
        ),
        ("($f())", "($f())"),
    ]);
}

#[test]
fn positions_are_those_of_the_operator() {
    let position = |text: &str| parse(text).map(|syntax| syntax.root.position).ok();
    for (text, expected) in [
        ("  a.b", 2),
        ("'é' + 1", 5),
        ("1 + 2 - 3", 6),
        ("$f (1)", 3),
        ("function($x) {1}", 8),
        (" (1)", 1),
        ("a ? b : c", 2),
        ("$x := 1", 3),
        ("-a", 0),
        ("- 1", 2),
    ] {
        assert_eq!(position(text), Some(expected), "{text}");
    }
}

#[test]
fn operators_in_a_row_do_not_nest() {
    let long = |operator: &str, operand: &str| {
        let mut text = operand.to_owned();
        for _ in 0..100_000 {
            text.push_str(operator);
            text.push_str(operand);
        }
        parse(&text)
    };
    for (operator, operand) in [
        ("+", "1"),
        (" and ", "a"),
        (".", "a"),
        ("~>", "$f"),
        ("", "a[1]"),
        ("", "[1]"),
        (".", "a@$b"),
        (";", "1"),
    ] {
        let parsed = long(operator, operand);
        let expected = match operator {
            ";" => Some("S0201"),
            _ if operand == "a[1]" => Some("S0201"),
            _ => None,
        };
        assert_eq!(parsed.err().map(|error| error.code), expected, "{operator}");
    }
    let Ok(syntax) = long("", "[1]") else {
        unreachable!("just parsed");
    };
    let Node { postfix, .. } = syntax.root;
    assert_eq!(
        postfix.map(|postfix| postfix.predicates.len()),
        Some(100_000)
    );
}

#[test]
fn nesting_is_limited() {
    let nested = |open: &str, close: &str, depth: usize| {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        tree(&text)
    };
    let message = "nests more than 200 levels deep";
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("-", ""),
        ("a.(", ")"),
        ("$f(", ")"),
        ("function(){", "}"),
        ("1?1:", ""),
        ("$x:=", ""),
        ("{1:", "}"),
        ("a[", "]"),
        ("", "^(1)+1"),
        ("", "()"),
    ] {
        assert!(!nested(open, close, 80).contains(message), "{open}");
        assert!(nested(open, close, 201).contains(message), "{open}");
        assert!(nested(open, close, 100_000).contains(message), "{open}");
    }
}

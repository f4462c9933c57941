//! Parse errors, with code, message and position.
use super::{assert_trees, parse};
use crate::Dialect;
use crate::syntax::{Symbols, Syntax};

#[test]
fn tokens_are_refused_in_the_words_of_the_reference() {
    assert_trees(&[
        (
            "'abc",
            "S0101: String literal must be terminated by a matching quote at 4",
        ),
        (
            "\"é",
            "S0101: String literal must be terminated by a matching quote at 3",
        ),
        ("1e400", "S0102: Number out of range: \"1e400\" at 0"),
        (
            r#""\x""#,
            r#"S0103: Unsupported escape sequence: \"x" at 2"#,
        ),
        ("\"\\", r#"S0103: Unsupported escape sequence: \"" at 2"#),
        (
            r#""\u12g4""#,
            "S0104: The escape sequence \\u must be followed by 4 hex digits at 2",
        ),
        (
            r#""\u12""#,
            "S0104: The escape sequence \\u must be followed by 4 hex digits at 2",
        ),
        (
            r#""\u12"#,
            "S0101: String literal must be terminated by a matching quote at 5",
        ),
        (
            "a.`b",
            "S0105: Quoted property name must be terminated with a backquote (`) at 4",
        ),
        ("1 /* 2", "S0106: Comment has no closing tag at 2"),
        ("/*/", "S0106: Comment has no closing tag at 0"),
        (
            "//",
            "S0301: Empty regular expressions are not allowed at 1",
        ),
        ("/ab", "S0302: No terminating / in regular expression at 3"),
        ("/(/", "S0302: No terminating / in regular expression at 3"),
        (
            "function($x)<s<n>>{1}",
            "S0401: Type parameters can only be applied to functions and arrays at 14",
        ),
        (
            "function($x)<(a<n>)>{1}",
            "S0402: Choice groups containing parameterized types are not supported at 13",
        ),
    ]);
}

#[test]
fn phrases_are_refused_in_the_words_of_the_reference() {
    assert_trees(&[
        ("a b", "S0201: Syntax error: \"b\" at 2"),
        ("1 'b'", "S0201: Syntax error: \"b\" at 2"),
        ("01", "S0201: Syntax error: 1 at 1"),
        ("a 12e20", "S0201: Syntax error: 1.2e+21 at 2"),
        (
            "a 9007199254740993",
            "S0201: Syntax error: 9007199254740992 at 2",
        ),
        ("a)", "S0201: Syntax error: \")\" at 1"),
        (
            "a ?: b",
            "S0211: The symbol \":\" cannot be used as a unary operator at 3",
        ),
        (
            "a ?? b",
            "S0211: The symbol \"?\" cannot be used as a unary operator at 3",
        ),
        (
            "[1,2",
            "S0203: Expected \"]\" before end of expression at 4",
        ),
        ("[1 2]", "S0202: Expected \"]\", got 2 at 3"),
        ("(1 true)", "S0202: Expected \")\", got true at 3"),
        ("{'a'}", "S0202: Expected \":\", got \"}\" at 4"),
        (
            "{'a':1",
            "S0203: Expected \"}\" before end of expression at 6",
        ),
        (
            "|a|b",
            "S0203: Expected \"|\" before end of expression at 4",
        ),
        ("a^b", "S0202: Expected \"(\", got \"b\" at 2"),
        (
            "function($x)",
            "S0203: Expected \"{\" before end of expression at 12",
        ),
        (
            "function($x)<s{1}",
            "S0202: Expected \">\", got \"{\" at 14",
        ),
        ("a ! b", "S0204: Unknown operator: \"!\" at 2"),
        ("~a", "S0204: Unknown operator: \"~\" at 0"),
        ("", "S0207: Unexpected end of expression at 0"),
        (" /* */", "S0207: Unexpected end of expression at 6"),
        ("1+", "S0207: Unexpected end of expression at 2"),
        ("a.", "S0207: Unexpected end of expression at 2"),
    ]);
}

#[test]
fn functions_and_steps_are_refused_in_the_words_of_the_reference() {
    assert_trees(&[
        (
            "function(x){1}",
            "S0208: Parameter 1 of function definition must be a variable name (start with $) at 9",
        ),
        (
            "function($x,$y+1){1}",
            "S0208: Parameter 2 of function definition must be a variable name (start with $) at 14",
        ),
        (
            "function($x, ?){1}",
            "S0208: Parameter 2 of function definition must be a variable name (start with $) at 13",
        ),
        (
            "$x{a:b}[0]",
            "S0209: A predicate cannot follow a grouping expression in a step at 7",
        ),
        (
            "a{b:c}{d:e}",
            "S0210: Each step can only have one grouping expression at 6",
        ),
        (
            "$x{b:c}{d:e}",
            "S0210: Each step can only have one grouping expression at 7",
        ),
        (
            "1++2",
            "S0211: The symbol \"+\" cannot be used as a unary operator at 2",
        ),
        (
            "}",
            "S0211: The symbol \"}\" cannot be used as a unary operator at 0",
        ),
        (
            "a:=1",
            "S0212: The left side of := must be a variable name (start with $) at 0",
        ),
        (
            "$a.b:=1",
            "S0212: The left side of := must be a variable name (start with $) at 2",
        ),
        (
            "a.1",
            "S0213: The literal value 1 cannot be used as a step within a path expression at 2",
        ),
        (
            "null.a",
            "S0213: The literal value null cannot be used as a step within a path expression at 0",
        ),
        (
            "a@b",
            "S0214: The right side of \"@\" must be a variable name (start with $) at 2",
        ),
        (
            "a#1",
            "S0214: The right side of \"#\" must be a variable name (start with $) at 2",
        ),
        (
            "a[0]@$x",
            "S0215: A context variable binding must precede any predicates on a step at 4",
        ),
        (
            "a^(b)@$x",
            "S0216: A context variable binding must precede the 'order-by' clause on a step at 5",
        ),
        (
            "%",
            "S0217: The object representing the 'parent' cannot be derived from this expression at 0",
        ),
        (
            "a.%.%",
            "S0217: The object representing the 'parent' cannot be derived from this expression at 0",
        ),
        (
            "$x.%",
            "S0217: The object representing the 'parent' cannot be derived from this expression at 0",
        ),
    ]);
}

#[test]
fn of_several_faults_the_reference_names_the_first_that_it_meets() {
    for (text, code) in [
        // Faults of the grammar come before those of paths and before a missing operand.
        ("(a.1", "S0203"),
        ("(1+", "S0203"),
        ("a.1 + ", "S0213"),
        // The arguments of a call come before the function.
        ("(a.1)(b{c:d}{e:f})", "S0210"),
        ("a.1[b{c:d}{e:f}]", "S0210"),
    ] {
        let found = parse(text).err().map(|error| error.code);
        assert_eq!(found, Some(code), "{text}");
    }
}

#[test]
fn no_limit_allows_more_than_a_thousand_levels() {
    let text = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let parse = |depth, limit| {
        Syntax::parse(
            &text(depth),
            limit,
            Symbols::new(Dialect::Jsonata),
            &mut crate::Patterns::default(),
        )
    };
    assert!(parse(4, 4).is_err());
    assert!(parse(3, 4).is_ok());
    assert!(parse(999, usize::MAX).is_ok());
    let error = parse(1_000, usize::MAX).err();
    assert_eq!(error.map(|error| error.code), Some("D1011"));
}

//! JSONata expressions, each at any size.
use super::families::{Family, family, machine, table};
use serde_json::{Value, json};

/// Each with `$i` for the state's input, of so many items at first.
const EXPRESSIONS: [(&str, usize, &str); 62] = [
    ("$sort", 1_000, "$count($sort($i.numbers))"),
    (
        "$sort by a function",
        500,
        "$count($sort($i.numbers, function($a, $b) {$a > $b}))",
    ),
    ("order by", 500, "$count($i.items^(id))"),
    ("order by two", 500, "$count($i.items^(>id, name))"),
    ("$match", 500, "$count($match($i.text, /b,(c)/))"),
    (
        "$match of nothing",
        1_000,
        "$count($match($i.letters, /a*b/))",
    ),
    ("$replace", 500, "$length($replace($i.text, 'b', 'xyz'))"),
    (
        "$replace by a regex",
        500,
        "$length($replace($i.text, /b(.)/, '$1$1'))",
    ),
    (
        "$replace by a function",
        500,
        "$length($replace($i.text, /b/, function($m) {$m.match & 'x'}))",
    ),
    ("$split", 500, "$count($split($i.text, ','))"),
    ("$split by a regex", 500, "$count($split($i.text, /[, ]/))"),
    ("$join", 500, "$length($join($i.names, '-'))"),
    ("$merge", 500, "$count($keys($merge($i.items.{name: id})))"),
    ("$distinct", 500, "$count($distinct($i.numbers))"),
    ("$distinct of texts", 500, "$count($distinct($i.names))"),
    ("$distinct of objects", 200, "$count($distinct($i.items))"),
    ("$zip", 500, "$count($zip($i.numbers, $i.names))"),
    ("$spread", 500, "$count($spread($i.fields))"),
    (
        "$each",
        500,
        "$count($each($i.fields, function($v, $k) {$k & $v}))",
    ),
    (
        "$sift",
        500,
        "$count($keys($sift($i.fields, function($v, $k) {$v = 1})))",
    ),
    (
        "$reduce",
        500,
        "$reduce($i.numbers, function($a, $b) {$a + $b})",
    ),
    (
        "$reduce that appends",
        50,
        "$count($reduce($i.numbers, function($a, $b) {$append($a, $b)}, []))",
    ),
    (
        "$reduce of texts",
        50,
        "$length($reduce($i.names, function($a, $b) {$a & $b}))",
    ),
    (
        "$map",
        500,
        "$count($map($i.numbers, function($n) {$n * 2}))",
    ),
    (
        "$filter",
        500,
        "$count($filter($i.numbers, function($n) {$n > 2}))",
    ),
    ("$single", 500, "$single($i.numbers, function($n) {$n = 0})"),
    (
        "a transform",
        200,
        "$count(($i ~> |items|{'seen': id}|).items)",
    ),
    (
        "a transform of all",
        100,
        "$count(($i ~> |**[id]|{'seen': 1}|).items)",
    ),
    (
        "a transform that deletes",
        200,
        "$count(($i ~> |items|{}, ['tags']|).items)",
    ),
    ("a wildcard", 500, "$count($i.fields.*)"),
    ("descendants", 200, "$count($i.**)"),
    ("descendants of descendants", 50, "$count($i.items.**.**)"),
    ("a parent", 200, "$count($i.items.tags.%.id)"),
    ("a join", 20, "$count($i.items@$a.items@$b[$a.id = $b.id])"),
    ("a position", 300, "$count($i.items#$p[$p > 3])"),
    ("a predicate", 500, "$count($i.items[id > 3])"),
    ("an index", 50, "$i.items[-1].id"),
    ("grouping", 300, "$count($keys($i.items{name: id}))"),
    ("grouping into one", 300, "$count($i.items{'all': id}.all)"),
    ("$string", 300, "$length($string($i.items))"),
    ("$string, indented", 300, "$length($string($i.items, true))"),
    ("$number", 300, "$sum($i.numbers.$number($string($)))"),
    ("$contains", 1_000, "$contains($i.letters, 'aab')"),
    (
        "$substringAfter",
        1_000,
        "$length($substringAfter($i.letters, 'a'))",
    ),
    (
        "$pad",
        1_000,
        "$length($pad('x', $count($i.numbers), 'ab'))",
    ),
    ("$trim", 1_000, "$length($trim($i.text))"),
    ("$uppercase", 1_000, "$length($uppercase($i.text))"),
    ("$base64encode", 1_000, "$length($base64encode($i.text))"),
    (
        "$encodeUrlComponent",
        1_000,
        "$length($encodeUrlComponent($i.text))",
    ),
    ("$reverse", 500, "$count($reverse($i.numbers))"),
    ("$shuffle", 500, "$count($shuffle($i.numbers))"),
    ("$append", 500, "$count($append($i.numbers, $i.names))"),
    ("in", 30, "$count($i.numbers[$ in $i.numbers])"),
    ("equality of arrays", 500, "$i.items = $i.items"),
    ("equality of objects", 500, "$i.fields = $i.fields"),
    (
        "$lookup",
        50,
        "$count($i.names.($n := $; $lookup($i.fields, $n)))",
    ),
    (
        "$lookup of fields",
        50,
        "($f := $i.fields; $count($map($i.names, function($n) {$lookup($f, $n)})))",
    ),
    ("$keys of many", 300, "$count($keys($i.items))"),
    ("$partition", 500, "$count($partition($i.numbers, 3))"),
    ("$range", 500, "$count($range(1, $count($i.numbers), 1))"),
    ("$hash", 1_000, "$hash($i.text, 'SHA-256')"),
    ("$parse", 500, "$count($parse($i.json))"),
];

pub(super) fn jsonata() -> Vec<Family> {
    let state = |expression: &str| {
        let text = format!("{{% ($i := $states.input; {expression}) %}}");
        json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": text})
    };
    let mut families = table(EXPRESSIONS, state);
    families.extend(written());
    families
}

/// Expressions that read much data and return little, each evaluated as many times as the data is long. A text is a hundred
/// times as long, an array twenty times.
const REPEATED: [&str; 57] = [
    "$length($fromMillis(0, $q))",
    "$exists($toMillis($s, $q))",
    "$length($formatInteger(1, $w))",
    "$exists($parseInteger($w, $w))",
    "$formatBase(1e300, 2) = '1'",
    "$substringBefore('a', $t)",
    "$contains('a', $t)",
    "$count($split('a', $t))",
    "$replace('a', $t, 'x')",
    "$type($replace($t, 'b', 1))",
    "$match('a', /a/).match",
    "$lookup($n, 'none')",
    "$count($o.none)",
    "$length($t)",
    "$contains($t, 'b')",
    "$contains($t, /b/)",
    "$substring($t, -1)",
    "$substring($t, 5, 1)",
    "$substringBefore($t, 'b') = 'c'",
    "$substringAfter($t, 'b') = 'c'",
    "$t = $u",
    "$t < $u",
    "$t in [$u]",
    "$hash($t, 'SHA-1')",
    "$count($match($t, /b/))",
    "$length($replace($t, 'b', 'c'))",
    "$count($split($t, 'b'))",
    "$length($trim($t))",
    "$length($uppercase($t))",
    "$length($pad($t, -1))",
    "$length($base64encode($t))",
    "$length($encodeUrl($t))",
    "$length($string($t))",
    "$length($t & 'x')",
    "$number('0' & '1')",
    "$boolean($t)",
    "$count($a)",
    "$sum($a)",
    "$max($a)",
    "$average($a)",
    "$boolean($z)",
    "$z and true",
    "$not($z)",
    "$exists($a)",
    "$a = $b",
    "$a != $b",
    "-1 in $a",
    "$a[-1]",
    "$a[0]",
    "$type($a)",
    "$count($a[$ = -1])",
    "$count($distinct($a))",
    "$count($reverse($a))",
    "$count($append($a, 1))",
    "$lookup($o, 'none')",
    "$count($keys($o))",
    "$o = $p",
];

pub(super) fn repeated() -> Vec<Family> {
    let of = |expression: &'static str| {
        family(format!("many: {expression}"), 40, move |size| {
            let data = "$i := $states.input; $t := $i.t; $u := $i.u; $a := $i.a; $b := $i.b; $z := $i.z; $o := $i.o; $p := $i.p; $n := $i.n; $q := $i.q; $s := $i.s; $w := $i.w";
            let text = format!(
                "{{% ({data}; $count($map([1..{size}], function($k) {{{expression}}}))) %}}"
            );
            let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": text});
            let (text, numbers) = ("a".repeat(size * 100), (1..size * 20).collect::<Vec<_>>());
            let fields: serde_json::Map<String, Value> = numbers
                .iter()
                .map(|n| (format!("k{n}"), json!(1)))
                .collect();
            (
                machine(state),
                json!({"t": text, "u": text, "a": numbers, "b": numbers,
                "z": vec![0; size * 20], "o": fields, "p": fields,
                "q": format!("[Y]{}", "-".repeat(size * 10)), "s": format!("2020{}", "-".repeat(size * 10)), "w": "0".repeat(size * 100),
                "n": vec![json!({"x": 1}); size * 20]}),
            )
        })
    };
    REPEATED.into_iter().map(of).collect()
}

/// Expressions that are as long as the data.
fn written() -> Vec<Family> {
    let of = |name: &'static str, smallest, text: fn(usize) -> String| {
        family(name, smallest, move |size| {
            let text = format!("{{% {} %}}", text(size));
            let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": text});
            (machine(state), json!({"x": 1}))
        })
    };
    vec![
        of("names in a block", 200, |size| {
            let names: String = (0..size).map(|n| format!("$v{n} := {n}; ")).collect();
            format!("({names} $v0)")
        }),
        of("names that are read", 200, |size| {
            let names: String = (0..size).map(|n| format!("$v{n} := {n}; $v0; ")).collect();
            format!("({names} $v0)")
        }),
        of("fields of an object", 200, |size| {
            let fields: Vec<String> = (0..size).map(|n| format!("'f{n}': {n}")).collect();
            format!("$count($keys({{{}}}))", fields.join(", "))
        }),
        of("a long sum", 200, |size| vec!["1"; size].join(" + ")),
        of("a long text", 100, |size| vec!["'ab'"; size].join(" & ")),
        of("a long path", 50, |size| {
            format!("$exists($states.input{})", ".*".repeat(size))
        }),
        of("a loop", 500, |size| {
            format!("($f := function($n) {{$n <= 0 ? 0 : $f($n - 1)}}; $f({size}))")
        }),
        of("$eval of states", 200, |size| {
            format!("$count([1..{size}].($string($)))")
        }),
    ]
}

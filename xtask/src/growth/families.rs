//! What definitions can say, each at any size.
use serde_json::{Value, json};

/// One thing that is done at several sizes.
pub(super) struct Family {
    pub(super) name: String,
    pub(super) smallest: usize,
    pub(super) case: Box<dyn Fn(usize) -> Case>,
}

/// A definition and what it is given.
pub(super) struct Case {
    pub(super) definition: Value,
    pub(super) input: Value,
    pub(super) object: String,
}

pub(super) fn all() -> impl Iterator<Item = Family> {
    [
        jsonata(),
        repeated(),
        paths(),
        intrinsics(),
        states(),
        files(),
    ]
    .into_iter()
    .flatten()
}

fn family(
    name: impl Into<String>,
    smallest: usize,
    case: impl Fn(usize) -> (Value, Value) + 'static,
) -> Family {
    Family {
        name: name.into(),
        smallest,
        case: Box::new(move |size| {
            let (definition, input) = case(size);
            Case {
                definition,
                input,
                object: String::new(),
            }
        }),
    }
}

fn machine(mut state: Value) -> Value {
    state["End"] = true.into();
    json!({"StartAt": "S", "States": {"S": state}})
}

/// Items that differ, fields that nest, texts that repeat.
fn input(size: usize) -> Value {
    let items: Vec<Value> = (0..size)
        .map(|n| json!({"id": (n * 7919) % size, "name": format!("n{n}"), "tags": [n % 7, "t"]}))
        .collect();
    let numbers: Vec<usize> = (0..size).map(|n| (n * 7919) % size).collect();
    let names: Vec<String> = numbers.iter().map(|n| format!("k{n}")).collect();
    let fields: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!(1))).collect();
    json!({"count": size, "items": items, "numbers": numbers, "names": names, "fields": fields,
        "text": "ab,c ".repeat(size), "letters": "a".repeat(size), "json": json!(numbers).to_string()})
}

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
    ("an index", 500, "$i.items[-1].id"),
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

fn jsonata() -> Vec<Family> {
    let of = |(name, smallest, expression): (&'static str, usize, &'static str)| {
        family(name, smallest, move |size| {
            let text = format!("{{% ($i := $states.input; {expression}) %}}");
            let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": text});
            (machine(state), input(size))
        })
    };
    EXPRESSIONS.into_iter().map(of).chain(written()).collect()
}

/// What reads much and gives little, each as often as the data is long. A text is a hundred times as long, an array twenty times.
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

fn repeated() -> Vec<Family> {
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

const PATHS: [(&str, usize, &str); 11] = [
    ("path: all", 500, "$..*"),
    ("path: all of all", 20, "$.items..*..*"),
    ("path: a name anywhere", 500, "$..id"),
    ("path: a wildcard", 500, "$.items[*].id"),
    ("path: a filter", 500, "$.items[?(@.id > 3)]"),
    ("path: a filter anywhere", 200, "$..[?(@.id > 3)]"),
    (
        "path: a filter in a filter",
        20,
        "$.items[?(@.tags[?(@ > 2)])]",
    ),
    (
        "path: a filter that searches",
        20,
        "$.items[?(@.id == $.items[-1].id)]",
    ),
    (
        "path: a filter by a regex",
        200,
        "$.items[?(@.name =~ /n.*7/)]",
    ),
    ("path: a slice", 500, "$.items[1:-1:2]"),
    ("path: in", 20, "$.items[?(@.id in $.numbers)]"),
];

fn paths() -> Vec<Family> {
    let of = |(name, smallest, path): (&'static str, usize, &'static str)| {
        family(name, smallest, move |size| {
            let state = json!({"Type": "Pass", "InputPath": path, "ResultPath": "$.r", "OutputPath": "$.text"});
            (machine(state), input(size))
        })
    };
    PATHS.into_iter().map(of).collect()
}

const INTRINSICS: [(&str, usize, &str); 16] = [
    ("States.Array", 300, "States.Array($.items, $.numbers)"),
    ("States.ArrayUnique", 300, "States.ArrayUnique($.numbers)"),
    (
        "States.ArrayUnique of objects",
        100,
        "States.ArrayUnique($.items)",
    ),
    (
        "States.ArrayContains",
        500,
        "States.ArrayContains($.numbers, -1)",
    ),
    (
        "States.ArrayContains of objects",
        300,
        "States.ArrayContains($.items, $.items)",
    ),
    (
        "States.ArrayGetItem",
        500,
        "States.ArrayGetItem($.items, 3)",
    ),
    ("States.ArrayLength", 500, "States.ArrayLength($.items)"),
    (
        "States.ArrayPartition",
        500,
        "States.ArrayPartition($.numbers, 3)",
    ),
    ("States.ArrayRange", 100, "States.ArrayRange(1, $.count, 1)"),
    (
        "States.JsonMerge",
        300,
        "States.JsonMerge($.fields, $.fields, false)",
    ),
    ("States.JsonToString", 300, "States.JsonToString($.items)"),
    ("States.StringToJson", 300, "States.StringToJson($.json)"),
    (
        "States.StringSplit",
        500,
        "States.StringSplit($.text, ', ')",
    ),
    ("States.Base64Encode", 500, "States.Base64Encode($.letters)"),
    ("States.Hash", 200, "States.Hash($.text, 'SHA-512')"),
    (
        "States.Format",
        300,
        "States.Format('{} {}', $.text, $.items)",
    ),
];

fn intrinsics() -> Vec<Family> {
    let of = |(name, smallest, call): (&'static str, usize, &'static str)| {
        family(name, smallest, move |size| {
            let state = json!({"Type": "Pass", "Parameters": {"x.$": call}, "OutputPath": "$.y", "ResultPath": "$.y"});
            (machine(state), input(size))
        })
    };
    INTRINSICS.into_iter().map(of).collect()
}

fn fields(size: usize, value: &str, suffix: &str) -> Value {
    let fields = (0..size).map(|n| (format!("f{n}{suffix}"), Value::from(value)));
    Value::Object(fields.collect())
}

fn states() -> Vec<Family> {
    let processor = || json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}});
    vec![
        family("a template", 300, |size| {
            let state = json!({"Type": "Pass", "Parameters": fields(size, "$.x", ".$")});
            (machine(state), json!({"x": 1}))
        }),
        family("a template of expressions", 300, |size| {
            let output = fields(size, "{% $states.input.x %}", "");
            let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": output});
            (machine(state), json!({"x": 1}))
        }),
        family("Assign", 200, |size| {
            let state = json!({"Type": "Pass", "Assign": fields(size, "$.x", ".$")});
            (machine(state), json!({"x": 1}))
        }),
        family("variables that are read", 100, |size| {
            let read: serde_json::Map<String, Value> = (0..size)
                .map(|n| (format!("g{n}.$"), format!("$f{n}").into()))
                .collect();
            let definition = json!({"StartAt": "A", "States": {
                "A": {"Type": "Pass", "Assign": fields(size, "$.x", ".$"), "Next": "B"},
                "B": {"Type": "Pass", "Parameters": read, "End": true}}});
            (definition, json!({"x": 1}))
        }),
        family("ResultPath", 300, |size| {
            let state = json!({"Type": "Pass", "Result": 1, "ResultPath": "$.a.b"});
            (machine(state), input(size))
        }),
        family("a Map", 100, move |size| {
            let state =
                json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor()});
            (machine(state), input(size))
        }),
        family("a Map with a selector", 100, move |size| {
            let state = json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor(),
                "ItemSelector": {"v.$": "$$.Map.Item.Value", "i.$": "$$.Map.Item.Index"}});
            (machine(state), input(size))
        }),
        family("a Map by an expression", 100, move |size| {
            let state = json!({"Type": "Map", "QueryLanguage": "JSONata", "ItemProcessor": processor(),
                "Items": "{% $states.input.items %}"});
            (machine(state), input(size))
        }),
        family("a distributed Map", 50, move |size| {
            let mut processor = processor();
            processor["ProcessorConfig"] =
                json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
            let state = json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor});
            (machine(state), input(size))
        }),
        family("a Parallel", 50, move |size| {
            let branches: Vec<Value> = (0..size)
                .map(|n| json!({"StartAt": format!("B{n}"), "States": {format!("B{n}"): {"Type": "Pass", "End": true}}}))
                .collect();
            (
                machine(json!({"Type": "Parallel", "Branches": branches})),
                json!({"x": 1}),
            )
        }),
        family("a long And", 300, |size| {
            let rules = vec![json!({"Variable": "$.x", "NumericEquals": 1}); size];
            choice(json!({"And": rules, "Next": "End"}), json!({"x": 1}))
        }),
        family("StringMatches", 1_000, |size| {
            let rule = json!({"Variable": "$.x", "StringMatches": "*a*b*a*", "Next": "End"});
            choice(rule, json!({"x": format!("{}ba", "a".repeat(size))}))
        }),
        family("StringMatches with many stars", 50, |size| {
            let pattern = "*a".repeat(size);
            let rule = json!({"Variable": "$.x", "StringMatches": pattern, "Next": "End"});
            choice(rule, json!({"x": "a".repeat(size * 10)}))
        }),
        family("a caught cause that shows its input", 300, |size| {
            let definition = json!({"StartAt": "M", "States": {
                "M": {"Type": "Map", "ItemsPath": "$.missing", "End": true,
                    "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}},
                    "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.e", "Next": "Z"}]},
                "Z": {"Type": "Succeed"}}});
            (definition, input(size))
        }),
    ]
}

fn choice(rule: Value, input: Value) -> (Value, Value) {
    let definition = json!({"StartAt": "C", "States": {
        "C": {"Type": "Choice", "Choices": [rule], "Default": "No"},
        "No": {"Type": "Fail"}, "End": {"Type": "Succeed"}}});
    (definition, input)
}

fn files() -> Vec<Family> {
    let of = |name: &str, smallest, input_type: &'static str, object: fn(usize) -> String| Family {
        name: name.to_owned(),
        smallest,
        case: Box::new(move |size| {
            let mut processor = json!({"StartAt": "I", "States": {"I": {"Type": "Succeed"}}});
            processor["ProcessorConfig"] =
                json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
            let mut config = json!({"InputType": input_type});
            if input_type == "CSV" {
                config["CSVHeaderLocation"] = "FIRST_ROW".into();
            }
            let state = json!({"Type": "Map", "ItemProcessor": processor,
                "ItemBatcher": {"MaxItemsPerBatch": 1_000_000},
                "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": config,
                    "Parameters": {"Bucket": "b", "Key": "k"}}});
            Case {
                definition: machine(state),
                input: json!({}),
                object: object(size),
            }
        }),
    };
    vec![
        of("CSV", 200, "CSV", |size| {
            format!("a,b\n{}", "1,\"x\"\n".repeat(size))
        }),
        of("CSV of many columns", 100, "CSV", |size| {
            let names: Vec<String> = (0..size.min(1_500)).map(|n| format!("c{n}")).collect();
            format!("{}\n{}", names.join(","), "1\n".repeat(10))
        }),
        of("lines of JSON", 200, "JSONL", |size| {
            "{\"a\": [1]}\n".repeat(size)
        }),
        of("an array of JSON", 200, "JSON", |size| {
            json!(vec![json!({"a": [1]}); size]).to_string()
        }),
    ]
}

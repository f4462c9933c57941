//! The vocabulary of generated expressions.

/// The data that expressions refer to.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Vocabulary {
    /// Starts of paths, as expression text.
    pub roots: &'static [&'static str],
    /// True if there is an input, which `$` and names of fields refer to everywhere.
    pub has_input: bool,
    /// Functions besides those of JSONata, with the kinds of their arguments: a(ny), s(tring), n(umber), l(ist), o(bject),
    /// f(unction), r(egex or string), b(oolean).
    pub functions: &'static [(&'static str, &'static str)],
}

/// Plain JSONata over the input.
pub const PLAIN: Vocabulary = Vocabulary {
    has_input: true,
    roots: &[
        "$", "$$", "orders", "people", "text", "numbers", "tree", "missing",
    ],
    functions: &[("eval", "s")],
};

/// The vocabulary of fields of states.
pub const STATES: Vocabulary = Vocabulary {
    has_input: false,
    roots: &[
        "$states.input",
        "$states.input.orders",
        "$states.input.people",
        "$states.input.text",
        "$states.input.numbers",
        "$states.input.tree",
        "$states.context.Execution.Id",
        "$number",
        "$list",
        "$missing",
    ],
    functions: &[
        ("partition", "ln"),
        ("range", "nnn"),
        ("hash", "ss"),
        ("random", "n"),
        ("uuid", ""),
        ("parse", "s"),
    ],
};

pub(super) const FIELDS: [&str; 12] = [
    "id",
    "name",
    "price",
    "quantity",
    "items",
    "tags",
    "a",
    "b",
    "orders",
    "people",
    "`odd name`",
    "missing",
];

pub(super) const STRINGS: [&str; 14] = [
    "\"\"",
    "'a'",
    "\"a,b,é\"",
    "'\u{1F600}x'",
    "\"\\u0000\\n\\\"\"",
    "\"2024-02-29T12:30:00.000Z\"",
    "\"aGVsbG8=\"",
    "\"[Y0001]-[M01]-[D01]\"",
    "\"#,##0.00;(#)\"",
    "\"{\\\"k\\\": [1, 2]}\"",
    "\"%41%zz\"",
    "\"I\"",
    "\"SHA-256\"",
    "\"w;O\"",
];

pub(super) const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "10",
    "0.5",
    "1e3",
    "-0",
    "1e308",
    "9007199254740993",
    "1e-400",
    "64",
    "1.0",
];

pub(super) const REGEXES: [&str; 8] = [
    "/a/",
    "/[a-z]+/i",
    "/(a)(b)?/",
    "/^$/m",
    "/(?:x|y)*/",
    "/\\d{1,3}/",
    "/./",
    "/(a+)+$/",
];

pub(super) const OPERATORS: [&str; 16] = [
    "+", "-", "*", "/", "%", "&", "=", "!=", "<", "<=", ">", ">=", "in", "and", "or", "~>",
];

/// Functions with the kinds of their arguments: any, string, number, list, object, function, regex or string, boolean.
pub(super) const FUNCTIONS: [(&str, &str); 68] = [
    ("string", "ab"),
    ("length", "s"),
    ("substring", "snn"),
    ("substringBefore", "ss"),
    ("substringAfter", "ss"),
    ("uppercase", "s"),
    ("lowercase", "s"),
    ("trim", "s"),
    ("pad", "sns"),
    ("contains", "sr"),
    ("split", "srn"),
    ("join", "ls"),
    ("match", "srn"),
    ("replace", "srsn"),
    ("replace", "srf"),
    ("base64encode", "s"),
    ("base64decode", "s"),
    ("encodeUrl", "s"),
    ("encodeUrlComponent", "s"),
    ("decodeUrl", "s"),
    ("decodeUrlComponent", "s"),
    ("number", "a"),
    ("abs", "n"),
    ("floor", "n"),
    ("ceil", "n"),
    ("round", "nn"),
    ("power", "nn"),
    ("sqrt", "n"),
    ("formatNumber", "nso"),
    ("formatBase", "nn"),
    ("formatInteger", "ns"),
    ("parseInteger", "ss"),
    ("random", ""),
    ("sum", "l"),
    ("max", "l"),
    ("min", "l"),
    ("average", "l"),
    ("boolean", "a"),
    ("not", "a"),
    ("exists", "a"),
    ("count", "l"),
    ("append", "aa"),
    ("sort", "lf"),
    ("reverse", "l"),
    ("shuffle", "l"),
    ("distinct", "l"),
    ("zip", "lll"),
    ("keys", "o"),
    ("lookup", "os"),
    ("spread", "o"),
    ("merge", "l"),
    ("sift", "of"),
    ("each", "of"),
    ("error", "s"),
    ("assert", "bs"),
    ("type", "a"),
    ("now", "ss"),
    ("millis", ""),
    ("fromMillis", "nss"),
    ("toMillis", "ss"),
    ("map", "lf"),
    ("filter", "lf"),
    ("single", "lf"),
    ("reduce", "lfa"),
    ("clone", "a"),
    ("unknown", "a"),
    ("a", "a"),
    ("f", "n"),
];

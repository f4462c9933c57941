//! JSONata expressions of every construct, most of them valid.
use super::tape::Tape;

/// Expressions nest no deeper.
const DEEPEST: usize = 4;

/// Where expressions find their data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    /// What a path begins with: text of an expression.
    pub(super) roots: &'static [&'static str],
    /// Whether there is an input, which `$` and names of fields refer to everywhere.
    pub(super) has_input: bool,
    /// Functions besides those of JSONata, as in [`FUNCTIONS`].
    pub(super) functions: &'static [(&'static str, &'static str)],
}

/// Plain JSONata over the input.
pub(super) const PLAIN: Scope = Scope {
    has_input: true,
    roots: &[
        "$", "$$", "orders", "people", "text", "numbers", "tree", "missing",
    ],
    functions: &[("eval", "s")],
};

/// What a field of a state may hold.
pub(super) const STATES: Scope = Scope {
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

const FIELDS: [&str; 12] = [
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

const STRINGS: [&str; 14] = [
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

const NUMBERS: [&str; 14] = [
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

const REGEXES: [&str; 8] = [
    "/a/",
    "/[a-z]+/i",
    "/(a)(b)?/",
    "/^$/m",
    "/(?:x|y)*/",
    "/\\d{1,3}/",
    "/./",
    "/(a+)+$/",
];

const OPERATORS: [&str; 16] = [
    "+", "-", "*", "/", "%", "&", "=", "!=", "<", "<=", ">", ">=", "in", "and", "or", "~>",
];

/// Functions with the kinds of their arguments: any, string, number, list, object, function, regex or string, boolean.
const FUNCTIONS: [(&str, &str); 68] = [
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

/// The text of an expression.
pub(super) fn generate(tape: &mut Tape<'_>, scope: Scope) -> String {
    let mut generator = Generator {
        tape,
        scope,
        depth: 0,
        is_in_step: scope.has_input,
    };
    generator.any()
}

struct Generator<'t, 'b> {
    tape: &'t mut Tape<'b>,
    scope: Scope,
    depth: usize,
    /// Whether `$` and names of fields refer to something.
    is_in_step: bool,
}

impl Generator<'_, '_> {
    /// One level deeper; something without parts where that is too deep.
    fn nested(&mut self, part: impl FnOnce(&mut Self) -> String) -> String {
        if self.depth >= DEEPEST {
            return self.leaf();
        }
        self.depth += 1;
        let text = part(self);
        self.depth -= 1;
        text
    }

    fn any(&mut self) -> String {
        self.nested(|this| match this.tape.below(16) {
            0 => this.leaf(),
            1..=4 => this.path(),
            5 | 6 => this.binary(),
            7..=9 => this.call(),
            10 => this.condition(),
            11 => this.block(),
            12 => this.array(),
            13 => this.object(),
            14 => this.transform(),
            _ => this.special(),
        })
    }

    fn leaf(&mut self) -> String {
        match self.tape.below(8) {
            0 => "true".to_owned(),
            1 => "null".to_owned(),
            2 => self.tape.pick(&STRINGS).to_owned(),
            3 => self.tape.pick(&NUMBERS).to_owned(),
            4 if self.is_in_step => "$".to_owned(),
            5 if self.is_in_step => self.tape.pick(&FIELDS).to_owned(),
            _ => self.tape.pick(self.scope.roots).to_owned(),
        }
    }

    /// An expression that is likely of a kind that a function wants.
    fn of_kind(&mut self, kind: char) -> String {
        if self.tape.surprises() {
            return self.any();
        }
        match kind {
            's' => match self.tape.below(3) {
                0 => format!("$string({})", self.any()),
                _ => self.tape.pick(&STRINGS).to_owned(),
            },
            'n' => match self.tape.below(3) {
                0 => format!("$count({})", self.any()),
                _ => self.tape.pick(&NUMBERS).to_owned(),
            },
            'l' => match self.tape.below(3) {
                0 => self.array(),
                1 => self.path(),
                _ => format!("[1..{}]", self.tape.below(30)),
            },
            'o' => self.object(),
            'f' => self.function(),
            'r' => self.tape.pick(&REGEXES).to_owned(),
            'b' => format!("$exists({})", self.any()),
            _ => self.any(),
        }
    }

    /// Something that is evaluated for each item.
    fn inner(&mut self) -> String {
        let outside = std::mem::replace(&mut self.is_in_step, true);
        let text = self.any();
        self.is_in_step = outside;
        text
    }

    fn path(&mut self) -> String {
        self.nested(|this| {
            let mut path = this.tape.pick(this.scope.roots).to_owned();
            for _ in 0..this.tape.below(5) {
                path.push_str(&this.step());
            }
            if this.tape.one_in(12) {
                path.push_str(&format!("{{name: {}}}", this.inner()));
            }
            path
        })
    }

    fn step(&mut self) -> String {
        let field = self.tape.pick(&FIELDS);
        match self.tape.below(16) {
            0 => ".*".to_owned(),
            1 => ".**".to_owned(),
            2 => format!("[{}]", self.tape.pick(&NUMBERS)),
            3 => format!("[{}]", self.inner()),
            4 => format!("[{field} > {}]", self.tape.pick(&NUMBERS)),
            5 => format!("^(>{field}, {})", self.inner()),
            7 => "[]".to_owned(),
            8 => format!(".{field}@$j"),
            9 => format!(".{field}#$i"),
            10 if self.tape.one_in(3) => format!(".{field}.%.{field}"),
            11 => format!(".({})", self.inner()),
            12 => format!(".{{\"{}\": {}}}", self.tape.below(3), self.inner()),
            _ => format!(".{field}"),
        }
    }

    fn binary(&mut self) -> String {
        let (left, right) = (self.any(), self.any());
        let operator = self.tape.pick(&OPERATORS);
        format!("({left} {operator} {right})")
    }

    fn call(&mut self) -> String {
        let own = self.scope.functions;
        let choice = self.tape.below(FUNCTIONS.len() + 2 * own.len());
        let (name, kinds) = match FUNCTIONS.get(choice) {
            Some(function) => *function,
            None => self.tape.pick(own),
        };
        let mut arguments: Vec<String> = kinds.chars().map(|kind| self.of_kind(kind)).collect();
        while !arguments.is_empty() && self.tape.one_in(4) {
            arguments.pop();
        }
        if self.tape.one_in(20) {
            arguments.push("?".to_owned());
        }
        format!("${name}({})", arguments.join(", "))
    }

    /// Something that can be called.
    fn function(&mut self) -> String {
        match self.tape.below(8) {
            0 => format!("${}", self.tape.pick(&FUNCTIONS).0),
            1 => format!("$append(?, {})", self.any()),
            2 => "$string ~> $length".to_owned(),
            3 => format!("function($a, $b) <a?a?:a> {{{}}}", self.any()),
            4 => "λ($a, $b) {$a + $b}".to_owned(),
            5 => "function($a, $b) {$string($a) > $string($b)}".to_owned(),
            _ => format!("function($a, $b, $c) {{{}}}", self.any()),
        }
    }

    fn condition(&mut self) -> String {
        let (test, yes) = (self.any(), self.any());
        match self.tape.one_in(3) {
            true => format!("({test} ? {yes})"),
            false => format!("({test} ? {yes} : {})", self.any()),
        }
    }

    fn block(&mut self) -> String {
        let first = match self.tape.below(4) {
            0 => format!("$f := {}", self.function()),
            1 => "$f := function($n) {$n <= 0 ? 1 : $n * $f($n - 1)}".to_owned(),
            2 => "$f := function($n) {$n <= 0 ? 'x' : $f($n - 1)}".to_owned(),
            _ => format!("$x := {}", self.any()),
        };
        let last = match self.tape.below(3) {
            0 => format!("$f({})", self.of_kind('n')),
            1 => "$x".to_owned(),
            _ => self.any(),
        };
        format!("({first}; {last})")
    }

    fn array(&mut self) -> String {
        self.nested(|this| {
            let count = this.tape.below(4);
            let items: Vec<String> = (0..count).map(|_| this.any()).collect();
            format!("[{}]", items.join(", "))
        })
    }

    fn object(&mut self) -> String {
        self.nested(|this| {
            let count = this.tape.below(4);
            let field = |this: &mut Self| format!("{}: {}", this.tape.pick(&STRINGS), this.any());
            let fields: Vec<String> = (0..count).map(|_| field(this)).collect();
            format!("{{{}}}", fields.join(", "))
        })
    }

    fn transform(&mut self) -> String {
        let (subject, pattern) = (self.any(), self.tape.pick(&FIELDS));
        let change = self.inner();
        match self.tape.one_in(2) {
            true => format!("({subject} ~> |{pattern}|{{'a': {change}}}|)"),
            false => format!("({subject} ~> |**|{{'a': {change}}}, ['b', 'items']|)"),
        }
    }

    fn special(&mut self) -> String {
        match self.tape.below(6) {
            0 => format!("-{}", self.any()),
            1 => format!("/* {} */ {}", self.tape.below(9), self.any()),
            2 => format!("({})({})", self.function(), self.any()),
            3 => format!("{} ~> {}", self.path(), self.function()),
            4 => self.tape.pick(&REGEXES).to_owned(),
            _ => self.function(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use asl_jsonata::{Dialect, Expression, Options};
    use std::collections::HashSet;

    /// How many of so many random expressions are read, and how many texts there are.
    fn accepted(scope: Scope, dialect: Dialect) -> (usize, usize) {
        let options = Options {
            dialect,
            ..Options::default()
        };
        let mut texts = HashSet::new();
        let mut accepted = 0;
        let mut random = Random::new(1);
        for _ in 0..500 {
            let text = generate(&mut Tape::new(&random.next().to_le_bytes()), scope);
            accepted += usize::from(Expression::parse_with(&text, &options).is_ok());
            texts.insert(text);
        }
        (accepted, texts.len())
    }

    #[test]
    fn most_expressions_are_read_and_few_are_the_same() {
        for (scope, dialect) in [(PLAIN, Dialect::Jsonata), (STATES, Dialect::StatesLanguage)] {
            let (accepted, distinct) = accepted(scope, dialect);
            assert!(accepted > 300, "{accepted} of 500 are read");
            assert!(distinct > 350, "{distinct} of 500 differ");
        }
    }
}

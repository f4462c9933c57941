//! JSONata expressions of every construct, most of them valid.
mod vocabulary;

pub use vocabulary::{PLAIN, STATES, Vocabulary};

use super::Tape;
use vocabulary::{FIELDS, FUNCTIONS, NUMBERS, OPERATORS, REGEXES, STRINGS};

/// Expressions nest no deeper.
const DEEPEST: usize = 4;

/// Returns the text of an expression.
pub fn generate(tape: &mut Tape<'_>, vocabulary: Vocabulary) -> String {
    let mut generator = Generator {
        tape,
        vocabulary,
        depth: 0,
        is_in_step: vocabulary.has_input,
    };
    generator.any()
}

struct Generator<'t, 'b> {
    tape: &'t mut Tape<'b>,
    vocabulary: Vocabulary,
    depth: usize,
    /// True if `$` and names of fields refer to something.
    is_in_step: bool,
}

impl Generator<'_, '_> {
    /// Generates a part one level deeper, or a part without nesting at the depth limit.
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
            _ => self.tape.pick(self.vocabulary.roots).to_owned(),
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
            let mut path = this.tape.pick(this.vocabulary.roots).to_owned();
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
        let own = self.vocabulary.functions;
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
    use asl_intrinsics::random::{RandomSource, SplitMix64};
    use asl_jsonata::{Dialect, Expression, Options};
    use std::collections::HashSet;

    /// Returns the number of accepted random expressions, and the number of expressions.
    fn accepted(vocabulary: Vocabulary, dialect: Dialect) -> (usize, usize) {
        let options = Options::default().with_dialect(dialect);
        let mut texts = HashSet::new();
        let mut accepted = 0;
        let mut random = SplitMix64::new(1);
        for _ in 0..500 {
            let bytes = random.next_u64().to_le_bytes();
            let text = generate(&mut Tape::endless(&bytes), vocabulary);
            accepted += usize::from(Expression::parse_with(&text, &options).is_ok());
            texts.insert(text);
        }
        (accepted, texts.len())
    }

    #[test]
    fn most_expressions_are_read_and_few_are_the_same() {
        for (vocabulary, dialect) in [(PLAIN, Dialect::Jsonata), (STATES, Dialect::StatesLanguage)]
        {
            let (accepted, distinct) = accepted(vocabulary, dialect);
            assert!(accepted > 300, "{accepted} of 500 are read");
            assert!(distinct > 350, "{distinct} of 500 differ");
        }
    }
}

//! Analysis of JSONata conditions by their text: whether two conditions cover all cases.

/// The orders of two values: which of them a test holds for.
pub(super) const LESS: u8 = 1;
pub(super) const EQUAL: u8 = 2;
pub(super) const GREATER: u8 = 4;
pub(super) const ALL: u8 = LESS | EQUAL | GREATER;
/// The condition is true; the rest of [`ALL`] means that it is false.
pub(super) const HOLDS: u8 = LESS;

/// Returns the compared data of a condition, and the orders for which it is true. Conditions on the same data that cover all
/// orders leave no case.
pub(super) fn compared(text: &str) -> (String, u8) {
    let mut text = text.trim();
    let mut is_turned = false;
    loop {
        if let Some(inner) = in_parentheses(text, "$not(") {
            is_turned = !is_turned;
            text = inner.trim();
        } else if let Some(inner) = in_parentheses(text, "(") {
            text = inner.trim();
        } else {
            break;
        }
    }
    let (key, orders) = comparison(text);
    match is_turned {
        true => (key, ALL & !orders),
        false => (key, orders),
    }
}

/// Returns the text between `before` and its closing parenthesis, if nothing else follows.
fn in_parentheses<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(before)?.strip_suffix(')')?;
    let mut depth = 0_usize;
    for (_, character) in UnquotedCharacters::new(inner) {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(inner)
}

/// Returns the sides of a text with one comparison and no other operator that binds less; else the whole, which holds or
/// not.
fn comparison(text: &str) -> (String, u8) {
    let whole = || (words(text), HOLDS);
    let mut found: Option<(usize, usize, u8)> = None;
    let (mut depth, mut after) = (0_usize, 0);
    for (at, character) in UnquotedCharacters::new(text) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 || at < after => {}
            '?' | ':' | ';' | '~' => return whole(),
            '=' | '!' | '<' | '>' => {
                let Some((length, orders)) = operator(text.get(at..).unwrap_or_default()) else {
                    return whole();
                };
                if found.replace((at, length, orders)).is_some() {
                    return whole();
                }
                after = at + length;
            }
            _ => {}
        }
    }
    let sides = found.and_then(|(at, length, orders)| {
        Some((
            words(text.get(..at)?),
            words(text.get(at + length..)?),
            orders,
        ))
    });
    match sides {
        Some((left, right, _)) if is_connected(&left) || is_connected(&right) => whole(),
        Some((left, right, EQUAL)) if right == "true" => (left, HOLDS),
        Some((left, right, EQUAL)) if right == "false" => (left, ALL & !HOLDS),
        Some((left, right, orders)) => (format!("{left}\n{right}"), orders),
        None => whole(),
    }
}

fn operator(text: &str) -> Option<(usize, u8)> {
    const OPERATORS: [(&str, u8); 6] = [
        ("!=", LESS | GREATER),
        ("<=", LESS | EQUAL),
        (">=", GREATER | EQUAL),
        ("=", EQUAL),
        ("<", LESS),
        (">", GREATER),
    ];
    let operator = OPERATORS.iter().find(|(sign, _)| text.starts_with(sign));
    operator.map(|(sign, orders)| (sign.len(), *orders))
}

/// Returns true if a word connects it to more: such texts are taken as a whole.
fn is_connected(text: &str) -> bool {
    text.split(' ')
        .any(|word| matches!(word, "and" | "or" | "in"))
}

/// With one space between words.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The characters of a text that are in no string.
struct UnquotedCharacters<'t> {
    characters: std::str::CharIndices<'t>,
}

impl<'t> UnquotedCharacters<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            characters: text.char_indices(),
        }
    }
}

impl Iterator for UnquotedCharacters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        let (at, character) = self.characters.next()?;
        if matches!(character, '\'' | '"' | '`') {
            while let Some((_, next)) = self.characters.next() {
                match next {
                    '\\' => {
                        self.characters.next();
                    }
                    _ if next == character => break,
                    _ => {}
                }
            }
        }
        Some((at, character))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_leave_nothing_between_them() {
        for (one, other) in [
            ("$x = 1", "$x != 1"),
            ("$states.input.n < 5", " $states.input.n  >= 5 "),
            ("$exists($x)", "$not($exists($x))"),
            ("($exists($x))", "$not(($exists($x)))"),
            ("$x = true", "$x = false"),
            ("$x", "$not($x)"),
            ("$x = '=' and $y", "$not($x = '=' and $y)"),
        ] {
            let ((left, orders), (right, others)) = (compared(one), compared(other));
            assert_eq!(left, right, "{one} {other}");
            assert_eq!(orders | others, ALL, "{one} {other}");
        }
    }

    #[test]
    fn conditions_that_do_not() {
        for (one, other) in [
            ("$x = 1", "$x != 2"),
            ("$x < 5", "$x > 5"),
            ("$x = 1 and $y", "$x != 1 and $y"),
            ("$not($x) or (1 = 2)", "$x or (1 = 2)"),
            ("$x = '!='", "$x != '='"),
            ("$y[x = 1]", "$y[x != 1]"),
        ] {
            let ((left, orders), (right, others)) = (compared(one), compared(other));
            assert!(left != right || orders | others != ALL, "{one} {other}");
        }
    }
}

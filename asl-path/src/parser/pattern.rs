//! Regular expressions: `/a.*/i`.

use super::regex::compile;
use super::{Fault, PResult};
use crate::PatternBudget;
use crate::ast::Pattern;

/// `/…/flags`; a slash within is written `\/`.
pub(super) fn parse_pattern<'a>(budget: &PatternBudget, input: &'a str) -> PResult<'a, Pattern> {
    let content = input.get(1..).unwrap_or_default();
    let Some(end) = closing_slash(content) else {
        return Err(Fault::other("the pattern is not closed by '/'", input));
    };
    let (text, rest) = content.split_at(end);
    let rest = rest.get(1..).unwrap_or_default();
    let is_flag = |character| matches!(character, 'd' | 'i' | 'x' | 'm' | 's' | 'u' | 'U');
    let (flags, rest) = rest.split_at(
        rest.find(|character| !is_flag(character))
            .unwrap_or(rest.len()),
    );
    match compile(text, flags, budget) {
        Ok((regex, states)) => Ok((
            rest,
            Pattern {
                text: text.to_owned(),
                flags: flags.to_owned(),
                regex,
                states,
            },
        )),
        Err(reason) => Err(Fault::other(
            format!("the pattern /{text}/ is not supported: {reason}"),
            input,
        )),
    }
}

fn closing_slash(content: &str) -> Option<usize> {
    let mut escaped = false;
    content.bytes().position(|byte| {
        let closes = byte == b'/' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

#[cfg(all(test, feature = "regex"))]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> Option<bool> {
        let (rest, pattern) = parse_pattern(&PatternBudget::default(), pattern).ok()?;
        rest.is_empty().then(|| pattern.regex.is_match(text))
    }

    #[test]
    fn the_whole_text_must_match() {
        assert_eq!(matches("/ab/", "ab"), Some(true));
        assert_eq!(matches("/ab/", "abc"), Some(false));
        assert_eq!(matches("/a|ab/", "ab"), Some(true));
        assert_eq!(matches("/a$/m", "a\nb"), Some(false));
    }

    #[test]
    fn flags() {
        assert_eq!(matches("/AB/i", "ab"), Some(true));
        assert_eq!(matches("/a.b/", "a\nb"), Some(false));
        assert_eq!(matches("/a.b/s", "a\nb"), Some(true));
        assert_eq!(matches("/a b # note/x", "ab"), Some(true));
    }

    #[test]
    fn classes_are_those_of_java() {
        assert_eq!(matches(r"/\w+/", "a_1"), Some(true));
        assert_eq!(matches(r"/\w+/", "é"), Some(false));
        assert_eq!(matches(r"/[\d-]+/", "1-2"), Some(true));
        assert_eq!(matches(r"/\w+/U", "é"), Some(true));
    }

    #[test]
    fn slashes_are_escaped() {
        assert_eq!(matches(r"/\/|x/", "/"), Some(true));
        assert_eq!(matches(r"/\\/", "\\"), Some(true));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["/a", "/(/", "/a)(b/", "/*/", "/(?=a)/", r"/(a)\1/"] {
            assert_eq!(matches(pattern, ""), None, "{pattern}");
        }
        let Err(nom::Err::Failure(fault)) = parse_pattern(&PatternBudget::default(), "/(?=a)/")
        else {
            panic!("no fault")
        };
        let error = Fault::in_text(nom::Err::Failure(fault), "/(?=a)/");
        assert!(
            error
                .message()
                .starts_with("the pattern /(?=a)/ is not supported: look-around"),
            "{error}"
        );
    }
}

//! Paths of the States Language: a JSONPath and the document it applies to.
use crate::{
    EvaluationLimits, JsonPath, ParseError, ParseLimits, PatternBudget, QueryError, variable_name,
};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// The document that a [`Path`] applies to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Root {
    /// `$`: the input.
    Input,
    /// `$$`: the Context Object.
    Context,
    /// `$name`: a variable (2024 specification, State Machine Variables).
    Variable(String),
}

/// The documents that paths apply to; the Context Object is requested only when a path needs it.
pub trait Roots {
    /// Returns the value of `$`.
    fn input(&self) -> &Value;
    /// Returns the value of `$$`.
    fn context(&self) -> &Value;
    /// Returns the text of the input, where causes are to show that.
    fn input_text(&self) -> Option<&str> {
        None
    }
    /// Returns the value of `$name`.
    fn variable(&self, _name: &str) -> Option<&Value> {
        None
    }
}

impl Root {
    /// The root that a path begins with, and the JSONPath within its document.
    fn split(source: &str) -> (Self, Cow<'_, str>) {
        if source.starts_with("$$") {
            return (
                Self::Context,
                Cow::Borrowed(source.get(1..).unwrap_or(source)),
            );
        }
        match source.strip_prefix('$').and_then(variable_name) {
            Some((name, rest)) => (
                Self::Variable(name.to_owned()),
                Cow::Owned(format!("${rest}")),
            ),
            None => (Self::Input, Cow::Borrowed(source)),
        }
    }
}

/// A Path, `$.a`, `$$.Execution.Id` or `$order.total` (2024 specification, Paths; State Machine Variables).
///
/// # Example
///
/// ```
/// use asl_path::{Path, Root, Roots};
/// use serde_json::{Value, json};
///
/// struct Data(Value, Value);
/// impl Roots for Data {
///     fn input(&self) -> &Value { &self.0 }
///     fn context(&self) -> &Value { &self.1 }
/// }
///
/// let path = Path::parse("$$.Execution.Id")?;
/// assert_eq!(path.root(), &Root::Context);
/// let data = Data(json!({}), json!({"Execution": {"Id": "arn"}}));
/// assert_eq!(*path.evaluate(&data)?, json!("arn"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path {
    source: String,
    root: Root,
    json_path: JsonPath,
}

impl Path {
    /// Parses, with the default limits.
    ///
    /// # Errors
    ///
    /// As [`JsonPath::parse`].
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Self::parse_with(source, ParseLimits::default())
    }

    /// Parses a path with limits.
    ///
    /// # Errors
    ///
    /// As [`JsonPath::parse_with`].
    pub fn parse_with(source: &str, limits: ParseLimits) -> Result<Self, ParseError> {
        Self::parse_by(source, |text| JsonPath::parse_with(text, limits))
    }

    /// Parses one of the paths that share a budget for their regular expressions, with the default limits.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`], and where the budget is used up.
    pub fn parse_within(source: &str, patterns: &PatternBudget) -> Result<Self, ParseError> {
        Self::parse_by(source, |text| {
            JsonPath::parse_within(text, ParseLimits::default(), patterns)
        })
    }

    /// Parses a path, and accepts an unquoted word on the right of a comparison (`[?(@.status == Failure)]`).
    ///
    /// Published definitions have such paths, so they must be accepted; Jayway refuses them, so every evaluation fails.
    /// [`Self::fault`] reports.
    ///
    /// # Errors
    ///
    /// As [`Self::parse_within`], but for unquoted words.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::{Path, PatternBudget};
    ///
    /// let text = "$.a[?(@.status == Failure)]";
    /// let fault = Path::parse(text).unwrap_err();
    /// let path = Path::parse_tolerantly(text, &PatternBudget::default())?;
    /// assert_eq!(path.fault(), Some(fault));
    /// assert!(path.json_path().evaluate(&serde_json::json!({"a": []})).is_err());
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn parse_tolerantly(source: &str, patterns: &PatternBudget) -> Result<Self, ParseError> {
        Self::parse_by(source, |text| {
            JsonPath::parse_tolerantly(text, ParseLimits::default(), patterns)
        })
    }

    /// Returns the reason why every evaluation fails, for a path of [`Self::parse_tolerantly`] that [`Self::parse`] refuses.
    pub fn fault(&self) -> Option<ParseError> {
        let fault = self.json_path.fault()?.clone();
        Some(fault.shifted(self.source.len() - self.json_path.source().len()))
    }

    fn parse_by(
        source: &str,
        parse: impl Fn(&str) -> Result<JsonPath, ParseError>,
    ) -> Result<Self, ParseError> {
        let (root, text) = Root::split(source);
        if root == Root::Context && text.starts_with("$$") {
            let message = "expected '.' or '[' after '$$', found '$'";
            return Err(ParseError::new(2, message));
        }
        let json_path = parse(&text).map_err(|fault| fault.shifted(source.len() - text.len()))?;
        Ok(Self {
            source: source.to_owned(),
            root,
            json_path,
        })
    }

    /// Parses a Reference Path, which may begin with `$$` or a variable here (2022 specification, Reference Paths).
    ///
    /// It finds the node that a [`ReferencePath`](crate::ReferencePath) of the same text would write: `\\` takes the meaning
    /// from the character after it, where in [`Self::parse`] it is part of a name.
    ///
    /// # Errors
    ///
    /// As [`ReferencePath::parse`](crate::ReferencePath::parse), but for what it begins with.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::Path;
    /// use serde_json::json;
    ///
    /// let path = Path::parse_reference(r"$.store\.book")?;
    /// assert_eq!(*path.json_path().evaluate(&json!({"store.book": 1}))?, json!(1));
    /// assert!(Path::parse_reference("$.store[*]").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_reference(source: &str) -> Result<Self, ParseError> {
        let (root, text) = Root::split(source);
        let json_path = JsonPath::parse_reference(&text)
            .map_err(|fault| fault.shifted(source.len() - text.len()))?;
        Ok(Self {
            source: source.to_owned(),
            root,
            json_path,
        })
    }

    /// Returns the document that the path applies to.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Returns the part of the location within the document, as a JSONPath.
    pub fn json_path(&self) -> &JsonPath {
        &self.json_path
    }

    /// Returns the node that fields and single indexes lead to from the document of the path, as [`JsonPath::node`] does.
    #[inline]
    pub fn node<'v>(&self, roots: &'v (impl Roots + ?Sized)) -> Option<&'v Value> {
        let document = match &self.root {
            Root::Input => roots.input(),
            Root::Context => roots.context(),
            Root::Variable(name) => roots.variable(name)?,
        };
        self.json_path.node(document)
    }

    /// True for `$` alone.
    pub fn is_whole_input(&self) -> bool {
        self.root == Root::Input && self.json_path.is_root()
    }

    /// Returns the text that it was parsed from (`$$.a` with both dollars).
    pub fn source(&self) -> &str {
        &self.source
    }

    /// See [`JsonPath::evaluate`].
    ///
    /// # Errors
    ///
    /// As [`JsonPath::evaluate`].
    pub fn evaluate<'v>(
        &self,
        roots: &'v (impl Roots + ?Sized),
    ) -> Result<Cow<'v, Value>, QueryError> {
        self.evaluate_with(roots, EvaluationLimits::default())
    }

    /// See [`JsonPath::evaluate_with`].
    ///
    /// # Errors
    ///
    /// As [`JsonPath::evaluate_with`].
    pub fn evaluate_with<'v>(
        &self,
        roots: &'v (impl Roots + ?Sized),
        limits: EvaluationLimits,
    ) -> Result<Cow<'v, Value>, QueryError> {
        self.evaluate_counting(roots, limits, &Cell::new(0))
    }

    /// See [`JsonPath::evaluate_counting`].
    ///
    /// # Errors
    ///
    /// As [`JsonPath::evaluate_with`].
    pub fn evaluate_counting<'v>(
        &self,
        roots: &'v (impl Roots + ?Sized),
        limits: EvaluationLimits,
        steps: &Cell<u64>,
    ) -> Result<Cow<'v, Value>, QueryError> {
        let document = match &self.root {
            Root::Input => roots.input(),
            Root::Context => roots.context(),
            Root::Variable(name) => roots
                .variable(name)
                .ok_or_else(|| QueryError::no_variable(name))?,
        };
        self.json_path.evaluate_counting(document, limits, steps)
    }
}

impl Display for Path {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.source)
    }
}

impl FromStr for Path {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Self, ParseError> {
        Self::parse(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReferencePath;
    use serde_json::json;

    fn tolerant(text: &str) -> Result<Path, ParseError> {
        Path::parse_tolerantly(text, &PatternBudget::default())
    }

    struct Data(Value, Value);

    impl Roots for Data {
        fn input(&self) -> &Value {
            &self.0
        }
        fn context(&self) -> &Value {
            &self.1
        }
    }

    #[test]
    fn roots_are_told_apart() {
        let data = Data(json!({"a": 1}), json!({"a": 2}));
        assert_eq!(
            *Path::parse("$.a").unwrap().evaluate(&data).unwrap(),
            json!(1)
        );
        assert_eq!(
            *Path::parse("$$.a").unwrap().evaluate(&data).unwrap(),
            json!(2)
        );
        assert_eq!(
            *Path::parse("$$").unwrap().evaluate(&data).unwrap(),
            json!({"a": 2})
        );
    }

    #[test]
    fn display_keeps_both_dollars() {
        let path = Path::parse("$$.a").unwrap();
        assert_eq!(path.to_string(), "$$.a");
        assert_eq!(path.json_path().source(), "$.a");
        assert_ne!(path, Path::parse("$.a").unwrap());
    }

    #[test]
    fn only_one_dollar_is_the_whole_input() {
        assert!(Path::parse("$").unwrap().is_whole_input());
        assert!(!Path::parse("$$").unwrap().is_whole_input());
        assert!(!Path::parse("$.a").unwrap().is_whole_input());
    }

    /// The examples of escapes (2022 specification, Reference Paths).
    #[test]
    fn a_reference_path_finds_what_it_would_write() {
        for source in [
            r"$.store\.book",
            r"$.\stor\e.boo\k",
            r"$.foo.\.bar",
            r"$.foo\@bar.baz\[\[.\?pretty",
            r"$.\u0061['b\'c'].d",
            r"$.a\  ",
            "$",
        ] {
            let mut document = json!({});
            ReferencePath::parse(source)
                .unwrap()
                .write(&mut document, json!("found"))
                .unwrap();
            let context = format!("${source}");
            for (source, data) in [
                (source, Data(document.clone(), json!(0))),
                (&context, Data(json!(0), document)),
            ] {
                let path = Path::parse_reference(source).unwrap();
                assert_eq!(*path.evaluate(&data).unwrap(), json!("found"), "{source}");
                assert_eq!(path.source(), source);
            }
        }
    }

    #[test]
    fn without_escapes_a_reference_path_is_a_path() {
        for source in ["$", "$.a[0]['b'][\"c\"][-1]", "$$.é-1[2] "] {
            let path = Path::parse_reference(source).unwrap();
            assert_eq!(path, Path::parse(source).unwrap());
        }
    }

    #[test]
    fn a_reference_path_names_one_node() {
        for (source, position) in [("$.a[*]", 4), ("$$.a[*]", 5), ("$$$", 2), ("$x.a[*]", 5)] {
            let fault = Path::parse_reference(source).unwrap_err();
            assert_eq!(fault.position(), position, "{source}");
        }
    }

    #[test]
    fn a_third_dollar_is_refused() {
        for parse in [Path::parse, Path::parse_reference] {
            assert_eq!(parse("$$$.a").unwrap_err().position(), 2);
        }
    }

    #[test]
    fn a_path_may_begin_with_a_variable() {
        for (source, within) in [
            ("$x", "$"),
            ("$größe.a[0]", "$.a[0]"),
            ("$x['b'].c", "$['b'].c"),
        ] {
            for parse in [Path::parse, Path::parse_reference] {
                let path = parse(source).unwrap();
                let (name, _) = variable_name(&source[1..]).unwrap();
                assert_eq!(path.root(), &Root::Variable(name.to_owned()), "{source}");
                assert_eq!(path.json_path().source(), within);
                assert_eq!(path.to_string(), source);
                assert!(!path.is_whole_input());
            }
        }
    }

    #[test]
    fn a_variable_needs_a_value() {
        struct Variable(Value);
        impl Roots for Variable {
            fn input(&self) -> &Value {
                &Value::Null
            }
            fn context(&self) -> &Value {
                &Value::Null
            }
            fn variable(&self, name: &str) -> Option<&Value> {
                (name == "x").then_some(&self.0)
            }
        }
        let roots = Variable(json!({"a": 1}));
        let evaluate = |source| {
            Path::parse(source)
                .unwrap()
                .evaluate(&roots)
                .map(Cow::into_owned)
        };
        assert_eq!(evaluate("$x.a"), Ok(json!(1)));
        assert_eq!(
            evaluate("$y.a").unwrap_err().to_string(),
            "the variable $y has no value"
        );
    }

    #[test]
    fn what_is_no_name_begins_no_variable() {
        for source in ["$5", "$_x", "$-x", "$ x"] {
            assert!(Path::parse(source).is_err(), "{source}");
        }
    }

    #[test]
    fn faults_are_placed_in_the_whole_text() {
        assert_eq!(Path::parse("$$.a[x]").unwrap_err().position(), 5);
        let path = tolerant("$$.a[?(@ == x)]").unwrap();
        assert_eq!(path.fault().unwrap().position(), 12);
        assert_eq!(tolerant("$$.a[x]").unwrap_err().position(), 5);
        assert_eq!(Path::parse("$name.a[x]").unwrap_err().position(), 8);
        let path = tolerant("$name.a[?(@ == x)]").unwrap();
        assert_eq!(path.fault().unwrap().position(), 15);
    }
}

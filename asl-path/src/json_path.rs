//! A parsed JSONPath.
use crate::ast::Segments;
use crate::display::normalized_text;
use crate::error::QueryErrorKind;
use crate::evaluate::{self, Context};
use crate::parser::{Dialect, ParsedPath, parse_json_path, parse_reference_path};
use crate::{EvaluationLimits, ParseError, ParseLimits, PatternBudget, QueryError, Step};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::{self, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// A parsed JSONPath (`$.a[0]`), ready to be evaluated any number of times.
///
/// The dialect is Jayway's, which AWS Step Functions uses.
///
/// # Example
///
/// ```
/// use asl_path::JsonPath;
/// use serde_json::json;
///
/// let document = json!({"items": [{"id": 1}, {"id": 2}]});
/// let one = JsonPath::parse("$.items[0].id")?;
/// assert_eq!(*one.evaluate(&document)?, json!(1));
/// let all = JsonPath::parse("$.items[*].id")?;
/// assert_eq!(*all.evaluate(&document)?, json!([1, 2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct JsonPath {
    source: String,
    segments: Segments,
    /// Number of paths from `$` in the filters.
    slots: usize,
    /// The reason why the path cannot be evaluated.
    fault: Option<Box<ParseError>>,
}

/// Paths are equal that have the same segments, however they are written.
impl PartialEq for JsonPath {
    fn eq(&self, other: &Self) -> bool {
        self.segments == other.segments && self.fault.is_some() == other.fault.is_some()
    }
}

impl Eq for JsonPath {}

impl Hash for JsonPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.segments.hash(state);
        self.fault.is_some().hash(state);
    }
}

impl JsonPath {
    /// Parses a path with the default limits.
    ///
    /// # Errors
    ///
    /// Jayway refuses the text, or it does not start with `$`.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Self::parse_with(source, ParseLimits::default())
    }

    /// Parses a path with limits.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`], and where the text exceeds a limit.
    pub fn parse_with(source: &str, limits: ParseLimits) -> Result<Self, ParseError> {
        Self::parse_within(source, limits, &PatternBudget::default())
    }

    /// Parses one of several paths.
    pub(crate) fn parse_within(
        source: &str,
        limits: ParseLimits,
        patterns: &PatternBudget,
    ) -> Result<Self, ParseError> {
        Self::parse_as(source, limits, Dialect::Jayway, patterns)
    }

    fn parse_as(
        source: &str,
        limits: ParseLimits,
        dialect: Dialect,
        patterns: &PatternBudget,
    ) -> Result<Self, ParseError> {
        let ParsedPath { segments, slots } = parse_json_path(source, limits, dialect, patterns)?;
        Ok(Self {
            source: source.to_owned(),
            segments,
            slots,
            fault: None,
        })
    }

    /// Parses; where only [`Dialect::BareWords`] has the text, the path keeps the fault and is never evaluated.
    pub(crate) fn parse_tolerantly(
        source: &str,
        limits: ParseLimits,
        patterns: &PatternBudget,
    ) -> Result<Self, ParseError> {
        Self::parse_within(source, limits, patterns).or_else(|fault| {
            let path = Self::parse_as(source, limits, Dialect::BareWords, patterns);
            let mut path = path.map_err(|_| fault.clone())?;
            path.fault = Some(Box::new(fault));
            Ok(path)
        })
    }

    /// Returns the reason why every evaluation fails, for a path of [`Self::parse_tolerantly`].
    pub(crate) fn fault(&self) -> Option<&ParseError> {
        self.fault.as_deref()
    }

    fn without_fault(&self) -> Result<(), QueryError> {
        match &self.fault {
            None => Ok(()),
            Some(fault) => Err(QueryError::new(
                QueryErrorKind::NotApplicable,
                fault.to_string(),
            )),
        }
    }

    /// Parses by the rules of Reference Paths, whose names have escapes after a dot.
    pub(crate) fn parse_reference(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            source: source.to_owned(),
            segments: Segments::new(parse_reference_path(source)?),
            slots: 0,
            fault: None,
        })
    }

    /// True if the path names at most one node: such a path gives one value, any other an array.
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// assert!(JsonPath::parse("$.a[0]")?.is_definite());
    /// assert!(!JsonPath::parse("$.a[*]")?.is_definite());
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn is_definite(&self) -> bool {
        self.segments.is_definite()
    }

    /// The fields and single indexes that it is made of; None for a path of any other kind, and for one that always fails.
    ///
    /// ```
    /// use asl_path::{JsonPath, Step};
    ///
    /// let path = JsonPath::parse("$.a[0]")?;
    /// assert_eq!(path.steps(), Some(vec![Step::Field("a".to_owned()), Step::Index(0)]));
    /// assert_eq!(JsonPath::parse("$.a[*]")?.steps(), None);
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn steps(&self) -> Option<Vec<Step>> {
        let segments = self.segments.list.iter().cloned();
        match self.segments.plain && self.fault.is_none() {
            true => segments.map(Step::from_segment).collect(),
            false => None,
        }
    }

    /// Returns the text that it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the form that Jayway compiles to, with names in brackets and filters as `[?]`.
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// assert_eq!(JsonPath::parse("$.a[0].*")?.normalized(), "$['a'][0][*]");
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn normalized(&self) -> String {
        format!("${}", normalized_text(&self.segments.list))
    }

    /// True for `$` alone, the whole document.
    pub fn is_root(&self) -> bool {
        self.segments.list.is_empty()
    }

    /// Returns the value of a definite path, borrowed; the array of what an indefinite one finds.
    ///
    /// # Errors
    ///
    /// Returns an error if a definite path leads nowhere, or if a segment cannot be applied. An indefinite path
    /// that finds nothing gives an empty array, but for a definite beginning that leads nowhere.
    pub fn evaluate<'v>(&self, document: &'v Value) -> Result<Cow<'v, Value>, QueryError> {
        self.evaluate_with(document, EvaluationLimits::default())
    }

    /// Evaluates the path with other limits.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::evaluate`], and exceeded limits.
    pub fn evaluate_with<'v>(
        &self,
        document: &'v Value,
        limits: EvaluationLimits,
    ) -> Result<Cow<'v, Value>, QueryError> {
        self.evaluate_counting(document, limits, &Cell::new(0))
    }

    /// Evaluates the path, and adds the number of steps to `steps`, on success and on failure, as [`EvaluationLimits::max_steps`]
    /// counts them. A result of [`node`](Self::node) takes no step.
    ///
    /// # Errors
    ///
    /// As [`Self::evaluate_with`].
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::{EvaluationLimits, JsonPath};
    /// use std::cell::Cell;
    ///
    /// let (document, steps) = (serde_json::json!({"a": [1, 2]}), Cell::new(0));
    /// JsonPath::parse("$.a[*]")?.evaluate_counting(&document, EvaluationLimits::default(), &steps)?;
    /// assert!(steps.get() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate_counting<'v>(
        &self,
        document: &'v Value,
        limits: EvaluationLimits,
        steps: &Cell<u64>,
    ) -> Result<Cow<'v, Value>, QueryError> {
        self.without_fault()?;
        if let Some(node) = self.node(document) {
            return Ok(Cow::Borrowed(node));
        }
        let context = Context::new(document, self.slots, limits);
        let value = evaluate::value(&self.segments, document, &context);
        steps.set(steps.get().saturating_add(context.steps()));
        value
    }

    /// Returns the node that a path of fields and single indexes leads to, without any allocation. None if it leads nowhere,
    /// and for paths of any other kind: [`evaluate`](Self::evaluate) reports them apart.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// let document = serde_json::json!({"a": [1, 2]});
    /// assert_eq!(JsonPath::parse("$.a[1]")?.node(&document), Some(&serde_json::json!(2)));
    /// assert_eq!(JsonPath::parse("$.a[*]")?.node(&document), None);
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn node<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        evaluate::node(&self.segments, document)
    }

    /// Returns the same node to write to it, or to take it out.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::JsonPath;
    /// use serde_json::{Value, json};
    ///
    /// let mut document = json!({"a": [1, 2]});
    /// let node = JsonPath::parse("$.a[1]")?.node_mut(&mut document).map(Value::take);
    /// assert_eq!((node, document), (Some(json!(2)), json!({"a": [1, null]})));
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn node_mut<'v>(&self, document: &'v mut Value) -> Option<&'v mut Value> {
        evaluate::node_mut(&self.segments, document)
    }

    /// Returns whether nothing that one of two paths finds is, or is part of, what the other finds in the same document. False
    /// also if that depends on the document: only paths of fields and single indexes that part at a field are certain.
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// let total = JsonPath::parse("$.order.total")?;
    /// assert!(total.is_apart_from(&JsonPath::parse("$.order.id")?));
    /// assert!(!total.is_apart_from(&JsonPath::parse("$.order")?));
    /// assert!(!total.is_apart_from(&JsonPath::parse("$..id")?));
    /// # Ok::<(), asl_path::ParseError>(())
    /// ```
    pub fn is_apart_from(&self, other: &Self) -> bool {
        evaluate::are_apart(&self.segments, &other.segments)
    }

    /// Returns true if an evaluation takes steps: false for a path with only fields and single indexes.
    pub fn takes_steps(&self) -> bool {
        !self.segments.plain
    }

    /// Returns true if [`evaluate`](Self::evaluate) gives a value, without making one. Adds to `steps` how many it took.
    ///
    /// # Errors
    ///
    /// Returns an error if finding out would take more than the limits allow.
    pub fn finds(
        &self,
        document: &Value,
        limits: EvaluationLimits,
        steps: &Cell<u64>,
    ) -> Result<bool, QueryError> {
        if self.segments.plain {
            return Ok(self.node(document).is_some());
        }
        if self.fault.is_some() {
            return Ok(false);
        }
        let context = Context::new(document, self.slots, limits);
        let found = evaluate::select(&self.segments, document, &context);
        steps.set(steps.get().saturating_add(context.steps()));
        match found {
            Err(error) if error.is_limit() => Err(error),
            found => Ok(found.is_ok()),
        }
    }

    /// Returns all nodes that the path finds, in order. They are borrowed from the document, but for those that a path makes
    /// itself: the results of functions, and the objects that `['a', 'b']` gathers.
    ///
    /// # Errors
    ///
    /// As [`Self::evaluate`].
    ///
    /// # Example
    ///
    /// ```
    /// use asl_path::JsonPath;
    ///
    /// let document = serde_json::json!({"a": [1, {"b": 2}]});
    /// let nodes = JsonPath::parse("$..*")?.query(&document)?;
    /// assert_eq!(nodes.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query<'v>(&self, document: &'v Value) -> Result<Vec<Cow<'v, Value>>, QueryError> {
        self.without_fault()?;
        if self.is_definite() {
            return Ok(vec![self.evaluate(document)?]);
        }
        let context = Context::new(document, self.slots, EvaluationLimits::default());
        evaluate::nodes(&self.segments, document, &context)
    }
}

impl Display for JsonPath {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.source)
    }
}

impl FromStr for JsonPath {
    type Err = ParseError;

    fn from_str(source: &str) -> Result<Self, ParseError> {
        Self::parse(source)
    }
}

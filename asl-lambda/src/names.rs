//! Names and ARNs of functions.

/// A function as a caller names it, and the version or alias of it (AWS Lambda API Reference, Invoke, FunctionName): by its
/// name, a partial ARN or an ARN.
///
/// ```
/// use asl_lambda::FunctionName;
///
/// for text in ["charge:v1", "123456789012:function:charge:v1", "arn:aws:lambda:us-east-1:123456789012:function:charge:v1"] {
///     let name = FunctionName::parse(text);
///     assert_eq!((name.name, name.qualifier), ("charge", Some("v1")));
/// }
/// assert_eq!(FunctionName::parse("charge").qualifier, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct FunctionName<'t> {
    /// The name.
    pub name: &'t str,
    /// The version or the alias.
    pub qualifier: Option<&'t str>,
}

impl<'t> FunctionName<'t> {
    /// Reads a name or an ARN; a text that is neither is a name.
    pub fn parse(text: &'t str) -> Self {
        let after = text.find(":function:").map(|at| at + ":function:".len());
        let rest = match text.strip_prefix("function:") {
            Some(rest) => rest,
            None => after.and_then(|at| text.get(at..)).unwrap_or(text),
        };
        let (name, qualifier) = match rest.split_once(':') {
            Some((name, qualifier)) => (name, Some(qualifier)),
            None => (rest, None),
        };
        Self { name, qualifier }
    }
}

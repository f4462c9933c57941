//! Predicates on data: JSONata between `{%` and `%}`, or a JSONPath.
use asl_jsonata::{DelimitedText, Dialect, Documents, Environment, Expression, Options, delimited};
use asl_path::{JsonPath, Path, Root};
use serde_json::Value;
use std::fmt;

/// A test of data.
///
/// JSONata stands between `{%` and `%}` and is to give true; the data is `$states.input`, as in a state, and `$` too. A
/// A JSONPath holds if it selects a value other than false and null.
///
/// ```
/// use asl_test::Predicate;
/// use serde_json::json;
///
/// let dear = Predicate::parse("{% $states.input.price > 100 %}")?;
/// assert_eq!(dear.holds(&json!({"price": 17})), Ok(false));
/// let urgent = Predicate::parse("$.items[?(@.urgent == true)]")?;
/// assert_eq!(urgent.holds(&json!({"items": [{"urgent": true}]})), Ok(true));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
pub struct Predicate {
    source: String,
    query: Query,
}

#[derive(Clone)]
enum Query {
    Jsonata(Box<Expression>),
    JsonPath(JsonPath),
}

impl Predicate {
    /// Parses a predicate.
    ///
    /// # Errors
    ///
    /// The reason why the text is invalid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let query = match delimited(text) {
            DelimitedText::Expression(inner) => {
                let options = Options::default().with_dialect(Dialect::Jsonata);
                let expression = Expression::parse_with(inner, &options);
                Query::Jsonata(Box::new(expression.map_err(|error| error.to_string())?))
            }
            DelimitedText::HalfOpen => return Err("write JSONata between {% and %}".to_owned()),
            DelimitedText::Text => {
                let path = Path::parse(text).map_err(|error| {
                    format!("expected JSONata between {{% and %}}, or a JSONPath: {error}")
                })?;
                match path.root() {
                    Root::Input => Query::JsonPath(path.json_path().clone()),
                    _ => return Err("expected a path that starts with `$.` or `$[`".to_owned()),
                }
            }
        };
        Ok(Self {
            source: text.to_owned(),
            query,
        })
    }

    /// Returns true if the data satisfies the predicate.
    ///
    /// # Errors
    ///
    /// The reason why the predicate cannot be evaluated.
    pub fn holds(&self, data: &Value) -> Result<bool, String> {
        match &self.query {
            Query::Jsonata(expression) => {
                let documents = Documents::default().with_input(data.clone());
                let mut environment = Environment::from_input(data);
                environment.states = Some(documents.states());
                let found = expression.evaluate(&mut environment);
                match found {
                    Ok(Some(Value::Bool(holds))) => Ok(holds),
                    Ok(None) => Ok(false),
                    Ok(Some(other)) => Err(format!(
                        "{} returned {other}: expected true or false",
                        self.source
                    )),
                    Err(error) => Err(format!("{}: {error}", self.source)),
                }
            }
            Query::JsonPath(path) => match path.evaluate(data) {
                Ok(found) => Ok(!matches!(&*found, Value::Null | Value::Bool(false))
                    && found.as_array().is_none_or(|found| !found.is_empty())),
                Err(error) if error.is_limit() => Err(format!("{}: {error}", self.source)),
                Err(_) => Ok(false),
            },
        }
    }

    /// Returns the predicate as written.
    pub fn source(&self) -> &str {
        &self.source
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Predicate").field(&self.source).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Predicate;
    use serde_json::json;

    #[test]
    fn both_languages_see_the_data() {
        let data = json!({"a": {"b": [1, 2]}, "no": false, "none": null, "empty": []});
        let holds = |text: &str| Predicate::parse(text).unwrap().holds(&data);
        for text in [
            "{% $states.input.a.b[0] = 1 %}",
            "{% $count(a.b) = 2 %}",
            "$.a.b",
            "$.a.b[?(@ > 1)]",
        ] {
            assert_eq!(holds(text), Ok(true), "{text}");
        }
        for text in [
            "{% a.b[0] = 2 %}",
            "{% nothing %}",
            "$.no",
            "$.none",
            "$.empty",
            "$.a.c",
            "$.a.b[?(@ > 2)]",
        ] {
            assert_eq!(holds(text), Ok(false), "{text}");
        }
        assert!(
            holds("{% a %}")
                .unwrap_err()
                .contains("expected true or false")
        );
        for text in ["{% 1 +", "{% ) %}", "a.b", "$$.Execution", "$x"] {
            assert!(Predicate::parse(text).is_err(), "{text}");
        }
    }
}

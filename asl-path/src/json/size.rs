//! Size of values.
use serde_json::Value;
use smallvec::SmallVec;

/// The content of a value, including itself. Memory limits are based on it, and it is the same on every machine.
///
/// ```
/// use asl_path::json::Size;
///
/// let size = Size::from_value(&serde_json::json!({"a": [1, "xyz"], "bc": {}}));
/// assert_eq!((size.values, size.fields, size.text, size.depth), (5, 2, 6, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Size {
    /// Values: arrays and objects, and all in them.
    pub values: usize,
    /// Number of fields of objects.
    pub fields: usize,
    /// Bytes of texts and of names.
    pub text: usize,
    /// Levels of arrays and objects.
    pub depth: usize,
}

/// Pending values: only nested data needs the stack, and mostly little of it.
type PendingValues<'v> = SmallVec<[(&'v Value, usize); 8]>;

impl Size {
    /// Weight of a value without its text: about its size in bytes in memory, but the same on every machine.
    pub const VALUE: usize = 80;
    /// Weight of a field of an object without its name and its value: its slot, its hash, and the allocation of the name.
    pub const FIELD: usize = 80;

    /// Returns the total weight.
    ///
    /// ```
    /// use asl_path::json::Size;
    ///
    /// let size = Size::from_value(&serde_json::json!({"a": "xyz"}));
    /// assert_eq!(size.weight(), 2 * Size::VALUE + Size::FIELD + 4);
    /// ```
    pub fn weight(self) -> usize {
        let values = self.values.saturating_mul(Self::VALUE);
        let fields = self.fields.saturating_mul(Self::FIELD);
        values.saturating_add(fields).saturating_add(self.text)
    }

    /// Creates the size of a value, which may nest however deep.
    pub fn from_value(value: &Value) -> Self {
        let mut size = Self {
            values: 1,
            fields: 0,
            text: value.as_str().map_or(0, str::len),
            depth: 0,
        };
        let mut pending = PendingValues::new();
        let mut next = Some((value, 1));
        while let Some((value, level)) = next {
            match value {
                Value::Array(elements) => {
                    size.depth = size.depth.max(level);
                    size.values += elements.len();
                    for element in elements {
                        size.see(element, level, &mut pending);
                    }
                }
                Value::Object(fields) => {
                    size.depth = size.depth.max(level);
                    size.values += fields.len();
                    size.fields += fields.len();
                    for (name, field) in fields {
                        size.text += name.len();
                        size.see(field, level, &mut pending);
                    }
                }
                _ => {}
            }
            next = pending.pop();
        }
        size
    }

    /// Returns the maximum size of the value of a JSON text, before it is parsed.
    ///
    /// ```
    /// use asl_path::json::Size;
    ///
    /// let size = Size::from_text(r#"{"a": [1, "x,z"]}"#);
    /// assert_eq!((size.values, size.fields, size.depth), (4, 1, 2));
    /// ```
    pub fn from_text(text: &str) -> Self {
        let mut size = Self {
            values: 1,
            fields: 0,
            text: text.len(),
            depth: 0,
        };
        let mut level = 0_usize;
        let (mut in_string, mut escaped) = (false, false);
        for byte in text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b',' if !in_string => size.values += 1,
                b'[' | b'{' if !in_string => {
                    size.values += 1;
                    level += 1;
                    size.depth = size.depth.max(level);
                }
                b']' | b'}' if !in_string => level = level.saturating_sub(1),
                b':' if !in_string => size.fields += 1,
                _ => {}
            }
        }
        size
    }

    #[inline]
    fn see<'v>(&mut self, value: &'v Value, level: usize, pending: &mut PendingValues<'v>) {
        match value {
            Value::String(text) => self.text += text.len(),
            Value::Array(_) | Value::Object(_) => pending.push((value, level + 1)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scalars_are_one_value() {
        let size = |values, fields, text| Size {
            values,
            fields,
            text,
            depth: 0,
        };
        assert_eq!(Size::from_value(&json!(null)), size(1, 0, 0));
        assert_eq!(Size::from_value(&json!("xyz")), size(1, 0, 3));
    }

    #[test]
    fn nesting_takes_no_stack() {
        let nested = (0..1_000).fold(json!("x"), |inner, _| json!([inner]));
        let size = Size::from_value(&nested);
        assert_eq!((size.values, size.text, size.depth), (1_001, 1, 1_000));
    }
}

//! Locations in a definition.
use std::borrow::Cow;
use std::fmt;

/// A part of a definition: as the service names it, and as JSON pointers do (RFC 6901).
///
/// ```
/// let text = r#"{"StartAt": "a/b", "States": {
///     "a/b": {"Type": "Choice", "Choices": [{"Condition": true, "Next": "c"}]}, "c": {"Type": "Succeed"}}}"#;
/// let faults = asl_model::validate(text, asl_model::Options::default());
/// let location = &faults.iter().next().unwrap().location;
/// assert_eq!(location.as_str(), "/States/a/b/Choices[0]");
/// assert_eq!(location.pointer(), "/States/a~1b/Choices/0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// Empty for the whole.
    text: String,
    /// The JSON Pointer, if it differs from the text.
    pointer: Option<String>,
}

impl Location {
    /// Returns the location as the service writes it: unescaped names, `[0]` for an element, `/` for the whole definition.
    pub fn as_str(&self) -> &str {
        or_whole(&self.text)
    }

    /// Returns the JSON pointer; `/` for the whole.
    pub fn pointer(&self) -> &str {
        or_whole(self.pointer.as_deref().unwrap_or(&self.text))
    }

    /// A place in a text that is no JSON, as the service writes it.
    pub(crate) fn of_text(text: String) -> Self {
        Self {
            text,
            pointer: Some(String::new()),
        }
    }

    /// Returns the field of that name within it.
    ///
    /// ```
    /// let location = asl_model::Location::default().field("States").field("A").field("Catch").element(0);
    /// assert_eq!((location.as_str(), location.pointer()), ("/States/A/Catch[0]", "/States/A/Catch/0"));
    /// ```
    #[must_use]
    pub fn field(mut self, name: &str) -> Self {
        self.push_field(name);
        self
    }

    /// Returns the element of that number within it.
    #[must_use]
    pub fn element(mut self, index: usize) -> Self {
        self.push_element(index);
        self
    }

    pub(crate) fn push_field(&mut self, name: &str) {
        if self.pointer.is_some() || name.contains(['~', '/']) {
            let pointer = self.pointer.get_or_insert_with(|| self.text.clone());
            pointer.push('/');
            push_escaped(pointer, name);
        }
        self.text.push('/');
        self.text.push_str(name);
    }

    pub(crate) fn push_element(&mut self, index: usize) {
        let pointer = self.pointer.get_or_insert_with(|| self.text.clone());
        let index = index.to_string();
        pointer.push('/');
        pointer.push_str(&index);
        self.text.push('[');
        self.text.push_str(&index);
        self.text.push(']');
    }

    /// Returns the length of the text in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len() + self.pointer.as_ref().map_or(0, String::len)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn or_whole(text: &str) -> &str {
    match text {
        "" => "/",
        text => text,
    }
}

/// Returns a name as a segment of a JSON pointer (RFC 6901, section 3).
///
/// ```
/// assert_eq!(asl_model::escaped_segment("a/b~c"), "a~1b~0c");
/// ```
pub fn escaped_segment(segment: &str) -> String {
    let mut escaped = String::with_capacity(segment.len());
    push_escaped(&mut escaped, segment);
    escaped
}

/// Appends a segment of a JSON pointer.
pub(crate) fn push_escaped(pointer: &mut String, segment: &str) {
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Returns the segments of a JSON pointer, unescaped; none for the whole.
pub(crate) fn segments(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let rest = match pointer {
        "/" => None,
        other => other.strip_prefix('/'),
    };
    rest.into_iter()
        .flat_map(|rest| rest.split('/'))
        .map(|segment| {
            if segment.contains('~') {
                Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
            } else {
                Cow::Borrowed(segment)
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_two_spellings() {
        let mut location = Location::default();
        assert_eq!((location.as_str(), location.pointer()), ("/", "/"));
        location.push_field("States");
        assert_eq!(
            (location.as_str(), location.pointer()),
            ("/States", "/States")
        );
        location.push_field("a/b~c");
        location.push_field("Branches");
        location.push_element(3);
        assert_eq!(location.to_string(), "/States/a/b~c/Branches[3]");
        assert_eq!(location.pointer(), "/States/a~1b~0c/Branches/3");
        let names: Vec<Cow<'_, str>> = segments(location.pointer()).collect();
        assert_eq!(names, ["States", "a/b~c", "Branches", "3"]);
    }
}

//! The JSON value of a text, with the fields that stand in it twice.
use super::{Event, TextError, events};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A field that its object has already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Duplicate {
    /// JSON pointer to the field.
    pub(crate) location: String,
    /// Its name.
    pub(crate) name: String,
}

/// What a value weighs, whatever it holds.
const NODE: usize = 32;

/// What a text says.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// None where the text is empty.
    pub(crate) value: Option<Value>,
    /// In the order of the text. The last of several fields of one name is the one in `value`.
    pub(crate) duplicates: Vec<Duplicate>,
}

/// Reads JSON or YAML with at most `max_depth` levels of arrays and objects, of which aliases repeat at most
/// `max_repeated` bytes.
pub(crate) fn read(text: &str, max_depth: usize, max_repeated: usize) -> Result<Tree, TextError> {
    let mut events = events(text);
    let mut builder = Builder {
        max_depth,
        repeated_left: max_repeated,
        ..Builder::default()
    };
    while let Some(event) = events.next()? {
        if let Err(message) = builder.add(event) {
            return Err(TextError {
                message,
                position: events.position(),
            });
        }
    }
    Ok(builder.tree)
}

/// An array or object that is not at its end.
#[derive(Debug)]
struct Open {
    content: Content,
    /// Of the field whose value comes next, or of this collection where it has an anchor.
    anchor: Option<usize>,
    /// Levels below this one so far.
    height: usize,
    /// Bytes in it, about.
    size: usize,
}

#[derive(Debug)]
enum Content {
    Array(Vec<Value>),
    Object {
        fields: Map<String, Value>,
        name: Option<String>,
        /// What `<<` names, to be merged at the end: fields of the object itself win.
        merged: Vec<Value>,
    },
}

/// A value that aliases can repeat.
#[derive(Debug)]
struct Anchored {
    value: Value,
    height: usize,
    size: usize,
}

#[derive(Debug, Default)]
struct Builder {
    tree: Tree,
    open: Vec<Open>,
    anchor: Option<usize>,
    anchored: HashMap<usize, Anchored>,
    max_depth: usize,
    repeated_left: usize,
}

impl Builder {
    fn add(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::ObjectStart => self.open(Content::Object {
                fields: Map::new(),
                name: None,
                merged: Vec::new(),
            })?,
            Event::ArrayStart => self.open(Content::Array(Vec::new()))?,
            Event::ObjectEnd | Event::ArrayEnd => self.close()?,
            Event::Name(name) => self.name(name.into_owned()),
            Event::Merge => {}
            Event::Scalar(value) => {
                let anchor = self.anchor.take();
                let size = NODE + value.as_str().map_or(0, str::len);
                self.value(value, anchor, 0, size)?;
            }
            Event::Anchor(anchor) => self.anchor = Some(anchor),
            Event::Alias(anchor) => self.alias(anchor)?,
        }
        Ok(())
    }

    fn open(&mut self, content: Content) -> Result<(), String> {
        if self.open.len() >= self.max_depth {
            return Err(format!("nested more than {} levels deep", self.max_depth));
        }
        self.open.push(Open {
            content,
            anchor: self.anchor.take(),
            height: 0,
            size: NODE,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let value = match open.content {
            Content::Array(elements) => Value::Array(elements),
            Content::Object {
                mut fields, merged, ..
            } => {
                merge(&mut fields, merged);
                Value::Object(fields)
            }
        };
        self.value(value, open.anchor, open.height + 1, open.size)
    }

    fn name(&mut self, new: String) {
        let Some(Open {
            content: Content::Object { fields, name, .. },
            size,
            ..
        }) = self.open.last_mut()
        else {
            return;
        };
        *size += new.len();
        if fields.contains_key(&new) {
            let location = self.location(&new);
            self.tree.duplicates.push(Duplicate {
                location,
                name: new.clone(),
            });
            if let Some(Open {
                content: Content::Object { name, .. },
                ..
            }) = self.open.last_mut()
            {
                *name = Some(new);
            }
        } else {
            *name = Some(new);
        }
    }

    /// The JSON pointer to the field `name` of the innermost object.
    fn location(&self, last: &str) -> String {
        let mut location = String::new();
        let outer = self.open.len().saturating_sub(1);
        for open in self.open.iter().take(outer) {
            match &open.content {
                Content::Array(elements) => location.push_str(&format!("/{}", elements.len())),
                Content::Object { name, .. } => {
                    location.push('/');
                    crate::diagnostic::push_escaped(&mut location, name.as_deref().unwrap_or("<<"));
                }
            }
        }
        location.push('/');
        crate::diagnostic::push_escaped(&mut location, last);
        location
    }

    /// Puts a value where it belongs.
    fn value(
        &mut self,
        value: Value,
        anchor: Option<usize>,
        height: usize,
        size: usize,
    ) -> Result<(), String> {
        if let Some(anchor) = anchor {
            self.repeat(size)?;
            let value = value.clone();
            self.anchored.insert(
                anchor,
                Anchored {
                    value,
                    height,
                    size,
                },
            );
        }
        let Some(parent) = self.open.last_mut() else {
            self.tree.value = Some(value);
            return Ok(());
        };
        parent.height = parent.height.max(height);
        parent.size += size;
        match &mut parent.content {
            Content::Array(elements) => elements.push(value),
            Content::Object {
                fields,
                name,
                merged,
            } => match name.take() {
                Some(name) => {
                    fields.insert(name, value);
                }
                None => merged.push(value),
            },
        }
        Ok(())
    }

    /// Counts what is copied for an anchor or an alias.
    fn repeat(&mut self, size: usize) -> Result<(), String> {
        self.repeated_left = self
            .repeated_left
            .checked_sub(size)
            .ok_or("aliases repeat too much")?;
        Ok(())
    }

    fn alias(&mut self, anchor: usize) -> Result<(), String> {
        let Some(anchored) = self.anchored.get(&anchor) else {
            return Err("an alias within the value that it repeats".to_owned());
        };
        let (height, size) = (anchored.height, anchored.size);
        if self.open.len() + height > self.max_depth {
            return Err(format!("nested more than {} levels deep", self.max_depth));
        }
        let value = anchored.value.clone();
        self.repeat(size)?;
        self.value(value, None, height, size)
    }
}

/// YAML's merge key: an object, or an array of them of which the first wins.
fn merge(fields: &mut Map<String, Value>, merged: Vec<Value>) {
    for value in merged {
        let objects = match value {
            Value::Array(elements) => elements,
            value => vec![value],
        };
        for object in objects {
            let Value::Object(object) = object else {
                continue;
            };
            for (name, value) in object {
                fields.entry(name).or_insert(value);
            }
        }
    }
}

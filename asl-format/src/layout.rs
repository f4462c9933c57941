//! Line breaks.
use crate::Style;
use crate::text::Text;
use crate::token_tree::{Node, Object};
use unicode_width::UnicodeWidthStr;

/// The extent of a value, computed once from the inside.
#[derive(Debug)]
struct Measure<'n> {
    content: Content<'n>,
    /// Columns on one line.
    width: usize,
    /// True if it has several lines however wide these may be.
    is_open: bool,
}

#[derive(Debug)]
enum Content<'n> {
    Scalar(&'n str),
    /// Each name as it is written.
    Object(Vec<(&'n str, Measure<'n>)>),
    Array(Vec<Measure<'n>>),
    /// Several stand on each line.
    Numbers(Vec<Measure<'n>>),
}

/// Returns a text of a value, without a line break behind it; None if that would be far longer than any file.
pub(crate) fn print(node: &Node<'_>, style: &Style) -> Option<String> {
    let mut printer = Printer {
        text: Text::default(),
        style,
    };
    printer.value(&measure(node), 0, 0, 0);
    printer.text.finish()
}

fn measure<'n>(node: &'n Node<'_>) -> Measure<'n> {
    match node {
        Node::Scalar(text) => Measure {
            content: Content::Scalar(text),
            width: text.width(),
            is_open: false,
        },
        Node::Object(object) => measure_object(object),
        Node::Array(elements) => {
            let measured: Vec<Measure<'_>> = elements.iter().map(measure).collect();
            let inner: usize = measured.iter().map(|it| it.width).sum();
            Measure {
                width: inner + separators(measured.len()) + 2,
                is_open: measured.iter().any(|it| it.is_open) || is_list_of_records(elements),
                content: match !elements.is_empty() && elements.iter().all(is_number) {
                    true => Content::Numbers(measured),
                    false => Content::Array(measured),
                },
            }
        }
    }
}

fn measure_object<'n>(object: &'n Object<'_>) -> Measure<'n> {
    let fields = object.fields.iter();
    let fields: Vec<_> = fields.map(|it| (it.written, measure(&it.value))).collect();
    let inner = fields.iter().map(|(name, it)| name.width() + 2 + it.width);
    Measure {
        width: inner.sum::<usize>() + separators(fields.len()) + 2,
        is_open: !fields.is_empty() && object.is_open || fields.iter().any(|(_, it)| it.is_open),
        content: Content::Object(fields),
    }
}

/// Columns of commas and spaces between so many.
fn separators(count: usize) -> usize {
    2 * count.saturating_sub(1)
}

/// Returns true for several objects with several fields each, or several arrays with several elements, which are unreadable
/// on one line.
fn is_list_of_records(elements: &[Node<'_>]) -> bool {
    let is_object = |it: &Node<'_>| matches!(it, Node::Object(object) if object.fields.len() > 1);
    let is_array = |it: &Node<'_>| matches!(it, Node::Array(elements) if elements.len() > 1);
    elements.len() > 1 && (elements.iter().all(is_object) || elements.iter().all(is_array))
}

fn is_number(node: &Node<'_>) -> bool {
    let begins = |text: &str| text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    matches!(node, Node::Scalar(text) if begins(text))
}

struct Printer<'s> {
    text: Text,
    style: &'s Style,
}

impl Printer<'_> {
    /// A value that begins at a column, with so many columns behind it on its last line.
    fn value(&mut self, value: &Measure<'_>, depth: usize, column: usize, behind: usize) {
        let fits = column + value.width + behind <= self.style.width;
        if fits && !value.is_open {
            return self.flat(value);
        }
        match &value.content {
            Content::Scalar(text) => self.text.push(text),
            Content::Object(fields) if fields.is_empty() => self.text.push("{}"),
            Content::Array(elements) if elements.is_empty() => self.text.push("[]"),
            Content::Object(fields) => self.object(fields, depth),
            Content::Array(elements) => self.array(elements, depth),
            Content::Numbers(elements) => self.numbers(elements, depth),
        }
    }

    fn object(&mut self, fields: &[(&str, Measure<'_>)], depth: usize) {
        self.text.push("{");
        for (index, (name, value)) in fields.iter().enumerate() {
            let behind = usize::from(index + 1 < fields.len());
            let column = self.line(depth + 1);
            self.text.push(name);
            self.text.push(": ");
            self.value(value, depth + 1, column + name.width() + 2, behind);
            if behind > 0 {
                self.text.push(",");
            }
        }
        self.line(depth);
        self.text.push("}");
    }

    fn array(&mut self, elements: &[Measure<'_>], depth: usize) {
        self.text.push("[");
        for (index, value) in elements.iter().enumerate() {
            let behind = usize::from(index + 1 < elements.len());
            let column = self.line(depth + 1);
            self.value(value, depth + 1, column, behind);
            if behind > 0 {
                self.text.push(",");
            }
        }
        self.line(depth);
        self.text.push("]");
    }

    fn numbers(&mut self, elements: &[Measure<'_>], depth: usize) {
        self.text.push("[");
        let mut column = self.line(depth + 1);
        for (index, value) in elements.iter().enumerate() {
            let width = value.width + usize::from(index + 1 < elements.len());
            if index > 0 {
                self.text.push(",");
                if column + 1 + width > self.style.width {
                    column = self.line(depth + 1);
                } else {
                    self.text.push(" ");
                    column += 1;
                }
            }
            self.flat(value);
            column += width;
        }
        self.line(depth);
        self.text.push("]");
    }

    fn flat(&mut self, value: &Measure<'_>) {
        match &value.content {
            Content::Scalar(text) => self.text.push(text),
            Content::Object(fields) => {
                self.text.push("{");
                for (index, (name, value)) in fields.iter().enumerate() {
                    self.text.push(if index > 0 { ", " } else { "" });
                    self.text.push(name);
                    self.text.push(": ");
                    self.flat(value);
                }
                self.text.push("}");
            }
            Content::Array(elements) | Content::Numbers(elements) => {
                self.text.push("[");
                for (index, value) in elements.iter().enumerate() {
                    self.text.push(if index > 0 { ", " } else { "" });
                    self.flat(value);
                }
                self.text.push("]");
            }
        }
    }

    /// Returns a new line; the column that it begins in.
    fn line(&mut self, depth: usize) -> usize {
        let column = depth.saturating_mul(self.style.indent);
        self.text.line(column);
        column
    }
}

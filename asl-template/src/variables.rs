//! Variables of the Serverless Framework: `${self:custom.x}`, `${file(x.yml):y}`, `${opt:stage, 'dev'}`.
use crate::document::{read_document, unreadable_finding};
use crate::node::{Node, Template};
use crate::search::plain_path;
use crate::shelf::Shelf;
use crate::{DefinitionText, Finding, ReadOptions};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;

/// Variables within variables, and values that are variables again.
const DEEPEST: usize = 16;

/// Variables that are looked up for one configuration.
const MOST_STEPS: usize = 1_000_000;

/// Bytes of one text that variables were replaced in.
const LONGEST: usize = 1 << 20;

/// Looks variables up.
#[derive(Debug)]
pub(crate) struct Variables<'t> {
    root: Node<'t>,
    shelf: &'t Shelf,
    reading: ReadOptions<'t>,
    findings: RefCell<Vec<Finding>>,
    /// Files that could not be read, by the requesting file: reported once.
    tried: RefCell<BTreeSet<(PathBuf, usize)>>,
    steps_left: Cell<usize>,
}

/// The value of a variable.
enum ResolvedVariable<'t> {
    Node(Node<'t>),
    Text(String),
}

impl<'t> Variables<'t> {
    pub(crate) fn new(template: &'t Template, shelf: &'t Shelf, reading: ReadOptions<'t>) -> Self {
        Self {
            root: template.root(),
            shelf,
            reading,
            findings: RefCell::default(),
            tried: RefCell::default(),
            steps_left: Cell::new(MOST_STEPS),
        }
    }

    pub(crate) fn take_findings(&self) -> Vec<Finding> {
        self.findings.take()
    }

    /// Returns the files that were read next to the configuration.
    pub(crate) fn referenced(&self) -> impl Iterator<Item = PathBuf> {
        let beside = self.shelf.iter().skip(1);
        beside.map(|template| plain_path(template.file.path()))
    }

    /// Returns the value at a sequence of fields, resolving variables.
    pub(crate) fn resolved(&self, node: &Node<'t>, way: &[&str]) -> Option<Node<'t>> {
        way.iter().try_fold(self.resolve(node), |node, name| {
            Some(self.resolve(&node.get(name)?))
        })
    }

    /// Returns the value that a node is, where all of it is one variable; else the node.
    pub(crate) fn resolve(&self, node: &Node<'t>) -> Node<'t> {
        let mut node = node.clone();
        for _ in 0..DEEPEST {
            let expression = node.str().and_then(|text| whole_variable(text.trim()));
            let Some(expression) = expression else {
                break;
            };
            match self.variable(&node, expression, 0) {
                Some(ResolvedVariable::Node(value)) => node = value,
                _ => break,
            }
        }
        node
    }

    /// Replaces the known variables of a text.
    pub(crate) fn text(&self, node: &Node<'t>, text: &str) -> DefinitionText {
        let written = node.text_of(text);
        let mut values: Vec<(Range<usize>, String)> = Vec::new();
        let mut length = 0;
        for range in variables(text) {
            let expression = text.get(range.start + 2..range.end - 1).unwrap_or_default();
            let value = self.variable(node, expression, 0);
            let value = value.and_then(|value| self.written(value, 0));
            if let Some(value) = value.filter(|value| length + value.len() <= LONGEST) {
                length += value.len();
                values.push((range, value));
            }
        }
        let values: Vec<(Range<usize>, &str)> = values
            .iter()
            .map(|(range, value)| (range.clone(), value.as_str()))
            .collect();
        written.replaced(&values)
    }

    /// Returns a value as text, with the variables in it replaced.
    fn written(&self, value: ResolvedVariable<'t>, depth: usize) -> Option<String> {
        match value {
            ResolvedVariable::Text(text) => Some(text),
            ResolvedVariable::Node(node) => match node.value {
                Value::String(text) => Some(self.inner(&node, text, depth)),
                Value::Number(_) | Value::Bool(_) => Some(node.value.to_string()),
                _ => None,
            },
        }
    }

    /// Returns the first known value of some expressions separated by commas.
    fn variable(
        &self,
        node: &Node<'t>,
        expression: &str,
        depth: usize,
    ) -> Option<ResolvedVariable<'t>> {
        let left = self.steps_left.get().checked_sub(1)?;
        if depth >= DEEPEST {
            return None;
        }
        self.steps_left.set(left);
        let expression = self.inner(node, expression, depth);
        if let Some(value) = self.reading.given.value_of(expression.trim()) {
            return Some(ResolvedVariable::Text(value.to_owned()));
        }
        let mut sources = sources(&expression);
        sources.find_map(|source| self.source(node, source.trim(), depth))
    }

    /// Returns an expression with the variables within it replaced.
    fn inner(&self, node: &Node<'t>, expression: &str, depth: usize) -> String {
        let mut whole = String::new();
        let mut end = 0;
        for range in variables(expression) {
            let inner = expression.get(range.start + 2..range.end - 1);
            let value = self.variable(node, inner.unwrap_or_default(), depth + 1);
            let value = value.and_then(|value| self.written(value, depth + 1));
            whole.push_str(expression.get(end..range.start).unwrap_or_default());
            let as_written = expression.get(range.clone()).unwrap_or_default();
            let value = value.filter(|value| whole.len() + value.len() <= LONGEST);
            whole.push_str(value.as_deref().unwrap_or(as_written));
            end = range.end;
        }
        whole + expression.get(end..).unwrap_or_default()
    }

    fn source(&self, node: &Node<'t>, source: &str, depth: usize) -> Option<ResolvedVariable<'t>> {
        let text = |text: &str| Some(ResolvedVariable::Text(text.to_owned()));
        for quote in ['\'', '"'] {
            let inner = source.strip_prefix(quote);
            if let Some(inner) = inner.and_then(|rest| rest.strip_suffix(quote)) {
                return text(inner);
            }
        }
        if let Some(rest) = source.strip_prefix("file(") {
            let (path, rest) = rest.split_once(')')?;
            let root = self.file(node, path.trim())?;
            let way = rest.trim().strip_prefix(':').unwrap_or_default();
            return self.follow(root, way, depth).map(ResolvedVariable::Node);
        }
        match source.split_once(':') {
            Some(("self", way)) => {
                let found = self.follow(self.root.clone(), way, depth);
                match (found, way) {
                    (None, "provider.stage") => text("dev"),
                    (found, _) => found.map(ResolvedVariable::Node),
                }
            }
            Some(("sls" | "opt", name @ ("stage" | "region"))) => {
                let provider =
                    self.follow(self.root.clone(), &format!("provider.{name}"), depth + 4);
                let value =
                    provider.and_then(|it| self.written(ResolvedVariable::Node(it), depth + 4));
                let is_known = |value: &String| !value.contains("${");
                match (source.starts_with("opt"), name) {
                    // What is given on the command line: a fallback goes before what the provider has.
                    (true, _) => None,
                    (false, "stage") => value
                        .filter(is_known)
                        .or(Some("dev".to_owned()))
                        .map(ResolvedVariable::Text),
                    (false, _) => value.filter(is_known).map(ResolvedVariable::Text),
                }
            }
            Some(("aws", "accountId")) => text("000000000000"),
            Some(("aws", "region")) => text("us-east-1"),
            Some(_) => None,
            None => {
                let is_literal =
                    source == "true" || source == "false" || source.parse::<f64>().is_ok();
                is_literal.then(|| ResolvedVariable::Text(source.to_owned()))
            }
        }
    }

    /// Returns the value at a dotted path.
    fn follow(&self, root: Node<'t>, way: &str, depth: usize) -> Option<Node<'t>> {
        let mut node = self.resolve_within(root, depth);
        for name in way.split('.').filter(|name| !name.is_empty()) {
            let next = node
                .get(name)
                .or_else(|| node.elements().nth(name.parse().ok()?))?;
            node = self.resolve_within(next, depth);
        }
        Some(node)
    }

    fn resolve_within(&self, node: Node<'t>, depth: usize) -> Node<'t> {
        let expression = node.str().and_then(|text| whole_variable(text.trim()));
        match expression.and_then(|it| self.variable(&node, it, depth + 1)) {
            Some(ResolvedVariable::Node(value)) => value,
            _ => node,
        }
    }

    /// A file that is named from where the configuration lies: read once.
    fn file(&self, node: &Node<'t>, path: &str) -> Option<Node<'t>> {
        let wanted = self.root.file().resolve(path);
        let known = self.shelf.iter().find(|it| it.file.path() == wanted);
        if let Some(known) = known {
            return Some(known.root());
        }
        if !self.tried.borrow_mut().insert((wanted, node.offset())) {
            return None;
        }
        let file = match self.reading.read_beside(&self.root, node, path) {
            Ok(file) => file,
            Err(finding) => {
                self.findings.borrow_mut().push(finding);
                return None;
            }
        };
        match read_document(file.text()) {
            Ok(document) => {
                let kept = self.shelf.add(Template {
                    file,
                    document,
                    differences: Vec::new(),
                    unrolled: None,
                })?;
                Some(kept.root())
            }
            Err(faults) => {
                self.findings
                    .borrow_mut()
                    .push(unreadable_finding(&file, &faults));
                None
            }
        }
    }
}

/// The expression of a text that is one variable and nothing else.
fn whole_variable(text: &str) -> Option<&str> {
    let range = variables(text).next()?;
    (range == (0..text.len())).then(|| text.get(2..text.len() - 1))?
}

/// Returns the ranges of the outermost variables in a text.
fn variables(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find("${")?;
        let mut depth = 0_usize;
        let mut quote = None;
        for (index, byte) in text.bytes().enumerate().skip(start) {
            match (byte, quote) {
                (b'\'' | b'"', None) if depth > 0 => quote = Some(byte),
                (_, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                (b'{', None) => depth += 1,
                (b'}', None) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        at = index + 1;
                        return Some(start..at);
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// Splits an expression at commas outside brackets and quotes.
fn sources(expression: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(expression);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut depth = 0_usize;
        let mut quote = None;
        for (index, character) in text.char_indices() {
            match (character, quote) {
                ('\'' | '"', None) => quote = Some(character),
                (_, Some(open)) if character == open => quote = None,
                (_, Some(_)) => {}
                ('(' | '{', None) => depth += 1,
                (')' | '}', None) => depth = depth.saturating_sub(1),
                (',', None) if depth == 0 => {
                    rest = text.get(index + 1..);
                    return text.get(..index);
                }
                _ => {}
            }
        }
        rest = None;
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::{sources, variables, whole_variable};

    #[test]
    fn variables_are_found_with_those_within_them() {
        let found = |text: &'static str| -> Vec<&str> {
            variables(text).map(|range| &text[range]).collect()
        };
        assert_eq!(
            found("a${self:b}-${c, '}'} ${d"),
            ["${self:b}", "${c, '}'}"]
        );
        assert_eq!(found("${self:a.${opt:b}}"), ["${self:a.${opt:b}}"]);
        assert_eq!(whole_variable("${file(a.yml):b}"), Some("file(a.yml):b"));
        assert_eq!(whole_variable("${a}${b}"), None);
    }

    #[test]
    fn sources_stand_between_commas() {
        let found: Vec<&str> = sources("opt:a, file(b, c), 'd, e'").collect();
        assert_eq!(found, ["opt:a", " file(b, c)", " 'd, e'"]);
    }
}

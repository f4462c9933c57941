//! Paths, intrinsic functions and JSONata: variables, functions, what `$states` and the Context Object have.
use super::{Candidate, Completion, escaped};
use crate::context_object;
use crate::expressions::{self, Kind};
use crate::syntax::{Style, Word};
use crate::texts::{self, Use};
use asl_intrinsics::Function;
use asl_jsonata::Dialect;
use asl_model::{QueryLanguage, StateType};
use lsp_types::CompletionItemKind;
use std::collections::BTreeSet;

impl Completion<'_> {
    /// Returns candidates for the word before the cursor in a path or an expression.
    pub(super) fn queries(&self, word: &Word) -> Vec<Candidate> {
        let (Some(node), Some(_)) = (word.node, word.style) else {
            return Vec::new();
        };
        let syntax = &self.analysis.syntax;
        let Some(decoded) = syntax.decoded(node) else {
            return Vec::new();
        };
        let text = decoded.text.as_ref();
        let at = decoded.at(self.offset);
        let Some(kind) = self.kind(node, text) else {
            return Vec::new();
        };
        let start = expressions::word_start(text, at);
        let typed = text.get(start..at).unwrap_or_default();
        let place = Word {
            node: word.node,
            range: decoded.source(start)..self.offset,
            style: word.style,
        };
        match typed.rfind('.') {
            Some(dot) if !typed.starts_with("States.") => {
                let parent = typed.get(..dot).unwrap_or_default();
                let dot = decoded.source(start + dot + 1);
                self.parts(
                    &Word {
                        range: dot..self.offset,
                        ..place
                    },
                    parent,
                    kind,
                )
            }
            _ => self.words(&place, typed, kind),
        }
    }

    /// Returns the kind of query of a scalar, or of its start.
    fn kind(&self, node: crate::syntax::NodeId, text: &str) -> Option<Kind> {
        let syntax = &self.analysis.syntax;
        let outline = self.analysis.outline();
        match outline.language_at(syntax, node) {
            QueryLanguage::JSONata => text.starts_with("{%").then_some(Kind::Jsonata),
            QueryLanguage::JSONPath => {
                let name = syntax.name(node);
                let is_query = name.ends_with(".$") || name.ends_with("Path") || name == "Variable";
                is_query.then_some(Kind::Path)
            }
        }
    }

    fn words(&self, place: &Word, typed: &str, kind: Kind) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        if kind == Kind::Path && !typed.starts_with('$') {
            candidates.extend(Function::ALL.map(|it| self.function(place, it.name(), it.name())));
        }
        if kind == Kind::Jsonata {
            let functions = Dialect::StatesLanguage.functions();
            candidates
                .extend(functions.map(|name| self.function(place, name, &format!("${name}"))));
            candidates.push(Candidate {
                rank: Use::Required,
                ..self.part(place, "$states", "data available to the state")
            });
        }
        candidates.extend(self.variables(place));
        if kind == Kind::Path {
            candidates.push(self.part(place, "$$", "the Context Object"));
            candidates.push(self.part(place, "$", "the input"));
        }
        candidates
    }

    /// Returns the variables that the state sees.
    fn variables(&self, place: &Word) -> Vec<Candidate> {
        let analysis = self.analysis;
        let outline = analysis.outline();
        let state = place
            .node
            .and_then(|it| outline.state_around(&analysis.syntax, it));
        let Some(state) = state.and_then(|state| outline.states.get(state)) else {
            return Vec::new();
        };
        let visible = analysis.variables().visible(outline, state.scope);
        visible
            .into_iter()
            .map(|one| {
                let of = one.state.and_then(|state| outline.states.get(state));
                let detail =
                    of.map_or(String::new(), |state| format!("assigned in {}", state.name));
                Candidate {
                    kind: CompletionItemKind::VARIABLE,
                    rank: Use::Required,
                    ..self.part(place, &format!("${}", one.name), &detail)
                }
            })
            .collect()
    }

    /// Returns candidates after a dot.
    fn parts(&self, place: &Word, parent: &str, kind: Kind) -> Vec<Candidate> {
        let path = match kind {
            Kind::Path => parent.strip_prefix("$$"),
            Kind::Jsonata => parent.strip_prefix("$states.context"),
        };
        if let Some(path) = path {
            let names = context_object::names_below(path.trim_start_matches('.'));
            let context = "the Context Object";
            return names.map(|name| self.part(place, name, context)).collect();
        }
        if kind == Kind::Jsonata && parent == "$states" {
            let parts = [
                ("input", "the state input"),
                ("result", "the result of the state's work"),
                ("errorOutput", "the Error Output, in Catch"),
                ("context", "the Context Object"),
            ];
            return parts
                .into_iter()
                .filter(|(name, _)| *name != "result" || self.has_result(place))
                .map(|(name, detail)| self.part(place, name, detail))
                .collect();
        }
        self.data(place, parent, kind)
    }

    /// Returns true for a state that does work, which alone has a result.
    fn has_result(&self, place: &Word) -> bool {
        let analysis = self.analysis;
        let state = place
            .node
            .and_then(|it| analysis.outline().state_around(&analysis.syntax, it));
        let state = state.and_then(|state| analysis.outline().states.get(state));
        let state_type = state.and_then(|state| state.state_type);
        state_type
            .is_none_or(|it| matches!(it, StateType::Task | StateType::Map | StateType::Parallel))
    }

    /// Fields of data: of the result of the service that is called, and those that the text itself shows.
    fn data(&self, place: &Word, parent: &str, kind: Kind) -> Vec<Candidate> {
        let of_result = match kind {
            Kind::Jsonata => parent.strip_prefix("$states.result"),
            Kind::Path if self.is_in_result_selector(place) => parent.strip_prefix('$'),
            Kind::Path => None,
        };
        let names: Option<Vec<&str>> = of_result.map(|rest| rest.split('.').skip(1).collect());
        let fields = match (place.node, names) {
            (Some(node), Some(names)) => self.result_fields(node, &names),
            _ => Vec::new(),
        };
        let known: BTreeSet<String> = fields.iter().map(|(name, _)| name.clone()).collect();
        let others = self.names_below(parent, place.node).into_iter();
        let others = others.filter(|name| !known.contains(name));
        let of_service = fields
            .iter()
            .map(|(name, what)| self.part(place, name, what));
        let elsewhere = others.map(|name| self.part(place, &name, "named elsewhere in the text"));
        of_service.chain(elsewhere).collect()
    }

    fn is_in_result_selector(&self, place: &Word) -> bool {
        let syntax = &self.analysis.syntax;
        let around = place
            .node
            .into_iter()
            .flat_map(|node| syntax.ancestors(node));
        around
            .into_iter()
            .any(|id| syntax.name(id) == "ResultSelector")
    }

    fn part(&self, place: &Word, text: &str, detail: &str) -> Candidate {
        Candidate {
            label: text.to_owned(),
            kind: CompletionItemKind::PROPERTY,
            detail: Some(detail.to_owned()),
            documentation: None,
            snippet: escaped(text),
            range: place.range.clone(),
            rank: Use::Usual,
        }
    }

    fn function(&self, place: &Word, name: &str, written: &str) -> Candidate {
        let text = texts::function(name);
        let takes_none = text.is_some_and(|text| text.parameters == "()");
        // In single quotes of YAML a quote would have to be doubled, which nobody has to know.
        let is_quoted = place.style == Some(Style::Single);
        let arguments = match (takes_none, name) {
            (true, _) => "()",
            (false, "States.Format") if !is_quoted => "('$1')",
            _ => "($1)",
        };
        Candidate {
            kind: CompletionItemKind::FUNCTION,
            detail: text.map(|text| format!("{written}{}", text.parameters)),
            documentation: text.map(|text| text.said.text.to_owned()),
            snippet: escaped(written) + arguments,
            rank: Use::Seldom,
            ..self.part(place, written, "")
        }
    }
}

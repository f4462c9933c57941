//! SVG, for light and dark surroundings alike.
use super::diagram::{Mark, Node, Scope};
use super::layout::{Piece, Point, Size};
use super::path::data;
use super::picture::{
    Card, DETAIL_LINE, DETAIL_SIZE, INSET, LABEL_PADDING, NAME_LINE, NAME_SIZE, PADDING, Picture,
    TERMINAL, TILE,
};
use super::traces::{Parts, Traces};
use super::typography::width;
use super::{Overlay, Visit};
use asl_model::StateType;
use std::collections::HashSet;
use std::fmt::Write;

/// Around the whole.
const MARGIN: f64 = 24.0;
const STYLE: &str = include_str!("style.css");
/// Style of marks for problems.
const STYLE_OF_MARKS: &str = include_str!("marks.css");

/// Returns a definition as a picture.
pub(crate) fn draw(scope: &Scope, overlay: Option<&Overlay>, parts: Option<&Parts<'_>>) -> String {
    let picture = Picture::new(scope, true);
    let Size { width, height } = picture.layout.size;
    let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let mut writer = Writer {
        text: String::new(),
        overlay,
        parts,
        traces: Traces::default(),
        arrows: parts.map_or_else(String::new, |parts| format!("{}-", parts.prefix)),
    };
    let has_marks = scope.has_marks();
    let marks = if has_marks { STYLE_OF_MARKS } else { "" };
    let _ = write!(
        writer.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<style>\n{STYLE}{marks}</style>\n<defs>\n"
    );
    let arrows = &writer.arrows;
    let lit = parts.map(|_| "lit");
    let broken = has_marks.then_some("broken");
    for class in ["next", "catch", "taken"]
        .into_iter()
        .chain(broken)
        .chain(lit)
    {
        // The line that it ends is wider.
        let size = if class == "lit" { 13 } else { 8 };
        let _ = writeln!(
            writer.text,
            "<marker id=\"{arrows}arrow-{class}\" class=\"arrow {class}\" viewBox=\"0 0 10 10\" refX=\"8.5\" refY=\"5\" \
             markerWidth=\"{size}\" markerHeight=\"{size}\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 0.8 10 5 0 9.2 2.2 5z\"/></marker>"
        );
    }
    writer
        .text
        .push_str("</defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    writer.picture(
        &picture,
        Point {
            x: MARGIN,
            y: MARGIN,
        },
    );
    writer.text.push_str("</svg>");
    writer.text
}

struct Writer<'o> {
    text: String,
    overlay: Option<&'o Overlay>,
    /// Ids of the parts for a script.
    parts: Option<&'o Parts<'o>>,
    traces: Traces,
    /// Prefix of the ids of arrows.
    arrows: String,
}

impl Writer<'_> {
    fn picture(&mut self, picture: &Picture<'_>, at: Point) {
        let _ = writeln!(
            self.text,
            "<g transform=\"translate({:.1} {:.1})\">",
            at.x, at.y
        );
        self.lines(picture);
        if let Some(parts) = self.parts {
            let arrows = &self.arrows;
            self.traces.draw(&mut self.text, picture, parts, arrows);
        }
        for (card, corner) in picture.cards.iter().zip(&picture.layout.boxes) {
            self.card(card, *corner);
        }
        for (index, text) in [(picture.start, "Start"), (picture.end, "End")] {
            if let Some(corner) = index.and_then(|index| picture.layout.boxes.get(index)) {
                self.terminal(*corner, text);
            }
        }
        self.labels(picture);
        self.text.push_str("</g>\n");
    }

    /// Edges below everything else; where several run together, once.
    fn lines(&mut self, picture: &Picture<'_>) {
        let layout = &picture.layout;
        let mut lines: Vec<(usize, &'static str)> = (0..layout.routes.len())
            .map(|edge| (edge, self.line_class(picture, edge)))
            .collect();
        // The way that the execution took is whole, and above all others.
        lines.sort_by_key(|(_, class)| *class != "taken");
        let mut drawn = HashSet::new();
        let mut texts = Vec::new();
        for (edge, class) in lines {
            let route = match class {
                "taken" => layout.whole_route(edge),
                _ => layout.routes[edge].iter().collect(),
            };
            let length = route.len();
            let is_new = |piece: &&Piece| drawn.insert(piece.ends);
            let pieces: Vec<&Piece> = route.into_iter().take_while(is_new).collect();
            let last = pieces.last().map(|piece| piece.ends.1);
            let joins = last.is_some_and(|last| layout.onward.contains_key(&last));
            let is_whole = pieces.len() == length && !joins;
            texts.push(path(class, &pieces, is_whole.then_some(&*self.arrows)));
        }
        for text in texts.iter().rev() {
            self.text.push_str(text);
        }
    }

    fn line_class(&self, picture: &Picture<'_>, edge: usize) -> &'static str {
        let (from, to, kind) = picture.ends(edge);
        let taken = self.overlay.is_some_and(|overlay| match (from, to) {
            (Some(from), Some(to)) => overlay.took(from, to, kind),
            (None, Some(first)) => overlay.started_at(first),
            (Some(last), None) => overlay.ended_at(last),
            (None, None) => false,
        });
        match (taken, picture.leads_nowhere(edge)) {
            (true, _) => "taken",
            (false, true) => "broken",
            (false, false) => kind.class(),
        }
    }

    fn labels(&mut self, picture: &Picture<'_>) {
        for (lines, centre) in picture.labels.iter().zip(&picture.layout.labels) {
            let Some(centre) = centre else { continue };
            let widest = lines
                .iter()
                .map(|line| width(line, DETAIL_SIZE))
                .fold(0.0, f64::max);
            let (w, h) = (
                widest + 2.0 * LABEL_PADDING,
                lines.len() as f64 * DETAIL_LINE + 2.0,
            );
            let (x, y) = (centre.x - w / 2.0, centre.y - h / 2.0);
            let _ = writeln!(
                self.text,
                "<rect class=\"gap\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"4\"/>"
            );
            for (index, line) in lines.iter().enumerate() {
                let baseline = y + DETAIL_LINE * (index as f64 + 0.82);
                self.line_of_text("label", centre.x, baseline, line);
            }
        }
    }

    fn line_of_text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        let _ = writeln!(
            self.text,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        );
    }

    fn terminal(&mut self, corner: Point, text: &str) {
        let Size { width, height } = TERMINAL;
        let _ = writeln!(
            self.text,
            "<rect class=\"terminal\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>",
            corner.x,
            corner.y,
            height / 2.0
        );
        self.line_of_text(
            "terminal-text",
            corner.x + width / 2.0,
            corner.y + height / 2.0 + 4.0,
            text,
        );
    }

    fn card(&mut self, card: &Card<'_>, corner: Point) {
        let node = card.node;
        let visit = match self.overlay.map(|overlay| overlay.visit_of(&node.name)) {
            None | Some(Some(Visit::Unknown)) => "",
            Some(None) => " unseen",
            Some(Some(Visit::Passed)) => " passed",
            Some(Some(Visit::Partly)) => " partly",
            Some(Some(Visit::Stopped)) => " stopped",
            Some(Some(Visit::Failed)) => " failed",
        };
        let kind = node.state_type.map_or("unknown", StateType::as_str);
        let (mark, title) = marked(node);
        let number = self.parts.and_then(|parts| parts.names.of(&node.name));
        let number = number.map(|number| format!(" data-state=\"{number}\""));
        let number = number.unwrap_or_default();
        let _ = writeln!(
            self.text,
            "<g class=\"state {}{visit}{mark}\"{number} transform=\"translate({:.1} {:.1})\"><title>{}</title>",
            kind.to_lowercase(),
            corner.x,
            corner.y,
            escaped(&title),
        );
        let Size { width, height } = card.size;
        if node.state_type == Some(StateType::Map) {
            // A second sheet behind the first: there are many.
            let _ = writeln!(
                self.text,
                "<rect class=\"card behind\" x=\"4\" y=\"4\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/>"
            );
        }
        let class = if card.pictures.is_empty() {
            "card"
        } else {
            "card holder"
        };
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/>"
        );
        self.header(card);
        if let Some(count) = self.overlay.and_then(|it| it.count_of(&node.name)) {
            self.count(count, width);
        }
        for (place, picture) in &card.pictures {
            self.lane(card, *place, picture);
        }
        self.text.push_str("</g>\n");
    }

    fn header(&mut self, card: &Card<'_>) {
        let top = (card.header - TILE) / 2.0;
        let _ = writeln!(
            self.text,
            "<g transform=\"translate({PADDING} {top:.1})\"><rect class=\"tile\" width=\"{TILE}\" height=\"{TILE}\" \
             rx=\"7\"/><path class=\"icon\" d=\"{}\"/></g>",
            icon(card.node.state_type)
        );
        let x = PADDING + TILE + PADDING;
        let lines = card.name.len() as f64 * NAME_LINE + card.detail.len() as f64 * DETAIL_LINE;
        let mut y = (card.header - lines) / 2.0 + NAME_SIZE;
        for line in &card.name {
            self.line_of_text("name", x, y, line);
            y += NAME_LINE;
        }
        y -= 2.0;
        for line in &card.detail {
            self.line_of_text("detail", x, y, line);
            y += DETAIL_LINE;
        }
        if card.node.retries {
            let _ = writeln!(
                self.text,
                "<path class=\"retry\" transform=\"translate({:.1} 8)\" d=\"M10 2.5v3.2h-3.2M9.6 5.4a4.3 4.3 0 1 0 .3 2.6\"><title>retries</title></path>",
                card.size.width - 22.0
            );
        }
    }

    /// On the upper edge of a card.
    fn count(&mut self, count: u64, right: f64) {
        let text = format!("{count}×");
        let wide = width(&text, DETAIL_SIZE) + 2.0 * LABEL_PADDING + 4.0;
        // Next to the arrow that comes to the middle.
        let x = right - wide + PADDING;
        let _ = writeln!(
            self.text,
            "<rect class=\"count\" x=\"{x:.1}\" y=\"-8\" width=\"{wide:.1}\" height=\"16\" rx=\"8\"/>"
        );
        self.line_of_text("count-text", x + wide / 2.0, 4.0, &text);
    }

    fn lane(&mut self, card: &Card<'_>, place: Point, picture: &Picture<'_>) {
        let _ = writeln!(
            self.text,
            "<rect class=\"lane\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"7\"/>",
            place.x - INSET,
            card.header,
            picture.layout.size.width + 2.0 * INSET,
            card.size.height - card.header - INSET,
        );
        self.picture(picture, place);
    }
}

/// Draws pieces as one path, with an arrow at its target.
fn path(class: &str, pieces: &[&Piece], arrows: Option<&str>) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let data = data(pieces);
    let arrow = match arrows {
        Some(arrows) => format!(" marker-end=\"url(#{arrows}arrow-{class})\""),
        None => String::new(),
    };
    format!("<path class=\"way {class}\" d=\"{data}\"{arrow}/>\n")
}

/// Returns the class of a state's problem, and its tooltip.
fn marked(node: &Node) -> (String, String) {
    let kind = match (node.state_type, node.mark) {
        (Some(state_type), _) => state_type.as_str(),
        (None, Some(Mark::Missing)) => "no such state",
        (None, _) => "no known type",
    };
    let mut title = format!("{} ({kind})", node.name);
    for fault in &node.faults {
        title.push_str(" — ");
        title.push_str(fault);
    }
    let class = node
        .mark
        .map_or_else(String::new, |mark| format!(" {}", mark.class()));
    (class, title)
}

/// Returns a sign for each type, in a square of 26.
fn icon(state_type: Option<StateType>) -> &'static str {
    let Some(state_type) = state_type else {
        // A question mark.
        return "M9.5 10a3.5 3.5 0 1 1 5.2 3.1c-1.1.6-1.7 1.2-1.7 2.4M13 18.9v.2";
    };
    match state_type {
        // A bolt.
        StateType::Task => "M14.5 5.5 8 14.5h5l-1.5 6 6.5-9h-5z",
        // An arrow.
        StateType::Pass => "M6.5 13h12M14 8.5l4.5 4.5-4.5 4.5",
        // A fork.
        StateType::Choice => "M13 6v4.5M13 10.5 7.5 15v4.5M13 10.5l5.5 4.5v4.5",
        // A clock.
        StateType::Wait => "M13 6a7 7 0 1 0 .01 0M13 9.2V13l2.8 1.8",
        // A tick.
        StateType::Succeed => "M7 13.5l4 4 8-9",
        // A cross.
        StateType::Fail => "M8 8l10 10M18 8 8 18",
        // Three lanes.
        StateType::Parallel => "M8 6.5v13M13 6.5v13M18 6.5v13",
        // A stack of sheets.
        StateType::Map => {
            "M13 6.2 19.5 9.6 13 13 6.5 9.6zM6.8 13.2 13 16.5l6.2-3.3M6.8 16.6 13 19.9l6.2-3.3"
        }
    }
}

/// Returns a text between tags.
pub(crate) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            other if other.is_control() => result.push(' '),
            // No characters of XML (XML 1.0, production 2).
            '\u{FFFE}' | '\u{FFFF}' => result.push('\u{FFFD}'),
            other => result.push(other),
        }
    }
    result
}

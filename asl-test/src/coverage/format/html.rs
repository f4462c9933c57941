//! Coverage as a page: one file, which needs nothing else.
use crate::coverage::lines::{Line, Reach, lines};
use crate::coverage::{Coverage, CoveredFile, PointKind, Tally};
use asl_graph::interactive_svg;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns one self-contained page: for each definition its graph, its source with coverage, the points that were not
/// reached, and the path of each test, which is highlighted when selected. It supports light and dark mode, and needs no
/// mouse.
pub fn html(coverage: &Coverage) -> String {
    let mut page = Page(String::new());
    page.head();
    page.summary(coverage);
    for (number, file) in coverage.files.iter().enumerate() {
        page.file(number, file);
    }
    page.end();
    page.0
}

struct Page(String);

impl Page {
    fn put(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn head(&mut self) {
        self.put(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>Coverage of state machines</title>\n<style>\n",
        );
        self.put(STYLE);
        self.put("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#file-0\">To the first definition</a>\n");
    }

    fn summary(&mut self, coverage: &Coverage) {
        let tests = coverage.files.iter().flat_map(|file| &file.ways);
        let tests: std::collections::BTreeMap<_, bool> = tests
            .map(|way| ((&way.file, &way.case), way.has_passed))
            .collect();
        let failed = tests.values().filter(|has_passed| !**has_passed).count();
        self.put("<header>\n<h1>Coverage of state machines</h1>\n<p class=\"lead\">");
        let tally = coverage.tally();
        let _ = write!(
            self.0,
            "<strong>{} %</strong> of {} items covered by {} test{}",
            tally.percent(),
            tally.all,
            tests.len(),
            if tests.len() == 1 { "" } else { "s" }
        );
        if failed > 0 {
            let _ = write!(
                self.0,
                ", of which <span class=\"failed\">{failed} failed</span>"
            );
        }
        self.put("</p>\n");
        self.table(coverage);
        self.put("</header>\n<main>\n");
    }

    fn table(&mut self, coverage: &Coverage) {
        self.put("<div class=\"wide\"><table class=\"summary\">\n<thead><tr><th scope=\"col\">definition</th><th scope=\"col\" colspan=\"2\">reached</th>");
        for kind in PointKind::ALL {
            let _ = write!(self.0, "<th scope=\"col\">{}</th>", kind.plural());
        }
        self.put("</tr></thead>\n<tbody>\n");
        for (number, file) in coverage.files.iter().enumerate() {
            let name = escaped(&file.name);
            let name = format!("<a href=\"#file-{number}\">{name}</a>");
            self.row(&name, file.tally(), |kind| file.tally_of(kind));
        }
        if coverage.files.len() > 1 {
            self.row("all", coverage.tally(), |kind| coverage.tally_of(kind));
        }
        self.put("</tbody></table></div>\n");
    }

    fn row(&mut self, name: &str, whole: Tally, tally_of: impl Fn(PointKind) -> Tally) {
        let _ = write!(
            self.0,
            "<tr><th scope=\"row\">{name}</th><td class=\"bar\">{}</td><td class=\"number\">{} %</td>",
            bar(whole),
            whole.percent()
        );
        for tally in PointKind::ALL.map(tally_of) {
            let class = match (tally.all, tally.reached) {
                (0, _) => "none",
                (all, reached) if reached == all => "whole",
                _ => "part",
            };
            let text = match tally.all {
                0 => "–".to_owned(),
                _ => tally.to_string(),
            };
            let _ = write!(self.0, "<td class=\"number {class}\">{text}</td>");
        }
        self.put("</tr>\n");
    }

    fn file(&mut self, number: usize, file: &CoveredFile) {
        let (name, tally) = (escaped(&file.name), file.tally());
        let _ = writeln!(
            self.0,
            "<section class=\"file\" id=\"file-{number}\" aria-labelledby=\"name-{number}\">\n\
             <h2 id=\"name-{number}\">{name} <small>{} %, {tally}</small></h2>\n<div class=\"columns\">",
            tally.percent()
        );
        self.tests(number, file);
        let picture = interactive_svg(file.definition.machine(), &file.overlay(), &prefix(number));
        let _ = writeln!(
            self.0,
            "<figure tabindex=\"0\" aria-label=\"Graph of {name}\">{picture}</figure>\n</div>"
        );
        self.not_reached(number, file);
        self.source(number, file);
        let data = data(file).to_string().replace('<', "\\u003c");
        let _ = writeln!(
            self.0,
            "<script type=\"application/json\" class=\"data\">{data}</script>\n</section>"
        );
    }

    /// One of which is chosen: arrow keys go from one to the next.
    fn tests(&mut self, number: usize, file: &CoveredFile) {
        let _ = write!(
            self.0,
            "<div class=\"side\">\n<fieldset>\n<legend>Tests</legend>\n\
             <label><input type=\"radio\" name=\"test-{number}\" value=\"-1\" checked> all {}</label>\n",
            file.ways.len()
        );
        for (index, way) in file.ways.iter().enumerate() {
            let (class, sign, word) = match way.has_passed {
                true => ("passed", "✓", "passed"),
                false => ("failed", "✗", "failed"),
            };
            let origin = escaped(way.file.as_deref().unwrap_or_default());
            let case = escaped(&way.case);
            let _ = writeln!(
                self.0,
                "<label title=\"{origin}\"><input type=\"radio\" name=\"test-{number}\" value=\"{index}\"> \
                 <span class=\"{class}\" role=\"img\" aria-label=\"{word}\">{sign}</span> {case}</label>"
            );
        }
        self.put("</fieldset>\n<p class=\"way\" aria-live=\"polite\"></p>\n");
        self.put(
            "<ul class=\"legend\" aria-label=\"Colours\"><li class=\"reached\">reached</li><li class=\"partly\">in part</li>\
             <li class=\"not-reached\">not reached</li><li class=\"lit\">way of the chosen test</li></ul>\n</div>\n",
        );
    }

    fn not_reached(&mut self, number: usize, file: &CoveredFile) {
        let missing = file.not_reached();
        if missing.is_empty() {
            return;
        }
        let count = missing.len();
        let _ = writeln!(
            self.0,
            "<details class=\"missing\" open><summary>Not reached: {count}</summary>\n<ul>"
        );
        for covered in missing {
            let what = escaped(&covered.point.to_string());
            let _ = match covered.line() {
                Some(line) => writeln!(
                    self.0,
                    "<li><a href=\"#line-{number}-{line}\">line {line}</a> {what}</li>"
                ),
                None => writeln!(self.0, "<li>{what}</li>"),
            };
        }
        self.put("</ul></details>\n");
    }

    fn source(&mut self, number: usize, file: &CoveredFile) {
        self.put("<details class=\"text\" open><summary>Source</summary>\n<div class=\"wide source\" tabindex=\"0\"><table>\n");
        self.put("<thead class=\"unseen-head\"><tr><th>line</th><th>reached</th><th>text</th></tr></thead>\n<tbody>\n");
        let text = file.definition.text().lines();
        for (index, (line, text)) in lines(file).iter().zip(text).enumerate() {
            self.line(number, index + 1, line, text);
        }
        self.put("</tbody></table></div></details>\n");
    }

    fn line(&mut self, file: usize, number: usize, line: &Line, text: &str) {
        let (class, count) = match line.reach() {
            Reach::Nothing => ("", String::new()),
            Reach::NotReached => (" class=\"not-reached\"", "0×".to_owned()),
            Reach::Partly => (" class=\"partly\"", format!("{}×", line.count)),
            Reach::Reached => (" class=\"reached\"", format!("{}×", line.count)),
        };
        let points: Vec<String> = line.points.iter().map(ToString::to_string).collect();
        let points = match points.is_empty() {
            true => String::new(),
            false => format!(" data-points=\"{}\"", points.join(" ")),
        };
        let text = escaped(text);
        let _ = writeln!(
            self.0,
            "<tr id=\"line-{file}-{number}\"{class}{points}><td>{number}</td><td>{count}</td><td><code>{text}</code></td></tr>"
        );
    }

    fn end(&mut self) {
        self.put("</main>\n<script>\n");
        self.put(SCRIPT);
        self.put("</script>\n</body>\n</html>\n");
    }
}

/// Returns the prefix of a picture's ids, which has only letters.
fn prefix(number: usize) -> String {
    let letters = number.to_string().into_bytes().into_iter();
    letters
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

fn bar(tally: Tally) -> String {
    let percent = tally.percent();
    format!(
        "<svg class=\"meter\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"rest\" width=\"100\" height=\"8\"/>\
         <rect class=\"part\" width=\"{percent}\" height=\"8\"/></svg>"
    )
}

/// Returns the data for the script: points with their positions on the graph, and the paths of the tests.
fn data(file: &CoveredFile) -> Value {
    let states = file.points.iter();
    let states = states.filter(|it| it.point.kind == PointKind::State);
    let numbers: HashMap<&str, usize> = states
        .enumerate()
        .map(|(number, state)| (&*state.point.state, number))
        .collect();
    let number = |state: &str| numbers.get(state).copied();
    let points = file.points.iter().map(|it| {
        let point = &it.point;
        let next = point.next.as_deref().and_then(number);
        json!([point.kind.plural(), number(&point.state), next])
    });
    let ways = file.ways.iter().map(|way| {
        let states = way.path.iter().take(MOST_STATES).map(|state| &**state);
        let more = (way.path.len() > MOST_STATES).then_some("…");
        json!({
            "counts": way.counts,
            "path": states.chain(more).collect::<Vec<&str>>().join(" → "),
        })
    });
    json!({
        "points": points.collect::<Vec<_>>(),
        "ways": ways.collect::<Vec<_>>(),
    })
}

/// So many states of a way are named at most.
const MOST_STATES: usize = 60;

/// Returns a text between tags or in quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' => escaped.push('\t'),
            other if other.is_control() => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}

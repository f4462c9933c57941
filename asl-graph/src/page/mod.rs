//! A page of its own: the picture, to be moved and searched, and what each state says.

mod states;

use crate::Overlay;
use crate::diagram::Scope;
use crate::svg::{self, escaped};
use crate::traces::{Numbers, Parts};
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const BODY: &str = include_str!("body.html");

/// Returns a page that needs nothing else, from no network.
pub(crate) fn draw(
    scope: &Scope,
    definition: &Value,
    title: &str,
    overlay: Option<&Overlay>,
) -> String {
    let names = Numbers::from_scope(scope);
    let parts = Parts { prefix: "g", names };
    let picture = svg::draw(scope, overlay, Some(&parts));
    let states = escape_script(&states::describe_states(scope, definition, overlay).to_string());
    let title = escaped(title);
    let mut page = String::with_capacity(
        picture.len() + states.len() + SCRIPT.len() + STYLE.len() + BODY.len(),
    );
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main id=\"stage\" tabindex=\"0\" aria-label=\"Graph\"><div id=\"picture\">\n{picture}\n</div></main>\n\
         <h1>{title}</h1>\n{BODY}\
         <script type=\"application/json\" id=\"states\">{states}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>"
    );
    page
}

/// JSON that no reader of HTML finds a tag in.
fn escape_script(json: &str) -> String {
    let mut result = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(result, "\\u{:04x}", u32::from(character));
            }
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::escape_script;

    #[test]
    fn no_tag_is_found_in_data() {
        let json = serde_json::json!("</script><!--\u{2028}&").to_string();
        let escaped = escape_script(&json);
        assert_eq!(escaped, "\"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026\"");
        let read: String = serde_json::from_str(&escaped).unwrap();
        assert_eq!(read, "</script><!--\u{2028}&");
    }
}

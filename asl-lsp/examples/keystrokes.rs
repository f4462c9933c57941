//! Measures a keystroke in a definition of many states: `cargo run --release --example keystrokes -- 10000`.
#![allow(clippy::print_stdout, reason = "it tells what it measured")]
use asl_lsp::Server;
use lsp_server::{Notification, Request};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TIMES: usize = 21;

fn main() {
    let states = std::env::args().nth(1).and_then(|count| count.parse().ok());
    for (file, text) in [
        ("m.asl.json", json_text(states.unwrap_or(10_000))),
        ("mixed.asl.json", mixed_text(states.unwrap_or(10_000))),
        ("m.asl.yaml", yaml_text(states.unwrap_or(10_000))),
    ] {
        println!("{file}: {} KiB", text.len() / 1024);
        measure(file, &text);
    }
}

fn json_text(states: usize) -> String {
    let mut text = "{\n  \"StartAt\": \"S0\",\n  \"States\": {\n".to_owned();
    for number in 0..states {
        let next = number + 1;
        text.push_str(&format!(
            "    \"S{number}\": {{\"Type\": \"Pass\", \"Parameters\": {{\"a.$\": \"$.b\"}}, \"Next\": \"S{next}\"}},\n"
        ));
    }
    text + &format!("    \"S{states}\": {{\"Type\": \"Succeed\"}}\n  }}\n}}\n")
}

/// States of several types, with retriers, catchers and expressions.
fn mixed_text(states: usize) -> String {
    let mut text = "{\n  \"StartAt\": \"S0\",\n  \"States\": {\n".to_owned();
    for number in 0..states {
        let next = number + 1;
        let fields = match number % 4 {
            0 => format!(
                "\"Type\": \"Task\", \"Resource\": \"arn:aws:states:::lambda:invoke\", \
                 \"Parameters\": {{\"FunctionName\": \"work\", \"Payload\": {{\"id.$\": \"$.id\"}}}}, \"ResultPath\": \"$.result\", \
                 \"Retry\": [{{\"ErrorEquals\": [\"Lambda.ServiceException\"], \"MaxAttempts\": 3}}], \
                 \"Catch\": [{{\"ErrorEquals\": [\"States.ALL\"], \"Next\": \"S{states}\"}}], \"Next\": \"S{next}\""
            ),
            1 => format!(
                "\"Type\": \"Choice\", \"Choices\": [{{\"Variable\": \"$.n\", \"NumericGreaterThan\": 3, \"Next\": \"S{next}\"}}], \
                 \"Default\": \"S{states}\""
            ),
            2 => format!("\"Type\": \"Wait\", \"Seconds\": 1, \"Next\": \"S{next}\""),
            _ => format!(
                "\"Type\": \"Pass\", \"Parameters\": {{\"id.$\": \"$.id\", \"text.$\": \"States.Format('{{}}', $.id)\"}}, \
                 \"Next\": \"S{next}\""
            ),
        };
        text.push_str(&format!("    \"S{number}\": {{{fields}}},\n"));
    }
    text + &format!("    \"S{states}\": {{\"Type\": \"Succeed\"}}\n  }}\n}}\n")
}

fn yaml_text(states: usize) -> String {
    let mut text = "StartAt: S0\nStates:\n".to_owned();
    for number in 0..states {
        let next = number + 1;
        text.push_str(&format!(
            "  S{number}:\n    Type: Pass\n    Parameters:\n      a.$: $.b\n    Next: S{next}\n"
        ));
    }
    text + &format!("  S{states}:\n    Type: Succeed\n")
}

struct Client {
    server: Server,
    document: Value,
    id: i32,
}

impl Client {
    fn notify(&mut self, method: &str, params: Value) {
        self.server
            .handle(Notification::new(method.to_owned(), params).into());
    }

    fn request(&mut self, method: &str, params: Value) -> usize {
        self.id += 1;
        let request = Request::new(self.id.into(), method.to_owned(), params);
        self.server.handle(request.into()).len()
    }

    fn type_at(&mut self, line: usize, text: &str) {
        let position = json!({"line": line, "character": 4});
        let change = json!({"range": {"start": position, "end": position}, "text": text});
        let document = self.document.clone();
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        );
        while self.server.work().is_some() {}
    }
}

fn measure(file: &str, text: &str) {
    let mut client = Client {
        server: Server::default(),
        document: json!({"uri": format!("file:///nowhere/{file}"), "version": 1}),
        id: 0,
    };
    client.request("initialize", json!({"capabilities": {}}));
    let document =
        json!({"uri": client.document["uri"], "languageId": "", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    while client.server.work().is_some() {}
    let line = text.lines().count() / 2;
    let at = |client: &Client| json!({"textDocument": client.document, "position": {"line": line, "character": 7}});
    report("change to diagnostics", || client.type_at(line, "\n"));
    for (what, method) in [
        ("completion", "textDocument/completion"),
        ("hover", "textDocument/hover"),
        ("definition", "textDocument/definition"),
        ("symbols", "textDocument/documentSymbol"),
    ] {
        report(&format!("change, diagnostics and {what}"), || {
            client.type_at(line, " ");
            let params = at(&client);
            client.request(method, params);
        });
    }
    report("change that breaks the text, and completion", || {
        client.type_at(line, "{");
        let params = at(&client);
        client.request("textDocument/completion", params);
    });
}

fn report(what: &str, mut run: impl FnMut()) {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..TIMES {
        let begin = Instant::now();
        run();
        times.push(begin.elapsed());
    }
    times.sort();
    let (median, most) = (times[TIMES / 2], times[TIMES - 1]);
    println!("  {what}: {median:.1?} in the middle, {most:.1?} at most");
}

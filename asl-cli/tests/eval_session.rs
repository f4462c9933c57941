//! `asl eval` at a terminal.
#![cfg(target_os = "linux")]
mod common;

use common::Folder;
use common::terminal::Terminal;

#[test]
fn a_terminal_is_asked_for_expressions() {
    let folder = Folder::new();
    folder.write("order.json", r#"{"items": [{"sku": "book", "price": 12}]}"#);
    let mut terminal = Terminal::start(&folder, &["eval"], 100);
    terminal.wait_for("asl> ");
    for (typed, shown) in [
        (":input order.json\r", "\n"),
        ("$.items[0].sku\r", "\"book\""),
        (":let tax = {% 1 + 1 %}\r", "\n"),
        ("{% $states.input.items.price * $tax %}\r", "24"),
        ("States.Format('{}!', $tax)\r", "\"2!\""),
        ("$.nothing\r", "States.ParameterPathFailure"),
        (
            "$states.input\r",
            "exists only in JSONata: {% $states.input %}",
        ),
        (":inptu\r", "did you mean `:input`?"),
        (":let 1a = 1\r", "is not a variable name"),
        (":input {\"a\"\r", "is not JSON"),
        (":vars\r", "\"tax\": 2"),
        (":help\r", "set a variable"),
    ] {
        terminal.send(typed);
        terminal.wait_for(shown);
        terminal.wait_for("asl> ");
    }
    terminal.send(":quit\r");
    assert_eq!(terminal.end().0, Some(0));
}

#[cfg(feature = "prompt")]
#[test]
fn lines_are_completed_and_remembered() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("state")).unwrap();
    let eval = ["eval", "-i", r#"{"customer": {"name": "Ada"}}"#];
    let mut terminal = Terminal::start(&folder, &eval, 100);
    terminal.wait_for("asl> ");
    terminal.send("$.cus\t");
    terminal.wait_for("$.customer");
    terminal.send(".na\t\r");
    terminal.wait_for("\"Ada\"");
    terminal.wait_for("asl> ");
    // Ctrl-C gives up a line, Ctrl-D leaves.
    terminal.send("$.x\u{3}");
    terminal.wait_for("asl> ");
    terminal.send("\u{4}");
    assert_eq!(terminal.end().0, Some(0));
    assert!(
        folder
            .read("state/asl/eval-history")
            .contains("$.customer.name")
    );

    let mut terminal = Terminal::start(&folder, &eval, 100);
    terminal.wait_for("asl> ");
    terminal.send("\u{1b}[A\r");
    terminal.wait_for("\"Ada\"");
    terminal.send("\u{4}");
    assert_eq!(terminal.end().0, Some(0));
}

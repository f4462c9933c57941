//! `asl run --step` at a terminal.
mod common;

use common::Folder;

const MACHINE: &str = r#"{"StartAt": "First", "States": {
  "First": {"Type": "Pass", "Assign": {"limit": 5}, "Parameters": {"n.$": "$.n"}, "Next": "Each"},
  "Each": {"Type": "Map", "ItemsPath": "$.n", "Next": "Größe",
    "ItemProcessor": {"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "End": true}}}},
  "Größe": {"Type": "Choice", "QueryLanguage": "JSONata", "Default": "Last",
    "Choices": [{"Condition": "{% $count($states.input) > $limit %}", "Next": "Work"}]},
  "Work": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:work", "End": true},
  "Last": {"Type": "Succeed"}}}"#;

#[test]
fn without_a_terminal_it_is_refused() {
    let folder = Folder::new();
    folder.write("machine.json", MACHINE);
    folder
        .asl(&["run", "machine.json", "--step"])
        .exits_with(2, &["--step needs a terminal", "--trace=full"]);
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use super::{Folder, MACHINE};
    use crate::common::task;
    use crate::common::terminal::Terminal;

    fn terminal(folder: &Folder, more: &[&str]) -> Terminal {
        folder.write("machine.json", MACHINE);
        let run = [
            "run",
            "machine.json",
            "--step",
            "-i",
            r#"{"n": [1, 2]}"#,
            "--name",
            "me",
        ];
        Terminal::start(folder, &[&run[..], more].concat(), 100)
    }

    fn converse(terminal: &mut Terminal, lines: &[(&str, &[&str])]) {
        for (typed, shown) in lines {
            terminal.wait_for("step> ");
            terminal.send(typed);
            terminal.send("\r");
            for text in *shown {
                terminal.wait_for(text);
            }
        }
    }

    #[test]
    fn it_stops_before_each_state() {
        let folder = Folder::new();
        let mut terminal = terminal(&folder, &[]);
        terminal.wait_for("First");
        converse(
            &mut terminal,
            &[
                ("p", &["\"n\": ["]),
                ("p $.n[1]", &["2"]),
                ("States.ArrayLength($.n)", &["2"]),
                ("p $.no", &["States.ParameterPathFailure"]),
                ("p $$", &["\"Name\": \"me\"", "\"Name\": \"First\""]),
                ("v", &["{}"]),
                ("h", &["n(ext)", "q(uit)"]),
                ("nxt", &["did you mean `next`?"]),
                ("b Größse", &["did you mean `Größe`?"]),
                ("b Größe", &[]),
                ("n", &["$limit :=", "Each"]),
                ("", &["Each #0 › ", "Inner"]),
                ("p $$.Map", &["\"Index\": 0"]),
                ("p $limit", &["5"]),
                ("c", &["Größe"]),
                ("p $count($states.input) + $limit", &["7"]),
                ("p {% $states.input[0] %}", &["1"]),
                ("v", &["\"limit\": 5"]),
                ("b", &["Größe"]),
                (
                    "n",
                    &["$count($states.input) > $limit", "$limit is", "Last"],
                ),
                ("n", &["[\r\n  1,"]),
            ],
        );
        assert_eq!(terminal.end().0, Some(0));
    }

    #[test]
    fn it_ends_where_it_stands() {
        let folder = Folder::new();
        folder.write("mark.sh", "touch mark; echo 1");
        folder.write("work.json", task(""));
        let run = ["run", "work.json", "--step", "--history", "h.json"];
        let handler = ["--task", "work=exec:sh mark.sh"];
        let mut terminal = Terminal::start(&folder, &[&run[..], &handler].concat(), 100);
        converse(&mut terminal, &[("q", &[])]);
        assert_eq!(terminal.end().0, Some(130));
        assert!(!folder.path("mark").exists());
        assert!(folder.read("h.json").contains("\"TaskStateEntered\""));
    }
}

//! Contents of object stores.
use asl_model::generate::{Tape, value};

/// JSON, JSON Lines, CSV, an inventory of such, or something else.
pub(super) fn stored(tape: &mut Tape<'_>) -> Vec<u8> {
    let text = match tape.below(10) {
        0 | 1 => r#"[{"id":1,"a":"x"},{"id":2},3,null]"#.to_owned(),
        2 => "{\"id\":1}\n{\"id\":2}\n\n[3]".to_owned(),
        3 => "id,name\n1,one\n2,\"two, or \"\"more\"\"\"\n3".to_owned(),
        4 => value(tape, 0).to_string(),
        5 => format!("[{}]", vec!["1"; 40].join(",")),
        6 => String::new(),
        7 => r#"{"a":[{"id":1},2]}"#.to_owned(),
        8 => r#"{"fileFormat":"CSV","fileSchema":"id, a","files":[{"key":"1"},{"key":"2"}]}"#
            .to_owned(),
        _ => return (0..tape.below(40)).map(|_| tape.byte()).collect(),
    };
    text.into_bytes()
}

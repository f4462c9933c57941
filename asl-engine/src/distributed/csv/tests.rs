//! The rules of the developer guide one by one, and a CSV writer that knows nothing of this reader.
use super::*;
use crate::distributed::room::Room;
use proptest::prelude::*;
use serde_json::json;

fn first_row(delimiter: CsvDelimiter) -> CsvFormat {
    CsvFormat {
        delimiter,
        header: Header::FirstRow,
    }
}

fn given(names: &[&str]) -> CsvFormat {
    CsvFormat {
        delimiter: CsvDelimiter::Comma,
        header: Header::Given(names.iter().map(|&name| name.to_owned()).collect()),
    }
}

fn read(text: &str, format: &CsvFormat, max_items: usize) -> Result<Vec<Value>, CsvError> {
    read_within(u64::MAX, text, format, max_items)
}

fn read_within(
    room: u64,
    text: &str,
    format: &CsvFormat,
    max_items: usize,
) -> Result<Vec<Value>, CsvError> {
    let mut limits = ItemLimits {
        max_items,
        max_depth: 1,
        room: Room::new(room),
    };
    let mut progress = CsvProgress::default();
    super::read(FileText::whole(text), format, &mut progress, &mut limits).map(|read| read.items)
}

fn items(text: &str, format: &CsvFormat) -> Value {
    Value::Array(read(text, format, usize::MAX).expect("a CSV text"))
}

/// Returns the fields of the only record of a text.
fn fields(text: &str) -> Vec<String> {
    let mut records = Records::new(FileText::whole(text), CsvDelimiter::Comma, 0);
    let record = records.next_record(usize::MAX).expect("no open quote");
    let end = records.next_record(usize::MAX);
    assert_eq!(end, Ok(NextRecord::End), "one record");
    let NextRecord::Record(fields) = record else {
        panic!("a record");
    };
    fields
}

#[test]
fn records_become_objects_of_strings() {
    assert_eq!(
        items("id,ok\n1,true\n2,\n", &first_row(CsvDelimiter::Comma)),
        json!([{"id": "1", "ok": "true"}, {"id": "2", "ok": ""}])
    );
}

#[test]
fn a_given_header_leaves_the_first_row_to_the_data() {
    assert_eq!(
        items("a,b\nc,d", &given(&["X", "Y"])),
        json!([{"X": "a", "Y": "b"}, {"X": "c", "Y": "d"}])
    );
}

#[test]
fn missing_fields_are_empty_and_extra_ones_are_dropped() {
    assert_eq!(
        items("1\n1,2,3\n,,,\n   \n", &given(&["X", "Y"])),
        json!([
            {"X": "1", "Y": ""},
            {"X": "1", "Y": "2"},
            {"X": "", "Y": ""},
            {"X": "   ", "Y": ""},
        ])
    );
}

#[test]
fn an_empty_line_is_a_record_but_the_last_newline_begins_none() {
    assert_eq!(
        items("X\na\n\nb\n", &first_row(CsvDelimiter::Comma)),
        json!([{"X": "a"}, {"X": ""}, {"X": "b"}])
    );
}

#[test]
fn all_kinds_of_newlines_end_records() {
    assert_eq!(
        items("X\r\na\rb\nc", &first_row(CsvDelimiter::Comma)),
        json!([{"X": "a"}, {"X": "b"}, {"X": "c"}])
    );
}

#[test]
fn quotes_hold_delimiters_and_newlines() {
    assert_eq!(fields("\"a,b\",\"c\r\nd\",\"\""), ["a,b", "c\r\nd", ""]);
    assert_eq!(fields("\"a\"b,c"), ["ab", "c"]);
}

#[test]
fn doubled_quotes_are_one_with_and_without_enclosing_quotes() {
    assert_eq!(fields(r#""say ""hi""""#), [r#"say "hi""#]);
    assert_eq!(
        fields(r#"{""MyKey"":""MyValue""},x"#),
        [r#"{"MyKey":"MyValue"}"#, "x"]
    );
    assert_eq!(fields(r#"5" pipe,x"#), [r#"5" pipe"#, "x"]);
}

#[test]
fn backslashes_escape_what_is_special_and_vanish_before_the_rest() {
    assert_eq!(
        fields(r"C:\\Program Files\\MyApp.exe,1"),
        [r"C:\Program Files\MyApp.exe", "1"]
    );
    assert_eq!(fields(r#"a\,b,\"c\",\d\"#), ["a,b", r#""c""#, "d"]);
    assert_eq!(fields(r#""a\"b","c\\","\d""#), [r#"a"b"#, r"c\", "d"]);
}

#[test]
fn every_delimiter_is_a_character() {
    let delimiters = [
        (CsvDelimiter::Comma, ','),
        (CsvDelimiter::Pipe, '|'),
        (CsvDelimiter::Semicolon, ';'),
        (CsvDelimiter::Space, ' '),
        (CsvDelimiter::Tab, '\t'),
    ];
    for (delimiter, character) in delimiters {
        let text = format!("X{character}Y\na,b{character}c\\{character}d");
        let y = format!("c{character}d");
        let x = "a,b";
        let expected = if delimiter == CsvDelimiter::Comma {
            json!([{"X": "a", "Y": "b"}])
        } else {
            json!([{"X": x, "Y": y}])
        };
        assert_eq!(
            items(&text, &first_row(delimiter)),
            expected,
            "{delimiter:?}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    assert_eq!(
        items("\u{feff}X\n1", &first_row(CsvDelimiter::Comma)),
        json!([{"X": "1"}])
    );
}

#[test]
fn no_more_than_asked_for_is_read() {
    let text = "X\n1\n2\n\"open";
    let two = read(text, &first_row(CsvDelimiter::Comma), 2).expect("the rest is not read");
    assert_eq!(two, [json!({"X": "1"}), json!({"X": "2"})]);
}

#[test]
fn columns_that_are_empty_weigh_too() {
    let text = "\n".repeat(100);
    let format = given(&["a", "b", "c"]);
    let one = weigh(&json!({"a": "", "b": "", "c": ""}));
    let read = |room| read_within(room, &text, &format, usize::MAX);
    let items = read(102 * one).expect("they fit").len() as u64;
    assert!(read(items * one).is_ok());
    assert!(matches!(read(items * one - 1), Err(CsvError::TooHeavy(_))));
}

#[test]
fn faults_say_what_is_wrong() {
    let fault = |text| {
        let error = read(text, &first_row(CsvDelimiter::Comma), usize::MAX);
        error.expect_err("a fault").to_string()
    };
    assert_eq!(fault("id,id\n"), "CSV headers cannot contain duplicates.");
    assert_eq!(
        fault(""),
        "expected a header in the first row, found an empty file"
    );
    assert_eq!(
        fault("X\n\"a\nb\"\n\"c"),
        "the record that begins at line 4 opens a double quote that nothing closes"
    );
    assert_eq!(
        fault(&"x".repeat(MAX_HEADER_BYTES + 1)),
        "the header has 10241 bytes, more than the 10240 allowed"
    );
}

proptest! {
    #[test]
    fn what_a_csv_writer_wrote_is_read_back(
        rows in proptest::collection::vec(
            proptest::collection::vec("[a-cé,;\" \r\n]{0,6}", 3),
            0..8,
        ),
    ) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["A", "B", "C"]).expect("memory takes it");
        for row in &rows {
            writer.write_record(row).expect("memory takes it");
        }
        let text = String::from_utf8(writer.into_inner().expect("flushed")).expect("UTF-8");
        let expected: Vec<Value> = rows
            .iter()
            .map(|row| json!({"A": row[0], "B": row[1], "C": row[2]}))
            .collect();
        let read = read(&text, &first_row(CsvDelimiter::Comma), usize::MAX);
        prop_assert_eq!(read, Ok(expected));
    }

    #[test]
    fn a_field_with_all_its_special_characters_escaped_is_read_back(field in "[a\\\\\",é]{1,12}") {
        let mut text = String::new();
        for character in field.chars() {
            if matches!(character, '\\' | '"' | ',') {
                text.push('\\');
            }
            text.push(character);
        }
        prop_assert_eq!(fields(&text), [field]);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), max_items in 0usize..5) {
        if let Ok(items) = read(&text, &given(&["X", "Y"]), max_items) {
            prop_assert!(items.len() <= max_items);
        }
    }
}

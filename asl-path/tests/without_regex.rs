//! A program that is built without the feature `regex` refuses patterns, and says why.
#![cfg(not(feature = "regex"))]

use asl_path::JsonPath;
use serde_json::json;

#[test]
fn a_pattern_is_refused() {
    let error = JsonPath::parse("$[?(@.name =~ /a.*/)]").unwrap_err();
    let expected =
        "the pattern /a.*/ is not supported: this program is built without regular expressions";
    assert!(error.message().starts_with(expected), "{error}");
}

#[test]
fn other_filters_work() {
    let path = JsonPath::parse("$[?(@.a > 1)]").unwrap();
    let document = json!([{"a": 1}, {"a": 2}]);
    assert_eq!(
        path.evaluate(&document).unwrap().into_owned(),
        json!([{"a": 2}])
    );
}

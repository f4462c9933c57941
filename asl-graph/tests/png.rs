//! The picture in pixels: it has the right size, and something on it.
#![cfg(feature = "png")]

use asl_graph::Outline;
use asl_model::{Options, parse_value};
use resvg::tiny_skia::Pixmap;
use serde_json::{Value, json};

fn outline(definition: &Value) -> Outline {
    Outline::from_machine(&parse_value(definition, Options::default()).unwrap().0)
}

/// Returns the size that an SVG says it has.
fn size(svg: &str) -> (u32, u32) {
    let number = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    (number("width"), number("height"))
}

fn count(pixmap: &Pixmap, is: impl Fn(u8, u8, u8) -> bool) -> usize {
    let pixels = pixmap.pixels().iter();
    pixels
        .filter(|it| is(it.red(), it.green(), it.blue()))
        .count()
}

#[test]
fn a_png_is_the_svg_twice_as_large() {
    let outline = outline(&json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:charge", "Next": "Gone"},
        "Gone": {"Type": "Fail"}}}));
    let pixmap = Pixmap::decode_png(&outline.png(None).unwrap()).unwrap();
    let (width, height) = size(&outline.svg(None));
    assert_eq!((pixmap.width(), pixmap.height()), (2 * width, 2 * height));
    assert!(
        count(&pixmap, |r, g, b| (r, g, b) == (255, 255, 255)) > 20_000,
        "paper"
    );
    assert!(
        count(&pixmap, |r, g, b| r == 0xdd && g == 0x7a && b == 0x26) > 1_000,
        "a tile of a task"
    );
    assert!(
        count(&pixmap, |r, g, b| r == 0xcf && g == 0x45 && b == 0x45) > 1_000,
        "a tile of a failure"
    );
}

#[test]
fn names_are_written() {
    let ink = |name: &str| {
        let outline =
            outline(&json!({"StartAt": name, "States": {name: {"Type": "Pass", "End": true}}}));
        let pixmap = Pixmap::decode_png(&outline.png(None).unwrap()).unwrap();
        count(&pixmap, |r, g, b| r < 0x40 && g < 0x50 && b < 0x60)
    };
    let (short, long) = (ink("i"), ink("Mammoth W"));
    assert!(long > short + 300, "{short} and {long} dark pixels");
    assert!(ink("Größe Жар λ") > short + 300);
}

#[test]
fn a_large_picture_has_a_bound() {
    let states: serde_json::Map<String, Value> = (0..1_500)
        .map(|index| {
            let next = json!({"Type": "Pass", "Next": format!("S{}", index + 1)});
            (format!("S{index}"), next)
        })
        .chain([("S1500".to_owned(), json!({"Type": "Succeed"}))])
        .collect();
    let outline = outline(&json!({"StartAt": "S0", "States": states}));
    let pixmap = Pixmap::decode_png(&outline.png(None).unwrap()).unwrap();
    assert!(
        pixmap.height() <= 32_000 && pixmap.height() > 31_000,
        "{}",
        pixmap.height()
    );
}

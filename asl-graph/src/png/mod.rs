//! The picture in pixels.
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

const REGULAR: &[u8] = include_bytes!("font/Arimo-Regular.ttf");
const BOLD: &[u8] = include_bytes!("font/Arimo-Bold.ttf");
const FAMILY: &str = "Arimo";

/// Pixels for each of the picture's own: letters stay clear when it is shown large.
const SCALE: f32 = 2.0;
/// Pixels of a picture, of four bytes each.
const MOST_PIXELS: f32 = 64e6;
/// Pixels of a side: what viewers open.
const LONGEST_SIDE: f32 = 32_000.0;

/// The reason why there is no PNG image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot draw the PNG image: {0}")]
pub struct PngError(String);

/// Returns an SVG of this crate as a PNG, in the colours of a light page.
pub(crate) fn draw(svg: &str) -> Result<Vec<u8>, PngError> {
    let mut fonts = Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let fault = |error: &dyn std::fmt::Display| PngError(error.to_string());
    let tree = Tree::from_str(&in_light(svg), &options).map_err(|error| fault(&error))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = scale(width, height);
    let pixels = |side: f32| (side * scale).round().max(1.0) as u32;
    let mut pixmap =
        Pixmap::new(pixels(width), pixels(height)).ok_or_else(|| fault(&"the image is empty"))?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| fault(&error))
}

/// Returns the scale of an image, limited for large ones.
fn scale(width: f32, height: f32) -> f32 {
    let by_side = LONGEST_SIDE / width.max(height);
    let by_area = (MOST_PIXELS / (width * height)).sqrt();
    SCALE.min(by_side).min(by_area)
}

/// Returns the picture without the colours of a dark page.
fn in_light(svg: &str) -> String {
    let mut light = String::with_capacity(svg.len());
    let mut is_dark = false;
    for line in svg.split_inclusive('\n') {
        let ends = is_dark && line == "}\n";
        is_dark |= line.starts_with("@media (prefers-color-scheme: dark)");
        if !is_dark {
            light.push_str(line);
        }
        is_dark &= !ends;
    }
    light
}

#[cfg(test)]
mod tests {
    use super::{in_light, scale};

    #[test]
    fn large_pictures_are_made_smaller() {
        assert_eq!(scale(100.0, 100.0), 2.0);
        assert_eq!(scale(400.0, 32_000.0), 1.0);
        assert!((scale(16_000.0, 16_000.0) - 0.5).abs() < 0.001);
    }

    #[test]
    fn a_picture_is_that_of_a_light_page() {
        let svg = "a\n@media (prefers-color-scheme: dark) {\n.b {}\n}\nc\n}\n";
        assert_eq!(in_light(svg), "a\nc\n}\n");
    }
}

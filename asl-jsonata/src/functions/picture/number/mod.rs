//! Pictures of numbers (`$formatNumber`): `#,##0.00`, `0.0e0`, `0%`.
//!
//! Texts are UTF-16 here, since positions in them decide what becomes of a picture.
mod fault;
mod format;
mod parts;
mod properties;
mod units;

use crate::evaluate::{Evaluation, Outcome};
use crate::value::Value;
use fault::Fault;
use format::NumberPicture;
use parts::Parts;
use properties::Properties;
use units::{position, slice, units};

/// Writes a number as a picture says; options are an object of other characters than the usual ones.
///
/// # Errors
///
/// The picture is wrong.
pub(in crate::functions) fn format_number(
    evaluation: &mut Evaluation<'_, '_>,
    number: f64,
    picture: &str,
    options: &Value<'_>,
) -> Outcome<String> {
    let picture = units(picture);
    // What is done for one character may touch all of them.
    evaluation.charge_text(picture.len().saturating_mul(16))?;
    evaluation.charge_scan(picture.len().saturating_mul(picture.len()))?;
    let properties = Properties::from_options(options)?;
    let pictures = sub_pictures(&picture, &properties.pattern_separator);
    let (positive, negative) = match pictures.as_slice() {
        [picture] => (*picture, None),
        [positive, negative] => (*positive, Some(*negative)),
        _ => return Err(Fault::SubPictures.error()),
    };
    let positive = Parts::from_picture(positive, &properties)?;
    let negative = negative
        .map(|picture| Parts::from_picture(picture, &properties))
        .transpose()?;
    positive.check(&properties)?;
    if let Some(negative) = &negative {
        negative.check(&properties)?;
    }
    let (parts, sign) = match negative {
        _ if number >= 0.0 => (positive, &[][..]),
        Some(negative) => (negative, &[][..]),
        None => (positive, properties.minus_sign.as_slice()),
    };
    let text = NumberPicture::from_parts(parts, &properties).format(&properties, number, sign)?;
    Ok(String::from_utf16_lossy(&text))
}

fn sub_pictures<'p>(picture: &'p [u16], separator: &[u16]) -> Vec<&'p [u16]> {
    let mut pictures = Vec::new();
    let mut from = 0;
    while let Some(at) = position(picture, separator, from).filter(|at| *at < picture.len()) {
        pictures.push(slice(picture, from, at));
        from = at + separator.len().max(1);
    }
    pictures.push(slice(picture, from, picture.len()));
    pictures
}

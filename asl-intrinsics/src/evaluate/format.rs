//! `States.Format` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use crate::ast::misfilled;
use crate::{Argument, Template, error::Failure, print};
use serde_json::Value;
use std::borrow::Cow;

/// `States.Format(template, value…)`: the template with each `{}` replaced by the natural text of a value.
pub(super) fn format<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = match arguments.written(0) {
        Some(Argument::Template(template)) => filled(template, arguments)?,
        _ => filled(&Template::parse(&arguments.string(0)?), arguments)?,
    };
    Ok(Cow::Owned(Value::String(text)))
}

fn filled<'v>(
    template: &Template,
    arguments: &mut Arguments<'v, '_, '_>,
) -> Result<String, Failure<'v>> {
    if let Some(fault) = template.fault {
        return Err(Failure::unreadable(fault.to_string()));
    }
    let values = arguments.len().saturating_sub(1);
    if template.places() != values {
        let places = template.places();
        return Err(Failure::arguments(misfilled(places, values)));
    }
    let max_depth = arguments.limits().max_depth;
    let mut text = String::with_capacity(template.text_len() + values * 16);
    text.push_str(&template.head);
    for (index, tail) in (1..).zip(&template.tails) {
        let before = text.len();
        print::push_natural(&mut text, &*arguments.value(index)?, max_depth)?;
        text.push_str(tail);
        arguments.scope.charge(text.len() - before)?;
    }
    Ok(text)
}

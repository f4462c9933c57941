//! The serialized shape of a type: the names of its fields and variants, with the attributes that change them.
use quote::ToTokens as _;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl};

/// Returns the shape of each serialized type and of each service in a source file.
pub(super) fn shapes_of_file(source: &str) -> Result<Vec<String>, syn::Error> {
    let mut shapes = Vec::new();
    collect(&syn::parse_file(source)?.items, &mut shapes);
    Ok(shapes)
}

fn collect(items: &[Item], shapes: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Struct(item) if is_serialized(&item.attrs) => {
                let fields = fields(&item.fields);
                shapes.push(format!("{}struct {fields}", attributes(&item.attrs)));
            }
            Item::Enum(item) if is_serialized(&item.attrs) => {
                let variants = item.variants.iter().map(|variant| {
                    let fields = fields(&variant.fields);
                    format!("{}{}{fields}", attributes(&variant.attrs), variant.ident)
                });
                let variants: Vec<String> = variants.collect();
                shapes.push(format!(
                    "{}enum {}",
                    attributes(&item.attrs),
                    variants.join(" | ")
                ));
            }
            Item::Impl(item) => shapes.extend(service(item)),
            Item::Mod(item) if !is_test(&item.attrs) => {
                if let Some((_, items)) = &item.content {
                    collect(items, shapes);
                }
            }
            _ => {}
        }
    }
}

/// Returns true if a derive supplies the serialization of a type.
fn is_serialized(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        text.contains("derive") && (text.contains("Serialize") || text.contains("Deserialize"))
    })
}

/// Returns true if the item exists only in tests.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.to_token_stream().to_string().replace(' ', "") == "#[cfg(test)]")
}

/// Prints the attributes that change a serialized form.
fn attributes(attributes: &[Attribute]) -> String {
    let serde = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"));
    serde
        .map(|attribute| format!("{} ", attribute.meta.to_token_stream()))
        .collect()
}

/// Prints the names of fields, or the number of fields without names.
fn fields(fields: &Fields) -> String {
    match fields {
        Fields::Unit => String::new(),
        Fields::Unnamed(fields) => {
            let positions = fields
                .unnamed
                .iter()
                .map(|field| format!("{}_", attributes(&field.attrs)));
            format!("({})", positions.collect::<Vec<_>>().join(", "))
        }
        Fields::Named(fields) => {
            let names = fields.named.iter().map(|field| {
                let name = field.ident.as_ref().map(ToString::to_string);
                format!("{}{}", attributes(&field.attrs), name.unwrap_or_default())
            });
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns the name of a service that is registered with Restate, and the names of its handlers.
fn service(item: &ItemImpl) -> Option<String> {
    let registration = item.attrs.iter().find(|attribute| {
        attribute
            .path()
            .segments
            .first()
            .is_some_and(|it| it.ident == "restate_sdk")
    })?;
    let handlers = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => {
            let mark = function
                .attrs
                .iter()
                .find(|attribute| attribute.path().is_ident("handler"))?;
            Some(format!(
                "{} {}",
                mark.meta.to_token_stream(),
                function.sig.ident
            ))
        }
        _ => None,
    });
    let handlers: Vec<String> = handlers.collect();
    Some(format!(
        "{}: {}",
        registration.meta.to_token_stream(),
        handlers.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_stored_names_and_no_names_of_types() {
        let source = r#"
            #[derive(Debug, Serialize)]
            #[serde(rename_all = "camelCase")]
            pub(crate) struct Told { first: u8, #[serde(default)] second: Vec<u8> }
            #[derive(Deserialize)]
            enum Kind { A, B(u8, u8), C { x: u8 } }
            #[derive(Debug)]
            struct Other { y: u8 }
            #[restate_sdk::service(name = "Asl")]
            impl Service { #[handler] async fn tell(&self) {} fn other() {} }
            #[cfg(test)]
            mod tests { #[derive(Serialize)] struct Hidden { z: u8 } }
        "#;
        let expected = [
            "serde (rename_all = \"camelCase\") struct {first, serde (default) second}",
            "enum A | B(_, _) | C{x}",
            "restate_sdk :: service (name = \"Asl\"): handler tell",
        ];
        assert_eq!(shapes_of_file(source).unwrap(), expected);
    }
}

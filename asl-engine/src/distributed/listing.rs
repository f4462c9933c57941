//! Listings of objects (developer guide, ItemReader: the metadata that ListObjectsV2 returns).
use crate::StoredObject;
use serde_json::{Value, json};

/// Returns the first `max_items` objects of a listing as items.
pub(super) fn read(objects: Vec<StoredObject>, max_items: usize) -> Vec<Value> {
    objects.into_iter().take(max_items).map(item).collect()
}

fn item(object: StoredObject) -> Value {
    json!({
        "Etag": object.etag,
        "LastModified": object.last_modified,
        "Key": object.key,
        "Size": object.size,
        "StorageClass": object.storage_class,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::distributed) fn object(key: &str) -> StoredObject {
        StoredObject {
            key: key.to_owned(),
            size: 12,
            etag: "\"05704f\"".to_owned(),
            last_modified: 1_668_699_881,
            storage_class: "STANDARD".to_owned(),
        }
    }

    #[test]
    fn an_object_is_its_metadata() {
        let items = read(vec![object("a.txt")], usize::MAX);
        assert_eq!(
            Value::Array(items).to_string(),
            r#"[{"Etag":"\"05704f\"","LastModified":1668699881,"Key":"a.txt","Size":12,"StorageClass":"STANDARD"}]"#
        );
    }

    #[test]
    fn max_items_applies() {
        let objects = vec![object("a"), object("b"), object("c")];
        let items = read(objects, 2);
        assert_eq!(items.len(), 2);
        assert_eq!(items[1]["Key"], "b");
    }
}

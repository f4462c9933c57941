//! The order of `java.util.HashSet`, in which the service gives the items of `States.ArrayUnique` (measured; no document
//! says so).
use serde_json::{Number, Value};

/// Buckets of a new set.
const BUCKETS: usize = 16;

/// Sorts different items as a hash set of them iterates: by bucket, and by insertion within a bucket.
pub(super) fn sort_as_hash_set(items: &mut Vec<&Value>) {
    let mut buckets = BUCKETS;
    // A set grows once it is more than three quarters full.
    while items.len().saturating_mul(4) > buckets.saturating_mul(3) {
        buckets = buckets.saturating_mul(2);
    }
    let mask = u32::try_from(buckets - 1).unwrap_or(u32::MAX);
    items.sort_by_cached_key(|item| {
        let hash = hash_code(item).cast_unsigned();
        (hash ^ (hash >> 16)) & mask
    });
}

/// Returns the `hashCode` of the Java value of a JSON value.
fn hash_code(value: &Value) -> i32 {
    match value {
        Value::Null => 0,
        Value::Bool(true) => 1231,
        Value::Bool(false) => 1237,
        Value::Number(number) => of_number(number),
        Value::String(text) => of_text(text),
        Value::Array(items) => items
            .iter()
            .fold(1, |hash, item| next(hash, hash_code(item))),
        Value::Object(fields) => fields.iter().fold(0, |hash, (name, value)| {
            hash.wrapping_add(of_text(name) ^ hash_code(value))
        }),
    }
}

fn next(hash: i32, item: i32) -> i32 {
    hash.wrapping_mul(31).wrapping_add(item)
}

fn of_text(text: &str) -> i32 {
    let units = text.encode_utf16();
    units.fold(0, |hash, unit| next(hash, i32::from(unit)))
}

/// Returns the hash of an `Integer` or a `Long` if the number fits, otherwise of a `BigInteger`; with a fraction or an
/// exponent, of a `Double`.
fn of_number(number: &Number) -> i32 {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(whole), ..) => i32::try_from(whole).unwrap_or_else(|_| folded(whole.cast_unsigned())),
        (None, Some(large), _) => {
            let (high, low) = halves(large);
            next(high, low)
        }
        (None, None, Some(fraction)) => folded(fraction.to_bits()),
        (None, None, None) => 0,
    }
}

fn folded(bits: u64) -> i32 {
    let (high, low) = halves(bits);
    high ^ low
}

/// Returns the upper and the lower 32 bits.
fn halves(bits: u64) -> (i32, i32) {
    let half = |shift: u32| u32::try_from((bits >> shift) & u64::from(u32::MAX));
    let half = |shift: u32| half(shift).unwrap_or_default().cast_signed();
    (half(32), half(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hashes_are_those_of_java() {
        for (value, hash) in [
            (json!(null), 0),
            (json!(true), 1231),
            (json!(false), 1237),
            (json!(-1), -1),
            (json!(4_294_967_296_i64), 1),
            (json!(-4_294_967_296_i64), -1),
            (json!(1.5), 1_073_217_536),
            (json!(""), 0),
            (json!("Hello"), 69_609_650),
            (json!("😀"), 1_772_899),
            (json!([]), 1),
            (json!([1, 2]), 994),
            (json!([2, 1]), 1024),
            (json!({"a": 1}), 96),
        ] {
            assert_eq!(hash_code(&value), hash, "{value}");
        }
    }

    #[test]
    fn many_items_have_more_buckets() {
        let numbers: Vec<Value> = (0..20).rev().map(Value::from).collect();
        let mut items: Vec<&Value> = numbers.iter().collect();
        sort_as_hash_set(&mut items);
        let ascending: Vec<Value> = (0..20).map(Value::from).collect();
        assert_eq!(items, ascending.iter().collect::<Vec<_>>());
    }
}

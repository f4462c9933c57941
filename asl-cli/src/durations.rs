//! Times for a person.
use asl_graph::labels::duration;
use asl_model::Timestamp;

/// Formats the time between, unless it is too short to matter.
pub(crate) fn elapsed(from: Timestamp, to: Timestamp) -> Option<String> {
    let milliseconds = u64::try_from(to.duration_since(from).as_millis()).unwrap_or(u64::MAX);
    match milliseconds {
        0 => None,
        1..1_000 => Some(format!("{milliseconds} ms")),
        1_000..60_000 if milliseconds % 1_000 != 0 => {
            Some(format!("{:.1} s", milliseconds as f64 / 1_000.0))
        }
        _ => Some(duration(milliseconds / 1_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_the_precision_that_matters() {
        let from = Timestamp::from_milliseconds(0);
        let shown = |milliseconds| elapsed(from, Timestamp::from_milliseconds(milliseconds));
        assert_eq!(shown(0), None);
        assert_eq!(shown(12).unwrap(), "12 ms");
        assert_eq!(shown(1_250).unwrap(), "1.2 s");
        assert_eq!(shown(3_000).unwrap(), "3 s");
        assert_eq!(shown(3_661_000).unwrap(), "1 h 1 min 1 s");
        assert_eq!(elapsed(Timestamp::from_milliseconds(5), from), None);
        let far = Timestamp::parse("9999-12-31T00:00:00Z").unwrap();
        assert_eq!(elapsed(far, far.plus_seconds(3)).unwrap(), "3 s");
    }
}

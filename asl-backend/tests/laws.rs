//! Laws of what backends share: packed histories, caches, memory budgets and definitions.
use asl_backend::{Definition, HistoryPacker, MemoryBudget, MemoryUse, RecentCache, UnpackedPiece};
use asl_model::{Profile, StateMachineType};
use proptest::prelude::*;
use std::sync::Arc;

/// A piece is complete after so many events.
const PIECE_EVENTS: usize = 1_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Pieces follow each other, and have each event under its id.
    #[test]
    fn a_packed_history_has_each_event_under_its_id(
        first in 1_u64..1_000,
        texts in prop::collection::vec("[ -~ä€😀]{0,12}", 0..(3 * PIECE_EVENTS)),
    ) {
        let mut packer = HistoryPacker::new(first);
        let mut pieces: Vec<_> = texts.iter().filter_map(|text| packer.push(text)).collect();
        prop_assert_eq!(packer.next_id(), first + texts.len() as u64);
        pieces.extend(packer.finish());
        prop_assert!(packer.finish().is_none());
        prop_assert_eq!(pieces.len(), texts.len().div_ceil(PIECE_EVENTS));
        let ends = pieces.iter().skip(1).map(|piece| piece.first).chain([first + texts.len() as u64]);
        let mut found = Vec::new();
        for (piece, end) in pieces.iter().zip(ends) {
            let unpacked = UnpackedPiece::unpack(piece.first, &piece.packed)
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(piece.first == 0 || unpacked.get(piece.first - 1).is_none());
            found.extend((piece.first..end).map(|id| unpacked.get(id).map(|text| text.to_string())));
        }
        let expected: Vec<_> = texts.into_iter().map(Some).collect();
        prop_assert_eq!(found, expected);
    }

    /// A cache has the newest values that fit, and no key twice.
    #[test]
    fn a_cache_has_the_newest_values_that_fit(
        max_values in 0_usize..5,
        max_bytes in 0_usize..20,
        puts in prop::collection::vec((0_u8..6, 0_usize..8), 0..20),
    ) {
        let cache = RecentCache::new(max_values, max_bytes, |bytes: &usize| *bytes);
        let mut model: Vec<(u8, usize)> = Vec::new();
        for (key, bytes) in puts {
            cache.put(key, bytes, |known| *known == key);
            model.retain(|(known, _)| *known != key);
            model.push((key, bytes));
            while model.len() > max_values || model.iter().map(|(_, bytes)| bytes).sum::<usize>() > max_bytes {
                model.remove(0);
            }
            for key in 0..6 {
                let expected = model.iter().find(|(known, _)| *known == key).map(|(_, bytes)| *bytes);
                prop_assert_eq!(cache.get(|known| *known == key), expected);
            }
        }
    }

    /// A budget never has more in use than is reserved, and a refused reservation changes nothing.
    #[test]
    fn a_budget_counts_what_is_reserved(
        bytes in 0_u64..1_000,
        steps in prop::collection::vec((0_usize..5, 0_u64..600, any::<bool>()), 0..30),
    ) {
        let budget = Arc::new(MemoryBudget::new(bytes));
        let mut reserved = Vec::new();
        for (what, asked, releases) in steps {
            if releases && !reserved.is_empty() {
                reserved.remove(asked as usize % reserved.len());
            }
            let what = MemoryUse::ALL[what];
            let before = budget.used_in_all();
            match budget.reserve(what, asked) {
                Some(reservation) => reserved.push((what, reservation)),
                None => prop_assert!(before + asked > bytes),
            }
            for what in MemoryUse::ALL {
                let of_use = reserved.iter().filter(|(used, _)| *used == what);
                let expected: u64 = of_use.map(|(_, reservation)| reservation.bytes()).sum();
                prop_assert_eq!(budget.used(what), expected);
            }
            prop_assert!(budget.used_in_all() <= bytes);
        }
        drop(reserved);
        prop_assert_eq!(budget.used_in_all(), 0);
    }

    /// Definitions have one id if and only if they are the same; a definition is restored from its stored parts.
    #[test]
    fn a_definition_is_what_is_stored_of_it(
        texts in prop::array::uniform2("[ab{}\" ]{0,3}"),
        kinds in prop::array::uniform2((any::<bool>(), any::<bool>())),
    ) {
        let definitions: Vec<Definition> = texts.iter().zip(kinds).map(|(text, (is_aws, is_express))| Definition {
            text: text.as_str().into(),
            profile: if is_aws { Profile::Aws } else { Profile::Spec },
            state_machine_type: if is_express { StateMachineType::Express } else { StateMachineType::Standard },
        }).collect();
        let [one, other] = &definitions[..] else { unreachable!() };
        prop_assert_eq!(one.id() == other.id(), one == other);
        let (profile, kind) = (one.profile_word(), one.type_word());
        prop_assert_eq!(&Definition::from_words(Arc::clone(&one.text), profile, kind), one);
    }
}

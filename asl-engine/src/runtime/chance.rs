//! Random values of a runtime: names of executions without a name, and the key of its task tokens.
use crate::MacTokens;
use asl_intrinsics::random::{RandomSource, SplitMix64, uuid};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, PoisonError};

/// The operating system's randomness, or a generator that a seed makes repeatable.
#[derive(Debug)]
pub(super) struct Chance(Option<Mutex<SplitMix64>>);

const KEY_WORDS: usize = 4;

impl Chance {
    pub(super) fn new(seed: Option<u64>) -> Self {
        Self(seed.map(|seed| Mutex::new(SplitMix64::new(seed))))
    }

    /// Returns a name that no other execution has.
    pub(super) fn name(&self) -> String {
        let [high, low] = self.words();
        uuid(high, low)
    }

    /// Tokens of a key that is drawn here, and of a name that distinguishes it from other keys.
    pub(super) fn tokens(&self) -> MacTokens {
        let key: [u64; KEY_WORDS] = self.words();
        MacTokens::new(self.name(), key.map(u64::to_be_bytes).as_flattened())
    }

    /// Words that belong together, drawn without others between them.
    fn words<const N: usize>(&self) -> [u64; N] {
        match &self.0 {
            None => [(); N].map(|()| system_word()),
            Some(generator) => {
                let mut generator = generator.lock().unwrap_or_else(PoisonError::into_inner);
                [(); N].map(|()| generator.next_u64())
            }
        }
    }
}

/// Returns a word of the system's randomness, or, if that fails, of the keys of the standard library's hash maps.
fn system_word() -> u64 {
    getrandom::u64().unwrap_or_else(|_| RandomState::new().hash_one(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EffectId, Identity, TaskTokens as _};

    #[test]
    fn a_seed_repeats_names_and_keys_and_the_system_does_not() {
        let drawn = |seed| {
            let chance = Chance::new(seed);
            let token = chance.tokens().token(&Identity::new("M", "e"), EffectId(1));
            [chance.name(), chance.name(), token]
        };
        assert_eq!(drawn(Some(7)), drawn(Some(7)));
        for (one, other) in [(Some(7), Some(8)), (None, None)] {
            let (one, other) = (drawn(one), drawn(other));
            assert!(one.iter().all(|drawn| !other.contains(drawn)), "{one:?}");
            assert_ne!(one[0], one[1]);
        }
    }
}

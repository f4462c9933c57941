//! Task tokens: unforgeable names of tasks, for the callers that complete them later.
use super::output::EffectId;
use crate::identity::Identity;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::fmt;

/// Makes the tokens of tasks. A host gives one to start and to restore; it is never saved nor printed, a save only names
/// its key.
pub trait TaskTokens: Send + Sync {
    /// Returns the name of the key, so that a save can record which key its tokens use.
    fn key_name(&self) -> &str;

    /// Returns the token of a task, which names its execution and effect. The same arguments always give the same token.
    fn token(&self, identity: &Identity, effect: EffectId) -> String;

    /// Returns the task of a token; None if the token is not from this source.
    fn verify(&self, token: &str) -> Option<TokenTask>;
}

/// Tokens with the execution's ARN, an effect's id, and an HMAC-SHA-256 of both: the owner of the key can verify a token
/// without storing it.
///
/// ```
/// use asl_engine::{EffectId, Identity, MacTokens, TaskTokens};
///
/// let tokens = MacTokens::new("2026", b"a key of 32 bytes, from a secret");
/// let identity = Identity::new("Orders", "order-17");
/// let token = tokens.token(&identity, EffectId(3));
/// let task = tokens.verify(&token).ok_or("not a token of ours")?;
/// assert_eq!((task.execution_arn, task.effect), (identity.execution_arn(), EffectId(3)));
/// assert_eq!(tokens.verify(&token.replacen('A', "B", 1)), None);
/// # Ok::<(), &str>(())
/// ```
pub struct MacTokens {
    key_name: String,
    mac: Hmac<Sha256>,
}

/// The task of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenTask {
    /// The execution.
    pub execution_arn: String,
    /// Effect id of the task.
    pub effect: EffectId,
}

const MAC_BYTES: usize = 32;
const ID_BYTES: usize = 8;

impl MacTokens {
    /// Creates a maker with a key of any length; 32 random bytes are enough.
    pub fn new(key_name: impl Into<String>, key: &[u8]) -> Self {
        // Keys of any length are taken; the other case makes tokens of an empty key, of the same type.
        let mac = Hmac::<Sha256>::new_from_slice(key)
            .unwrap_or_else(|_| Hmac::<Sha256>::new(&hmac::digest::Key::<Hmac<Sha256>>::default()));
        Self {
            key_name: key_name.into(),
            mac,
        }
    }

    /// The maker of an execution that was given none: its key is drawn from the seed and the names of the execution, so
    /// that it is as secret as these.
    pub(crate) fn from_identity(seed: Option<u64>, identity: &Identity) -> Self {
        let mut key = seed.unwrap_or_default().to_be_bytes().to_vec();
        key.extend(identity.execution_arn().into_bytes());
        Self::new(OWN_KEY, &key)
    }
}

/// The name of the key of an execution that was given no maker.
pub(crate) const OWN_KEY: &str = "";

impl TaskTokens for MacTokens {
    fn key_name(&self) -> &str {
        &self.key_name
    }

    fn token(&self, identity: &Identity, effect: EffectId) -> String {
        let mut named = effect.0.to_be_bytes().to_vec();
        named.extend(identity.execution_arn().into_bytes());
        let mac = self.mac.clone().chain_update(&named).finalize();
        let mut bytes = mac.into_bytes().to_vec();
        bytes.append(&mut named);
        without_leading_dash(URL_SAFE_NO_PAD.encode(bytes))
    }

    fn verify(&self, token: &str) -> Option<TokenTask> {
        let bytes = match token.strip_prefix(INSTEAD_OF_DASH) {
            Some(rest) => URL_SAFE_NO_PAD.decode(format!("-{rest}")),
            None => URL_SAFE_NO_PAD.decode(token),
        };
        let bytes = bytes.ok()?;
        let (mac, named) = bytes.split_at_checked(MAC_BYTES)?;
        self.mac
            .clone()
            .chain_update(named)
            .verify_slice(mac)
            .ok()?;
        let (id, arn) = named.split_first_chunk::<ID_BYTES>()?;
        Some(TokenTask {
            execution_arn: String::from_utf8(arn.to_vec()).ok()?,
            effect: EffectId(u64::from_be_bytes(*id)),
        })
    }
}

/// The first character of a token whose Base64 begins with a dash. Command lines read an argument that begins with a dash
/// as an option. Base64 has no full stop, and URLs take one as it is.
const INSTEAD_OF_DASH: char = '.';

/// Replaces the dash that a token begins with.
fn without_leading_dash(mut token: String) -> String {
    if token.starts_with('-') {
        token.replace_range(..1, INSTEAD_OF_DASH.encode_utf8(&mut [0; 4]));
    }
    token
}

impl fmt::Debug for MacTokens {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("MacTokens")
            .field("key_name", &self.key_name)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_another_key_is_refused() {
        let identity = Identity::new("M", "e");
        let token = MacTokens::new("a", b"one").token(&identity, EffectId(0));
        assert!(MacTokens::new("a", b"one").verify(&token).is_some());
        assert_eq!(MacTokens::new("a", b"two").verify(&token), None);
        for other in ["", "A", "!", &token[1..], &format!("{token}AAAA")] {
            assert_eq!(MacTokens::new("a", b"one").verify(other), None, "{other}");
        }
    }

    #[test]
    fn no_token_reads_as_an_option_of_a_command() {
        let (tokens, identity) = (MacTokens::new("a", b"one"), Identity::new("M", "e"));
        let mut replaced = 0;
        for effect in (0..2_000).map(EffectId) {
            let token = tokens.token(&identity, effect);
            assert!(!token.starts_with('-'), "{token}");
            assert_eq!(tokens.verify(&token).map(|task| task.effect), Some(effect));
            // Tokens that were given out with their dash stay good.
            if let Some(rest) = token.strip_prefix(INSTEAD_OF_DASH) {
                replaced += 1;
                let with_dash = format!("-{rest}");
                assert_eq!(
                    tokens.verify(&with_dash).map(|task| task.effect),
                    Some(effect)
                );
            }
        }
        assert!(replaced > 0);
    }

    #[test]
    fn the_key_is_not_printed() {
        let printed = format!("{:?}", MacTokens::new("mine", b"secret"));
        assert_eq!(printed, "MacTokens { key_name: \"mine\", .. }");
    }
}

//! Names of state machines, executions and activities; names that are made.
use crate::protocol::{ApiError, ErrorCode};
use asl_intrinsics::random;

/// Recorded: what no name has, next to control characters.
const REFUSED: &str = " <>{}[]?*\"#%\\^|~`$&,;:/";

/// Refuses a name with a character that none may have.
pub(crate) fn check_name(name: &str) -> Result<(), ApiError> {
    let is_refused = |sign: char| REFUSED.contains(sign) || sign.is_control();
    match name.contains(is_refused) {
        true => Err(ApiError::new(
            ErrorCode::InvalidName,
            format!("Invalid Name: '{name}'"),
        )),
        false => Ok(()),
    }
}

/// Returns a random UUID, of version 4.
///
/// # Errors
/// Returns an error if the operating system gives no randomness.
pub(crate) fn new_uuid() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        ApiError::new(
            ErrorCode::ServiceUnavailable,
            format!("the operating system provides no random numbers: {error}"),
        )
    })?;
    Ok(uuid(bytes))
}

/// Returns a UUID of version 4 with these bits.
pub(crate) fn uuid(bytes: [u8; 16]) -> String {
    let bits = u128::from_be_bytes(bytes);
    random::uuid((bits >> 64) as u64, bits as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_signs_of_arns_and_patterns_are_refused() {
        for sign in REFUSED.chars().chain(['\0', '\u{1f}', '\u{7f}', '\u{9f}']) {
            let name = format!("a{sign}b");
            let error = check_name(&name).unwrap_err();
            assert_eq!(error.message, format!("Invalid Name: '{name}'"));
            assert_eq!(error.code, ErrorCode::InvalidName);
        }
        for name in ["a.b", "A-b_1", "ä", "(a)", "a=b", "a@b", "a+b", "a!b'"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn uuids_are_of_version_4() {
        assert_eq!(uuid([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid([0; 16]), "00000000-0000-4000-8000-000000000000");
        assert_ne!(new_uuid().unwrap(), new_uuid().unwrap());
    }
}

//! For whom a request is: partition, region and account, which ARNs keep apart.
use std::fmt;
use std::sync::Arc;

/// Digits of an account.
const ACCOUNT_DIGITS: usize = 12;

/// Partition, region and account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    pub(crate) partition: Arc<str>,
    pub(crate) region: Arc<str>,
    pub(crate) account: Arc<str>,
}

impl Scope {
    pub(crate) fn new(region: &str, account: &str) -> Self {
        Self {
            partition: partition(region).into(),
            region: region.into(),
            account: account.into(),
        }
    }

    /// By the "Credential" of a SigV4 header, `KEY/DATE/REGION/SERVICE/aws4_request`: an access key of twelve digits is the
    /// account, and the region comes from the credential's scope. The signature is not looked at.
    pub(crate) fn from_authorization(header: Option<&str>, default: &Self) -> Self {
        let credential = header.and_then(|header| {
            let (_, credential) = header.split_once("Credential=")?;
            credential.split([',', ' ']).next()
        });
        let mut parts = credential.unwrap_or_default().split('/');
        let key = parts.next().filter(|key| is_account(key));
        let region = parts.nth(1).filter(|region| is_region(region));
        Self::new(
            region.unwrap_or(&default.region),
            key.unwrap_or(&default.account),
        )
    }

    /// `arn:aws:states:REGION:ACCOUNT:` with a resource.
    pub(crate) fn arn(&self, resource: impl fmt::Display) -> String {
        let Self {
            partition,
            region,
            account,
        } = self;
        format!("arn:{partition}:states:{region}:{account}:{resource}")
    }
}

/// As a backend keeps entries apart by it.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.partition, self.region, self.account)
    }
}

/// Returns true if a text is an account's number.
pub(crate) fn is_account(text: &str) -> bool {
    text.len() == ACCOUNT_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a text may be the name of a region: it becomes a part of ARNs.
pub(crate) fn is_region(text: &str) -> bool {
    let is_of_a_name =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=32).contains(&text.len()) && text.bytes().all(is_of_a_name)
}

fn partition(region: &str) -> &'static str {
    match region {
        _ if region.starts_with("cn-") => "aws-cn",
        _ if region.starts_with("us-gov-") => "aws-us-gov",
        _ => "aws",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(header: Option<&str>) -> String {
        let default = Scope::new("us-east-1", "000000000000");
        Scope::from_authorization(header, &default).to_string()
    }

    #[test]
    fn credentials_choose_account_and_region() {
        let header = "AWS4-HMAC-SHA256 Credential=123456789012/20260101/eu-west-1/states/aws4_request, \
                      SignedHeaders=host, Signature=0";
        assert_eq!(scope(Some(header)), "aws:eu-west-1:123456789012");
        let header =
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/cn-north-1/states/aws4_request";
        assert_eq!(scope(Some(header)), "aws-cn:cn-north-1:000000000000");
    }

    #[test]
    fn what_is_no_credential_changes_nothing() {
        for header in [
            None,
            Some(""),
            Some("Bearer x"),
            Some("Credential="),
            Some("Credential=1234567890123/d/EU:WEST/states"),
            Some("Credential=test/20260101"),
        ] {
            assert_eq!(scope(header), "aws:us-east-1:000000000000", "{header:?}");
        }
    }

    #[test]
    fn arns_are_of_the_scope() {
        let scope = Scope::new("us-gov-west-1", "000000000001");
        assert_eq!(
            scope.arn("activity:a"),
            "arn:aws-us-gov:states:us-gov-west-1:000000000001:activity:a"
        );
    }
}

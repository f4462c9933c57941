//! Errors in the text of a handler.

/// Reasons why a text is not a handler.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandlerError {
    /// The text is of no known kind: `reserve.py`.
    #[error("`{0}` is not a handler: expected exec:COMMAND or http://HOST/PATH")]
    Unknown(String),
    /// The text after `exec:` is not a command: `exec:`.
    #[error("{text}: {source}")]
    Command {
        /// The whole text.
        text: String,
        /// The error in the command.
        source: CommandError,
    },
    /// The text is a URL without a host: `http://`.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The crate was built without the feature that it needs.
    #[error("{text}: asl-host was built without its feature `{feature}`")]
    NotBuilt {
        /// The whole text.
        text: String,
        /// The feature's name.
        feature: &'static str,
    },
}

debug_as_display!(HandlerError);

impl HandlerError {
    #[cfg(not(all(feature = "exec", feature = "http")))]
    pub(super) fn not_built(text: &str, feature: &'static str) -> Self {
        Self::NotBuilt {
            text: text.to_owned(),
            feature,
        }
    }
}

/// Reasons why a text is not a command line.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The command is empty.
    #[error("it has no command")]
    Empty,
    /// `sh -c 'exit`
    #[error("a quote is not closed")]
    OpenQuote,
    /// `sh a\`
    #[error("a backslash at the end escapes nothing")]
    OpenEscape,
}

debug_as_display!(CommandError);

/// Reasons why a URL cannot receive POST requests.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// `http://`
    #[error("{url} has no host")]
    NoHost {
        /// The URL, as given.
        url: String,
    },
    /// `http://a b`
    #[error("{url} is not a URL: {reason}")]
    Invalid {
        /// The URL, as given.
        url: String,
        /// The error in the URL.
        reason: String,
    },
    /// `https://host`
    #[error("https is not supported; use a command instead: exec:curl -sSf --json @- {url}")]
    Https {
        /// The URL, as given.
        url: String,
    },
    /// `http://host:0`
    #[error(
        "{port:?} in {url} is not a port: expected a number from 1 to {}",
        u16::MAX
    )]
    Port {
        /// The URL, as given.
        url: String,
        /// The text in the place of the port.
        port: String,
    },
}

debug_as_display!(UrlError);

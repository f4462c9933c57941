//! State shared by the services of a node and its backend. All of it can be lost: durable data is in Restate.
use crate::Options;
use crate::client::{Client, ClientError};
use crate::messages::{
    Command, CommandAnswer, CommandReply, Delivery, ExternalMessage, KeptDefinition,
};
use crate::replayed::{ReplayedHistories, replayed_histories};
use crate::services::{Links, TellMessage, names};
use asl_backend::{BackendError, Definition, ExpressHost, TokenRefused};
use asl_engine::runtime::Performer;
use asl_engine::{EffectId, MacTokens, Program, TaskTokens, Timestamp};
use asl_performers::{MockConfiguration, MockHandler};
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{Semaphore, watch};

/// Programs kept ready at a time.
const MOST_PROGRAMS: usize = 1_024;
/// Pause before a message is sent again while the previous one is not received.
const BUSY: Duration = Duration::from_millis(20);
const MOST_BUSY: u32 = 500;
/// Bytes of the key of task tokens.
const KEY_BYTES: usize = 32;
/// The setting that status changes are recorded.
const FEED_SETTING: &str = "feed";
/// Time after which a node reads the setting again.
const FEED_IS_KNOWN: Duration = Duration::from_secs(2);

/// State shared by the services of a node and its backend.
pub(crate) struct Node {
    pub(crate) performer: Arc<dyn Performer>,
    pub(crate) mocks: Option<MockConfiguration>,
    /// Retention period of ended executions.
    pub(crate) retention: Duration,
    pub(crate) client: Client,
    pub(crate) express: ExpressHost,
    pub(crate) links: Links,
    /// Histories of what runs, for their next pages.
    pub(crate) replayed: ReplayedHistories,
    /// A permit for each thread on which executions compute for longer than a turn.
    pub(crate) threads: Arc<Semaphore>,
    programs: Mutex<HashMap<String, Program>>,
    tokens: watch::Sender<Option<Arc<dyn TaskTokens>>>,
    last: Mutex<Timestamp>,
    /// The known state of the feed, with the time of the query.
    feed: Mutex<Option<(bool, Instant)>>,
}

/// Returns the system's present moment.
pub(crate) fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or_default()
}

/// As many as there are cores.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

impl Node {
    pub(crate) fn new(options: &Options, client: Client) -> Self {
        Self {
            performer: Arc::clone(&options.performer),
            mocks: options.mocks.clone(),
            retention: options.retention,
            client,
            express: ExpressHost::new(Arc::clone(&options.performer)),
            links: Links::default(),
            replayed: replayed_histories(),
            threads: Arc::new(Semaphore::new(threads())),
            programs: Mutex::default(),
            tokens: watch::Sender::new(None),
            last: Mutex::default(),
            feed: Mutex::default(),
        }
    }

    /// Returns the mocks of a test case, if this node has it.
    pub(crate) fn test_case(&self, state_machine: &str, test_case: &str) -> Option<MockHandler> {
        let mocks = self.mocks.as_ref()?;
        mocks.test_case(Some(state_machine), test_case).ok()
    }

    /// Returns the present moment, which never goes back while the process lasts.
    pub(crate) fn now(&self) -> Timestamp {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = now().max(*last);
        *last
    }

    /// Returns the maker of task tokens, once the key of the cluster is known.
    pub(crate) async fn tokens(&self) -> Arc<dyn TaskTokens> {
        let mut tokens = self.tokens.subscribe();
        loop {
            if let Some(tokens) = &*tokens.borrow_and_update() {
                return Arc::clone(tokens);
            }
            if tokens.changed().await.is_err() {
                // The sender is of this node, which is there.
                std::future::pending::<()>().await;
            }
        }
    }

    /// Settles with the other nodes on the key of task tokens.
    pub(crate) async fn settle_tokens(&self) -> Result<(), ClientError> {
        let mut proposed = [0_u8; KEY_BYTES];
        getrandom::fill(&mut proposed).map_err(|error| {
            ClientError::Unavailable(format!("no random numbers are available: {error}"))
        })?;
        let proposed: String = proposed.iter().map(|byte| format!("{byte:02x}")).collect();
        let settings = (names::SETTINGS, "token-key", "settle");
        let key: String = self.client.call(settings, &proposed).await?;
        let tokens = MacTokens::new("restate", key.as_bytes());
        self.tokens.send_replace(Some(Arc::new(tokens)));
        Ok(())
    }

    /// Returns true if status changes are recorded. While they are not, the setting is read again from time to time.
    pub(crate) async fn is_followed(&self) -> Result<bool, ClientError> {
        let known = *self.feed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((is_followed, since)) = known
            && (is_followed || since.elapsed() < FEED_IS_KNOWN)
        {
            return Ok(is_followed);
        }
        let settings = (names::SETTINGS, FEED_SETTING, "read");
        let value: Option<String> = self.client.query(settings).await?;
        let is_followed = value.is_some();
        let known = Some((is_followed, Instant::now()));
        *self.feed.lock().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(is_followed)
    }

    /// Has status changes of executions recorded that start from now on, on all nodes.
    pub(crate) async fn start_feed(&self) -> Result<(), ClientError> {
        let settings = (names::SETTINGS, FEED_SETTING, "read");
        let value: Option<String> = self.client.query(settings).await?;
        if value.is_none() {
            let settings = (names::SETTINGS, FEED_SETTING, "settle");
            let _: String = self.client.call(settings, &"on").await?;
            // The other nodes know then.
            tokio::time::sleep(FEED_IS_KNOWN).await;
        }
        let known = Some((true, Instant::now()));
        *self.feed.lock().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// A definition that is kept, by its hash.
    pub(crate) async fn definition(&self, digits: &str) -> Result<Option<Definition>, ClientError> {
        let place = (names::DEFINITION, digits, "read");
        let kept: Option<KeptDefinition> = self.client.query(place).await?;
        Ok(kept.map(Definition::from))
    }

    /// Returns the program of a definition. It is not read through the journal: what a hash names never changes.
    pub(crate) async fn program(&self, digits: &str) -> Result<Program, ClientError> {
        if let Some(program) = self.programs().get(digits) {
            return Ok(program.clone());
        }
        let missing = || ClientError::Broken(format!("the definition {digits} does not exist"));
        let definition = self.definition(digits).await?.ok_or_else(missing)?;
        let program = definition.compile();
        let program = program.map_err(|error| ClientError::Broken(error.to_string()))?;
        let mut programs = self.programs();
        if programs.len() >= MOST_PROGRAMS {
            // Whichever: those in use have a handle of their own.
            programs.clear();
        }
        programs.insert(digits.to_owned(), program.clone());
        Ok(program)
    }

    fn programs(&self) -> std::sync::MutexGuard<'_, HashMap<String, Program>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a command to an execution, and returns its result; None if the execution does not exist.
    pub(crate) async fn command(
        &self,
        arn: &str,
        what: CommandReply,
    ) -> Result<Option<CommandAnswer>, BackendError> {
        let command = Command {
            at: self.now(),
            what,
        };
        let place = (names::EXECUTION, arn, "command");
        Ok(self.client.call(place, &command).await?)
    }

    /// Sends a message to a task after it has received the previous one.
    pub(crate) async fn send_message(
        &self,
        arn: &str,
        effect: EffectId,
        outside: ExternalMessage,
    ) -> Result<(), TokenRefused> {
        let message = TellMessage { effect, outside };
        for _ in 0..MOST_BUSY {
            let place = (names::EXECUTION, arn, "tell");
            let telling = self.client.call(place, &message).await;
            match telling.map_err(|error| TokenRefused::Backend(error.into()))? {
                Delivery::Heard => return Ok(()),
                Delivery::TooLate => return Err(TokenRefused::TimedOut),
                Delivery::NoExecution => return Err(TokenRefused::NoTask),
                Delivery::Busy => tokio::time::sleep(BUSY).await,
            }
        }
        let why = "the task has not yet received an earlier message: try again".to_owned();
        Err(TokenRefused::Backend(ClientError::Unavailable(why).into()))
    }
}

//! The AWS SDK for Rust against the API of AWS Step Functions, as the environment names it.
mod conversations;
mod endpoint;

use aws_sdk_sfn::Client;
use aws_sdk_sfn::config::{BehaviorVersion, Config, Credentials, Region};
use endpoint::NoHostPrefix;
use std::error::Error;

/// Result of a conversation.
type Done<T = ()> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let endpoint = std::env::var("AWS_ENDPOINT_URL_SFN")?;
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "clients"))
        .interceptor(NoHostPrefix::new(&endpoint))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    let client = Client::from_conf(config);
    conversations::executions_and_their_history(&client).await?;
    conversations::activities(&client).await?;
    conversations::callbacks(&client).await?;
    conversations::express(&client).await?;
    conversations::errors(&client).await?;
    conversations::versions_and_aliases(&client).await
}

//! Express executions that nobody waits for, and Express children of distributed Maps: each runs within one invocation, in the
//! process of a node, and from its beginning again where the node ends before it has: at least once.
use crate::messages::{Beginning, Ending};
use crate::node::Node;
use asl_host::engine::{CoreStart, EndedExpress};
use restate_sdk::prelude::*;
use std::sync::Arc;

pub(super) struct ExpressService(pub(super) Arc<Node>);

#[restate_sdk::service(name = "AslExpress")]
impl ExpressService {
    /// Runs an execution that somebody started. Nothing of it is kept.
    #[handler]
    async fn run(&self, _ctx: Context<'_>, beginning: Json<Beginning>) -> HandlerResult<()> {
        run(&self.0, beginning.into_inner()).await?;
        Ok(())
    }
}

/// Runs an execution to its end, from now on.
pub(super) async fn run(node: &Node, beginning: Beginning) -> Result<Ending, HandlerError> {
    let program = node.program(&beginning.definition).await?;
    let ended = match beginning.start {
        CoreStart::Root(mut start) => {
            start.now = node.now();
            node.express.run(program, *start, None).await
        }
        CoreStart::Child(mut child) => {
            child.start.now = node.now();
            let tokens = node.tokens().await;
            let child = CoreStart::Child(child);
            let made = child.begin(program.clone(), tokens).save();
            node.express.run_made(program, made).await?
        }
    };
    Ok(ending(ended))
}

fn ending(ended: EndedExpress) -> Ending {
    Ending {
        status: ended.status.word().into(),
        stop_date: ended.stop_date,
        output: ended.output,
        error_output: ended.error_output,
        event_count: 0,
    }
}

//! Express executions without a waiting client, and Express children of distributed Maps: each runs in one invocation, in
//! the process of a node, and starts again if the node ends first: at least once.
use super::execution::{note_beginning, note_ending};
use super::mocks::{self, ByTestCase};
use crate::messages::{ExecutionOutcome, ExecutionStart, MockedTestCase, Redrives};
use crate::node::Node;
use asl_backend::{CoreStart, EndedExpress, ExpressHost};
use restate_sdk::context::ContextSideEffects as _;
use restate_sdk::prelude::*;
use std::sync::Arc;

pub(super) struct ExpressService(pub(super) Arc<Node>);

#[restate_sdk::service(name = "AslExpress")]
impl ExpressService {
    /// Runs an execution that a client started. Nothing is stored.
    #[handler]
    async fn run(&self, _ctx: Context<'_>, beginning: Json<ExecutionStart>) -> HandlerResult<()> {
        run(&self.0, beginning.into_inner()).await?;
        Ok(())
    }
}

/// Runs a child of a Map Run, which is kept as an execution that neither keeps records nor hears commands.
pub(super) async fn run_child(
    ctx: &WorkflowContext<'_>,
    node: &Arc<Node>,
    beginning: ExecutionStart,
) -> Result<ExecutionOutcome, HandlerError> {
    note_beginning(ctx, &beginning);
    let (node, begun) = (Arc::clone(node), beginning.clone());
    let ended = ctx.run(move || async move { Ok(Json(run(&node, begun).await?)) });
    let Json(ending) = ended.name("express").await?;
    note_ending(ctx, &beginning, &Redrives::default(), &ending);
    Ok(ending)
}

/// Runs an execution to its end, from now on.
async fn run(
    node: &Arc<Node>,
    beginning: ExecutionStart,
) -> Result<ExecutionOutcome, HandlerError> {
    let program = node.program(&beginning.definition).await?;
    let mocked = beginning.about.mocked;
    let ended = match beginning.start {
        CoreStart::Root(mut start) => {
            start.now = node.now();
            let handler =
                |it: &Arc<MockedTestCase>| mocks::handler(node, &it.state_machine, &it.test_case);
            let test_case = mocked.as_ref().map(handler).transpose()?;
            let ended = node.express.run(program, *start, test_case).await;
            ended.map_err(|error| HandlerError::from(error.to_string()))?
        }
        CoreStart::Child(mut child) => {
            child.start.now = node.now();
            let tokens = node.tokens().await;
            let child = CoreStart::Child(child);
            let made = child.begin(program.clone(), tokens).save();
            match mocked {
                Some(mocked) => {
                    let node = Arc::clone(node);
                    let host = ExpressHost::new(Arc::new(ByTestCase { node, mocked }));
                    host.run_made(program, made).await?
                }
                None => node.express.run_made(program, made).await?,
            }
        }
    };
    Ok(ending(ended))
}

fn ending(ended: EndedExpress) -> ExecutionOutcome {
    ExecutionOutcome {
        status: ended.status.word().into(),
        stop_date: ended.stop_date,
        output: ended.output,
        error_output: ended.error_output,
        event_count: 0,
    }
}

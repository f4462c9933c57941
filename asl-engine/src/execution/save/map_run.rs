//! Distributed Map States: what a Map Run reads, runs and writes.
use super::damage::{DamageContext as _, Read, ensure};
use super::error::SavedError;
use super::flow_parts::FlowParts;
use super::map_run_children::SavedRun;
use super::reading::SavedReading;
use super::request::SavedRequest;
use super::restoring::RestoreContext;
use super::stage_parts::StageParts;
use super::storage::SavedOperation;
use super::values::{JsonText, ValueTable};
use crate::execution::error::StateError;
use crate::execution::machine::{DistributedMap, ResultExport, Stage};
use crate::program::StateAction;
use asl_model::ProcessorMode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::VecDeque;

/// A distributed Map State that runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedMapRun {
    arn: String,
    request: SavedRequest,
    stage: SavedStage,
}

/// Stages of a Map Run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedStage {
    Reading { effect: u64, reading: SavedReading },
    Running(SavedRun),
    Writing(SavedWriting),
}

/// Results on their way into a bucket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedWriting {
    effect: u64,
    bucket: String,
    operation: SavedOperation,
    later: Vec<SavedOperation>,
    result: SavedMapResult,
    run: SavedRun,
}

/// The result of the state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedMapResult {
    Succeeded(JsonText),
    Failed(SavedError),
}

impl SavedMapRun {
    pub(super) fn new(map: &DistributedMap, table: &mut ValueTable) -> Self {
        let DistributedMap {
            map_run_arn,
            request,
            stage,
        } = map;
        Self {
            arn: map_run_arn.clone(),
            request: SavedRequest::new(request, table),
            stage: match stage {
                Stage::Reading { effect, reading } => SavedStage::Reading {
                    effect: effect.0,
                    reading: SavedReading::new(reading),
                },
                Stage::Running(run) => SavedStage::Running(SavedRun::new(run, table)),
                Stage::Writing(writing) => SavedStage::Writing(SavedWriting::new(writing, table)),
            },
        }
    }

    /// `live`: whether the state runs, so that answers are waited for.
    pub(super) fn distributed_map(
        self,
        parts: &FlowParts<'_>,
        save: &mut RestoreContext<'_>,
        live: bool,
    ) -> Read<DistributedMap> {
        let StateAction::Map(map) = &parts.state.action else {
            return Err(parts.not_of("a Map State"));
        };
        let distributed = map.mode == ProcessorMode::Distributed;
        ensure(distributed, "a distributed Map State", &parts.state.name)?;
        let request = self.request.request(save).within("request")?;
        let mut stage = StageParts {
            map,
            request: &request,
            arn: &self.arn,
            flow: parts.id,
            live,
            save,
        };
        let stage = self.stage.stage(&mut stage).within("stage")?;
        Ok(DistributedMap {
            map_run_arn: self.arn,
            request,
            stage,
        })
    }
}

impl SavedStage {
    fn stage(self, parts: &mut StageParts<'_, '_>) -> Read<Stage> {
        match self {
            Self::Reading { effect, reading } => {
                let reads = parts.map.item_reader.is_some();
                ensure(reads, "a state with an ItemReader", "one without")?;
                Ok(Stage::Reading {
                    effect: parts.effect(effect)?,
                    reading: Box::new(reading.reading()?),
                })
            }
            Self::Running(run) => Ok(Stage::Running(Box::new(run.run(parts, parts.live)?))),
            Self::Writing(writing) => Ok(Stage::Writing(Box::new(writing.writing(parts)?))),
        }
    }
}

impl SavedWriting {
    fn new(writing: &ResultExport, table: &mut ValueTable) -> Self {
        let ResultExport {
            effect,
            bucket,
            operation,
            later,
            result,
            run,
        } = writing;
        Self {
            effect: effect.0,
            bucket: bucket.clone(),
            operation: SavedOperation::from(operation),
            later: later.iter().map(SavedOperation::from).collect(),
            result: SavedMapResult::new(result),
            run: SavedRun::new(run, table),
        }
    }

    fn writing(self, parts: &mut StageParts<'_, '_>) -> Read<ResultExport> {
        let writes = parts.map.result_writer.is_some();
        ensure(writes, "a state with a ResultWriter", "one without")?;
        let later: VecDeque<_> = self.later.into_iter().map(Into::into).collect();
        Ok(ResultExport {
            effect: parts.effect(self.effect)?,
            bucket: self.bucket,
            operation: self.operation.into(),
            later,
            result: self.result.result().within("result")?,
            // Its children have ended, or are waited for no more.
            run: Box::new(self.run.run(parts, false)?),
        })
    }
}

impl SavedMapResult {
    fn new(result: &Result<Value, Box<StateError>>) -> Self {
        match result {
            Ok(value) => Self::Succeeded(JsonText::new(value)),
            Err(error) => Self::Failed(SavedError::new(error)),
        }
    }

    fn result(self) -> Read<Result<Value, Box<StateError>>> {
        Ok(match self {
            Self::Succeeded(text) => Ok(text.value()?),
            Self::Failed(error) => Err(error.error()),
        })
    }
}

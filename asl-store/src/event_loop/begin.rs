//! How executions begin: those that somebody starts, and children of Map Runs.
use super::hot::Hot;
use super::{Afterwards, EventLoop, StartMessage};
use crate::clock::milliseconds;
use crate::database::earlier_run::EarlierRun;
use crate::database::operation::Operation;
use crate::database::row::{About, CoreStart, NewRow, RowId, encoded};
use crate::statistics::count;
use asl_engine::{ChildExecution, Execution, Program, Timestamp};
use asl_host::engine::{DefinitionId, StartError, Started, input_text, map_run_of};
use rusqlite::{OptionalExtension as _, params};
use std::sync::Arc;

/// A child of a Map Run that is written down, and has not begun.
pub(super) struct WaitingChild {
    pub(super) parent: RowId,
    pub(super) program: Program,
    pub(super) definition: DefinitionId,
    pub(super) child: Box<ChildExecution>,
    pub(super) about: About,
}

/// An execution that is there under the ARN that another was to have.
struct Namesake {
    is_running: bool,
    started: i64,
    input: Arc<str>,
}

impl EventLoop {
    /// Starts an execution, or tells of the one that has its name.
    pub(super) fn start(&mut self, message: StartMessage, now: Timestamp) {
        let StartMessage { start, input, told } = message;
        let result = self.try_start(start, input, now);
        let tell = move || {
            // Whoever gave up waiting need not know.
            let _ = told.send(result);
        };
        self.afterwards.push(Afterwards::Tell(Box::new(tell)));
    }

    fn try_start(
        &mut self,
        start: asl_host::engine::StartExecution,
        input: Arc<serde_json::Value>,
        now: Timestamp,
    ) -> Result<Started, StartError> {
        let broken = |error: rusqlite::Error| StartError::Engine(crate::error::broken(&error));
        let program = self
            .programs
            .get(&self.connection, start.definition)
            .map_err(broken)?;
        let definition = start.definition;
        let core_start = start.begin(
            input,
            now,
            &program,
            self.shared.options.max_execution_bytes,
        );
        let about = About::from_start(&start);
        let arn: Arc<str> = core_start.identity.execution_arn().into();
        if let Some(namesake) = self.namesake(&arn).map_err(broken)? {
            if !namesake.is_running || namesake.input != start.input {
                return Err(StartError::AlreadyExists);
            }
            if let (Some(nested), Some(row)) = (&start.nested, self.find(&arn)) {
                self.link_nested(nested, row);
            }
            return Ok(Started {
                arn,
                start_date: Timestamp::from_milliseconds(namesake.started),
                is_new: false,
            });
        }
        if let Some(refusal) = self.shared.refusal() {
            return Err(StartError::Engine(refusal));
        }
        let most = self.shared.options.max_running;
        if self.running >= most {
            return Err(StartError::TooMany(most));
        }
        let id = self.new_row();
        let stored = CoreStart::Root(Box::new(core_start));
        self.operations.push(Operation::Begin(Box::new(NewRow {
            id,
            arn: Arc::clone(&arn),
            name: start.name.to_string(),
            machine: start.state_machine.arn.clone(),
            version: start.version_arn,
            alias: start.alias_arn,
            map_run: None,
            item_count: None,
            definition,
            started: milliseconds(now, false),
            parent: None,
            first: self.next_record,
            start: encoded(&stored),
            about: encoded(&about),
            earlier: None,
        })));
        let execution = self.execution_of(&program, stored);
        let mut hot = Hot::new(id, definition, execution, about);
        self.running += 1;
        count(&self.shared.counters.started, 1);
        self.step(&mut hot, now, None);
        let is_running = hot.execution.outcome().is_none();
        let nested = hot.about.nested.clone().filter(|_| is_running);
        self.put_hot(hot);
        if let Some(nested) = nested {
            self.link_nested(&nested, id);
        }
        Ok(Started {
            arn,
            start_date: now,
            is_new: true,
        })
    }

    /// The execution of a beginning, not yet run.
    pub(super) fn execution_of(&self, program: &Program, stored: CoreStart) -> Execution {
        stored.begin(program, Arc::clone(&self.shared.tokens))
    }

    pub(super) fn new_row(&mut self) -> RowId {
        let row = self.next_row;
        self.next_row += 1;
        row
    }

    fn namesake(&mut self, arn: &Arc<str>) -> rusqlite::Result<Option<Namesake>> {
        if let Some(hot) = self.arns.get(arn).and_then(|row| self.hot.get(row)) {
            let start = hot.execution.start_parameters();
            return Ok(Some(Namesake {
                is_running: hot.execution.outcome().is_none(),
                started: milliseconds(start.now, false),
                input: input_text(start),
            }));
        }
        let sql = "SELECT status, started, start FROM executions WHERE arn = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![arn], |row| {
            let stored: CoreStart = crate::database::row::decoded(row.get_ref(2)?.as_blob()?)?;
            Ok(Namesake {
                is_running: row.get::<_, i64>(0)? == 0,
                started: row.get(1)?,
                input: stored.input_text(),
            })
        });
        found.optional()
    }

    /// Writes a child of a Map Run down; it begins when there is room. One that is there already goes on.
    pub(super) fn ask_for_child(&mut self, hot: &mut Hot, child: ChildExecution, now: Timestamp) {
        let effect = child.id;
        if hot.children.contains_key(&effect) {
            return;
        }
        let row = self.new_row();
        hot.children.insert(effect, row);
        let about = About {
            root: Some(hot.root()),
            revision: Arc::clone(&hot.about.revision),
            mock_test_case: hot.about.mock_test_case.clone(),
            ..About::default()
        };
        let identity = &child.start.identity;
        let arn: Arc<str> = identity.execution_arn().into();
        let name = identity.execution_name().to_owned();
        let item_count = child.item_count;
        let earlier = self.earlier_run(hot, &arn);
        let stored = CoreStart::Child(Box::new(child));
        self.operations.push(Operation::Begin(Box::new(NewRow {
            id: row,
            name,
            machine: labelled_machine(&arn),
            version: None,
            alias: None,
            map_run: map_run_of(&hot.execution, &arn),
            item_count: Some(item_count as i64),
            definition: hot.definition,
            started: milliseconds(now, false),
            parent: Some((hot.id, effect.0)),
            first: self.next_record,
            start: encoded(&stored),
            about: encoded(&about),
            earlier,
            arn,
        })));
        let CoreStart::Child(child) = stored else {
            return;
        };
        let waiting = WaitingChild {
            parent: hot.id,
            program: hot.execution.program().clone(),
            definition: hot.definition,
            child,
            about,
        };
        self.waiting_children.insert(row, waiting);
    }

    /// The run of a child that it had before, where it begins again. Only what was taken up, as for a redrive, can have had it.
    fn earlier_run(&mut self, parent: &Hot, arn: &str) -> Option<EarlierRun> {
        if !parent.was_kept {
            return None;
        }
        let id = self.find(arn)?;
        self.set_aside.remove(&id);
        Some(EarlierRun { id })
    }

    pub(super) fn may_begin_child(&self) -> bool {
        !self.waiting_children.is_empty() && self.active() < self.shared.options.max_in_memory
    }

    /// Lets children begin, as far as there is room.
    pub(super) fn begin_children(&mut self, now: Timestamp) {
        for _ in 0..super::ROUND {
            if !self.may_begin_child() {
                return;
            }
            let Some((row, waiting)) = self.waiting_children.pop_first() else {
                return;
            };
            let hot = self.begin_child(row, waiting, now);
            self.put_hot(hot);
        }
    }

    /// Lets a child begin.
    pub(super) fn begin_child(
        &mut self,
        row: RowId,
        waiting: WaitingChild,
        now: Timestamp,
    ) -> Box<Hot> {
        let (parent, effect) = (waiting.parent, waiting.child.id);
        let execution = self.execution_of(&waiting.program, CoreStart::Child(waiting.child));
        let mut hot = Hot::new(row, waiting.definition, execution, waiting.about);
        hot.parent = Some((parent, effect));
        self.step(&mut hot, now, None);
        hot
    }
}

/// The state machine's ARN with the label of the Map State, from the ARN of a child.
fn labelled_machine(arn: &str) -> String {
    let machine = arn.rsplit_once(':').map_or(arn, |(machine, _)| machine);
    machine.replacen(":execution:", ":stateMachine:", 1)
}

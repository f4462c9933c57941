// The AWS SDK for JavaScript, version 3, against the API of AWS Step Functions, as the environment names it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as api from "@aws-sdk/client-sfn";

const ROLE = "arn:aws:iam::000000000000:role/clients";
const TRIES_UNTIL_ENDED = 600;

// The environment turns the prefix of host names off for others; this SDK wants it said here.
const client = new api.SFN({ disableHostPrefix: true, maxAttempts: 1 });

function definition(name, substitutions = {}) {
  const text = readFileSync(new URL(`${process.env.DEFINITIONS}/${name}.asl.json`, "file:"), "utf8");
  return text.replace(/\$\{(\w+)\}/g, (_, key) => substitutions[key]);
}

async function create(name, text, members = {}) {
  return (await client.createStateMachine({ name, definition: text, roleArn: ROLE, ...members })).stateMachineArn;
}

async function start(stateMachineArn, name, value) {
  return (await client.startExecution({ stateMachineArn, name, input: JSON.stringify(value) })).executionArn;
}

async function ended(executionArn) {
  for (let tried = 0; tried < TRIES_UNTIL_ENDED; tried++) {
    const execution = await client.describeExecution({ executionArn });
    if (execution.status !== "RUNNING") return execution;
    await sleep(50);
  }
  throw new Error(`${executionArn} still runs`);
}

async function executionsAndTheirHistory() {
  const machine = await create("orders", definition("orders"));
  const executionArn = await start(machine, "one", { items: [...Array(30).keys()] });
  const execution = await ended(executionArn);
  assert.equal(execution.status, "SUCCEEDED");
  assert.ok(execution.startDate instanceof Date);
  assert.deepEqual(JSON.parse(execution.output)[29], { price: 30 });
  const events = [];
  let pages = 0;
  for await (const page of api.paginateGetExecutionHistory({ client, pageSize: 25 }, { executionArn })) {
    events.push(...page.events);
    pages += 1;
  }
  assert.equal(pages, Math.ceil(events.length / 25));
  assert.deepEqual(events.map((event) => event.id), events.map((_, index) => index + 1));
  assert.equal(events.at(-1).type, "ExecutionSucceeded");
}

async function activities() {
  const { activityArn } = await client.createActivity({ name: "approvals" });
  const machine = await create("worker", definition("worker", { Activity: activityArn }));
  const poll = client.getActivityTask({ activityArn, workerName: "w" });
  await sleep(300); // The poll is there before the task.
  const executionArn = await start(machine, "long-poll", { amount: 7 });
  const { taskToken, input } = await poll;
  assert.deepEqual(JSON.parse(input), { amount: 7 });
  await client.sendTaskHeartbeat({ taskToken });
  await client.sendTaskSuccess({ taskToken, output: '{"approved": true}' });
  assert.deepEqual(JSON.parse((await ended(executionArn)).output), { approved: true });
  await assert.rejects(client.sendTaskSuccess({ taskToken, output: "{}" }), api.TaskTimedOut);
  await client.deleteActivity({ activityArn });
  await assert.rejects(client.describeActivity({ activityArn }), api.ActivityDoesNotExist);
}

async function tokenOf(executionArn) {
  for (let tried = 0; tried < TRIES_UNTIL_ENDED; tried++) {
    try {
      return JSON.parse((await client.describeExecution({ executionArn })).input).token;
    } catch (error) {
      if (!(error instanceof api.ExecutionDoesNotExist)) throw error;
      await sleep(50);
    }
  }
  throw new Error(`${executionArn} was not started`);
}

async function callbacks() {
  const keep = await create("keep", definition("keep"));
  const machine = await create("callback", definition("callback", { Keep: keep }));
  const child = keep.replace(":stateMachine:", ":execution:");
  const accepted = await start(machine, "accepted", {});
  await client.sendTaskSuccess({ taskToken: await tokenOf(`${child}:accepted`), output: '{"answer": 42}' });
  assert.deepEqual(JSON.parse((await ended(accepted)).output), { answer: 42 });
  const refused = await start(machine, "refused", {});
  await client.sendTaskFailure({ taskToken: await tokenOf(`${child}:refused`), error: "Refused", cause: "too dear" });
  assert.deepEqual(JSON.parse((await ended(refused)).output), { refusal: { Error: "Refused", Cause: "too dear" } });
}

async function express() {
  const stateMachineArn = await create("sum", definition("sum"), { type: "EXPRESS" });
  const done = await client.startSyncExecution({ stateMachineArn, input: '{"numbers": [1, 2, 3]}' });
  assert.deepEqual([done.status, JSON.parse(done.output)], ["SUCCEEDED", { sum: 6 }]);
  const failed = await client.startSyncExecution({ stateMachineArn, input: '{"numbers": []}' });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "Empty"]);
}

async function errors() {
  const stateMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:unknown";
  await assert.rejects(client.describeStateMachine({ stateMachineArn }), api.StateMachineDoesNotExist);
  await assert.rejects(client.describeExecution({ executionArn: "none" }), api.InvalidArn);
  await assert.rejects(create("broken", "{}"), api.InvalidDefinition);
  await assert.rejects(client.sendTaskHeartbeat({ taskToken: "none" }), api.InvalidToken);
  await assert.rejects(client.listActivities({ maxResults: 1001 }), api.ValidationException);
}

async function versionsAndAliases() {
  const machine = await create("versions", definition("keep"), { tags: [{ key: "team", value: "a" }] });
  const { stateMachineVersionArn } = await client.publishStateMachineVersion({ stateMachineArn: machine });
  assert.equal(stateMachineVersionArn, `${machine}:1`);
  const routingConfiguration = [{ stateMachineVersionArn, weight: 100 }];
  const { stateMachineAliasArn } = await client.createStateMachineAlias({ name: "live", routingConfiguration });
  const execution = await ended(await start(stateMachineAliasArn, "by-alias", {}));
  assert.deepEqual([execution.stateMachineVersionArn, execution.stateMachineAliasArn], [stateMachineVersionArn, stateMachineAliasArn]);
  await assert.rejects(client.deleteStateMachineVersion({ stateMachineVersionArn }), api.ConflictException);
  await client.tagResource({ resourceArn: machine, tags: [{ key: "team", value: "b" }] });
  assert.deepEqual((await client.listTagsForResource({ resourceArn: machine })).tags, [{ key: "team", value: "b" }]);
}

for (const conversation of [executionsAndTheirHistory, activities, callbacks, express, errors, versionsAndAliases]) {
  await conversation();
}

// Runs a state machine in WebAssembly with Node.js: node demo.mjs playground.wasm
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, allocate, run, answer } = instance.exports;

function execute(request) {
  const text = new TextEncoder().encode(JSON.stringify(request));
  // Calls may replace the buffer of a memory that grows: first the place, then the buffer.
  const place = allocate(text.length);
  new Uint8Array(memory.buffer, place, text.length).set(text);
  const length = run();
  const result = new Uint8Array(memory.buffer, answer(), length);
  return JSON.parse(new TextDecoder().decode(result));
}

const definition = {
  StartAt: "Charge",
  States: {
    Charge: { Type: "Task", Resource: "charge-card", ResultPath: "$.receipt", Next: "Wait a day" },
    "Wait a day": { Type: "Wait", Seconds: 86400, Next: "Large?" },
    "Large?": {
      Type: "Choice",
      Choices: [{ Variable: "$.receipt.total", NumericGreaterThan: 100, Next: "Thank" }],
      Default: "Done",
    },
    Thank: { Type: "Task", Resource: "send-mail", ResultPath: "$.mail", Next: "Done" },
    Done: { Type: "Succeed", OutputPath: "$.receipt" },
  },
};

const started = performance.now();
const request = { definition, input: { id: "order-7" }, tasks: { Charge: { total: 250 }, Thank: {} } };
const result = execute(request);
console.log(`a day of waiting took ${(performance.now() - started).toFixed(1)} ms`);
console.log(`status: ${result.status}, output: ${JSON.stringify(result.output)}`);
for (const call of result.calls) console.log(`${call.state} was called with ${JSON.stringify(call.payload)}`);
console.log(result.graph);

// A definition with a fault: where it is, and what to do.
const refused = execute({ ...request, definition: { ...definition, StartAt: "Chrage" } });
console.log(refused.error);

const isRight = result.status === "SUCCEEDED" && result.output.total === 250 && result.calls.length === 2;
process.exit(isRight && refused.error.includes("Chrage") ? 0 : 1);

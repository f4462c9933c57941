// Measures one expression with the npm package jsonata. A request on stdin, an answer on stdout, both JSON:
// {module, expression, text, seconds} and {result, seconds: {evaluate, parseAndEvaluate}}.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const request = JSON.parse(readFileSync(0, 'utf8'));
const jsonata = createRequire(import.meta.url ?? 'file:///')(request.module);
const expression = jsonata(request.expression);
const input = JSON.parse(request.text);

// Seconds of one call: the median of repetitions of at least 20 ms, until the time is up.
async function median(call) {
  const once = await timed(call, 3);
  const runs = Math.max(1, Math.min(20000, Math.ceil(0.02 / once)));
  const samples = [];
  const begun = performance.now();
  do {
    samples.push(await timed(call, runs));
  } while (samples.length < 20 && performance.now() - begun < request.seconds * 1000);
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1];
}

async function timed(call, runs) {
  const begun = performance.now();
  for (let run = 0; run < runs; run++) await call();
  return (performance.now() - begun) / 1000 / runs;
}

const result = await expression.evaluate(input);
const evaluate = await median(() => expression.evaluate(input));
const parseAndEvaluate = await median(() => expression.evaluate(JSON.parse(request.text)));
console.log(JSON.stringify({ result, seconds: { evaluate, parseAndEvaluate } }));

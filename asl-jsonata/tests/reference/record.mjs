// Writes into the case files beside this script what the reference implementation makes of their expressions:
//   node record.mjs PATH_OF_THE_JSONATA_MODULE
// Each case names an expression and one of the inputs of its file.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// A timestamp without a zone is of the local one.
process.env.TZ = 'UTC';

const [, , path] = process.argv;
if (!path) {
  console.error('usage: node record.mjs PATH_OF_THE_JSONATA_MODULE');
  process.exit(2);
}
const jsonata = createRequire(import.meta.url)(resolve(path));
const folder = dirname(fileURLToPath(import.meta.url));

async function outcome(expression, input) {
  try {
    const value = await jsonata(expression).evaluate(input);
    return value === undefined ? { undefined: true } : { value };
  } catch (error) {
    if (!error.code) {
      throw new Error(`${expression}: ${error.message}`);
    }
    return { code: error.code, message: error.message };
  }
}

for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const file = join(folder, name);
  const { inputs, cases } = JSON.parse(readFileSync(file, 'utf8'));
  const lines = [];
  for (const { expression, input } of cases) {
    // A copy, since the reference may change its input.
    const copy = structuredClone(inputs[input]);
    const recorded = await outcome(expression, copy);
    lines.push(`    ${JSON.stringify({ expression, input, ...recorded })}`);
  }
  const documents = Object.entries(inputs).map(
    ([name, input]) => `    ${JSON.stringify(name)}: ${JSON.stringify(input)}`,
  );
  writeFileSync(
    file,
    `{\n  "inputs": {\n${documents.join(',\n')}\n  },\n  "cases": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
}

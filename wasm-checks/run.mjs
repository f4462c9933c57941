// Runs WebAssembly programs, and holds their sizes to those of sizes.json: node run.mjs FOLDER
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
const sizes = JSON.parse(readFileSync(new URL("sizes.json", import.meta.url)));
const found = {};
let isGood = true;
const fail = (message) => {
  console.error(message);
  isGood = false;
};

for (const [name, most] of Object.entries(sizes)) {
  const bytes = readFileSync(`${folder}/${name}.wasm`);
  found[name] = { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  const started = performance.now();
  try {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    const status = instance.exports.main(0, 0);
    if (status !== 0) fail(`${name}: ended with the status ${status}`);
  } catch (error) {
    fail(`${name}: ${error}`);
  }
  const { raw, gzip } = found[name];
  const milliseconds = Math.round(performance.now() - started);
  console.log(`${name.padEnd(16)} ${String(raw).padStart(9)} bytes ${String(gzip).padStart(9)} with gzip ${milliseconds} ms`);
  for (const kind of ["raw", "gzip"]) {
    // A few per cent are left to compilers.
    if (found[name][kind] > most[kind] * 1.03) {
      fail(`${name}: ${found[name][kind]} bytes (${kind}), more than ${most[kind]}: make it smaller, or allow more in sizes.json`);
    }
  }
}
if (process.env.UPDATE_EXPECT) console.log(JSON.stringify(found, null, 2));
process.exit(isGood ? 0 : 1);

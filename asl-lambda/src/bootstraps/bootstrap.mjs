// Runs a Lambda function of Node.js: asks the Runtime API (2018-06-01) for events, and gives them to the handler.
import { existsSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import { createRequire, register } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const API = '/2018-06-01/runtime';
const { env } = process;
const colon = env.AWS_LAMBDA_RUNTIME_API.lastIndexOf(':');
const [host, port] = [env.AWS_LAMBDA_RUNTIME_API.slice(0, colon), env.AWS_LAMBDA_RUNTIME_API.slice(colon + 1)];
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

// A fault with the name that Lambda gives it.
class FunctionFault extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
    // Where this program found it helps nobody.
    this.stack = `${name}: ${message}`;
  }
}

function exchange(method, path, body) {
  return new Promise((done) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const request = http.request({ host, port, method, path: API + path, agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => done({ headers: response.headers, body: Buffer.concat(parts).toString() }));
    });
    // The process that started this one has ended.
    request.on('error', () => process.exit(1));
    request.end(body);
  });
}

// The host holds the other end of the standard input; it is closed when the host ends, however it does.
function endWithTheHost() {
  process.stdin.on('end', () => process.exit(1));
  process.stdin.on('error', () => process.exit(1));
  process.stdin.resume();
  process.stdin.unref?.();
}

// Modules that only NODE_PATH has are found by `import` too.
function importFromNodePath() {
  if (!env.NODE_PATH || !register) return;
  const source = `
    import { createRequire } from 'node:module';
    import { pathToFileURL } from 'node:url';
    const folders = process.env.NODE_PATH.split(process.platform === 'win32' ? ';' : ':').filter(Boolean);
    export async function resolve(name, context, next) {
      try {
        return await next(name, context);
      } catch (error) {
        if (error.code !== 'ERR_MODULE_NOT_FOUND' || /^[./]|^[a-z]+:/.test(name)) throw error;
        for (const folder of folders) {
          try {
            return await next(name, { ...context, parentURL: pathToFileURL(folder + '/../index.mjs').href });
          } catch {}
          try {
            return { url: pathToFileURL(createRequire(folder + '/index.js').resolve(name)).href, shortCircuit: true };
          } catch {}
        }
        throw error;
      }
    }`;
  register(`data:text/javascript,${encodeURIComponent(source)}`);
}

function isEsModule(file) {
  if (file.endsWith('.mjs') || file.endsWith('.mts')) return true;
  if (file.endsWith('.cjs') || file.endsWith('.cts')) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const described = join(folder, 'package.json');
    if (existsSync(described)) return JSON.parse(readFileSync(described, 'utf8')).type === 'module';
    if (folder === dirname(folder) || basename(folder) === 'node_modules') return false;
  }
}

async function loadModule(path) {
  const isFile = (file) => existsSync(file) && statSync(file).isFile();
  const file = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'].map((ending) => path + ending).find(isFile);
  const name = basename(path);
  if (!file) throw new FunctionFault('Runtime.ImportModuleError', `Error: Cannot find module '${name}'`);
  try {
    if (!isEsModule(file) && !/\.[cm]?ts$/.test(file)) return createRequire(file)(file);
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (error instanceof SyntaxError) throw new FunctionFault('Runtime.UserCodeSyntaxError', `SyntaxError: ${error.message}`);
    const isMissing = error?.code === 'MODULE_NOT_FOUND' || error?.code === 'ERR_MODULE_NOT_FOUND';
    if (isMissing) throw new FunctionFault('Runtime.ImportModuleError', `Error: ${error.message}`);
    throw error;
  }
}

async function loadHandler(handler) {
  if (handler.includes('..')) {
    throw new FunctionFault('Runtime.MalformedHandlerName', `'${handler}' is not a valid handler name. Use absolute paths when specifying root directories in handler names.`);
  }
  const name = basename(handler);
  const dot = name.indexOf('.');
  if (dot <= 0) throw new FunctionFault('Runtime.MalformedHandlerName', 'Bad handler');
  const folder = handler.slice(0, handler.length - name.length);
  const module = await loadModule(resolve(env.LAMBDA_TASK_ROOT, folder, name.slice(0, dot)));
  const names = name.slice(dot + 1).split('.');
  const find = (from) => names.reduce((object, member) => object?.[member], from);
  const found = find(module) ?? find(module.default);
  if (found === undefined) throw new FunctionFault('Runtime.HandlerNotFound', `${handler} is undefined or not exported`);
  if (typeof found !== 'function') throw new FunctionFault('Runtime.HandlerNotFound', `${handler} is not a function`);
  return found;
}

// The body of an error as Lambda writes it.
function errorBody(error) {
  const isError = error instanceof Error || (error && typeof error === 'object' && 'message' in error && 'stack' in error);
  const body = isError
    ? { errorType: error.name, errorMessage: error.message, trace: String(error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };
  console.error(isError ? error : `${body.errorType}: ${body.errorMessage}`);
  return JSON.stringify(body);
}

let current;

function answer(invocation, ending, body) {
  if (invocation.isAnswered) return;
  invocation.isAnswered = true;
  current = undefined;
  exchange('POST', `/invocation/${invocation.id}/${ending}`, body).then(next);
}

function fail(invocation, error) {
  answer(invocation, 'error', errorBody(error));
}

function succeed(invocation, result) {
  let body;
  try {
    body = JSON.stringify(result === undefined ? null : result) ?? 'null';
  } catch (error) {
    return fail(invocation, new FunctionFault('Runtime.MarshalError', `Unable to stringify response body: ${error.message}`));
  }
  answer(invocation, 'response', body);
}

function contextOf(invocation, headers) {
  const parsed = (name) => (headers[name] ? JSON.parse(headers[name]) : undefined);
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  const done = (error, result) => (error === undefined || error === null ? succeed(invocation, result) : fail(invocation, error));
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    awsRequestId: invocation.id,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    clientContext: parsed('lambda-runtime-client-context'),
    identity: parsed('lambda-runtime-cognito-identity'),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done,
    succeed: (result) => succeed(invocation, result),
    fail: (error) => fail(invocation, error ?? 'handled'),
  };
}

function callHandler(invocation, context, event) {
  const callback = (error, result) => {
    if (invocation.isCalledBack) return;
    invocation.isCalledBack = true;
    const end = () => (error === undefined || error === null ? succeed(invocation, result) : fail(invocation, error));
    // The answer waits until nothing is left to do, but for errors.
    const waits = context.callbackWaitsForEmptyEventLoop && (error === undefined || error === null);
    if (waits) invocation.whenIdle = end;
    else end();
  };
  const result = handler(event, context, callback);
  if (typeof result?.then === 'function') {
    invocation.isAsync = true;
    result.then((value) => succeed(invocation, value), (error) => fail(invocation, error));
  }
}

// Nothing is left to do, and the handler has not answered.
process.on('beforeExit', () => {
  const invocation = current;
  if (!invocation) return;
  if (invocation.whenIdle) return invocation.whenIdle();
  if (!invocation.isAsync) return succeed(invocation, null);
  fail(invocation, new FunctionFault('Runtime.NodeJsExit', 'The event loop is empty, and the promise of the handler is not settled'));
});

function endWith(name, error) {
  const fault = new FunctionFault(name, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  fault.stack = error?.stack ?? fault.stack;
  const body = errorBody(fault);
  const path = current ? `/invocation/${current.id}/error` : '/init/error';
  exchange('POST', path, body).then(() => process.exit(current ? 129 : 1));
}

process.on('uncaughtException', (error) => {
  const invocation = current;
  if (!invocation) return endWith('Runtime.UnhandledError', error);
  exchange('POST', `/invocation/${invocation.id}/error`, errorBody(error)).then(() => process.exit(129));
});
process.on('unhandledRejection', (error) => endWith('Runtime.UnhandledPromiseRejection', error));

async function next() {
  const { headers, body } = await exchange('GET', '/invocation/next');
  const invocation = { id: headers['lambda-runtime-aws-request-id'] };
  current = invocation;
  const trace = headers['lambda-runtime-trace-id'];
  if (trace) env._X_AMZN_TRACE_ID = trace;
  else delete env._X_AMZN_TRACE_ID;
  try {
    callHandler(invocation, contextOf(invocation, headers), JSON.parse(body));
  } catch (error) {
    fail(invocation, error);
  }
}

endWithTheHost();
importFromNodePath();
let handler;
try {
  handler = await loadHandler(env._HANDLER);
} catch (error) {
  await exchange('POST', '/init/error', errorBody(error));
  process.exit(1);
}
next();

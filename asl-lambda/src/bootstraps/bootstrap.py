"""Runs a Lambda function of Python: asks the Runtime API (2018-06-01) for events, and gives them to the handler."""
import http.client
import importlib
import json
import logging
import os
import sys
import threading
import time
import traceback
from decimal import Decimal

API = "/2018-06-01/runtime"
OWN_FILE = __file__


class FunctionFault(Exception):
    """A fault with the name that Lambda gives it."""

    def __init__(self, name, message, frames=()):
        super().__init__(message)
        self.name, self.message, self.frames = name, message, frames


class ClientContext:
    """The client context, whose members are read as attributes."""

    def __init__(self, told):
        self.custom, self.env = told.get("custom"), told.get("env")
        client = told.get("client")
        self.client = Attributes(client) if client else None


class Attributes:
    def __init__(self, members):
        self.__dict__.update(members)


class Identity:
    def __init__(self, told):
        self.cognito_identity_id = told.get("cognitoIdentityId")
        self.cognito_identity_pool_id = told.get("cognitoIdentityPoolId")


class Context:
    """What a handler is told of its invocation."""

    def __init__(self, headers):
        self.aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
        self.invoked_function_arn = headers["Lambda-Runtime-Invoked-Function-Arn"]
        self._deadline = int(headers["Lambda-Runtime-Deadline-Ms"])
        self.function_name = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
        self.function_version = os.environ["AWS_LAMBDA_FUNCTION_VERSION"]
        self.memory_limit_in_mb = os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]
        self.log_group_name = os.environ["AWS_LAMBDA_LOG_GROUP_NAME"]
        self.log_stream_name = os.environ["AWS_LAMBDA_LOG_STREAM_NAME"]
        client = headers["Lambda-Runtime-Client-Context"]
        self.client_context = ClientContext(json.loads(client)) if client else None
        self.identity = Identity(json.loads(headers["Lambda-Runtime-Cognito-Identity"] or "{}"))

    def get_remaining_time_in_millis(self):
        return max(0, self._deadline - int(time.time() * 1000))

    def log(self, message):
        sys.stdout.write(str(message))


class ApiClient:
    """The Runtime API, by one connection. Each message is sent at once: two packets would wait for each other."""

    def __init__(self, address):
        self._connection = http.client.HTTPConnection(address)

    def next(self):
        return self._exchange("GET", "/invocation/next")

    def post(self, path, body):
        self._exchange("POST", path, body)

    def _exchange(self, method, path, body=None):
        try:
            self._connection.request(method, API + path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            return response.headers, response.read()
        except (OSError, http.client.HTTPException):
            # The process that started this one has ended.
            os._exit(1)


def end_with_the_host():
    """The host holds the other end of the standard input; it is closed when the host ends, however it does."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def prepare_output():
    sys.stdout.reconfigure(line_buffering=True)
    sys.stderr.reconfigure(line_buffering=True)
    # Lambda gives the root logger a handler too: a function sets levels alone.
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("[%(levelname)s]\t%(message)s"))
    logging.getLogger().addHandler(handler)


def load_handler(name):
    module, _, function = name.rpartition(".")
    if not module:
        message = f"Bad handler '{name}': not enough values to unpack (expected 2, got 1)"
        raise FunctionFault("Runtime.MalformedHandlerName", message)
    module = module.replace("/", ".")
    if module.partition(".")[0] in sys.builtin_module_names:
        message = f"Cannot use built-in module {module} as a handler module"
        raise FunctionFault("Runtime.BuiltInModuleConflict", message)
    try:
        loaded = importlib.import_module(module)
    except ImportError as error:
        message = f"Unable to import module '{module}': {error}"
        raise FunctionFault("Runtime.ImportModuleError", message) from error
    except SyntaxError as error:
        message = f"Syntax error in module '{module}': {error}"
        frames = [f'  File "{error.filename}" Line {error.lineno}\n    {error.text}']
        raise FunctionFault("Runtime.UserCodeSyntaxError", message, frames) from error
    try:
        return getattr(loaded, function)
    except AttributeError as error:
        message = f"Handler '{function}' missing on module '{module}'"
        raise FunctionFault("Runtime.HandlerNotFound", message) from error


def told_of(error, request_id):
    """Returns the body of an error as Lambda writes it."""
    if isinstance(error, FunctionFault):
        name, message, frames = error.name, error.message, list(error.frames)
    else:
        name, message = type(error).__name__, str(error)
        trace = traceback.extract_tb(error.__traceback__)
        frames = traceback.format_list([
            frame for frame in trace
            if frame.filename != OWN_FILE and not frame.filename.startswith("<frozen importlib")
        ])
    lines = [f"[ERROR] {name}: {message}\n"]
    if frames:
        lines += ["Traceback (most recent call last):\n", *frames]
    print("".join(lines).rstrip("\n"))
    return {"errorMessage": message, "errorType": name, "requestId": request_id, "stackTrace": frames}


def to_json(value):
    return json.dumps(value, ensure_ascii=False, default=plain).encode()


def plain(value):
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def invoked(handler, event, context):
    """Returns the end of the path to post to, and the body."""
    try:
        try:
            event = json.loads(event)
        except ValueError as error:
            message = f"Unable to unmarshal input: {error}"
            raise FunctionFault("Runtime.UnmarshalError", message) from error
        result = handler(event, context)
        try:
            return "response", to_json(result)
        except (TypeError, ValueError, RecursionError) as error:
            message = f"Unable to marshal response: {error}"
            raise FunctionFault("Runtime.MarshalError", message) from error
    except Exception as error:
        return "error", to_json(told_of(error, context.aws_request_id))


def main():
    threading.Thread(target=end_with_the_host, daemon=True).start()
    prepare_output()
    api = ApiClient(os.environ["AWS_LAMBDA_RUNTIME_API"])
    # The folder of this file is none of the function's.
    sys.path[0] = os.environ["LAMBDA_TASK_ROOT"]
    try:
        handler = load_handler(os.environ["_HANDLER"])
    except Exception as error:
        api.post("/init/error", to_json(told_of(error, "")))
        sys.exit(1)
    while True:
        headers, event = api.next()
        trace = headers["Lambda-Runtime-Trace-Id"]
        if trace:
            os.environ["_X_AMZN_TRACE_ID"] = trace
        else:
            os.environ.pop("_X_AMZN_TRACE_ID", None)
        context = Context(headers)
        ending, body = invoked(handler, event, context)
        sys.stdout.flush()
        api.post(f"/invocation/{context.aws_request_id}/{ending}", body)


main()

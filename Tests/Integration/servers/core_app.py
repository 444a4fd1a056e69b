"""graphql-core behind a strict endpoint of GraphQL over HTTP.

It answers application/graphql-response+json with statuses that mean something, negotiates the type, and makes answers
to GET fit for caches. graphql-core decides the format of incremental delivery: 3.3.0a6 speaks the older one, 3.3.2 the
current one. Either is given to those clients alone that Apollo Server with that format gives it to. /graphql may be
kept for a minute, /revalidated/graphql must be asked about each time.
"""

import hashlib
import inspect
import json

import graphql
import graphql.execution
from graphql import GraphQLError, get_operation_ast, parse, validate
from starlette.applications import Starlette
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

import negotiation
import sdl

execute = graphql.execution.experimental_execute_incrementally
schema = sdl.executable(incremental=True)
# The texts of persisted queries, by the test that sent them and their hash.
texts: dict[tuple[str, str], str] = {}

STRICT = "application/graphql-response+json"


class RequestError(Exception):
    """An answer without data, before anything was executed."""

    def __init__(self, message, status=400, **extensions):
        self.errors = [{"message": message, **({"extensions": extensions} if extensions else {})}]
        self.status = status


def accepted_types(request) -> list[str]:
    return [entry.split(";")[0].strip().lower() for entry in request.headers.get("accept", "*/*").split(",")]


async def parameters(request) -> dict:
    if request.method == "GET":
        query = request.query_params
        json_fields = {name: json.loads(query[name]) for name in ("variables", "extensions") if query.get(name)}
        return {"query": query.get("query"), "operationName": query.get("operationName"), **json_fields}
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise RequestError("the body must be JSON", 415)
    body = await request.json()
    if not isinstance(body, dict):
        raise RequestError("the body must be an object")
    return body


def text_of(body: dict, mark: str) -> str:
    query, persisted = body.get("query"), (body.get("extensions") or {}).get("persistedQuery")
    if persisted:
        digest = persisted["sha256Hash"]
        key = (mark, digest)
        if query is None:
            if key not in texts:
                raise RequestError("PersistedQueryNotFound", code="PERSISTED_QUERY_NOT_FOUND")
            return texts[key]
        if hashlib.sha256(query.encode()).hexdigest() != digest:
            raise RequestError("provided sha does not match query", code="BAD_REQUEST")
        texts[key] = query
    if not isinstance(query, str):
        raise RequestError("there is no query")
    return query


def operation_of(body: dict, request):
    document = parse(text_of(body, request.headers.get("x-mark", "")))
    if errors := validate(schema, document):
        error = RequestError("invalid")
        error.errors = [one.formatted for one in errors]
        raise error
    operation = get_operation_ast(document, body.get("operationName"))
    if operation is None:
        raise RequestError("there is no such operation")
    if request.method == "GET" and operation.operation.value != "query":
        raise RequestError("only queries may be sent with GET", 405)
    if operation.operation.value == "subscription":
        raise RequestError("this server has no subscriptions")
    return document


async def endpoint(request):
    types = accepted_types(request)
    is_strict = bool({STRICT, "application/*"} & set(types))
    if not is_strict and not {"application/json", "*/*", "multipart/mixed"} & set(types):
        return Response(status_code=406)
    media_type = STRICT if is_strict else "application/json"

    def reply(payload, status=200):
        keeps_status = is_strict or "data" in payload or status == 406
        return Response(
            json.dumps(payload), status if keeps_status else 200, media_type=f"{media_type}; charset=utf-8"
        )

    try:
        body = await parameters(request)
        document = operation_of(body, request)
        result = execute(
            schema, document, variable_values=body.get("variables"), operation_name=body.get("operationName")
        )
        if inspect.isawaitable(result):
            result = await result
    except RequestError as error:
        return reply({"errors": error.errors}, error.status)
    except GraphQLError as error:
        return reply({"errors": [error.formatted]}, 400)
    except ValueError:
        return reply({"errors": [{"message": "malformed JSON"}]}, 400)

    if hasattr(result, "initial_result"):
        is_old = not hasattr(result.initial_result, "pending")
        if message := negotiation.refusal(request.headers.get("accept", ""), is_old):
            return reply({"errors": [{"message": message}]}, 406)
        return StreamingResponse(parts(result), media_type='multipart/mixed; boundary="-"')
    payload = result.formatted
    if payload.get("data") is None and not any(error.get("path") for error in payload.get("errors", [])):
        return reply({"errors": payload.get("errors", [])}, 400)  # a variable of the wrong type
    response = reply(payload)
    return cacheable(request, response) if request.method == "GET" and "errors" not in payload else response


async def parts(result):
    def part(payload):
        return f"\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{json.dumps(payload)}"

    yield part(result.initial_result.formatted)
    async for payload in result.subsequent_results:
        yield part(payload.formatted)
    yield "\r\n-----\r\n"


def cacheable(request, response):
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:16]}"'
    age = "no-cache" if request.url.path.startswith("/revalidated") else "public, max-age=60"
    fields = {"Cache-Control": age, "ETag": tag, "Vary": "Accept"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=fields)
    response.headers.update(fields)
    return response


app = Starlette(
    routes=[Route(path, endpoint, methods=["GET", "POST"]) for path in ("/graphql", "/revalidated/graphql")]
)

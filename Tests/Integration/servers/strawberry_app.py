"""strawberry-graphql under FastAPI: batches, persisted queries, both socket protocols, event streams, multipart
subscriptions, uploads, and the current format of @defer and @stream.

/guarded/graphql wants the newest token that POST /token has made for a test. /busy/graphql refuses the first request of
a test with 503 and a time to wait.
"""

import hashlib
from collections import Counter
from enum import Enum
from typing import AsyncGenerator, Optional

import strawberry
from fastapi import Depends, FastAPI, HTTPException
from graphql import GraphQLError, build_schema
from graphql.utilities import find_breaking_changes
from strawberry.extensions import SchemaExtension
from strawberry.fastapi import GraphQLRouter
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from starlette.requests import HTTPConnection

import harbour
import sdl


@strawberry.enum
class ShipKind(Enum):
    FERRY = "FERRY"
    FREIGHTER = "FREIGHTER"
    TUG = "TUG"


@strawberry.interface
class Node:
    id: strawberry.ID

    @classmethod
    def resolve_type(cls, value, info, type):
        return value.__class__.__name__


@strawberry.type
class Crate(Node):
    label: str

    @classmethod
    def is_type_of(cls, value, info):
        return isinstance(value, harbour.Crate)


@strawberry.type
class Ship(Node):
    name: str

    @classmethod
    def is_type_of(cls, value, info):
        return isinstance(value, harbour.Ship)

    @strawberry.field
    def kind(self) -> ShipKind:
        return ShipKind(self.kind)

    @strawberry.field
    async def log(self, delay: int = 0) -> str:
        return await harbour.log(self, delay)

    @strawberry.field
    def secret(self) -> Optional[str]:
        return harbour.refuse_secret()

    @strawberry.field
    async def wreck(self, delay: int = 0) -> str:
        return await harbour.wreck(self, delay)

    @strawberry.field
    async def cargo(self, delay: int = 0) -> strawberry.Streamable[Crate]:
        async for crate in harbour.cargo(self, delay):
            yield crate


@strawberry.type
class Receipt:
    name: str
    size: int
    digest: str


@strawberry.type
class Query:
    @strawberry.field
    def node(self, id: strawberry.ID) -> Optional[Node]:
        return harbour.node(id)

    @strawberry.field
    def ship(self, id: strawberry.ID) -> Optional[Ship]:
        return harbour.SHIPS.get(id)

    @strawberry.field
    def ships(self) -> list[Ship]:
        return list(harbour.SHIPS.values())

    @strawberry.field
    async def wait(self, delay: int) -> int:
        return await harbour.wait(delay)

    @strawberry.field
    def broken(self) -> int:
        return harbour.fail_at_once()

    @strawberry.field
    def served(self) -> int:
        return harbour.count_served()


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rename(self, id: strawberry.ID, name: str) -> Ship:
        return harbour.rename(id, name)

    @strawberry.mutation
    async def stow(self, files: list[Upload]) -> list[Receipt]:
        return [await harbour.stow(file) for file in files]

    @strawberry.mutation
    async def stow_one(self, file: Upload, note: Optional[str] = None) -> Receipt:
        return await harbour.stow(file)


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def ticks(self, count: int, delay: int = 0, fail_at: int = 0) -> AsyncGenerator[int, None]:
        async for number in harbour.ticks(count, delay, fail_at):
            yield number


class PersistedQueries(SchemaExtension):
    """Automatic persisted queries as Apollo's servers speak them; each test has texts of its own."""

    texts: dict[tuple[str, str], str] = {}

    def on_operation(self):
        context = self.execution_context
        persisted = (context.operation_extensions or {}).get("persistedQuery")
        if persisted:
            digest = persisted["sha256Hash"]
            key = (context.context["request"].headers.get("x-mark", ""), digest)
            if context.query is None:
                if key not in self.texts:
                    raise GraphQLError("PersistedQueryNotFound", extensions={"code": "PERSISTED_QUERY_NOT_FOUND"})
                context.query = self.texts[key]
            elif hashlib.sha256(context.query.encode()).hexdigest() != digest:
                raise GraphQLError("provided sha does not match query")
            else:
                self.texts[key] = context.query
        yield


schema = strawberry.Schema(
    Query,
    Mutation,
    Subscription,
    types=[Ship, Crate],
    extensions=[PersistedQueries],
    config=StrawberryConfig(enable_experimental_incremental_execution=True, batching_config={"max_operations": 10}),
)

if changes := find_breaking_changes(build_schema(sdl.source()), schema._schema):
    raise SystemExit(f"the schema in Python differs from schema.graphql: {changes}")

# The newest token of each test, and the requests that the busy path has had of each.
tokens: Counter[str] = Counter()
visits: Counter[str] = Counter()


def mark_of(connection: HTTPConnection) -> str:
    return connection.headers.get("x-mark", "")


def guard(connection: HTTPConnection):
    """Lets requests with the newest token pass."""
    if connection.headers.get("authorization") != f"Bearer {tokens[mark_of(connection)]}":
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


def hesitate(connection: HTTPConnection):
    """Sends the first request of a test away for a second."""
    visits[mark_of(connection)] += 1
    if visits[mark_of(connection)] == 1:
        raise HTTPException(503, headers={"Retry-After": "1"})


def router(*dependencies) -> GraphQLRouter:
    return GraphQLRouter(
        schema,
        multipart_uploads_enabled=True,
        subscription_protocols=["graphql-transport-ws", "graphql-ws", "graphql-sse", "multipart-subscription"],
        dependencies=[Depends(dependency) for dependency in dependencies],
    )


app = FastAPI()
app.include_router(router(), prefix="/graphql")
app.include_router(router(guard), prefix="/guarded/graphql")
app.include_router(router(hesitate), prefix="/busy/graphql")


@app.post("/token")
def token(connection: HTTPConnection) -> str:
    """Makes a new token; the one before is worth nothing any more."""
    tokens[mark_of(connection)] += 1
    return str(tokens[mark_of(connection)])

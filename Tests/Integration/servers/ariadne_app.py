"""ariadne: 400 with `data: null` under application/json, event streams, graphql-transport-ws, uploads."""

from ariadne import ObjectType, SubscriptionType, InterfaceType, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from ariadne.contrib.sse import GraphQLHTTPSSEHandler
from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute

import sdl


def object_type(name: str, fields: dict) -> ObjectType:
    bindable = ObjectType(name)
    for field, resolve in fields.items():
        bindable.set_field(field, resolve)
    return bindable


mutation = object_type("Mutation", {"stow": sdl.stow, "stowOne": sdl.stow_one})
node = InterfaceType("Node", lambda value, info, type: value.__class__.__name__)
subscription = SubscriptionType()
subscription.set_source("ticks", sdl.ticks)
subscription.set_field("ticks", lambda number, info, **arguments: number)

schema = make_executable_schema(
    sdl.source(),
    *[object_type(name, fields) for name, fields in sdl.RESOLVERS.items()],
    mutation,
    node,
    subscription,
    upload_scalar,
)

graphql = GraphQL(
    schema,
    http_handler=GraphQLHTTPSSEHandler(ping_interval=1),
    websocket_handler=GraphQLTransportWSHandler(),
    execute_get_queries=True,
    introspection=True,
)

app = Starlette(
    routes=[
        Route("/graphql", graphql.handle_request, methods=["GET", "POST", "OPTIONS"]),
        WebSocketRoute("/graphql", graphql.handle_websocket),
    ]
)

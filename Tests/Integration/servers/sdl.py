"""The executable schema of the servers that start from schema.graphql."""

from pathlib import Path

from graphql import GraphQLScalarType, build_schema

import harbour

RESOLVERS = {
    "Query": {
        "node": lambda _, info, id: harbour.node(id),
        "ship": lambda _, info, id: harbour.SHIPS.get(id),
        "ships": lambda _, info: list(harbour.SHIPS.values()),
        "wait": lambda _, info, delay: harbour.wait(delay),
        "broken": lambda _, info: harbour.fail_at_once(),
        "served": lambda _, info: harbour.count_served(),
    },
    "Ship": {
        "log": lambda ship, info, delay: harbour.log(ship, delay),
        "secret": lambda ship, info: harbour.refuse_secret(),
        "wreck": lambda ship, info, delay: harbour.wreck(ship, delay),
        "cargo": lambda ship, info, delay: harbour.cargo(ship, delay),
    },
    "Mutation": {
        "rename": lambda _, info, id, name: harbour.rename(id, name),
    },
}


def source(file: str = "schema.graphql") -> str:
    return (Path(__file__).parent / file).read_text()


def ticks(_, info, count, delay, failAt):
    return harbour.ticks(count, delay, failAt)


async def stow(_, info, files):
    return [await harbour.stow(file) for file in files]


async def stow_one(_, info, file, note=None):
    return await harbour.stow(file)


def executable(incremental: bool):
    schema = build_schema(source() + (source("incremental.graphql") if incremental else ""))
    for type_name, fields in RESOLVERS.items():
        for name, resolve in fields.items():
            schema.type_map[type_name].fields[name].resolve = resolve
    schema.type_map["Mutation"].fields["stow"].resolve = stow
    schema.type_map["Mutation"].fields["stowOne"].resolve = stow_one
    schema.type_map["Node"].resolve_type = lambda value, info, type: value.__class__.__name__
    subscription = schema.type_map["Subscription"].fields["ticks"]
    subscription.subscribe = ticks
    subscription.resolve = lambda number, info, **arguments: number
    return schema

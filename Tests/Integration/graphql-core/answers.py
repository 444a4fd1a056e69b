"""Executes texts in a world whose values follow from hashes: one request and one answer a line, in JSON.

The world is that of Tests/AnswerModel (World.swift). A request has the schema, the text and the variables.
"""

import functools
import json
import sys

import graphql

MASK = (1 << 64) - 1
LENGTHS = [0, 1, 2, 2, 3]


def hashed(text, word):
    value = 0xCBF29CE484222325
    for byte in f"{text}#{word}".encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    value ^= value >> 29
    value = (value * 0xBF58476D1CE4E5B9) & MASK
    return value ^ (value >> 32)


def described(value):
    """The text of an argument: members sorted by name, without those that are null."""
    if isinstance(value, dict):
        shown = sorted((name, member) for name, member in value.items() if member is not None)
        return "{" + ",".join(f"{name}:{described(member)}" for name, member in shown) + "}"
    return json.dumps(value)


class Object:
    def __init__(self, identity, type_name):
        self.identity = identity
        self.type_name = type_name


def value_of(schema, field_type, key):
    if isinstance(field_type, graphql.GraphQLNonNull):
        return value_within(schema, field_type.of_type, key)
    if hashed(key, "null") % 10 == 0:
        return None
    return value_within(schema, field_type, key)


def value_within(schema, field_type, key):
    if isinstance(field_type, graphql.GraphQLList):
        length = LENGTHS[hashed(key, "length") % 5]
        return [value_of(schema, field_type.of_type, f"{key}[{index}]") for index in range(length)]
    if graphql.is_composite_type(field_type):
        return object_of(schema, field_type, key)
    number = hashed(key, "value")
    match field_type.name:
        case "Int":
            return number % 100
        case "Boolean":
            return number % 2 == 0
        case "E":
            return "A" if number % 2 == 0 else "B"
        case _:
            return f"v{number % 1_000_000}"


def object_of(schema, named, key):
    types = list(schema.get_possible_types(named)) if graphql.is_abstract_type(named) else [named]
    types.sort(key=lambda possible: possible.name)
    chosen = types[hashed(key, "type") % len(types)]
    if "id" not in chosen.fields:
        return Object(key, chosen.name)
    return Object(f"{chosen.name}-{hashed(key, 'id') % 5}", chosen.name)


def resolve(source, info, **arguments):
    if info.field_name == "id":
        return source.identity
    key = f"{source.identity}.{info.field_name}{described(arguments)}"
    return value_of(info.schema, info.return_type, key)


@functools.lru_cache(maxsize=64)
def schema_of(text):
    return graphql.build_schema(text)


def answer(request):
    schema = schema_of(request["schema"])
    document = graphql.parse(request["text"])
    errors = graphql.validate(schema, document)
    if errors:
        return {"errors": [error.formatted for error in errors]}
    result = graphql.execute_sync(
        schema,
        document,
        root_value=Object("Q", "Query"),
        variable_values=request["variables"],
        field_resolver=resolve,
        type_resolver=lambda source, info, abstract: source.type_name,
    )
    return result.formatted


def main():
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()

"""Executes texts in a world whose values follow from hashes: one request and one answer a line, in JSON.

The world is that of Tests/AnswerModel (World.swift); some of its values are errors. A request has the schema, the text and the variables.
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


def levels_without_null(info):
    """The levels of lists at which a null stands for an error alone; 0 is the field itself."""
    own = info.parent_type.fields[info.field_name].ast_node.directives
    found = [node for node in own or () if node.name.value == "semanticNonNull"]
    for node in info.parent_type.ast_node.directives or ():
        if node.name.value == "semanticNonNullField" and node.arguments[0].value.value == info.field_name:
            found.append(node)
    if not found:
        return set()
    for argument in found[0].arguments or ():
        if argument.name.value == "levels":
            return {int(level.value) for level in argument.value.values or ()}
    return {0}


class NoValue(Exception):
    pass


class Values:
    """The values below one field."""

    def __init__(self, schema, levels, may_fail):
        self.schema = schema
        self.levels = levels
        self.may_fail = may_fail

    def value_of(self, field_type, key, level=0):
        if self.may_fail and hashed(key, "error") % 16 == 0:
            return NoValue("no value")
        if isinstance(field_type, graphql.GraphQLNonNull):
            return self.value_within(field_type.of_type, key, level)
        if level not in self.levels and hashed(key, "null") % 10 == 0:
            return None
        return self.value_within(field_type, key, level)

    def value_within(self, field_type, key, level):
        if isinstance(field_type, graphql.GraphQLList):
            length = LENGTHS[hashed(key, "length") % 5]
            return [self.value_of(field_type.of_type, f"{key}[{index}]", level + 1) for index in range(length)]
        if graphql.is_composite_type(field_type):
            return object_of(self.schema, field_type, key)
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
    may_fail = info.context["hasErrors"] and info.parent_type.name != "PageInfo" and info.field_name not in ("cursor", "pageInfo")
    return Values(info.schema, levels_without_null(info), may_fail).value_of(info.return_type, key)


@functools.lru_cache(maxsize=64)
def schema_of(text):
    # The schemas use directives of Relay without declaring them.
    return graphql.build_schema(text, assume_valid_sdl=True)


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
        context_value=request,
        variable_values=request["variables"],
        field_resolver=resolve,
        type_resolver=lambda source, info, abstract: source.type_name,
    )
    return result.formatted


def main():
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


main()

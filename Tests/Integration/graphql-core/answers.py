"""Executes texts in a world whose values follow from hashes: one request and one answer a line, in JSON.

The world is that of Tests/AnswerModel (World.swift); some of its values are errors. A request has the schema, the text and the variables. An
answer is the list of its payloads, one unless the text has '@defer' or '@stream'.
"""

import asyncio
import copy
import functools
import json
import random
import sys

import graphql
from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective

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
    kwargs = graphql.build_schema(text, assume_valid_sdl=True).to_kwargs()
    kwargs["directives"] = (*kwargs["directives"], GraphQLDeferDirective, GraphQLStreamDirective)
    return graphql.GraphQLSchema(**{**kwargs, "assume_valid": True})


class WithoutParts(graphql.Visitor):
    """Removes what asks for later parts."""

    def enter_directive(self, node, *_):
        return graphql.REMOVE if node.name.value in ("defer", "stream") else None


async def payloads_of(results):
    return [results.initial_result.formatted] + [each.formatted async for each in results.subsequent_results]


def shuffled(groups, dice):
    """The members of all groups in a random order that keeps the order within each group."""
    groups = [list(group) for group in groups if group]
    while groups:
        group = dice.choice(groups)
        yield group.pop(0)
        groups = [group for group in groups if group]


def dealt(items, dice):
    """The items in order, in payloads of one or more."""
    while items:
        count = dice.choice([1, 1, 2, 5])
        yield items[:count]
        items = items[count:]


def newer(payloads, dice):
    """The payloads with their parts in another order and grouping. Items of one list keep their order. Nothing is completed before all
    parts have come, because a part may have fields of several fragments."""
    groups, pending, completed = {}, [], []
    for payload in payloads:
        pending += payload.get("pending", ())
        completed += payload.get("completed", ())
        for part in payload.get("incremental", ()):
            groups.setdefault(part["id"], []).append(part)
    yield {**payloads[0], "pending": pending}
    for name, items in ("incremental", list(shuffled(groups.values(), dice))), ("completed", completed):
        for some in dealt(items, dice):
            yield {name: some, "hasNext": True}
    yield {"hasNext": False}


class Parts(graphql.Visitor):
    """The deferred fragments and the numbers of items that come at once, by label."""

    def __init__(self):
        super().__init__()
        self.fragments = {}
        self.counts = {}

    @staticmethod
    def arguments(directive):
        return {argument.name.value: argument.value.value for argument in directive.arguments if hasattr(argument.value, "value")}

    def enter_fragment_spread(self, node, *_):
        self.note(node)

    def enter_inline_fragment(self, node, *_):
        self.note(node)

    def note(self, node):
        for directive in node.directives or ():
            if directive.name.value == "defer":
                self.fragments[self.arguments(directive)["label"]] = node

    def enter_directive(self, node, *_):
        if node.name.value == "stream":
            arguments = self.arguments(node)
            self.counts[arguments["label"]] = int(arguments["initialCount"])


def merge(into, data):
    """Merges the fields of an object, or the items of a list, into others."""
    if isinstance(data, list):
        for own, other in zip(into, data):
            merge(own, other)
    elif isinstance(data, dict):
        for key, value in data.items():
            if isinstance(into.get(key), (dict, list)):
                merge(into[key], value)
            else:
                into[key] = copy.deepcopy(value)


def at(value, path):
    for key in path:
        value = value[key]
    return value


class Older:
    """The payloads as servers sent them before parts were announced: each part has all fields of its fragment. The order and the grouping
    are others, too."""

    def __init__(self, payloads, document, variables):
        self.parts = Parts()
        graphql.visit(document, self.parts)
        self.fragments = {each.name.value: each for each in document.definitions if isinstance(each, graphql.FragmentDefinitionNode)}
        operation = next(each for each in document.definitions if isinstance(each, graphql.OperationDefinitionNode))
        defaults = {each.variable.name.value: each.default_value for each in operation.variable_definitions or () if each.default_value}
        self.variables = {name: graphql.value_from_ast_untyped(value) for name, value in defaults.items()} | variables
        self.payloads = payloads

    def holds(self, directive):
        """Whether the condition of a directive holds; it holds without one."""
        for argument in directive.arguments:
            if argument.name.value == "if":
                return bool(graphql.value_from_ast_untyped(argument.value, self.variables))
        return True

    def is_included(self, node):
        return all(
            self.holds(directive) == (directive.name.value == "include")
            for directive in node.directives or ()
            if directive.name.value in ("include", "skip")
        )

    def increment(self, node, name):
        """The label of what arrives later; None if it does not."""
        for directive in node.directives or ():
            if directive.name.value == name and self.holds(directive):
                return Parts.arguments(directive)["label"]
        return None

    def selections(self, node):
        """The selection set of an inline fragment or a spread."""
        return node.selection_set if isinstance(node, graphql.InlineFragmentNode) else self.fragments[node.name.value].selection_set

    def projected(self, value, sets):
        """What the selections ask for of a value of the whole answer."""
        if isinstance(value, list):
            return [self.projected(item, sets) for item in value]
        if not isinstance(value, dict):
            return value
        inner, limits = {}, {}
        pending = list(sets)
        while pending:
            for node in pending.pop(0).selections:
                if not self.is_included(node):
                    continue
                if isinstance(node, graphql.FieldNode):
                    key = (node.alias or node.name).value
                    if key in value:
                        inner.setdefault(key, [])
                        if node.selection_set:
                            inner[key].append(node.selection_set)
                        if label := self.increment(node, "stream"):
                            limits[key] = self.parts.counts[label]
                elif self.increment(node, "defer") is None:
                    pending.append(self.selections(node))
        # Fields whose type condition does not hold are not there, except for those that others ask for under the same key.
        return {key: self.projected(value[key][: limits[key]] if key in limits and value[key] else value[key], sets) for key, sets in inner.items()}

    def whole(self):
        """The whole answer, and the announcements."""
        data, announced, starts, parts = copy.deepcopy(self.payloads[0]["data"]), {}, [], []
        for payload in self.payloads:
            for pending in payload.get("pending", ()):
                announced[pending["id"]] = pending
            for part in payload.get("incremental", ()):
                parts.append(part)
        while parts:
            rest = []
            for part in parts:
                path = announced[part["id"]]["path"] + part.get("subPath", [])
                try:
                    place = at(data, path)
                except (KeyError, IndexError, TypeError):
                    rest.append(part)
                    continue
                if "items" in part:
                    starts.append((part["id"], len(place), part["items"]))
                    place += copy.deepcopy(part["items"])
                else:
                    merge(place, part["data"])
            parts = rest
        return data, announced, starts

    def answer(self, dice):
        data, announced, starts = self.whole()
        yield {"data": self.payloads[0]["data"], "hasNext": True}
        parts = []
        for id, start, items in starts:
            pending = announced[id]
            parts.append({"label": pending["label"], "path": [*pending["path"], start], "items": items})
        for pending in announced.values():
            if fragment := self.parts.fragments.get(pending["label"]):
                part = self.projected(at(data, pending["path"]), [self.selections(fragment)])
                parts.append({"label": pending["label"], "path": pending["path"], "data": part})
        dice.shuffle(parts)
        for items in dealt(parts, dice):
            if len(items) == 1 and dice.random() < 0.5:
                yield {**items[0], "hasNext": True}
            else:
                yield {"incremental": items, "hasNext": True}
        yield {"hasNext": False}


def answer(request):
    schema = schema_of(request["schema"])
    document = graphql.parse(request["text"])
    errors = graphql.validate(schema, document)
    if errors:
        return [{"errors": [error.formatted for error in errors]}]
    dice = random.Random(request["text"])
    form = dice.choice(["whole", "newer", "shuffled", "older"])
    if form == "whole":
        # A server may send everything at once.
        document = graphql.visit(document, WithoutParts())
    result = graphql.experimental_execute_incrementally(
        schema,
        document,
        root_value=Object("Q", "Query"),
        context_value=request,
        variable_values=request["variables"],
        field_resolver=resolve,
        type_resolver=lambda source, info, abstract: source.type_name,
    )
    if isinstance(result, graphql.ExecutionResult):
        return [result.formatted]
    payloads = asyncio.run(payloads_of(result))
    match form:
        case "shuffled":
            return list(newer(payloads, dice))
        case "older":
            return list(Older(payloads, document, request["variables"]).answer(dice))
    return payloads


def main():
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()

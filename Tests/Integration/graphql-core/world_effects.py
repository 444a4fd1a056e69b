"""Mutations of a world, each with a query that must see what it has done.

Tried are those whose name says what they do (Design 0030), and to which entity, if the payload has no other one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random
from typing import Callable, Optional

import graphql

from world_entities import Entities

VERBS = {
    "create": ("create", "add", "new", "insert"),
    "delete": ("delete", "destroy", "remove"),
    "update": ("update", "edit", "rename", "change"),
}


def phrase(name: str) -> tuple:
    """The verb of a mutation's name, which stands first or last, and the noun."""
    words = [word for word in re.sub(r"(?<=[^A-Z_])(?=[A-Z])", "_", name).lower().split("_") if word]
    for verb, known in VERBS.items():
        for word, others in ((words[0], words[1:]), (words[-1], words[:-1])):
            if word in known:
                return verb, "".join(others)
    return None, ""


def means(noun: str, type) -> bool:
    name = type.name.lower()
    return bool(noun) and any(each in (name, name + "s") or name.endswith(each) for each in (noun, noun + "s"))


class Inputs:
    """The variables of a mutation: what is wanted, what is required, and the entities that it names."""

    def __init__(self, wanted: dict):
        self.wanted = wanted
        self.variables: dict = {}
        self.names: set = set()
        self.references: list = []


class Effects:
    def __init__(self, entities: Entities, ask: Callable, value_for: Callable, random: Random):
        self.entities, self.schema = entities, entities.schema
        self.ask, self.value_for, self.random = ask, value_for, random
        self.tally: Counter = Counter()
        self.failures: list = []

    def try_all(self, bound: int) -> None:
        """Tries so many mutations of each verb."""
        fields = list(self.schema.mutation_type.fields.items()) if self.schema.mutation_type else []
        self.random.shuffle(fields)
        for name, field in fields:
            verb, noun = phrase(name)
            if verb and self.tally[verb + "s"] < bound and (target := self.target(field, noun)):
                getattr(self, verb)(name, field, target)

    # What a mutation is about

    def target(self, field, noun: str):
        """The entity type that the noun means, of the payload's or else of all."""
        named = graphql.get_named_type(field.type)
        if graphql.is_list_type(graphql.get_nullable_type(field.type)) or graphql.is_abstract_type(named):
            return None
        shown = [named] if self.entities.is_entity(named) else map(self.entity_of, getattr(named, "fields", {}).values())
        candidates = [each for each in shown if each]
        meant = [each for each in candidates or self.schema.type_map.values() if self.entities.is_entity(each) and means(noun, each)]
        return meant[0] if candidates and meant or len(meant) == 1 else None

    def entity_of(self, field):
        """The entity type of a payload's field, or of the node of its edge."""
        named = graphql.get_named_type(field.type)
        if graphql.is_object_type(named) and {"cursor", "node"} <= set(named.fields) and not self.entities.is_entity(named):
            named = graphql.get_named_type(named.fields["node"].type)
        return named if self.entities.is_entity(named) else None

    def path(self, field, target) -> Optional[list]:
        """The names from a payload to the entity."""
        named = graphql.get_named_type(field.type)
        if named is target:
            return []
        for name, each in getattr(named, "fields", {}).items():
            is_one = not graphql.is_list_type(graphql.get_nullable_type(each.type)) and self.entities.needs_only(each, None)
            if is_one and self.entity_of(each) is target:
                return [name] if graphql.get_named_type(each.type) is target else [name, "node"]
        return None

    @staticmethod
    def ids(target) -> list:
        own = target.name[0].lower() + target.name[1:]
        return ["id", own + "Id", own + "ID"]

    def texts(self, target, field) -> dict:
        """The inputs that are texts of the entity too."""
        inputs = [field.args] + [
            graphql.get_named_type(each.type).fields
            for each in field.args.values()
            if is_object(each)
        ]
        names = {name for each in inputs for name, input in each.items() if is_string(input) and name in target.fields} - {"id"}
        return {each: f"changed {each}" for each in sorted(names) if is_string(target.fields[each]) and not target.fields[each].args}

    # The request

    def inputs(self, field, wanted: dict, target) -> Inputs:
        inputs = Inputs(wanted)
        for name, argument in field.args.items():
            if is_object(argument):
                members = {}
                for member, input in graphql.get_named_type(argument.type).fields.items():
                    self.add(member, input, graphql.is_required_input_field(input), members, inputs, target)
                if members or graphql.is_required_argument(argument):
                    inputs.variables[name] = members
            else:
                self.add(name, argument, graphql.is_required_argument(argument), inputs.variables, inputs, target)
        return inputs

    def add(self, name: str, input, is_required: bool, into: dict, inputs: Inputs, target) -> None:
        is_one_text = Entities.is_text(input) and not graphql.is_list_type(graphql.get_nullable_type(input.type))
        if name in inputs.wanted and is_one_text:
            into[name] = inputs.wanted[name]
        elif is_required and is_one_text and name.endswith(("Id", "ID")) and (holder := self.holder(name, target)):
            into[name] = f"{holder.name}:3"
            inputs.references.append(holder)
        elif is_required:
            into[name] = self.value_for(self.schema, input.type, self.random)
        else:
            return
        inputs.names.add(name)

    def holder(self, name: str, target):
        """The type that an input such as 'filmId' names, or else one that lists the entities."""
        named = self.schema.type_map.get(name[0].upper() + name[1:-2])
        if self.entities.is_entity(named):
            return named
        types = (self.schema.type_map[each] for each in self.entities.finders)
        return next((each for each in types if any(self.entities.lists(each, target))), None)

    def request(self, name: str, field, inputs: Inputs, shown: str, then: str) -> dict:
        declared = ", ".join(f"${each}: {field.args[each].type}" for each in inputs.variables)
        given = ", ".join(f"{each}: ${each}" for each in inputs.variables)
        asked = f"{name}({given}) {shown}" if given else f"{name} {shown}"
        text = f"mutation ({declared}) {{ {asked} }}" if declared else f"mutation {{ {asked} }}"
        return {"text": text, "variables": inputs.variables, "isShort": True, "then": f"{{ {then} }}"}

    def note(self, verb: str, request: dict, answer: dict, is_seen: bool) -> None:
        self.tally[verb + "s"] += 1
        if not is_seen or "errors" in answer["whole"] or "errors" in answer["then"]:
            self.failures.append(f"a {verb} has no effect\n  {json.dumps(request)}\n  {json.dumps(answer)[:1500]}")

    @staticmethod
    def nothing(field) -> str:
        return "{ __typename }" if graphql.is_composite_type(graphql.get_named_type(field.type)) else ""

    # Verbs

    def update(self, name: str, field, target) -> None:
        """Changes texts of an entity, which the entity then has."""
        texts, key = self.texts(target, field), f"{target.name}:3"
        found = self.entities.found(target, key, " ".join(texts))
        inputs = self.inputs(field, {**texts, **dict.fromkeys(self.ids(target), key)}, target)
        if not texts or not found or not inputs.names & set(self.ids(target)):
            return
        request = self.request(name, field, inputs, self.nothing(field), found[1])
        answer = self.ask(request)
        self.note("update", request, answer, (answer["then"].get("data") or {}).get(found[0]) == texts)

    def create(self, name: str, field, target) -> None:
        """Creates an entity, which a list at the root then has, or a list of an entity that the input names."""
        texts, path = self.texts(target, field), self.path(field, target)
        inputs = self.inputs(field, texts, target)
        if path is None or inputs.names & {*self.ids(target), "ids", self.ids(target)[1] + "s"}:
            return
        shown = " ".join(["id", *texts])
        then = self.list_of(target, inputs.references, f"... on {target.name} {{ {shown} }}")
        if not then:
            return
        text, way, inner = then
        request = self.request(name, field, inputs, self.entities.listed("", path, shown), text)
        answer = self.ask(request)
        made = at(answer["whole"].get("data"), [name, *path])
        items = self.entities.items(at(answer["then"].get("data"), way) or [], inner)
        is_as_given = made is not None and {**made, **texts} == made
        self.note("create", request, answer, is_as_given and made in items)

    def list_of(self, target, holders: list, inner: str) -> Optional[tuple]:
        """The text that asks for a list, and the names to the list and from there to an entity."""
        for name, path in self.entities.lists(self.schema.query_type, target):
            return self.entities.listed(name, path, inner), [name], path
        for holder in holders:
            for name, path in self.entities.lists(holder, target):
                if found := self.entities.found(holder, f"{holder.name}:3", self.entities.listed(name, path, inner)):
                    return found[1], [found[0], name], path
        return None

    def delete(self, name: str, field, target) -> None:
        """Deletes an entity, which is null afterwards and was not before."""
        key = f"{target.name}:3"
        found = self.entities.found(target, key, "id", is_nullable=True)
        inputs = self.inputs(field, dict.fromkeys(self.ids(target), key), target)
        if not found or not inputs.names & set(self.ids(target)):
            return
        request = self.request(name, field, inputs, self.nothing(field), found[1])
        before = self.ask({"text": request["then"], "isShort": True})["whole"]
        answer = self.ask(request)
        was_there = at(before.get("data"), [found[0]]) is not None
        self.note("delete", request, answer, was_there and answer["then"].get("data") == {found[0]: None})


def is_string(input) -> bool:
    return graphql.get_nullable_type(input.type) is graphql.GraphQLString


def is_object(input) -> bool:
    type = graphql.get_nullable_type(input.type)
    return graphql.is_input_object_type(type) and not type.is_one_of


def at(value, path: list):
    """The value at a path; nothing where something on the way is null."""
    for key in path:
        value = value and value.get(key)
    return value

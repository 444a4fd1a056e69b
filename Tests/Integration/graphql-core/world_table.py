"""Resolvers that read the table of a world and nothing else, and cut the pages of its lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import graphql
from graphql.utilities import coerce_input_literal

PAGING = ("first", "last", "after", "before")
LIMITS = ("limit", "first", "take", "pageSize", "perPage")
OFFSETS = ("offset", "skip")
TOTALS = ("totalCount", "total", "count", "totalItems")


def described(value: Any) -> str:
    """The text of an argument: members sorted by name, without those that are null."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ",".join(described(each) for each in value) + "]"
    shown = sorted((name, member) for name, member in value.items() if member is not None)
    return "{" + ",".join(f"{name}:{described(member)}" for name, member in shown) + "}"


@dataclass
class Object:
    key: str


@dataclass
class Page(Object):
    """A page of a connection."""

    items: list
    whole: list
    start: int


@dataclass
class PageInfo(Object):
    page: Page


@dataclass
class Context:
    objects: dict
    root: Object
    # The objects of each mutation, by response key: mutations run one after the other.
    mutations: dict
    overrides: dict
    pages: int = field(default=0)
    # The leaves that were read, by type and field.
    leaves: set = field(default_factory=set)
    # The identities in lists of entities that do not page, by type and field.
    lists: dict = field(default_factory=dict)
    # The response keys to each entity, without indices, by its identity.
    routes: dict = field(default_factory=dict)


class WorldResolvers:
    def __init__(self, schema: graphql.GraphQLSchema):
        self.schema = schema
        self.connections: dict = {}
        # The texts of default values, by the identity of their arguments.
        self.defaults: dict = {}

    @staticmethod
    def context(table: dict, overrides: dict) -> Context:
        return Context(table["objects"], Object(table["root"]), table["mutations"], overrides)

    @staticmethod
    def type_of(source: Object, info, _) -> str:
        return info.context.objects[source.key]["type"]

    # What pages

    def node_type(self, type) -> Optional[str]:
        """The type of a connection's nodes; nothing if a type is no connection."""
        if graphql.is_abstract_type(type):
            possible = self.schema.get_possible_types(type)
            return self.node_type(possible[0]) if possible else None
        if not graphql.is_object_type(type):
            return None
        if type.name not in self.connections:
            self.connections[type.name] = self.found_node_type(type)
        return self.connections[type.name]

    @staticmethod
    def found_node_type(type) -> Optional[str]:
        info = type.fields.get("pageInfo")
        if not info or "hasNextPage" not in getattr(graphql.get_named_type(info.type), "fields", {}):
            return None
        for name in ("edges", "nodes"):
            if name not in type.fields or not graphql.is_list_type(graphql.get_nullable_type(type.fields[name].type)):
                continue
            named = graphql.get_named_type(type.fields[name].type)
            if name == "edges":
                if "node" not in getattr(named, "fields", {}):
                    continue
                named = graphql.get_named_type(named.fields["node"].type)
            return named.name if graphql.is_composite_type(named) else None
        return None

    def paging(self, definition) -> tuple:
        """The arguments that cut a page: those of connections, or a limit and an offset."""
        named = graphql.get_named_type(definition.type)
        if not graphql.is_list_type(graphql.get_nullable_type(definition.type)):
            return PAGING if self.node_type(named) else ()

        def is_number(name: str) -> bool:
            argument = definition.args.get(name)
            return argument is not None and graphql.get_nullable_type(argument.type) is graphql.GraphQLInt

        limit = next(filter(is_number, LIMITS), None)
        return (limit, next(filter(is_number, OFFSETS), None)) if limit else ()

    # What a field is

    def resolve(self, source: Object, info, **arguments):
        name, parent = info.field_name, info.parent_type
        if ":" in source.key and "." not in source.key and info.path.prev:
            route = tuple(key for key in info.path.prev.as_list() if isinstance(key, str))
            info.context.routes.setdefault(source.key, set()).add(route)
        if parent is self.schema.mutation_type:
            info.context.objects = info.context.mutations[info.path.key]
        if (override := info.context.overrides.get(f"{parent.name}.{name}")) is not None:
            return [Object(each["$ref"]) for each in override] if isinstance(override, list) else override
        if graphql.is_leaf_type(graphql.get_nullable_type(info.return_type)):
            info.context.leaves.add((parent.name, name))
        if isinstance(source, PageInfo) and name in ("hasNextPage", "hasPreviousPage", "startCursor", "endCursor"):
            return self.about(source.page, name, info.return_type)
        if isinstance(source, Page):
            if name == "pageInfo":
                return PageInfo(f"{source.key}.pageInfo", source)
            if name == "edges":
                return [Object(item["edge"]) for item in source.items]
            named = graphql.get_named_type(info.return_type)
            if name in TOTALS and graphql.is_scalar_type(named):
                return len(source.whole) if named.name in ("Int", "Float") else str(len(source.whole))
            if named.name == self.node_type(parent) and graphql.is_list_type(graphql.get_nullable_type(info.return_type)):
                return [self.value(item["node"], info.context, arguments) for item in source.items]
        definition = parent.fields[name]
        paging = self.paging(definition)
        given = {
            each: value
            for each, value in arguments.items()
            if each not in paging and value is not None and not self.is_default(definition.args[each], value)
        }
        text = ",".join(f"{each}:{described(value)}" for each, value in sorted(given.items()))
        value = info.context.objects[source.key]["fields"][name + (f"({text})" if text else "")]
        made = self.value(value, info.context, arguments)
        if isinstance(made, list) and not paging and all(type(each) is Object and ":" in each.key.split(".")[0] for each in made):
            keys = [each.key for each in made if "." not in each.key]
            if len(keys) == len(made) and keys:
                info.context.lists[parent.name, name] = keys
        if isinstance(made, list) and paging:
            info.context.pages += 1
            limit, offset = paging
            start = max(arguments.get(offset) or 0, 0) if offset else 0
            count = arguments.get(limit)
            return made[start:] if count is None else made[start : start + max(count, 0)]
        return made

    def is_default(self, argument, value) -> bool:
        node = argument.ast_node.default_value
        if node is None:
            return False
        if id(argument) not in self.defaults:
            self.defaults[id(argument)] = described(coerce_input_literal(node, argument.type))
        return self.defaults[id(argument)] == described(value)

    def value(self, value, context: Context, arguments: dict):
        if value is None:
            return None
        if "v" in value:
            return value["v"]
        if "l" in value:
            return [self.value(each, context, arguments) for each in value["l"]]
        entry = context.objects.get(value["o"])
        if entry and "items" in entry or entry and self.node_type(self.schema.type_map[entry["type"]]):
            context.pages += 1
            return self.page(value["o"], entry.get("items"), arguments)
        return Object(value["o"])

    # Pages

    @staticmethod
    def page(key: str, whole: Optional[list], arguments: dict) -> Page:
        """Cuts a page as Relay's specification says; without items nothing is asked of the page."""
        if whole is None:
            return Page(key, [], [], 0)
        cursors = [item["cursor"] for item in whole]
        after, before = arguments.get("after"), arguments.get("before")
        start = cursors.index(after) + 1 if after in cursors else 0
        end = max(start, cursors.index(before) if before in cursors else len(whole))
        if arguments.get("first") is not None:
            end = min(end, start + arguments["first"])
        if arguments.get("last") is not None:
            start = max(start, end - arguments["last"])
        return Page(key, whole[start:end], whole, start)

    @staticmethod
    def about(page: Page, name: str, type):
        if name == "hasPreviousPage":
            return page.start > 0
        if name == "hasNextPage":
            return page.start + len(page.items) < len(page.whole)
        if not page.items:
            return "" if graphql.is_non_null_type(type) else None
        return page.items[0 if name == "startCursor" else -1]["cursor"]

"""How the entities of a schema are found: by fields that take an id, and in lists."""

from __future__ import annotations

from typing import Iterator, Optional

import graphql

from world_table import PAGING, WorldResolvers


class Entities:
    def __init__(self, resolvers: WorldResolvers):
        self.resolvers, self.schema = resolvers, resolvers.schema
        self.roots = (self.schema.query_type, self.schema.mutation_type, self.schema.subscription_type)
        # By the name of each type: fields of the query type that find its entities, with their argument 'id' or 'ids'.
        self.finders: dict = {}
        for name, field in self.schema.query_type.fields.items():
            argument = "ids" if graphql.is_list_type(graphql.get_nullable_type(field.type)) else "id"
            if self.is_text(field.args.get(argument)) and self.needs_only(field, argument) and not resolvers.paging(field):
                for type in filter(self.is_entity, self.possible(graphql.get_named_type(field.type))):
                    self.finders.setdefault(type.name, []).append((name, argument))

    def is_entity(self, type) -> bool:
        if not graphql.is_object_type(type) or type in self.roots or "id" not in type.fields:
            return False
        field = type.fields["id"]
        return graphql.is_scalar_type(graphql.get_nullable_type(field.type)) and self.needs_only(field, None)

    def possible(self, named) -> list:
        return list(self.schema.get_possible_types(named)) if graphql.is_abstract_type(named) else [named]

    @staticmethod
    def is_text(input) -> bool:
        return input is not None and graphql.get_named_type(input.type).name in ("ID", "String")

    @staticmethod
    def needs_only(field, name: Optional[str]) -> bool:
        return not any(graphql.is_required_argument(argument) for each, argument in field.args.items() if each != name)

    def found(self, type, key: str, inner: str, is_nullable: bool = False) -> Optional[tuple]:
        """The name and the text of a field that finds an entity; nothing if there is none, or none that may be null."""
        for name, argument in self.finders.get(type.name, ()):
            may_be_null = not graphql.is_non_null_type(self.schema.query_type.fields[name].type)
            if argument == "id" and (may_be_null or not is_nullable):
                return name, f'{name}(id: "{key}") {{ ... on {type.name} {{ {inner} }} }}'
        return None

    # Lists

    def is_whole(self, field) -> bool:
        """Whether a field without arguments gives a whole list."""
        paging = [each for each in self.resolvers.paging(field) if each in field.args]
        return self.needs_only(field, None) and all(field.args[each].ast_node.default_value is None for each in paging)

    def connections(self, holder) -> list:
        """The names of the fields of a type that page in both directions."""
        return [
            name
            for name, field in holder.fields.items()
            if set(PAGING) <= set(field.args)
            and self.is_whole(field)
            and self.resolvers.node_type(graphql.get_named_type(field.type))
        ]

    def lists(self, holder, type) -> Iterator[tuple]:
        """The fields of a type that list all entities of another, with the names from the field to an entity."""
        for name, field in holder.fields.items():
            named, is_list = graphql.get_named_type(field.type), graphql.is_list_type(graphql.get_nullable_type(field.type))
            node = None if is_list else self.resolvers.node_type(named)
            item = self.schema.type_map[node] if node else named if is_list else None
            if item is None or type not in self.possible(item) or not self.is_whole(field):
                continue
            if is_list:
                yield name, []
            else:
                yield name, ["edges", "node"] if "edges" in named.fields else ["nodes"]

    @staticmethod
    def listed(name: str, path: list, inner: str) -> str:
        """The text that asks a list for fields of its entities."""
        return f"{' { '.join([name, *path])} {{ {inner} {'} ' * (len(path) + 1)}"

    def items(self, value, path: list) -> list:
        """The entities in the answer of a list."""
        if isinstance(value, list):
            return [item for each in value for item in self.items(each, path)]
        return self.items(value[path[0]], path[1:]) if path else [value]

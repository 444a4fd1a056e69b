#!/usr/bin/env python3
"""Cuts from a full schema what documents reach: names and types, without descriptions.

    cut.py SCHEMA DOCUMENT... > schema.graphql        needs graphql-core (pip install graphql-core)

A document is a .graphql file, or a Swift file with graphql literals. A type has the fields that a document selects on it or
on one of its interfaces, and its `id`. A field has the arguments that documents give, those without which it cannot be
asked, and those of paging. Enums and input types are whole. An interface or union keeps the object types that are there
for another reason; where none is, all of them.
"""
import re
import sys
from dataclasses import replace
from pathlib import Path

from graphql import (
    GraphQLInputObjectType, GraphQLInterfaceType, GraphQLObjectType, GraphQLUnionType, TypeInfo, TypeInfoVisitor, Visitor,
    build_ast_schema, get_named_type, is_required_argument, parse, print_ast, type_from_ast, visit,
)
from graphql.language import ast

PAGING = ("after", "before", "first", "last")
CONNECTION = {"edges": "cursor", "pageInfo": ("endCursor", "hasNextPage", "hasPreviousPage", "startCursor")}


class Reached(Visitor):
    """The types that documents name or select from, with their fields and the arguments of these."""

    def __init__(self, schema):
        super().__init__()
        self.schema, self.info = schema, TypeInfo(schema)
        self.fields, self.named, self.results = {}, set(), set()

    def add(self, owner, name, arguments=()):
        field = owner.fields[name]
        taken = self.fields.setdefault(owner.name, {}).setdefault(name, set())
        taken.update(argument for argument in arguments if argument in field.args)
        taken.update(argument for argument, value in field.args.items() if is_required_argument(value))
        if taken & set(PAGING):
            taken.update(argument for argument in PAGING if argument in field.args)
        for argument in taken:
            self.take_input(field.args[argument].type)
        result = get_named_type(field.type)
        self.named.add(result.name)
        self.results.add(result.name)
        return result

    def take_input(self, type_):
        type_ = get_named_type(type_)
        if type_.name not in self.named and isinstance(type_, GraphQLInputObjectType):
            self.named.add(type_.name)
            for field in type_.fields.values():
                self.take_input(field.type)
        self.named.add(type_.name)

    def enter_field(self, node, *_):
        owner, name = self.info.get_parent_type(), node.name.value
        if owner is None or name.startswith("__"):
            return
        result = self.add(owner, name, [argument.name.value for argument in node.arguments or ()])
        if any(directive.name.value == "connection" for directive in node.directives or ()):
            for part in ("edges", "pageInfo"):
                inner = self.add(result, part)
                for field in [CONNECTION[part]] if part == "edges" else CONNECTION[part]:
                    self.add(inner, field)

    def enter_fragment_definition(self, node, *_):
        self.named.add(node.type_condition.name.value)

    def enter_inline_fragment(self, node, *_):
        if node.type_condition:
            self.named.add(node.type_condition.name.value)

    def enter_variable_definition(self, node, *_):
        self.take_input(type_from_ast(self.schema, node.type))


def close(schema, reached):
    """Adds what follows: members of abstract types, fields of interfaces, identifiers."""
    while True:
        before = (len(reached.named), sum(len(fields) for fields in reached.fields.values()))
        for name in sorted(reached.named):
            type_ = schema.type_map[name]
            if isinstance(type_, (GraphQLInterfaceType, GraphQLUnionType)) and name in reached.results:
                members = {member.name for member in schema.get_possible_types(type_)}
                if not members & reached.named:
                    reached.named |= members
            if not isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType)):
                continue
            if "id" in type_.fields:
                reached.add(type_, "id")
            for interface in type_.interfaces:
                if interface.name in reached.named:
                    for field, arguments in list(reached.fields.get(interface.name, {}).items()):
                        reached.add(type_, field, arguments)
        if before == (len(reached.named), sum(len(fields) for fields in reached.fields.values())):
            return


def bare(node, **changes):
    """The node without description and directives."""
    return replace(node, description=None, directives=(), **changes)


def cut(definition, reached):
    """One definition of the full schema with what is kept of it."""
    if isinstance(definition, (ast.ObjectTypeDefinitionNode, ast.InterfaceTypeDefinitionNode)):
        kept = reached.fields.get(definition.name.value, {})
        fields = tuple(
            bare(field, arguments=tuple(bare(it) for it in field.arguments or () if it.name.value in kept[field.name.value]))
            for field in definition.fields if field.name.value in kept
        )
        interfaces = tuple(it for it in definition.interfaces or () if it.name.value in reached.named)
        definition = bare(definition, fields=fields, interfaces=interfaces)
    elif isinstance(definition, ast.InputObjectTypeDefinitionNode):
        definition = bare(definition, fields=tuple(bare(it) for it in definition.fields))
    elif isinstance(definition, ast.EnumTypeDefinitionNode):
        definition = bare(definition, values=tuple(bare(it) for it in definition.values))
    elif isinstance(definition, ast.UnionTypeDefinitionNode):
        definition = bare(definition, types=tuple(it for it in definition.types if it.name.value in reached.named))
    else:
        definition = bare(definition)
    return print_ast(definition)


def main(path, documents):
    full = parse(Path(path).read_text())
    schema = build_ast_schema(full, assume_valid=True)
    reached = Reached(schema)
    for document in documents:
        text = Path(document).read_text()
        literals = re.findall(r'graphql\(\s*"""(.*?)"""', text, re.S) if document.endswith(".swift") else [text]
        for literal in literals:
            visit(parse(literal), TypeInfoVisitor(reached.info, reached))
    close(schema, reached)
    definitions = [
        definition for definition in full.definitions
        if isinstance(definition, ast.TypeDefinitionNode) and definition.name.value in reached.named | set(reached.fields)
    ]
    print("\n\n".join(cut(definition, reached) for definition in sorted(definitions, key=lambda it: it.name.value)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

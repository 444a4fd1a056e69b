"""Relay's arguments of fragments, in the words that graphql-core has for them.

    fragment F on Ship @argumentDefinitions(unit: {type: "Unit!", defaultValue: FOOT})  ->  fragment F($unit: Unit! = FOOT) on Ship
    ...F @arguments(unit: METRE)                                                        ->  ...F(unit: METRE)
"""

from __future__ import annotations

from typing import Any, Optional

from graphql import (
    DirectiveNode,
    DocumentNode,
    EnumValueNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    NonNullTypeNode,
    ObjectValueNode,
    StringValueNode,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    parse_type,
    parse_value,
    print_ast,
    visit,
)
from graphql.language import FragmentArgumentNode


PROVIDED = {name: parse_value(text, no_location=True) for name, text in [("Boolean", "true"), ("Int", "0"), ("Float", "0"), ("String", '""'), ("ID", '""')]}


def directive(node: Any, name: str) -> Optional[DirectiveNode]:
    return next((each for each in node.directives or () if each.name.value == name), None)


def has_fragment_arguments(document: DocumentNode) -> bool:
    return any(isinstance(node, FragmentDefinitionNode) and directive(node, "argumentDefinitions") for node in document.definitions)


def with_fragment_variables(document: DocumentNode) -> DocumentNode:
    return visit(document, FragmentVariables())


class FragmentVariables(Visitor):
    def leave_fragment_definition(self, node: FragmentDefinitionNode, *_: Any) -> Optional[FragmentDefinitionNode]:
        definitions = directive(node, "argumentDefinitions")
        if not definitions:
            return None
        variables = tuple(variable for each in definitions.arguments or () if (variable := self.variable(each)))
        return rebuilt(node, variable_definitions=variables, directives=without(node, definitions))

    def leave_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> Optional[FragmentSpreadNode]:
        given = directive(node, "arguments")
        if not given:
            return None
        arguments = tuple(FragmentArgumentNode(name=each.name, value=each.value, loc=each.loc) for each in given.arguments or ())
        return rebuilt(node, arguments=arguments, directives=without(node, given))

    @staticmethod
    def variable(argument: Any) -> Optional[VariableDefinitionNode]:
        if not isinstance(argument.value, ObjectValueNode):
            return None
        facts = {field.name.value: field.value for field in argument.value.fields}
        # Older applications leave the quotes of a type out.
        if not isinstance(facts.get("type"), (StringValueNode, EnumValueNode)):
            return None
        try:
            type = parse_type(facts["type"].value, no_location=True)
        except GraphQLError:
            return None
        default = facts.get("defaultValue")
        # A provided value is there without being given, as a default is.
        if "provider" in facts and default is None and isinstance(type, NonNullTypeNode):
            default = PROVIDED.get(print_ast(type.type))
        return VariableDefinitionNode(
            variable=VariableNode(name=argument.name, loc=argument.name.loc), type=type, default_value=default, directives=(), loc=argument.loc
        )


def rebuilt(node: Any, **changes: Any) -> Any:
    return type(node)(**{key: changes.get(key, getattr(node, key)) for key in node.keys})


def without(node: Any, removed: DirectiveNode) -> tuple:
    return tuple(each for each in node.directives or () if each is not removed)

"""Trees of documents and schemas as the generators make them, and their text.

The trees are ours, not graphql-core's, so that they can hold what no parser accepts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional, Union

# Values


@dataclass
class Literal:
    text: str


@dataclass
class Variable:
    name: str


@dataclass
class ListValue:
    items: list


@dataclass
class ObjectValue:
    fields: list


Value = Union[Literal, Variable, ListValue, ObjectValue]


@dataclass
class Argument:
    """An argument or a field of an input object; `type` is what the place expects, where that is known."""

    name: str
    value: Value
    type: Optional[str] = None


@dataclass
class Directive:
    name: str
    arguments: list = field(default_factory=list)


# Executable definitions


@dataclass
class Field:
    name: str
    alias: Optional[str] = None
    arguments: list = field(default_factory=list)
    directives: list = field(default_factory=list)
    selections: Optional[list] = None

    @property
    def key(self) -> str:
        return self.alias or self.name


@dataclass
class Spread:
    name: str
    directives: list = field(default_factory=list)


@dataclass
class Inline:
    condition: Optional[str]
    directives: list = field(default_factory=list)
    selections: list = field(default_factory=list)


@dataclass
class VariableDefinition:
    name: str
    type: str
    default: Optional[Value] = None
    directives: list = field(default_factory=list)
    description: Optional[str] = None


@dataclass
class Operation:
    kind: str
    name: Optional[str]
    variables: list = field(default_factory=list)
    directives: list = field(default_factory=list)
    selections: list = field(default_factory=list)
    description: Optional[str] = None


@dataclass
class Fragment:
    name: str
    type: str
    directives: list = field(default_factory=list)
    selections: list = field(default_factory=list)
    description: Optional[str] = None


# Type system definitions


@dataclass
class InputDefinition:
    name: str
    type: str
    default: Optional[Value] = None
    directives: list = field(default_factory=list)
    description: Optional[str] = None


@dataclass
class FieldDefinition:
    name: str
    type: str
    arguments: list = field(default_factory=list)
    directives: list = field(default_factory=list)
    description: Optional[str] = None


@dataclass
class EnumValueDefinition:
    name: str
    directives: list = field(default_factory=list)
    description: Optional[str] = None


@dataclass
class TypeDefinition:
    """`kind` is the keyword; `fields` has fields, input fields or enum values, `members` those of a union."""

    kind: str
    name: str
    fields: list = field(default_factory=list)
    interfaces: list = field(default_factory=list)
    members: list = field(default_factory=list)
    directives: list = field(default_factory=list)
    description: Optional[str] = None
    is_extension: bool = False


@dataclass
class DirectiveDefinition:
    name: str
    locations: list
    arguments: list = field(default_factory=list)
    is_repeatable: bool = False
    description: Optional[str] = None


@dataclass
class SchemaDefinition:
    roots: list
    directives: list = field(default_factory=list)
    description: Optional[str] = None
    is_extension: bool = False


@dataclass
class Raw:
    """A definition that is already text."""

    text: str


# Text

LINE = "\n"
"""Among the tokens, where a line ends in a tidy layout."""


def type_tokens(text: str) -> list:
    tokens, name = [], ""
    for character in text:
        if character in "[]!":
            if name:
                tokens.append(name)
            name = ""
            tokens.append(character)
        else:
            name += character
    return tokens + [name] if name else tokens


def value_tokens(value: Value) -> list:
    if isinstance(value, Literal):
        return [value.text]
    if isinstance(value, Variable):
        return ["$", value.name]
    if isinstance(value, ListValue):
        return ["[", *(token for item in value.items for token in value_tokens(item)), "]"]
    return ["{", *(token for item in value.fields for token in argument_tokens(item)), "}"]


def argument_tokens(argument: Argument) -> list:
    return [argument.name, ":", *value_tokens(argument.value)]


def arguments_tokens(arguments: list) -> list:
    if not arguments:
        return []
    return ["(", *(token for argument in arguments for token in argument_tokens(argument)), ")"]


def directive_tokens(directives: list) -> list:
    return [token for each in directives for token in ["@", each.name, *arguments_tokens(each.arguments)]]


def description_tokens(node: Any) -> list:
    return [node.description, LINE] if node.description else []


def selection_tokens(selections: list) -> list:
    tokens = ["{", LINE]
    for node in selections:
        if isinstance(node, Field):
            tokens += [node.alias, ":"] if node.alias else []
            tokens += [node.name, *arguments_tokens(node.arguments), *directive_tokens(node.directives)]
            tokens += selection_tokens(node.selections) if node.selections is not None else []
        elif isinstance(node, Spread):
            tokens += ["...", node.name, *directive_tokens(node.directives)]
        else:
            tokens += ["...", *(["on", node.condition] if node.condition else []), *directive_tokens(node.directives)]
            tokens += selection_tokens(node.selections)
        tokens.append(LINE)
    return tokens + ["}"]


def input_tokens(node: Any, prefix: tuple = ()) -> list:
    tokens = [*description_tokens(node), *prefix, node.name, ":", *type_tokens(node.type)]
    tokens += ["=", *value_tokens(node.default)] if node.default is not None else []
    return tokens + directive_tokens(node.directives)


def inputs_tokens(nodes: list) -> list:
    return ["(", *(token for node in nodes for token in [LINE, *input_tokens(node)]), ")"] if nodes else []


def definition_tokens(node: Any) -> list:
    if isinstance(node, Raw):
        return [node.text]
    tokens = description_tokens(node)
    if isinstance(node, Operation):
        tokens += [node.kind, *([node.name] if node.name else [])]
        if node.variables:
            variables = [token for each in node.variables for token in [LINE, *input_tokens(each, ("$",))]]
            tokens += ["(", *variables, ")"]
        return tokens + directive_tokens(node.directives) + selection_tokens(node.selections)
    if isinstance(node, Fragment):
        tokens += ["fragment", node.name, "on", node.type, *directive_tokens(node.directives)]
        return tokens + selection_tokens(node.selections)
    if isinstance(node, DirectiveDefinition):
        tokens += ["directive", "@", node.name, *inputs_tokens(node.arguments)]
        tokens += ["repeatable"] if node.is_repeatable else []
        return tokens + ["on", *separated(node.locations, "|")]
    tokens += ["extend"] if node.is_extension else []
    if isinstance(node, SchemaDefinition):
        tokens += ["schema", *directive_tokens(node.directives)]
        roots = [token for kind, name in node.roots for token in [LINE, kind, ":", name]]
        return tokens + (["{", *roots, LINE, "}"] if roots else [])
    tokens += [node.kind, node.name]
    tokens += ["implements", *separated(node.interfaces, "&")] if node.interfaces else []
    tokens += directive_tokens(node.directives)
    tokens += ["=", *separated(node.members, "|")] if node.members else []
    if node.fields:
        tokens += ["{", *(token for each in node.fields for token in [LINE, *member_tokens(each)]), LINE, "}"]
    return tokens


def member_tokens(node: Any) -> list:
    if isinstance(node, InputDefinition):
        return input_tokens(node)
    tokens = [*description_tokens(node), node.name]
    if isinstance(node, FieldDefinition):
        tokens += [*inputs_tokens(node.arguments), ":", *type_tokens(node.type)]
    return tokens + directive_tokens(node.directives)


def separated(names: list, separator: str) -> list:
    return [token for index, name in enumerate(names) for token in ([separator] if index else []) + [name]]


def document_tokens(definitions: list) -> list:
    return [token for definition in definitions for token in [*definition_tokens(definition), LINE]]


def tidy(tokens: list) -> str:
    """One selection, variable or field a line, so that a line says which one is meant."""
    text = ""
    for token in tokens:
        text += token if token == LINE or not text or text.endswith(LINE) else " " + token
    return text + LINE


IGNORED = [" ", "  ", "\t", "\n", "\r", "\r\n", ",", " , ", "# note\n", "#\u00e9\U0001f600\r\n", "\n\n", "\ufeff"]


def untidy(tokens: list, random: Any) -> str:
    """Every kind of ignored text between the tokens, and none where none is needed."""
    text = "\ufeff" if random.random() < 0.2 else ""
    previous = " "
    for token in tokens:
        if token == LINE:
            continue
        punctuated = previous[-1] in " ()[]{}:=!|&@$" or token[0] in "()[]{}:=!|&@$"
        if not punctuated or random.random() < 0.5:
            count = 1 if random.random() < 0.8 else 3
            text += "".join(random.choice(IGNORED) for _ in range(count))
        text += token
        previous = token
    return text + random.choice(["", "\n", "# end"])

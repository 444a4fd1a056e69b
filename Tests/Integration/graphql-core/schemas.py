"""Random schemas that are valid."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Optional

from documents import DESCRIPTIONS
from literals import LiteralGenerator
from trees import (
    Argument,
    Directive,
    DirectiveDefinition,
    EnumValueDefinition,
    FieldDefinition,
    InputDefinition,
    Literal,
    SchemaDefinition,
    TypeDefinition,
)

SCALARS = ["Int", "Float", "String", "Boolean", "ID"]
LOCATIONS = {
    "type": "OBJECT", "interface": "INTERFACE", "union": "UNION", "enum": "ENUM", "input": "INPUT_OBJECT", "scalar": "SCALAR",
    "field": "FIELD_DEFINITION", "argument": "ARGUMENT_DEFINITION", "input field": "INPUT_FIELD_DEFINITION", "value": "ENUM_VALUE", "schema": "SCHEMA",
}
EXECUTABLE = ["QUERY", "FIELD", "FRAGMENT_SPREAD", "VARIABLE_DEFINITION"]
FIELD_NAMES = ["id", "name", "size", "items", "owner", "type", "input", "on", "fragment", "query", "next", "a", "b"]


class SchemaGenerator:
    """One schema; also knows its input types, as what makes literals asks."""

    def __init__(self, random: Random):
        self.random = random
        self.types: dict = {}
        self.directives: list = []
        self.literals = LiteralGenerator(self, random)

    # What there is

    def enum_values(self, name: str) -> Optional[list]:
        type = self.types.get(name)
        return [value.name for value in type.fields] if type and type.kind == "enum" else None

    def input_fields(self, name: str) -> Optional[list]:
        type = self.types.get(name)
        if not type or type.kind != "input":
            return None
        return [(field.name, field.type, field.default is not None) for field in type.fields]

    def is_one_of(self, name: str) -> bool:
        return any(each.name == "oneOf" for each in self.types[name].directives)

    def names(self, *kinds: str) -> list:
        return [name for name, type in self.types.items() if type.kind in kinds]

    # What is made

    def schema(self) -> list:
        random = self.random
        for index in range(random.choice([0, 1, 2])):
            self.add("scalar", f"Scalar{index}")
        for index in range(random.choice([1, 1, 2])):
            values = random.sample(["RED", "GREEN", "blue", "type", "on", "_"], random.choice([1, 2, 3]))
            self.add("enum", f"Enum{index}").fields = [EnumValueDefinition(name, description=self.description()) for name in values]
        for index in range(random.choice([0, 1, 2, 3])):
            self.input(f"Input{index}")
        for index in range(random.choice([0, 1, 2])):
            self.directive(f"directive{index}")
        names = [f"Interface{index}" for index in range(random.choice([0, 1, 2, 3]))]
        objects = ["Query", *(f"Object{index}" for index in range(random.choice([1, 2, 3])))]
        objects += ["Mutation"] if random.random() < 0.4 else []
        objects += ["Subscription"] if random.random() < 0.3 else []
        # The names are there first, so that fields can have any of the types.
        for name in names:
            self.add("interface", name)
        for name in objects:
            self.add("type", name)
        for index in range(random.choice([0, 1, 2])):
            self.add("union", f"Union{index}").members = random.sample(objects, random.choice([1, min(2, len(objects))]))
        for index, name in enumerate(names):
            self.composite(self.types[name], names[:index])
        for name in objects:
            self.composite(self.types[name], names)
        definitions: list = [*self.types.values(), *self.directives]
        if random.random() < 0.4:
            roots = [(name.lower(), name) for name in ("Query", "Mutation", "Subscription") if name in self.types]
            definitions.append(SchemaDefinition(roots, self.applied("schema", 0.2), self.description()))
        self.decorate()
        if random.random() < 0.5:
            random.shuffle(definitions)
        if random.random() < 0.35:
            self.extend(definitions)
        return definitions

    def add(self, kind: str, name: str) -> TypeDefinition:
        self.types[name] = TypeDefinition(kind, name, description=self.description())
        if kind == "scalar" and self.random.random() < 0.5:
            self.types[name].directives.append(Directive("specifiedBy", [Argument("url", Literal('"https://example.com/a"'))]))
        return self.types[name]

    def description(self) -> Optional[str]:
        return self.random.choice(DESCRIPTIONS) if self.random.random() < 0.1 else None

    def wrapped(self, name: str) -> str:
        return self.random.choice(["{}", "{}", "{}!", "[{}]", "[{}!]", "[{}!]!", "[[{}]!]"]).format(name)

    def input_type(self) -> str:
        return self.wrapped(self.random.choice([*SCALARS, *SCALARS, *self.names("scalar", "enum", "input")]))

    def output_type(self) -> str:
        composite = self.names("type", "interface", "union")
        return self.wrapped(self.random.choice([*SCALARS, *composite, *composite, *self.names("scalar", "enum")]))

    def inputs(self, counts: list) -> list:
        names = self.random.sample(FIELD_NAMES, self.random.choice(counts))
        return [self.input_definition(name) for name in names]

    def input_definition(self, name: str) -> InputDefinition:
        type = self.input_type()
        default = self.literals.value(type) if self.random.random() < 0.35 else None
        return InputDefinition(name, type, default, description=self.description())

    def input(self, name: str) -> None:
        definition = TypeDefinition("input", name, self.inputs([1, 2, 3]), description=self.description())
        if self.random.random() < 0.3:
            definition.directives.append(Directive("oneOf"))
            for field in definition.fields:
                field.default = None
                field.type = field.type.rstrip("!")
        elif self.random.random() < 0.4:
            # Never required, so that a value can end.
            definition.fields.append(InputDefinition("self", self.random.choice([name, f"[{name}!]!", f"[{name}]"])))
        self.types[name] = definition

    def directive(self, name: str) -> None:
        places = self.random.sample([*LOCATIONS.values(), *EXECUTABLE], self.random.choice([2, 4, 6]))
        arguments = [each for each in self.inputs([0, 0, 1, 2])]
        for argument in arguments:
            # What a directive's argument is may not lead back to the directive; built-in types lead nowhere.
            argument.type = self.wrapped(self.random.choice(SCALARS))
            argument.default = self.literals.value(argument.type) if self.random.random() < 0.5 else None
        self.directives.append(DirectiveDefinition(name, places, arguments, self.random.random() < 0.3, self.description()))

    def composite(self, type: TypeDefinition, interfaces: list) -> None:
        """Fields of its own and those of some interfaces, narrowed as they may be."""
        random = self.random
        chosen: list = []
        for name in interfaces:
            if random.random() < 0.4:
                chosen += [each for each in [name, *self.types[name].interfaces] if each not in chosen]
        fields: dict = {}
        for name in chosen:
            for field in self.types[name].fields:
                if field.name in fields and fields[field.name].type != field.type:
                    # Two interfaces that do not agree cannot both be implemented.
                    return self.composite(type, [])
                if field.name in fields and repr(fields[field.name].arguments) != repr(field.arguments):
                    return self.composite(type, [])
                fields[field.name] = deepcopy(field)
        type.interfaces = chosen
        for field in fields.values():
            if type.kind == "type":
                self.narrow(field)
        for name in random.sample(FIELD_NAMES, random.choice([1, 2, 3])):
            if name not in fields:
                fields[name] = FieldDefinition(name, self.output_type(), self.inputs([0, 0, 0, 1, 2]), description=self.description())
        type.fields = list(fields.values())

    def narrow(self, field: FieldDefinition) -> None:
        if self.random.random() < 0.3 and not field.type.endswith("!"):
            field.type += "!"
        if self.random.random() < 0.2 and all(each.name != "more" for each in field.arguments):
            field.arguments.append(InputDefinition("more", "Int"))

    def decorate(self) -> None:
        """Directives where they may stand, and deprecation."""
        for type in self.types.values():
            type.directives += self.applied(type.kind, 0.1)
            for field in type.fields:
                place = {"enum": "value", "input": "input field"}.get(type.kind, "field")
                field.directives += self.applied(place, 0.08)
                for argument in getattr(field, "arguments", []):
                    argument.directives += self.applied("argument", 0.08)
                    self.deprecate(argument)
                # What an interface has and is not deprecated may not be deprecated below it.
                if not type.interfaces:
                    self.deprecate(field)

    def deprecate(self, node) -> None:
        if isinstance(node, InputDefinition) and node.type.endswith("!") and node.default is None:
            return
        if self.random.random() < 0.05:
            arguments = self.random.choice([[], [Argument("reason", Literal('"old \\"b\\""'))]])
            node.directives.append(Directive("deprecated", arguments))

    def applied(self, place: str, probability: float) -> list:
        fitting = [each for each in self.directives if LOCATIONS[place] in each.locations]
        if not fitting or self.random.random() >= probability:
            return []
        definition = self.random.choice(fitting)
        arguments = []
        for argument in definition.arguments:
            if argument.type.endswith("!") and argument.default is None or self.random.random() < 0.5:
                arguments.append(Argument(argument.name, self.literals.value(argument.type)))
        return [Directive(definition.name, arguments)] * (2 if definition.is_repeatable and self.random.random() < 0.4 else 1)

    def extend(self, definitions: list) -> None:
        """Moves a part of some types to extensions, which may come before the types."""
        for type in self.random.sample(list(self.types.values()), 1):
            extension = TypeDefinition(type.kind, type.name, is_extension=True)
            if len(type.fields) > 1:
                extension.fields.append(type.fields.pop())
            elif len(type.members) > 1:
                extension.members.append(type.members.pop())
            elif type.directives:
                extension.directives.append(type.directives.pop())
            else:
                continue
            definitions.insert(self.random.randrange(len(definitions) + 1), extension)

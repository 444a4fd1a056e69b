"""Random documents that are valid against a schema, in every shape that the language has."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Optional

from graphql import (
    GraphQLSchema,
    get_named_type,
    is_composite_type,
    is_enum_type,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
    is_union_type,
)
from graphql.utilities import do_types_overlap

from literals import LiteralGenerator
from trees import (
    Argument,
    Directive,
    Field,
    Fragment,
    Inline,
    ListValue,
    Literal,
    Operation,
    Spread,
    Value,
    Variable,
    VariableDefinition,
)

RELAY_ARGUMENTS = {
    "required": [("action", "LOG")],
    "relay": [("mask", "false")],
    "catch": [("to", "NULL")],
    "throwOnFieldError": [],
    "raw_response_type": [],
    "inline": [],
    "waterfall": [],
}
"""Directives of Relay that mean something for one place alone, with arguments that are right."""

DESCRIPTIONS = ['"one line"', '"""\n  a block\n    of text\n"""', '"""quote \\""" inside"""', '"\\u{1F6A2}"']


class SchemaCatalogue:
    """The input types of a schema that graphql-core built."""

    def __init__(self, schema: GraphQLSchema):
        self.schema = schema

    def enum_values(self, name: str) -> Optional[list]:
        type = self.schema.type_map.get(name)
        return list(type.values) if is_enum_type(type) else None

    def input_fields(self, name: str) -> Optional[list]:
        type = self.schema.type_map.get(name)
        if not is_input_object_type(type):
            return None
        return [(name, str(field.type), has_default(field)) for name, field in type.fields.items()]

    def is_one_of(self, name: str) -> bool:
        return self.schema.type_map[name].is_one_of


def has_default(input) -> bool:
    return input.ast_node is not None and input.ast_node.default_value is not None


class DocumentGenerator:
    """One document; names of operations and fragments end in `suffix`, so that many documents can be one program."""

    def __init__(self, schema: GraphQLSchema, random: Random, suffix: str):
        self.schema = schema
        self.random = random
        self.suffix = suffix
        self.literals = LiteralGenerator(SchemaCatalogue(schema), random)
        self.composites = [
            type for name, type in schema.type_map.items() if is_composite_type(type) and not name.startswith("__")
        ]
        self.definitions: list = []
        self.fragments: list = []
        self.keys: dict = {}
        self.variables: dict = {}
        # Names of variables and fragments that each definition uses, by the definition's name.
        self.uses: dict = {}
        self.current: set = set()
        self.in_subscription = False
        self.labels = 0

    def document(self) -> list:
        random = self.random
        roots = [
            (kind, type)
            for kind, type in [
                ("query", self.schema.query_type),
                ("mutation", self.schema.mutation_type),
                ("subscription", self.schema.subscription_type),
            ]
            if type
        ]
        for index in range(random.choice([1, 1, 1, 2, 3])):
            kind, type = roots[0] if random.random() < 0.6 else random.choice(roots)
            self.operation(kind, type, f"O{index}{self.suffix}")
        self.definitions += self.fragments
        if random.random() < 0.3:
            random.shuffle(self.definitions)
        for definition in self.definitions:
            if isinstance(definition, Operation):
                self.define_variables(definition)
        return self.definitions

    def operation(self, kind: str, type, name: str) -> None:
        random = self.random
        self.current = self.uses[name] = set()
        self.in_subscription = kind == "subscription"
        operation = Operation(kind, name, directives=self.directives(kind.upper(), 0.15), description=self.description())
        if kind == "subscription":
            operation.selections = [self.field(type, random.choice(list(type.fields)), random.choice([1, 2, 3]))]
        else:
            operation.selections = self.selections(type, random.choice([1, 2, 3, 4]), is_root=True)
        self.definitions.append(operation)

    def description(self) -> Optional[str]:
        return self.random.choice(DESCRIPTIONS) if self.random.random() < 0.05 else None

    # Selections

    def selections(self, type, depth: int, is_root: bool = False) -> list:
        random = self.random
        selections: list = []
        for _ in range(random.choice([1, 1, 2, 2, 3, 4])):
            choice = random.random()
            if choice < 0.12 and depth > 0:
                selections.append(self.inline(type, depth, is_root))
            elif choice < 0.28 and depth > 0:
                if spread := self.spread(type, depth, is_root):
                    selections.append(spread)
            elif choice < 0.36 or is_union_type(type):
                selections.append(Field("__typename", alias=self.alias("__typename", "String!")))
            else:
                names = list(type.fields)
                if depth <= 0:
                    names = [name for name in names if not is_composite_type(get_named_type(type.fields[name].type))]
                if names:
                    selections.append(self.field(type, random.choice(names), depth))
        if not selections:
            selections.append(Field("__typename", alias=self.alias("__typename", "String!")))
        # The same selection again merges with itself.
        if random.random() < 0.08:
            again = random.choice(selections)
            if "Directive(name='defer'" not in repr(again) and "Directive(name='stream'" not in repr(again):
                selections.append(deepcopy(again))
        return selections

    def field(self, parent, name: str, depth: int) -> Field:
        definition = parent.fields[name]
        field = Field(name)
        for argument, input in definition.args.items():
            type = str(input.type)
            if type.endswith("!") and not has_default(input) or self.random.random() < 0.4:
                value = self.literals.value(type, self.substitute, has_default(input))
                field.arguments.append(Argument(argument, value, type))
        if self.random.random() < 0.2:
            self.random.shuffle(field.arguments)
        # Nothing may take the root of a subscription away.
        is_certain = parent is self.schema.subscription_type
        field.directives = self.directives("FIELD", 0.08, ("skip", "include") if is_certain else ())
        named = get_named_type(definition.type)
        shape = str(definition.type)
        if is_composite_type(named):
            shape = shape.replace(named.name, "*")
            field.selections = self.selections(named, depth - 1)
            if is_list_type(strip_non_null(definition.type)) and self.random.random() < 0.04 and not self.in_subscription:
                if parent not in (self.schema.mutation_type, self.schema.subscription_type):
                    field.directives.append(self.streaming("stream"))
        # Fields with different '@stream' do not merge.
        streamed = [each for each in field.directives if each.name == "stream"]
        field.alias = self.alias(name, f"{sorted(map(repr, field.arguments))}{shape}{streamed}")
        return field

    def alias(self, name: str, signature: str) -> Optional[str]:
        """One response key means one thing in the whole document, so that everything merges with everything."""
        signature = f"{name} {signature}"
        # An alias of Baton's may not begin as '__typename' does.
        base = name.lstrip("_")
        key = name if self.random.random() < 0.8 else self.random.choice(["a", "b", "kind", "query", "on", f"{base}_2", "fragment"])
        while self.keys.setdefault(key, signature) != signature:
            key = f"{base}_{self.random.randrange(1000)}"
        return None if key == name else key

    def inline(self, type, depth: int, is_root: bool) -> Inline:
        condition = None
        if self.random.random() < 0.75:
            condition = self.overlapping(type)
        inner = condition or type
        directives = self.directives("INLINE_FRAGMENT", 0.15) + self.deferral(is_root)
        return Inline(condition and condition.name, directives, self.selections(inner, depth - 1, is_root))

    def spread(self, type, depth: int, is_root: bool) -> Optional[Spread]:
        random = self.random
        there = [fragment for fragment in self.fragments if self.overlaps(self.schema.type_map[fragment.type], type)]
        if there and (random.random() < 0.6 or len(self.fragments) > 4):
            fragment = random.choice(there)
        elif len(self.fragments) > 4:
            return None
        else:
            fragment = self.fragment(self.overlapping(type), depth)
        self.current.add(fragment.name)
        return Spread(fragment.name, self.directives("FRAGMENT_SPREAD", 0.15) + self.deferral(is_root))

    def fragment(self, type, depth: int) -> Fragment:
        """Complete before it can be spread, so that there are no cycles."""
        outer, self.current = self.current, set()
        was, self.in_subscription = self.in_subscription, True  # A subscription may spread it too.
        directives = self.directives("FRAGMENT_DEFINITION", 0.15)
        selections = self.selections(type, depth - 1, is_root=True)
        fragment = Fragment(f"F{len(self.fragments)}{self.suffix}", type.name, directives, selections, self.description())
        self.fragments.append(fragment)
        self.uses[fragment.name] = self.current
        self.current, self.in_subscription = outer, was
        return fragment

    def overlaps(self, first, second) -> bool:
        return first is second or do_types_overlap(self.schema, first, second)

    def overlapping(self, type):
        for _ in range(30):
            other = self.random.choice(self.composites)
            if self.overlaps(other, type):
                return other
        return type

    # Directives

    def directives(self, location: str, probability: float, left_out: tuple = ()) -> list:
        random = self.random
        directives: list = []
        if random.random() >= probability:
            return directives
        for _ in range(random.choice([1, 1, 2])):
            fitting = [
                definition
                for definition in self.schema.directives
                if location in {place.name for place in definition.locations}
                and (definition.is_repeatable or all(each.name != definition.name for each in directives))
                and definition.name not in ("defer", "stream", *left_out)
                and (definition.name in RELAY_ARGUMENTS or not self.is_relay(definition))
            ]
            if not fitting:
                break
            definition = random.choice(fitting)
            if definition.name in RELAY_ARGUMENTS:
                arguments = [Argument(name, Literal(text)) for name, text in RELAY_ARGUMENTS[definition.name]]
            else:
                arguments = []
                # A variable cannot be used where variables are defined.
                substitute = None if location == "VARIABLE_DEFINITION" else self.substitute
                for name, input in definition.args.items():
                    type = str(input.type)
                    if type.endswith("!") and not has_default(input) or random.random() < 0.4:
                        arguments.append(Argument(name, self.literals.value(type, substitute, has_default(input)), type))
            directives.append(Directive(definition.name, arguments))
        return directives

    @staticmethod
    def is_relay(definition) -> bool:
        node = definition.ast_node
        return bool(node and node.loc and node.loc.source.name == "relay-directives.graphql")

    def deferral(self, is_root: bool) -> list:
        if is_root or self.in_subscription or self.random.random() >= 0.06 or not self.schema.get_directive("defer"):
            return []
        return [self.streaming("defer")]

    def streaming(self, name: str) -> Directive:
        # A schema may declare it with one argument or another.
        known = self.schema.get_directive(name).args
        arguments = [Argument(each, Literal("1")) for each in known if str(known[each].type) == "Int!" or each.startswith("initial") and self.random.random() < 0.2]
        if self.random.random() < 0.6:
            self.labels += 1
            arguments.append(Argument("label", Literal(f'"{name}{self.labels}{self.suffix}"'), "String"))
        if self.random.random() < 0.3:
            arguments.append(Argument("if", self.literals.value("Boolean!", self.substitute, True), "Boolean!"))
        return Directive(name, arguments)

    # Variables

    def substitute(self, type: str, place_has_default: bool) -> Optional[Value]:
        """A variable for some places."""
        random = self.random
        if random.random() >= 0.18:
            return None
        there = [name for name, (own, default) in self.variables.items() if fits(own, default, type, place_has_default)]
        if there and random.random() < 0.6:
            name = random.choice(there)
        else:
            name = f"v{len(self.variables)}"
            own, default = type, None
            if type.endswith("!"):
                if random.random() < 0.25:
                    own, default = type[:-1], self.literals.inner(type[:-1], None, 2)
                elif place_has_default and random.random() < 0.4:
                    own = type[:-1]
                elif random.random() < 0.15:
                    default = self.literals.inner(type[:-1], None, 2)
            elif random.random() < 0.3:
                own = type + "!"
            elif random.random() < 0.3:
                default = self.literals.value(type, None)
            self.variables[name] = (own, default)
        self.current.add("$" + name)
        return Variable(name)

    def define_variables(self, operation: Operation) -> None:
        """Declares what the operation and the fragments that it reaches use."""
        seen: set = set()
        pending = [operation.name]
        while pending:
            for use in self.uses[pending.pop()] - seen:
                seen.add(use)
                if not use.startswith("$"):
                    pending.append(use)
        for use in sorted(seen):
            if use.startswith("$"):
                type, default = self.variables[use[1:]]
                directives = self.directives("VARIABLE_DEFINITION", 0.08)
                operation.variables.append(VariableDefinition(use[1:], type, default, directives, self.description()))


def fits(type: str, default: Optional[Value], place: str, place_has_default: bool) -> bool:
    """Whether a variable of a type can stand in a place."""
    if type == place or type == place + "!":
        return True
    has_value = isinstance(default, (Literal, ListValue)) and default != Literal("null") or default is not None and not isinstance(default, Literal)
    return type + "!" == place and (has_value or place_has_default)


def strip_non_null(type):
    return type.of_type if is_non_null_type(type) else type

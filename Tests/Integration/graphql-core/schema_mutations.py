"""Mistakes to make in a schema, each of which changes one thing."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Optional

from literals import LiteralGenerator
from schemas import SchemaGenerator
from trees import (
    Argument,
    Directive,
    DirectiveDefinition,
    EnumValueDefinition,
    FieldDefinition,
    InputDefinition,
    ListValue,
    Literal,
    ObjectValue,
    Raw,
    SchemaDefinition,
    TypeDefinition,
)

DIRECTIVES = [
    Directive("nothing"), Directive("deprecated"), Directive("deprecated", [Argument("reason", Literal("null"))]),
    Directive("deprecated", [Argument("reason", Literal("1"))]), Directive("deprecated", [Argument("because", Literal('"x"'))]),
    Directive("oneOf"), Directive("oneOf", [Argument("a", Literal("1"))]), Directive("specifiedBy"),
    Directive("specifiedBy", [Argument("url", Literal('"x"'))]), Directive("specifiedBy", [Argument("url", Literal("null"))]),
    Directive("skip", [Argument("if", Literal("true"))]),
]
RAW = [
    "extend type Nothing { a: Int }", "extend scalar Int @oneOf", "extend type Query { a: Int }", "extend type Query { extra: Int }", "extend union Query = Query",
    "extend schema { mutation: Query }", "schema { query: Query }", "schema { query: Query query: Query }", "schema { query: Int }", "schema { query: Nothing }",
    "schema { mutation: Query }", "extend enum Enum0 { RED }", "extend input Input0 { a: Int }", "extend interface Interface0 { extra: Int }",
    "extend interface Interface0 implements Interface0", "scalar Int", "scalar String", "type __Mine { a: Int }", "type Extra { __a: Int }", "enum Extra { __A }",
    "enum Extra { true }", "directive @__mine on FIELD", "directive @skip(if: Boolean!) on FIELD", "directive @deprecated(reason: String) on FIELD_DEFINITION",
    "directive @cyclic(a: Int @cyclic) on ARGUMENT_DEFINITION", "directive @lost on NOWHERE", "directive @twice on FIELD | FIELD", "type Empty", "type Empty { }",
    "interface Empty", "input Empty", "enum Empty", "union Empty", "type Extra implements Query { a: Int }", "type Extra implements Nothing { a: Int }",
    "interface Loop implements Loop { a: Int }", "interface Left implements Right { a: Int } interface Right implements Left { a: Int }",
    "input Loop { self: Loop! }", "input Left { right: Right! } input Right { left: Left! }", "input Loop { self: [Loop!]! }", "input Loop { self: Loop = {} }",
    "input Left { right: Right = {} } input Right { left: Left = {} }", "input One @oneOf { a: Int! }", "input One @oneOf { a: Int = 1 }", "input One @oneOf { a: One }",
    "input One @oneOf { self: One! }", "union Extra = Query | Query", "union Extra = | Query", "union Extra = Int", "query Q { a }", "type Extra { a(b: Query): Int }",
    "type Extra { a: [Int }", "type Extra { a(): Int }", "type Extra implements & Interface0 { a: Int }", "extend type Query", "extend schema @nothing", "type Extra { a: Int = 1 }",
    "input Extra { a(b: Int): Int }", '"described" extend type Query { extra: Int }', '"""described""" type Extra { "a" a("b" b: Int): Int }', "type Extra { a: Int @deprecated @deprecated }",
    "directive @self(a: Int @self) on FIELD", "input Extra { a: Int! @deprecated }", "type Extra { a(b: Int! @deprecated): Int }", "input Extra { a: Int! = 1 @deprecated }",
    "scalar Extra @specifiedBy(url: 1)", "directive @extra repeatable on | FIELD | OBJECT", "directive @extra(a: Query) on FIELD", "directive @extra(a: Int, a: Int) on FIELD",
    "interface Extra { a: Int @deprecated } type Other implements Extra { a: Int }", "interface Extra { a: Int } type Other implements Extra { a: Int @deprecated }",
    "extend type Object0 implements Interface0", "extend type Object0 @nothing", "type Extra { a: __Type b: __TypeKind }", "input Extra { a: __TypeKind }", "union Extra = __Type",
    "extend type __Type { a: Int }", "schema { query: Query subscription: Query }", "extend schema { query: Query }", "type Query { a: Int }", "enum Query { A }",
]


class SchemaMutator:
    def __init__(self, generator: SchemaGenerator, definitions: list):
        self.random = generator.random
        self.literals: LiteralGenerator = generator.literals
        self.definitions = definitions

    def refresh(self) -> None:
        definitions = self.definitions
        self.types = [each for each in definitions if isinstance(each, TypeDefinition)]
        self.with_fields = [each for each in self.types if each.fields]
        self.outputs = [field for type in self.types for field in type.fields if isinstance(field, FieldDefinition)]
        self.argument_lists = [field.arguments for field in self.outputs] + [each.arguments for each in definitions if isinstance(each, DirectiveDefinition)]
        self.inputs = [each for arguments in self.argument_lists for each in arguments]
        self.inputs += [field for type in self.types for field in type.fields if isinstance(field, InputDefinition)]
        self.decorated: list = [each for each in definitions if isinstance(each, (TypeDefinition, SchemaDefinition))]
        self.decorated += [*self.outputs, *self.inputs, *(field for type in self.types for field in type.fields if isinstance(field, EnumValueDefinition))]

    def mutate(self) -> str:
        while True:
            self.refresh()
            name = self.random.choice(MUTATIONS)
            if getattr(self, name)() is not False:
                return name

    def pick(self, items: list) -> Any:
        return self.random.choice(items) if items else None

    def type_name(self) -> str:
        return self.random.choice([*(each.name for each in self.types), "Int", "String", "Nothing", "__Schema"])

    def drop_field(self) -> Optional[bool]:
        fields = self.pick(self.with_fields).fields
        fields.pop(self.random.randrange(len(fields)))

    def drop_interface_field(self) -> Optional[bool]:
        if not (type := self.pick([each for each in self.types if each.interfaces])):
            return False
        type.fields.pop(0)

    def retype_field(self) -> Optional[bool]:
        field = self.pick(self.outputs)
        field.type = self.random.choice([self.type_name(), f"[{field.type}]", field.type.rstrip("!"), field.type.strip("[]!"), field.type.rstrip("!") + "!"])

    def retype_input(self) -> Optional[bool]:
        if not (input := self.pick(self.inputs)):
            return False
        input.type = self.random.choice([self.type_name(), f"[{input.type}]", input.type.rstrip("!"), input.type.strip("[]!"), input.type.rstrip("!") + "!"])

    def rename_field(self) -> Optional[bool]:
        field = self.pick(self.pick(self.with_fields).fields)
        field.name = self.random.choice(["id", "__id", "name", "_", field.name + "s"])

    def rename_type(self) -> Optional[bool]:
        self.pick(self.types).name = self.random.choice([self.pick(self.types).name, "__Mine", "Nothing"])

    def repeat_field(self) -> Optional[bool]:
        fields = self.pick(self.with_fields).fields
        fields.append(deepcopy(self.pick(fields)))

    def change_kind(self) -> Optional[bool]:
        self.pick(self.types).kind = self.random.choice(["type", "interface", "input"])

    def drop_type(self) -> Optional[bool]:
        self.definitions.remove(self.pick(self.types))

    def repeat_definition(self) -> Optional[bool]:
        self.definitions.append(deepcopy(self.pick(self.definitions)))

    def extend_again(self) -> Optional[bool]:
        copy = deepcopy(self.pick(self.types))
        copy.is_extension = True
        if self.random.random() < 0.5:
            copy.kind = self.random.choice(["type", "interface", "input", "enum", "union", "scalar"])
        self.definitions.append(copy)

    def implement(self) -> Optional[bool]:
        if not (type := self.pick([each for each in self.types if each.kind in ("type", "interface")])):
            return False
        type.interfaces.append(self.type_name())

    def repeat_interface(self) -> Optional[bool]:
        if not (type := self.pick([each for each in self.types if each.interfaces])):
            return False
        type.interfaces.append(type.interfaces[0])

    def forget_interface(self) -> Optional[bool]:
        if not (type := self.pick([each for each in self.types if each.interfaces])):
            return False
        type.interfaces.pop()

    def drop_argument(self) -> Optional[bool]:
        if not (arguments := self.pick([each for each in self.argument_lists if each])):
            return False
        arguments.pop()

    def add_argument(self) -> Optional[bool]:
        name = self.random.choice(["id", "extra", "__extra"])
        default = self.random.choice([None, None, self.literals.arbitrary()])
        self.pick(self.argument_lists).append(InputDefinition(name, self.random.choice(["Int", "Int!", "Nothing", "Query"]), default))

    def repeat_argument(self) -> Optional[bool]:
        if not (arguments := self.pick([each for each in self.argument_lists if each])):
            return False
        arguments.append(deepcopy(arguments[0]))

    def change_default(self) -> Optional[bool]:
        if not (input := self.pick(self.inputs)):
            return False
        input.default = self.random.choice([
            Literal("null"), self.literals.arbitrary(), self.literals.arbitrary(), self.literals.value(self.random.choice(["Int", "[Int!]", "Enum0", "Input0", "Input1"])),
            ListValue([self.literals.arbitrary()]), ObjectValue([]), ObjectValue([Argument("a", Literal("1"))]), Literal("$x"), None,
        ])

    def quote_default(self) -> Optional[bool]:
        """An enum value written as a string."""
        if not (input := self.pick([each for each in self.inputs if each.type.strip("[]!").startswith("Enum")])):
            return False
        values = self.literals.catalogue.enum_values(input.type.strip("[]!")) or ["RED"]
        input.default = Literal(f'"{self.random.choice(values)}"')

    def decorate(self) -> Optional[bool]:
        self.pick(self.decorated).directives.append(deepcopy(self.pick(DIRECTIVES)))

    def move_directive(self) -> Optional[bool]:
        if not (node := self.pick([each for each in self.decorated if each.directives])):
            return False
        self.pick(self.decorated).directives.append(deepcopy(node.directives[0]))

    def change_directive(self) -> Optional[bool]:
        if not (node := self.pick([each for each in self.decorated if each.directives])):
            return False
        arguments = node.directives[0].arguments
        choice = self.random.randrange(4)
        if choice == 0:
            arguments.append(Argument("extra", Literal("1")))
        elif not arguments:
            return False
        elif choice == 1:
            arguments.pop()
        elif choice == 2:
            arguments.append(deepcopy(arguments[0]))
        else:
            arguments[0].value = self.literals.arbitrary()

    def change_members(self) -> Optional[bool]:
        if not (type := self.pick([each for each in self.types if each.members])):
            return False
        type.members = self.random.choice([[*type.members, type.members[0]], [*type.members, self.type_name()], [type.name], []])

    def change_root(self) -> Optional[bool]:
        if not (schema := self.pick([each for each in self.definitions if isinstance(each, SchemaDefinition)])):
            return False
        roots = schema.roots
        choice = self.random.randrange(4)
        if choice == 0:
            roots[0] = ("query", self.type_name())
        elif choice == 1:
            roots.append(("mutation", self.type_name()))
        elif choice == 2:
            roots.append(self.random.choice(roots))
        else:
            roots.pop(0)

    def move_location(self) -> Optional[bool]:
        if not (directive := self.pick([each for each in self.definitions if isinstance(each, DirectiveDefinition)])):
            return False
        directive.locations = self.random.choice([["FIELD"], ["NOWHERE"], directive.locations[:1], [*directive.locations, directive.locations[0]]])

    def add_raw(self) -> Optional[bool]:
        self.definitions.insert(self.random.randrange(len(self.definitions) + 1), Raw(self.random.choice(RAW)))


MUTATIONS = [
    name for name, member in vars(SchemaMutator).items()
    if callable(member) and not name.startswith("_") and name not in ("refresh", "mutate", "pick", "type_name")
] + ["add_raw"] * 4

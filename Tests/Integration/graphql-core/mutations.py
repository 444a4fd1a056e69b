"""Mistakes to make in a document: each changes one thing in the tree, or says that there is nothing to change."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any, Optional

from graphql import GraphQLSchema, get_named_type, is_composite_type, is_interface_type, is_object_type

from literals import LiteralGenerator
from trees import (
    Argument,
    Directive,
    Field,
    Fragment,
    Inline,
    ListValue,
    Literal,
    ObjectValue,
    Operation,
    Raw,
    Spread,
    Value,
    Variable,
    VariableDefinition,
)

DIRECTIVES = [
    Directive("nothing"), Directive("skip"), Directive("skip", [Argument("if", Literal("true"))]),
    Directive("include", [Argument("if", Literal("null"))]), Directive("include", [Argument("if", Variable("missing"))]),
    Directive("onField", [Argument("level", Literal("2"))]), Directive("onVariable"), Directive("onQuery", [Argument("reason", Literal("1"))]),
    Directive("deprecated"), Directive("oneOf"), Directive("specifiedBy", [Argument("url", Literal('""'))]),
    Directive("relay", [Argument("plural", Literal("true"))]), Directive("required", [Argument("action", Literal("SHOUT"))]),
    Directive("connection", [Argument("filters", Literal("[]"))]), Directive("raw_response_type"), Directive("inline"),
    Directive("note", [Argument("text", Literal('"again"'))]), Directive("note", [Argument("text", Literal('"x"')), Argument("tags", Literal("[null]"))]),
]
TYPES = [
    "Int", "Int!", "[Int]", "[Int!]!", "[[Int]]", "String", "String!", "ID", "ID!", "Float", "Boolean", "Boolean!", "Time", "Cargo", "ShipFilter",
    "VesselKey", "VesselKey!", "[VesselKey!]", "Ship", "Found", "[Node]", "Nothing", "[Nothing!]!", "__Type", "__TypeKind",
]
DEFINITIONS = [
    "type Extra { a: Int }", "extend type Ship { extra: Int }", "schema { query: Query }", "scalar Extra", "directive @extra on FIELD",
    "enum Extra { A }", "input Extra { a: Int }", "union Extra = Ship", "interface Extra { a: Int }", "extend schema @onQuery",
]


class Mutator:
    """Makes mistakes in one document, which it changes in place."""

    def __init__(self, definitions: list, schema: GraphQLSchema, literals: LiteralGenerator, random: Random):
        self.definitions = definitions
        self.schema = schema
        self.literals = literals
        self.random = random
        self.refresh()

    def refresh(self) -> None:
        """Looks again at what there is."""
        self.sets: list = []
        self.fields: list = []
        self.spreads: list = []
        self.inlines: list = []
        self.argument_lists: list = []
        self.directive_lists: list = []
        self.operations = [each for each in self.definitions if isinstance(each, Operation)]
        self.fragments = [each for each in self.definitions if isinstance(each, Fragment)]
        for definition in self.operations + self.fragments:
            self.directive_lists.append(definition.directives)
            for variable in getattr(definition, "variables", []):
                self.directive_lists.append(variable.directives)
            self.visit(definition.selections)
        for directives in self.directive_lists:
            self.argument_lists += [directive.arguments for directive in directives]
        self.arguments = [argument for arguments in self.argument_lists for argument in arguments]
        self.objects: list = []
        for argument in list(self.arguments):
            self.visit_value(argument.value)

    def visit(self, selections: list) -> None:
        self.sets.append(selections)
        for node in selections:
            self.directive_lists.append(node.directives)
            if isinstance(node, Field):
                self.fields.append(node)
                self.argument_lists.append(node.arguments)
                if node.selections is not None:
                    self.visit(node.selections)
            elif isinstance(node, Inline):
                self.inlines.append(node)
                self.visit(node.selections)
            else:
                self.spreads.append(node)

    def visit_value(self, value: Value) -> None:
        if isinstance(value, ObjectValue):
            self.objects.append(value)
            for field in value.fields:
                self.arguments.append(field)
                self.visit_value(field.value)
        elif isinstance(value, ListValue):
            for item in value.items:
                self.visit_value(item)

    def pick(self, items: list) -> Any:
        return self.random.choice(items) if items else None

    def mutate(self) -> str:
        """Makes one mistake and names it."""
        while True:
            name = self.random.choice(MUTATIONS)
            if getattr(self, name)() is not False:
                self.refresh()
                return name

    def type_name(self) -> str:
        return self.random.choice([*self.schema.type_map, "Nothing"])

    # Fields and selections

    def rename_field(self) -> Optional[bool]:
        if not (field := self.pick(self.fields)):
            return False
        others = [name for type in self.schema.type_map.values() if is_object_type(type) for name in type.fields]
        field.name = self.random.choice([field.name + "x", self.random.choice(others), "__type", "__schema", "__typename"])

    def alias_field(self) -> Optional[bool]:
        selections = self.pick([each for each in self.sets if len(each) > 1])
        if not selections:
            return False
        fields = [each for each in selections if isinstance(each, Field)]
        if len(fields) < 2:
            return False
        first, second = self.random.sample(fields, 2)
        first.alias = second.key

    def alias_anywhere(self) -> Optional[bool]:
        if not self.fields:
            return False
        self.pick(self.fields).alias = self.pick(self.fields).key

    def repeat_field(self) -> Optional[bool]:
        """The same field with another argument, directly or below a fragment."""
        selections = self.pick(self.sets)
        field = self.pick([each for each in selections if isinstance(each, Field)])
        if not field:
            return False
        arguments = deepcopy(field.arguments)
        if arguments and self.random.random() < 0.5:
            arguments.pop()
        elif arguments:
            arguments[0].value = self.literals.arbitrary() if not arguments[0].type else self.literals.value(arguments[0].type)
        else:
            return False
        copy = Field(field.name, field.alias, arguments, [], deepcopy(field.selections))
        if self.random.random() < 0.5:
            selections.append(copy)
        else:
            selections.append(Inline(self.random.choice([None, self.type_name()]), [], [copy]))

    def move_selection(self) -> Optional[bool]:
        if not (selections := self.pick([each for each in self.sets if each])):
            return False
        self.pick(self.sets).append(deepcopy(self.pick(selections)))

    def repeat_on_other_type(self) -> Optional[bool]:
        """One response key below two types, which may or may not be told apart."""
        selections = self.pick(self.sets)
        types = [type for name, type in self.schema.type_map.items() if (is_object_type(type) or is_interface_type(type)) and name[:2] != "__"]
        for _ in range(2):
            type = self.random.choice(types)
            name = self.random.choice([name for name in type.fields])
            definition = type.fields[name]
            field = Field(name, "same")
            named = get_named_type(definition.type)
            field.arguments = [
                Argument(key, self.literals.value(str(input.type)), str(input.type))
                for key, input in definition.args.items() if str(input.type).endswith("!")
            ]
            if is_composite_type(named):
                field.selections = [Field("__typename", self.random.choice([None, "kind"]))]
            selections.append(Inline(type.name, [], [field]))

    def drop_selections(self) -> Optional[bool]:
        field = self.pick([each for each in self.fields if each.selections])
        if not field:
            return False
        field.selections = None

    def select_below_leaf(self) -> Optional[bool]:
        field = self.pick([each for each in self.fields if each.selections is None])
        if not field:
            return False
        field.selections = [Field(self.random.choice(["__typename", "id"]))]

    def empty_selections(self) -> Optional[bool]:
        self.pick(self.sets).clear()

    # Arguments and values

    def rename_argument(self) -> Optional[bool]:
        if not (argument := self.pick(self.arguments)):
            return False
        argument.name = self.random.choice([argument.name + "s", argument.name.upper(), self.pick(self.arguments).name])

    def repeat_argument(self) -> Optional[bool]:
        arguments = self.pick([each for each in self.argument_lists + [each.fields for each in self.objects] if each])
        if not arguments:
            return False
        arguments.append(deepcopy(self.random.choice(arguments)))

    def add_argument(self) -> Optional[bool]:
        if not (arguments := self.pick(self.argument_lists)) and arguments is None:
            return False
        arguments.append(Argument(self.random.choice(["id", "first", "extra", "if"]), self.literals.arbitrary()))

    def drop_argument(self) -> Optional[bool]:
        arguments = self.pick([each for each in self.argument_lists + [each.fields for each in self.objects] if each])
        if not arguments:
            return False
        arguments.pop(self.random.randrange(len(arguments)))

    def change_value(self) -> Optional[bool]:
        if not (argument := self.pick(self.arguments)):
            return False
        argument.value = self.literals.arbitrary()

    def retype_value(self) -> Optional[bool]:
        if not (argument := self.pick(self.arguments)):
            return False
        argument.value = self.literals.value(self.random.choice(TYPES[:19]))

    def nest_value(self) -> Optional[bool]:
        if not (argument := self.pick(self.arguments)):
            return False
        if isinstance(argument.value, ListValue) and argument.value.items and self.random.random() < 0.5:
            argument.value = argument.value.items[0]
        else:
            argument.value = ListValue([deepcopy(argument.value) for _ in range(self.random.choice([1, 2]))])

    def nullify_value(self) -> Optional[bool]:
        if not (argument := self.pick(self.arguments)):
            return False
        lists = isinstance(argument.value, ListValue)
        argument.value = ListValue([*argument.value.items, Literal("null")]) if lists else Literal("null")

    def use_variable(self) -> Optional[bool]:
        argument = self.pick(self.arguments)
        names = [each.name for operation in self.operations for each in operation.variables] + ["missing"]
        if not argument:
            return False
        variable = Variable(self.random.choice(names))
        lists = isinstance(argument.value, ListValue)
        argument.value = ListValue([*argument.value.items, variable]) if lists and self.random.random() < 0.5 else variable

    def break_object(self) -> Optional[bool]:
        if not (value := self.pick(self.objects)):
            return False
        choice = self.random.random()
        if choice < 0.4 and value.fields:
            value.fields.append(Argument(self.random.choice(["id", "name", "to", "unit", "extra"]), self.literals.arbitrary()))
        elif choice < 0.7:
            value.fields.clear()
        elif value.fields:
            value.fields[0] = Argument(value.fields[0].name, Literal("null"), value.fields[0].type)
        else:
            return False

    def key_vessel(self) -> Optional[bool]:
        """A oneOf input object in every right and wrong shape."""
        fields = self.pick([each.selections for each in self.operations if each.kind == "query"])
        if fields is None or "VesselKey" not in self.schema.type_map:
            return False
        operation = next(each for each in self.operations if each.selections is fields)
        types = ["ID", "ID!", "String", "String!", "[Int!]", "[Int]!", "Int", "VesselKey", "VesselKey!", "Point!"]
        operation.variables.append(VariableDefinition("key", self.random.choice(types), self.random.choice([None, None, Literal("null"), Literal('"x"')])))
        variable = Variable("key")
        inner = self.random.choice([
            [Argument("id", variable)], [Argument("name", variable)], [Argument("codes", variable)], [Argument("other", variable)],
            [Argument("codes", ListValue([variable]))], [Argument("id", variable), Argument("name", Literal('"a"'))],
            [Argument("id", variable), Argument("name", Literal("null"))], [Argument("position", variable)],
            [Argument("other", ObjectValue([Argument("id", variable)]))], [Argument("nothing", variable)], [],
        ])
        field = Field("vessel", self.random.choice([None, "keyed"]), [Argument("key", ObjectValue(inner))], [], [Field("id")])
        if self.random.random() < 0.3:
            field.arguments[0].value = variable
        fields.append(field)

    # Fragments

    def rename_spread(self) -> Optional[bool]:
        if not (spread := self.pick(self.spreads)):
            return False
        names = [each.name for each in self.fragments]
        spread.name = self.random.choice([spread.name + "x", *names])

    def add_spread(self) -> Optional[bool]:
        if not (fragment := self.pick(self.fragments)):
            return False
        self.pick(self.sets).append(Spread(fragment.name))

    def cycle(self) -> Optional[bool]:
        if not (fragment := self.pick(self.fragments)):
            return False
        fragment.selections.append(Spread(self.pick(self.fragments).name))

    def drop_fragment(self) -> Optional[bool]:
        if not (fragment := self.pick(self.fragments)):
            return False
        self.definitions.remove(fragment)

    def drop_spread(self) -> Optional[bool]:
        selections = self.pick([each for each in self.sets if len(each) > 1 and any(isinstance(node, Spread) for node in each)])
        if not selections:
            return False
        selections.remove(next(node for node in selections if isinstance(node, Spread)))

    def retype_fragment(self) -> Optional[bool]:
        if not (fragment := self.pick(self.fragments)):
            return False
        fragment.type = self.type_name()

    def retype_inline(self) -> Optional[bool]:
        if not (inline := self.pick(self.inlines)):
            return False
        inline.condition = self.type_name()

    def wrap_in_inline(self) -> Optional[bool]:
        selections = self.pick(self.sets)
        inner = list(selections)
        selections[:] = [Inline(self.type_name(), [], inner)]

    def swap_fragments(self) -> Optional[bool]:
        if len(self.fragments) < 2:
            return False
        first, second = self.random.sample(self.fragments, 2)
        first.selections, second.selections = second.selections, first.selections

    # Definitions and variables

    def repeat_definition(self) -> Optional[bool]:
        self.definitions.append(deepcopy(self.pick(self.definitions)))

    def forget_name(self) -> Optional[bool]:
        self.pick(self.operations).name = None

    def change_kind(self) -> Optional[bool]:
        self.pick(self.operations).kind = self.random.choice(["query", "mutation", "subscription"])

    def add_type_definition(self) -> Optional[bool]:
        self.definitions.insert(self.random.randrange(len(self.definitions) + 1), Raw(self.random.choice(DEFINITIONS)))

    def retype_variable(self) -> Optional[bool]:
        if not (variable := self.pick([each for operation in self.operations for each in operation.variables])):
            return False
        type = variable.type
        variable.type = self.random.choice([*TYPES, type.rstrip("!"), type.rstrip("!") + "!", f"[{type}]", type.replace("[", "").replace("]", "")])

    def drop_variable(self) -> Optional[bool]:
        if not (operation := self.pick([each for each in self.operations if each.variables])):
            return False
        operation.variables.pop(self.random.randrange(len(operation.variables)))

    def add_variable(self) -> Optional[bool]:
        name = self.random.choice(["unused", "v0", "v1"])
        self.pick(self.operations).variables.append(VariableDefinition(name, self.random.choice(TYPES)))

    def change_default(self) -> Optional[bool]:
        if not (variable := self.pick([each for operation in self.operations for each in operation.variables])):
            return False
        variable.default = self.random.choice([None, Literal("null"), self.literals.arbitrary(), ListValue([]), Variable("missing")])

    # Directives

    def add_directive(self) -> Optional[bool]:
        self.pick(self.directive_lists).append(deepcopy(self.random.choice(DIRECTIVES)))

    def move_directive(self) -> Optional[bool]:
        if not (directives := self.pick([each for each in self.directive_lists if each])):
            return False
        self.pick(self.directive_lists).append(deepcopy(self.random.choice(directives)))

    def repeat_directive(self) -> Optional[bool]:
        if not (directives := self.pick([each for each in self.directive_lists if each])):
            return False
        directives.append(deepcopy(self.random.choice(directives)))

    def misuse_streaming(self) -> Optional[bool]:
        name = self.random.choice(["defer", "stream"])
        arguments = self.random.choice([
            [], [Argument("label", Literal('"same"'))], [Argument("label", Variable("missing"))], [Argument("label", Literal("1"))],
            [Argument("if", Literal("false"))], [Argument("if", Literal("null"))], [Argument("label", Literal("null"))], [Argument("initial_count", Literal("0"))],
        ])
        places = [*self.spreads, *self.inlines] if name == "defer" else self.fields
        for place in self.random.sample(places, min(len(places), self.random.choice([1, 1, 2]))):
            place.directives.append(Directive(name, deepcopy(arguments)))
        return bool(places)

    def break_subscription(self) -> Optional[bool]:
        if not (operation := self.pick([each for each in self.operations if each.kind == "subscription"])):
            return False
        first = operation.selections[0] if operation.selections else Field("__typename")
        condition = Directive(self.random.choice(["skip", "include"]), [Argument("if", self.random.choice([Literal("true"), Literal("false")]))])
        choice = self.random.randrange(7)
        if choice == 0:
            first.directives.append(condition)
        elif choice == 1:
            operation.selections.append(Field("tideChanged"))
        elif choice == 2:
            operation.selections.append(Field("__typename"))
        elif choice == 3:
            operation.selections[:] = [Field(self.random.choice(["__typename", "__schema"]), self.random.choice([None, "a"]))]
        elif choice == 4:
            operation.selections[:] = [Inline(None, [condition], [first])]
        elif choice == 5:
            operation.selections[:] = [Inline("Subscription", [], [first, deepcopy(first)])]
        else:
            operation.selections.append(Inline(None, [], [Field("tideChanged", "other")]))


MUTATIONS = [
    name for name, member in vars(Mutator).items()
    if callable(member) and not name.startswith("_") and name not in ("refresh", "visit", "visit_value", "pick", "mutate", "type_name")
]


def mutate_tokens(tokens: list, random: Random) -> str:
    """A mistake in the text: a token too many, one too few, or another one."""
    index = random.randrange(len(tokens))
    choice = random.randrange(5)
    if choice == 0:
        tokens.pop(index)
    elif choice == 1:
        tokens.insert(index, tokens[index])
    elif choice == 2:
        other = random.randrange(len(tokens))
        tokens[index], tokens[other] = tokens[other], tokens[index]
    elif choice == 3:
        tokens[index] = random.choice(tokens)
    else:
        tokens.insert(index, random.choice(["{", "}", "(", ")", "...", "on", ":", "!", "@", "$x", "null", "fragment", "&", "|", '""', "1", "query"]))
    return "token"

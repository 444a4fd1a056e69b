"""What graphql-core says of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from graphql import (
    BooleanValueNode,
    DirectiveNode,
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    Source,
    StringValueNode,
    ValueNode,
    VariableDefinitionNode,
    Visitor,
    build_ast_schema,
    parse,
    print_ast,
    specified_rules,
    validate,
    validate_schema,
    visit,
)
from graphql.validation import MaxIntrospectionDepthRule, NoUnusedVariablesRule, StreamDirectiveOnListField
from graphql.validation.validate import validate_sdl

from relay import directive, has_fragment_arguments, with_fragment_variables

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RELAY_DIRECTIVES = (HERE / "relay-directives.graphql").read_text()
LABEL_ERROR = "Defer/Stream directive label argument must be unique."


class UnusedVariables(NoUnusedVariablesRule):
    """The rule, but for operations with the directive that turns it off for Relay."""

    def enter_operation_definition(self, operation, *_):
        if not directive(operation, "DEPRECATED__relay_ignore_unused_variables_error"):
            super().enter_operation_definition(operation)


# The depth of introspection is no matter of the specification.
RULES = [
    UnusedVariables if rule is NoUnusedVariablesRule else rule
    for rule in specified_rules
    if rule is not MaxIntrospectionDepthRule
]


@dataclass
class Finding:
    """One error or warning of either side; `places` has the text and line of every place it names."""

    message: str
    places: list = field(default_factory=list)
    id: str = ""
    # What `named` says of what graphql-core names first.
    node: str = ""
    # The text of the first line.
    line: str = ""
    # Whether graphql-core gets no further with the text, so that it finds nothing of the rest.
    stops: bool = False

    def __str__(self) -> str:
        places = ", ".join(f"{path}:{line}" for path, line in self.places)
        return f"{places}: {self.message}" + (f" [{self.id}]" if self.id else "")


def finding(error: GraphQLError) -> Finding:
    if error.nodes:
        located = [node.loc for node in error.nodes if node.loc]
        places = [(loc.source.name, loc.source.get_location(loc.start).line) for loc in located]
    elif error.source and error.positions:
        places = [(error.source.name, error.source.get_location(position).line) for position in error.positions]
    else:
        places = []
    return Finding(error.message, places, node=named(error))


def named(error: GraphQLError) -> str:
    """What disagreements have to know of the node that graphql-core names; the definition of a variable is printed."""
    node = error.nodes[0] if error.nodes else None
    if isinstance(node, VariableDefinitionNode):
        return print_ast(node)
    if error.message.startswith("Cannot extend type") and node.loc.start_token.prev.value == "type":
        return "extension of an object"
    if error.message == LABEL_ERROR and not is_sent_twice(error.nodes[0]):
        return "labels that are sent apart"
    # The text of whole definitions would be long and of no use.
    return ""


def is_sent_twice(first: DirectiveNode) -> bool:
    """Whether two labels of a document are the same with what Relay's compiler puts before them: the definition and the directive.

    What `if: false` switches off is not sent."""
    label = argument(first, "label").value
    sent = []

    class Labels(Visitor):
        def enter_directive(self, node: DirectiveNode, *_: Any) -> None:
            given, condition = argument(node, "label"), argument(node, "if")
            is_off = isinstance(condition, BooleanValueNode) and not condition.value
            if node.name.value in ("defer", "stream") and isinstance(given, StringValueNode) and given.value == label and not is_off:
                sent.append((number, node.name.value))

    for number, definition in enumerate(parse(first.loc.source).definitions):
        visit(definition, Labels())
    return len(set(sent)) < len(sent)


def argument(node: DirectiveNode, name: str) -> Optional[ValueNode]:
    return next((each.value for each in node.arguments or () if each.name.value == name), None)


@dataclass
class Text:
    """A text with its name, as bytes or, where that is all it is, as text."""

    name: str
    text: str
    is_utf8: bool = True


def parse_text(text: Text, errors: list) -> Optional[DocumentNode]:
    if not text.is_utf8:
        errors.append(Finding("the text is no UTF-8", [(text.name, 1)]))
        return None
    try:
        return parse(Source(text.text, text.name), allow_empty_selection_sets=False)
    except GraphQLError as error:
        errors.append(finding(error))
        errors[-1].stops = True
    except RecursionError:
        errors.append(Finding("the text is nested too deeply", [(text.name, 1)]))
    return None


def relay_definitions(taken: set) -> list:
    """Relay's own directives and their types, but for those that the schema declares itself."""
    document = parse(Source(RELAY_DIRECTIVES, "relay-directives.graphql"))
    clashes = [name for name in ("CatchFieldTo", "RequiredFieldAction") if name in taken]
    return [
        node for node in document.definitions
        if node.name.value not in taken and not any(name in print_ast(node) for name in clashes)
    ]


def relay_names() -> set:
    """The directives of documents that Baton takes for Relay's alone."""
    table = (ROOT / "Compiler/Sources/BatonTransforms/KnownDirectives.swift").read_text()
    fates = table.partition("let fates:")[2].partition("\n    ]")[0]
    return set(re.findall(r'^        "(\w+)": \.', fates, re.MULTILINE)) - {"defer", "include", "skip", "stream"}


class Reference:
    """A schema as graphql-core understands it, with what is wrong with it."""

    def __init__(self, texts: list, with_relay: bool = True):
        self.errors: list = []
        self.schema: Optional[GraphQLSchema] = None
        documents = [document for text in texts if (document := parse_text(text, self.errors))]
        if self.errors:
            return
        own = [node for document in documents for node in document.definitions]
        taken = {node.name.value for node in own if getattr(node, "name", None)}
        relays = relay_definitions(taken) if with_relay else []
        self.relay_use = re.compile(r"@[\s,]*(?:%s)\b" % "|".join(relay_names() - taken))
        document = DocumentNode(definitions=tuple(own + relays))
        self.errors += [finding(error) for error in validate_sdl(document)]
        try:
            self.schema = build_ast_schema(document, assume_valid_sdl=True)
        except (GraphQLError, TypeError, KeyError, AttributeError) as error:
            # What cannot be built was refused for its definitions, and is not looked at as a whole.
            if not self.errors:
                self.errors.append(Finding(str(error).partition("\n")[0]))
            for each in self.errors:
                each.stops = True
            return
        known = {error.message for error in self.errors}
        try:
            found = [finding(error) for error in validate_schema(self.schema)]
        except (GraphQLError, TypeError) as error:
            # As for a default where the type is no input type, which is an error of its own.
            found = [Finding(str(error).partition("\n")[0])]
        # Relay's own directives may have names that others may not.
        found = [error for error in found if error.places[:1] == [] or error.places[0][0] != "relay-directives.graphql"]
        self.errors += [error for error in found if error.message not in known]
        self.schema._validation_errors = []

    def uses_relay(self, text: str) -> bool:
        """Whether a text has a directive that is Relay's alone, which makes the whole program one of Relay's for Baton."""
        return self.relay_use.search(text) is not None

    def judge(self, texts: list) -> list:
        """What is wrong with documents against this schema."""
        errors: list = []
        documents = [document for text in texts if (document := parse_text(text, errors))]
        if errors or self.schema is None:
            return errors
        return self.judge_tree([node for each in documents for node in each.definitions])

    def judge_tree(self, definitions: list, left_out: tuple = ()) -> list:
        document = DocumentNode(definitions=tuple(definitions))
        if has_fragment_arguments(document):
            document = with_fragment_variables(document)
        rules = [rule for rule in RULES if rule not in left_out]
        try:
            errors = validate(self.schema, document, rules)
        except AttributeError:
            # This rule takes for granted that '@stream' stands on a field of an object or interface.
            errors = validate(self.schema, document, [rule for rule in rules if rule is not StreamDirectiveOnListField])
        return [finding(error) for error in errors]

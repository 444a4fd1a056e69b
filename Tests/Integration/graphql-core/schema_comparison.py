"""Generated schemas, and what is printed for them."""

from __future__ import annotations

import json
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Any

from graphql import (
    DirectiveDefinitionNode,
    GraphQLError,
    StringValueNode,
    build_ast_schema,
    build_schema,
    introspection_from_schema,
    lexicographic_sort_schema,
    parse,
    print_schema,
)
from graphql.language import Visitor, visit

from compiler import Compiler, CompilerFailure, together
from judgement import Failure, Judge, Tally
from reference import Reference, Text
from relay import rebuilt
from schema_mutations import SchemaMutator
from schemas import SchemaGenerator
from tasks import Task, write
from trees import document_tokens, tidy, untidy

SCHEMA_TASKS, SCHEMAS_PER_TASK = 10, 120


def compare_schemas(task: Task, folder: Path, disagreements: list) -> Tally:
    """Verdicts, and for valid schemas what `print schema` makes of the SDL and of its introspection."""
    random = Random(task.seed)
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    for index in range(SCHEMAS_PER_TASK):
        generator = SchemaGenerator(random)
        definitions = generator.schema()
        how = []
        if random.random() > 0.2:
            mutator = SchemaMutator(generator, definitions)
            how = [mutator.mutate() for _ in range(random.choice([1, 1, 1, 2]))]
        tokens = document_tokens(definitions)
        # What is wrong with a directive's arguments is told by the line.
        is_tidy = random.random() > 0.2 or any("directive" in name or name in ("decorate", "add_raw") for name in how)
        text = Text(f"{index}.graphql", tidy(tokens) if is_tidy else untidy(tokens, random))
        write(folder, [text])
        reference = Reference([text])
        verdict = together(compiler.validate(folder, [text.name], []))
        label = f"{task.seed}/{text.name} ({' '.join(how) or 'valid'})"
        if not how and reference.errors:
            judge.tally.failures.append(Failure("what should be valid is not", f"{label}: what should be valid is not: {reference.errors[0]}", text.text))
        group = "schemas, mutated" if how else "schemas, valid"
        if judge.compare(group, "schema", label, reference.errors, verdict, text.text, is_tidy) and not reference.errors and not verdict.errors:
            compare_printed_schema(compiler, judge, label, text, folder)
    return judge.tally


def schema_text(text: str) -> str:
    """The schema in a form that is the same for equal schemas."""
    document = visit(parse(text), InOneLine())
    return print_schema(lexicographic_sort_schema(build_ast_schema(document)))


def compare_printed_schema(compiler: Compiler, judge: Judge, label: str, text: Text, folder: Path) -> None:
    original = build_schema(text.text)
    wanted = schema_text(text.text)
    introspection = introspection_from_schema(original, specified_by_url=True, directive_is_repeatable=True, input_value_deprecation=True, one_of=True)
    # Directives are not in an introspection; what they say of deprecation and so on is.
    (folder / "introspection.json").write_text(json.dumps(introspection))
    for name in (text.name, "introspection.json"):
        try:
            found = schema_text(compiler.print_schema(folder, [name]))
        except (CompilerFailure, GraphQLError, TypeError) as error:
            judge.tally.failures.append(Failure("what is printed is wrong", f"{label}: what is printed for {name} is wrong: {error}", text.text))
            return
        if found != wanted:
            difference = "\n".join(unified_diff(wanted.splitlines(), found.splitlines(), lineterm="", n=1))
            judge.tally.failures.append(Failure("another schema is printed", f"{label}: another schema is printed for {name}\n{difference}", text.text))


class InOneLine(Visitor):
    """Makes block strings plain ones, because the value is what counts, and locations unique."""

    def leave_directive_definition(self, node: DirectiveDefinitionNode, *_: Any) -> DirectiveDefinitionNode:
        return rebuilt(node, locations=tuple({place.value: place for place in node.locations}.values()))

    def leave_string_value(self, node: StringValueNode, *_: Any) -> StringValueNode:
        return StringValueNode(value=node.value, block=False)

"""Generated texts: tokens in any order, and what strings say."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Optional

from graphql import GraphQLError, ObjectTypeDefinitionNode, parse, parse_value

from compiler import SYNTAX_IDS, Compiler, Verdict
from judgement import Failure, Judge, Tally
from reference import Text, parse_text
from tasks import Task, write
from texts import block_string, string
from texts import text as random_text

TEXT_TASKS, TEXTS_PER_TASK, STRINGS_PER_TASK = 8, 400, 100


def compare_texts(task: Task, folder: Path, disagreements: list) -> Tally:
    """Whether a text is a document of the grammar at all, and what its strings say."""
    random = Random(task.seed)
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    (folder / "any.graphql").write_text("type Query { a: Int }")
    (folder / "documents").mkdir()
    texts = [Text(f"{index}.graphql", random_text(random)) for index in range(TEXTS_PER_TASK)]
    write(folder / "documents", texts)
    verdicts = compiler.validate(folder, ["any.graphql"], ["documents"])
    for text in texts:
        verdict = verdicts.get(f"documents/{text.name}", Verdict())
        verdict = Verdict([error for error in verdict.errors if error.id in SYNTAX_IDS])
        core: list = []
        parse_text(Text(f"documents/{text.name}", text.text), core)
        judge.compare("texts", "syntax", f"{task.seed}/{text.name}", core, verdict, repr(text.text), is_tidy=False)
    compare_strings(compiler, judge, random, task, folder)
    return judge.tally


def string_value(text: str) -> Optional[str]:
    """What a string says; None if the text is no string, or one with a comment behind it."""
    try:
        node = parse_value(text)
    except GraphQLError:
        return None
    return node.value if node.loc and node.loc.end == len(text) else None


def compare_strings(compiler: Compiler, judge: Judge, random: Random, task: Task, folder: Path) -> None:
    """Strings as descriptions of fields, which `print schema` gives back in its own spelling."""
    strings = []
    while len(strings) < STRINGS_PER_TASK:
        candidate = random.choice([string, block_string])(random)
        if string_value(candidate) is not None:
            strings.append(candidate)
    fields = "\n".join(f"{text} field{index}(a: String = {text}): Int" for index, text in enumerate(strings))
    schema = f"type Query {{\n{fields}\n}}"
    (folder / "strings.graphql").write_bytes(schema.encode())
    found = parse(compiler.print_schema(folder, ["strings.graphql"])).definitions
    query = next(node for node in found if isinstance(node, ObjectTypeDefinitionNode) and node.name.value == "Query")
    for text, field in zip(strings, query.fields):
        judge.tally.compared["strings"] += 1
        wanted = string_value(text)
        said = field.description.value if field.description else ""
        default = field.arguments[0].default_value.value
        if said == wanted == default:
            judge.tally.accepted["strings"] += 1
        else:
            judge.tally.failures.append(Failure("another string", f"{task.seed}: another string is read: {wanted!r}, but {said!r} and {default!r}", repr(text)))

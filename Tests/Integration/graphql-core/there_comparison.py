"""Fixtures and corpora: what is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphql import FragmentDefinitionNode, GraphQLError, Source, parse, print_ast
from graphql.language import FragmentSpreadNode, Lexer, TokenKind, Visitor, visit
from graphql.validation import NoUnusedFragmentsRule

from compiler import SYNTAX_IDS, Compiler, Verdict, together
from inputs import Input, corpora, fixtures
from judgement import Failure, Judge, Tally
from reference import Reference, Text, finding, parse_text
from schema_comparison import InOneLine
from tasks import Task, write

LEXER_IDS = {"invalid-character", "invalid-escape", "invalid-number", "invalid-utf8", "unterminated-string"}
FIXTURE_TASKS = 4

# Fixtures


def compare_fixtures(task: Task, folder: Path, disagreements: list) -> Tally:
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    references: dict = {}
    for index, input in enumerate(fixtures()):
        if index % FIXTURE_TASKS != task.part:
            continue
        place = folder / str(index)
        place.mkdir()
        compare_input(compiler, judge, references, input, place)
    return judge.tally


def compare_input(compiler: Compiler, judge: Judge, references: dict, input: Input, folder: Path) -> None:
    if not all(text.is_utf8 for text in input.documents):
        return  # The reference takes text, not bytes.
    (folder / "any.graphql").write_text("type Query { a: Int }")
    key = tuple(text.text for text in input.schemas + input.extensions)
    if input.kind in ("schema", "program"):
        schemas = write(folder, input.schemas)
        extensions = write(folder, input.extensions)
        documents = write(folder, input.documents)
        verdict = together(compiler.validate(folder, schemas, documents, tuple(extensions)))
        reference = references.get(key) or Reference(input.schemas + input.extensions)
        references[key] = reference
        core = reference.errors + reference.judge(input.documents)
        judge.compare("fixtures", input.kind, input.name, core, verdict, str(input))
        return
    documents = write(folder, input.documents)
    verdict = together(compiler.validate(folder, ["any.graphql"], documents))
    ids = SYNTAX_IDS if input.kind == "syntax" else LEXER_IDS
    verdict = Verdict([error for error in verdict.errors if error.id in ids])
    text = input.documents[0]
    core: list = []
    tree = None
    if input.kind == "syntax":
        tree = parse_text(text, core)
    else:
        core = lexer_errors(text)
    if judge.compare("fixtures", "syntax", input.name, core, verdict, str(input)) and tree and input.expected:
        compare_printed(judge, input, tree)


def lexer_errors(text: Text) -> list:
    lexer = Lexer(Source(text.text, text.name))
    try:
        while lexer.advance().kind is not TokenKind.EOF:
            pass
    except GraphQLError as error:
        return [finding(error)]
    return []


def compare_printed(judge: Judge, input: Input, tree: Any) -> None:
    """What the tests record of the printer, once or in two styles, is the tree that was read."""
    try:
        printed = parse(Source(input.expected, "printed"), no_location=True).definitions
    except GraphQLError as error:
        judge.tally.failures.append(Failure("what is printed is no GraphQL", f"{input.name}: what is printed is no GraphQL: {error.message}"))
        return
    wanted = [print_ast(visit(node, InOneLine())) for node in tree.definitions]
    found = [print_ast(visit(node, InOneLine())) for node in printed]
    if found not in (wanted, wanted * 2):
        judge.tally.failures.append(Failure("what is printed is another tree", f"{input.name}: what is printed is another tree", input.expected))


# Corpora


def compare_corpora(task: Task, folder: Path, disagreements: list) -> Tally:
    """Every document with the fragments that it reaches, wherever they are, as one program for graphql-core; all at once for Baton."""
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    corpus = next(corpus for corpus in corpora() if corpus.name == task.part)
    group = "corpora"
    (folder / "documents").mkdir()
    schemas = write(folder, [corpus.schema])
    for text in corpus.documents:
        write(folder / "documents", [text])
    verdicts = compiler.validate(folder, schemas, ["documents"])
    reference = Reference([corpus.schema])
    own = verdicts.pop("schema.graphql", Verdict())
    judge.compare(group, "schema", f"{corpus.name}/schema.graphql", reference.errors, own, "")
    trees, errors = {}, {}
    for text in corpus.documents:
        errors[text.name] = []
        trees[text.name] = parse_text(text, errors[text.name])
    fragments = {}
    for name, tree in trees.items():
        for node in tree.definitions if tree else ():
            if isinstance(node, FragmentDefinitionNode):
                fragments.setdefault(node.name.value, node)
    for text in corpus.documents:
        name = f"{corpus.name}/{text.name}"
        verdict = verdicts.pop(f"documents/{text.name}", Verdict())
        for error in verdict.errors:
            error.places = [(path.removeprefix("documents/"), line) for path, line in error.places]
        # Files may belong to different programs, so that a name may be defined in two of them.
        verdict.errors = [
            error for error in verdict.errors
            if not error.id.startswith("duplicate-") or error.places[1:2] == [] or error.places[1][0] == error.places[0][0]
        ]
        core = errors[text.name]
        if tree := trees[text.name]:
            # Whether a fragment is used is a matter of all files together.
            found = reference.judge_tree(closure(tree, fragments), left_out=(NoUnusedFragmentsRule,))
            core = core + [error for error in found if any(path == text.name for path, _ in error.places)]
        judge.compare(group, "program", name, core, verdict, "")
    if verdicts:
        judge.tally.failures.append(Failure("Baton reports in ", f"{corpus.name}: Baton reports in {', '.join(verdicts)}"))
    return judge.tally


class Spreads(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: list = []

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        self.names.append(node.name.value)


def closure(tree: Any, fragments: dict) -> list:
    nodes = list(tree.definitions)
    there = {node.name.value for node in nodes if isinstance(node, FragmentDefinitionNode)}
    pending = list(nodes)
    while pending:
        spreads = Spreads()
        visit(pending.pop(), spreads)
        for name in spreads.names:
            if name not in there and name in fragments:
                there.add(name)
                nodes.append(fragments[name])
                pending.append(fragments[name])
    return nodes

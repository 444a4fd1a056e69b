"""What is compared, a group at a time, in tasks that can run beside each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from random import Random
from typing import Any, Iterator, Optional

from graphql import (
    DirectiveDefinitionNode,
    FragmentDefinitionNode,
    GraphQLError,
    ObjectTypeDefinitionNode,
    Source,
    StringValueNode,
    build_ast_schema,
    build_schema,
    introspection_from_schema,
    lexicographic_sort_schema,
    parse,
    parse_value,
    print_ast,
    print_schema,
)
from graphql.validation import NoUnusedFragmentsRule
from graphql.language import FragmentSpreadNode, Lexer, TokenKind, Visitor, visit

from compiler import SYNTAX_IDS, Compiler, CompilerFailure, Verdict, together
from documents import DocumentGenerator
from inputs import CORPORA, Input, corpora, fixtures
from judgement import Failure, Judge, Tally
from mutations import Mutator, mutate_tokens
from reference import Finding, Reference, Text, finding, parse_text
from relay import rebuilt
from schema_mutations import SchemaMutator
from schemas import SchemaGenerator
from texts import block_string, string
from texts import text as random_text
from trees import document_tokens, tidy, untidy

HERE = Path(__file__).resolve().parent
LEXER_IDS = {"invalid-character", "invalid-escape", "invalid-number", "invalid-utf8", "unterminated-string"}
DOCUMENT_TASKS, DOCUMENTS_PER_TASK = 24, 160
SCHEMA_TASKS, SCHEMAS_PER_TASK = 10, 120
TEXT_TASKS, TEXTS_PER_TASK, STRINGS_PER_TASK = 8, 400, 100


SERVER_DIRECTIVES = """
directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0, initial_count: Int) on FIELD
"""


@dataclass
class Task:
    baton: Path
    seed: str
    part: Any = None


def tasks(group: str, baton: Path, seed: int, scale: float) -> Iterator[Task]:
    if group == "fixtures":
        for part in range(4):
            yield Task(baton, "", part)
    elif group == "corpora":
        if not CORPORA.is_dir():
            print(f"corpora: skipped, {CORPORA} is not there")
            return
        for corpus in corpora():
            yield Task(baton, "", corpus.name)
    else:
        count = {"documents": DOCUMENT_TASKS, "schemas": SCHEMA_TASKS, "texts": TEXT_TASKS}[group]
        for part in range(max(1, round(count * scale))):
            yield Task(baton, f"{seed}.{group}.{part}", part)


def write(folder: Path, texts: list, originals: Optional[dict] = None) -> list:
    for text in texts:
        (folder / text.name).write_bytes(text.text.encode(errors="surrogatepass") if text.is_utf8 else (originals or {})[text.name])
    return [text.name for text in texts]


# Fixtures


def compare_fixtures(task: Task, folder: Path, disagreements: list) -> Tally:
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    references: dict = {}
    for index, input in enumerate(fixtures()):
        if index % 4 != task.part:
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


class InOneLine(Visitor):
    """Makes block strings plain ones, because the value is what counts, and locations unique."""

    def leave_directive_definition(self, node: DirectiveDefinitionNode, *_: Any) -> DirectiveDefinitionNode:
        return rebuilt(node, locations=tuple({place.value: place for place in node.locations}.values()))

    def leave_string_value(self, node: StringValueNode, *_: Any) -> StringValueNode:
        return StringValueNode(value=node.value, block=False)


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


# Generated documents


def compare_documents(task: Task, folder: Path, disagreements: list) -> Tally:
    """A third as they are made, a third with one mistake, and a third with some; alone and as one program."""
    random = Random(task.seed)
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    schema_text = Text("schema.graphql", (HERE / "harbour.graphql").read_text())
    reference = Reference([schema_text])
    if reference.errors:
        judge.tally.failures.append(Failure("harbour.graphql is wrong", f"harbour.graphql is wrong: {reference.errors[0]}"))
        return judge.tally
    write(folder, [schema_text])
    (folder / "documents").mkdir()
    (folder / "valid").mkdir()
    (folder / "alone").mkdir()
    texts = {}
    for index in range(DOCUMENTS_PER_TASK):
        made = generate_document(random, reference, f"_{index}")
        # Whose grammar is broken may have any names, which could mean what is in another file.
        place = "documents" if made.is_grammatical else "alone"
        texts[f"{place}/{index}.graphql"] = made
        (folder / place / f"{index}.graphql").write_bytes(made.text.encode())
    verdicts = compiler.validate(folder, ["schema.graphql"], ["documents"])
    for name, made in texts.items():
        core = reference.judge([Text(name, made.text)])
        label = f"{task.seed}/{name} ({made.how or 'valid'})"
        if not made.how and (rest := judge.unexplained("program", label, core)):
            judge.tally.failures.append(Failure("what should be valid is not", f"{label}: what should be valid is not: {rest[0]}", made.text))
        verdict = verdicts.get(name, Verdict())
        if not made.is_grammatical or not judge.agrees("program", label, core, verdict):
            alone = together(compiler.validate(folder, ["schema.graphql"], [name]))
            if made.is_grammatical and [str(error) for error in alone.errors] != [str(error) for error in verdict.errors]:
                judge.tally.failures.append(
                    Failure("among others Baton says something else", f"{label}: among others Baton says something else than alone", made.text)
                )
            verdict = alone
        group = "documents, mutated" if made.how else "documents, valid"
        judge.compare(group, "program", label, core, verdict, made.text, made.is_tidy and made.is_grammatical)
        if not made.how and not verdict.errors:
            write(folder / "valid", [Text(Path(name).name, made.text)])
    compare_operations(compiler, judge, folder, task)
    return judge.tally


def compare_operations(compiler: Compiler, judge: Judge, folder: Path, task: Task) -> None:
    """What is sent for valid documents is valid for a server, which knows nothing of Relay."""
    server = Reference([Text("schema.graphql", (HERE / "harbour.graphql").read_text() + SERVER_DIRECTIVES)], with_relay=False)
    for name, sent in compiler.print_operations(folder, ["schema.graphql"], ["valid"]).items():
        judge.tally.compared["operations as sent"] += 1
        if errors := judge.unexplained("program", name, server.judge([Text(name, sent)])):
            judge.tally.failures.append(Failure(errors[0].message, f"{task.seed}: what is sent for {name} is wrong: {errors[0]}", sent))
        else:
            judge.tally.accepted["operations as sent"] += 1


@dataclass
class Generated:
    text: str
    # The mistakes that were made in it; empty where there is none.
    how: str
    is_tidy: bool
    is_grammatical: bool


def generate_document(random: Random, reference: Reference, suffix: str) -> Generated:
    generator = DocumentGenerator(reference.schema, random, suffix)
    definitions = generator.document()
    choice = random.random()
    how = []
    if choice > 0.3:
        mutator = Mutator(definitions, reference.schema, generator.literals, random)
        how = [mutator.mutate() for _ in range(1 if choice < 0.75 else random.choice([2, 3]))]
    tokens = document_tokens(definitions)
    is_grammatical = random.random() > 0.08
    if not is_grammatical:
        how.append(mutate_tokens(tokens, random))
    is_tidy = random.random() > 0.2
    return Generated(tidy(tokens) if is_tidy else untidy(tokens, random), " ".join(how), is_tidy, is_grammatical)


# Generated schemas


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


# Generated texts


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
    try:
        return parse_value(text).value
    except GraphQLError:
        return None


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

"""Generated documents: a third as they are made, and others with one mistake or some."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from compiler import Compiler, Verdict, together
from documents import DocumentGenerator
from inputs import CORPORA
from judgement import Failure, Judge, Tally
from mutations import Mutator, mutate_tokens
from reference import LABEL_ERROR, Reference, Text
from tasks import Task, write
from trees import document_tokens, tidy, untidy

HERE = Path(__file__).resolve().parent
DOCUMENT_TASKS, DOCUMENTS_PER_TASK = 24, 160


def compare_documents(task: Task, folder: Path, disagreements: list) -> Tally:
    """A third as they are made, a third with one mistake, and a third with some; alone and as one program."""
    random = Random(task.seed)
    compiler, judge = Compiler(task.baton), Judge(disagreements)
    schema_text = Text("schema.graphql", schema_path(task.part).read_text())
    reference = Reference([schema_text])
    if reference.schema is None:
        judge.tally.failures.append(Failure("the schema is wrong", f"{schema_path(task.part)} is wrong: {reference.errors[0]}"))
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
    is_relays = any(reference.uses_relay(made.text) for made in texts.values() if made.is_grammatical)
    for name, made in texts.items():
        core = reference.judge([Text(name, made.text)])
        label = f"{task.seed}/{name} ({made.how or 'valid'})"
        if not made.how and (rest := judge.unexplained("program", label, core)):
            judge.tally.failures.append(Failure("what should be valid is not", f"{label}: what should be valid is not: {rest[0]}", made.text))
        verdict = verdicts.get(name, Verdict())
        verdict.uses_relay = is_relays
        # Equal labels mean another thing where another document of the program uses Relay.
        has_labels = any(error.message == LABEL_ERROR for error in core) and is_relays != reference.uses_relay(made.text)
        if not made.is_grammatical or has_labels or not judge.agrees("program", label, core, verdict):
            alone = together(compiler.validate(folder, ["schema.graphql"], [name]))
            alone.uses_relay = reference.uses_relay(made.text)
            if made.is_grammatical and not has_labels and judge.specified("program", label, core, alone) != judge.specified("program", label, core, verdict):
                judge.tally.failures.append(
                    Failure("among others Baton says something else", f"{label}: among others Baton says something else than alone", made.text)
                )
            verdict = alone
        group = "documents, mutated" if made.how else "documents, valid"
        judge.compare(group, "program", label, core, verdict, made.text, made.is_tidy and made.is_grammatical)
        if not made.how and not verdict.errors:
            write(folder / "valid", [Text(Path(name).name, made.text)])
    compare_operations(compiler, judge, schema_text, folder, task)
    return judge.tally


def schema_path(part: int) -> Path:
    """Mostly the schema of our own, which has everything; now and then a real one, where it is there."""
    corpus = CORPORA / {4: "shopify-storefront", 5: "relay-ex-newsfeed"}.get(part % 6, "") / "schema.graphql"
    return corpus if corpus.exists() else HERE / "harbour.graphql"


PARTS = {
    "defer": "directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT",
    "stream": "directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0, initial_count: Int, "
    "useCustomizedBatch: Boolean, use_customized_batch: Boolean) on FIELD",
}


def compare_operations(compiler: Compiler, judge: Judge, schema_text: Text, folder: Path, task: Task) -> None:
    """What is sent for valid documents is valid for a server, which knows nothing of Relay.

    '@defer' and '@stream' are sent with a warning to a server that does not declare them, so that this server does."""
    declared = "".join(f"\n{text}" for name, text in PARTS.items() if f"directive @{name}" not in schema_text.text)
    server = Reference([Text(schema_text.name, schema_text.text + declared)], with_relay=False)
    documents = sorted(f"valid/{path.name}" for path in (folder / "valid").iterdir())
    for name, sent in compiler.print_operations(folder, ["schema.graphql"], documents).items():
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

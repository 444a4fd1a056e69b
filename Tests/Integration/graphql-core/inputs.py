"""The inputs that are there: fixtures and corpora."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Iterator, Optional

from reference import Text

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = [ROOT / f"Tests/Baton{stage}Tests/Fixtures" for stage in ("Syntax", "Schema", "Validation")]
CORPORA = ROOT.parent / "shared/corpora"


@dataclass
class Input:
    """Texts that are judged together. `kind` says by what: the grammar, the rules for schemas, or those for documents."""

    kind: str
    name: str
    documents: list = field(default_factory=list)
    schemas: list = field(default_factory=list)
    extensions: list = field(default_factory=list)
    expected: Optional[str] = None

    @property
    def own_texts(self) -> list:
        return [text for text in self.schemas if text.text != shared_schema().text] + self.extensions + self.documents

    def __str__(self) -> str:
        return "".join(f"    #%% {text.name}\n    " + text.text.replace("\n", "\n    ") + "\n" for text in self.own_texts)


def text(name: str, content: bytes) -> Text:
    try:
        return Text(name, content.decode())
    except UnicodeDecodeError:
        return Text(name, content.decode(errors="replace"), is_utf8=False)


def parts(content: bytes, marker: bytes) -> list:
    """What comes before the first line with the marker, without a title, and what follows each."""
    found, title, lines = [], None, []
    for line in content.split(b"\n"):
        if line.startswith(marker):
            found.append((title, b"".join(lines)))
            title, lines = line[len(marker) :].decode(), []
        else:
            lines.append(line + b"\n")
    return found + [(title, b"".join(lines)[:-1])]


def texts(content: bytes) -> list:
    named = parts(content, b"#%% ")
    # Comments before the first name are no text of their own.
    if len(named) > 1 and all(not line.strip() or line.startswith(b"#") for line in named[0][1].split(b"\n")):
        named.pop(0)
    return [(title or "document.graphql", part) for title, part in named]


def fixtures() -> Iterator[Input]:
    """Every input of every fixture."""
    for folder, path in [(folder, path) for folder in FIXTURES for path in sorted(folder.rglob("*.graphql"))]:
        topic = str(path.parent.relative_to(folder))
        if topic == "validation":
            continue
        content = path.read_bytes()
        name = f"{topic}/{path.stem}"
        if path.stem.endswith(".cases"):
            for title, part in parts(content, b"#== "):
                if title:
                    yield fixture(topic, f"{name}/{title}", texts(part))
        elif topic in ("lexer", "parser", "printer"):
            one = fixture(topic, name, [("document.graphql", content)])
            expected = path.with_suffix(".expected").read_bytes().decode()
            if topic != "lexer" and "\nOUTPUT\n" in expected:
                one.expected = expected.rsplit("\nOUTPUT\n", 1)[1]
            yield one
        else:
            yield fixture(topic, name, texts(content))


def fixture(topic: str, name: str, named: list) -> Input:
    if topic in ("lexer", "parser", "printer"):
        kind = "tokens" if topic == "lexer" else "syntax"
        return Input(kind, name, documents=[text(*named[0])] if named else [])
    made = Input("schema" if topic == "schema" else "program", name)
    for title, content in named:
        if title.startswith("extension"):
            made.extensions.append(text(title, content))
        elif topic == "schema" or title.startswith("schema"):
            made.schemas.append(text(title, content))
        else:
            made.documents.append(text(title, content))
    if topic != "schema" and not made.schemas:
        made.schemas.append(shared_schema())
    return made


@cache
def shared_schema() -> Text:
    return text("schema.graphql", (FIXTURES[-1] / "validation/schema.graphql").read_bytes())


@dataclass
class Corpus:
    name: str
    schema: Text
    documents: list

    @property
    def is_relay(self) -> bool:
        return self.name.startswith("relay-")


def corpora() -> Iterator[Corpus]:
    for folder in sorted(CORPORA.iterdir()):
        if not (folder / "schema.graphql").exists():
            continue
        with open(folder / "expected.tsv", newline="") as file:
            names = [row["file"] for row in csv.DictReader(file, delimiter="\t")]
        documents = [text(name, (folder / "documents" / name).read_bytes()) for name in names]
        yield Corpus(folder.name, text("schema.graphql", (folder / "schema.graphql").read_bytes()), documents)

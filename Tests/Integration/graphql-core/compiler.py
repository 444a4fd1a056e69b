"""What Baton says of texts, asked through its command line."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from reference import Finding

SYNTAX_IDS = {
    "invalid-character", "invalid-escape", "invalid-number", "invalid-utf8", "unterminated-string", "empty-document", "empty-list",
    "nesting-limit", "obsolete-syntax", "reserved-name", "syntax", "token-limit", "unexpected-description",
}


@dataclass
class Verdict:
    errors: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    # Whether Baton's rules for Relay's documents apply, as far as the caller knows.
    uses_relay: bool = False


class CompilerFailure(Exception):
    """The command ended in a way that it never should."""


class Compiler:
    def __init__(self, path: Path):
        self.path = path

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess:
        done = subprocess.run([self.path, *arguments], cwd=folder, capture_output=True, timeout=300)
        if done.returncode not in (0, 1):
            raise CompilerFailure(f"baton {' '.join(arguments)} ended with {done.returncode}\n{done.stderr.decode(errors='replace')}")
        return done

    def validate(self, folder: Path, schemas: list, documents: list, extensions: tuple = ()) -> dict:
        """The verdicts by path; what has no path is under the empty one."""
        arguments = ["validate", "--format", "json"]
        for option, paths in (("--schema", schemas), ("--schema-extension", extensions), ("--documents", documents)):
            for path in paths:
                arguments += [option, str(path)]
        done = self.run(folder, *arguments)
        verdicts: dict = {}
        for item in json.loads(done.stdout)["diagnostics"]:
            path = item.get("path", "")
            places = [(path, item.get("line", 0))]
            places += [(note.get("path", ""), note.get("line", 0)) for note in item["notes"]]
            verdict = verdicts.setdefault(path, Verdict())
            kind = verdict.errors if item["severity"] == "error" else verdict.warnings
            kind.append(Finding(item["message"], places, item["id"]))
            if item["severity"] == "error" and path:
                kind[-1].line = line_of((folder / path).read_bytes(), item["line"])
        if (done.returncode != 0) != any(verdict.errors for verdict in verdicts.values()):
            raise CompilerFailure(f"baton {' '.join(arguments)} ended with {done.returncode} in contradiction to what it printed")
        return verdicts

    def print_schema(self, folder: Path, schemas: list) -> str:
        arguments = [part for path in schemas for part in ("--schema", str(path))]
        done = self.run(folder, "print", "schema", *arguments)
        if done.returncode != 0:
            raise CompilerFailure(f"baton print schema fails: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode()

    def print_operations(self, folder: Path, schemas: list, documents: list) -> dict:
        """The text that is sent for each operation of the documents, but for those that stages after validation refuse."""
        options = [part for path in schemas for part in ("--schema", str(path))]
        refused = set()
        while True:
            kept = [path for path in documents if path not in refused]
            arguments = options + [part for path in kept for part in ("--documents", str(path))]
            done = self.run(folder, "print", "operations", "--format", "json", *arguments)
            if done.returncode == 0:
                return {operation["name"]: operation["text"] for operation in json.loads(done.stdout)}
            text = done.stderr.decode(errors="replace")
            errors = ERROR.findall(text)
            found = {path for path, id in errors if id in UNSUPPORTED} & set(kept)
            if not found or len(found) == len(kept) or any(id not in UNSUPPORTED for _, id in errors):
                raise CompilerFailure(f"baton print operations fails: {text}")
            refused |= found


# The line of an error: the file and the id.
ERROR = re.compile(r"^(\S+?):\d+:\d+: error: .* \[([a-z-]+)\]$", re.MULTILINE)
# What only the stages after validation report: what is not supported yet, and what breaks a rule of Relay's directives.
UNSUPPORTED = {
    "different-nullability", "empty-operation", "invalid-alias", "invalid-connection", "invalid-field-mutation", "invalid-increment",
    "invalid-mask", "invalid-required", "invalid-type-policy", "invalid-updatable", "not-refetchable", "nothing-to-send", "null-condition",
    "refused-directive", "static-argument", "uncaught-field", "undeclared-directive",
    "unsupported-directive", "unsupported-field", "unusable-provider",
}


def line_of(content: bytes, number: int) -> str:
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return lines[number - 1].decode(errors="replace") if number <= len(lines) else ""


def together(verdicts: dict) -> Verdict:
    whole = Verdict()
    for verdict in verdicts.values():
        whole.errors += verdict.errors
        whole.warnings += verdict.warnings
    return whole

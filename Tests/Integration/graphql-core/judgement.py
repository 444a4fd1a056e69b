"""Compares what both sides say, in the light of the disagreements that are known and explained."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from compiler import Verdict
from reference import Finding

KINDS = ("syntax", "schema", "program")


def listed(value) -> list:
    return [] if value is None else value if isinstance(value, list) else [value]


class Disagreement:
    """One entry of disagreements.json: an error of one side that the other rightly does not share.

    `core` is what graphql-core says and Baton does not, `baton` with `message` the id and message of an error of Baton's that
    graphql-core lacks, all as patterns for the whole. `warning` is the id of what Baton says instead, and `says` the pattern of its
    message, in which NAME is what the pattern of `core` calls `name`; without it the message has that name somewhere.
    `node` is what is known of the node that graphql-core names. `uses` is "relay" for programs with directives of Relay's alone.
    `beside` is the message and node of what graphql-core says as well, with NAME as in `says`. `unless` is what graphql-core says where it
    does share an error of Baton's, `line` the line that error is on. `input` narrows it to names of inputs.
    """

    def __init__(self, entry: dict):
        self.name = entry["name"]
        self.kind = entry["kind"]
        self.core = [re.compile(pattern, re.DOTALL) for pattern in listed(entry.get("core"))]
        self.baton = re.compile(entry["baton"]) if "baton" in entry else None
        self.message = re.compile(entry.get("message", ".*"), re.DOTALL)
        self.warning = entry.get("warning")
        self.says = entry.get("says", ".*'NAME'.*")
        self.node = re.compile(entry["node"], re.DOTALL) if "node" in entry else None
        self.uses_relay = {None: None, "relay": True}[entry.get("uses")]
        self.beside = entry.get("beside")
        self.unless = re.compile(entry["unless"], re.DOTALL) if "unless" in entry else None
        self.line = re.compile(entry["line"]) if "line" in entry else None
        self.inputs = listed(entry.get("input", "*"))
        self.why = entry["why"]
        if not self.why or not entry["section"].startswith("https://") or self.kind not in KINDS or bool(self.core) == bool(self.baton):
            raise ValueError(f"the disagreement '{self.name}' is incomplete")

    def takes(self, name: str) -> bool:
        return any(fnmatch(name, pattern) for pattern in self.inputs)

    def explains_core(self, kind: str, name: str, error: Finding, core: list, verdict: Verdict) -> bool:
        if kind != self.kind or not self.takes(name):
            return False
        match = next((match for pattern in self.core if (match := pattern.fullmatch(error.message))), None)
        if not match or self.node and not self.node.fullmatch(error.node):
            return False
        if self.uses_relay and not verdict.uses_relay:
            return False
        called = re.escape(match.groupdict().get("name", ""))
        if self.beside:
            beside = re.compile(self.beside.replace("NAME", called), re.DOTALL)
            if not any(beside.fullmatch(f"{other.message} {other.node}") for other in core):
                return False
        if not self.warning:
            return True
        says = re.compile(self.says.replace("NAME", called), re.DOTALL)
        return any(each.id == self.warning and says.fullmatch(each.message) for each in verdict.warnings)

    def explains_baton(self, kind: str, name: str, error: Finding, core: list) -> bool:
        if self.baton is None or not self.baton.fullmatch(error.id) or kind != self.kind or not self.takes(name):
            return False
        if self.line and not self.line.fullmatch(error.line):
            return False
        if self.unless and any(self.unless.fullmatch(other.message) for other in core):
            return False
        return self.message.fullmatch(error.message) is not None


def load(path: Path) -> list:
    entries = [Disagreement(entry) for entry in json.loads(path.read_text())]
    names = Counter(entry.name for entry in entries)
    if twice := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"disagreements are listed twice: {', '.join(twice)}")
    return entries


@dataclass
class Failure:
    """A disagreement that nothing explains, or another thing that should not be."""

    topic: str
    summary: str
    text: str = ""

    @property
    def signature(self) -> str:
        """The same for all that differ only in names and places."""
        return re.sub(r"'[^']*'|\"[^\"]*\"|\\d+", "*", self.topic)


@dataclass
class Tally:
    """What came of many comparisons."""

    compared: Counter = field(default_factory=Counter)
    accepted: Counter = field(default_factory=Counter)
    rejected: Counter = field(default_factory=Counter)
    explained: Counter = field(default_factory=Counter)
    uses: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)
    # Of inputs in which both find something and graphql-core exactly one thing: whether Baton too finds one, and on that line.
    single: Counter = field(default_factory=Counter)
    elsewhere: list = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in ("compared", "accepted", "rejected", "explained", "uses", "single"):
            getattr(self, name).update(getattr(other, name))
        self.failures += other.failures
        self.elsewhere += other.elsewhere


class Judge:
    def __init__(self, disagreements: list):
        self.disagreements = disagreements
        self.tally = Tally()

    def split(self, kind: str, name: str, core: list, verdict: Verdict) -> tuple:
        """The errors of both sides that no entry explains, and the entries that explain the others."""
        used: list = []
        core_rest, baton_rest = [], []
        was_stopped = False
        for error in core:
            entry = next((each for each in self.disagreements if each.explains_core(kind, name, error, core, verdict)), None)
            used.append(entry.name) if entry else core_rest.append(error)
            was_stopped = was_stopped or error.stops
        # Where graphql-core stops at errors that are explained, what it would say of the rest is not known.
        for error in [] if was_stopped and not core_rest else verdict.errors:
            entry = next((each for each in self.disagreements if each.explains_baton(kind, name, error, core)), None)
            used.append(entry.name) if entry else baton_rest.append(error)
        return core_rest, baton_rest, used

    def unexplained(self, kind: str, name: str, core: list) -> list:
        """The errors of graphql-core that no entry explains, where Baton has nothing to say."""
        return self.split(kind, name, core, Verdict())[0]

    def specified(self, kind: str, name: str, core: list, verdict: Verdict) -> list:
        """What Baton says by the specification: Relay's rules wait until nothing else is wrong, in any document."""
        return [str(error) for error in self.split(kind, name, core, verdict)[1]]

    def agrees(self, kind: str, name: str, core: list, verdict: Verdict) -> bool:
        core_rest, baton_rest, _ = self.split(kind, name, core, verdict)
        return bool(core_rest) == bool(baton_rest)

    def compare(self, group: str, kind: str, name: str, core: list, verdict: Verdict, text: str, is_tidy: bool = True) -> bool:
        """Counts one input of a group; where it is tidy, a line has one thing, so that lines say what is meant."""
        tally = self.tally
        tally.compared[group] += 1
        core_rest, baton_rest, used = self.split(kind, name, core, verdict)
        tally.uses.update(set(used))
        if bool(core_rest) != bool(baton_rest):
            tally.failures.append(self.failure(group, name, core_rest, baton_rest, verdict, text))
            return False
        if bool(core) != bool(verdict.errors):
            tally.explained[group] += 1
        elif core:
            tally.rejected[group] += 1
        else:
            tally.accepted[group] += 1
        if is_tidy and len(core_rest) == 1 and core_rest[0].places and baton_rest:
            self.compare_places(group, name, core_rest[0], baton_rest, text)
        return True

    def compare_places(self, group: str, name: str, core: Finding, errors: list, text: str) -> None:
        lines = set(core.places)
        tally = self.tally
        tally.single[group, "all"] += 1
        at_line = any(error.places[0] in lines for error in errors)
        tally.single[group, "one"] += len(errors) == 1
        tally.single[group, "line"] += at_line
        if not at_line or len(errors) > 1:
            said = "\n".join(f"  baton: {error}" for error in errors)
            tally.elsewhere.append(Failure(core.message, f"{group} {name}\n  graphql-core: {core}\n{said}", text))

    @staticmethod
    def failure(group: str, name: str, core: list, baton: list, verdict: Verdict, text: str) -> Failure:
        lines = [f"{group} {name}: " + ("Baton accepts what graphql-core rejects" if core else "Baton rejects what graphql-core accepts")]
        lines += [f"  graphql-core: {error}" for error in core]
        lines += [f"  baton: error: {error}" for error in baton]
        lines += [f"  baton: warning: {warning}" for warning in verdict.warnings]
        return Failure((core + baton)[0].message, "\n".join(lines), text)

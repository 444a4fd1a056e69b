"""Compares Baton with graphql-core: whatever one accepts and the other rejects is explained in disagreements.json, or fails.

usage: differential.py BATON [--seed N] [--scale F] [--jobs N] [--only GROUP...] [--verbose]

Compared are the fixtures of the tests, the corpora beside the package where they are there, and generated documents, schemas and
texts, the same for the same seed. `--scale 20` generates twenty times as many, for a long run by hand with other seeds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Iterator

from document_comparison import DOCUMENT_TASKS, compare_documents
from inputs import CORPORA, corpora
from judgement import Tally, load
from schema_comparison import SCHEMA_TASKS, compare_schemas
from tasks import Task
from text_comparison import TEXT_TASKS, compare_texts
from there_comparison import FIXTURE_TASKS, compare_corpora, compare_fixtures

HERE = Path(__file__).resolve().parent
GROUPS = {
    "fixtures": compare_fixtures,
    "corpora": compare_corpora,
    "documents": compare_documents,
    "schemas": compare_schemas,
    "texts": compare_texts,
}


def tasks(group: str, baton: Path, seed: int, scale: float) -> Iterator[Task]:
    if group == "fixtures":
        for part in range(FIXTURE_TASKS):
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


def work(group: str, task: Task) -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return GROUPS[group](task, Path(folder), load(HERE / "disagreements.json"))
        except Exception:
            # Errors of graphql-core do not travel between processes.
            raise RuntimeError(f"{group} {task.seed} {task.part}\n{traceback.format_exc()}") from None


def show(title: str, failures: list, limit: int) -> None:
    """One example, the shortest, of each kind."""
    kinds: dict = {}
    for failure in failures:
        kinds.setdefault(failure.signature, []).append(failure)
    for alike in sorted(kinds.values(), key=len, reverse=True)[:limit]:
        example = min(alike, key=lambda failure: len(failure.text))
        count = f" ({len(alike)} of this kind)" if len(alike) > 1 else ""
        print(f"\n{title}{count} {example.summary}\n{example.text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("baton", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=list(GROUPS), default=list(GROUPS))
    parser.add_argument("--verbose", action="store_true", help="show where single mistakes are reported elsewhere or more than once")
    options = parser.parse_args()
    started = time.monotonic()

    whole = Tally()
    with ProcessPoolExecutor(options.jobs) as pool:
        pending = []
        for group in options.only:
            for task in tasks(group, options.baton.resolve(), options.seed, options.scale):
                pending.append(pool.submit(work, group, task))
        for future in pending:
            whole.add(future.result())

    print(f"{'':22}{'compared':>9}{'accepted':>9}{'rejected':>9}{'explained':>10}")
    for group in sorted(whole.compared):
        row = [whole.compared[group], whole.accepted[group], whole.rejected[group], whole.explained[group]]
        print(f"{group:22}{row[0]:>9}{row[1]:>9}{row[2]:>9}{row[3]:>10}")
    for group in sorted({group for group, _ in whole.single}):
        count, one, line = (whole.single[group, what] for what in ("all", "one", "line"))
        print(f"{group}: of {count} with one error for graphql-core, Baton too finds one in {one}, and one on that line in {line}")
    if options.verbose:
        show("ELSEWHERE", whole.elsewhere, 1000)
    show("DISAGREEMENT", whole.failures, 20)
    entries = load(HERE / "disagreements.json")
    unused = [entry.name for entry in entries if not whole.uses[entry.name]]
    if unused and set(options.only) == set(GROUPS):
        print(f"disagreements that did not occur: {', '.join(unused)}")
    total = sum(whole.compared.values())
    print(
        f"{total} inputs compared in {time.monotonic() - started:.0f} s: {total - sum(whole.explained.values()) - len(whole.failures)} agreed, "
        f"{sum(whole.explained.values())} explained by {len(entries)} entries, {len(whole.failures)} unexplained"
    )
    return 1 if whole.failures else 0


if __name__ == "__main__":
    sys.exit(main())

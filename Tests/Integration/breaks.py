#!/usr/bin/env python3
"""Breaks the sources on purpose and expects that a test fails for each break.

Each line of breaks.tsv replaces one text in one source file: a directive has no meaning any more, or a mend is undone.
The script works in a copy of the checkout and never changes the checkout itself. A break that does not compile does not
count. A break of a sample that is a package of its own is found by that package's tests, and one of what samples share
by those of the package that stands before the filter (`Samples/GitHub:ProgramTests/aTest`). In place of a filter may
stand a script of the checkout (`Tests/Integration/graphql-core/worlds`), which must fail: it is given the folder of the
programs, and its breaks are made alone.

Several breaks are made together, built once and tested by one process. Two breaks of which one test could tell go into
different batches, and so do two that change the same text, and a directive beside a fixture that uses it. Still, in a batch a test may fail for the sake of a
neighbour's break: `--batch 1` makes each break alone, and whoever adds a line tries it so once. What stays green in a
batch is made again alone. What does not compile together is tried in halves.

    breaks.py --check              every text occurs once, every filter names a test, and every directive that is
                                   carried out has a line; a second
    breaks.py [--only NAME ...]    makes the breaks; the first build takes some minutes, each batch up to a minute
    breaks.py --batch N            makes up to N breaks together
    breaks.py --copy FOLDER        keeps the copy there, so that the next run builds less
    breaks.py --swift ARGUMENT     passes the argument on to each `swift build` and `swift test`
"""

import argparse
import filecmp
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def breaks():
    """Returns the lines of the table: name, file, text, replacement, filter of tests. A text has \\n for a new line."""
    with open(os.path.join(ROOT, "Tests/Integration/breaks.tsv")) as table:
        lines = [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]
    return [[column.replace("\\n", "\n") for column in line] for line in lines]


def check():
    """Returns what is wrong with the table."""
    problems = [f"{line[0]} has {len(line)} columns and not 5" for line in breaks() if len(line) != 5]
    if problems:
        return problems
    declared = declared_types()
    for name, source, old, _, tests in breaks():
        file = os.path.join(ROOT, source)
        if not os.path.exists(file):
            problems.append(f"{name}: there is no {source}")
            continue
        with open(file) as text:
            count = text.read().count(old)
        if count != 1:
            problems.append(f"{name}: {source} has the text {count} times: {old}")
        if not (os.access(os.path.join(ROOT, tests), os.X_OK) if is_script(tests) else named_test_exists(tests, declared)):
            problems.append(f"{name}: no file of Tests is or has the test {tests}")
    with open(os.path.join(ROOT, "Compiler/Sources/BatonTransforms/KnownDirectives.swift")) as file:
        carried_out = {"@" + name for name in re.findall(r'"(\w+)": \.carriedOut', file.read())}
    named = {line[0] for line in breaks() if line[0].startswith("@")}
    problems += [f"{name} is carried out and has no break" for name in sorted(carried_out - named)]
    problems += [f"{name} has a break and is not carried out" for name in sorted(named - carried_out)]
    return problems


def package(line):
    """Returns the folder of the package whose tests find a break: that of a sample which the filter names or which has
    the source file, or the root's."""
    named, _, _ = line[4].rpartition(":")
    if named:
        return named
    folder = os.path.dirname(line[1])
    while folder and not os.path.exists(os.path.join(ROOT, folder, "Package.swift")):
        folder = os.path.dirname(folder)
    return folder or "."


def is_script(tests):
    return tests.startswith("Tests/")


def parts(tests):
    """Returns the filter of a column and the fixture after it: `PipelineFixtureTests transforms/aliases` names both."""
    chosen, _, fixture = tests.rpartition(":")[2].partition(" ")
    return chosen, fixture


def declared_types():
    """Returns the texts of the files of tests by each type that they declare or extend."""
    command = ["git", "ls-files", "Tests/*.swift", "Samples/*.swift"]
    files = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.split()
    declared = {}
    for file in files:
        with open(os.path.join(ROOT, file)) as source:
            text = source.read()
        for name in set(re.findall(r"\b(?:struct|class|enum|extension|actor) (\w+)", text)):
            declared.setdefault(name, []).append(text)
    return declared


def named_test_exists(tests, declared):
    """Whether a file of tests has the suite and the function of a filter such as `ResetTests/cancelledStaysCancelled`,
    and a folder of fixtures the fixture."""
    chosen, fixture = parts(tests)
    suite, _, function = chosen.partition("/")
    if fixture and not glob.glob(os.path.join(ROOT, f"Tests/*/Fixtures/{fixture}.graphql")):
        return False
    return any(not function or re.search(rf"func {function}\b", text) for text in declared.get(suite, []))


def uses(fixture, directive):
    """Whether a fixture has the directive whose break has this name."""
    if not directive.startswith("@"):
        return False
    for file in glob.glob(os.path.join(ROOT, f"Tests/*/Fixtures/{fixture}.graphql")):
        with open(file) as text:
            if re.search(rf"{directive}\b", text.read()):
                return True
    return False


def make_copy(folder):
    for name in ["Sources", "Compiler", "Tests", "Samples"]:
        # A folder of a build does not come along, and files that are the same keep their dates.
        for place, folders, files in os.walk(os.path.join(ROOT, name)):
            folders[:] = [folder for folder in folders if folder not in (".build", "venv")]
            target = os.path.join(folder, os.path.relpath(place, ROOT))
            os.makedirs(target, exist_ok=True)
            # What the checkout does not have any more goes.
            for file in set(os.listdir(target)) - set(files):
                if os.path.isfile(os.path.join(target, file)):
                    os.remove(os.path.join(target, file))
            for file in files:
                source, copy = os.path.join(place, file), os.path.join(target, file)
                if not os.path.exists(copy) or not filecmp.cmp(source, copy, shallow=False):
                    shutil.copyfile(source, copy)
    shutil.copyfile(os.path.join(ROOT, "Package.swift"), os.path.join(folder, "Package.swift"))


def descendants(ancestor):
    """Returns a process and all that it has started: the tests run in a process group of their own."""
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, text=True).stdout
    children = {}
    for line in listing.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    found = [ancestor]
    for process in found:
        found += children.get(process, [])
    return found


class Copy:
    """A copy of the checkout, in which breaks are made and undone."""

    def __init__(self, folder, arguments, package="."):
        self.folder = folder
        self.arguments = arguments + ([] if package == "." else ["--package-path", package])
        # Beside the sources: a package whose build is elsewhere has no folder for it.
        self.stream = os.path.join(folder, "breaks-events.jsonl")
        # The tests that each column of filters chooses, as the run before any break has shown them, and the seconds
        # that a run with breaks may take: one may wait for ever.
        self.chosen = {}
        self.patience = 60
        # The arguments with which the tests of a single break failed, where the table names another one.
        self.others = []

    def run(self, command, *arguments, seconds=3600):
        """Runs swift; returns what it printed and its status, which is None if it did not end in time."""
        # The suites of libcurl's HTTP/2 need servers.
        servers = ["python3", "Tests/Integration/http2.py"] if any("CurlHTTP2Tests" in word for word in arguments) else []
        # The suites of what many transports and many faults leave count for the whole process, and are left out where
        # nobody asks for them.
        asked = {"CurlHoldingsTests": ("BATON_TRANSPORTS", "20"), "CurlFaultsTests": ("BATON_FAULTS", "10000")}
        asked = dict(asked[suite] for suite in asked if any(suite in word for word in arguments))
        return self.execute([*servers, "swift", command, *self.arguments, *arguments], seconds, asked)

    def execute(self, command, seconds, added=None):
        """Runs a command; returns what it printed and its status, which is None if it did not end in time."""
        process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, env={**os.environ, **(added or {})},
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=seconds)
            return output, process.returncode
        except subprocess.TimeoutExpired:
            for descendant in descendants(process.pid):
                os.kill(descendant, signal.SIGKILL)
            return process.communicate()[0], None

    def build(self):
        """Returns nothing, or the first error."""
        output, status = self.run("build", "--build-tests")
        if status == 0:
            return None
        errors = [line for line in output.splitlines() if "error:" in line]
        return (errors or output.splitlines() or ["no output"])[0]

    def test(self, columns, seconds):
        """Runs the tests of all the filters in one process.

        Returns the ids of the tests that ran, the failures as pairs of a test's id and the argument for which it
        failed, and a word for a run that did not come to its end."""
        filters = sorted({parts(column)[0] for column in columns})
        open(self.stream, "w").close()
        arguments = [word for chosen in filters for word in ("--filter", chosen)]
        output, status = self.run(
            "test", "--skip-build", "--event-stream-output-path", self.stream, "--event-stream-version", "0",
            *arguments, seconds=seconds)
        tests, failures, has_ended = set(), [], False
        with open(self.stream, errors="replace") as lines:
            for line in lines:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue  # The last line of a process that was ended.
                payload = record["payload"]
                if record["kind"] == "test" and payload["kind"] == "function":
                    tests.add(payload["id"])
                elif payload["kind"] == "runEnded":
                    has_ended = True
                elif payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown"):
                    case = payload.get("_testCase") or {}
                    failures.append((payload.get("testID", ""), case.get("displayName", "")))
        if has_ended:
            return tests, failures, ""
        return tests, failures, "does not end" if status is None else "ends the process"

    def script(self, column):
        """Runs a script; returns the last line that it printed, or nothing if it does not fail."""
        programs = self.run("build", "--show-bin-path")[0].splitlines()[-1]
        output, status = self.execute([os.path.join(ROOT, column), programs], seconds=600)
        return "" if status == 0 else "does not end" if status is None else (output.splitlines() or [f"status {status}"])[-1]

    def before(self, columns):
        """Runs all the tests without a break; returns what is wrong."""
        scripts = [column for column in columns if is_script(column)]
        self.chosen.update({column: {column} for column in scripts})
        problems = [f"fails before any break: {column}: {said}" for column in scripts if (said := self.script(column))]
        columns = [column for column in columns if column not in scripts]
        if not columns:
            return problems
        started = time.monotonic()
        tests, failures, unfinished = self.test(columns, seconds=3600)
        self.patience = max(self.patience, 2 * (time.monotonic() - started))
        if unfinished:
            return [f"without any break, the test run {unfinished}"]
        problems += [f"fails before any break: {test} {case}" for test, case in failures]
        for column in columns:
            self.chosen[column] = {test for test in tests if re.search(parts(column)[0], test)}
            if not self.chosen[column]:
                problems.append(f"no test ran for {column}")
        return problems

    def failures(self, batch):
        """Returns for each break of a batch what failed; an empty text if all its tests passed."""
        columns = [line[4] for line in batch]
        if is_script(columns[0]):
            self.others = []
            return [self.script(columns[0])]
        _, failures, unfinished = self.test(columns, self.patience)
        if unfinished and len(batch) > 1:
            return [self.failures([line])[0] for line in batch]
        found = []
        for column in columns:
            chosen, fixture = parts(column)
            words = [
                case if re.fullmatch(r"[\w./-]*/[\w./-]*", case) else re.sub(r"\(.*", "", test.split("/")[-2])
                for test, case in failures if re.search(chosen, test) and (not fixture or case == fixture)]
            if not words and len(batch) == 1:
                self.others = sorted({case for test, case in failures if re.search(chosen, test)})
            words = list(dict.fromkeys(words))
            more = f" and {len(words) - 3} more" if len(words) > 3 else ""
            found.append((", ".join(words[:3]) + more) or unfinished)
        return found

    def make(self, batch):
        """Returns the verdict for each break of a batch, in its order."""
        texts = {}
        for _, source, old, new, _ in batch:
            file = os.path.join(self.folder, source)
            with open(file) as whole:
                text = whole.read()
            texts.setdefault(file, text)
            with open(file, "w") as broken:
                broken.write(text.replace(old, new))
        try:
            error = self.build()
            found = None if error else self.failures(batch)
        finally:
            for file, text in texts.items():
                with open(file, "w") as mended:
                    mended.write(text)
        if error and len(batch) > 1:
            middle = len(batch) // 2
            return self.make(batch[:middle]) + self.make(batch[middle:])
        if error:
            return [f"DOES NOT COMPILE: {error}"]
        verdicts = []
        for line, failed in zip(batch, found):
            if failed:
                verdicts.append(f"red: {failed}")
            elif len(batch) > 1:
                verdicts += [f"{verdict} (only alone)" for verdict in self.make([line])]
            else:
                # A fixture of the table may be the wrong one.
                verdicts.append("STAYS GREEN" + (f", unlike {', '.join(self.others)}" if self.others else ""))
        return verdicts

    def batches(self, lines, most):
        """Returns the breaks in batches, of which none has two breaks that one test could tell or that change one text."""
        batches = []
        for line in lines:
            for batch in batches:
                if len(batch) < most and all(self.are_apart(line, other) for other in batch):
                    batch.append(line)
                    break
            else:
                batches.append([line])
        return batches

    def are_apart(self, left, right):
        if is_script(left[4]) or is_script(right[4]):
            return False
        fixtures = parts(left[4])[1], parts(right[4])[1]
        shared = self.chosen[left[4]] & self.chosen[right[4]]
        if shared and (not all(fixtures) or fixtures[0] == fixtures[1]):
            return False
        if any(fixture and uses(fixture, other[0]) for fixture, other in zip(fixtures, (right, left))):
            return False
        if left[1] != right[1]:
            return True
        with open(os.path.join(self.folder, left[1])) as whole:
            text = whole.read()
        return all(
            text.replace(one[2], one[3]).count(other[2]) == 1 for one, other in [(left, right), (right, left)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--batch", type=int, default=12, metavar="N")
    parser.add_argument("--copy", metavar="FOLDER")
    parser.add_argument("--swift", action="append", default=[], metavar="ARGUMENT")
    options = parser.parse_args()
    problems = check()
    for problem in problems:
        print("breaks:", problem)
    if problems or options.check:
        return 1 if problems else 0
    folder = options.copy or tempfile.mkdtemp(prefix="breaks")
    os.makedirs(folder, exist_ok=True)
    try:
        make_copy(folder)
        lines = [line for line in breaks() if not options.only or line[0] in options.only]
        # The packages of the samples are built and tested by themselves, after the root's.
        packages = sorted({package(line) for line in lines})
        missed = sum(
            make_breaks(
                Copy(folder, options.swift, name), [line for line in lines if package(line) == name], options.batch)
            for name in packages)
        print(f"{missed} breaks were not found" if missed else "every break was found")
        return 1 if missed else 0
    finally:
        if not options.copy:
            shutil.rmtree(folder, ignore_errors=True)


def make_breaks(copy, lines, most):
    """Makes the breaks of one package; returns how many were not found."""
    error = copy.build()
    problems = [error] if error else copy.before(sorted({line[4] for line in lines}))
    for problem in problems:
        print("breaks:", problem)
    if problems:
        return len(lines)
    missed = 0
    for batch in copy.batches(lines, most):
        started = time.monotonic()
        verdicts = copy.make(batch)
        for line, verdict in zip(batch, verdicts):
            missed += not verdict.startswith("red")
            print(f"{line[0]:<48} {verdict}", flush=True)
        if len(batch) > 1:
            print(f"-- {len(batch)} breaks in {time.monotonic() - started:.0f} s", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())

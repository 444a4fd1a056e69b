#!/usr/bin/env python3
"""Breaks the sources on purpose, one place at a time, and expects that a test fails.

Each line of breaks.tsv replaces one text in one source file: a directive has no meaning any more, or a mend is undone.
The script works in a copy of the checkout and never changes the checkout itself. A break that does not compile does not
count.

    breaks.py --check              every text occurs once, and every directive that is carried out has a line; a second
    breaks.py [--only NAME ...]    makes the breaks; the first build takes some minutes, each break about half a minute
    breaks.py --copy FOLDER        keeps the copy there, so that the next run builds less
"""

import argparse
import filecmp
import os
import re
import shutil
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
    for name, source, old, _, tests in breaks():
        file = os.path.join(ROOT, source)
        if not os.path.exists(file):
            problems.append(f"{name}: there is no {source}")
            continue
        with open(file) as text:
            count = text.read().count(old)
        if count != 1:
            problems.append(f"{name}: {source} has the text {count} times: {old}")
        if not name.startswith("@") and not named_test_exists(tests):
            problems.append(f"{name}: no file of Tests has the test {tests}")
    with open(os.path.join(ROOT, "Compiler/Sources/BatonTransforms/KnownDirectives.swift")) as file:
        carried_out = {"@" + name for name in re.findall(r'"(\w+)": \.carriedOut', file.read())}
    named = {line[0] for line in breaks() if line[0].startswith("@")}
    problems += [f"{name} is carried out and has no break" for name in sorted(carried_out - named)]
    problems += [f"{name} has a break and is not carried out" for name in sorted(named - carried_out)]
    return problems


def named_test_exists(tests):
    """Whether a file of tests has the suite and the function of a filter such as `ResetTests/cancelledStaysCancelled`."""
    suite, _, function = tests.partition("/")
    command = ["git", "grep", "-lE", rf"(struct|class|enum|extension|actor) {suite}\b", "--", "Tests", "Samples"]
    files = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.split()
    for file in files:
        with open(os.path.join(ROOT, file)) as text:
            if not function or re.search(rf"func {function}\b", text.read()):
                return True
    return False


def make_copy(folder):
    for name in ["Sources", "Compiler", "Tests", "Samples"]:
        # A folder of a build does not come along, and files that are the same keep their dates.
        for place, folders, files in os.walk(os.path.join(ROOT, name)):
            folders[:] = [folder for folder in folders if folder not in (".build", "venv")]
            target = os.path.join(folder, os.path.relpath(place, ROOT))
            os.makedirs(target, exist_ok=True)
            for file in files:
                source, copy = os.path.join(place, file), os.path.join(target, file)
                if not os.path.exists(copy) or not filecmp.cmp(source, copy, shallow=False):
                    shutil.copyfile(source, copy)
    shutil.copyfile(os.path.join(ROOT, "Package.swift"), os.path.join(folder, "Package.swift"))


def run(folder, *arguments):
    return subprocess.run(
        ["swift", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def tests(folder, chosen):
    """Returns whether the tests of a filter passed, and the first that did not."""
    outcome = run(folder, "test", "--skip-build", "--filter", chosen)
    if re.search(r"Test run with [1-9]", outcome.stdout) is None and outcome.returncode == 0:
        return True, ""
    failed = re.search(r"Test (\w+)\(.*?\) .*?recorded an issue(?: with 1 argument fixture → (\S+))?", outcome.stdout)
    words = " ".join(part for part in failed.groups() if part) if failed else ""
    return outcome.returncode == 0, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--copy", metavar="FOLDER")
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
        build = run(folder, "build", "--build-tests")
        if build.returncode != 0:
            print(build.stdout[-3000:])
            return 1
        for chosen in sorted({line[4] for line in breaks() if not options.only or line[0] in options.only}):
            passed, failed = tests(folder, chosen)
            if not passed:
                print(f"breaks: tests fail before any break: {chosen} {failed}")
                return 1
        return make_breaks(folder, options.only)
    finally:
        if not options.copy:
            shutil.rmtree(folder, ignore_errors=True)


def make_breaks(folder, only):
    green = 0
    for name, source, old, new, chosen in breaks():
        if only and name not in only:
            continue
        started = time.monotonic()
        file = os.path.join(folder, source)
        with open(file) as whole:
            text = whole.read()
        with open(file, "w") as broken:
            broken.write(text.replace(old, new))
        if run(folder, "build", "--build-tests").returncode != 0:
            verdict = "DOES NOT COMPILE"
        else:
            passed, failed = tests(folder, chosen)
            verdict = "STAYS GREEN" if passed else f"red: {failed}"
        green += not verdict.startswith("red")
        with open(file, "w") as mended:
            mended.write(text)
        print(f"{name:<48} {verdict} ({time.monotonic() - started:.0f} s)", flush=True)
    print(f"{green} breaks were not found" if green else "every break was found")
    return 1 if green else 0


if __name__ == "__main__":
    sys.exit(main())

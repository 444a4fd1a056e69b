#!/usr/bin/env python3
"""Breaks the compiler on purpose, one directive at a time, and expects that a test fails.

Each line of breaks.tsv replaces one text in one source file, so that a directive has no meaning any more. The script
works in a copy of the checkout and never changes the checkout itself. A break that does not compile does not count.

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
SUITES = ["BatonCompilerTests", "BatonSchemaTests", "BatonValidationTests"]
# Appended to the manifest of the copy: only the suites and what they need.
REDUCTION = """
var kept: Set<String> = [%s]
var pending = kept
while let name = pending.popFirst() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _):
            if kept.insert(name).inserted { pending.insert(name) }
        default: break
        }
    }
}
package.targets = package.targets.filter { kept.contains($0.name) }
package.products = []
"""


def breaks():
    with open(os.path.join(ROOT, "Tests/Integration/breaks.tsv")) as table:
        return [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]


def path(root, source):
    return os.path.join(root, "Compiler/Sources", source)


def check():
    """Returns what is wrong with the table."""
    problems = []
    for name, source, old, new in breaks():
        with open(path(ROOT, source)) as file:
            count = file.read().count(old)
        if count != 1:
            problems.append(f"@{name}: {source} has the text {count} times: {old}")
    with open(path(ROOT, "BatonTransforms/KnownDirectives.swift")) as file:
        carried_out = set(re.findall(r'"(\w+)": \.carriedOut', file.read()))
    named = {line[0] for line in breaks()}
    problems += [f"@{name} is carried out and has no break" for name in sorted(carried_out - named)]
    problems += [f"@{name} has a break and is not carried out" for name in sorted(named - carried_out)]
    return problems


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
    with open(os.path.join(ROOT, "Package.swift")) as file:
        manifest = file.read()
    with open(os.path.join(folder, "Package.swift"), "w") as file:
        file.write(manifest + REDUCTION % ", ".join(f'"{suite}"' for suite in SUITES))


def run(folder, *arguments):
    return subprocess.run(
        ["swift", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def tests(folder):
    """Returns whether the tests passed, and the first that did not."""
    outcome = run(folder, "test", "--skip-build", "--filter", "Fixture")
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
        passed, failed = tests(folder)
        if not passed:
            print(f"breaks: the tests fail before any break: {failed}")
            return 1
        return make_breaks(folder, options.only)
    finally:
        if not options.copy:
            shutil.rmtree(folder, ignore_errors=True)


def make_breaks(folder, only):
    green = 0
    for name, source, old, new in breaks():
        if only and name not in only:
            continue
        started = time.monotonic()
        file = path(folder, source)
        with open(file) as whole:
            text = whole.read()
        with open(file, "w") as broken:
            broken.write(text.replace(old, new))
        if run(folder, "build", "--build-tests").returncode != 0:
            verdict = "DOES NOT COMPILE"
        else:
            passed, failed = tests(folder)
            verdict = "STAYS GREEN" if passed else f"red: {failed}"
        green += not verdict.startswith("red")
        with open(file, "w") as mended:
            mended.write(text)
        print(f"@{name:<48} {verdict} ({time.monotonic() - started:.0f} s)", flush=True)
    print(f"{green} breaks were not found" if green else "every break was found")
    return 1 if green else 0


if __name__ == "__main__":
    sys.exit(main())

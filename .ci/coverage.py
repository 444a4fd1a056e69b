"""Prints how many lines were run, by module, and the lines of errors that were not.

usage: coverage.py FILE     in the root of the clone; FILE is what `llvm-cov export --format=lcov` prints

A line of an error has a `throw`, a `catch`, or a name that begins with `fail` or `report`.
"""

import collections
import os
import re
import sys

MODULE = re.compile(r"(?:Compiler/)?Sources/(\w+)/")
ERROR = re.compile(r"\b(?:throw|catch|fail\w*|report\w*)\b")

lines, covered, errors = collections.Counter(), collections.Counter(), collections.Counter()
missed = collections.defaultdict(list)
with open(sys.argv[1]) as report:
    for line in report:
        key, _, value = line.strip().partition(":")
        if key == "SF":
            file = os.path.relpath(value)
            found = MODULE.match(file)
            module = found and found[1]
            if module:
                with open(file) as source:
                    texts = [text.strip() for text in source]
        elif key == "DA" and module:
            number, count = map(int, value.split(",")[:2])
            lines[module] += 1
            covered[module] += count > 0
            text = texts[number - 1]
            if not count and ERROR.search(text) and not text.startswith("//"):
                errors[module] += 1
                missed[file].append(f"{number:>7}  {text}")

for file in sorted(missed):
    print(file, *missed[file], sep="\n")


def show(name, covered, lines, errors):
    print(f"coverage: {name}: {100 * covered / lines:.1f} % of {lines:,} lines, {errors} lines of errors are not run")


for module in sorted(lines):
    show(module, covered[module], lines[module], errors[module])
show("together", covered.total(), lines.total(), errors.total())

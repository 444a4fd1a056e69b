#!/usr/bin/env python3
"""Finds the types of a module that do not stand in a file of their name, and files of extensions that are not named for a type.

usage: .ci/types.py [--count] Sources/Baton

A type at the top of a file stands in the file of its name. A small one may share the file of a relative, which one would open
for it: the file names it, or the names share a word. Private types are apart, they stay with those they help, and so
are types in a conditional block. A file without a type of its name has extensions: it is called `Type+Capability.swift` for a type
that it extends, or for one that is nested in it. Generated files are apart.
"""

import pathlib
import re
import sys

# Declarations at the top of a file begin in the first column: the formatter sees to that.
MODIFIERS = r"(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|final|indirect|nonisolated)\s+)*"
TYPE = re.compile(rf"^{MODIFIERS}(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)", re.M)
# What an extension extends, and what it makes that conform to.
EXTENSION = re.compile(rf"^{MODIFIERS}extension\s+([^{{]+)", re.M)
NESTED = re.compile(r"^ +(?:@\w+(?:\([^)]*\))? |\w+ )*?(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)
PRIVATE = re.compile(r"^(?:private|fileprivate) (?:\w+ )*?(?:class|struct|enum|protocol|actor) (\w+)", re.M)


# The most lines of a type that may share the file of a relative.
SMALL = 22


def may_share(name, text, stem):
    """True for a small type that stands with a relative."""
    found = re.search(rf"^{MODIFIERS}(?:class|struct|enum|protocol|actor|typealias)\s+{name}\b.*?(?:\n}}|\}}$|$(?![^{{]*\n ))", text, re.M | re.S)
    block = found.group() if found else text
    if block.count("\n") > SMALL:
        return False
    words = [set(re.findall(r"GraphQL|[A-Z]+(?![a-z])|[A-Z][a-z]+", each)) for each in (name, stem)]
    return bool(re.search(rf"\b{name}\b", text.replace(block, ""))) or bool(words[0] & words[1])


def examine(path):
    """The types of a file with their number, and what is wrong with it."""
    text = re.sub(r'^[ \t]*//.*$', "", path.read_text(), flags=re.M)
    stem = path.stem
    main = stem.split("+")[0]
    types = TYPE.findall(text)
    wrong = [f"{path}: {name} belongs in {name}.swift" for name in types if name != stem and not may_share(name, text, stem)]
    extended = {name for header in EXTENSION.findall(text) for name in re.findall(r"\w+", header)}
    inside = set(NESTED.findall(text)) | set(PRIVATE.findall(text))
    if "+" in stem:
        if not types and main not in extended and main not in inside:
            wrong.append(f"{path}: nothing in it extends {main}")
    elif stem not in types and stem not in inside:
        wrong.append(f"{path}: there is no {stem} in it; a file of extensions is called Type+Capability.swift")
    return len(types), wrong


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--count"]
    if not arguments:
        sys.exit(__doc__)
    files = types = 0
    wrong = []
    for module in arguments:
        for path in sorted(pathlib.Path(module).rglob("*.swift")):
            if path.name.endswith(".graphql.swift"):
                continue
            count, found = examine(path)
            files, types, wrong = files + 1, types + count, wrong + found
    for line in wrong:
        print(f"types: {line}")
    if "--count" in sys.argv:
        elsewhere = sum("belongs in" in line for line in wrong)
        print(f"{types} types in {files} files, {elsewhere} not in a file of their name, {len(wrong) - elsewhere} files with another name")
    sys.exit(bool(wrong))


main()

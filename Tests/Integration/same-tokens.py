"""Compares the tokens and comments of GraphQL files in two folders, without the tool that is tested.

usage: same-tokens.py BEFORE AFTER

Commas and white space do not count, nor does `|` or `&` in front of a first member. Block strings are compared by their
values as the specification defines them.
"""

import os
import re
import sys

TOKEN = re.compile(
    r'(?P<block>"""(?:\\"""|(?!""").)*""")|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<comment>#[^\n\r]*)'
    r"|(?P<name>[A-Za-z_]\w*)|(?P<number>-?[\d.][\d.eE+-]*)|(?P<spread>\.\.\.)|(?P<sign>[!$&():=@\[\]{|}])"
    r"|(?P<ignored>[\s,\ufeff]+)|(?P<other>.)",
    re.DOTALL | re.ASCII,
)


def block_value(raw):
    lines = re.split(r"\r\n|\n|\r", raw.replace('\\"""', '"""'))
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines[1:] if line.strip(" \t")]
    common = min(indents, default=0)
    lines = lines[:1] + [line[common:] for line in lines[1:]]
    while lines and not lines[0].strip(" \t"):
        lines.pop(0)
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    return "\n".join(lines)


def tokens(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    found = []
    comments = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        value = match.group()
        if kind == "comment":
            comments.append(value.rstrip(" \t"))
        elif kind == "block":
            found.append(("block", block_value(value[3:-3])))
        elif kind != "ignored":
            found.append((kind, value))
    kept = []
    for token in found:
        previous = kept[-1][1] if kept else ""
        if token == ("sign", "|") and previous in ("=", "on"):
            continue
        if token == ("sign", "&") and previous == "implements":
            continue
        kept.append(token)
    return kept, comments


def main():
    before, after = sys.argv[1:]
    count = 0
    changed = 0
    for folder, _, names in sorted(os.walk(before)):
        for name in names:
            old = os.path.join(folder, name)
            new = os.path.join(after, os.path.relpath(old, before))
            if tokens(old) != tokens(new):
                sys.exit(f"{os.path.relpath(old, before)}: formatting changed the tokens or the comments")
            count += 1
            with open(old, "rb") as one, open(new, "rb") as other:
                changed += one.read() != other.read()
    if changed * 2 < count:
        sys.exit(f"only {changed} of {count} files were changed by formatting")


main()

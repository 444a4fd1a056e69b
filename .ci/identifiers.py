#!/usr/bin/env python3
"""Finds identifiers in code marks of Markdown pages that exist nowhere in the sources.

    identifiers.py FILE...

A code mark is what stands between backquotes in a line of prose. Each of its words that looks like an identifier must
occur in a file of this repository that is no page. Not looked at: fenced code, tables whose first head is `before`, `today`
or `was`, the first column of a table whose head names another library, and words that a page itself defines in fenced
code, as an example does.
"""

import os
import re
import subprocess
import sys

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What others define, and what stands for any name.
with open(__file__.replace("identifiers.py", "identifiers.txt")) as names:
    FOREIGN = {word for line in names if not line.startswith("#") for word in line.split()}


def is_identifier(word):
    """Whether a word is written as a name of the code: it has a capital inside, an underscore or a capital first."""
    return len(word) > 3 and bool(re.search(r"[a-z][A-Z]|_|^[A-Z][a-z]", word))


def words_of_sources():
    found = set()
    files = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\0")
    for file in files:
        if not file or file.endswith((".md", "identifiers.txt")):
            continue
        found.update(WORD.findall(file))
        if not os.path.exists(file):
            continue
        with open(file, errors="ignore") as text:
            found.update(WORD.findall(text.read()))
    return found


def marks(text):
    """Yields the number of each line of prose with its code marks."""
    is_fenced = is_past = is_foreign = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_fenced = not is_fenced
            continue
        if is_fenced:
            continue
        if re.match(r"\s*\|\s*(before|today|was)\b", line):
            is_past = True
        elif re.match(r"\s*\| (Relay|Apollo iOS) \|", line):
            is_foreign = True
        elif not line.lstrip().startswith("|"):
            is_past = is_foreign = False
        if is_foreign:
            line = line.partition(" | ")[2]
        if not is_past:
            yield number, re.findall(r"`+([^`]+)`+", line)


def main(files):
    known = words_of_sources() | FOREIGN
    status = 0
    for file in files:
        with open(file) as page:
            text = page.read()
        fenced = re.findall(r"```.*?\n(.*?)```", text, re.S)
        # The comment before a block names the file that the example writes.
        own = set(WORD.findall("\n".join(fenced + re.findall(r"^<!-- \w+: (.*) -->$", text, re.M))))
        for number, found in marks(text):
            for word in sorted({word for mark in found for word in WORD.findall(mark)}):
                if is_identifier(word) and word not in known and word not in own:
                    print(f"{file}:{number}: '{word}' exists nowhere in the sources")
                    status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Finds imports of this package's modules that the manifest does not name for the importing target.

usage: swift package dump-package | imports.py
"""

import json
import pathlib
import re
import sys

IMPORT = re.compile(r"^[^/\"\n]*\bimport +(?:(?:struct|class|enum|protocol|func|typealias|let|var) +)?(\w+)", re.MULTILINE)

# A literal may have the text of another file.
LITERAL = re.compile(r'"""[\s\S]*?"""')

targets = json.load(sys.stdin)["targets"]
modules = {target["name"] for target in targets}
files = wrong = 0
for target in targets:
    name = target["name"]
    folder = pathlib.Path(target.get("path") or ("Tests" if target["type"] == "test" else "Sources") + "/" + name)
    named = {(dependency.get("byName") or dependency.get("target"))[0] for dependency in target["dependencies"]}
    for file in sorted(folder.rglob("*.swift")):
        files += 1
        for module in sorted(set(IMPORT.findall(LITERAL.sub("", file.read_text(encoding="utf-8")))) & modules - named - {name}):
            print(f"layout: {file} imports {module}, which is no dependency of {name}")
            wrong += 1
sys.exit(1 if wrong or not files else 0)

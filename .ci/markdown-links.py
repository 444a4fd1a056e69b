"""Finds links of Markdown files to files that are not there.

usage: markdown-links.py FILE...
"""

import pathlib
import re
import sys

broken = 0
for name in sys.argv[1:]:
    text = pathlib.Path(name).read_text(encoding="utf-8")
    text = re.sub(r"^ *```.*?^ *```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path = link.split("#")[0]
        if path and ":" not in path and not (pathlib.Path(name).parent / path).exists():
            print(f"docs: {name} links to {link}, which is not there", file=sys.stderr)
            broken += 1
sys.exit(1 if broken else 0)

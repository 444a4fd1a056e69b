"""Writes the fenced blocks of a README that are marked with `<!-- file: NAME -->` into a folder.

usage: readme-blocks.py README FOLDER
"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
folder = pathlib.Path(sys.argv[2])
blocks = re.findall(r"<!-- file: (\S+) -->\n```[^\n]*\n(.*?)```\n", text, re.DOTALL)
if not blocks:
    sys.exit("readme: no marked block found")
for name, body in blocks:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(body)

"""Finds public symbols without a comment in symbol graphs.

usage: undocumented.py GRAPH...

What implements a requirement of a protocol has the comment of that. What a macro makes begins with a dollar sign.
"""

import json
import sys

status = 0
for name in sys.argv[1:]:
    with open(name) as file:
        graph = json.load(file)
    implementing = {
        each["source"] for each in graph["relationships"]
        if each["kind"] in ("defaultImplementationOf", "requirementOf", "overrides") or each.get("sourceOrigin")
    }
    for symbol in graph["symbols"]:
        path = symbol["pathComponents"]
        if symbol.get("docComment", {}).get("lines") or symbol["identifier"]["precise"] in implementing or path[-1].startswith("$"):
            continue
        print(f"api: {graph['module']['name']}.{'.'.join(path)} has no comment")
        status = 1
sys.exit(status)

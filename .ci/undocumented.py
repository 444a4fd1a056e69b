"""Finds public symbols without a comment in symbol graphs, and those that throw while no comment says so.

usage: undocumented.py GRAPH...

What implements a requirement of a protocol has the comment of that. What a macro makes begins with a dollar sign.
That a symbol throws is said by its own comment, by that of its requirement, or by that of a type in which one of them
stands: "a method that writes throws ...".
"""

import json
import re
import sys

TYPES = {"struct", "class", "enum", "protocol", "actor"}
THROWS = re.compile(r"\b[Tt]hrows?\b")

symbols, modules, types, implementing, conforming, required = {}, {}, {}, set(), {}, {}
for name in sys.argv[1:]:
    with open(name) as file:
        graph = json.load(file)
    module = graph["module"]["name"]
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        symbols[identifier], modules[identifier] = symbol, module
        if symbol["kind"]["identifier"].removeprefix("swift.") in TYPES:
            types[module, *symbol["pathComponents"]] = identifier
    for relation in graph["relationships"]:
        source, kind, target = relation["source"], relation["kind"], relation["target"]
        if kind in ("defaultImplementationOf", "requirementOf", "overrides") or relation.get("sourceOrigin"):
            implementing.add(source)
        if kind == "conformsTo":
            conforming.setdefault(source, set()).add(target)
        if kind == "requirementOf":
            required.setdefault(target, set()).add(source)


def comment(identifier):
    """The text of a comment without the code that is indented in it."""
    lines = symbols[identifier].get("docComment", {}).get("lines", []) if identifier in symbols else []
    return " ".join(line["text"] for line in lines if not line["text"].startswith("    "))


def outside_brackets(text):
    depth, kept = 0, []
    for index, sign in enumerate(text):
        if sign in "([<":
            depth += 1
        elif sign in ")]" or sign == ">" and text[index - 1] != "-":
            depth -= 1
        elif depth == 0:
            kept.append(sign)
    return "".join(kept)


def throws(symbol):
    """Whether a function or an accessor throws. A closure that it takes or returns says nothing."""
    if any(each.get("isUnconditionallyUnavailable") for each in symbol.get("availability", [])):
        return False
    head, _, accessors = outside_brackets("".join(part["spelling"] for part in symbol["declarationFragments"])).partition("{")
    if re.search(r"\b(func|init)\b", head):
        return bool(re.search(r"\bthrows\b", head.split("->")[0]))
    return bool(re.search(r"\bthrows\b", accessors))


def speaking(identifier):
    """The symbols of which one has to say that a symbol throws."""
    path = symbols[identifier]["pathComponents"]
    yield identifier
    for count in range(1, len(path)):
        around = types.get((modules[identifier], *path[:count]))
        yield around
        for protocol in conforming.get(around, ()):
            for requirement in required.get(protocol, ()):
                if requirement in symbols and symbols[requirement]["pathComponents"][-1] == path[-1]:
                    yield from (requirement, protocol)


status = 0
for identifier, symbol in symbols.items():
    path = symbol["pathComponents"]
    name = f"{modules[identifier]}.{'.'.join(path)}"
    if path[-1].startswith("$"):
        continue
    if not symbol.get("docComment", {}).get("lines") and identifier not in implementing:
        print(f"api: {name} has no comment")
        status = 1
    elif throws(symbol) and not any(THROWS.search(comment(each)) for each in speaking(identifier)):
        print(f"api: {name} throws, and no comment says so")
        status = 1
sys.exit(status)

#!/usr/bin/env python3
"""Prints the public interface of a module from its symbol graphs: each type with its conformances, then its members.

    api.py MODULE.symbols.json [MODULE@OTHER.symbols.json ...]

A type stands under its whole name, a member in one line below it; all is sorted, and nothing is said of documentation,
so that a change of the interface is a difference of lines. What a module adds to types of others stands under these.
"""

import json
import sys

TYPES = {"struct", "class", "enum", "protocol", "actor"}
# Every type has these unless it says otherwise.
UNSAID = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def declaration(symbol):
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())


def condition(constraints):
    """Returns the text of the constraints of an extension: ` where M : GraphQLMutation`."""
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    texts = sorted(
        f"{one['lhs']} {signs[one['kind']]} {one['rhs']}" for one in constraints if one["rhs"] not in UNSAID)
    return f" where {', '.join(texts)}" if texts else ""


def main(files):
    symbols, conformances = {}, {}
    for file in files:
        with open(file) as text:
            graph = json.load(text)
        for symbol in graph["symbols"]:
            symbols[symbol["identifier"]["precise"]] = symbol
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                conformances.setdefault(relation["source"], []).append(relation)

    def heading(identifier):
        supers = set()
        for relation in conformances.get(identifier, []):
            target = symbols.get(relation["target"])
            name = ".".join(target["pathComponents"]) if target else relation.get("targetFallback", "").split(".")[-1]
            if name and name not in UNSAID:
                supers.add(name + condition(relation.get("swiftConstraints", [])))
        return ": " + ", ".join(sorted(supers)) if supers else ""

    blocks = {}
    for identifier, symbol in symbols.items():
        path = symbol["pathComponents"]
        kind = symbol["kind"]["identifier"].removeprefix("swift.")
        where = condition(symbol.get("swiftExtension", {}).get("constraints", []))
        if kind in TYPES:
            block = blocks.setdefault(tuple(path), [None, set()])
            text = declaration(symbol)
            name = path[-1]
            before, _, after = text.partition(name)
            block[0] = before + ".".join(path) + after + heading(identifier)
        else:
            text = declaration(symbol) + ("" if where in declaration(symbol) else where)
            blocks.setdefault(tuple(path[:-1]), [None, set()])[1].add(text)

    for path, (title, members) in sorted(blocks.items()):
        print(title or ("extension " + ".".join(path) if path else "module"))
        for member in sorted(members):
            print("    " + member)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Asks baton-mock each operation of the corpora of GitHub and Shopify, whose whole schemas it serves.

    mock-corpora.py PROGRAM [--limit MILLISECONDS] [--only CORPUS ...]

A server must be ready within the limit, 1,000 milliseconds, and answer each operation with data and without errors.
Variables are those of worlds.py. The corpora are in ../shared/corpora; without them there is nothing to do.
"""

import argparse
import csv
import http.client
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE / "graphql-core"))

from servers import environment

PYTHON = str(environment("mock"))
if sys.executable != PYTHON:
    # Run again with the Python that has graphql-core.
    os.execv(PYTHON, [PYTHON, *sys.argv])

import graphql

from inputs import CORPORA
from mock_server import running
from worlds import variables_of


class Spreads(graphql.Visitor):
    def __init__(self):
        super().__init__()
        self.names = set()

    def enter_fragment_spread(self, node, *_):
        self.names.add(node.name.value)


def operations(folder):
    """Each operation of a corpus, and its text with the fragments that it reaches."""
    with open(folder / "expected.tsv", newline="") as file:
        names = [row["file"] for row in csv.DictReader(file, delimiter="\t") if row["status"] == "valid"]
    documents = [graphql.parse((folder / "documents" / name).read_text()) for name in names]
    fragments = {
        each.name.value: each for document in documents for each in document.definitions if each.kind == "fragment_definition"
    }
    for document in documents:
        # A fragment of the same document comes before one of another.
        known = fragments | {each.name.value: each for each in document.definitions if each.kind == "fragment_definition"}
        for each in document.definitions:
            if each.kind == "operation_definition":
                yield each, "\n".join(map(graphql.print_ast, [each, *reached(each, known)]))


def reached(definition, fragments):
    """The fragments that a definition spreads, and those that they spread."""
    found, pending = {}, [definition]
    while pending:
        spreads = Spreads()
        graphql.visit(pending.pop(), spreads)
        for name in sorted(spreads.names - set(found)):
            found[name] = fragments[name]
            pending.append(fragments[name])
    return found.values()


def ask(connection, text, variables):
    body = json.dumps({"query": text, "variables": variables})
    connection.request("POST", "/graphql", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def values(data):
    """The number of values in data."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(values, inner))


def serve(program, folder, limit):
    """Asks all operations of a corpus; returns what is wrong."""
    path = folder / "schema.graphql"
    schema = graphql.build_schema(path.read_text(), assume_valid_sdl=True)
    dice, times, count, problems = random.Random(1), [], 0, []
    with running(program, "--schema", str(path)) as server:
        if server.milliseconds >= limit:
            problems.append(f"{folder.name}: ready after {server.milliseconds:.0f} ms, not within {limit}")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        for operation, text in operations(folder):
            variables = variables_of(schema, operation, dice)
            began = time.monotonic()
            status, answer = ask(connection, text, variables)
            times.append((time.monotonic() - began) * 1000)
            count += values(answer.get("data"))
            if status != 200 or answer.get("data") is None or "errors" in answer:
                shown = json.dumps(answer.get("errors", answer))[:600]
                problems.append(f"{operation.name and operation.name.value} with {json.dumps(variables)}: {status} {shown}")
        memory = server.state()[0]
    if not times:
        problems.append(f"{folder.name} has no operations")
    print(
        f"mock: {folder.name} ready in {server.milliseconds:.0f} ms; {len(times)} operations with {count} values, "
        f"{sum(times):.0f} ms together, {max(times, default=0):.0f} ms the longest; {memory:.0f} MB")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--only", nargs="+", default=["github-octokit", "shopify-storefront"])
    options = parser.parse_args()
    if not CORPORA.is_dir():
        return print(f"mock: no corpora at {CORPORA}: nothing was asked")
    problems = [each for name in options.only for each in serve(options.program, CORPORA / name, options.limit)]
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()

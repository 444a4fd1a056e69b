"""Times graphql-core on a schema and documents, for the benchmarks.

    time-graphql-core.py SCHEMA DOCUMENTS

DOCUMENTS is a folder; its files are one program, as they are for Baton: graphql-core gets all definitions as one document,
which takes it less time than each file with the fragments that it needs. Each line of standard input is a command and is
answered by one line of JSON with milliseconds:

    schema      parse the schema, build it and check it
    documents   parse all documents and validate them
"""
import json
import os
import sys
import time

from graphql import DocumentNode, GraphQLError, assert_valid_schema, build_schema, parse, validate


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def load(text):
    try:
        schema = build_schema(text)
        assert_valid_schema(schema)
        return schema
    except TypeError:
        # Real schemas have defects, at which graphql-core stops.
        return build_schema(text, assume_valid=True)


def check(schema, texts):
    definitions = []
    for text in texts:
        try:
            definitions += parse(text).definitions
        except GraphQLError:
            pass
    # Without a limit, as Baton has none: by default graphql-core stops after 100 errors.
    return validate(schema, DocumentNode(definitions=tuple(definitions)), max_errors=1_000_000)


def main():
    sdl = read(sys.argv[1])
    texts = [read(os.path.join(sys.argv[2], name)) for name in sorted(os.listdir(sys.argv[2]))]
    schema = load(sdl)
    check(schema, texts[:100])
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        rounds = 0
        # Short work is repeated, for a fifth of a second.
        while rounds == 0 or time.perf_counter() - start < 0.2:
            load(sdl) if line.strip() == "schema" else check(schema, texts)
            rounds += 1
        print(json.dumps({"ms": (time.perf_counter() - start) * 1e3 / rounds}), flush=True)


main()

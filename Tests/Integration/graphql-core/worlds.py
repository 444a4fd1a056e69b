"""Compares answers of worlds (BatonTesting) with what graphql-core makes of the same worlds.

usage: worlds.py ANSWER_MODEL [--seed N] [--count N] [--jobs N] [--only SCHEMA...]

For each schema random valid operations are made, with fragments, variables, '@defer' and '@stream'. The program
answers each in a world: in one piece, in the parts of both formats, and with a table of the world. The resolvers here
read this table and nothing else; they cut pages themselves. All answers must be equal, and Baton's store must miss
nothing of what the program reads into it. Some requests override fields that they show, which the resolvers know
without the table. Some documents ask for one entity by three paths. Connections, at the root and of entities, are
walked forwards and backwards, and mutations are followed by a query that must see what they have done.
"""

from __future__ import annotations

import argparse
import copy
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

import graphql
from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective

import literals
from answers import WithoutParts
from documents import DocumentGenerator
from inputs import CORPORA, ROOT
from trees import Argument, Field, Inline, ListValue, ObjectValue, Spread, Variable, document_tokens, tidy
from world_effects import Effects
from world_entities import Entities
from world_table import WorldResolvers

HERE = Path(__file__).resolve().parent
# Counts are not negative, and other texts are compared elsewhere.
literals.INTS = ["0", "1", "2", "3", "42", "2147483647"]
literals.ARBITRARY = ['"plain"', "7", "2.5", "true", "NAME", '["a"]', "{a: 1}"]


class WorldDocuments(DocumentGenerator):
    """Documents whose ids and cursors are mostly those of entities, and which ask for more parts.

    Two thirds of them are for a client of Relay's kind, which defers no inline fragment and names every part."""

    def __init__(self, schema, random, suffix, finders):
        super().__init__(schema, random, suffix)
        self.finders = finders
        self.is_relays = random.random() < 0.67
        self.wanted: list = []
        self.plain = self.literals.scalar
        self.literals.scalar = self.scalar

    def field(self, parent, name, depth):
        named = graphql.get_named_type(parent.fields[name].type)
        outer, self.wanted = self.wanted, self.entities(named)
        made = super().field(parent, name, depth)
        self.wanted = outer
        return made

    def entities(self, named) -> list:
        if not graphql.is_composite_type(named):
            return []
        possible = self.schema.get_possible_types(named) if graphql.is_abstract_type(named) else [named]
        found = [each.name for each in possible if "id" in each.fields]
        for holder in ("nodes", "edges"):
            if not found and graphql.is_object_type(named) and holder in named.fields:
                inner = graphql.get_named_type(named.fields[holder].type)
                node = inner.fields.get("node") if holder == "edges" and graphql.is_object_type(inner) else None
                found = self.entities(graphql.get_named_type(node.type) if node else inner) if holder == "nodes" or node else []
        return found

    def scalar(self, name):
        if name in ("ID", "String") and self.wanted and self.random.random() < (0.9 if name == "ID" else 0.4):
            return literals.Literal(f'"{self.random.choice(self.wanted)}:{self.random.randint(1, 20)}"')
        return self.plain(name)

    def deferral(self, is_root):
        if is_root or self.in_subscription or self.random.random() >= 0.3:
            return []
        return [self.streaming("defer")]

    def inline(self, type, depth, is_root):
        made = super().inline(type, depth, is_root)
        if self.is_relays:
            made.directives = [each for each in made.directives if each.name != "defer"]
        return made

    def streaming(self, name):
        made = super().streaming(name)
        if not self.is_relays:
            return made
        self.labels += 1
        made.arguments = [each for each in made.arguments if each.name == "if"]
        made.arguments.append(Argument("label", literals.Literal(f'"part{self.labels}{self.suffix}"'), "String"))
        if name == "stream":
            made.arguments.append(Argument("initialCount", literals.Literal(self.random.choice("0123")), "Int"))
        return made

    def selections(self, type, depth, is_root=False):
        """The compiler refuses '__typename' directly at the root, as Relay's does. Some objects of a deferred fragment are there at once."""
        made = super().selections(type, depth, is_root)
        for spread in [each for each in made if isinstance(each, Spread) and any(mark.name == "defer" for mark in each.directives)]:
            fragment = next(each for each in self.fragments if each.name == spread.name)
            for field in fragment.selections:
                if isinstance(field, Field) and field.selections and not field.directives:
                    part = Field(field.name, field.alias, copy.deepcopy(field.arguments), [], [Field("__typename")])
                    made.append(Inline(fragment.type, [], [part]))
                    self.current |= {f"${each}" for each in variables_in(field.arguments)}
        if type is self.schema.query_type and is_root and not self.in_subscription and self.random.random() < 0.3:
            made += self.routes()
        if type in (self.schema.query_type, self.schema.mutation_type):
            return [Inline(None, [], [each]) if isinstance(each, Field) and each.name == "__typename" else each for each in made]
        return made

    def routes(self) -> list:
        """One entity at three places, with other fields at each."""
        if not self.finders:
            return []
        name = self.random.choice(list(self.finders))
        id, type, made = f'"{name}:{self.random.randint(1, 20)}"', self.schema.type_map[name], []
        for _ in range(3):
            finder, argument = self.random.choice(self.finders[name])
            key = f"route{len(self.keys)}"
            self.keys[key] = key
            value = literals.Literal(id if argument == "id" else f"[{id}]")
            inner = Inline(name, [], [self.field(type, "id", 0), *self.selections(type, 1)])
            made.append(Field(finder, key, [Argument(argument, value)], [], [inner]))
        return made


def variables_in(value) -> set:
    """The variables in arguments or values."""
    match value:
        case list():
            return set().union(*map(variables_in, value))
        case Variable():
            return {value.name}
        case Argument():
            return variables_in(value.value)
        case ListValue():
            return variables_in(value.items)
        case ObjectValue():
            return variables_in(value.fields)
    return set()


def built(text: str, added: tuple) -> graphql.GraphQLSchema:
    """A schema whose '@defer' and '@stream' are others than its own."""
    kwargs = graphql.build_schema(text, assume_valid_sdl=True).to_kwargs()
    own = [each for each in kwargs["directives"] if each.name not in ("defer", "stream")]
    return graphql.GraphQLSchema(**{**kwargs, "directives": (*own, *added), "assume_valid": True})


def value_for(schema, type, random: Random, depth: int = 2):
    """A value of a variable, in JSON."""
    if graphql.is_non_null_type(type):
        return value_for(schema, type.of_type, random, depth)
    if graphql.is_list_type(type):
        return [value_for(schema, type.of_type, random, depth - 1) for _ in range(random.choice([0, 1, 2]) if depth > 0 else 0)]
    if graphql.is_enum_type(type):
        return random.choice(list(type.values))
    if graphql.is_input_object_type(type):
        if type.is_one_of:
            name = random.choice(list(type.fields))
            return {name: value_for(schema, type.fields[name].type, random, depth - 1)}
        chosen = {}
        for name, field in type.fields.items():
            if graphql.is_required_input_field(field) or depth > 0 and random.random() < 0.3:
                chosen[name] = value_for(schema, field.type, random, depth - 1)
        return chosen
    match type.name:
        case "Int":
            return random.choice([0, 1, 2, 3, 10])
        case "Float":
            return random.choice([0.5, 2, 3.25])
        case "Boolean":
            return random.random() < 0.5
        case _:
            return random.choice(["one", "two", "3"])


def variables_of(schema, operation, random: Random) -> dict:
    values = {}
    for definition in operation.variable_definitions or ():
        type = graphql.type_from_ast(schema, definition.type)
        is_required = graphql.is_non_null_type(type) and definition.default_value is None
        if is_required or random.random() < 0.6:
            values[definition.variable.name.value] = value_for(schema, type, random)
    return values


def reassembled(payloads: list):
    """What the payloads of a response are together; fails where a part has no place."""
    data, pending = copy.deepcopy(payloads[0]["data"]), {}
    ended = set()
    for payload in payloads:
        for each in payload.get("pending", ()):
            pending[each["id"]] = each["path"]
        for part in payload.get("incremental", ()):
            is_announced = "id" in part
            path = pending[part["id"]] + part.get("subPath", []) if is_announced else part["path"]
            if "items" in part:
                path, start = (path, None) if is_announced else (path[:-1], path[-1])
                place = at(data, path)
                if start is not None and start != len(place):
                    raise ValueError(f"items at {start} of {len(place)}")
                place += copy.deepcopy(part["items"])
            else:
                merge(at(data, path), part["data"], is_announced)
        ended |= {each["id"] for each in payload.get("completed", ())}
    if ended != set(pending):
        raise ValueError(f"announced {sorted(pending)}, completed {sorted(ended)}")
    return data


def at(value, path):
    for key in path:
        value = value[key]
    return value


def merge(into, data, is_once: bool) -> None:
    for key, value in data.items():
        if key not in into:
            into[key] = copy.deepcopy(value)
        elif is_once:
            raise ValueError(f"'{key}' came twice")
        else:
            same(into[key], value)


def same(own, other) -> None:
    if isinstance(own, dict) and isinstance(other, dict):
        merge(own, other, False)
    elif isinstance(own, list) and isinstance(other, list) and len(own) == len(other):
        for left, right in zip(own, other):
            same(left, right)
    elif own != other:
        raise ValueError(f"{own} is {other}")


class Comparison:
    def __init__(self, program: str, schema_path: Path, seed: str):
        text = schema_path.read_text()
        self.schema = built(text, (GraphQLDeferDirective, GraphQLStreamDirective))
        # This one executes, without parts.
        self.plain = built(text, ())
        self.random = Random(seed)
        self.resolvers = WorldResolvers(self.plain)
        self.entities = Entities(self.resolvers)
        number = str(self.random.randrange(1 << 32))
        self.child = subprocess.Popen(
            [program, "--world", str(schema_path), "--seed", number], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.tally: Counter = Counter()
        self.failures: list = []

    def ask(self, request: dict) -> dict:
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            raise RuntimeError(f"the program ended at {json.dumps(request)}")
        return json.loads(line)

    def run(self, count: int) -> None:
        index = 0
        while (self.tally["operations"] < count or self.lacks_routes) and len(self.failures) < 20 and index < count * 20:
            generator = WorldDocuments(self.schema, self.random, f"_{index}", self.entities.finders)
            index += 1
            text = tidy(document_tokens(generator.document()))
            document = graphql.parse(text)
            if graphql.validate(self.schema, document):
                self.tally["invalid"] += 1
                continue
            for operation in document.definitions:
                if isinstance(operation, graphql.OperationDefinitionNode):
                    self.compare(text, document, operation)
        if self.lacks_routes:
            self.failures.append("no document met an entity by three paths")
        self.child.stdin.close()
        self.child.wait()

    @property
    def lacks_routes(self) -> bool:
        return bool(self.entities.finders) and not self.tally["met by three paths"]

    # Pages

    def walk_connections(self, bound: int) -> None:
        """Follows connections from page to page, in both directions: some at the root, and some of entities."""
        query = self.schema.query_type
        at_root = [("{ %s }", [], name) for name in self.entities.connections(query)]
        types = [self.resolvers.schema.type_map[name] for name in self.entities.finders]
        nested = [(type, name) for type in types for name in self.entities.connections(type)]
        for place in self.random.sample(at_root, min(bound, len(at_root))):
            self.walk_both_ways(*place, query)
        for type, name in self.random.sample(nested, min(bound, len(nested))):
            if found := self.entities.found(type, f"{type.name}:{self.random.randint(1, 20)}", "%s"):
                self.walk_both_ways(f"{{ {found[1]} }}", [found[0]], name, type)
                self.tally["nested walks"] += 2

    def walk_both_ways(self, around: str, path: list, name: str, holder) -> None:
        named = graphql.get_named_type(holder.fields[name].type)
        edges = "edges { cursor node { __typename } } " if "edges" in getattr(named, "fields", {}) else "nodes { __typename } "

        def page(arguments: str) -> tuple:
            asked = around % f"{name}{arguments} {{ {edges} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }}"
            page = at(self.ask({"text": asked, "isShort": True})["whole"]["data"], [*path, name])
            return page["edges" if "edges" in page else "nodes"], page["pageInfo"]

        whole = page("")
        for is_forwards in (True, False):
            items = self.walk(page, is_forwards)
            self.tally["walks"] += 1
            if items != whole[0]:
                where = around % name
                self.failures.append(f"the pages of '{where}' do not join\n  {json.dumps(items)[:800]}\n  {json.dumps(whole[0])[:800]}")

    def walk(self, page, is_forwards: bool) -> list:
        items, cursor = [], None
        for _ in range(100):
            count = self.random.choice([1, 2, 3, 5])
            count_name, cursor_name = ("first", "after") if is_forwards else ("last", "before")
            after = f", {cursor_name}: {json.dumps(cursor)}" if cursor else ""
            found, info = page(f"({count_name}: {count}{after})")
            items = items + found if is_forwards else found + items
            if not info["hasNextPage" if is_forwards else "hasPreviousPage"]:
                break
            cursor = info["endCursor" if is_forwards else "startCursor"]
        return items

    # Effects

    def try_effects(self, bound: int) -> None:
        effects = Effects(self.entities, self.ask, value_for, self.random)
        effects.try_all(bound)
        self.tally += effects.tally
        self.failures += effects.failures

    # Operations

    def compare(self, text: str, document, operation) -> None:
        name = operation.name.value
        variables = variables_of(self.schema, operation, self.random)
        shown = self.compare_with(text, document, operation, variables, {})
        # What a mutation sets takes precedence.
        if shown is None or operation.operation is graphql.OperationType.MUTATION:
            return
        choices = [{f"{type}.{field}": value} for type, field in sorted(shown.leaves) if (value := self.override_of(type, field)) is not None]
        chosen = [self.random.choice(choices)] if choices and self.random.random() < 0.3 else []
        # The same entities in another order, one of them twice.
        lists = [{f"{type}.{field}": [{"$ref": key} for key in [*keys[::-1], keys[0]]]} for (type, field), keys in sorted(shown.lists.items())]
        chosen += [self.random.choice(lists)] if lists else []
        for overrides in chosen:
            self.tally["overridden"] += 1
            self.compare_with(text, document, operation, variables, overrides)

    def override_of(self, type: str, field: str):
        """Another value for a leaf; nothing for what identifies or pages."""
        if field in ("id", "cursor", "startCursor", "endCursor", "__typename"):
            return None
        definition = self.schema.type_map[type].fields[field]
        named = graphql.get_nullable_type(definition.type)
        if graphql.is_enum_type(named):
            return list(named.values)[-1]
        return {"Int": 1234, "Float": 12.5, "String": "overridden", "Boolean": True}.get(getattr(named, "name", None))

    def compare_with(self, text: str, document, operation, variables: dict, overrides: dict):
        """Compares the answers of all; returns what the resolvers have seen, or nothing."""
        name = operation.name.value
        plain = graphql.visit(document, WithoutParts())
        request = {"text": text, "operation": name, "variables": variables, "overrides": overrides}
        answer = self.ask(request)
        kind = operation.operation.value
        self.tally["operations"] += 1
        self.tally[kind] += 1

        def fail(what: str, *shown) -> None:
            details = "".join(f"\n  {json.dumps(each)[:1500]}" for each in shown)
            given = f"variables {json.dumps(variables)}, overrides {json.dumps(overrides)}"
            self.failures.append(f"{what}\n  {given}{details}\n{text}")

        if answer["table"] is None:
            return fail("the operation is refused", answer["whole"])
        context = self.resolvers.context(answer["table"], overrides)
        result = graphql.execute(
            self.plain,
            plain,
            root_value=context.root,
            context_value=context,
            variable_values=variables,
            operation_name=name,
            field_resolver=self.resolvers.resolve,
            type_resolver=self.resolvers.type_of,
        ).formatted
        if "errors" in answer["whole"] or "errors" in result:
            # Both refuse what the schema alone does not forbid, such as a variable without a value.
            if "data" not in answer["whole"] and result.get("data") is None and "errors" in result:
                self.tally["refused"] += 1
                return None
            return fail("there are errors", answer["whole"].get("errors"), result.get("errors"))
        data = result["data"]
        if answer["whole"]["data"] != data:
            return fail("the answers differ", answer["whole"]["data"], data)
        for form in ("announced", "labelled"):
            self.tally["parts"] += len(answer[form]) - 1
            try:
                # What comes late sees what a later mutation of the document has changed.
                is_late = kind == "mutation" and len(data) > 1
                if reassembled(answer[form]) != data and not is_late:
                    return fail(f"the parts of the format '{form}' are together something else", answer[form], data)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                return fail(f"a part of the format '{form}' has no place: {error!r}", answer[form], data)
        if isinstance(answer["store"], str):
            return fail(f"the store: {answer['store'][:2000]}", answer["announced"])
        if isinstance(answer["store"], list):
            self.tally["without a store: " + (answer["store"] or ["nothing"])[0]] += 1
        else:
            self.tally["read"] += 1
            self.tally["fields"] += answer["store"]
        self.tally["pages"] += context.pages
        self.tally["met by three paths"] += sum(len(routes) >= 3 for routes in context.routes.values())
        return context


def compare(program: str, path: Path, seed: str, count: int) -> tuple:
    comparison = Comparison(program, path, seed)
    try:
        # Few of them for each change, and all in a long run.
        bound = max(6, count // 10)
        comparison.walk_connections(bound)
        comparison.try_effects(bound)
        comparison.run(count)
    except Exception as error:
        comparison.failures.append(f"{type(error).__name__}: {error}")
        comparison.child.kill()
    return comparison.tally, comparison.failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+")
    options = parser.parse_args()
    started = time.monotonic()
    schemas = {"harbour": HERE / "harbour.graphql", "github-sample": ROOT / "Samples/GitHub/Service/Schema/schema.graphql"}
    if CORPORA.is_dir():
        for path in sorted(CORPORA.glob("*/schema.graphql")):
            schemas[path.parent.name] = path
    else:
        print(f"worlds: {CORPORA} is not there")
    chosen = {name: path for name, path in schemas.items() if not options.only or name in options.only}
    whole: Counter = Counter()
    failures = []
    with ProcessPoolExecutor(options.jobs) as pool:
        share = max(1, options.count // len(chosen))
        pending = {
            name: pool.submit(compare, options.program, path, f"{options.seed}.{name}", share) for name, path in chosen.items()
        }
        for name, future in pending.items():
            tally, found = future.result()
            whole += tally
            failures += [f"{name}: {each}" for each in found]
            print(f"{name:22}" + ", ".join(f"{tally[key]} {key}" for key in sorted(tally)))
    for failure in failures[:10]:
        print(f"\nDIFFERENCE in {failure}")
    print(
        f"worlds: {whole['operations']} operations ({whole['refused']} refused by both, {whole['invalid']} documents invalid) in "
        f"{time.monotonic() - started:.0f} s: {whole['parts']} later payloads, {whole['pages']} pages, {whole['overridden']} with overrides, "
        f"{whole['walks']} walks ({whole['nested walks']} of entities), {whole['creates']} creations, {whole['updates']} updates, "
        f"{whole['deletes']} deletions, {whole['met by three paths']} entities met by three paths, {whole['read']} read into stores with "
        f"{whole['fields']} fields, {len(failures)} differences"
    )
    return 1 if failures or not whole["operations"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Compares answers of worlds (BatonTesting) with what graphql-core makes of the same worlds.

usage: worlds.py ANSWER_MODEL [--seed N] [--count N] [--jobs N] [--only SCHEMA...]

For each schema random valid operations are made, with fragments, variables, '@defer' and '@stream'. The program answers each in a world:
in one piece, in the parts of both formats, and with a table of the world. The resolvers here read this table and nothing else; they cut
pages themselves. All answers must be equal, and Baton's store must miss nothing of what the program reads into it. Some requests override
fields that they show, which the resolvers know without the table. Connections at the root are walked forwards and backwards, and mutations that change a text
are followed by a query for it.
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
from inputs import CORPORA
from trees import Argument, Field, Inline, ListValue, ObjectValue, Spread, Variable, document_tokens, tidy
from world_table import WorldResolvers

HERE = Path(__file__).resolve().parent
# Counts are not negative, and other texts are compared elsewhere.
literals.INTS = ["0", "1", "2", "3", "42", "2147483647"]
literals.ARBITRARY = ['"plain"', "7", "2.5", "true", "NAME", '["a"]', "{a: 1}"]


class WorldDocuments(DocumentGenerator):
    """Documents whose ids and cursors are mostly those of entities, and which ask for more parts.

    Two thirds of them are for a client of Relay's kind, which defers no inline fragment and names every part."""

    def __init__(self, schema, random, suffix):
        super().__init__(schema, random, suffix)
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
        if type in (self.schema.query_type, self.schema.mutation_type):
            return [Inline(None, [], [each]) if isinstance(each, Field) and each.name == "__typename" else each for each in made]
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
        while self.tally["operations"] < count and len(self.failures) < 20 and index < count * 20:
            generator = WorldDocuments(self.schema, self.random, f"_{index}")
            index += 1
            text = tidy(document_tokens(generator.document()))
            document = graphql.parse(text)
            if graphql.validate(self.schema, document):
                self.tally["invalid"] += 1
                continue
            for operation in document.definitions:
                if isinstance(operation, graphql.OperationDefinitionNode):
                    self.compare(text, document, operation)
        self.child.stdin.close()
        self.child.wait()

    # Pages

    def walk_connections(self) -> None:
        """Follows the connections at the root from page to page, in both directions."""
        for field in self.schema.query_type.fields.values():
            named = graphql.get_named_type(field.type)
            is_walked = self.resolvers.node_type(named) and {"first", "after", "last", "before"} <= set(field.args)
            if is_walked and not any(graphql.is_required_argument(argument) for argument in field.args.values()):
                name = field.ast_node.name.value
                edges = "edges { cursor node { __typename } } " if "edges" in getattr(named, "fields", {}) else "nodes { __typename } "
                whole = self.page(name, "", edges)
                for is_forwards in (True, False):
                    items = self.walk(name, edges, is_forwards)
                    self.tally["walks"] += 1
                    if items != whole[0]:
                        self.failures.append(f"the pages of '{name}' do not join\n  {json.dumps(items)[:800]}\n  {json.dumps(whole[0])[:800]}")

    def page(self, name: str, arguments: str, edges: str) -> tuple:
        asked = f"{{ {name}{arguments} {{ {edges} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"
        page = self.ask({"text": asked, "isShort": True})["whole"]["data"][name]
        return page["edges" if "edges" in page else "nodes"], page["pageInfo"]

    def walk(self, name: str, edges: str, is_forwards: bool) -> list:
        items, cursor = [], None
        for _ in range(100):
            count = self.random.choice([1, 2, 3, 5])
            count_name, cursor_name = ("first", "after") if is_forwards else ("last", "before")
            after = f", {cursor_name}: {json.dumps(cursor)}" if cursor else ""
            found, info = self.page(name, f"({count_name}: {count}{after})", edges)
            items = items + found if is_forwards else found + items
            if not info["hasNextPage" if is_forwards else "hasPreviousPage"]:
                break
            cursor = info["endCursor" if is_forwards else "startCursor"]
        return items

    # Effects

    def try_effects(self) -> None:
        """Changes the text of an entity by each mutation that can, and asks for the text afterwards."""
        mutation, query = self.schema.mutation_type, self.schema.query_type
        node = query.fields.get("node")
        if not mutation or not node or "id" not in node.args:
            return
        for name, field in mutation.fields.items():
            entity = self.changed_type(name, field)
            given = self.inputs_of(field)
            if not entity or not given or not name.lower().startswith(("update", "edit", "rename", "change")):
                continue
            inputs, written = given
            texts = [
                each
                for each, input in inputs.items()
                if graphql.get_nullable_type(input.type) is graphql.GraphQLString and self.is_plain_text(entity, each)
            ]
            if "id" not in inputs or not texts or any(graphql.is_required_input_field(each) for each in inputs.values() if each is not inputs["id"] and each not in [inputs[text] for text in texts]):
                continue
            values = {"id": f"{entity.name}:3", **{text: f"changed {text}" for text in texts}}
            literal = ", ".join(f"{each}: {json.dumps(value)}" for each, value in values.items())
            asked = f"mutation {{ {name}({written.format(literal)}) {{ __typename }} }}"
            then = f'{{ node(id: "{entity.name}:3") {{ ... on {entity.name} {{ {" ".join(texts)} }} }} }}'
            answer = self.ask({"text": asked, "isShort": True, "then": then})
            self.tally["effects"] += 1
            if answer["then"].get("data", {}).get("node") != {text: f"changed {text}" for text in texts}:
                self.failures.append(f"'{name}' has no effect\n  {asked}\n  {json.dumps(answer)[:1500]}")

    def changed_type(self, name: str, field):
        """The entity type of a mutation's payload that its name ends in."""
        payload = graphql.get_named_type(field.type)
        for each in getattr(payload, "fields", {}).values():
            type = graphql.get_named_type(each.type)
            node = self.schema.type_map.get("Node")
            if graphql.is_object_type(type) and node in type.interfaces and name.lower().endswith(type.name.lower()):
                return type
        return None

    @staticmethod
    def inputs_of(field):
        """The inputs of a mutation, and how they are written: as arguments, or as the fields of the argument 'input'."""
        if list(field.args) == ["input"]:
            type = graphql.get_named_type(field.args["input"].type)
            return (type.fields, "input: {{ {} }}") if graphql.is_input_object_type(type) and not type.is_one_of else None
        return None

    @staticmethod
    def is_plain_text(entity, name: str) -> bool:
        field = entity.fields.get(name)
        return field is not None and not field.args and graphql.get_nullable_type(field.type) is graphql.GraphQLString

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
        return context


def compare(program: str, path: Path, seed: str, count: int) -> tuple:
    comparison = Comparison(program, path, seed)
    try:
        comparison.walk_connections()
        comparison.try_effects()
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
    schemas = {"harbour": HERE / "harbour.graphql"}
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
        f"{whole['walks']} walks, {whole['effects']} effects, {whole['read']} read into stores with "
        f"{whole['fields']} fields, {len(failures)} differences"
    )
    return 1 if failures or not whole["operations"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Builds each operation and fragment of a corpus with generated builders, without and with one edit.

usage: builders-corpora.py [CORPUS [BINARIES]]

CORPUS is a folder with schema.graphql, documents and expected.tsv, by default ../shared/corpora/saleor-dashboard
beside the package; without it there is nothing to do, and the script says so. BINARIES is the folder of a build of the
package with tests, by default .build/debug. The script writes artifacts, builders and a program that makes every
definition. The program publishes what was made, reads it through QueryHandle and FragmentHandle, commits mutations
that are answered with it, and compares all with what `make` gives. What was edited has the value at its place. Printed
are how long the modules took to compile, how large they are, and how many definitions have no edit.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
PLAIN = {"String": '"edited"', "Int": "4242", "Double": "42.5", "Bool": "true"}


def main():
    corpus = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "..", "shared", "corpora", "saleor-dashboard")
    binaries = os.path.realpath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, ".build", "debug"))
    if not os.path.isdir(corpus):
        print(f"no corpus at {corpus}: nothing built")
        return
    corpus = os.path.realpath(corpus)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = os.environ.get("BATON_BUILDERS_SCRATCH", scratch)
        os.makedirs(scratch, exist_ok=True)
        run(corpus, binaries, scratch)


def run(corpus, binaries, scratch):
    with open(os.path.join(corpus, "expected.tsv")) as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    invalid = [os.path.join(corpus, "documents", row[0]) for row in rows if row[0] and row[1] != "valid"]
    configuration = {
        "schema": [os.path.join(corpus, "schema.graphql")], "documents": [os.path.join(corpus, "documents/*.graphql")],
        "exclude": invalid, "output": "Artifacts", "access": "public", "module": "Artifacts", "builders": True,
        "buildersOutput": "Builders",
    }
    with open(os.path.join(scratch, "baton.json"), "w") as file:
        json.dump(configuration, file)
    command = [os.path.join(binaries, "BatonCommand"), "compile", "--config", os.path.join(scratch, "baton.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-4000:])
    modules = os.path.join(binaries, "Modules")
    flags = ["-swift-version", "6", "-warnings-as-errors", "-Onone", "-parse-as-library", "-I", modules, "-I", scratch]
    compile_module("Artifacts", scratch, flags)
    compile_module("Builders", scratch, flags)
    count = write_program(scratch)
    refuse_wrong_types(scratch, flags)
    objects = [os.path.join(scratch, name + ".o") for name in ("Artifacts", "Builders")]
    for name in ("Baton", "BatonText", "BatonTesting", "BatonSchema", "BatonSyntax", "BatonDiagnostics"):
        # A folder may have objects of sources that are gone.
        with open(os.path.join(binaries, name + ".build", "output-file-map.json")) as file:
            objects += [entry["object"] for source, entry in json.load(file).items() if source]
    program = os.path.join(scratch, "program")
    execute(["swiftc", *flags, os.path.join(scratch, "program.swift"), *objects, "-o", program])
    began = time.monotonic()
    execute([program])
    print(f"{count} definitions, made in {time.monotonic() - began:.1f} s")


def compile_module(name, scratch, flags):
    folder = os.path.join(scratch, name)
    files = sorted(os.path.join(folder, file) for file in os.listdir(folder))
    text = sum(os.path.getsize(file) for file in files)
    listed = os.path.join(scratch, name + ".files")
    with open(listed, "w") as file:
        file.write("\n".join(files))
    began = time.monotonic()
    execute([
        "swiftc", *flags, "-wmo", "-module-name", name, "-emit-module", "-emit-module-path",
        os.path.join(scratch, name + ".swiftmodule"), "-c", "@" + listed, "-o", os.path.join(scratch, name + ".o")])
    seconds = time.monotonic() - began
    size = subprocess.run(["size", os.path.join(scratch, name + ".o")], capture_output=True, text=True).stdout
    code = sum(int(number) for number in size.splitlines()[1].split()[:2])
    print(f"{name}: {len(files)} files, {text / 1e6:.2f} MB of text, {seconds:.1f} s, {code / 1e6:.2f} MB of code and data")


def execute(command):
    done = subprocess.run(command, stdout=sys.stdout if len(command) == 1 else None, text=True)
    if done.returncode:
        sys.exit(f"{os.path.basename(command[0])} failed with {done.returncode}")


def refuse_wrong_types(scratch, flags):
    """What does not fit the schema does not compile: a value of another type, null for a non-null, a read."""
    with open(os.path.join(scratch, "program.swift")) as file:
        text = file.read()
    name, path, value = re.search(r"try (\w+)\.makeJSON\(for: \$0\) \{ \$0\.(\S+) = (\S+) \}", text).groups()
    source = os.path.join(scratch, "wrong.swift")
    for edit, compiles in ((f"$0.{path} = {value}", True), (f"$0.{path} = Wrong()", False), (f"_ = $0.{path}", False),
                           (f"$0.{path} = [{value}]", False), (f"$0.{path}NotThere = {value}", False)):
        with open(source, "w") as file:
            file.write("import Artifacts\nimport Baton\nimport BatonTesting\nimport Builders\nstruct Wrong {}\n")
            file.write(f"func edit() throws {{ _ = try {name}.make {{ {edit} }} }}\n")
        done = subprocess.run(["swiftc", *flags, "-typecheck", source], capture_output=True, text=True)
        if (done.returncode == 0) != compiles:
            sys.exit(f"'{edit}' {'does not compile' if compiles else 'compiles'}: {done.stderr[:600]}")
    print("wrong types do not compile")


# The program


def write_program(scratch):
    texts = {}
    for name in ("Artifacts", "Builders"):
        folder = os.path.join(scratch, name)
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file)) as opened:
                texts[file] = opened.read()
    inputs = {}
    for text in texts.values():
        for head in re.finditer(r"public nonisolated (enum|struct) (\w+): (GraphQLEnum|GeneratedCode\.InputObject|GeneratedCode\.OneOfInput)", text):
            inputs[head[2]] = (head[3], text)
    builders = builder_types(texts)
    lines = ["import Artifacts", "import Baton", "import BatonTesting", "import Builders", "", SUPPORT]
    calls = []
    operations = 0
    # The definitions without an edit.
    bare = []
    for file, text in texts.items():
        if not file.endswith("+Builder.graphql.swift"):
            continue
        name = file[: -len("+Builder.graphql.swift")]
        artifact = texts[name + ".graphql.swift"]
        is_fragment = re.search(rf"public nonisolated enum {name}: ", artifact)
        if is_fragment and "static func make" not in text:
            continue
        edit = first_edit(builders, name + ".Builder")
        if not edit:
            bare.append(name)
        closure = f"{{ $0.{edit[0]} = {edit[1]} }}" if edit else "{ _ in }"
        # A key of the answer is a name in Swift, but for the few that Swift needs itself.
        path = json.dumps(edit[2]) if edit else "[]"
        value = edit[1] if edit else "nil"
        if is_fragment:
            body = (
                f"try fragment({name}.self, {{ try {name}.make(in: $0) }}, {{ try {name}.Data.make() }}, "
                f"{{ try {name}.make(in: $0) {closure} }}, {{ try {name}.makeJSON {closure} }}, {path}, {value})")
        else:
            kind = re.search(rf"struct {name}: GraphQL(?:Incremental)?(\w+)", artifact)[1].lower()
            operations += 1
            operation = f"{name}({required(artifact, name, inputs)})"
            body = (
                f"{'try await' if kind == 'mutation' else 'try'} {kind}({operation}, {{ _ = try {name}.Data.make() }}, {{ try {name}.makeJSON(for: $0) }}, "
                f"{{ try {name}.Data.make(for: $0) }}, {{ try {name}.makeJSON(for: $0) {closure} }}, {path}, {value})")
        index = len(calls)
        lines.append(f'func check{index}() async throws {{ {body} }}')
        calls.append(f'await run("{name}", check{index})')
    lines += ["@main struct Program {", "    static func main() async {"] + ["        " + call for call in calls]
    lines += ['        if failures > 0 { fatalError("\\(failures) definitions failed") }', "    }", "}"]
    with open(os.path.join(scratch, "program.swift"), "w") as file:
        file.write("\n".join(lines) + "\n")
    print(
        f"{operations} operations and {len(calls) - operations} fragments, {len(bare)} without an edit ({', '.join(bare)})")
    if len(bare) > len(calls) * 0.02:
        sys.exit("too few edits were looked at")
    return len(calls)


def required(text, name, inputs, depth=0):
    """The arguments of an initializer that have no default."""
    start = text.index(f" struct {name}:") if f" struct {name}:" in text else 0
    end = text.find("public struct Variables", start)
    area = text[start: end if end > 0 else len(text)]
    found = [m for m in re.finditer(r"init\(((?:[^()]|\([^()]*\))*)\)", area) if not re.match(r"\s*(variables|__fields|__row)\b", m[1])]
    if not found:
        return ""
    arguments = []
    for parameter in split(found[0][1]):
        label, _, rest = parameter.partition(":")
        if "=" in rest or not label.strip():
            continue
        arguments.append(f"{label.strip()}: {example(rest.strip(), inputs, depth)}")
    return ", ".join(arguments)


def split(text):
    parts, depth, current = [], 0, ""
    for character in text:
        if character in "(<[":
            depth += 1
        if character in ")>]":
            depth -= 1
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return parts + ([current.strip()] if current.strip() else [])


def example(swift_type, inputs, depth):
    if swift_type.startswith("["):
        return "[" + example(swift_type[1:-1].rstrip("?"), inputs, depth) + "]"
    plain = {"String": '"1"', "Int": "1", "Double": "1", "Bool": "true"}
    if swift_type in plain:
        return plain[swift_type]
    kind, text = inputs[swift_type]
    if kind == "GraphQLEnum":
        cases = re.search(r"\n\s*case ([`\w]+)", text[text.index(f" {swift_type}: GraphQLEnum"):])
        return "." + cases[1]
    if kind == "GeneratedCode.InputObject":
        return f"{swift_type}({required(text[text.index(f' struct {swift_type}:'):], swift_type, inputs, depth + 1)})"
    case = re.search(r"case (\w+)\(([^)]*)\)", text)
    return f".{case[1]}({example(case[2], inputs, depth + 1)})"


# Edits


def builder_types(texts):
    """The properties of each builder, by its qualified name. Builders are indented as they are nested."""
    found = {}
    for file, text in texts.items():
        if not file.endswith("+Builder.graphql.swift"):
            continue
        path = [(-1, file[: -len("+Builder.graphql.swift")])]
        joined = re.sub(r"\n\s*(@available|get|set)", r" \1", text)
        for line in joined.splitlines():
            indent = len(line) - len(line.lstrip())
            if struct := re.match(r"\s*public nonisolated struct `?(\w+)`?: GeneratedCode\.(?:Edit|Response)Builder", line):
                while path[-1][0] >= indent:
                    path.pop()
                path.append((indent, struct[1]))
                found[".".join(name for _, name in path)] = []
            elif member := re.match(r"\s*public var (`?\w+`?): ([^{]+?) \{(.*)", line):
                while path[-1][0] >= indent:
                    path.pop()
                if not member[1].startswith("__"):
                    found[".".join(name for _, name in path)].append((member[1], member[2], member[3]))
    return found


def first_edit(builders, root, limit=9):
    """The way to the first plain leaf: the expression after `$0.`, the value, and the path in the answer."""
    level = [("", [], root)]
    for _ in range(limit):
        following = []
        for expression, path, owner in level:
            for name, kind, rest in builders.get(owner, []):
                key = re.search(r'__edits(?:\.set\("(\w+)"|\[(?:nullable: )?"(\w+)"\]|\[on: "(\w*)"\])', rest)
                if not key:
                    continue
                leaf = kind.strip().rstrip("?")
                if leaf in PLAIN and key[1] and key[1] != "id":
                    return expression + name, PLAIN[leaf], path + [key[1]]
                if not key[1]:
                    inner = kind.strip().rstrip("!")
                    index, indices = "", []
                    while inner.startswith("GeneratedCode."):
                        inner = inner[inner.index("<") + 1: -1]
                        index += "[0]"
                        indices.append("0")
                    keys = [] if key[2] is None else [key[2]] + indices
                    following.append((f"{expression}{name}{index}.", path + keys, inner))
        level = following
    return None


SUPPORT = '''
struct Failure: Error { let text: String }
nonisolated(unsafe) var failures = 0

func run(_ name: String, _ check: () async throws -> Void) async {
    do { try await check() } catch {
        failures += 1
        if failures <= 20 { print("\\(name): \\(error)") }
    }
}

func expect(_ condition: Bool, _ text: String) throws { if !condition { throw Failure(text: text) } }

struct NoServer: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.noResponse }
}

struct Answering: NetworkLayer {
    let body: String

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { NetworkResponse(body: Array(body.utf8)) }
}

func at(_ path: [String], _ json: JSONValue) -> JSONValue? {
    var value: JSONValue? = json
    for key in path {
        if let index = Int(key), case .array(let items)? = value {
            value = index < items.count ? items[index] : nil
        } else {
            value = value?[key]
        }
    }
    return value
}

func query<Query: GraphQLQuery>(
    _ query: Query, _ empty: () throws -> Void, _ json: (Query) throws -> JSONValue, _ data: (Query) throws -> Query.Data,
    _ edited: (Query) throws -> JSONValue, _ path: [String], _ value: JSONValue?
) throws {
    try operation(query, empty, json, data, edited, path, value)
    for made in [try json(query), try edited(query)] {
        let environment = RelayEnvironment(network: NoServer())
        try environment.publish(.data(made), for: query)
        let handle = QueryHandle<Query>(in: environment, fetchPolicy: .storeOnly)
        guard let read = handle.get(query.variables).data else { throw Failure(text: "nothing is read") }
        try expect(!handle.isMissingData, "data is missing")
        try expect(try JSONValue(Query.Data(.data(made), for: query)) == JSONValue(read), "the handle reads something else")
    }
}

func subscription<Subscription: GraphQLSubscription>(
    _ subscription: Subscription, _ empty: () throws -> Void, _ json: (Subscription) throws -> JSONValue,
    _ data: (Subscription) throws -> Subscription.Data, _ edited: (Subscription) throws -> JSONValue, _ path: [String],
    _ value: JSONValue?
) throws {
    try operation(subscription, empty, json, data, edited, path, value)
    try RelayEnvironment(network: NoServer()).publish(.data(try edited(subscription)), for: subscription)
}

func mutation<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ empty: () throws -> Void, _ json: (Mutation) throws -> JSONValue,
    _ data: (Mutation) throws -> Mutation.Data, _ edited: (Mutation) throws -> JSONValue, _ path: [String],
    _ value: JSONValue?
) async throws {
    try operation(mutation, empty, json, data, edited, path, value)
    for made in [try json(mutation), try edited(mutation)] {
        let environment = RelayEnvironment(network: Answering(body: JSONValue.object([.init("data", made)]).text))
        let response = try await environment.commit(mutation)
        guard let read = response.data else { throw Failure(text: "nothing is read") }
        try expect(response.errors.isEmpty && !response.isMissingData, "data is missing")
        try expect(try JSONValue(Mutation.Data(.data(made), for: mutation)) == JSONValue(read), "the response reads something else")
    }
}

func operation<Operation: GraphQLOperation>(
    _ operation: Operation, _ empty: () throws -> Void, _ json: (Operation) throws -> JSONValue,
    _ data: (Operation) throws -> Operation.Data, _ edited: (Operation) throws -> JSONValue, _ path: [String],
    _ value: JSONValue?
) throws {
    try empty()
    let made = try json(operation)
    try expect(JSONValue(try data(operation)) == JSONValue(try Operation.Data(.data(made), for: operation)), "two answers")
    let changed = try edited(operation)
    _ = try Operation.Data(.data(changed), for: operation)
    if let value { try expect(at(path, changed) == value, "the edit of \\(path) is \\(at(path, changed)?.text ?? "nothing")") }
}

func fragment<Fragment: GraphQLFragment>(
    _ fragment: Fragment.Type, _ make: (RelayEnvironment) throws -> FragmentReference<Fragment>,
    _ data: () throws -> Fragment.Data, _ edited: (RelayEnvironment) throws -> FragmentReference<Fragment>,
    _ json: () throws -> JSONValue, _ path: [String], _ value: JSONValue?
) throws {
    let environment = RelayEnvironment(network: NoServer())
    let handle = FragmentHandle(try make(environment), in: environment)
    guard let read = handle.get().data else { throw Failure(text: "nothing is read") }
    try expect(!handle.isMissingData, "data is missing")
    try expect(JSONValue(read) == JSONValue(try data()), "two objects")
    let changed = FragmentHandle(try edited(environment), in: environment)
    guard changed.get().data != nil, !changed.isMissingData else { throw Failure(text: "the edited object is not read") }
    let made = try json()
    if let value { try expect(at(path, made) == value, "the edit of \\(path) is \\(at(path, made)?.text ?? "nothing")") }
}
'''

if __name__ == "__main__":
    main()

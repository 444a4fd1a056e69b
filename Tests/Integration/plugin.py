#!/usr/bin/env python3
"""Tries the plugins in a fresh package outside the repository, and prints what they cost it.

    plugin.py [CASE...] [--work FOLDER] [--binary BATON]    cases:

    path-debug, path-release    with the build plugin, from a clone beside the package
    url-debug, url-release      with the build plugin, from the URL of a local git repository
    beginning                   with the build plugin, from an empty package without a configuration to a build
    checked-in                  without it: what `baton compile` writes is part of the package
    bundle                      with the build plugin of a bundle, so that no compiler is built

All of them if none is named. The package has two targets with a configuration each, and tests. After each build nothing in its
folder has changed, and where the system allows it, the folder cannot be written to. Each case has a scratch folder of its own.
"""

import argparse
import hashlib
import http.server
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
CASES = ["path-debug", "path-release", "url-debug", "url-release", "beginning", "checked-in", "bundle"]
OPTIONS = os.environ.get("BATON_BUILD_OPTIONS", "").split()
failures = []

SCHEMA = """type Query { films(first: Int = 10): [Film!]! planet: Planet }
type Film { id: ID! title: String year: Int genre: Genre }
type Planet { id: ID! name: String }
enum Genre { SPACE OTHER }
"""
CONFIGURATION = '{{ // for one target\n  "schema": "../../Schema/schema.graphql", "access": "public", "module": "{module}"\n}}\n'
FILES = {
    "Schema/schema.graphql": SCHEMA,
    "Sources/Films/baton.json": CONFIGURATION.format(module="Films"),
    "Sources/Films/FilmList.swift": '''import Baton

private let query = graphql(
    """
    query FilmListQuery($first: Int) { films(first: $first) { id genre ...FilmRow_film } }
    """)

public func names() -> [String] { [FilmListQuery.artifact.name, FilmRow_film.artifact.name] }
''',
    "Sources/Films/Rows/FilmRow.swift": '''import Baton

private let row = graphql(
    """
    fragment FilmRow_film on Film { title }
    """)

func title(_ film: FilmRow_film.Data) -> String { film.title ?? "untitled" }
''',
    "Sources/Films/Plain.swift": "public func plain() -> Int { 1 }\n",
    "Sources/Planets/baton.json": CONFIGURATION.format(module="Planets").replace(
        '"schema"', '"documents": ["*.graphql", "Parts/Shared/*.graphql"], "schema"'),
    "Shared/PlanetName.graphql": "fragment PlanetName on Planet { name }\n",
    "Sources/Planets/Planet.graphql": "query Planet { planet { ...PlanetName } }\n",
    "Sources/Planets/Planets.swift": "import Baton\n\npublic func names() -> [String] { [PlanetQuery.artifact.name] }\n",
    "Tests/AppTests/AppTests.swift": '''import Films
import Planets
import Testing

@Test func bothTargetsHaveTheirOwn() {
    #expect(Films.names() == ["FilmListQuery", "FilmRow_film"])
    #expect(Planets.names() == ["Planet"])
}
''',
}
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [{dependencies}],
    targets: [
        .target(name: "Films", dependencies: [.product(name: "Baton", package: "baton")]{exclude}{plugins}),
        .target(name: "Planets", dependencies: [.product(name: "Baton", package: "baton")]{excludePlanets}{plugins}),
        .testTarget(name: "AppTests", dependencies: ["Films", "Planets"]),
    ]
)
"""

BEGINNING = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [{dependency}],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [.product(name: "Baton", package: "baton")],
            plugins: [.plugin(name: "BatonPlugin", package: "baton")])
    ]
)
""".replace("{dependency}", f'.package(name: "baton", path: "{ROOT}")')


def introspection() -> dict:
    """What a server with the schema `SCHEMA` answers to an introspection query."""
    def named(text):
        if text.endswith("!"):
            return {"kind": "NON_NULL", "name": None, "ofType": named(text[:-1])}
        if text.startswith("["):
            return {"kind": "LIST", "name": None, "ofType": named(text[1:-1])}
        kind = {"Genre": "ENUM", "Film": "OBJECT", "Planet": "OBJECT"}.get(text, "SCALAR")
        return {"kind": kind, "name": text, "ofType": None}

    def field(name, text, **arguments):
        args = [{"name": key, "type": named(of), "defaultValue": value} for key, (of, value) in arguments.items()]
        return {"name": name, "type": named(text), "args": args, "isDeprecated": False}

    objects = {
        "Query": [field("films", "[Film!]!", first=("Int", "10")), field("planet", "Planet")],
        "Film": [field("id", "ID!"), field("title", "String"), field("year", "Int"), field("genre", "Genre")],
        "Planet": [field("id", "ID!"), field("name", "String")],
    }
    types = [{"kind": "OBJECT", "name": name, "fields": fields, "interfaces": []} for name, fields in objects.items()]
    types += [{"kind": "SCALAR", "name": name} for name in ("Boolean", "ID", "Int", "String")]
    values = [{"name": name, "isDeprecated": False} for name in ("SPACE", "OTHER")]
    types.append({"kind": "ENUM", "name": "Genre", "enumValues": values})
    schema = {"queryType": {"name": "Query"}, "mutationType": None, "subscriptionType": None, "types": types}
    return {"data": {"__schema": schema | {"directives": []}}}


class SchemaServer(http.server.BaseHTTPRequestHandler):
    """A server that knows its schema and nothing else. The first query of `schema fetch` is refused, as some do."""

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["query"]
        isAsked = "__schema" in query
        body = json.dumps(introspection() if isAsked else {"errors": [{"message": "not here"}]}).encode()
        self.send_response(200 if isAsked else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Seconds(NamedTuple):
    clock: float
    processor: float

    def plus(self, other):
        return Seconds(self.clock + other.clock, self.processor + other.processor)


def expect(what: str, holds: bool, output: str = ""):
    if not holds:
        failures.append(what)
        print(f"FAILED   {what}\n{output[-4000:]}", flush=True)


def tree(folder: Path) -> dict:
    """The files of a folder with a hash of their bytes, their modes and times."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.stat().st_mtime_ns, path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest())
        for path in sorted(folder.rglob("*"))
    }


def run(command, folder: Path, protect: bool = False):
    command = [str(word) for word in command]
    if protect:
        mounted = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"'
        command = ["unshare", "-m", "bash", "-c", mounted, str(folder), *command]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    process = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return process.returncode, process.stdout, Seconds(time.monotonic() - started, processor)


def can_protect() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return os.geteuid() == 0 and run(["true"], Path(folder), protect=True)[0] == 0


def snapshot(work: Path) -> Path:
    """A git repository of this tree as it is, with a version."""
    clone = work / "origin" / "baton"
    if clone.exists():
        return clone
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    for name in filter(None, files.decode().split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    git = ["git", "-c", "user.name=plugin", "-c", "user.email=plugin@localhost", "-C", clone]
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "snapshot"], check=True)
    subprocess.run([*git, "tag", "1.0.0"], check=True)
    return clone


def make_package(folder: Path, dependencies: list[str], plugin: str | None):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    # A pattern that crosses a link, which it names.
    (folder / "Sources/Planets/Parts").mkdir()
    (folder / "Sources/Planets/Parts/Shared").symlink_to("../../../Shared")
    name = "BatonBundlePlugin" if plugin == "baton-plugins" else "BatonPlugin"
    plugins = f', plugins: [.plugin(name: "{name}", package: "{plugin}")]' if plugin else ""
    (folder / "Package.swift").write_text(
        MANIFEST.format(
            dependencies=", ".join(dependencies),
            plugins=plugins,
            exclude="" if plugin else ', exclude: ["baton.json"]',
            excludePlanets=', exclude: ["Parts"]' if plugin else ', exclude: ["baton.json", "Planet.graphql", "Parts"]',
        )
    )


class Case:
    def __init__(self, name: str, work: Path, binary: Path | None):
        self.name = name
        self.folder = work / name / "App"
        self.scratch = work / name / "scratch"
        self.configuration = "release" if name.endswith("release") else "debug"
        self.protects = can_protect()
        self.binary = binary
        self.work = work
        self.folder.mkdir(parents=True)
        self.seconds = {}
        self.last = Seconds(0, 0)

    def swift(self, command: str, *options, what: str, time_as: str | None = None, writes: bool = False) -> str:
        """Runs a command of the package manager, in which nothing in the package's folder may change."""
        before = tree(self.folder)
        status, output, seconds = run(
            ["swift", command, *OPTIONS, "--scratch-path", self.scratch, "-c", self.configuration, *options],
            self.folder,
            protect=self.protects and not writes,
        )
        expect(f"{self.name}: {what}", status == 0, output)
        if not writes:
            expect(f"{self.name}: {what}: nothing is written in the package", tree(self.folder) == before)
        warnings = [line for line in output.splitlines() if "warning:" in line and "SwiftPM" not in line]
        expect(f"{self.name}: {what}: no warnings", not warnings, "\n".join(warnings))
        if time_as:
            self.seconds[time_as] = seconds
        return output

    def outputs(self) -> dict:
        found = [path for path in self.scratch.rglob("*.graphql.swift") if path.parent.name == "outputs"]
        return {path.name if "Films" in str(path) else "Planets/" + path.name: path.stat().st_mtime_ns for path in found}

    def objects(self) -> dict:
        return {path.name: path.stat().st_mtime_ns for path in self.scratch.rglob("Films.build/*.swift.o")}

    def expect_no_compiler(self):
        built = {path.parent.name for path in self.scratch.rglob("*.o")}
        expect(f"{self.name}: no compiler is built {sorted(built)}", not any("BatonCompiler" in name for name in built))

    def edit(self, name: str, old: str, new: str):
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def try_plugin(self):
        said = "GraphQL documents of"
        output = self.swift("build", what="a clean build", time_as="clean")
        expect(f"{self.name}: both targets are generated", output.count(said) >= 2 or "-v" in OPTIONS, output)
        first = self.outputs()
        expect(f"{self.name}: one file for each source, and one for what they share {sorted(first)}", len(first) == 6)

        # The package manager links a tool again in the build after the one that made it.
        self.swift("build", what="a second build", time_as="second build")
        output = self.swift("build", what="a build after nothing changed", time_as="nothing changed")
        expect(f"{self.name}: the compiler does not run when nothing changed", said not in output, output)
        expect(f"{self.name}: nothing is written when nothing changed", self.outputs() == first)

        objects = self.objects()
        self.edit("Sources/Films/Plain.swift", "{ 1 }", "{ 2 }")
        self.swift("build", what="a build after an edit of Swift", time_as="Swift edited")
        expect(f"{self.name}: an edit of Swift writes no artifact", self.outputs() == first)
        if self.configuration == "debug":
            again = {name for name, date in self.objects().items() if objects.get(name) != date}
            expect(f"{self.name}: an edit of Swift recompiles no artifact {sorted(again)}", again == {"Plain.swift.o"})

        self.edit("Sources/Films/Rows/FilmRow.swift", "{ title }", "{ title year }")
        output = self.swift("build", what="a build after a document changed", time_as="document changed")
        changed = {name for name, date in self.outputs().items() if first.get(name) != date}
        expected = {"FilmList_swift.graphql.swift", "Rows_FilmRow_swift.graphql.swift"}
        expect(f"{self.name}: what depends on a document is written {sorted(changed)}", changed == expected)
        expect(f"{self.name}: the other target is left alone", "documents of Planets" not in output, output)

        before = self.outputs()
        self.edit("Shared/PlanetName.graphql", "{ name }", "{ id name }")
        self.swift("build", what="a build after a document behind a link changed")
        changed = {name for name, date in self.outputs().items() if before.get(name) != date}
        expect(f"{self.name}: a document behind a link is an input {sorted(changed)}", any("Planet" in name for name in changed))

        # A document in a file that had none goes to the shared file, or to one of its own.
        self.edit("Sources/Films/Plain.swift", "public func", "import Baton\n\nprivate let some = graphql(\"query PlainQuery { planet { name } }\")\npublic func")
        self.edit("Sources/Films/Plain.swift", "{ 2 }", "{ PlainQuery.artifact.name.count }")
        self.swift("build", what="a build after a file got its first document")
        (self.folder / "Sources/Films/Rows/FilmRow.swift").rename(self.folder / "Sources/Films/FilmRow.swift")
        self.swift("build", what="a build after a source moved")

        self.edit("Sources/Films/FilmRow.swift", "{ title year }", "{ titel }")
        status, output, _ = run(
            ["swift", "build", *OPTIONS, "--scratch-path", self.scratch, "-c", self.configuration], self.folder
        )
        shown = re.search(r"Sources/Films/FilmRow\.swift:\d+:\d+: error: unknown field 'titel'", output)
        expect(f"{self.name}: a mistake is shown at its place", status != 0 and shown is not None, output)
        self.edit("Sources/Films/FilmRow.swift", "{ titel }", "{ title }")
        self.swift("build", "--build-tests", what="a build of the tests")
        if self.configuration == "debug":
            self.swift("test", "--skip-build", what="the tests")

    def try_command(self):
        """The command plugin, which writes nothing beside the build plugin, and what the build plugin refuses."""
        permission = ["--allow-writing-to-package-directory", "baton-bundle" if self.name == "bundle" else "baton"]
        package = lambda *words: run(["swift", "package", *OPTIONS, "--scratch-path", self.scratch, *permission, *words], self.folder)
        status, output, _ = package("validate")
        expect(f"{self.name}: swift package {permission[1]} validate", status == 0, output)
        status, output, _ = package("compile")
        made = self.folder / "Sources/Planets/__generated__"
        said = "the build generates for target 'Planets'" in output
        expect(f"{self.name}: swift package {permission[1]} compile is refused", status != 0 and said and not made.exists(), output)
        made.mkdir()
        (made / "PlanetQuery.graphql.swift").write_text("// @generated by baton. Do not edit.\n")
        status, output, _ = run(["swift", "build", *OPTIONS, "--scratch-path", self.scratch], self.folder)
        expect(f"{self.name}: generated files beside the plugin are an error", status != 0 and "besides what the build" in output, output)

    def try_beginning(self):
        """The order of the guide 'Generating at build time' in a package that has only the plugin."""
        def words_of(*words):
            return ["swift", words[0], *OPTIONS, "--scratch-path", str(self.scratch), *words[1:]]

        def swift(*words):
            status, output, self.last = run(words_of(*words), self.folder)
            return status, output

        def expect_run(what, words, text):
            status, output = swift("run", "baton", *words)
            expect(f"{self.name}: {what}", text in output and status == 0, output)
            return output

        def expect_watching(what, words, text):
            """A program that does not end says something."""
            process = subprocess.Popen(
                words_of("run", "baton", *words), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            output = ""
            for line in process.stdout:
                output += line
                if text in line:
                    break
            expect(f"{self.name}: {what}", text in output and process.poll() is None, output)
            process.terminate()
            process.wait()

        target = self.folder / "Sources/App"
        target.mkdir(parents=True)
        (self.folder / "Package.swift").write_text(BEGINNING)
        (target / "App.swift").write_text("@main enum App { static func main() {} }\n")
        expect_run("help is there before a configuration", ["init", "--help"], "Writes a baton.json")
        self.seconds["first 'swift run baton', with its build"] = self.last
        status, output = swift("build", "--target", "App")
        expect(f"{self.name}: a build without a configuration warns", "warning: nothing is generated for target 'App'" in output, output)
        permission = ["--allow-writing-to-package-directory", "baton"]
        status, output = swift("package", *permission, "init", "--help")
        expect(f"{self.name}: swift package baton init", status == 0 and "Writes a baton.json" in output, output)
        output = expect_run("init writes a configuration", ["init"], "wrote baton.json")
        expect(f"{self.name}: init says what follows", "then build, which generates" in output, output)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), SchemaServer) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            fetch = ["schema", "fetch", f"http://127.0.0.1:{server.server_port}/graphql"]
            expect_run("the schema is fetched", fetch, "wrote schema.graphql")
            expect_run("the schema is the server's", [*fetch, "--check"], "schema.graphql is up to date")
            server.shutdown()
        text = (self.folder / "schema.graphql").read_text()
        expect(f"{self.name}: the schema is whole", "films(first: Int = 10): [Film!]!" in text and "enum Genre" in text, text)
        query = 'import Baton\n\nprivate let query = graphql("query FilmsQuery { films { id title } }")\n'
        (target / "Films.swift").write_text(query)
        output = expect_run("validate", ["validate"], "")
        expect(f"{self.name}: the configuration is whole", "warning: nothing" not in output, output)
        for words in (["compile"], ["compile", "--watch"]):
            status, output = swift("run", "baton", *words)
            expect(f"{self.name}: {' '.join(words)} is refused", status == 2 and "validate" in output, output)
        (target / "App.swift").write_text("import Baton\n\n@main enum App { static func main() { print(FilmsQuery.artifact.name) } }\n")
        status, output = swift("run", "App")
        expect(f"{self.name}: the build generates", status == 0 and "FilmsQuery" in output, output)
        self.seconds["'swift run' of the program, the first build that generates"] = self.last
        expect_watching("validate watches", ["validate", "--watch"], "watching: no errors")
        written = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.graphql.swift"))
        expect(f"{self.name}: nothing is written in the package {written}", not written)

    def try_checked_in(self):
        def compile(time_as):
            total = Seconds(0, 0)
            for target in ("Films", "Planets"):
                words = ["compile", "--config", f"Sources/{target}/baton.json"]
                status, output, seconds = run(
                    ["swift", "run", *OPTIONS, "--scratch-path", self.scratch, "baton", *words], self.folder)
                expect(f"{self.name}: baton compile for {target}", status == 0, output)
                total = total.plus(seconds)
            self.seconds[time_as] = total

        compile("first 'swift run baton compile'")
        shutil.rmtree(self.scratch)
        self.swift("build", what="a clean build", time_as="clean")
        self.swift("build", what="a build after nothing changed", time_as="nothing changed")
        self.expect_no_compiler()
        compile("'swift run baton compile' again, with its first build")
        self.edit("Sources/Films/Rows/FilmRow.swift", "{ title }", "{ title year }")
        compile("'swift run baton compile' after a document changed")
        self.swift("build", what="a build after a document changed", time_as="document changed, compiled before")
        self.swift("test", what="the tests")

    def show(self):
        for what, seconds in self.seconds.items():
            print(f"{self.name:<14}{what:<55}{seconds.clock:7.1f} s, processor {seconds.processor:6.1f} s", flush=True)


def perform(name: str, work: Path, binary: Path | None):
    case = Case(name, work, binary)
    by_path = f'.package(name: "baton", path: "{ROOT}")'
    if name == "beginning":
        case.try_beginning()
        case.show()
        shutil.rmtree(case.scratch, ignore_errors=True)
        return
    if name.startswith("url"):
        make_package(case.folder, [f'.package(url: "file://{snapshot(work)}", from: "1.0.0")'], "baton")
    elif name.startswith("path"):
        make_package(case.folder, [by_path], "baton")
    elif name == "checked-in":
        make_package(case.folder, [by_path], None)
    else:
        bundle = work / "baton-plugins"
        subprocess.run([ROOT / "Compiler/Plugins/make-bundle", bundle, *([binary] if binary else [])], check=True)
        make_package(case.folder, [by_path, f'.package(path: "{bundle}")'], "baton-plugins")
    if name.startswith("url"):
        status, output, seconds = run(["swift", "package", "--scratch-path", case.scratch, "resolve"], case.folder)
        expect(f"{name}: the package is resolved", status == 0, output)
    if name == "checked-in":
        case.try_checked_in()
    else:
        case.try_plugin()
        if name == "bundle":
            case.expect_no_compiler()
        if name in ("bundle", "path-debug"):
            case.try_command()
    case.show()
    shutil.rmtree(case.scratch, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--binary", type=Path, help="for the bundle, in place of building one")
    options = parser.parse_args()
    unknown = set(options.cases) - set(CASES)
    if unknown:
        sys.exit(f"there is no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    work = Path(tempfile.mkdtemp(prefix="baton-plugin-", dir=options.work))
    try:
        for name in options.cases or CASES:
            perform(name, work, options.binary)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if failures:
        sys.exit(f"{len(failures)} failed: " + "; ".join(failures))


if __name__ == "__main__":
    main()

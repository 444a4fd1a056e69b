"""Compares what the documentation maps with what is there.

Every module stands in CONTRIBUTING.md, every path in backticks exists, here or in a package that a guide writes, and every public type stands in a topic of its catalog, which
names no others. No more types stand at the top of a module than its limit says. Each public error and each of its cases
stands in the guide about errors, and each file with code for one system in the guide about what is not there.
"""
import pathlib
import re
import subprocess
import sys

# The map calls it the command line.
UNNAMED = {"BatonCommand"}
# A type that is always met through another is nested in it, and what only generated code needs stands under GeneratedCode.
LIMITS = {"Baton": 95}
ROOTS = ("Sources", "Compiler/Sources", "Samples")
TYPE = re.compile(r"^public (?:final )?(?:indirect )?(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)
PATH = re.compile(r"`((?:Sources|Compiler|Tests|Samples|\.ci)/[\w./+-]+)`")

failures = []
map_of_modules = pathlib.Path("CONTRIBUTING.md").read_text()
for root in ROOTS:
    for folder in sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir()):
        if any(folder.rglob("*.swift")) and folder.name not in UNNAMED and f"`{folder.name}`" not in map_of_modules:
            failures.append(f"CONTRIBUTING.md does not name the module {folder.name}")

pages = [pathlib.Path("README.md"), pathlib.Path("CONTRIBUTING.md")]
catalogs = sorted(pathlib.Path("Sources").glob("*/*.docc"))
for catalog in catalogs:
    pages += sorted(catalog.rglob("*.md"))
pages += sorted(pathlib.Path("Sources").glob("*/Design/*.md"))
# A guide that writes a package of the reader's names the paths there.
EXAMPLE = re.compile(r"<!-- file: \w+/(\S+) -->")
examples = {path for page in pages for name in EXAMPLE.findall(page.read_text()) for path in (name, name.rpartition("/")[0])}
for page in pages:
    for path in PATH.findall(page.read_text()):
        if path not in examples and not pathlib.Path(path.rstrip("/.")).exists():
            failures.append(f"{page} names {path}, which is not there")

for catalog in catalogs:
    topics = "\n".join(page.read_text() for page in catalog.rglob("*.md"))
    named = set(re.findall(r"^- ``(\w+)``", topics, re.M))
    public = {}
    for source in sorted(catalog.parent.rglob("*.swift")):
        public.update({name: source for name in TYPE.findall(source.read_text())})
    failures += [f"{source}: {name} is public and in no topic of {catalog}" for name, source in public.items() if name not in named]
    failures += [f"{catalog} has a topic for {name}, which is no public type at the top" for name in sorted(named - public.keys())]
    module = catalog.stem
    if len(public) > LIMITS.get(module, len(public)):
        failures.append(f"{len(public)} public types stand at the top of {module}, more than {LIMITS[module]}")

# Each public error, each of its cases and each code stands in the guide about errors, in a section that names the type.
# The texts of the interface have them all.
guide_path = "Sources/Baton/Baton.docc/Errors.md"
sections = [
    {mark.split("/")[-1].removesuffix("()") for mark in re.findall(r"`+([\w/]+)`+", section)}
    for section in pathlib.Path(guide_path).read_text().split("\n## ")
]
# What is no error itself, and what the sections with its cases call it.
REASONS = {
    "RelayError.Code": "code", "RelayError.InvalidResponse.Reason": "InvalidResponse", "FieldError.Reason": "FieldError",
    "PersistenceError.Kind": "PersistenceError",
}
for interface in sorted(pathlib.Path(".ci/api").glob("*.txt")):
    for block in interface.read_text().split("\n\n"):
        head = re.match(r"(?:struct|enum) ([\w.]+)(.*)", block)
        if head and (re.search(r"\bError\b", head[2]) or head[1] in REASONS):
            title = REASONS.get(head[1], head[1].split(".")[-1])
            explained = set().union(*(section for section in sections if title in section))
            names = [title] + re.findall(r"^    (?:case|static let) (\w+)", block, re.M)
            failures += [f"{guide_path} does not explain {head[1]}: {name}" for name in names if name not in explained]

# Each key of Apollo's configuration that the compiler knows stands in the guide for who knows it.
apollo_path = "Sources/Baton/Baton.docc/ComingFromApolloIOS.md"
apollo = set(re.findall(r"\w+", " ".join(re.findall(r"`+([^`]+)`+", pathlib.Path(apollo_path).read_text()))))
foreign = pathlib.Path("Compiler/Sources/BatonCompiler/Configuration/ForeignKeys.swift").read_text()
for key in re.findall(r'^ +"(\w+)": ', foreign.split("// MARK: - Apollo")[1].split("private static func apollo(")[0], re.M):
    if key not in apollo:
        failures.append(f"{apollo_path} does not say what becomes of '{key}'")

# Each file with code of its own for Apple's systems stands in the guide that says where nothing was run.
APART = re.compile(
    r"^\s*#.*(?:canImport\((?:Darwin|FoundationNetworking)\)|\bos\(|__APPLE__|__linux__)|#(?:un)?available\(", re.M)
unrun_path = "Sources/Baton/Baton.docc/WhatIsNotThere.md"
unrun = pathlib.Path(unrun_path).read_text()
files = subprocess.run(
    ["git", "ls-files", "Sources", "Compiler", "Samples"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
for source in map(pathlib.Path, files):
    if source.suffix not in (".swift", ".c", ".h") or "Tests" in source.parts or not source.exists():
        continue
    if f"`{source.stem}`" not in unrun and APART.search(source.read_text()):
        failures.append(f"{unrun_path} does not name {source}, which has code for one system")

# The address of the repository and the version stand once; what repeats them says the same.
address = pathlib.Path(".ci/address").read_text().strip()
version = re.search(r'text = "([^"]+)"', pathlib.Path("Sources/Baton/Base/BatonVersion.swift").read_text())[1]
if f"\n## {version}\n" not in pathlib.Path("CHANGELOG.md").read_text():
    failures.append(f"CHANGELOG.md has no section {version}")
# Products are named with the last part of the address.
if not re.search(r"/baton(\.git)?$", address):
    failures.append(f".ci/address ends with neither /baton nor /baton.git: {address}")
for page in pages:
    for url, number in re.findall(r'\.package\(url: "([^"]*/baton(?:\.git)?)", from: "([^"]*)"\)', page.read_text()):
        if (url, number) != (address, version):
            failures.append(
                f"{page} depends on {url} from {number}, and not on {address} from {version}: run .ci/regenerate")

for failure in failures:
    print(f"maps: {failure}")
sys.exit(bool(failures))

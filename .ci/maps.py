"""Compares what the documentation maps with what is there.

Every module stands in the README, every path in backticks exists, and every public type stands in a topic of its catalog, which
names no others. No more types stand at the top of a module than its limit says.
"""
import pathlib
import re
import sys

# The README calls it the command line.
UNNAMED = {"BatonCommand"}
# A type that is always met through another is nested in it, and what only generated code needs stands under GeneratedCode.
LIMITS = {"Baton": 95}
ROOTS = ("Sources", "Compiler/Sources", "Samples")
TYPE = re.compile(r"^public (?:final )?(?:indirect )?(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)
PATH = re.compile(r"`((?:Sources|Compiler|Tests|Samples|\.ci)/[\w./+-]+)`")

failures = []
readme = pathlib.Path("README.md").read_text()
for root in ROOTS:
    for folder in sorted(path for path in pathlib.Path(root).iterdir() if path.is_dir()):
        if any(folder.rglob("*.swift")) and folder.name not in UNNAMED and f"`{folder.name}`" not in readme:
            failures.append(f"README.md does not name the module {folder.name}")

pages = [pathlib.Path("README.md"), pathlib.Path("CONTRIBUTING.md")]
catalogs = sorted(pathlib.Path("Sources").glob("*/*.docc"))
for catalog in catalogs:
    pages += sorted(catalog.rglob("*.md"))
for page in pages:
    for path in PATH.findall(page.read_text()):
        if not pathlib.Path(path.rstrip("/.")).exists():
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

for failure in failures:
    print(f"maps: {failure}")
sys.exit(bool(failures))

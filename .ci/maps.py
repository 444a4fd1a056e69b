"""Compares what the documentation maps with what is there.

Every module stands in the README, every path in backticks exists, and every public type stands in a topic of its catalog.
"""
import pathlib
import re
import sys

# The README calls it the command line.
UNNAMED = {"BatonCommand"}
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
    for source in sorted(catalog.parent.rglob("*.swift")):
        for name in TYPE.findall(source.read_text()):
            if name not in named:
                failures.append(f"{source}: {name} is public and in no topic of {catalog}")

for failure in failures:
    print(f"maps: {failure}")
sys.exit(bool(failures))

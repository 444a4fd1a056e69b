"""Tells what a package that depends on this one fetches, sees and compiles.

    weight.py fetched SCRATCH           the bytes of the repository that is fetched, and of its checkout by folder
    weight.py seen MANIFEST CHECKOUT    each product with the modules that it compiles, their files and lines
    weight.py compiled BIN MANIFEST OWN PRODUCT...
        fails unless exactly the module OWN and the modules of the products have objects

MANIFEST is what `swift package dump-package` prints. A plugin compiles its tool, whose modules have folders of their own.
A product of the library that compiled something of the samples or of the tests is a mistake.
"""

import collections
import json
import pathlib
import sys

# Only a product that is itself of these folders compiles something of them.
ASIDE = ("Samples/", "Tests/")


class Manifest:
    def __init__(self, path):
        manifest = json.loads(pathlib.Path(path).read_text())
        self.targets = {target["name"]: target for target in manifest["targets"]}
        self.products = {product["name"]: product for product in manifest["products"]}

    def kind(self, name):
        return next(iter(self.products[name]["type"]))

    def folder(self, module):
        target = self.targets[module]
        return target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + module

    def modules(self, name):
        """The modules that a product compiles; for a plugin those of its tool."""
        found, pending = set(), list(self.products[name]["targets"])
        while pending:
            module = pending.pop()
            if module in found:
                continue
            found.add(module)
            pending += [(each.get("byName") or each.get("target"))[0] for each in self.targets[module]["dependencies"]]
        return {module for module in found if self.targets[module]["type"] != "plugin"}


def size(folder):
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_symlink() or file.is_file())


def show_fetched(scratch):
    repository = next((scratch / "repositories").iterdir())
    checkout = scratch / "checkouts/baton"
    parts = collections.Counter()
    for entry in checkout.iterdir():
        if entry.name != ".git":
            parts[entry.name if entry.is_dir() else "files at the top"] += size(entry) if entry.is_dir() else entry.lstat().st_size
    shares = ", ".join(f"{name} {count:,}" for name, count in parts.most_common())
    print(f"tagged: fetched {size(repository):,} bytes, checked out {parts.total():,} bytes: {shares}")


def show_seen(manifest, checkout):
    wrong = False
    for name in sorted(manifest.products):
        modules = manifest.modules(name)
        files = [file for module in modules for file in (checkout / manifest.folder(module)).rglob("*.swift")]
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        print(f"tagged: {manifest.kind(name)} {name}: {len(files)} files, {lines:,} lines of {' '.join(sorted(modules))}")
        aside = [module for module in modules - set(manifest.products[name]["targets"]) if manifest.folder(module).startswith(ASIDE)]
        if aside:
            print(f"tagged: {name} compiles {' '.join(aside)}", file=sys.stderr)
            wrong = True
    sys.exit(wrong)


def check_compiled(products, manifest, own, names):
    # A folder of objects has the name of a module as C spells it.
    built = {file.relative_to(products).parts[0].removesuffix(".build") for file in products.glob("*.build/**/*.o")}
    expected = {own}
    for name in names:
        tool = "-tool" if manifest.kind(name) == "plugin" else ""
        expected |= {module.replace("-", "_") + tool for module in manifest.modules(name)}
    if built != expected:
        sys.exit(f"tagged: compiled too: {' '.join(sorted(built - expected))}; not compiled: {' '.join(sorted(expected - built))}")
    print(f"tagged: with {' '.join(names)} are compiled {' '.join(sorted(built))}")


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "fetched":
        show_fetched(pathlib.Path(arguments[0]))
    elif command == "seen":
        show_seen(Manifest(arguments[0]), pathlib.Path(arguments[1]))
    else:
        check_compiled(pathlib.Path(arguments[0]), Manifest(arguments[1]), arguments[2], arguments[3:])

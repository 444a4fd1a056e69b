#!/usr/bin/env python3
"""Says which folders of a module use which, from what the compiler recorded of every name when it built the module.

usage: .ci/folders.py Sources/Baton                        every pair, the pairs that use each other, the largest cycle
       .ci/folders.py Sources/Baton --top                  the same for the folders of the first level
       .ci/folders.py Sources/Baton --files                the same for files
       .ci/folders.py Sources/Baton --order PAGE           each use that points upward in the order that a page gives; fails if there is one
       .ci/folders.py Sources/Baton Store/Records Store/Writing     each use of something of Writing in Records

A name counts for the folder that declares it, wherever the type that it extends is declared. A type that only says where another is
nested is not used: `extension LogEvent {` and `LogEvent.Fetch` name `Fetch`, and each member of `LogEvent` that they need counts by itself.
Needs a debug build that is up to date.
"""

import collections
import ctypes
import functools
import os
import pathlib
import re
import subprocess
import sys

DECLARATION, DEFINITION, REFERENCE = 1, 2, 4
RECORD = 2


class Text(ctypes.Structure):
    """A string of the index library: bytes and their number."""

    _fields_ = [("bytes", ctypes.c_void_p), ("count", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.bytes, self.count).decode()


Handle = ctypes.c_void_p
EachName = ctypes.CFUNCTYPE(ctypes.c_bool, Handle, Text)
Each = ctypes.CFUNCTYPE(ctypes.c_bool, Handle, Handle)


@functools.cache
def library():
    swiftc = subprocess.run(["which", "swiftc"], capture_output=True, text=True, check=True).stdout.strip()
    folder = pathlib.Path(os.path.realpath(swiftc)).parent.parent / "lib"
    return ctypes.CDLL(str(next(folder.glob("libIndexStore.*"))))


@functools.cache
def function(name, result, *arguments):
    found = getattr(library(), "indexstore_" + name)
    found.restype, found.argtypes = result, arguments
    return found


def collect(name, *before, kind=Each):
    """What one of the library's functions hands to a callback, taken out of it by `take`."""

    def run(take):
        taken = []
        def callback(_, each):
            taken.append(take(each))
            return True
        types = [Handle if not isinstance(value, int) or value > 1 else ctypes.c_uint for value in before]
        function(name, ctypes.c_bool, *types, Handle, kind)(*before, None, kind(callback))
        return taken

    return run


def text(name):
    return lambda of: str(function(name, Text, Handle)(of))


def number(name, of, kind=ctypes.c_int):
    return function(name, kind, Handle)(of)


def position(occurrence):
    row, column = ctypes.c_uint(), ctypes.c_uint()
    pointer = ctypes.POINTER(ctypes.c_uint)
    function("occurrence_get_line_col", None, Handle, pointer, pointer)(occurrence, row, column)
    return row.value, column.value


@functools.cache
def source(path):
    return pathlib.Path(path).read_bytes().split(b"\n")


def is_place(path, row, column, name):
    """True if a name only says where a type is nested: `Outer.` before the name of a type, or `extension Outer {` before a declaration."""
    lines = source(path)
    if not 0 < row <= len(lines):
        return False
    before, after = lines[row - 1][: column - 1], lines[row - 1][column - 1 + len(name):]
    if re.match(rb"\.[A-Z]", after):
        return True
    first = next((each.strip() for each in lines[row:] if each.strip() and not each.strip().startswith((b"//", b"@"))), b"")
    nests = re.match(rb"(?:\w+ )*(?:class|struct|enum|protocol|actor|typealias) ", first)
    return bool(before.strip() == b"extension" and after.strip() == b"{" and nests)


def records(store, index, module):
    """The newest record of each source file of the module, by file."""
    newest = {}
    for unit in collect("store_units_apply_f", store, 0, kind=EachName)(str):
        reader = function("unit_reader_create", Handle, Handle, ctypes.c_char_p, Handle)(store, unit.encode(), None)
        main = text("unit_reader_get_main_file")(reader)
        if not main.startswith(module + os.sep):
            continue
        time = (index / "v5" / "units" / unit).stat().st_mtime
        dependencies = collect("unit_reader_dependencies_apply_f", reader)(
            lambda each: (number("unit_dependency_get_kind", each), text("unit_dependency_get_filepath")(each),
                          text("unit_dependency_get_name")(each)))
        names = [name for kind, path, name in dependencies if kind == RECORD and path == main]
        if os.path.exists(main) and newest.get(main, (0, None))[0] < time:
            newest[main] = (time, names)
    return {main: names for main, (_, names) in newest.items()}


def occurrences(store, record):
    reader = function("record_reader_create", Handle, Handle, ctypes.c_char_p, Handle)(store, record.encode(), None)

    def take(occurrence):
        symbol = function("occurrence_get_symbol", Handle, Handle)(occurrence)
        roles = number("occurrence_get_roles", occurrence, ctypes.c_uint64)
        return text("symbol_get_usr")(symbol), text("symbol_get_name")(symbol), roles, position(occurrence)

    return collect("record_reader_occurrences_apply_f", reader)(take)


def uses(module):
    """Every use of a name that another file of the module declares: file, line, name, declaring file."""
    index = pathlib.Path(".build/debug/index/store")
    if not index.is_dir():
        sys.exit("folders: no index; run 'swift build' first")
    store = function("store_create", Handle, ctypes.c_char_p, Handle)(str(index).encode(), None)
    module = os.path.abspath(module)
    seen = [
        (main, *occurrence)
        for main, names in records(store, index, module).items() for name in names
        for occurrence in occurrences(store, name)
    ]
    home = {}
    for main, usr, _, roles, _ in seen:
        if roles & (DECLARATION | DEFINITION) and not roles & REFERENCE:
            home.setdefault(usr, main)
    short = functools.partial(os.path.relpath, start=module)
    return [
        (short(main), row, name, short(home[usr]))
        for main, usr, name, roles, (row, column) in seen
        if roles & REFERENCE and home.get(usr, main) != main and not is_place(main, row, column, name)
    ]


def cycles(pairs):
    """The sets of places that reach each other, by Tarjan's algorithm."""
    targets = collections.defaultdict(set)
    for origin, target in pairs:
        targets[origin].add(target)
    order, low, stack, found = {}, {}, [], []

    def visit(place):
        order[place] = low[place] = len(order)
        stack.append(place)
        for target in sorted(targets[place]):
            if target not in order:
                visit(target)
            if target in stack:
                low[place] = min(low[place], low[target])
        if low[place] == order[place]:
            start = stack.index(place)
            found.append(sorted(stack[start:]))
            del stack[start:]

    sys.setrecursionlimit(10_000)
    for place in sorted(targets):
        if place not in order:
            visit(place)
    return sorted((each for each in found if len(each) > 1), key=len)


def folder(path):
    """The folder of a file below the module: `Store/Reading`, `Store` for a file of its own, `.` for the root."""
    return os.path.dirname(path) or "."


def read_order(page):
    """The places of a page's table, in order: a row begins with a folder, and with files of the root that count for it."""
    rows = pathlib.Path(page).read_text().split("\n## The order\n")[1].split("\n## ")[0]
    order, files = [], {}
    for row in rows.splitlines():
        if not row.startswith("| `"):
            continue
        first, *others = row.split("|")[1].split("`")[1::2]
        order.append(first)
        files.update({other: first for other in others})
    return order, files


def check_levels(order, page):
    """What is wrong with the levels of an order: a folder's sub-folders stand together, and its own files after them."""
    wrong = [f"{each} stands twice in the order of {page}" for each in sorted({each for each in order if order.count(each) > 1})]
    if order[-1] != ".":
        wrong.append(f"the root, `.`, is not the last in the order of {page}")
    tops = [each.split("/")[0] for each in order]
    groups = [top for index, top in enumerate(tops) if index == 0 or tops[index - 1] != top]
    wrong += [f"the folders of {top} do not stand together in the order of {page}" for top in sorted(set(groups)) if groups.count(top) > 1]
    for index, each in enumerate(order):
        if "/" not in each and any(later.startswith(each + "/") for later in order[index:]):
            wrong.append(f"{each} stands before folders in it in the order of {page}")
        if each.count("/") > 1:
            wrong.append(f"{each} is on a third level")
    return wrong


def check_order(module, page):
    """Fails for a use that points upward, for a folder that has no place, and for a place without files."""
    order, files = read_order(page)
    present = {folder(str(path.relative_to(module))) for path in pathlib.Path(module).rglob("*.swift")}
    wrong = check_levels(order, page)
    wrong += [f"{each} has no place in the order of {page}" for each in sorted(present - set(order))]
    wrong += [f"{each} is in the order of {page}, and has no files" for each in order if each not in present]
    wrong += [f"{each} is in the order of {page}, and is not there" for each in files if not (pathlib.Path(module) / each).exists()]
    if not wrong:
        rank = {each: place for place, each in enumerate(order)}
        place = lambda path: rank[files.get(path) or folder(path)]
        found = uses(module)
        if not found:
            wrong.append("no uses were found: is the index of the last build there?")
        for path, row, name, target in sorted(set(found)):
            if place(target) > place(path):
                wrong.append(f"{module}/{path}:{row}: {name} is declared above, in {target}")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len({each.split('/')[0] for each in order} - {'.'})} folders, {len(order)} places, {len(found)} uses, none upward")


def main():
    if len(sys.argv) == 4 and sys.argv[2] == "--order":
        return check_order(sys.argv[1], sys.argv[3])
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--files", "--top")]
    if not arguments:
        sys.exit(__doc__)
    place = folder
    if "--files" in sys.argv:
        place = lambda path: path
    if "--top" in sys.argv:
        place = lambda path: folder(path).split("/")[0]
    found = uses(arguments[0])
    if len(arguments) == 3:
        inside = lambda path, name: place(path) == name or place(path).startswith(name + "/")
        for path, row, name, target in sorted(found):
            if inside(path, arguments[1]) and inside(target, arguments[2]):
                print(f"{path}:{row}: {name} ({target})")
        return
    pairs = collections.Counter((place(path), place(target)) for path, _, _, target in found)
    pairs = {pair: count for pair, count in pairs.items() if pair[0] != pair[1]}
    for origin in sorted({pair[0] for pair in pairs}):
        print(origin + ":", ", ".join(f"{target} {count}" for (start, target), count in sorted(pairs.items()) if start == origin))
    mutual = sorted((a, b) for a, b in pairs if a < b and (b, a) in pairs)
    print(f"\n{len(mutual)} pairs use each other:", ", ".join(f"{a} - {b}" for a, b in mutual))
    for cycle in cycles(pairs):
        print(f"a cycle of {len(cycle)}:", ", ".join(cycle))


main()

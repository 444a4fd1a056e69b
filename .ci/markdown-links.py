"""Finds links of Markdown files that lead nowhere, or nowhere without DocC, and guides in no list of their catalog.

The README links the page of each catalog.

In a documentation catalog, links stand as relative paths, which work where the repository is read. Only lists under
`## Topics`, which order the pages, have DocC's own form, `<doc:Page>`.

usage: markdown-links.py FILE...
       markdown-links.py --catalog CATALOG COPY    copies a catalog with DocC's form of all links between its pages
"""

import os
import pathlib
import re
import shutil
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", flags=re.DOTALL | re.MULTILINE)


def is_page(path):
    """Whether a file is a page of a catalog, other than the page of a whole module."""
    return path.parent.suffix == ".docc" and path.stem != path.parent.stem


def check(names):
    """Returns what is wrong with the files."""
    problems = []
    linked = set()
    for name in names:
        path = pathlib.Path(name)
        text = CODE.sub("", path.read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            target = link.split("#")[0]
            if not target or ":" in target:
                continue
            if not (path.parent / target).exists():
                problems.append(f"{name} links to {link}, which is not there")
            if name == "README.md":
                linked.add(os.path.normpath(target))
        for link in re.findall(r"<doc:[^>]*>|\]\(doc:[^)]*\)", text.split("\n## Topics\n")[0]):
            problems.append(f"{name} has the link {link}, which only DocC knows")
    for name in names:
        path = pathlib.Path(name)
        module = path.parent / f"{path.parent.stem}.md"
        if is_page(path) and f"- <doc:{path.stem}>" not in module.read_text(encoding="utf-8"):
            problems.append(f"{module} lists no {path.stem}")
        if "README.md" in names and path.parent.suffix == ".docc" and path == module and os.path.normpath(name) not in linked:
            problems.append(f"README.md does not link {name}")
    return problems


def copy(catalog, target):
    """Copies a catalog; links to its pages get DocC's form there, and links to pages of other catalogs their paths."""
    shutil.copytree(catalog, target)
    pages = {path.stem for path in pathlib.Path(target).rglob("*.md")}

    def known(match):
        page, _, section = match.group(1).partition("#")
        path = pathlib.PurePosixPath(page)
        stem = path.stem
        if page.endswith(".md") and path.parent.suffix == ".docc":
            module = path.parent.stem
            own = "" if stem == module else f"/{stem}"
            return f"](/documentation/{module}{own}{'#' + section if section else ''})".lower()
        if not page.endswith(".md") or stem not in pages:
            return match.group(0)
        return f"](doc:{stem}{'#' + section if section else ''})"

    for path in pathlib.Path(target).rglob("*.md"):
        path.write_text(LINK.sub(known, path.read_text(encoding="utf-8")), encoding="utf-8")


if sys.argv[1] == "--catalog":
    copy(sys.argv[2], sys.argv[3])
else:
    found = check(sys.argv[1:])
    for problem in found:
        print(f"docs: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)

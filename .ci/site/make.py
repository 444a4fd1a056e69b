"""Writes what stands around the merged documentation: the first page, and the index of its search.

usage: make.py SITE

SITE holds merged archives of DocC, with the data of each page below `data`. The code of the first page is that of the
README.
"""

import html
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent


def pages(site):
    """Each page: title, kind, path relative to the site, and what it stands in."""
    titles = {}
    for file in (site / "data").rglob("*.json"):
        page = json.loads(file.read_text())
        path = file.relative_to(site / "data").with_suffix("")
        titles[path] = (page["metadata"]["title"], page["metadata"].get("roleHeading", "page"), page["kind"])
    for path, (title, heading, kind) in sorted(titles.items()):
        is_guide = kind == "article" and len(path.parts) == 3
        place = titles.get(path.parent, ("the first page",))[0]
        yield title, "guide" if is_guide else heading.lower(), path.as_posix() + "/", place


def abstract(reference):
    return "".join(part.get("text") or part.get("code", "") for part in reference.get("abstract", []))


def item(title, path, text):
    return f'<li><a href="{html.escape(path.lstrip("/"))}/">{html.escape(title)}</a><span>{html.escape(text)}</span></li>'


def guides(page):
    """The topics of a module that hold guides, as lists."""
    for topic in page.get("topicSections", []):
        references = [page["references"][name] for name in topic["identifiers"] if name in page["references"]]
        found = [item(each["title"], each["url"], abstract(each)) for each in references if each["kind"] == "article"]
        if found:
            yield topic["title"], found


def main(site):
    folder = site / "site"
    folder.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in pages(site))
    (folder / "pages.js").write_text(f"const pages = [\n{lines}\n]\n")

    lists, modules = [], []
    for data in sorted((site / "data/documentation").glob("*.json")):
        page = json.loads(data.read_text())
        title = page["metadata"]["title"]
        modules.append(item(title, f"documentation/{data.stem}", abstract(page)))
        for topic, found in guides(page):
            name = topic if title == "Baton" else f"{title}: {topic[0].lower()}{topic[1:]}"
            lists.append(f'<h3>{html.escape(name)}</h3>\n<ul class="guides">{"".join(found)}</ul>')

    readme = pathlib.Path("README.md").read_text()
    code = re.search(r"<!-- file: example/Films.swift -->\n```swift\n(.*?)```", readme, re.S)[1]
    dependency = re.search(r"```swift\n\s*(\.package\(.*?)```", readme, re.S)[1]
    dependency = "\n".join(line.removeprefix("   ") for line in dependency.split("\n"))
    version = re.search(r'text = "([^"]+)"', pathlib.Path("Sources/Baton/Base/BatonVersion.swift").read_text())[1]
    text = (HERE / "landing.html").read_text()
    for word, value in {
        "CODE": html.escape(code.strip(), quote=False), "DEPENDENCY": html.escape(dependency.strip(), quote=False),
        "GUIDES": "\n".join(lists), "MODULES": "".join(modules), "VERSION": version,
    }.items():
        text = text.replace(word, value, 1)
    (site / "index.html").write_text(text)
    for name in ("site.css", "search.js"):
        (folder / name).write_text((HERE / name).read_text())


main(pathlib.Path(sys.argv[1]))

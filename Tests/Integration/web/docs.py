"""Walks every page of the rendered documentation in a headless Chromium.

    docs.py SITE BASE               SITE is a folder of `.ci/docs`, rendered for the path BASE
    docs.py SITE BASE --guides      leaves out the pages of symbols
    docs.py SITE BASE PICTURES      only makes screenshots of some pages, in the folder PICTURES

The first page and the guides are opened at both sizes, in both schemes. A page of a symbol is shown once, in one of the
four, by turns. Each page has a heading, its pictures, a link back to the first page, and no link that leads nowhere.
axe looks at every guide on a phone, and at some pages in all four. With --guides it looks at some pages only.
"""
import collections
import functools
import glob
import http.server
import json
import os
import pathlib
import sys
import threading
import time
import urllib.parse

from browser import Browser

AXE = open(glob.glob(os.path.dirname(os.path.abspath(__file__)) + "/.venv/lib/*/site-packages/axe_playwright_python/axe.min.js")[0]).read()
LOOKS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]
# axe looks at all guides here: what is narrow has more that scrolls.
NARROW = (390, "light")
# What an article says. Inside of it, DocC makes code and tables, and breaks these rules there: they scroll without a place
# in the order of tabs, and the words of code have its colours.
CONTENT = ".primary-content, .abstract"
OF_DOCC = {"scrollable-region-focusable": ".code-listing, .table-wrapper", "color-contrast": ".code-listing"}
ASK_AXE = f"""axe.run(document, {{elementRef: true}}).then(found => JSON.stringify(found.violations.map(rule =>
  [rule.id, rule.impact, rule.nodes.map(node => [node.target.flat().join(' '), !!node.element?.closest({json.dumps(CONTENT)})
    && !node.element.closest({json.dumps(OF_DOCC)}[rule.id] ?? 'nothing')])])))"""
# What a page is asked for. The bar of the whole site stands in an element of its own.
LOOK = """(() => {
  const roots = [document, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)]
  const all = selector => roots.flatMap(root => [...root.querySelectorAll(selector)])
  return JSON.stringify({
    heading: document.querySelector('h1')?.innerText,
    links: [...new Set(all('a[href]').map(e => e.href))],
    pictures: all('img').filter(e => !e.complete || !e.naturalWidth).map(e => e.src),
    ids: [...document.querySelectorAll('[id]')].map(e => e.id),
    back: all('a[href]').some(e => new URL(e.href).pathname == BASE && e.getBoundingClientRect().height > 0),
    width: document.documentElement.scrollWidth,
  })
})()"""


class Host(http.server.SimpleHTTPRequestHandler):
    """Shows the site below its path, and nothing beside it."""

    def translate_path(self, path):
        path = urllib.parse.urlsplit(path).path
        return super().translate_path("/" + path.removeprefix(BASE)) if path.startswith(BASE) else "/nothing"

    def log_message(self, *_):
        pass


class Walk:
    def __init__(self, browser, origin):
        self.browser, self.origin = browser, origin
        self.problems, self.ids, self.asked = [], {}, collections.defaultdict(set)

    def look(self, path, width):
        page = json.loads(self.browser.run(LOOK.replace("BASE", json.dumps(BASE))))
        say = lambda what: self.problems.append(f"{path}: {what}")
        if not page["heading"]:
            say("no heading")
        if page["pictures"]:
            say(f"pictures that are missing: {page['pictures']}")
        if not page["back"]:
            say("no way back to the first page")
        if page["width"] > width:
            say(f"{page['width']} wide, on {width}")
        self.ids[path] = set(page["ids"])
        for link in page["links"]:
            parts = urllib.parse.urlsplit(link)
            if f"{parts.scheme}://{parts.netloc}" != self.origin:
                continue
            if not parts.path.startswith(BASE):
                say(f"leaves the site: {link}")
            self.asked[parts.path.removeprefix(BASE).rstrip("/")].add((path, urllib.parse.unquote(parts.fragment)))
        for problem in self.browser.problems:
            say(f"the console says: {problem}")
        self.browser.problems = []

    def open(self, path, width):
        self.browser.open(self.origin + BASE + path + ("/" if path else ""))
        self.settle(path)
        self.look(path, width)

    def turn(self, path, width):
        """Follows a link inside the application that DocC's pages are."""
        self.browser.run(f"document.querySelector('#app').__vue__.$router.push({json.dumps('/' + path)}).catch(() => {{}})")
        self.settle(path)
        self.look(path, width)

    def settle(self, path):
        if path:
            self.browser.wait(
                f"document.querySelector('main h1') && location.pathname.replace(/\\/$/, '') == {json.dumps(BASE + path)}"
                " && document.querySelector('main').innerText.length > 20 && ![...document.images].some(e => !e.complete)", path)

    def check_links(self, site):
        for target, uses in self.asked.items():
            page = site / target
            if not (page.is_file() or (page / "index.html").is_file()):
                self.problems.append(f"{sorted(uses)[0][0]} and {len(uses) - 1} more link to /{target}, which is not there")
                continue
            for source, fragment in sorted(uses):
                known = self.ids.get(target)
                # DocC shows a page's parts by the same address, some only after a click.
                if fragment and known is not None and fragment not in known and fragment != "app-main" and not fragment.startswith(":~:"):
                    self.problems.append(f"{source} links to #{fragment} of /{target}, which is not there")


def pages_of(site):
    """The paths of all pages that were rendered: the guides, and the others."""
    guides, others = [], []
    for file in sorted((site / "data").rglob("*.json")):
        page = json.loads(file.read_text())
        path = file.relative_to(site / "data").with_suffix("").as_posix()
        is_guide = path.count("/") < 2 or page["kind"] == "article" and path.count("/") == 2
        (guides if is_guide else others).append((path, page["metadata"]["title"]))
    return guides, others


def try_search(walk, titles):
    """Every page is found by its title, or where several have that by what it stands in and the title, without a connection."""
    browser = walk.browser
    browser.show(1280, 900, "light")
    browser.open(walk.origin + BASE)
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    counts, names = collections.Counter(title for _, title in titles), dict(titles)
    asked = [(path, title if counts[title] == 1 else f"{names.get(os.path.dirname(path), '')} {title}") for path, title in titles]
    answers = json.loads(browser.run(
        "JSON.stringify(%s.map(([path, text]) => find(text).findIndex(page => page[2] == path + '/')))" % json.dumps(asked)))
    walk.problems += [f"the search for '{text}' does not show /{path}" for (path, text), place in zip(asked, answers) if not 0 <= place < 40]
    first = sum(place == 0 for place in answers)
    print(f"docs: {len(titles)} pages are searched by their titles, {first} of them are the first answer")
    browser.run("document.querySelector('#words').value = 'fetchpolicy'; document.querySelector('#words').dispatchEvent(new Event('input'))")
    if browser.run("document.querySelector('#found a').innerText") != "FetchPolicy":
        walk.problems.append("typing 'fetchpolicy' does not show FetchPolicy first")
    browser.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def try_axe(walk, paths, guides, found):
    """Nothing serious on what is written here. The rest is counted, by who has written what breaks the rule."""
    for path in paths:
        walk.open(path, walk.browser.run("innerWidth"))
        walk.browser.run(AXE + ";0")
        for rule, impact, nodes in json.loads(walk.browser.run(ASK_AXE, wait=True)):
            own = [node for node, is_content in nodes if not path or is_content and path in guides or "custom-header" in node]
            if own and impact in ("serious", "critical"):
                walk.problems.append(f"{path or 'the first page'}: axe finds {rule} at {own[:3]}")
            found["ours", f"{rule} ({impact})"] += len(own)
            found["DocC's own", f"{rule} ({impact})"] += len(nodes) - len(own)


def take_pictures(walk, folder):
    os.makedirs(folder, exist_ok=True)
    for width, scheme in LOOKS:
        walk.browser.show(width, 900, scheme, width < 500)
        for name, path in (("first", ""), ("modules", "documentation"), ("module", "documentation/baton"), ("guide", "documentation/baton/bindingaquery"), ("symbol", "documentation/baton/queryhandle")):
            walk.open(path, width)
            time.sleep(0.3)
            walk.browser.picture(f"{folder}/{name}-{width}-{scheme}.png")


def main():
    site = pathlib.Path(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser()
    try:
        walk = Walk(browser, f"http://127.0.0.1:{server.server_port}")
        only_guides = sys.argv[3:] == ["--guides"]
        if len(sys.argv) > 3 and not only_guides:
            return take_pictures(walk, sys.argv[3])
        began = time.monotonic()
        guides, others = pages_of(site)
        for number, (width, scheme) in enumerate(LOOKS):
            browser.show(width, 900, scheme, width < 500)
            for path in [""] + [path for path, _ in guides]:
                walk.open(path, width)
            for path, _ in [] if only_guides else others[number::4]:
                walk.turn(path, width)
        walk.check_links(site)
        found = collections.Counter()
        some = ["", "documentation/baton", guides[-1][0], others[0][0]]
        for width, scheme in LOOKS:
            browser.show(width, 900, scheme, width < 500)
            is_whole = (width, scheme) == NARROW and not only_guides
            try_axe(walk, ["", *dict(guides), others[0][0]] if is_whole else some, dict(guides), found)
        try_search(walk, guides + others)
        for (whose, rule), count in sorted(found.items()):
            if count:
                print(f"docs: axe on {whose}: {rule} {count}")
        print(f"docs: {len(guides) + 1} pages at four looks, {0 if only_guides else len(others)} pages of symbols, {len(walk.asked)} links, {time.monotonic() - began:.0f} s")
        for problem in walk.problems[:60]:
            print(f"docs: {problem}", file=sys.stderr)
        sys.exit(1 if walk.problems else 0)
    finally:
        browser.close()


BASE = sys.argv[2]
main()

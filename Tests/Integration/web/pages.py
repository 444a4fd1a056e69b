"""Uses the web sample in a headless Chromium, as a person would, and asks what every page must be.

    pages.py SERVER [PICTURES]     SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL;
                                   PICTURES is a folder for screenshots
"""
import glob
import html
import http.client
import json
import os
import re
import sys
import time
import urllib.parse

from browser import Browser
from gateway import HOSTILE, Gateway
from site_under_test import Site, check, is_page, parsed

PAGES = [
    "/", "/?trilogy=original&order=release", "/films/film:4", "/films/film:4/cast", "/films/film:4/cast?after=character:leia-organa",
    "/films/film:4/reviews", "/characters", "/search?q=sky", "/search", "/sign-in", "/films/none", "/nothing",
]
AXE = open(glob.glob(os.path.dirname(os.path.abspath(__file__)) + "/.venv/lib/*/site-packages/axe_playwright_python/axe.min.js")[0]).read()


def try_every_page(browser, site):
    character = re.search(r'href="(/characters/[^"?]+)"', site.get("/characters").text)[1]
    for path in PAGES + [character]:
        answer = site.get(path)
        check(answer.status == (404 if path in ("/films/none", "/nothing") else 200), f"{path} has its status")
        is_page(answer, path)
        parsed(answer.text, path)
        head = site.get(path, method="HEAD")
        check(head.status == answer.status and not head.bytes, f"HEAD {path} has the same status and no body")
        for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin")):
            check(answer.headers[name] == value, f"{path} has {name}")
        check("frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], f"{path} is in no frame of another site")
    for scheme, width, is_phone in (("light", 1280, False), ("dark", 390, True)):
        browser.show(width, 844, scheme, is_phone)
        for path in PAGES + [character]:
            browser.open(site.base + path)
            browser.run(AXE + ";0")
            found = json.loads(browser.run("axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3)])))", wait=True))
            check(not found, f"axe finds nothing on {path}, {scheme}, {width} wide {found or ''}")
            levels = browser.run("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => +h.tagName[1])")
            check(levels[0] == 1 and all(after - before <= 1 for before, after in zip(levels, levels[1:])), f"the headings of {path} follow each other {levels}")
            wide = browser.run("document.documentElement.scrollWidth")
            if wide > width:
                print(browser.run("[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > %d).map(e => e.outerHTML.slice(0, 90)).slice(0, 9).join('\\n')" % width))
            check(wide <= width, f"{path} fits into {width}")


def try_browsing(browser, site):
    browser.show(1280, 900, "light")
    browser.open(site.base + "/")
    check(browser.run("document.querySelectorAll('.film svg.poster').length") == 9, "the list has nine films with pictures")
    browser.leave("document.querySelectorAll('.filters a')[2].click()", "the filter")
    check(browser.run("document.querySelectorAll('.film').length") == 3 and browser.run("location.search") == "?trilogy=original", "the filter is in the address")
    browser.leave("document.querySelector('#search').value='leia'; document.querySelector('header form.search').requestSubmit()", "the search")
    check("Leia" in browser.run("document.querySelector('.characters').innerText") and browser.run("location.search") == "?q=leia", "the search is in the address")
    browser.leave("document.querySelector('.character a').click()", "a character")
    check("Leia" in browser.run("document.querySelector('h1').innerText"), "a result leads to the character")
    browser.leave("document.querySelector('.film h3 a').click()", "a film of the character")
    browser.open(site.base + "/films/film:4")
    browser.leave("document.querySelector('.count a').click()", "the whole cast")
    check(browser.run("document.querySelectorAll('.character').length") > 8, "'8 of ...' leads to the whole cast")
    browser.open(site.base + "/characters")
    first = browser.run("document.querySelector('.character a').innerText")
    browser.leave("document.querySelector('.paging a').click()", "the next page")
    check(browser.run("document.querySelector('.character a').innerText") != first, "a list leads to its next page")
    browser.open(site.base + "/")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    check(browser.run("document.activeElement.className") == "skip", "the first key leads to the contents")
    for number in range(2, 9):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        box = browser.run("(r => [r.width, r.height])(document.activeElement.getBoundingClientRect())")
        check(min(box) > 20 and browser.run("getComputedStyle(document.activeElement).clipPath") == "none", f"key {number} leads to what can be seen {box}")
    browser.show(390, 844, "light", True)
    for path, most in (("/", 500), ("/?trilogy=sequel", 400)):
        browser.open(site.base + path)
        top = browser.run("document.querySelector('.film').getBoundingClientRect().top")
        check(top < most, f"on a phone the films of {path} begin at {top:.0f}")
    check(browser.run("(([a, b]) => document.elementFromPoint(a, b).matches('.film a'))((r => [r.left + 30, r.top + 60])(document.querySelector('.film').getBoundingClientRect()))"), "the whole card leads to the film")
    browser.show(1280, 900, "light")


def try_stars(browser, site):
    """The five stars of the form are in one line of the narrowest phone, with room for a finger each, and nothing sticks out."""
    browser.show(320, 844, "light", True)
    browser.open(site.base + "/films/film:4")
    for path in ("the form of a film", "the form with a mistake"):
        if path == "the form with a mistake":
            browser.leave("document.querySelectorAll('[name=stars]').forEach(e => e.required = false); document.querySelector('#review button').click()", path)
        boxes = browser.run("[...document.querySelectorAll('#review label:has([name=stars])')].map(e => { const b = e.getBoundingClientRect(); return [b.top, b.left, b.right, b.width, b.height] })")
        lines = sorted({round(box[0]) for box in boxes})
        check(len(boxes) == 5 and len(lines) == 1, f"{path}: the five stars are in one line of 320 pixels {lines[1:] or ''}")
        check(all(left[2] <= right[1] for left, right in zip(boxes, boxes[1:])) and boxes[-1][2] <= 320, f"{path}: no star covers another, and all are seen")
        check(all(box[3] >= 24 and box[4] >= 24 for box in boxes), f"{path}: each star is large enough for a finger")
        check(browser.run("document.documentElement.scrollWidth") <= 320, f"{path} fits into 320")


def try_reviews(browser, site):
    browser.show(1280, 900, "light")
    browser.open(site.base + "/films/film:4")
    other = Site(sys.argv[1], "--url", site.url)
    try:
        browser.wait("performance.getEntriesByType('resource').some(r => r.name.endsWith('/live')) || true", "the stream")
        time.sleep(0.5)
        form = site.get("/films/film:4").text
        key = re.search(r'name="key" form="review" value="(\w+)"', form)[1]
        check(other.post("/films/film:4/reviews", {"stars": "2", "commentary": "from elsewhere", "key": key}).status == 303, "another instance takes a review")
        browser.wait("document.querySelector('#reviews').innerText.includes('from elsewhere')", "the review of another instance", 8)
        check(browser.run("document.querySelector('#news').innerText") != "", "an open page shows the review of another instance, and says so")
    finally:
        other.close()
    script = (
        f"document.querySelector('[name=commentary]').value = {json.dumps(HOSTILE)};"
        "document.querySelector('[name=stars][value=\"1\"]').click(); document.querySelector('#review button').click()")
    browser.leave(script, "the page after the form")
    check(browser.run("document.querySelector('#reviews blockquote').textContent") == HOSTILE, "a posted review is on the page, as the text that it is")
    check("A New Hope" in browser.run("document.title"), "no script of the review has run")
    check(browser.run("document.querySelectorAll('#reviews img, #reviews b, #reviews script').length") == 0, "no markup of the review is in the page")
    check("Thank you" in browser.run("document.querySelector('.thanks').innerText"), "the page says that the review is there")
    parsed(site.get("/films/film:4").text, "the page with the hostile review")
    count = site.gateway.counts["carried out"]
    for _ in range(3):
        site.post("/films/film:4/reviews", {"stars": "3", "commentary": "once", "key": "0" * 32})
    check(site.gateway.counts["carried out"] == count + 1, "a review that is sent three times is added once")
    for fields, words in (({"stars": "9", "commentary": "kept <b>"}, "kept &lt;b&gt;"), ({"commentary": "kept"}, "kept"), ({"stars": "", "commentary": ""}, "five stars"),
                          ({"stars": "4", "commentary": "x" * 2001}, "too long")):
        answer = site.post("/films/film:4/reviews", fields)
        check(answer.status == 422 and words in answer.text and 'class="problem"' in answer.text, f"{str(fields)[:40]} is answered with the form and what was typed")
        is_page(answer, "the form"), parsed(answer.text, "the form")
        check("A New Hope" in answer.text and re.search(r'role="alert"[^>]*autofocus.*<li><a href="#', answer.text, re.S), "the form names its film, and leads to its fields")
    for origin in ("https://evil.example", "null", site.base + ".evil.example"):
        check(site.post("/films/film:4/reviews", {"stars": "5"}, Origin=origin).status == 403, f"a form of {origin} is refused")
    check(site.post("/films/none/reviews", {"stars": "5"}).status == 404, "a film that does not exist has no reviews")
    check(site.get("/sign-in", method="POST").status == 400, "what is no form is refused")


def try_live_reviews(browser, site):
    """The list changes only with its reviews, keeps the focus, and takes no connection while nobody sees the page."""
    number = browser.call("Page.addScriptToEvaluateOnNewDocument", source="""
        window.streams = [];
        window.EventSource = class extends EventSource { constructor(url) { super(url); streams.push(this); } };""")["identifier"]
    for text in range(6):
        site.post("/films/film:6/reviews", {"stars": "2", "commentary": f"live {text}"})
    browser.open(site.base + "/films/film:6")
    browser.wait("streams.length == 1 && streams[0].readyState == 1", "the stream")
    send = lambda html: browser.run(f"streams[0].dispatchEvent(new MessageEvent('reviews', {{data: {html}}}))")
    browser.run("document.querySelector('#reviews .count a').focus(); document.querySelector('#reviews').firstChild.isOld = true")
    send("document.querySelector('#reviews').innerHTML")
    check(browser.run("document.querySelector('#reviews').firstChild.isOld === true"), "a list that is the same is left alone")
    send("document.querySelector('#reviews').innerHTML.replace('data-review=\"', 'data-review=\"new-')")
    check(browser.run("!document.querySelector('#reviews').firstChild.isOld && document.activeElement.matches('#reviews .count a')"), "a new list keeps the focus")
    seen = lambda state: browser.run(f"Object.defineProperty(document, 'visibilityState', {{value: '{state}', configurable: true}}); document.dispatchEvent(new Event('visibilitychange'))")
    seen("hidden")
    check(browser.run("streams[0].readyState") == 2, "a page that nobody sees listens to nothing")
    seen("visible")
    browser.wait("streams.length == 2 && streams[1].readyState == 1", "the stream of a page that is seen again")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)
    # An answer such as that of a balancer whose servers are away: a browser gives up after it.
    number = browser.call("Page.addScriptToEvaluateOnNewDocument", source="""
        window.streams = [];
        window.EventSource = class extends EventSource {
          constructor(url) { super(streams.length < 2 ? '/nothing' : url); streams.push(this); }
        };""")["identifier"]
    browser.open(site.base + "/films/film:6")
    browser.wait("streams.length == 3 && streams[2].readyState == 1", "the stream after two answers that are none")
    site.post("/films/film:6/reviews", {"stars": "2", "commentary": "after the outage"})
    browser.wait("document.querySelector('#reviews').innerText.includes('after the outage')", "a review after the outage")
    check(browser.run("streams[0].readyState + streams[1].readyState") == 4, "a page asks again after answers that are no stream, and one stream is left")
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


def try_back(browser, site):
    """Back after a review, and Send again."""
    browser.open(site.base + "/films/film:3")
    count = site.gateway.counts["carried out"]
    script = (
        "document.querySelector('[name=commentary]').value = 'back and again'; document.querySelector('[name=stars][value=\"4\"]').click();"
        "document.querySelector('#review button').click()")
    browser.leave(script, "the page after the form")
    for _ in range(2):
        entries = browser.call("Page.getNavigationHistory")
        before = entries["entries"][entries["currentIndex"] - 1]["id"]
        browser.run("window.isOld = true")
        browser.call("Page.navigateToHistoryEntry", entryId=before)
        time.sleep(1)
        # A page that is loaded anew has another key.
        browser.open(site.base + "/films/film:3")
        browser.leave(script, "the page after the form that was sent again")
        check("Thank you" in browser.run("document.querySelector('.thanks').innerText"), "who sends again is thanked")
    check(site.gateway.counts["carried out"] == count + 1, "a review that is sent again after Back is added once")
    check(site.get("/films/film:3/reviews").text.count("back and again") == 1, "the review is there once")


def try_sessions(browser, site):
    answer = site.post("/sign-in", {"name": "Ana"})
    cookie = answer.headers["Set-Cookie"]
    check("HttpOnly" in cookie and "SameSite=Lax" in cookie, "the cookie of the session is HttpOnly and SameSite")
    ana, ben = cookie.split(";")[0], site.sign_in("Ben")
    check(site.post("/films/film:5/favorite", {"on": "yes", "to": "/"}, Cookie=ana).status == 303, "a visitor marks a film")
    marked = lambda **headers: re.findall(r'aria-pressed="true"', site.get("/", **headers).text)
    check((len(marked(Cookie=ana)), len(marked(Cookie=ben)), len(marked())) == (1, 0, 0), "nobody else sees the favourite")
    check(site.post("/films/film:5/favorite", {"on": "yes"}).headers["Location"].startswith("/sign-in"), "who is not signed in is asked to")
    for to in ("https://evil.example", "//evil.example", "/\\evil.example"):
        check(site.post("/sign-in", {"name": "Eve", "to": to}).headers["Location"] == "/", f"signing in does not lead to {to}")
    check(site.post("/sign-in", {"name": " "}).status == 422, "an empty name is answered with the form")
    browser.open(site.base + "/sign-in")
    browser.leave("document.querySelector('#name').value='<b>Zoe'; document.querySelector('main form').requestSubmit()", "the list")
    check(browser.run("document.querySelector('.account').innerText").startswith("<b>Zoe"), "the name of the visitor is shown as it is")
    browser.run("document.querySelectorAll('.favorite button')[7].scrollIntoView()")
    browser.leave("document.querySelectorAll('.favorite button')[7].click()", "the list with a favourite")
    check(browser.run("scrollY > 0 && document.activeElement == document.querySelectorAll('.favorite button')[7]"), "the page comes back at the heart")
    check(browser.run("document.querySelectorAll('[aria-pressed=true]').length") == 1, "the heart is filled")
    parsed(site.get("/", Cookie=ana).text, "the list of a visitor")
    browser.run(AXE + ";0")
    found = browser.run("axe.run().then(r => JSON.stringify(r.violations.map(v => v.id)))", wait=True)
    check(found == "[]", f"axe finds nothing on the list of a visitor {found}")
    browser.leave("document.querySelector('.account button').click()", "signed out")
    check(browser.run("document.querySelectorAll('.favorite').length") == 0, "signing out ends the session")


def try_transfer(site):
    plain, small = site.get("/"), site.get("/", Accept_Encoding="gzip")
    check(small.text == plain.text and len(small.bytes) * 3 < len(plain.bytes), f"the list is sent in {len(small.bytes)} instead of {len(plain.bytes)} bytes")
    # The key of its form follows the bytes that are kept of a film, compressed or not.
    keys = re.compile(r'form="review" value="\w{32}"')
    views = [site.get("/films/film:5", **headers) for headers in ({}, {}, {"Accept_Encoding": "gzip"}, {"Accept_Encoding": "gzip"})]
    check(views[3].headers["Content-Encoding"] == "gzip" and len({keys.sub("", view.text) for view in views[1:]}) == 1, "a kept film is the same page, compressed or not")
    check(len({keys.search(view.text)[0] for view in views}) == 4, "each view has a key of its own")
    for path in ("/", "/films/film:5"):
        # A page that is sent in parts has no version.
        answer = [site.get(path) for _ in range(2)][-1]
        again = site.get(path, If_None_Match=answer.headers["ETag"])
        check(again.status == 304 and not again.bytes, f"{path} is not sent again")
    asset = re.search(r'href="(/assets/[^"]+css)"', plain.text)[1]
    check("immutable" in site.get(asset).headers["Cache-Control"], "the style is kept by browsers")
    before = sum(site.gateway.counts.values())
    for _ in range(20):
        site.get("/films/film:6")
    check(sum(site.gateway.counts.values()) - before <= 4, "twenty views of a film share their requests")


def pieces(site, path, **headers):
    """The parts of a page with the time of each."""
    connection = http.client.HTTPConnection(site.base.removeprefix("http://"), timeout=20)
    began = time.monotonic()
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    parts = []
    while part := response.read1(1 << 16):
        parts.append((time.monotonic() - began, part))
    return response, parts


def try_streaming(browser, site):
    site.gateway.delays = {"FilmReviewsQuery": 1.2}
    response, parts = pieces(site, "/films/film:7")
    text = b"".join(part for _, part in parts).decode()
    early = b"".join(part for seconds, part in parts if seconds < 0.7)
    check(b"The Force Awakens" in early and b"on their way" in early, f"the film is there after {parts[0][0]:.2f} s")
    check(b'id="review"' not in early and 'id="review"' in text, f"its reviews follow after {parts[-1][0]:.2f} s, in order")
    parsed(text, "the page in parts")
    site.gateway.delays = {"FilmReviewsQuery": 1.2}
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.call("Page.navigate", url=site.base + "/films/film:8")
    seen = []
    for _ in range(120):
        document = browser.call("DOM.getDocument", depth=-1)["root"]
        text = json.dumps(document)
        if "The Last Jedi" in text:
            seen.append('"waiting"' in text and "data-live" not in text)
            if "Write a review" in text:
                break
        time.sleep(0.03)
    check(seen[0] and not seen[-1], "without scripts the parts arrive in order as well")
    # The browser numbers the nodes anew at the end of a document.
    time.sleep(0.5)
    document = browser.call("DOM.getDocument", depth=-1)["root"]
    box = browser.call("DOM.querySelector", nodeId=document["nodeId"], selector=".waiting")["nodeId"]
    style = browser.call("CSS.getComputedStyleForNode", nodeId=box)["computedStyle"] if browser.call("DOM.enable") is not None and browser.call("CSS.enable") is not None else []
    check({"name": "display", "value": "none"} in style, "what says that the reviews are on their way is gone then")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    site.gateway.delays = {}


def try_hostile(browser, site):
    site.gateway.mode = "hostile"
    other = Site(sys.argv[1], "--url", site.url)
    try:
        browser.show(390, 844, "light", True)
        for path in ("/", "/films/film:4", "/films/film:4/cast", "/characters", "/search?q=" + urllib.parse.quote(HOSTILE), "/search?q=a", "/films/film:4/reviews"):
            answer = other.get(path)
            document = parsed(answer.text, f"hostile {path[:20]}")
            check("refused" not in answer.text and answer.status == 200, f"{path[:20]} with hostile data is a page")
            for element in document.iter():
                bad = [name for name in element.attrib if name.startswith("on")]
                check(not bad, "no handler") if bad else None
                if element.get("href", "").lower().startswith("javascript"):
                    raise SystemExit("web: a hostile link")
            check(len([e for e in document.iter() if e.tag in ("img", "iframe", "object")]) == 0, "no element comes from data")
            browser.open(other.base + path)
            check("owned" != browser.run("document.title"), "no script of the data has run")
            check(browser.run("document.documentElement.scrollWidth") <= 390, "long words break")
    finally:
        other.close()
        site.gateway.mode = "pass"


def take_pictures(browser, site, folder):
    os.makedirs(folder, exist_ok=True)
    cookie = site.sign_in("Ana Pictures")
    site.post("/films/film:5/favorite", {"on": "yes"}, Cookie=cookie)
    name, value = cookie.split("=")
    browser.call("Network.setCookie", name=name, value=value, url=site.base)
    for device, width, height in (("desktop", 1280, 900), ("phone", 390, 844)):
        for scheme in ("light", "dark"):
            browser.show(width, height, scheme, device == "phone")
            for title, path in (("list", "/"), ("film", "/films/film:4"), ("character", "/characters/character:leia-organa"), ("search", "/search?q=sky"), ("missing", "/nothing")):
                browser.open(site.base + path)
                browser.picture(f"{folder}/{title}-{device}-{scheme}.png")
    browser.show(800, 1100, "light", media="print")
    browser.open(site.base + "/films/film:4")
    browser.picture(f"{folder}/film-print.png")


def main():
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    site = Site(sys.argv[1], "--url", gateway.url)
    site.gateway, site.url = gateway, gateway.url
    browser = Browser()
    try:
        if len(sys.argv) > 2:
            return take_pictures(browser, site, sys.argv[2])
        try_every_page(browser, site)
        try_browsing(browser, site)
        try_stars(browser, site)
        try_reviews(browser, site)
        try_live_reviews(browser, site)
        try_back(browser, site)
        try_sessions(browser, site)
        try_transfer(site)
        try_streaming(browser, site)
        try_hostile(browser, site)
        check(not browser.problems, f"the console of the browser is empty {browser.problems[:3] or ''}")
    finally:
        browser.close()
        site.close()


main()

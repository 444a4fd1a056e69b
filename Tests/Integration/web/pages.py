#!/usr/bin/env python3
"""Uses the web sample in a headless Chromium, as a person would, and checks what the pages show.

    web-pages.py SERVER            SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL

Chromium is driven through its debugging pipe, so that nothing but the browser and Python is needed.
"""
import concurrent.futures
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

HOSTILE = """</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">&amp;'"<b>"""


def check(condition, what):
    if not condition:
        raise SystemExit(f"web: {what}")
    print(f"ok       {what}")


class Browser:
    """A page of a headless Chromium."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        to_browser, self.input = os.pipe()
        self.output, from_browser = os.pipe()

        # Chromium reads commands from descriptor 3 and writes to 4; higher numbers keep clear of these two meanwhile.
        command = (
            f'exec {program} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe '
            f'--no-first-run --user-data-dir={self.folder} about:blank 3<&{to_browser} 4>&{from_browser}'
        )
        self.process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.input, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"web: {method}: {answer['error']}")
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.output, 1 << 16)
            if not part:
                raise SystemExit("web: the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def run(self, script):
        """The value of a script in the page; None while a page is being replaced."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return result["result"].get("value")

    def wait(self, script, what):
        for _ in range(200):
            try:
                if self.run(script):
                    return
            except SystemExit:
                pass
            time.sleep(0.05)
        raise SystemExit(f"web: waited in vain for {what}; the page is {self.run('document.body.innerText')!r}")

    def leave(self, script, what):
        """Runs a script that leads to another page, and waits until that page is there."""
        self.run("window.isOld = true")
        self.run(script)
        self.wait("!window.isOld && document.readyState == 'complete'", what)

    def open(self, url):
        self.leave(f"location.href = {json.dumps(url)}", url)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def fetch(url, data=None, headers={}):
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        return answer.read().decode()


def try_pages(browser, base):
    requests = "+document.querySelector('#made').dataset.requests"
    browser.open(base)
    check(browser.run("document.querySelectorAll('#films li').length") == 9, "the list shows nine films")
    check(browser.run("document.querySelector('#films a').innerText") == "The Phantom Menace", "the first film has its title")
    check(browser.run(requests) == 0, "the list comes from the shared base, without a request")
    snapshot = json.loads(browser.run("document.querySelector('#snapshot').textContent"))
    check("A New Hope" in json.dumps(snapshot), "the snapshot in the page is JSON and has the films")

    browser.leave("document.querySelector('#refresh').click()", "the refreshed list")
    check(browser.run("location.search") == "?key=1", "the refresh link has the next fetch key")
    check(browser.run(requests) == 1, "another fetch key asks the network again")
    browser.leave("document.querySelector('#refresh').click()", "the list refreshed again")
    check(browser.run("location.search") == "?key=2" and browser.run(requests) == 1, "each refresh is a new key and a request")
    check(browser.run("document.querySelector('#made').dataset.passes") == "2", "a page with one round trip takes two passes")
    check(browser.run("document.querySelectorAll('#waterfalls li').length") == 0, "the list has no waterfall")

    browser.leave("document.querySelectorAll('#films a')[3].click()", "a film")
    check(browser.run("document.title") == "A New Hope", "a link opens a film")
    check(browser.run("document.querySelectorAll('#cast li').length") == 8, "the film has its cast")
    film = browser.run("location.href")

    before = browser.run("document.querySelector('h2 + #reviews').innerText")
    script = (
        f"document.querySelector('[name=commentary]').value = {json.dumps(HOSTILE)};"
        "document.querySelector('[name=stars]').value = 1; document.querySelector('#review button').click()")
    browser.leave(script, "the page after the form")
    after = browser.run("document.querySelector('#reviews q').textContent")
    check(after == HOSTILE and after not in before, "the posted review is on the page, as the text that it is")
    check(browser.run("document.title") == "A New Hope", "no script of the review has run")
    check(browser.run("document.querySelectorAll('#reviews img, #reviews b, #reviews script').length") == 0, "no markup of the review is in the page")
    snapshot = browser.run("document.querySelector('#snapshot').textContent")
    check(HOSTILE in json.dumps(json.loads(snapshot), ensure_ascii=False).replace('\\"', '"'), "the snapshot has the review and is still one element")
    text = fetch(browser.run("location.href"))
    check(html.escape(HOSTILE, quote=True).replace("&#x27;", "&#39;") in text and "<img" not in text, "the review is escaped in the page's text")
    browser.open(base)
    check(browser.run("document.querySelectorAll('#films .stars')[3].innerText") != "4.5", "the list has the film's new rating")
    return film


def try_requests(base, film):
    film = film.split("?")[0]
    ratings = [f"{number / 100 + 0.001:.3f}" for number in range(100)]

    def stars(query):
        return re.search(r'<span id="stars">([^<]*)</span>', fetch(film + query))[1]

    plain = stars("")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        wanted = [rating if number % 3 else None for number, rating in enumerate(ratings)]
        seen = list(pool.map(lambda rating: stars(f"?preview={rating}" if rating else ""), wanted))
    wrong = [(rating, shown) for rating, shown in zip(wanted, seen) if shown != (rating.rstrip("0") if rating else plain)]
    check(not wrong, f"100 requests, 8 at a time, see their own writes alone {wrong[:3] or ''}")
    try:
        fetch(film + "/reviews", b"stars=5&commentary=forged", {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"})
        status = 200
    except urllib.error.HTTPError as error:
        status = error.code
    check(status == 403, "a form of another site is refused")
    missing = fetch(base + "films/" + urllib.parse.quote("<b>&\"no such film", safe=""))
    check("There is no film &#39;&lt;b&gt;&amp;&quot;no such film&#39;." in missing, "an unknown id is shown escaped")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        raise SystemExit("web: there is no Chromium; 'apt-get install chromium' on Debian")
    server = subprocess.Popen([sys.argv[1], "--url", os.environ["STARWARS_URL"], "--port", "0"], stdout=subprocess.PIPE)
    browser = None
    try:
        base = server.stdout.readline().decode().strip()
        check(base.startswith("http://"), "the server is up")
        browser = Browser(program)
        film = try_pages(browser, base)
        try_requests(base, film)
    finally:
        if browser:
            browser.close()
        server.terminate()
        server.wait()


main()

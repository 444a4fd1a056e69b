"""The load that the web sample bears, in a release build; with wrk.

    load.py SERVER [SECONDS]       SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL

Each page is measured beside a constant of the same bytes at the same server: how much of its rate the page reaches. Then 200
visitors change their favourites for SECONDS while each answer is compared with what exactly that visitor has marked. Before that,
the memory before and after 100,000 requests.
"""
import concurrent.futures
import http.client
import os
import random
import re
import subprocess
import sys
import threading
import time
import urllib.parse

from gateway import Gateway
from site_under_test import Site, check

SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 60


def wrk(url, seconds=5, connections=16):
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", url], capture_output=True, text=True, check=True).stdout
    errors = re.search(r"Socket errors:.*|Non-2xx.*", out)
    milliseconds = lambda text: float(re.match(r"[\d.]+", text)[0]) * {"us": 0.001, "ms": 1, "s": 1000}[re.search(r"[a-z]+", text)[0]]
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]), milliseconds(re.search(r"99%\s+(\S+)", out)[1]), errors and errors[0]


def rates(site, constant, path):
    size = len(site.get(path).bytes)
    pairs = []
    for _ in range(2):
        fixed = wrk(f"{constant}/{size}")
        page = wrk(site.base + path)
        pairs.append((page[0] / fixed[0], page, fixed))
    ratio, page, fixed = max(pairs)
    print(f"{path}: {size} bytes, {page[0]:.0f} pages/s, 99% within {page[1]:.1f} ms, errors {page[2]}; as a constant {fixed[0]:.0f}/s; ratio {ratio:.2f}", flush=True)
    return ratio, page


def memory(site):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{site.process.pid}/status").read())[1]) / 1024


def try_memory(site, gateway):
    """A hundred thousand requests, of all kinds of pages, of visitors and of others, leave no memory behind."""
    cookie = site.sign_in("Ana")
    paths = ["/", "/films/film:5", "/characters", "/?order=release", "/films/none", "/search?q=sky", "/films/film:5/cast"]

    def round():
        count = 0
        for number, path in enumerate(paths * 2):
            headers = ["-H", f"Cookie: {cookie}"] if number >= len(paths) else []
            out = subprocess.run(["wrk", "-t1", "-c16", "-d2s", *headers, site.base + path], capture_output=True, text=True, check=True).stdout
            count += int(re.search(r"(\d+) requests in", out)[1])
        return count

    round()
    before, asked, count = memory(site), sum(gateway.counts.values()), 0
    while count < 100_000:
        count += round()
    after = memory(site)
    print(f"memory: {before:.0f} MB, and {after:.0f} MB after {count} requests; the GraphQL server was asked {sum(gateway.counts.values()) - asked} times", flush=True)
    check(after < before + 16, "the memory stays as it is")


def visitor(site, number, end):
    """Marks films and looks at the list; returns how many answers were seen, and those that showed anything else."""
    dice = random.Random(number)
    cookie = site.sign_in(f"Visitor {number}")
    connection = http.client.HTTPConnection(site.base.removeprefix("http://"), timeout=30)
    mine, seen, wrong = set(), 0, []

    def ask(method, path, body=None):
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()

    while time.monotonic() < end:
        film = dice.randint(1, 9)
        on = film not in mine
        (mine.add if on else mine.discard)(film)
        status, _ = ask("POST", f"/films/film:{film}/favorite", urllib.parse.urlencode({"on": "yes" if on else "no", "to": "/"}))
        _, text = ask("GET", "/")
        shown = {int(found) for found in re.findall(r'action="/films/film:(\d)/favorite">\s*<input type="hidden" name="on" value="no"', text)}
        seen += 1
        if status != 303 or shown != mine or f">Visitor {number}<" not in text:
            wrong.append((number, shown, mine))
        time.sleep(dice.random() * 0.5)
    return seen, wrong


def main():
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    site = Site(sys.argv[1], "--url", gateway.url)
    constant = Site(os.path.join(os.path.dirname(sys.argv[1]), "Constant"))
    try:
        for path in ("/", "/films/film:4", "/characters"):
            site.get(path), site.get(path)
        results = [rates(site, constant.base, path) for path in ("/", "/films/film:4", "/characters")]
        try_memory(site, gateway)
        end = time.monotonic() + SECONDS
        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            outcomes = list(pool.map(lambda number: visitor(site, number, end), range(200)))
        wrong = [found for _, list in outcomes for found in list]
        check(not wrong, f"200 visitors saw {sum(seen for seen, _ in outcomes)} pages, each its own {wrong[:2] or ''}")
        check(all(ratio >= 0.25 and page[1] < 50 and not page[2] for ratio, page in results), "a quarter of the constant's rate, 99% within 50 ms, no errors")
    finally:
        site.close()
        constant.close()


main()

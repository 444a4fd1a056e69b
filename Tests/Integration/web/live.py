"""Reviews in pages that are open, over subscriptions to a real GraphQL server: two instances of the web sample, many visitors.

    live.py SERVER                 SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL
"""
import asyncio
import json
import os
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from site_under_test import OPENER, Site, check
from wire import Wire

SERVER = urllib.parse.urlsplit(os.environ["STARWARS_URL"])
VISITORS = 100


def counts():
    """The subscriptions that the GraphQL server has now, and those that it has had."""
    with OPENER.open(f"http://{SERVER.netloc}/counts", timeout=10) as response:
        return json.loads(response.read())


def review_at_server(film, text):
    """Adds a review that no instance of the site knows of."""
    document = "mutation M($input: CreateReviewInput!) { createReview(input: $input) { review { id } } }"
    body = {"query": document, "variables": {"input": {"filmId": film, "stars": 3, "commentary": text}}}
    request = urllib.request.Request(os.environ["STARWARS_URL"], json.dumps(body).encode(), {"Content-Type": "application/json"})
    with OPENER.open(request, timeout=10) as response:
        check("errors" not in json.loads(response.read()), f"the GraphQL server takes a review: {text}")


class Page:
    """A page that is open: what it has been sent, and when."""

    async def open(self, site, film):
        host, port = site.base.removeprefix("http://").split(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port))
        self.writer.write(f"GET /films/{film}/live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        self.text, self.news = b"", asyncio.Condition()
        self.task = asyncio.create_task(self.read())
        return self

    async def read(self):
        while data := await self.reader.read(1 << 16):
            self.text += data
            async with self.news:
                self.news.notify_all()

    async def wait(self, words, seconds):
        """The time at which the page has these words."""
        try:
            async with asyncio.timeout(seconds), self.news:
                await self.news.wait_for(lambda: words.encode() in self.text)
        except TimeoutError:
            raise SystemExit(f"web: a page waited in vain for '{words}'; it has {self.text[-300:]!r}")
        return time.monotonic()

    async def close(self):
        self.task.cancel()
        self.writer.transport.abort()


async def open_pages(count, site, film):
    return await asyncio.gather(*(Page().open(site, film) for _ in range(count)))


async def have(pages, words, seconds):
    """The time until all pages have these words."""
    began = time.monotonic()
    return max(await asyncio.gather(*(page.wait(words, seconds) for page in pages))) - began


async def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"web: waited in vain for {what}; the server has {counts()}")
        await asyncio.sleep(0.02)
    print(f"ok       {what}", flush=True)


async def post(site, film, text):
    answer = await asyncio.to_thread(site.post, f"/films/{film}/reviews", {"stars": "5", "commentary": text})
    check(answer.status == 303, f"an instance takes a review: {text}")


async def is_live(first, pages, text, what):
    """A review that one instance takes is in the pages of both within a second."""
    began = time.monotonic()
    seen = asyncio.create_task(have(pages, text, 10))
    await post(first, "film:4", text)
    await seen
    seconds = time.monotonic() - began
    check(seconds < 1, f"{what}: {len(pages)} pages have a review after {seconds * 1000:.0f} ms")


async def try_subscriptions(program, scheme, path):
    http, events = Wire(SERVER.hostname, SERVER.port), Wire(SERVER.hostname, SERVER.port)
    arguments = ["--url", f"http://127.0.0.1:{http.port}/graphql", "--live", f"{scheme}://127.0.0.1:{events.port}{path}", "--fresh", "60"]
    first, second = [Site(program, *arguments) for _ in range(2)]
    begun = counts()["begun"]
    try:
        pages = await open_pages(VISITORS, first, "film:4") + await open_pages(VISITORS, second, "film:4")
        others = await open_pages(VISITORS // 5, second, "film:5")
        await have(pages + others, "data-review", 10)
        await until(lambda: counts()["open"] == 3, f"{scheme}: {len(pages) + len(others)} visitors have three subscriptions, one for a film and an instance")
        await is_live(first, pages, f"{scheme} the first one", f"{scheme}: over subscriptions")
        check(counts()["begun"] - begun == 3, f"{scheme}: no further subscription has begun")
        check(not any(b"the first one" in page.text for page in others), f"{scheme}: pages of another film hear nothing of it")

        events.cut()
        await until(lambda: counts()["open"] == 0, f"{scheme}: the subscriptions are lost")
        await post(first, "film:4", f"{scheme} while polling")
        print(f"ok       {scheme}: without subscriptions pages poll, and have a review after {await have(pages, f'{scheme} while polling', 8):.1f} s", flush=True)
        events.mend()
        await until(lambda: counts()["open"] == 3, f"{scheme}: the subscriptions are there again")
        await is_live(first, pages, f"{scheme} after the outage", f"{scheme}: after the outage")

        http.cut(), events.cut()
        await until(lambda: counts()["open"] == 0, f"{scheme}: the whole server is away")
        review_at_server("film:4", f"{scheme} unheard")
        await asyncio.sleep(3)
        http.mend(), events.mend()
        await until(lambda: counts()["open"] == 3, f"{scheme}: the server is back, and so are the subscriptions")
        print(f"ok       {scheme}: a review of the time between is there {await have(pages, f'{scheme} unheard', 8):.1f} s later", flush=True)
        await is_live(first, pages, f"{scheme} after the return", f"{scheme}: after the return")

        *leaving, last = pages
        for page in leaving + others:
            await page.close()
        await until(lambda: counts()["open"] == 1, f"{scheme}: visitors that leave end their subscription", 5)
        await last.close()
        await until(lambda: counts()["open"] == 0, f"{scheme}: the last one ends the last", 5)
    finally:
        first.close(), second.close()
        http.cut(), events.cut()


async def try_polling(program):
    with tempfile.TemporaryFile() as log:
        site = Site(program, "--url", os.environ["STARWARS_URL"], "--log", "notice", stderr=log)
        begun = counts()["begun"]
        try:
            pages = await open_pages(VISITORS, site, "film:6") + await open_pages(3, site, "film:7")
            await have(pages, "data-review", 10)
            review_at_server("film:6", "polled")
            print(f"ok       without an endpoint for subscriptions a review is there after {await have(pages[:VISITORS], 'polled', 5):.1f} s", flush=True)
            check(counts()["begun"] == begun, "nobody has tried to subscribe")
        finally:
            site.close()
        log.seek(0)
        lines = [line for line in log.read().decode().splitlines() if "polling" in line]
        check(len(lines) == 1, f"the log says so once {lines}")


async def main():
    program = sys.argv[1]
    await try_subscriptions(program, "ws", "/graphql")
    await try_subscriptions(program, "http", "/events")
    await try_polling(program)


asyncio.run(main())

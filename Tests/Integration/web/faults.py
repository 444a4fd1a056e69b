"""What the web sample answers while the GraphQL server fails: status, page and time, at every moment.

    faults.py SERVER               SERVER is the program of Samples/Web; the real GraphQL endpoint is in $STARWARS_URL
"""
import os
import socket
import subprocess
import sys
import threading
import time

from gateway import Gateway
from site_under_test import Site, check, is_page, parsed

# The status of a page whose data is missing, by the way in which the server fails.
STATUS = {"silent": 504, "garbage": 502, "html": 502, "status": 502, "busy": 503, "errors": 502, "cut": 502, "empty": 502}
PAGES = ("/", "/films/film:4", "/films/film:4/cast", "/characters", "/characters/human:leia", "/search?q=a")


def is_answer(answer, statuses, what, seconds=3):
    check(answer.status in statuses, f"{what}: status {answer.status}")
    check(answer.seconds < seconds, f"{what}: after {answer.seconds:.2f} s")
    is_page(answer, what)
    parsed(answer.text, what)


def try_start(program):
    """A site must start while the GraphQL server is down, and say clearly why it does not."""
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    gateway.stop()
    site = Site(program, "--url", gateway.url, "--fresh", "0.2")
    try:
        for path in PAGES:
            is_answer(site.get(path), [503], f"{path} while the server is down from the start")
        check(site.get("/").headers["Retry-After"], "a page says when to try again")
        is_answer(site.get("/sign-in"), [200], "a page that needs no data")
        gateway.start()
        time.sleep(1.1)
        is_answer(site.get("/"), [200], "the list once the server is there")
        port = site.base.rsplit(":", 1)[1]
        second = subprocess.run([program, "--port", port], capture_output=True, text=True, timeout=20)
        check(second.returncode == 1 and "listens at this port already" in second.stderr and "Crash" not in second.stderr, "a taken port is named")
        for arguments in (["--url", "nonsense"], ["--port", "99999"], ["--what"], ["--url"]):
            ended = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20)
            check(ended.returncode == 2 and "usage:" in ended.stderr, f"{arguments} is explained")
    finally:
        site.close()
        gateway.stop()


def try_modes(program, gateway):
    for mode, status in STATUS.items():
        gateway.mode = mode
        site = Site(program, "--url", gateway.url, "--fresh", "0.2")
        try:
            answers = {}
            threads = [threading.Thread(target=lambda path=path: answers.update({path: site.get(path)})) for path in PAGES]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            for path, answer in answers.items():
                is_answer(answer, [status], f"{path} while the server is: {mode}")
            form = {"stars": "4", "commentary": "typed words", "key": "a" * 32}
            answer = site.post("/films/film:4/reviews", form)
            is_answer(answer, [status], f"a review while the server is: {mode}", 6)
            check("typed words" in answer.text and "a" * 32 in answer.text, "what was typed is kept, with the key of the form")
            again = site.get("/")
            check(again.seconds < 3 and again.status == status, "the next visitor does not wait longer")
        finally:
            site.close()
    gateway.mode = "pass"


def try_later(program, gateway):
    """The server begins to fail while the site is in use: what was fetched stays on show."""
    site = Site(program, "--url", gateway.url, "--fresh", "0.2")
    try:
        for path in ("/", "/films/film:4"):
            is_answer(site.get(path), [200], path)
        for mode in STATUS:
            gateway.mode = mode
            time.sleep(0.3)
            for path in ("/", "/films/film:4"):
                is_answer(site.get(path), [200], f"{path}, fetched before the server was: {mode}", 1)
        gateway.mode = "pass"
        time.sleep(1.2)
        gateway.mode, gateway.only = "errors", "Reviews"
        answer = site.get("/films/film:5")
        is_answer(answer, [200], "a film whose reviews fail")
        check("could not be read" in answer.text and "Write a review" in answer.text, "the rest of the film is shown, and the form")
        gateway.mode, gateway.only = "slow", ""
        is_answer(site.get("/films/film:6"), [200], "a slow film")
        gateway.mode = "partial"
        answer = site.get("/?order=release")
        is_answer(answer, [200], "a list with an error at one film")
        check(answer.text.count('class="film"') == 8 and "Some facts are missing" in answer.text, "the other eight are shown, and a notice")
    finally:
        gateway.mode, gateway.only = "pass", ""
        site.close()


def try_change_elsewhere(program, gateway):
    sites = [Site(program, "--url", gateway.url, "--fresh", "0.5") for _ in range(2)]
    try:
        first, second = sites
        stars = lambda site: site.get("/films/film:9").text.split('aria-label="')[-1] and site.get("/").text
        before = stars(second)
        for number in range(3):
            check(first.post("/films/film:9/reviews", {"stars": "1", "commentary": f"no {number}"}).status == 303, "one instance takes a review")
        time.sleep(0.6)
        stars(second)
        time.sleep(0.6)
        check(stars(second) != before, "the list of the other instance has the new rating")
    finally:
        [site.close() for site in sites]


def try_doubling(program, gateway):
    """A review whose answer comes late is added once, although it was sent again."""
    site = Site(program, "--url", gateway.url)
    try:
        site.get("/films/film:2")
        gateway.delays = {"Review": 4}
        count = gateway.counts["ReviewFormMutation"]
        form = {"stars": "5", "commentary": "only once please", "key": "b" * 32}
        answer = site.post("/films/film:2/reviews", form)
        is_answer(answer, [504], "a review whose answer is late")
        check("only once please" in answer.text, "what was typed is kept")
        gateway.delays = {"Review": 0}
        statuses = [site.post("/films/film:2/reviews", form).status for _ in range(3)]
        check(statuses[-1] == 303, f"sent again it is confirmed {statuses}")
        check(gateway.counts["ReviewFormMutation"] == count + 1, "the GraphQL server was asked once")
        time.sleep(0.1)
        check(site.get("/films/film:2").text.count("only once please") == 1, "it is on the page once")
    finally:
        gateway.delays = {}
        site.close()


def try_visitors_who_leave(program, gateway):
    """Browsers that send half a request, or do not read, harm nobody else."""
    site = Site(program, "--url", gateway.url)
    try:
        host, port = site.base.removeprefix("http://").split(":")
        for text in (b"GET / HTTP/1.1\r\nHost:", b"nonsense\r\n\r\n", b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\na",
                     b"GET /films/film:4/live HTTP/1.1\r\nHost: x\r\n\r\n"):
            for _ in range(5):
                connection = socket.create_connection((host, int(port)))
                connection.sendall(text)
                connection.close()
        answer = site.get("/sign-in", data={"name": "x" * 100_000})
        check(answer.status == 413, "a form that is too large is refused")
        is_page(answer, "the page for it")
        is_answer(site.get("/"), [200], "the list after that")
    finally:
        site.close()


def main():
    program = sys.argv[1]
    try_start(program)
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    try_modes(program, gateway)
    try_later(program, gateway)
    try_change_elsewhere(program, gateway)
    try_doubling(program, gateway)
    try_visitors_who_leave(program, gateway)
    gateway.stop()


main()

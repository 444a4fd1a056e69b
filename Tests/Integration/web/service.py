"""How the web sample ends, and what it tells a supervisor.

    service.py SERVER              SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL

A request that is being answered when SIGTERM comes is answered, a stream that is open ends as a whole body, the health endpoint
says that no more should come, and the program ends with 0.
"""
import http.client
import os
import signal
import socket
import sys
import threading
import time
import urllib.error

from gateway import Gateway
from site_under_test import Site, check, is_page


class Stream(threading.Thread):
    """Reads the live reviews of a film until they end."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection(site.base.removeprefix("http://"), timeout=30)
        self.connection.request("GET", "/films/film:4/live")
        self.response = self.connection.getresponse()
        self.first = self.response.read1(1 << 16)
        self.problem = None
        self.start()

    def run(self):
        try:
            # A body that is cut off raises IncompleteRead.
            self.response.read()
        except Exception as problem:
            self.problem = problem


class Request(threading.Thread):
    def __init__(self, site, path, **arguments):
        super().__init__(daemon=True)
        self.site, self.path, self.arguments, self.answer, self.problem = site, path, arguments, None, None
        self.start()

    def run(self):
        try:
            self.answer = self.site.get(self.path, **self.arguments)
        except Exception as problem:
            self.problem = problem


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"web: waited in vain for {what}")
        time.sleep(0.01)


def try_health(site, gateway):
    for path in ("/health/live", "/health/ready"):
        check(site.get(path).status == 200, f"{path} says yes")
    gateway.mode = "status"
    check(site.get("/characters").status == 502 and site.get("/health/ready").status == 200, "a GraphQL server that fails makes no site that fails")
    gateway.mode = "pass"


def try_end(program, gateway, signal_number, drain):
    site = Site(program, "--url", gateway.url, "--drain", str(drain))
    try:
        if drain == 0:
            try_health(site, gateway)
        stream = Stream(site)
        gateway.delays = {"FilmDetailQuery": 1.0, "CastPageQuery": 1.0, "FilmReviewsQuery": 1.5}
        asked = dict(gateway.counts)
        requests = [Request(site, f"/films/film:{number}") for number in (1, 2, 3)] + [Request(site, "/films/film:5/cast", Accept_Encoding="gzip")]
        until(lambda: sum(gateway.counts[name] - asked.get(name, 0) for name in ("FilmDetailQuery", "CastPageQuery")) >= 4, "the requests")
        began = time.monotonic()
        site.process.send_signal(signal_number)
        if drain > 0:
            until(lambda: site.get("/health/ready").status == 503, "the end of readiness", drain)
            check(site.get("/health/live").status == 200 and site.get("/sign-in").status == 200, "while it drains, the site answers those who come")
            host, port = site.base.removeprefix("http://").split(":")
            connection = socket.create_connection((host, int(port)))
            connection.sendall(b"GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
            check(b"\r\nConnection: close\r\n" in answer and answer.rstrip().endswith(b"</html>"), "it keeps no connection, and closes it after the answer")
        for request in requests:
            request.join(20)
            check(request.problem is None and request.answer is not None, f"{request.path} is answered after the signal {request.problem or ''}")
            check(request.answer.status == 200, f"{request.path} has its status")
            is_page(request.answer, request.path)
        stream.join(20)
        check(not stream.is_alive() and stream.problem is None and stream.first, f"the open stream ends in order {stream.problem or ''}")
        status = site.process.wait(20)
        check(status == 0, f"the program ends with {status}, {time.monotonic() - began:.1f} s after the signal")
        try:
            site.get("/")
            raise SystemExit("web: the port is still open")
        except (urllib.error.URLError, OSError):
            print("ok       nobody listens any longer")
    finally:
        gateway.delays = {}
        if site.process.poll() is None:
            site.process.kill()


def ends(connection, seconds):
    """The time after which the server closes a connection."""
    connection.settimeout(seconds)
    began = time.monotonic()
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        raise SystemExit(f"web: a connection is still open after {seconds} s")
    return time.monotonic() - began


def try_idle(program, gateway):
    """Browsers that send half a request, or nothing, do not keep their connections."""
    site = Site(program, "--url", gateway.url, "--idle", "1")
    try:
        host, port = site.base.removeprefix("http://").split(":")
        stream = Stream(site)
        post = b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\nname="
        for what, text in (("nothing", b""), ("half a header", b"GET / HTTP/1.1\r\nHost: x\r\nA: b"), ("half a form", post),
                           ("a whole request", b"GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n")):
            connection = socket.create_connection((host, int(port)))
            connection.sendall(text)
            check(ends(connection, 6) > 0.5, f"a connection on which {what} was sent is closed after a while")
        check(stream.is_alive() and stream.problem is None, "a stream stays open")
        connection = socket.create_connection((host, int(port)))
        connection.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        check(connection.recv(1 << 16).startswith(b"HTTP/1.1 400"), "a request without a host is refused")
    finally:
        site.close()


def main():
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    try_idle(sys.argv[1], gateway)
    try_end(sys.argv[1], gateway, signal.SIGTERM, 0)
    try_end(sys.argv[1], gateway, signal.SIGINT, 1)


main()

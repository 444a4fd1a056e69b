"""The web sample as a process, and what every check asks of it."""
import gzip
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import html5lib

# What only the inside of the site or of the GraphQL server says.
INTERNAL = ("SQL", "hunter2", "10.9.8.7", "resolver.py", "GraphQL", "graphql", "Swift", "libcurl", "127.0.0.1", "refused", "RelayError")


def check(condition, what):
    if not condition:
        raise SystemExit(f"web: {what}")
    print(f"ok       {what}", flush=True)


class KeepStatus(urllib.request.HTTPErrorProcessor):
    """Every answer is one, whatever its status."""

    def http_response(self, request, response):
        return response


OPENER = urllib.request.build_opener(KeepStatus, urllib.request.ProxyHandler({}))


class Answer:
    def __init__(self, response, seconds):
        self.status, self.headers, self.seconds = response.status, response.headers, seconds
        self.bytes = response.read()
        self.text = (gzip.decompress(self.bytes) if self.headers["Content-Encoding"] == "gzip" else self.bytes).decode()


class Site:
    def __init__(self, program, *arguments, stderr=None):
        self.process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=stderr)
        self.base = self.process.stdout.readline().decode().strip().rstrip("/")
        if not self.base.startswith("http://"):
            raise SystemExit("web: the site did not start")

    def get(self, path, method="GET", data=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            method, data = "POST", urllib.parse.urlencode(data).encode()
            headers.setdefault("Origin", self.base)
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        began = time.monotonic()
        with OPENER.open(request, timeout=40) as response:
            return Answer(response, time.monotonic() - began)

    def post(self, path, data, **headers):
        return self.get(path, data=data, **headers)

    def sign_in(self, name):
        """The cookie of a new session."""
        return self.post("/sign-in", {"name": name}).headers["Set-Cookie"].split(";")[0]

    def close(self):
        self.process.terminate()
        self.process.wait()


def parsed(text, what):
    """The document of a valid page."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    document = parser.parse(text)
    check(not parser.errors, f"{what} is valid HTML {parser.errors[:3] or ''}")
    return document


def is_page(answer, what):
    """Asserts what every page has, whatever its status."""
    text = answer.text
    check('<html lang="en">' in text and "<main" in text and text.rstrip().endswith("</html>"), f"{what} is a page of the site")
    found = [word for word in INTERNAL if word in text]
    check(not found, f"{what} says nothing of the inside {found or ''}")

#!/usr/bin/env python3
"""Fetches the schemas of real servers with `baton schema fetch`, through real proxies too, and compares with what the servers have.

    fetch-schema.py    the URLs are in the environment: $STARWARS_URL, and those that servers.py sets

Reads the last debug build.
"""

import http.client
import http.server
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BATON = os.environ.get("BATON", str(ROOT / ".build/debug/baton"))
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
failures = []


def baton(*arguments, folder=ROOT, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in PROXIES} | variables
    return subprocess.run(
        [BATON, *map(str, arguments)], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def expect(what: str, holds: bool, run: subprocess.CompletedProcess):
    print(("ok       " if holds else "FAILED   ") + what)
    if not holds:
        failures.append(what)
        print(f"status {run.returncode}\n{run.stdout[:2000]}{run.stderr[:2000]}")


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on, or refuses them; the class says which. `seen` has the targets."""

    protocol_version = "HTTP/1.1"
    refuses = False
    seen: list = []

    def log_message(self, *arguments):
        pass

    def refuse(self):
        body = b"<html><title>Proxy</title>no</html>"
        self.send_response(407)
        self.send_header("Proxy-Authenticate", "Basic")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self):
        self.seen.append(self.path)
        if self.refuses:
            return self.refuse()
        host, port = self.path.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as upstream:
            self.send_response(200)
            self.end_headers()
            ends = [self.connection, upstream]
            while True:
                for source in select.select(ends, [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        self.close_connection = True
                        return
                    ends[1 - ends.index(source)].sendall(data)

    def do_POST(self):
        self.seen.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.refuses:
            return self.refuse()
        connection = http.client.HTTPConnection(self.path.split("/")[2])
        connection.request("POST", self.path, body, {"Content-Type": self.headers["Content-Type"]})
        answer = connection.getresponse()
        data = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def start_proxy(refuses: bool):
    handler = type("Handler", (Proxy,), {"refuses": refuses, "seen": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", handler.seen


def try_server(name: str, url: str, work: Path, *options):
    fetched = work / f"{name}.graphql"
    run = baton("schema", "fetch", url, "--output", fetched, *options)
    expect(f"{name}: the schema is written", run.returncode == 0 and fetched.stat().st_size > 100, run)
    run = baton("schema", "fetch", url, "--output", fetched, "--check", *options)
    expect(f"{name}: the same bytes again", run.returncode == 0, run)
    run = baton("validate", "--schema", fetched)
    expect(f"{name}: it is a schema", run.returncode == 0, run)
    run = baton("schema", "fetch", url, "--output", work / f"{name}.json", *options)
    texts = [baton("print", "schema", "--schema", file) for file in (fetched, work / f"{name}.json")]
    expect(f"{name}: as JSON it is the same schema", run.returncode == 0 and texts[0].stdout == texts[1].stdout, run)
    return fetched


def try_proxies(url: str, work: Path):
    variable = "https_proxy" if url.startswith("https") else "http_proxy"
    options = ["--output", "-", "--retries", "0"]
    if "BATON_CERTIFICATE" in os.environ and url.startswith("https"):
        options += ["--authorities", os.environ["BATON_CERTIFICATE"]]
    proxy, seen = start_proxy(refuses=False)
    run = baton("schema", "fetch", url, *options, **{variable: proxy})
    expect(f"{variable}: through the proxy", run.returncode == 0 and len(seen) >= 1, run)
    proxy, seen = start_proxy(refuses=True)
    run = baton("schema", "fetch", url, *options, **{variable: proxy})
    says = "proxy" in run.stderr and "407" in run.stderr and "_proxy" in run.stderr
    expect(f"{variable}: a refusal names the proxy", run.returncode == 1 and says, run)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}"
    run = baton("schema", "fetch", url, *options, **{variable: nobody})
    expect(f"{variable}: a missing proxy is named", run.returncode == 1 and f"'{variable}'" in run.stderr, run)
    run = baton("schema", "fetch", url, *options, **{variable: "http://nowhere.invalid:1"})
    expect(f"{variable}: an unknown proxy is named", run.returncode == 1 and "proxy" in run.stderr, run)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if url := os.environ.get("STARWARS_URL"):
            fetched = try_server("starwars", url, work)
            own = baton("print", "schema", "--schema", ROOT / "Samples/StarWarsComponents/Schema/schema.graphql")
            run = baton("print", "schema", "--schema", fetched)
            # Another order of arguments makes another line of the same characters.
            lines = [sorted("".join(sorted(line)) for line in text.splitlines()) for text in (own.stdout, run.stdout)]
            expect("starwars: it is the server's own file, with descriptions", lines[0] == lines[1], run)
            try_proxies(url, work)
            run = baton("init", "--url", url, folder=work)
            expect("init takes the schema from the server", run.returncode == 0 and (work / "baton.json").exists(), run)
        for name in ("BATON_STRAWBERRY", "BATON_ARIADNE", "BATON_CORE", "BATON_CORE_OLD", "BATON_MOCK"):
            if url := os.environ.get(name):
                try_server(name, url, work)
        if url := os.environ.get("BATON_TLS"):
            certificate = os.environ["BATON_CERTIFICATE"]
            try_server("BATON_TLS", url, work, "--authorities", certificate)
            run = baton("schema", "fetch", url, "--output", "-", "--retries", "0")
            trusted = run.returncode == 1 and "not trusted" in run.stderr and "--authorities" in run.stderr
            expect("a certificate that is not trusted is refused", trusted, run)
            try_proxies(url, work)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

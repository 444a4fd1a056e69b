"""A GraphQL server that fails as it is told: it stands between the site and a real server, and counts what is asked.

    gateway = Gateway(upstream)       # the URL of the real server
    gateway.mode = "silent"           # see MODES
"""
import collections
import http.server
import json
import socket
import threading
import time
import urllib.request

# Words that only the inside of a server says. No page may show one of them.
SECRETS = "SQL: SELECT * FROM users; /srv/app/resolver.py:17 at 10.9.8.7 token=hunter2"
HOSTILE = """</script></title></textarea><script>document.title='owned'</script><img src=x onerror="document.title='owned'">&amp;'"<b>javascript:alert(1)"""
MODES = ("pass", "silent", "slow", "garbage", "html", "status", "busy", "errors", "partial", "cut", "empty", "hostile")


class Gateway:
    def __init__(self, upstream):
        self.upstream = upstream
        self.mode = "pass"
        # Seconds by which the answer to an operation whose name contains the text is late.
        self.delays = {}
        # The part of operations that the mode concerns.
        self.only = ""
        # Fields of the answers to queries, such as those about caching.
        self.fields = {}
        self.counts = collections.Counter()
        self.answers = {}
        self.server = None
        self.port = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/graphql"

    def start(self):
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                gateway.answer(self)

            def log_message(self, *_):
                pass

        http.server.ThreadingHTTPServer.request_queue_size = 128
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port or 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True, kwargs={"poll_interval": 0.05}).start()
        return self

    def stop(self):
        """Ends the server: from now on connections are refused."""
        self.server.shutdown()
        self.server.server_close()

    def answer(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        name = json.loads(body)["operationName"]
        self.counts[name] += 1
        mode = self.mode if self.only in name else "pass"
        time.sleep(max([seconds for text, seconds in self.delays.items() if text in name], default=0))
        if mode == "silent":
            time.sleep(20)
            request.close_connection = True
            return
        if mode == "slow":
            time.sleep(1)
        if mode == "garbage":
            return self.send(request, 200, "application/json", f"{{]{SECRETS}".encode())
        if mode == "html":
            return self.send(request, 200, "text/html", f"<h1>{SECRETS}</h1>".encode())
        if mode == "status":
            return self.send(request, 500, "text/plain", SECRETS.encode())
        if mode == "busy":
            return self.send(request, 503, "text/plain", SECRETS.encode(), {"Retry-After": "7"})
        if mode == "empty":
            return self.send(request, 200, "application/json", b"")
        if mode == "errors":
            errors = {"errors": [{"message": SECRETS, "extensions": {"stack": SECRETS}}]}
            return self.send(request, 200, "application/json", json.dumps(errors).encode())
        key = request.headers["Idempotency-Key"]
        if not key or key not in self.answers:
            headers = {"Content-Type": "application/json"}
            with urllib.request.urlopen(urllib.request.Request(self.upstream, body, headers), timeout=30) as answer:
                data = answer.read()
            if key:
                self.answers[key] = data
                self.counts["carried out"] += 1
        else:
            data = self.answers[key]
        if mode == "partial":
            data = json.dumps(partial(json.loads(data))).encode()
        if mode == "hostile":
            data = json.dumps(hostile(json.loads(data))).encode()
        if mode == "cut":
            request.send_response(200)
            request.send_header("Content-Type", "application/json")
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data[: len(data) // 2])
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
            request.close_connection = True
            return
        self.send(request, 200, "application/json", data, {} if key else self.fields)

    @staticmethod
    def send(request, status, kind, data, headers={}):
        try:
            request.send_response(status)
            request.send_header("Content-Type", kind)
            request.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(data)
        except OSError:
            request.close_connection = True


def partial(answer):
    """The answer with its last film or character missing, as a server has it after an error at that field."""
    data = answer.get("data") or {}
    for field in data.values():
        edges = field.get("edges") if isinstance(field, dict) else None
        if edges:
            edges[-1]["node"] = None
    answer["errors"] = [{"message": SECRETS, "path": [next(iter(data), "x"), "edges", 8, "node"]}]
    return answer


def hostile(value, key=None):
    """The same answer in which every text that a person wrote is hostile."""
    if isinstance(value, dict):
        return {key: hostile(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [hostile(item, key) for item in value]
    kept = ("id", "__typename", "trilogy", "episode", "endCursor", "startCursor", "cursor", "releaseDate")
    return HOSTILE if isinstance(value, str) and key not in kept else value

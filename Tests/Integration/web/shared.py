"""What several processes of the web sample share, and what one of them takes at most: sessions in Redis, requests, memory.

    shared.py SERVER               SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL
"""
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from gateway import Gateway
from site_under_test import Site, check, is_page


class Redis:
    """A Redis with a password, which speaks TLS alone, on a port of its own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.certificate = f"{self.folder}/own.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", f"{self.folder}/own.key", "-out", self.certificate],
            check=True, capture_output=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", "0", "--tls-port", str(self.port), "--tls-cert-file", self.certificate, "--tls-key-file",
             f"{self.folder}/own.key", "--tls-auth-clients", "no", "--bind", "127.0.0.1", "--save", "", "--requirepass", "open sesame"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self.answers, "Redis")

    def answers(self):
        return self.ask("PING") == "PONG"

    def ask(self, *words):
        command = ["redis-cli", "-h", "localhost", "-p", str(self.port), "--tls", "--cacert", self.certificate, "--no-auth-warning"]
        return subprocess.run([*command, "-a", "open sesame", *words], capture_output=True, text=True).stdout.strip()

    def stop(self):
        self.process.kill()
        self.process.wait()


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"web: waited in vain for {what}")
        time.sleep(0.05)


def try_sessions(program, gateway):
    """Who is signed in at one process is so at the other one, and after a start of both."""
    redis = Redis()
    os.environ["REDIS_PASSWORD"] = "open sesame"
    start = lambda: Site(program, "--url", gateway.url, "--redis", f"rediss://localhost:{redis.port}", "--redis-ca", redis.certificate)
    sites = [start(), start()]
    try:
        marked = lambda site, cookie: site.get("/", Cookie=cookie).text.count('aria-pressed="true"')
        ana, ben = sites[0].sign_in("Ana"), sites[1].sign_in("Ben")
        for site in sites:
            check("Ana" in site.get("/", Cookie=ana).text and "Ben" in site.get("/", Cookie=ben).text, "each process knows who is signed in")
        for number, site in enumerate(sites):
            check(site.post(f"/films/film:{5 + number}/favorite", {"on": "yes"}, Cookie=ana).status == 303, "each process takes a favourite")
        check([marked(site, ana) for site in sites] == [2, 2] and marked(sites[0], ben) == 0, "each process has the favourites of both")
        sites[1].post("/films/film:5/favorite", {"on": "no"}, Cookie=ana)
        check([marked(site, ana) for site in sites] == [1, 1], "a favourite that is taken away at one is gone at the other one")
        keys = [key for key in redis.ask("KEYS", "*").split() if ":s:" in key]
        check(len(keys) == 2 and all(0 < int(redis.ask("PTTL", key)) <= 12 * 3600_000 for key in keys), "sessions end by themselves")
        token = ana.split("=")[1]
        other = next(key for key in keys if not key.endswith(token))
        for site in sites:
            site.close()
        sites[:] = [start(), start()]
        check("Ana" in sites[1].get("/", Cookie=ana).text, "a session outlives the processes")
        # The value of one session under the name of another one.
        redis.ask("COPY", other, "episodes:s:" + "0" * 32)
        check("Ben" not in sites[0].get("/", Cookie="session=" + "0" * 32).text, "a session under another name is nobody's")
        sites[0].post("/sign-out", {}, Cookie=ana)
        check("Ana" not in sites[1].get("/", Cookie=ana).text, "who signs out at one process is signed out at the other one")
        redis.stop()
        for path in ("/", "/films/film:4", "/characters"):
            answer = sites[0].get(path, Cookie=ben)
            check(answer.status == 200 and "Ben" not in answer.text and answer.seconds < 3, f"without Redis {path} is there for everybody")
        for path, form in (("/sign-in", {"name": "Eve"}), ("/films/film:4/favorite", {"on": "yes"}), ("/sign-out", {})):
            answer = sites[0].post(path, form, Cookie=ben)
            check(answer.status == 503, f"without Redis {path} says so")
            is_page(answer, path)
        redis.start()
        until(lambda: sites[0].post("/sign-in", {"name": "Eve"}).status == 303, "a session after the outage")
        print("ok       sessions begin again when Redis is there again")
    finally:
        for site in sites:
            site.close()
        redis.stop()


class Counting(Gateway):
    """Finds nothing in any search, after a while, and counts the requests that are under way at once."""

    now, most, pause, lock = 0, 0, 0, threading.Lock()

    def answer(self, request):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            request.rfile.read(int(request.headers["Content-Length"]))
            time.sleep(self.pause)
            self.send(request, 200, "application/json", b'{"data": {"search": []}}')
        finally:
            with self.lock:
                self.now -= 1


def try_limit(program):
    """Three hundred visitors who search for different things at once."""
    gateway = Counting(os.environ["STARWARS_URL"]).start()
    for limit, pause in ((32, 0.01), (4, 0.7)):
        # Hundreds of lines of the log say that the queue is full.
        log = tempfile.TemporaryFile("w+")
        site = Site(program, "--url", gateway.url, "--limit", str(limit), stderr=log)
        gateway.pause, gateway.most = pause, 0
        try:
            answers = []
            threads = [threading.Thread(target=lambda n=n: answers.append(site.get(f"/search?q=word{n}"))) for n in range(300)]
            [thread.start() for thread in threads]
            [thread.join() for thread in threads]
            statuses = {status: sum(answer.status == status for answer in answers) for status in (200, 503, 504)}
            check(len(answers) == 300 == sum(statuses.values()), f"each of 300 searches has an answer {statuses}")
            check(0 < gateway.most <= limit, f"{gateway.most} of 300 searches are with the GraphQL server at once, {limit} are allowed")
            if limit == 4:
                told = [answer.seconds for answer in answers if answer.status == 503]
                check(len(told) >= 200, f"{len(told)} find no room in the queue")
            gateway.pause = 0
            until(lambda: site.get("/search?q=leia").status == 200, "a search after the storm")
        finally:
            site.close()
            log.seek(0)
            others = [line for line in log if "mistake" in line]
            check(not others, f"the log of a storm has no mistake {others[:3] or ''}")
    gateway.stop()


def memory(site):
    """The memory that is in use, in MB."""
    with open(f"/proc/{site.process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def connections(site):
    """The number of browsers to which the site is connected."""
    end = f":{int(site.base.rsplit(':', 1)[1]):04X}"
    with open("/proc/net/tcp") as table:
        lines = [line.split() for line in table][1:]
    # 01 is ESTABLISHED, 08 is CLOSE_WAIT.
    return sum(line[1].endswith(end) and line[3] in ("01", "08") for line in lines)


def try_unread(program, gateway):
    """Browsers that ask and ask, and read nothing of what they are sent; one that reads slowly is none of them."""
    site = Site(program, "--url", gateway.url, "--idle", "2")
    try:
        site.get("/")
        host, port = site.base.removeprefix("http://").split(":")
        asking = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 500

        def connect():
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect((host, int(port)))
            connection.sendall(asking)
            # The first byte says that the site has taken the connection.
            if connection.recv(1) != b"H":
                raise SystemExit("web: a connection is not answered")
            return connection

        slow, read = connect(), [0]

        def read_slowly():
            while data := slow.recv(4096):
                read[0] += len(data)
                time.sleep(0.1)

        threading.Thread(target=read_slowly, daemon=True).start()
        silent = [connect() for _ in range(20)]
        until(lambda: connections(site) == 1, f"the end of {len(silent)} browsers that read nothing", 60)
        print(f"ok       {len(silent)} browsers that read nothing are ended", flush=True)
        soon = read[0]
        until(lambda: read[0] > soon + 100_000, "a browser that reads slowly", 30)
        check(connections(site) == 1, "one that reads slowly is not")
        check(site.get("/").status == 200, "the others are served")
    finally:
        site.close()


def try_memory(program, gateway):
    """Thousands of streams of reviews, and what is left of them."""
    site = Site(program, "--url", gateway.url)
    try:
        host, port = site.base.removeprefix("http://").split(":")
        round_of = lambda count: [stream(host, int(port), number) for number in range(count)]
        site.get("/films/film:1")
        before, levels = memory(site), []
        for _ in range(int(os.environ.get("BATON_STREAM_ROUNDS", 2))):
            streams = round_of(1_900)
            for connection in streams:
                if connection.recv(12) != b"HTTP/1.1 200":
                    raise SystemExit("web: a stream does not begin")
            time.sleep(1)
            full = memory(site)
            for connection in streams:
                connection.close()
            until(lambda: connections(site) == 0, "the end of the streams", 30)
            time.sleep(5)
            levels.append((round(full), round(memory(site))))
        print(f"ok       {before:.0f} MB before; MB with 1,900 streams and without, {len(levels)} times: {levels}")
        check(all(after <= before + 25 for _, after in levels), "the memory of thousands of streams comes back")
    finally:
        site.close()


def stream(host, port, number):
    connection = socket.create_connection((host, port))
    connection.sendall(f"GET /films/film:{1 + number % 9}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return connection


def main():
    gateway = Gateway(os.environ["STARWARS_URL"]).start()
    only = sys.argv[2:] or ["sessions", "limit", "unread", "memory"]
    if "sessions" in only:
        try_sessions(sys.argv[1], gateway)
    if "limit" in only:
        try_limit(sys.argv[1])
    if "unread" in only:
        try_unread(sys.argv[1], gateway)
    if "memory" in only:
        try_memory(sys.argv[1], gateway)


main()

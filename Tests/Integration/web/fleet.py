"""Two processes of the web sample behind nginx, with and without a cache of responses that they share over Redis.

    fleet.py SERVER [VIEWS]        SERVER is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL

Visitors look at pages at random while Redis is killed and started again, and while others are signed in at each process. No
answer may be an error, the GraphQL server is asked much less often, and what belongs to a visitor is sent to Redis only for the
visitor's own session: all commands are watched, and all keys and values searched at the end.
"""
import concurrent.futures
import http.client
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from gateway import Gateway
from site_under_test import Site, check

VIEWS = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
THREADS = 8
PAGES = ["/", "/?order=release", "/?trilogy=original", "/characters"] + [f"/films/film:{number}{part}" for number in range(1, 10) for part in ("", "/cast", "/reviews")]
# What belongs to visitors: their names, and whatever has one of these words in it.
PLANTED = "planted-name"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, f"waited for {what}") if time.monotonic() > end else time.sleep(0.02)


class Redis:
    """A redis-server without a file, and all that it is told."""

    def __init__(self):
        self.port, self.process, self.told, self.commands = free_port(), None, [], 0
        self.of_sessions = 0

    def start(self):
        self.process = subprocess.Popen(["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], stdout=subprocess.DEVNULL)
        until(self.answers, "Redis")
        monitor = socket.create_connection(("127.0.0.1", self.port))
        monitor.sendall(b"MONITOR\r\n")
        threading.Thread(target=self.watch, args=(monitor,), daemon=True).start()

    def watch(self, monitor):
        """Searches each command but those for a session; only the commands with a word of a visitor are kept."""
        for line in monitor.makefile("rb"):
            self.commands += 1
            if SESSION in line:
                self.of_sessions += 1
            elif PLANTED.encode() in line or any(word in line for word in SECRETS):
                self.told.append(line[:200])

    def answers(self):
        try:
            return self.ask("PING") == b"+PONG"
        except OSError:
            return False

    def ask(self, *words):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in (word.encode() if isinstance(word, str) else word for word in words)))
            file = connection.makefile("rb")
            return self.read(file)

    def read(self, file):
        line = file.readline().rstrip(b"\r\n")
        if line[:1] == b"*":
            return [self.read(file) for _ in range(int(line[1:]))]
        if line[:1] == b"$":
            return file.read(int(line[1:]) + 2)[:-2] if line != b"$-1" else b""
        return line

    def contents(self):
        """All keys and values but those of sessions."""
        keys = [key for key in self.ask("KEYS", "*") if not key.startswith(SESSION)]
        return {key: self.ask("GET", key) for key in keys}

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None


# The tokens of sessions and the keys of forms.
SECRETS = set()
# What the names of sessions begin with.
SESSION = b"episodes:s:"


class Nginx:
    """Sends each request to one of the sites in turn. A failure of one is shown, and not tried at the other."""

    def __init__(self, sites):
        self.port, self.folder = free_port(), tempfile.mkdtemp()
        servers = "".join(f"server {site.base.removeprefix('http://')};" for site in sites)
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(
                f"daemon off; pid {self.folder}/pid; error_log {self.folder}/errors; worker_processes 1; events {{ worker_connections 512; }}"
                f"http {{ access_log off; {''.join(f'{name}_temp_path {self.folder}/{name};' for name in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))}"
                f"upstream pages {{ {servers} keepalive 32; }}"
                f"server {{ listen 127.0.0.1:{self.port}; location / {{ proxy_pass http://pages; proxy_http_version 1.1;"
                f"proxy_set_header Connection ''; proxy_set_header Host $http_host; proxy_next_upstream off; }} }} }}")
        self.process = subprocess.Popen(["nginx", "-c", f"{self.folder}/nginx.conf", "-e", f"{self.folder}/errors"])
        until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0, "nginx")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class Counter:
    def __init__(self):
        self.value, self.lock = 0, threading.Lock()

    def add(self):
        with self.lock:
            self.value += 1


# The views until now.
VIEWED = Counter()


def look(port, paths, headers={}):
    """Views pages over one connection; returns those that were no page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    wrong = []
    for path in paths:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
        response = connection.getresponse()
        body = response.read()
        VIEWED.add()
        if response.status != 200 or not body:
            wrong.append((path, response.status))
    connection.close()
    return wrong


def sign_in(site, number):
    """A visitor of one process: a planted name, a favourite, and a form that is sent with a key."""
    cookie = site.sign_in(f"{PLANTED} {number}")
    SECRETS.add(cookie.split("=")[1].encode())
    site.post(f"/films/film:{number % 9 + 1}/favorite", {"on": "yes", "to": "/"}, Cookie=cookie)
    text = site.get("/", Cookie=cookie).text
    check(f"{PLANTED} {number}" in text, f"visitor {number} is signed in") if f"{PLANTED} {number}" not in text else None
    return cookie


def run(program, gateway, redis):
    """Makes the views, with the cache over Redis or without a shared one; returns the requests to the GraphQL server."""
    arguments = ["--url", gateway.url, "--fresh", "0.2", "--log", "critical"] + (["--redis", f"127.0.0.1:{redis.port}"] if redis else [])
    sites = [Site(program, *arguments) for _ in range(2)]
    nginx = Nginx(sites)
    dice = random.Random(1)
    paths = [dice.choice(PAGES) for _ in range(VIEWS)]
    third = VIEWS // 3
    asked, wrong, parts = sum(gateway.counts.values()), [], []
    try:
        # The first view of a page waits for the GraphQL server, which may be slow on a busy machine; later ones do not.
        for site in sites:
            for path in PAGES:
                until(lambda: site.get(path).status == 200, f"the first view of {path}", 30)
        cookies = [(site, sign_in(site, number)) for number, site in enumerate(sites * 4)]
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(THREADS + len(cookies)) as pool:
            for part, change in ((paths[:third], redis and redis.kill), (paths[third:2 * third], redis and redis.start), (paths[2 * third:], None)):
                before = sum(gateway.counts.values()) if parts else asked
                middle = VIEWED.value + len(part) // 2
                views = [pool.submit(look, nginx.port, part[number::THREADS]) for number in range(THREADS)]
                private = [pool.submit(look, int(site.base.rsplit(":", 1)[1]), part[number:number + 40], {"Cookie": cookie}) for number, (site, cookie) in enumerate(cookies)]
                if change:
                    # Half of the views see the change.
                    until(lambda: VIEWED.value >= middle, "half of the views", 300)
                    change()
                for view in views + private:
                    wrong += view.result()
                parts.append(sum(gateway.counts.values()) - before)
        seconds = time.monotonic() - began
        check(not wrong, f"{VIEWS} views and those of {len(cookies)} visitors are pages {wrong[:3] or ''}")
        see_review(gateway, sites)
        if redis:
            search(redis)
        return sum(parts), parts, seconds
    finally:
        nginx.close()
        for site in sites:
            site.close()


def see_review(gateway, sites):
    """A review that one process takes is in the pages of the other."""
    key = re.search(r'name="key" form="review" value="(\w+)"', sites[0].get("/films/film:4").text)[1]
    SECRETS.add(key.encode())
    text = f"seen-{random.getrandbits(40)}"
    # Sent again, a review is added once.
    until(lambda: sites[0].post("/films/film:4/reviews", {"stars": "4", "commentary": text, "key": key}).status == 303, "a process that takes a review", 30)
    print("ok       one process takes a review", flush=True)
    until(lambda: text in sites[1].get("/films/film:4").text, "the review in the other process", 5)
    print("ok       the other process shows it", flush=True)


def search(redis):
    contents = redis.contents()
    bodies = [value for value in contents.values() if b"film:" in value]
    check(len(contents) > 10 and bodies, f"Redis has {len(contents)} keys, with responses")
    words = [PLANTED.encode(), *SECRETS]
    found = [(key, word) for key, value in contents.items() for word in words if word in key or word in value]
    check(not found, f"no key and no value has a word of a visitor {found[:3] or ''}")
    check(redis.commands > 100 and not redis.told, f"none of {redis.commands} commands had one {redis.told[:3] or ''}")
    check(redis.of_sessions > 0, f"{redis.of_sessions} commands were for sessions")


def main():
    gateway = Gateway(os.environ["STARWARS_URL"])
    gateway.fields = {"Cache-Control": "public, max-age=60"}
    gateway.start()
    redis = Redis()
    try:
        alone, _, seconds = run(sys.argv[1], gateway, None)
        print(f"fleet: {VIEWS} views in {seconds:.0f} s, {alone} requests to the GraphQL server without a shared cache", flush=True)
        redis.start()
        shared, parts, seconds = run(sys.argv[1], gateway, redis)
        print(f"fleet: {VIEWS} views in {seconds:.0f} s, {shared} requests with it: {parts[0]} until Redis was killed, {parts[1]} without Redis, {parts[2]} with it again", flush=True)
        check(shared * 2 < alone, "the shared cache spares most of the requests")
    finally:
        redis.kill()
        gateway.stop()


main()

#!/usr/bin/env python3
"""Uses baton-mock for a long time, and watches its memory, its descriptors and its threads.

    mock-load.py PROGRAM [--seconds 3600] [--clients 6]

Each client does what comes to its mind: queries whose texts are always others, mutations, arrays, forms with files, streams
that end and that are left, both protocols of WebSockets, connections that are cut, and bytes that are no request. Now and then
the overrides and the rules are saved. The memory after the first third must be that of the end.
"""

import argparse
import http.client
import importlib.util
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = """
type Film { id: ID! title: String! rating: Int director: Person! reviews(first: Int, after: String): ReviewConnection! }
type Person { id: ID! name: String! films: [Film!]! }
type Review { id: ID! body: String! stars: Int! film: Film! }
type ReviewConnection { edges: [ReviewEdge!]! pageInfo: PageInfo! totalCount: Int! }
type ReviewEdge { node: Review! cursor: String! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type Poster { id: ID! filename: String! mimetype: String! size: Int! }
scalar Upload
type Query { film(id: ID!): Film films: [Film!]! }
type Mutation {
  updateFilm(id: ID!, title: String!): Film! createReview(filmId: ID!, body: String!): Review! deleteReview(id: ID!): ID
  uploadPoster(image: Upload!): Poster!
}
type Subscription { reviewAdded(filmId: ID!): Review! }
"""
EVENTS = 'subscription { reviewAdded(filmId: "Film:1") { id stars body } }'


class Client(threading.Thread):
    def __init__(self, port, seed, until):
        super().__init__(daemon=True)
        self.port, self.rng, self.until = port, random.Random(seed), until
        self.connection, self.counts, self.failure = None, {}, None

    def run(self):
        deeds = [self.query] * 12 + [self.change] * 4 + [self.array, self.form, self.stream, self.left, self.ws, self.cut, self.noise]
        try:
            while time.monotonic() < self.until and not self.failure:
                deed = self.rng.choice(deeds)
                deed()
                self.counts[deed.__name__] = self.counts.get(deed.__name__, 0) + 1
        except BaseException as error:
            self.failure = f"{type(error).__name__}: {error}"

    def post(self, body, headers=(), status=200):
        if not self.connection or self.rng.random() < 0.01:
            if self.connection:
                self.connection.close()
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self.connection.request("POST", "/graphql", body, {"Content-Type": "application/json", **dict(headers)})
        response = self.connection.getresponse()
        answer = response.read()
        assert response.status == status, (response.status, answer[:200])
        return answer

    def operation(self, query, **variables):
        answer = json.loads(self.post(json.dumps({"query": query, "variables": variables})))
        assert "errors" not in answer, answer
        return answer["data"]

    def query(self):
        alias, first = f"a{self.rng.randrange(1 << 40)}", self.rng.randrange(1, 20)
        fields = f"id title rating reviews(first: {first}) {{ totalCount edges {{ node {{ body stars film {{ title }} }} }} }}"
        data = self.operation(
            f"query Q($id: ID!) {{ {alias}: film(id: $id) {{ {fields} director {{ name films {{ title }} }} }} }}",
            id=f"Film:{self.rng.randrange(1, 20)}")
        assert data[alias], data

    def change(self):
        if self.rng.random() < 0.95:
            number, title = self.rng.randrange(1, 20), f"T{self.rng.randrange(1 << 40)}"
            text = "mutation ($id: ID!, $t: String!) { updateFilm(id: $id, title: $t) { title } }"
            # Another client may have changed it since.
            assert self.operation(text, id=f"Film:{number}", t=title)["updateFilm"]["title"]
        else:
            text = 'mutation { createReview(filmId: "Film:1", body: "B") { id } }'
            made = self.operation(text)["createReview"]["id"]
            self.operation("mutation ($id: ID!) { deleteReview(id: $id) }", id=made)

    def array(self):
        queries = [{"query": f"{{ a{self.rng.randrange(1 << 40)}: __typename }}"} for _ in range(self.rng.randrange(1, 20))]
        assert len(json.loads(self.post(json.dumps(queries)))) == len(queries)

    def form(self):
        query = json.dumps({"query": "mutation ($f: Upload!) { uploadPoster(image: $f) { id } }", "variables": {"f": None}})
        parts = [("operations", query.encode()), ("map", b'{"0": ["variables.f"]}'), ("0", self.rng.randbytes(self.rng.randrange(200_000)))]
        body = b"".join(b'--BBB\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (n.encode(), c) for (n, c) in parts)
        self.post(body + b"--BBB--\r\n", [("Content-Type", "multipart/form-data; boundary=BBB")])

    def stream(self):
        headers = [("Accept", self.rng.choice(["text/event-stream", "multipart/mixed"])), ("X-Mock-Events", str(self.rng.randrange(1, 9)))]
        self.post(json.dumps({"query": EVENTS}), headers)

    def raw(self, data):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        try:
            connection.sendall(data)
        except OSError:
            pass
        return connection

    def left(self):
        body = json.dumps({"query": EVENTS}).encode()
        head = b"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: %d\r\n\r\n"
        connection = self.raw(head % len(body) + body)
        connection.recv(200)
        connection.close()

    def ws(self):
        from websockets.sync.client import connect

        (protocol, start) = self.rng.choice([("graphql-transport-ws", "subscribe"), ("graphql-ws", "start")])
        with connect(f"ws://127.0.0.1:{self.port}/graphql", subprotocols=[protocol], open_timeout=120) as client:
            client.send(json.dumps({"type": "connection_init"}))
            for number in range(self.rng.randrange(1, 5)):
                client.send(json.dumps({"id": str(number), "type": start, "payload": {"query": EVENTS}}))
            for _ in range(self.rng.randrange(1, 12)):
                client.recv(timeout=120)

    def cut(self):
        try:
            self.post(json.dumps({"query": "{ films { id } }"}), [("X-Mock-Drop", "1")])
        except (http.client.HTTPException, OSError):
            self.connection = None

    def noise(self):
        begin = self.rng.choice([b"", b"POST /graphql HTTP/1.1\r\nHost: a\r\n", b"GET /health HTTP/1.1\r\n"])
        connection = self.raw(begin + self.rng.randbytes(self.rng.randrange(1, 400)) + b"\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        try:
            while connection.recv(65536):
                pass
        except OSError:
            pass
        connection.close()


def state(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    number = lambda name: int(re.search(rf"{name}:\s+(\d+)", status).group(1))
    return number("VmRSS") / 1024, len(os.listdir(f"/proc/{process}/fd")), number("Threads")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("BATON_MOCK_SECONDS", "3600")))
    parser.add_argument("--clients", type=int, default=6)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder, name) for name in ("schema.graphql", "overrides.json", "rules.json")}
        files["schema.graphql"].write_text(SCHEMA)
        files["overrides.json"].write_text("{}")
        files["rules.json"].write_text("[]")
        server = subprocess.Popen(
            [options.program, "--schema", files["schema.graphql"], "--port", "0", "--events", "5",
             "--overrides", files["overrides.json"], "--rules", files["rules.json"]],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = int(re.search(r":(\d+)/", server.stdout.readline()).group(1))
        threading.Thread(target=server.stdout.read, daemon=True).start()
        began = time.monotonic()
        clients = [Client(port, seed, began + options.seconds) for seed in range(options.clients)]
        samples, saved = [], 0
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            time.sleep(min(5, max(0.2, options.seconds / 200)))
            assert server.poll() is None, f"the server ended with {server.returncode}"
            now = time.monotonic() - began
            samples.append((now, *state(server.pid)))
            if now / 20 > saved:
                # Every third time with a mistake.
                saved += 1
                broken = saved % 3 == 0
                files["overrides.json"].write_text('{"Film": {"rating": %s}}' % ('"x"' if broken else saved % 5))
                files["rules.json"].write_text('[{"operation": "None", "delay": %s}]' % ("-1" if broken else saved))
        failures = [client.failure for client in clients if client.failure]
        # What is left of connections ends by itself.
        time.sleep(3)
        (memory, descriptors, threads) = state(server.pid)
        server.send_signal(signal.SIGTERM)
        server.wait()
    later = [sample[1] for sample in samples if sample[0] >= options.seconds / 3]
    early, late = max(later[: max(1, len(later) // 4)]), max(later[-max(1, len(later) // 4):])
    counts = {}
    for client in clients:
        for (name, count) in client.counts.items():
            counts[name] = counts.get(name, 0) + count
    print(
        f"mock: {options.seconds} s, {sum(counts.values())} deeds of {options.clients} clients, {sum(counts.values()) / options.seconds:.0f}/s; "
        f"memory {samples[0][1]:.0f} MB at first, {early:.0f} MB after a third, {late:.0f} MB at the end; at rest {memory:.0f} MB, "
        f"{descriptors} descriptors, {threads} threads; most {max(s[2] for s in samples)} and {max(s[3] for s in samples)}")
    print("mock: " + ", ".join(f"{count} {name}" for (name, count) in sorted(counts.items())))
    assert not failures, failures
    assert late <= early * 1.1 + 8, samples
    assert descriptors <= samples[0][2] + 8 and threads <= samples[0][3] + 8, samples[-1]


if __name__ == "__main__":
    if importlib.util.find_spec("websockets") is None:
        # Run again with the Python that has the package.
        sys.path.insert(0, str(HERE))
        from servers import environment

        python = str(environment("mock"))
        os.execv(python, [python, *sys.argv])
    main()

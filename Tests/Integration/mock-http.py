#!/usr/bin/env python3
"""Uses baton-mock through packages of others: each response that it sends must be one to h11, as the client of HTTP/1.1.

    mock-http.py PROGRAM [--seeds 60]

PROGRAM is `baton-mock` of the last build. The packages come from PyPI, pinned in servers/requirements/mock.txt. Sent are
requests one after the other and ahead of their answers, bodies with a length, in chunks and with trailers, with
`Expect: 100-continue`, HEAD, HTTP/1.0, heads that are none, and connections that end early, each cut into pieces anywhere.
Streams, both protocols of WebSockets, forms with files and curl follow.
"""

import argparse
import asyncio
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = """
type Film { id: ID! title: String! rating: Int reviews: [Review!]! }
type Review { id: ID! body: String! stars: Int! }
type Poster { id: ID! filename: String! mimetype: String! size: Int! }
scalar Upload
type Query { film(id: ID!): Film films: [Film!]! }
type Mutation { updateFilm(id: ID!, title: String!): Film! createPoster(image: Upload!): Poster! }
type Subscription { reviewAdded(filmId: ID!): Review! }
"""
QUERY = '{ film(id: "Film:1") { id title reviews { body } } }'
EVENTS = 'subscription { reviewAdded(filmId: "Film:1") { id stars } }'
JSON = [("Host", "a"), ("Content-Type", "application/json")]


class Client:
    """A connection of which h11 reads what the server sends."""

    def __init__(self, port, rng):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rng, self.connection = rng, h11.Connection(h11.CLIENT)

    def write(self, data):
        """Sends bytes in pieces of any size."""
        while data:
            count = self.rng.choice([1, 2, 7, 64, len(data)])
            self.socket.sendall(data[:count])
            data = data[count:]

    def event(self):
        while (event := self.connection.next_event()) is h11.NEED_DATA:
            self.connection.receive_data(self.socket.recv(self.rng.choice([1, 5, 100, 65536])))
        return event

    def answer(self):
        """The statuses of what comes before the response, the response and its body."""
        early, body = [], b""
        while True:
            event = self.event()
            if isinstance(event, h11.InformationalResponse):
                early.append(event.status_code)
            elif isinstance(event, h11.Response):
                response = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                return early, response, body
            else:
                raise AssertionError(f"the server ended in place of a response: {event}")

    def ask(self, method, target, headers, body=None, trailers=None):
        """One request: with `trailers` its body comes in chunks."""
        self.write(self.connection.send(h11.Request(method=method, target=target, headers=headers)))
        rest = body or b""
        while rest:
            count = self.rng.randint(1, len(rest))
            self.write(self.connection.send(h11.Data(data=rest[:count])))
            rest = rest[count:]
        self.write(self.connection.send(h11.EndOfMessage(headers=trailers or [])))
        return self.answer()

    def next(self):
        """Prepares for another request, which the server must allow."""
        assert self.connection.our_state is h11.DONE and self.connection.their_state is h11.DONE, self.connection.states
        self.connection.start_next_cycle()

    def ends(self):
        """Expects that the server closes the connection."""
        assert self.connection.their_state in (h11.MUST_CLOSE, h11.CLOSED), self.connection.states
        self.connection.receive_data(b"") if not self.socket.recv(1) else self.fail("more follows")

    def fail(self, text):
        raise AssertionError(text)

    def close(self):
        self.socket.close()


def operation(query=QUERY, **more):
    return json.dumps({"query": query, **more}).encode()


def sized(body, *more):
    return [*JSON, ("Content-Length", str(len(body))), *more]


def data_of(answer, status=200):
    early, response, body = answer
    assert response.status_code == status, (response, body)
    assert response.reason, "a response without a reason"
    return json.loads(body)["data"]


def conversations(port, rng, expected):
    """One connection with many requests of each kind, until one ends it."""
    client = Client(port, rng)
    for _ in range(rng.randint(3, 8)):
        kind = rng.choice(["length", "chunks", "trailers", "expect", "get", "head", "options", "missing", "array", "stream"])
        body = operation()
        if kind == "length":
            assert data_of(client.ask("POST", "/graphql", sized(body), body)) == expected
        elif kind == "chunks":
            assert data_of(client.ask("POST", "/graphql", [*JSON, ("Transfer-Encoding", "chunked")], body)) == expected
        elif kind == "trailers":
            headers = [*JSON, ("Transfer-Encoding", "chunked"), ("Trailer", "X-Sum")]
            assert data_of(client.ask("POST", "/graphql", headers, body, [("X-Sum", "1"), ("X-Other", "a b")])) == expected
        elif kind == "expect":
            headers = rng.choice([sized(body), [*JSON, ("Transfer-Encoding", "chunked")]])
            request = h11.Request(method="POST", target="/graphql", headers=[*headers, ("Expect", "100-continue")])
            client.write(client.connection.send(request))
            assert client.connection.they_are_waiting_for_100_continue is False
            event = client.event()
            assert isinstance(event, h11.InformationalResponse) and event.status_code == 100, event
            client.write(client.connection.send(h11.Data(data=body)) + client.connection.send(h11.EndOfMessage()))
            early, response, answer = client.answer()
            assert not early and json.loads(answer)["data"] == expected
        elif kind in ("get", "head"):
            target = "/graphql?query=%7B__typename%7D"
            _, response, body = client.ask(kind.upper() if kind == "get" else "HEAD", "/health" if kind == "head" else target, JSON)
            length = int(dict(response.headers)[b"content-length"])
            assert response.status_code == 200 and length > 0 and len(body) == (0 if kind == "head" else length), response
        elif kind == "options":
            _, response, body = client.ask("OPTIONS", "/graphql", [("Host", "a"), ("Origin", "http://b")])
            assert response.status_code == 204 and body == b"", response
        elif kind == "missing":
            assert client.ask("GET", "/nothing", JSON)[1].status_code == 404
        elif kind == "array":
            body = b"[" + body + b"," + body + b"]"
            answers = json.loads(client.ask("POST", "/graphql", sized(body), body)[2])
            assert [answer["data"] for answer in answers] == [expected] * 2
        else:
            body = operation(EVENTS)
            headers = sized(body, ("Accept", "text/event-stream"), ("X-Mock-Events", "3"))
            _, response, events = client.ask("POST", "/graphql", headers, body)
            assert dict(response.headers)[b"transfer-encoding"] == b"chunked"
            assert events.count(b"event: next\n") == 3 and events.endswith(b"event: complete\ndata:\n\n"), events
        client.next()
    body = operation()
    assert data_of(client.ask("POST", "/graphql", sized(body, ("Connection", "close")), body)) == expected
    client.ends()
    client.close()


def pipelining(port, rng, expected):
    """Requests ahead of their answers, which come in order."""
    count, sent, sizes = rng.randint(2, 12), b"", []
    for number in range(count):
        body = operation(f"{{ a{number}: __typename }}")
        writer = h11.Connection(h11.CLIENT)
        headers = sized(body) if number % 2 else [*JSON, ("Transfer-Encoding", "chunked")]
        sent += writer.send(h11.Request(method="POST", target="/graphql", headers=headers))
        sent += writer.send(h11.Data(data=body)) + writer.send(h11.EndOfMessage())
    client = Client(port, rng)
    client.write(sent)
    if rng.random() < 0.5:
        client.socket.shutdown(socket.SHUT_WR)
    rest = b""
    for number in range(count):
        client.connection = h11.Connection(h11.CLIENT)
        client.connection.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
        client.connection.send(h11.EndOfMessage())
        client.connection.receive_data(rest) if rest else None
        assert data_of(client.answer()) == {f"a{number}": "Query"}
        rest = client.connection.trailing_data[0]
    assert not rest, rest
    client.close()


def raw(port, rng, sent, is_head=False):
    """The response to bytes that h11 would not write, and whether the connection ends after it."""
    client = Client(port, rng)
    try:
        client.write(sent)
    except (BrokenPipeError, ConnectionResetError):
        # The server may have said already what is wrong.
        pass
    client.connection.send(h11.Request(method="HEAD" if is_head else "GET", target="/", headers=[("Host", "a")]))
    client.connection.send(h11.EndOfMessage())
    try:
        _, response, body = client.answer()
        return response.status_code, client.connection.their_state is not h11.DONE, body
    finally:
        client.close()


# What is sent, and the status that answers it. A connection ends after a request that two readers could understand in two ways.
BAD = [
    ("GET /health HTTP/1.1\r\nHost: a\r\nX: y\r\n folded\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
    ("GET  /health HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /health\r\n\r\n", 400),
    ("GET /he alth HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("G(T /health HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /health HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("GET /health HTTP/1.2\r\nHost: a\r\n\r\n", 505),
    ("GET /health SMTP\r\nHost: a\r\n\r\n", 400),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\n\r\n", 411),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST /graphql HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFF\r\n", 400),
    ("POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: tea\r\n\r\n{}", 417),
    ("GET /" + "a" * 20_000 + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    ("GET /health HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n" * 150 + "\r\n", 431),
    ("GET /health HTTP/1.1\r\nHost: a\r\nX: " + "y" * 40_000 + "\r\n\r\n", 431),
]

# What is unusual, and allowed.
UNUSUAL = [
    ("\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ("GET /health HTTP/1.1\nHost: a\nConnection: close\n\n", 200),
    ("GET http://a/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ("GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200),
    ("GET /health HTTP/1.1\r\nHost: a\r\nX:\t y \t\r\nconnection: Close\r\n\r\n", 200),
    ("GET /health HTTP/1.0\r\n\r\n", 200),
    ("BREW /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    ("DELETE /graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    ("GET /graphql?query=%FF HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
    ("GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
]


def heads(port, rng):
    for (sent, status) in BAD + UNUSUAL:
        seen, is_over, body = raw(port, rng, sent.encode("latin-1"))
        assert seen == status, (sent[:80], seen, status, body)
        assert is_over, (sent[:80], "the connection goes on")
        assert status == 200 or json.loads(body)["errors"], body
    for old in ("", "Connection: keep-alive\r\n"):
        # HTTP/1.0 goes on only if the client asks for it.
        seen, is_over, _ = raw(port, rng, f"GET /health HTTP/1.0\r\n{old}\r\n".encode())
        assert (seen, is_over) == (200, not old), (old, seen, is_over)
    body = operation(EVENTS)
    head = f"POST /graphql HTTP/1.0\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nX-Mock-Events: 2\r\nContent-Length: {len(body)}\r\n\r\n"
    seen, is_over, events = raw(port, rng, head.encode() + body)
    assert (seen, is_over, events.count(b"event: next\n")) == (200, True, 2), events
    assert raw(port, rng, b"HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n", is_head=True)[0] == 404
    # A HEAD whose head is wrong is answered with a body at most if the method was not read.
    assert raw(port, rng, b"HEAD /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", is_head=True)[0] == 200


def early_ends(port, rng, expected):
    """Clients that go at any byte do no harm, and one that only ends its writing is answered."""
    body = operation()
    whole = b"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    for _ in range(20):
        client = Client(port, rng)
        client.write(whole[: rng.randint(0, len(whole))])
        client.close()
    client = Client(port, rng)
    client.write(whole)
    client.socket.shutdown(socket.SHUT_WR)
    client.connection.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
    client.connection.send(h11.EndOfMessage())
    assert data_of(client.answer()) == expected
    client.close()
    # The connection is cut in place of the second event, which h11 tells from an end.
    client = Client(port, rng)
    body = operation(EVENTS)
    try:
        client.ask("POST", "/graphql", sized(body, ("Accept", "text/event-stream"), ("X-Mock-Drop", "2")), body)
        raise AssertionError("a stream that was cut seems whole")
    except h11.RemoteProtocolError:
        pass
    client.close()


async def sockets(port):
    """Both protocols, with fragments, pings and closing codes."""
    import websockets

    url = f"ws://127.0.0.1:{port}/graphql"
    for (protocol, start, event) in [("graphql-transport-ws", "subscribe", "next"), ("graphql-ws", "start", "data")]:
        async with websockets.connect(url, subprotocols=[protocol], compression="deflate") as client:
            assert client.subprotocol == protocol
            await client.send(json.dumps({"type": "connection_init"}))
            assert json.loads(await client.recv())["type"] == "connection_ack"
            await (await client.ping())
            text = json.dumps({"id": "a", "type": start, "payload": {"query": EVENTS}})
            await client.send([text[:5], text[5:30], text[30:]])
            seen = []
            while len(seen) < 3:
                message = json.loads(await client.recv())
                if message["type"] == event:
                    seen.append(message["payload"]["data"]["reviewAdded"]["id"])
            assert len(set(seen)) > 1, seen
            await client.send(json.dumps({"id": "a", "type": "complete" if event == "next" else "stop"}))
            await client.close(1000)
            assert client.close_code == 1000
    async with websockets.connect(url, subprotocols=["graphql-transport-ws"]) as client:
        await client.send("no JSON")
        try:
            await client.recv()
        except websockets.ConnectionClosed:
            assert client.close_code == 4400, client.close_code
    try:
        await websockets.connect(url, subprotocols=["mqtt"])
        raise AssertionError("a foreign protocol was accepted")
    except websockets.InvalidStatus as error:
        assert error.response.status_code == 400


def foreign_client(port):
    """The client `gql`, over HTTP and both protocols of WebSockets."""
    import gql
    from gql.transport.requests import RequestsHTTPTransport
    from gql.transport.websockets import WebsocketsTransport

    address = f"127.0.0.1:{port}/graphql"
    client = gql.Client(transport=RequestsHTTPTransport(url=f"http://{address}"), fetch_schema_from_transport=True)
    with client as session:
        change = gql.gql('mutation { updateFilm(id: "Film:2", title: "Hope") { title } }')
        assert session.execute(change) == {"updateFilm": {"title": "Hope"}}
        assert session.execute(gql.gql('{ film(id: "Film:2") { title } }')) == {"film": {"title": "Hope"}}

    async def events(protocol):
        transport = WebsocketsTransport(url=f"ws://{address}", subprotocols=[protocol])
        async with gql.Client(transport=transport, fetch_schema_from_transport=False) as session:
            seen = []
            async for event in session.subscribe(gql.gql(EVENTS)):
                seen.append(event["reviewAdded"]["id"])
                if len(seen) == 3:
                    break
            assert len(set(seen)) > 1, seen

    for protocol in (WebsocketsTransport.GRAPHQLWS_SUBPROTOCOL, WebsocketsTransport.APOLLO_SUBPROTOCOL):
        asyncio.run(events(protocol))


def curl(port, folder):
    program = shutil.which("curl")
    if not program:
        return print("curl is not here")
    url = f"http://127.0.0.1:{port}/graphql"

    def run(*arguments):
        return subprocess.run([program, "-sS", "-m", "60", *arguments], check=True, capture_output=True, text=True).stdout

    typed = ["-H", "Content-Type: application/json"]
    body = operation().decode()
    assert json.loads(run(url, *typed, "-d", body))["data"]["film"]["id"] == "Film:1"
    assert json.loads(run(url, *typed, "-H", "Transfer-Encoding: chunked", "-d", body))["data"]["film"]
    assert json.loads(run("-0", url, *typed, "-d", body))["data"]["film"]
    # A large body waits for '100 Continue'.
    large = pathlib.Path(folder, "large.json")
    large.write_text(json.dumps({"query": QUERY + " #" + "x" * 900_000}))
    shown = run("-v", "--stderr", "-", url, *typed, "-H", "Expect: 100-continue", "--data-binary", f"@{large}")
    assert "100 Continue" in shown and "Film:1" in shown, shown[-500:]
    assert "200 OK" in run("-I", f"http://127.0.0.1:{port}/health")
    counted = run(f"http://127.0.0.1:{port}/health", f"http://127.0.0.1:{port}/health", "-w", "%{num_connects} ")
    assert re.findall(r"(\d) ", counted) == ["1", "0"], counted
    file = pathlib.Path(folder, "a file.png")
    file.write_bytes(os.urandom(3_000_000))
    text = "mutation ($f: Upload!) { createPoster(image: $f) { filename mimetype size } }"
    operations = json.dumps({"query": text, "variables": {"f": None}})
    answer = run(
        url, "-F", f"operations={operations}", "-F", 'map={"0": ["variables.f"]}', "-F", f"0=@{file};type=image/png")
    poster = {"filename": "a file.png", "mimetype": "image/png", "size": 3_000_000}
    assert json.loads(answer)["data"]["createPoster"] == poster, answer
    assert "413" in run("-o", os.devnull, "-w", "%{http_code}", url, *typed, "--data-binary", f"@{file}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        schema = pathlib.Path(folder, "schema.graphql")
        schema.write_text(SCHEMA)
        server = subprocess.Popen(
            [options.program, "--schema", schema, "--port", "0", "--events", "5"], stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stdout.readline()).group(1))
            first = Client(port, random.Random(0))
            body = operation()
            expected = data_of(first.ask("POST", "/graphql", sized(body), body))
            first.close()
            for seed in range(options.seeds):
                rng = random.Random(seed)
                for step in (conversations, pipelining):
                    try:
                        step(port, rng, expected)
                    except BaseException:
                        print(f"{step.__name__}, seed {seed}", file=sys.stderr)
                        raise
            heads(port, random.Random(1))
            early_ends(port, random.Random(2), expected)
            asyncio.run(sockets(port))
            foreign_client(port)
            curl(port, folder)
            assert server.poll() is None, f"the server ended with {server.returncode}"
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    print(f"baton-mock: {options.seeds} conversations, {len(BAD) + len(UNUSUAL)} heads, sockets, gql and curl are as others expect")


if __name__ == "__main__":
    if importlib.util.find_spec("h11") is None or importlib.util.find_spec("gql") is None:
        # Run again with the Python that has the packages.
        sys.path.insert(0, str(HERE))
        from servers import environment

        python = str(environment("mock"))
        os.execv(python, [python, *sys.argv])
    import h11

    main()

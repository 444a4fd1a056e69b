#!/usr/bin/env python3
"""Asks baton-mock as often as it answers, and then holds 1,000 subscriptions, over event streams and over WebSockets.

    mock-rate.py PROGRAM [--seconds 10] [--clients 8] [--least 1000] [--subscriptions 1000]

PROGRAM is a release build. The schema is that of the samples. There must be at least 1,000 answers a second, and each
subscription must have five events, of which one comes each half second. This client needs a part of the cores itself.
"""

import argparse
import asyncio
import json
import pathlib
import random
import re
import time

from mock_server import running

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "Samples/StarWarsComponents/Schema/schema.graphql"
QUERY = """query ($id: ID!) { film(id: $id) { id title director isFavorite averageStars
  reviews(first: 3) { totalCount edges { node { stars commentary } } pageInfo { hasNextPage } } } }"""
EVENTS = 'subscription { reviewAdded(film: "Film:1") { id stars commentary } }'
NUMBER = 5


def request(body, accept="application/json"):
    body = json.dumps(body).encode()
    head = f"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: {accept}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


# Requests


async def ask(port, until, times, known):
    """One connection, on which a request follows each answer. A film has the same answer each time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        film = f"Film:{random.randint(1, 20)}"
        began = time.monotonic()
        writer.write(request({"query": QUERY, "variables": {"id": film}}))
        head = await reader.readuntil(b"\r\n\r\n")
        answer = await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head).group(1)))
        times.append(time.monotonic() - began)
        assert head.startswith(b"HTTP/1.1 200 ") and known.setdefault(film, answer) == answer, (head, answer)
    writer.close()


async def load(server, options):
    times, known = [], {}
    until = time.monotonic() + options.seconds
    await asyncio.gather(*(ask(server.port, until, times, known) for _ in range(options.clients)))
    assert all(json.loads(answer)["data"]["film"]["id"] == film for film, answer in known.items()), known
    times.sort()
    rate = len(times) / options.seconds
    print(
        f"mock: {rate:.0f} requests/s over {options.clients} connections, half within {times[len(times) // 2] * 1000:.1f} ms, "
        f"99 of 100 within {times[len(times) * 99 // 100] * 1000:.1f} ms; {held(server)}", flush=True)
    assert rate >= options.least, f"fewer than {options.least} requests a second"


def held(server):
    memory, _, threads = server.state()
    return f"{memory:.0f} MB, {threads} threads"


# Subscriptions


async def streamed(port):
    """A subscription as an event stream; returns what closes it after its events."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request({"query": EVENTS}, "text/event-stream"))
    for _ in range(NUMBER):
        await reader.readuntil(b"event: next\ndata: ")
        check(json.loads(await reader.readuntil(b"\n\n")))
    return writer


def check(payload):
    assert payload["data"]["reviewAdded"]["id"] and "errors" not in payload, payload


def frame(message):
    """A text frame, whose mask is zero and so changes nothing."""
    text = json.dumps(message).encode()
    length = bytes([128 | len(text)]) if len(text) < 126 else bytes([254]) + len(text).to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + text


async def message(reader):
    """The next text of the server."""
    while True:
        kind, length = await reader.readexactly(2)
        if length > 125:
            length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
        text = await reader.readexactly(length)
        if kind == 0x81:
            return json.loads(text)


async def socketed(port, count):
    """Subscriptions over one WebSocket; returns what closes it after their events."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    writer.write(frame({"type": "connection_init"}))
    assert (await message(reader))["type"] == "connection_ack"
    writer.writelines(frame({"id": str(number), "type": "subscribe", "payload": {"query": EVENTS}}) for number in range(count))
    missing = {str(number): NUMBER for number in range(count)}
    while any(rest > 0 for rest in missing.values()):
        event = await message(reader)
        assert event["type"] == "next", event
        check(event["payload"])
        missing[event["id"]] -= 1
    return writer


async def subscribe(server, count, title, all_of_them):
    began = time.monotonic()
    writers = await asyncio.wait_for(asyncio.gather(*all_of_them), 60)
    print(
        f"mock: {count} subscriptions {title}: {NUMBER * count} events within {time.monotonic() - began:.1f} s; {held(server)}",
        flush=True)
    for writer in writers:
        writer.close()
    # The threads of clients that have gone end at once.
    await asyncio.sleep(2)
    print(f"mock: at rest {held(server)}", flush=True)
    assert server.state()[2] < 50, "threads stay behind"


async def use(server, options):
    count = options.subscriptions
    await load(server, options)
    await subscribe(server, count, "as event streams", [streamed(server.port) for _ in range(count)])
    sockets = [socketed(server.port, 10) for _ in range(count // 10)]
    await subscribe(server, count // 10 * 10, f"over {len(sockets)} WebSockets", sockets)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--least", type=int, default=1000)
    parser.add_argument("--subscriptions", type=int, default=1000)
    options = parser.parse_args()
    with running(options.program, "--schema", str(SCHEMA), "--events", "500") as server:
        asyncio.run(use(server, options))


if __name__ == "__main__":
    main()

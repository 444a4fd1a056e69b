#!/usr/bin/env python3
"""Speaks WebSocket through packages of others, in random fragmentation, to the frames of Baton.

    frames.py COMMAND [ARGUMENT...]                     runs a command, which finds this script's Python in BATON_FRAMES
    frames.py serve PACKAGE SEED                        prints its port, and echoes the messages of one connection
    frames.py ask PACKAGE SEED PORT MESSAGES            sends messages, and expects each of them back

PACKAGE is wsproto or websockets, each of which comes from PyPI, pinned in servers/requirements/frames.txt. Messages are
cut into frames anywhere, frames into pieces of the stream anywhere, and pings and pongs stand between. At the end it
prints the number of frames that went both ways.
"""

import os
import random
import socket
import subprocess
import sys

LARGEST = 1 << 20


class WsprotoEnd:
    """One end of a connection, by wsproto."""

    def __init__(self, is_client, rng):
        from wsproto import ConnectionType, WSConnection, events

        self.events, self.rng, self.is_client = events, rng, is_client
        self.connection = WSConnection(ConnectionType.CLIENT if is_client else ConnectionType.SERVER)
        self.parts, self.frames, self.is_open, self.is_over = [], 0, False, False

    def begin(self, port):
        return self.connection.send(self.events.Request(host=f"127.0.0.1:{port}", target="/"))

    def receive(self, data):
        """Returns complete messages, and the bytes that answer what was received."""
        messages, answer = [], b""
        self.connection.receive_data(data)
        for event in self.connection.events():
            if isinstance(event, self.events.Request):
                answer += self.connection.send(self.events.AcceptConnection())
                self.is_open = True
            elif isinstance(event, self.events.AcceptConnection):
                self.is_open = True
            elif isinstance(event, self.events.Message):
                self.frames += event.frame_finished
                self.parts.append(event.data.encode() if isinstance(event.data, str) else bytes(event.data))
                if event.message_finished:
                    messages.append(b"".join(self.parts))
                    self.parts = []
            elif isinstance(event, self.events.Ping):
                self.frames += 1
                answer += self.connection.send(event.response())
            elif isinstance(event, self.events.Pong):
                self.frames += 1
            elif isinstance(event, self.events.CloseConnection):
                self.is_over = True
                if self.connection.state.name == "REMOTE_CLOSING":
                    answer += self.connection.send(event.response())
            elif isinstance(event, self.events.RejectConnection):
                sys.exit(f"refused with status {event.status_code}")
        return messages, answer

    def fragment(self, kind, data, first, last):
        self.frames += 1
        if kind == "text":
            return self.connection.send(self.events.TextMessage(data=data.decode(), message_finished=last))
        return self.connection.send(self.events.BytesMessage(data=data, message_finished=last))

    # wsproto cuts texts between characters only.
    cuts_characters = False

    def control(self):
        self.frames += 1
        payload = self.rng.randbytes(self.rng.randrange(126))
        return self.connection.send(self.rng.choice([self.events.Ping, self.events.Pong])(payload=payload))

    def close(self):
        return self.connection.send(self.events.CloseConnection(code=1000, reason="done"))


class WebsocketsEnd:
    """One end of a connection, by websockets."""

    cuts_characters = True

    def __init__(self, is_client, rng):
        self.is_client, self.rng = is_client, rng
        self.connection = None
        self.parts, self.frames, self.is_open, self.is_over = [], 0, False, False

    def begin(self, port):
        from websockets.client import ClientProtocol
        from websockets.uri import parse_uri

        self.connection = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}/"), max_size=LARGEST)
        self.connection.send_request(self.connection.connect())
        return self.taken()

    def taken(self):
        return b"".join(self.connection.data_to_send())

    def receive(self, data):
        from websockets.frames import Opcode
        from websockets.server import ServerProtocol

        if self.connection is None:
            self.connection = ServerProtocol(max_size=LARGEST)
        messages = []
        self.connection.receive_data(data)
        for event in self.connection.events_received():
            if not self.is_open:
                if not self.is_client:
                    self.connection.send_response(self.connection.accept(event))
                self.is_open = True
                continue
            self.frames += 1
            if event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self.parts.append(bytes(event.data))
                if event.fin:
                    messages.append(b"".join(self.parts))
                    self.parts = []
            elif event.opcode == Opcode.CLOSE:
                self.is_over = True
        if self.connection.parser_exc is not None:
            sys.exit(f"Baton breaks the protocol: {self.connection.parser_exc!r}")
        return messages, self.taken()

    def fragment(self, kind, data, first, last):
        self.frames += 1
        if not first:
            self.connection.send_continuation(data, last)
        elif kind == "text":
            self.connection.send_text(data, last)
        else:
            self.connection.send_binary(data, last)
        return self.taken()

    def control(self):
        self.frames += 1
        payload = self.rng.randbytes(self.rng.randrange(126))
        self.rng.choice([self.connection.send_ping, self.connection.send_pong])(payload)
        return self.taken()

    def close(self):
        self.connection.send_close(1000, "done")
        return self.taken()


ENDS = {"wsproto": WsprotoEnd, "websockets": WebsocketsEnd}


def random_message(rng):
    size = rng.choice([rng.randrange(4), rng.randrange(130), rng.randrange(130), rng.randrange(2_000)])
    if rng.random() < 0.002:
        size = rng.randrange(65_000, 70_000)
    alphabet = rng.choice(["ab", "a\u00e9", "\u20ac\U0001f600x"])
    return "".join(rng.choices(alphabet, k=size)).encode()


def fragments(end, rng, message):
    """The bytes of one message in frames, with control frames between."""
    try:
        text = message.decode()
        kind = rng.choice(["text", "binary"])
    except UnicodeDecodeError:
        kind = "binary"
    whole = text if kind == "text" and not end.cuts_characters else message
    cuts = sorted(rng.randrange(len(whole) + 1) for _ in range(rng.randrange(6)))
    bounds = [0, *cuts, len(whole)]
    out = []
    for index in range(len(bounds) - 1):
        part = whole[bounds[index] : bounds[index + 1]]
        data = part.encode() if isinstance(part, str) else part
        out.append(end.fragment(kind, data, index == 0, index == len(bounds) - 2))
        if rng.random() < 0.3:
            out.append(end.control())
    return b"".join(out)


def send(connection, rng, data):
    while data:
        size = rng.choice([1, 2, 3, 100, 5_000, 100_000])
        connection.sendall(data[:size])
        data = data[size:]


def serve(end, rng):
    with socket.create_server(("127.0.0.1", 0)) as server:
        print(server.getsockname()[1], flush=True)
        connection, _ = server.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while not end.is_over and (data := connection.recv(65_536)):
        messages, answer = end.receive(data)
        out = answer + b"".join(fragments(end, rng, message) for message in messages)
        send(connection, rng, out)
    print(end.frames, flush=True)


def ask(end, rng, port, count):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(end.begin(port))
    expected, sent = [], 0
    while sent < count or expected:
        while end.is_open and sent < count and len(expected) < 8:
            message = random_message(rng)
            send(connection, rng, fragments(end, rng, message))
            expected.append(message)
            sent += 1
        data = connection.recv(65_536)
        if not data:
            sys.exit(f"the connection ended with {len(expected)} messages missing")
        messages, answer = end.receive(data)
        connection.sendall(answer)
        for message in messages:
            if message != expected.pop(0):
                sys.exit("a message came back changed")
    connection.sendall(end.close())
    while not end.is_over and (data := connection.recv(65_536)):
        end.receive(data)
    print(end.frames, flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] in ("serve", "ask"):
        rng = random.Random(int(sys.argv[3]))
        end = ENDS[sys.argv[2]](sys.argv[1] == "ask", rng)
        return serve(end, rng) if sys.argv[1] == "serve" else ask(end, rng, int(sys.argv[4]), int(sys.argv[5]))
    from servers import environment

    sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, "BATON_FRAMES": str(environment("frames"))}).returncode)


if __name__ == "__main__":
    main()

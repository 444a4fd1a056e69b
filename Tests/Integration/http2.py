#!/usr/bin/env python3
"""Runs a command while two servers speak HTTP/2 over TLS: hypercorn, and one by h2 that is hostile where it is asked to.

    http2.py COMMAND [ARGUMENT...]

    BATON_HYPERCORN     the URL of hypercorn, which answers with the version of HTTP and the port of the client
    BATON_HOSTILE       the URL of the other one; the path says what it does, and `/count/PATH` how often it was asked
    BATON_CERTIFICATE   the certificate of both

The packages come from PyPI, pinned in servers/requirements/http2.txt.
"""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

BODY = b'{"data":{}}'
FLOOD = 20_000
STREAMS = 5


def answer(connection, stream, body=BODY, trailers=()):
    connection.send_headers(stream, [(":status", "200"), ("content-type", "application/json")])
    connection.send_data(stream, body, end_stream=not trailers)
    if trailers:
        connection.send_headers(stream, trailers, end_stream=True)


class Hostile:
    """Serves each connection on a thread of its own."""

    def __init__(self, context):
        self.context, self.counts, self.lock = context, {}, threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]

    def run(self):
        while True:
            raw, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[raw], daemon=True).start()

    def serve(self, raw):
        from h2.config import H2Configuration
        from h2.connection import H2Connection
        from h2.events import RequestReceived, StreamEnded
        from h2.settings import SettingCodes

        tls = raw
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # The socket of TLS takes the descriptor over: nothing can be done with the other one from here on.
            tls = self.context.wrap_socket(raw, server_side=True)
            connection = H2Connection(H2Configuration(client_side=False))
            connection.initiate_connection()
            connection.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: STREAMS})
            tls.sendall(connection.data_to_send())
            paths = {}
            while data := tls.recv(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, RequestReceived):
                        paths[event.stream_id] = dict(event.headers)[b":path"].decode()
                    elif isinstance(event, StreamEnded):
                        if not self.act(paths.pop(event.stream_id, "/ok"), connection, event.stream_id, tls):
                            tls.sendall(connection.data_to_send())
                            # What was not read would turn the end into a reset, which overtakes what was sent.
                            tls.shutdown(socket.SHUT_WR)
                            tls.settimeout(5)
                            while tls.recv(65_536):
                                pass
                            return
                tls.sendall(connection.data_to_send())
        except (OSError, ssl.SSLError):
            pass
        finally:
            tls.close()

    def act(self, path, connection, stream, tls):
        """Does what a path asks for; false if the connection is closed then."""
        from h2.errors import ErrorCodes
        from h2.settings import SettingCodes

        with self.lock:
            self.counts[path] = self.counts.get(path, 0) + 1
            if path.startswith("/count"):
                answer(connection, stream, str(self.counts.get(path[len("/count") :], 0)).encode())
                return True
        match path.split("?")[0]:
            case "/silent":
                pass
            case "/number":
                answer(connection, stream, str(tls.getpeername()[1]).encode())
            case "/no-streams":
                connection.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 0})
                answer(connection, stream)
            case "/refuse-once" if self.counts[path] > 1:
                answer(connection, stream)
            case "/refuse-once":
                connection.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
            case "/goaway":
                connection.close_connection(last_stream_id=0)
                return False
            case "/goaway-open":
                connection.close_connection(last_stream_id=0)
            case "/goaway-after":
                answer(connection, stream)
                connection.close_connection(last_stream_id=stream)
                return False
            case "/refuse":
                connection.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
            case "/reset":
                connection.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)
            case "/half":
                connection.send_headers(stream, [(":status", "200"), ("content-length", "100")])
                connection.send_data(stream, BODY)
                connection.reset_stream(stream, ErrorCodes.CANCEL)
            case "/short":
                connection.send_headers(stream, [(":status", "200"), ("content-length", "100")])
                connection.send_data(stream, BODY, end_stream=True)
            case "/close":
                return False
            case "/settings" | "/pings":
                # The acknowledgements that come back are read later, and must not stop either side.
                for number in range(FLOOD):
                    if path == "/pings":
                        connection.ping(number.to_bytes(8, "big"))
                    else:
                        connection.update_settings({5: 16_384 + number % 2})
                    if number % 100 == 0:
                        tls.sendall(connection.data_to_send())
                answer(connection, stream)
            case "/noise":
                tls.sendall(connection.data_to_send() + os.urandom(1_000))
                return False
            case "/interim":
                connection.send_headers(stream, [(":status", "103"), ("link", "a")])
                answer(connection, stream, trailers=[("x-trailer", "1")])
            case "/slow":
                time.sleep(0.01)
                answer(connection, stream)
            case _:
                answer(connection, stream)
        return True


async def application(scope, receive, send):
    """Answers with the version of HTTP and the port of the client."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    body = f"{scope['http_version']} {scope['client'][1]}".encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def serve(folder):
    import asyncio

    from hypercorn.asyncio import serve as run
    from hypercorn.config import Config

    certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    hostile = Hostile(context)
    threading.Thread(target=hostile.run, daemon=True).start()
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    config = Config()
    config.certfile, config.keyfile, config.errorlog = certificate, key, None
    # A connection that has had so many requests is closed, also with others in flight.
    config.keep_alive_max_requests = 1_000_000
    config.bind = [f"fd://{listener.fileno()}"]
    print(listener.getsockname()[1], hostile.port, flush=True)
    asyncio.run(run(application, config))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    from servers import end_with_parent, environment

    folder = tempfile.mkdtemp(prefix="baton-http2-")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files]
    subprocess.run(make, check=True, stderr=subprocess.DEVNULL)
    arguments = [environment("http2"), "-B", Path(__file__).resolve(), "--serve", folder]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
    try:
        hypercorn, hostile = server.stdout.readline().split()
        urls = {
            "BATON_HYPERCORN": f"https://127.0.0.1:{hypercorn}/",
            "BATON_HOSTILE": f"https://127.0.0.1:{hostile}/",
            "BATON_CERTIFICATE": f"{folder}/certificate.pem",
        }
        sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, **urls}).returncode)
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs a command while servers are up that a client reaches in special ways: certificates, a Unix socket, proxies.

    connecting.py COMMAND [ARGUMENT...]

    BATON_SECURE        the URL of hypercorn with TLS, which answers with the version of HTTP, and echoes over WebSockets
    BATON_GUARDED       the same, and the client must show a certificate
    BATON_UNIX          the path of the Unix socket on which hypercorn serves without TLS
    BATON_PROXY         the URL of a proxy that makes tunnels, and answers other requests itself; user and password are
                        `user` and `secret` where the host is `guarded.invalid`, and `/log` are the requests so far
    BATON_NGINX         the URL of nginx with HTTP/2, few streams and few requests for each connection; it answers with the
                        number of the connection
    BATON_NGINX_1       the same with HTTP/1.1, and as many requests for each connection as come
    BATON_TICKETS       the URL of a server with HTTP/1.1 over TLS 1.3, which answers with the number of the connection; 20 ms
                        after each response it sends a ticket for a later session, on all connections where the path is
                        `/late`, on the first one where it is `/one`, and on none where it is `/early`
    BATON_CERTIFICATES  a folder: authority.pem trusts the servers, client.pem and client-key.pem are shown to BATON_GUARDED,
                        locked-key.pem has the password `secret`, pin.txt is the SHA-256 of the servers' key in Base64

The packages come from PyPI, pinned in servers/requirements/http2.txt.
"""

import base64
import ctypes
import ctypes.util
import hashlib
import os
import select
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

NGINX = """
daemon off; master_process off; worker_processes 1; pid @WORK@/nginx.pid; error_log stderr crit;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path @WORK@/body; proxy_temp_path @WORK@/proxy; fastcgi_temp_path @WORK@/fastcgi;
    uwsgi_temp_path @WORK@/uwsgi; scgi_temp_path @WORK@/scgi;
    http2_max_concurrent_streams 8; keepalive_requests 100;
    server {
        listen 127.0.0.1:@PORT@ ssl http2;
        ssl_certificate @WORK@/server.pem; ssl_certificate_key @WORK@/server-key.pem;
        location / { return 200 "$server_protocol $connection"; }
    }
    server {
        listen 127.0.0.1:@PLAIN@ ssl;
        ssl_certificate @WORK@/server.pem; ssl_certificate_key @WORK@/server-key.pem;
        ssl_protocols TLSv1.3; keepalive_requests 10000;
        location / { return 200 "$server_protocol $connection"; }
    }
}
"""


def make_certificates(folder):
    """An authority, and certificates of a server and of a client that it has signed."""

    def openssl(*arguments):
        return subprocess.run(["openssl", *arguments], check=True, cwd=folder, stdout=-1, stderr=-3).stdout

    key = ["-newkey", "rsa:2048", "-nodes"]
    openssl("req", "-x509", *key, "-subj", "/CN=Authority", "-days", "2", "-keyout", "authority-key.pem", "-out", "authority.pem")
    for name in ["server", "client"]:
        openssl("req", *key, "-subj", f"/CN={name}", "-keyout", f"{name}-key.pem", "-out", f"{name}.csr")
        (Path(folder) / "names.txt").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        signing = ["-CA", "authority.pem", "-CAkey", "authority-key.pem", "-CAcreateserial", "-days", "2"]
        openssl("x509", "-req", "-in", f"{name}.csr", *signing, "-extfile", "names.txt", "-out", f"{name}.pem")
    openssl("rsa", "-aes256", "-in", "client-key.pem", "-out", "locked-key.pem", "-passout", "pass:secret")
    public = openssl("rsa", "-in", "server-key.pem", "-pubout", "-outform", "DER")
    (Path(folder) / "pin.txt").write_text(base64.b64encode(hashlib.sha256(public).digest()).decode())


class Proxy:
    """Makes tunnels to where it is told, `host.invalid` to this machine, and answers other requests itself."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.log, self.lock = [], threading.Lock()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                data = client.recv(65_536)
                if not data:
                    return
                head += data
            lines = head.decode().split("\r\n")
            method, target, _ = lines[0].split(" ")
            if target == "/log":
                return self.answer(client, "200 OK", "\n".join(self.log))
            with self.lock:
                self.log.append(f"{method} {target}")
            expected = "Basic " + base64.b64encode(b"user:secret").decode()
            if "guarded.invalid" in target and f"Proxy-Authorization: {expected}" not in lines:
                return self.answer(client, "407 Who", "who are you")
            if method != "CONNECT":
                return self.answer(client, "200 OK", "by the proxy")
            host, _, port = target.rpartition(":")
            try:
                server = socket.create_connection(("127.0.0.1" if host.endswith(".invalid") else host, int(port)))
            except OSError:
                return self.answer(client, "502 Gone", "there is no such server")
            with server:
                client.sendall(b"HTTP/1.1 200 Go\r\n\r\n")
                ends = {client: server, server: client}
                while ready := select.select([*ends], [], [])[0]:
                    for end in ready:
                        data = end.recv(65_536)
                        if not data:
                            return
                        ends[end].sendall(data)

    @staticmethod
    def answer(client, status, body):
        client.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())


class Tickets:
    """Speaks HTTP/1.1 over TLS 1.3, and sends tickets when it likes, besides those that OpenSSL sends at first."""

    def __init__(self, context):
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context, self.connections, self.lock = context, {}, threading.Lock()
        self.library = ctypes.CDLL(ctypes.util.find_library("ssl"))
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def run(self):
        while True:
            raw, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[raw], daemon=True).start()

    def send_ticket(self, tls):
        # Python has no word for it. Its object begins with its head and a reference to the socket; the third is OpenSSL's.
        pointer = ctypes.c_void_p.from_address(id(tls._sslobj) + object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p))
        for name in ["SSL_new_session_ticket", "SSL_do_handshake"]:
            if getattr(self.library, name)(pointer) != 1:
                raise OSError(f"{name} failed")

    def serve(self, raw):
        try:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.context.wrap_socket(raw, server_side=True) as tls:
                number, head = 0, b""
                while data := tls.recv(65_536):
                    head += data
                    if not head.endswith(b"\r\n\r\n"):
                        continue
                    path = head.split(b" ")[1].decode()
                    head = b""
                    if not number:
                        with self.lock:
                            number = self.connections[path] = self.connections.get(path, 0) + 1
                    body = str(number)
                    tls.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
                    time.sleep(0.02)
                    kind = path.split("?")[0]
                    if kind == "/late" or kind == "/one" and number == 1:
                        self.send_ticket(tls)
        except (OSError, ssl.SSLError):
            pass


async def application(scope, receive, send):
    """Answers with the version of HTTP, and echoes over WebSockets."""
    if scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["http_version"].encode()})
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept", "subprotocol": (scope["subprotocols"] or [None])[0]})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message.get("text"), "bytes": message.get("bytes")})


def serve(folder):
    import asyncio

    from hypercorn.asyncio import serve as run
    from hypercorn.config import Config

    proxy = Proxy()
    threading.Thread(target=proxy.run, daemon=True).start()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server-key.pem")
    tickets = Tickets(context)
    threading.Thread(target=tickets.run, daemon=True).start()
    secure, guarded = [socket.create_server(("127.0.0.1", 0), backlog=1024) for _ in range(2)]

    def config(*binds):
        result = Config()
        result.bind, result.errorlog = list(binds), None
        return result

    plain, open_one, closed_one = config(f"unix:{folder}/socket"), config(f"fd://{secure.fileno()}"), config(f"fd://{guarded.fileno()}")
    for one in [open_one, closed_one]:
        one.certfile, one.keyfile = f"{folder}/server.pem", f"{folder}/server-key.pem"
    closed_one.ca_certs, closed_one.verify_mode = f"{folder}/authority.pem", ssl.CERT_REQUIRED

    async def all_of_them():
        async def announce():
            while not os.path.exists(f"{folder}/socket"):
                await asyncio.sleep(0.02)
            ports = [one.getsockname()[1] for one in [secure, guarded, tickets.listener]]
            print(*ports, proxy.url, flush=True)

        never = asyncio.Event()
        await asyncio.gather(announce(), *[run(application, one, shutdown_trigger=never.wait) for one in [plain, open_one, closed_one]])

    asyncio.run(all_of_them())


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    from servers import end_with_parent, environment, free_port

    folder = tempfile.mkdtemp(prefix="baton-connecting-")
    make_certificates(folder)
    port, plain = free_port(), free_port()
    configuration = NGINX.replace("@WORK@", folder).replace("@PORT@", str(port)).replace("@PLAIN@", str(plain))
    (Path(folder) / "nginx.conf").write_text(configuration)
    arguments = [environment("http2"), "-B", Path(__file__).resolve(), "--serve", folder]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    cache = nginx and subprocess.Popen([nginx, "-p", folder, "-e", "stderr", "-c", f"{folder}/nginx.conf"], preexec_fn=end_with_parent)
    try:
        secure, guarded, tickets, proxy = server.stdout.readline().split()
        urls = {
            "BATON_SECURE": f"https://127.0.0.1:{secure}/",
            "BATON_GUARDED": f"https://127.0.0.1:{guarded}/",
            "BATON_UNIX": f"{folder}/socket",
            "BATON_TICKETS": f"https://127.0.0.1:{tickets}/",
            "BATON_PROXY": proxy,
            "BATON_CERTIFICATES": folder,
        }
        if nginx:
            urls["BATON_NGINX"] = f"https://127.0.0.1:{port}/"
            urls["BATON_NGINX_1"] = f"https://127.0.0.1:{plain}/"
        sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, **urls}).returncode)
    finally:
        for process in [server, cache]:
            if process:
                process.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

"""What a test cannot see from its side: which exchanges the server had, on which connections, and how they ended.

A request with the header `x-mark` is written down. A test reads the entries of a mark at /logbook/MARK; with
?count=N&outcome=O the answer waits until there are N entries with that outcome. POST /logbook/MARK/drop cuts the
connections of a mark, and POST /restart starts the process anew, which cuts all of them. /said answers what its query
says: ?status=200&type=text/html&body=...
"""

import asyncio
import json
import os
import sys
from urllib.parse import parse_qs


class Logbook:
    """An ASGI application around another."""

    longest_wait = 300

    def __init__(self, app):
        self.app = app
        self.entries: dict[str, list[dict]] = {}
        self.running: dict[str, set[asyncio.Task]] = {}
        self.changed = asyncio.Condition()

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        if scope["type"] == "http" and scope["path"] == "/restart":
            await answer(send, 200, {})
            # Once the answer has left; the listening socket stays open over the restart.
            return asyncio.get_running_loop().call_later(0.05, os.execv, sys.executable, [sys.executable, *sys.argv])
        if scope["type"] == "http" and scope["path"] == "/said":
            said = query_of(scope)
            body, media_type = said.get("body", "").encode(), said.get("type", "application/json")
            return await answer(send, int(said.get("status", 200)), body, media_type)
        if scope["type"] == "http" and scope["path"].startswith("/logbook/"):
            return await self.read(scope, send)
        mark = dict(scope["headers"]).get(b"x-mark")
        if mark is None:
            return await self.app(scope, receive, send)
        await self.write(mark.decode(), scope, receive, send)

    async def read(self, scope, send):
        mark, _, action = scope["path"].removeprefix("/logbook/").partition("/")
        if action == "drop":
            for entry in self.entries.get(mark, []):
                entry["isCut"] = True
            for task in list(self.running.get(mark, ())):
                task.cancel()
            return await answer(send, 200, {})
        query = query_of(scope)
        outcome, count = query.get("outcome"), int(query.get("count", 0))

        def is_there():
            entries = self.entries.get(mark, [])
            return sum(outcome in (None, entry["outcome"]) for entry in entries) >= count

        try:
            async with self.changed:
                await asyncio.wait_for(self.changed.wait_for(is_there), self.longest_wait)
        except TimeoutError:
            pass
        await answer(send, 200, self.entries.get(mark, []))

    async def note(self, entry, **facts):
        async with self.changed:
            entry.update(facts)
            self.changed.notify_all()

    async def write(self, mark, scope, receive, send):
        entry = {"outcome": "running", "isCut": False, "status": 0, "method": scope.get("method", "GET"), "path": scope["path"]}
        entry["connection"] = "%s:%s" % tuple(scope["client"] or ("", 0))
        # The others of this mark that have no answer yet.
        entry["beside"] = sum(not other["isAnswered"] for other in self.entries.get(mark, []))
        entry["isAnswered"] = False
        entry["headers"] = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.entries.setdefault(mark, []).append(entry)
        await self.note(entry)
        watch = Watch(receive, lambda message: self.note(entry, outcome=ending(message)))

        async def sending(message):
            # What an application says when it is cancelled must not make a cut look like an end.
            if entry["isCut"]:
                return
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            is_last = message["type"] == "http.response.body" and not message.get("more_body")
            # Whoever gets the answer may ask again at once.
            entry["isAnswered"] = entry["isAnswered"] or is_last
            await send(message)
            if is_last:
                # An application may end its answer properly although nobody is there any more.
                if entry["outcome"] == "running":
                    await self.note(entry, outcome="complete")
                watch.stop()

        task = asyncio.current_task()
        self.running.setdefault(mark, set()).add(task)
        try:
            await self.app(scope, watch.receive, sending)
        finally:
            self.running[mark].discard(task)
            watch.stop()


def ending(message) -> str:
    return f"closed {message.get('code')}" if message["type"] == "websocket.disconnect" else "abandoned"


class Watch:
    """Reads the messages of the server ahead of the application, so that a disconnection is seen at once."""

    def __init__(self, receive, on_disconnect):
        self.queue = asyncio.Queue(maxsize=16)
        self.task = asyncio.create_task(self.run(receive, on_disconnect))

    async def run(self, receive, on_disconnect):
        while True:
            message = await receive()
            if is_end := message["type"].endswith(".disconnect"):
                await on_disconnect(message)
            await self.queue.put(message)
            if is_end:
                return

    async def receive(self):
        return await self.queue.get()

    def stop(self):
        self.task.cancel()


def query_of(scope) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}


async def answer(send, status, value, media_type="application/json"):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""A headless Chromium, driven over the DevTools protocol."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

from websockets.sync.client import connect


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if not program:
            raise SystemExit("web: there is no Chromium; 'apt-get install chromium' on Debian")
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        note = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(note) and len(open(note).read().split("\n")) > 1:
                break
            time.sleep(0.05)
        port, path = open(note).read().split("\n")[:2]
        self.socket = connect(f"ws://127.0.0.1:{port}{path}", max_size=None)
        self.number, self.session, self.problems = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=30))
            self.note(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"web: {method}: {answer['error']}")
                return answer["result"]

    def note(self, event):
        """Keeps what the console of the browser says; a status that a check wants is no problem."""
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(str(event["params"]["exceptionDetails"]))
        if event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning"):
            self.problems.append(str(event["params"]["args"]))
        if event.get("method") == "Log.entryAdded":
            entry = event["params"]["entry"]
            if entry["level"] in ("error", "warning") and "responded with a status of" not in entry["text"]:
                self.problems.append(entry["text"])

    def run(self, script, wait=False):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=wait)
        return result["result"].get("value")

    def wait(self, script, what, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(script):
                return
            time.sleep(0.03)
        raise SystemExit(f"web: waited in vain for {what}; the page is {self.run('document.body.innerText')!r}")

    def leave(self, script, what):
        """Runs a script that leads to another page, and waits until that page is there."""
        self.run("window.isOld = true")
        self.run(script)
        self.wait("!window.isOld && document.readyState == 'complete'", what)

    def open(self, url):
        self.run("window.isOld = true")
        self.call("Page.navigate", url=url)
        self.wait("!window.isOld && document.readyState == 'complete'", url)

    def show(self, width, height, scheme, is_phone=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

"""Starts baton-mock for a script, and looks at its process."""

import contextlib
import os
import pathlib
import re
import subprocess
import time


class Server:
    """A program that answers at `port`, `milliseconds` after it was started."""

    def __init__(self, process, port, milliseconds):
        self.process, self.port, self.milliseconds = process, port, milliseconds

    def state(self):
        """Its memory in megabytes, its descriptors, and its threads."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        number = lambda name: int(re.search(rf"{name}:\s+(\d+)", status).group(1))
        return number("VmRSS") / 1024, len(os.listdir(f"/proc/{self.process.pid}/fd")), number("Threads")


@contextlib.contextmanager
def running(program, *arguments):
    """A server that runs as long as it is needed, and must not end before."""
    began = time.monotonic()
    process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r":(\d+)/", process.stdout.readline())
        milliseconds = (time.monotonic() - began) * 1000
        assert found, f"the server did not start: {process.wait()}"
        yield Server(process, int(found.group(1)), milliseconds)
        assert process.poll() is None, f"the server ended with {process.returncode}"
    finally:
        process.terminate()
        process.wait()

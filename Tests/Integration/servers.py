#!/usr/bin/env python3
"""Starts the GraphQL servers that the network is tried against, and runs a command while they are up.

    servers.py COMMAND [ARGUMENT...]    the command finds the URLs in its environment; its status is that of this script
    servers.py --serve                  no command: prints the URLs and serves until it is interrupted

    BATON_STRAWBERRY, BATON_RESTARTED   strawberry-graphql; the second is there to be restarted by a test
    BATON_ARIADNE                       ariadne
    BATON_CORE, BATON_CORE_OLD          graphql-core with the current and with the older incremental format
    BATON_CACHE                         nginx as a shared cache in front of BATON_CORE, if nginx is there
    BATON_TLS, BATON_CERTIFICATE        the same with TLS and HTTP/2, and the certificate to trust
    BATON_MOCK                          baton-mock with the same schema, if a debug build of it is there

BATON_MOCK_PROGRAM names another baton-mock, which must be there.

The packages come from PyPI, pinned in servers/requirements, into servers/.venv. The servers get sockets that listen
already, on free ports of loopback. They end with this script, however it ends.
"""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent / "servers"
# The variable, the application, and the requirements of each server.
SERVERS = [
    ("BATON_STRAWBERRY", "strawberry", "strawberry"),
    ("BATON_RESTARTED", "strawberry", "strawberry"),
    ("BATON_ARIADNE", "ariadne", "ariadne"),
    ("BATON_CORE", "core", "core-new"),
    ("BATON_CORE_OLD", "core", "core-old"),
]
MOCK = HERE.parents[2] / ".build/debug/baton-mock"
LONGEST_START = 90
LONGEST_RUN = int(os.environ.get("BATON_SERVERS_TIMEOUT", "900"))
PR_SET_PDEATHSIG = 1


def environment(name: str) -> Path:
    """Makes the virtual environment of a requirements file, once, and returns its Python."""
    venv, requirements = HERE / ".venv" / name, HERE / "requirements" / f"{name}.txt"
    installed = venv / "installed.txt"
    venv.parent.mkdir(exist_ok=True)
    # Another script may want the same one at this moment.
    with open(venv.parent / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_text() != requirements.read_text():
            shutil.rmtree(venv, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
            pip = [venv / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "--requirement", requirements], check=True)
            shutil.copy(requirements, installed)
    return venv / "bin/python"


def end_with_parent():
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(arguments, **options) -> subprocess.Popen:
    """Starts a process as the head of a group of its own."""
    arguments = [str(argument) for argument in arguments]
    return subprocess.Popen(
        arguments, preexec_fn=end_with_parent, start_new_session=True, stdin=subprocess.DEVNULL, **options
    )


def listening_socket() -> socket.socket:
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    listener.set_inheritable(True)
    return listener


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def start_nginx(upstream: int, work: Path, urls: dict) -> subprocess.Popen:
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2"]
    files = ["-keyout", work / "key.pem", "-out", work / "certificate.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject, *files], check=True, stderr=subprocess.DEVNULL
    )
    values = {"WORK": work, "UPSTREAM_PORT": upstream, "CACHE_PORT": free_port(), "TLS_PORT": free_port()}
    configuration = (HERE / "nginx.conf").read_text()
    for name, value in values.items():
        configuration = configuration.replace(f"@{name}@", str(value))
    (work / "nginx.conf").write_text(configuration)
    urls["BATON_CACHE"] = f"http://127.0.0.1:{values['CACHE_PORT']}/graphql"
    urls["BATON_TLS"] = f"https://localhost:{values['TLS_PORT']}/graphql"
    urls["BATON_CERTIFICATE"] = str(work / "certificate.pem")
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    return start([nginx, "-p", work, "-e", "stderr", "-c", work / "nginx.conf"])


def ticks(count: int, delay: int) -> str:
    """A recorded subscription of the numbers up to a count."""
    lines = ["=== subscription Ticks", "--- variables", json.dumps({"count": count, "delay": delay})]
    for number in range(1, count + 1):
        lines += ["--- response" + (" hasNext" if number < count else ""), json.dumps({"data": {"ticks": number}})]
    return "\n".join(lines) + "\n"


def start_mock(program: str, work: Path, urls: dict) -> subprocess.Popen:
    """Starts baton-mock, whose world has what harbour.py has. What no world does is answered as it was recorded."""
    mock, recordings, port = HERE / "mock", work / "recordings", free_port()
    recordings.mkdir()
    shutil.copy(mock / "answers.txt", recordings)
    (recordings / "ticks.txt").write_text("\n".join(ticks(count, 5) for count in range(1, 51)))
    files = ["--overrides", mock / "overrides.json", "--rules", mock / "rules.json", "--recordings", recordings]
    urls["BATON_MOCK"] = f"http://127.0.0.1:{port}/graphql"
    arguments = [program, "--port", port, "--schema", HERE / "schema.graphql", "--events", 20, *files]
    return start(arguments, stdout=subprocess.DEVNULL)


def wait_for(url: str, process: subprocess.Popen, deadline: float):
    request = urllib.request.Request(url + "?query=%7B__typename%7D")
    while True:
        if process.poll() is not None:
            sys.exit(f"the server of {url} ended with status {process.returncode} instead of answering")
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                response.read()
                return
        except (OSError, urllib.error.HTTPError) as error:
            if time.monotonic() > deadline:
                sys.exit(f"no answer from {url}: {error}")
            time.sleep(0.1)


def stop(processes: list[subprocess.Popen]):
    for process in processes:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    pythons = {requirements: environment(requirements) for _, _, requirements in SERVERS}
    processes, urls, listeners, work = [], {}, [], Path(tempfile.mkdtemp(prefix="baton-servers-"))
    try:
        for variable, application, requirements in SERVERS:
            listener = listening_socket()
            listeners.append(listener)
            urls[variable] = f"http://127.0.0.1:{listener.getsockname()[1]}/graphql"
            arguments = [pythons[requirements], "-B", HERE / "serve.py", application, listener.fileno()]
            processes.append(start(arguments, pass_fds=[listener.fileno()]))
        answering = dict(zip(urls.values(), processes))
        if shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"):
            core = next(listener for server, listener in zip(SERVERS, listeners) if server[0] == "BATON_CORE")
            processes.append(start_nginx(core.getsockname()[1], work, urls))
            answering[urls["BATON_CACHE"]] = processes[-1]
        program = os.environ.get("BATON_MOCK_PROGRAM", MOCK if MOCK.exists() else None)
        if program:
            processes.append(start_mock(program, work, urls))
            answering[urls["BATON_MOCK"]] = processes[-1]
        else:
            print("servers.py: without baton-mock; 'swift build --product baton-mock' makes it", file=sys.stderr)
        deadline = time.monotonic() + LONGEST_START
        for url, process in answering.items():
            wait_for(url, process, deadline)
        if sys.argv[1] == "--serve":
            print("\n".join(f"export {name}={value}" for name, value in urls.items()), flush=True)
            signal.pause()
        command = start(sys.argv[1:], env={**os.environ, **urls})
        processes.append(command)
        try:
            sys.exit(command.wait(timeout=LONGEST_RUN))
        except subprocess.TimeoutExpired:
            sys.exit(f"the command took more than {LONGEST_RUN} seconds")
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        stop(processes)
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()

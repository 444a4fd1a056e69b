#!/usr/bin/env python3
"""Uses the GitHub sample in tmux as a person would, and measures it.

    github-terminal.py PROGRAM SERVICE [--seconds 300] [--seed 1] [--frames FOLDER] [--mock MOCK --schema SCHEMA]

First each thing that the program can do, at three sizes, with keys, pasted texts, the mouse and changes of the size. Then the
time to the first frame, and from a key to the screen. Then a long use of the program against the service over HTTP: searches,
pages, filters, comments that fail, outages that end by themselves. `--seconds` is the length of this part; 0 leaves it out.
During it, memory, descriptors and requests are watched, each screen is checked, and at the end every comment that was
written must be with the service once. `--frames` keeps the screens as text. With `--mock`, the program is used against
`baton-mock` with the whole schema of GitHub: a list, an item, a comment, a list of another kind.
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import select
import shlex
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request

ROW = re.compile(r"[\u25cb\u25cc\u25cf\u25c6] #(\d+) ")
SIGNED = re.compile(r"[\u25cb\u25cc\u25cf\u25c6] (?:open|closed|merged|draft) #(\d+)")

MISTAKES = tempfile.NamedTemporaryFile("r", suffix=".mistakes")


class Tmux:
    """A program in a window of a tmux of its own."""

    windows = 0
    # The number of times that a screen is seen unchanged before it counts as a whole one.
    rests = 1

    def __init__(self, command, size, folder, **environment):
        Tmux.windows += 1
        self.socket = f"baton-{os.getpid()}-{Tmux.windows}"
        self.frames, self.count, self.folder = [], 0, folder
        (columns, rows) = size
        # What the program keeps is kept for this window alone.
        self.state = environment.pop("state", None) or tempfile.mkdtemp()
        environment = {
            "COLORTERM": "truecolor", "TERM": "tmux-256color", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": self.state,
            **environment}
        words = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
        # Mistakes of the program are not drawn; the check is to see them.
        script = f"env {words} {shlex.join(command)} 2>> {MISTAKES.name}; echo ended with $?; exec sleep 1000"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), script)
        self.tmux("set", "-s", "set-clipboard", "on")

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-L", self.socket, *arguments], check=True, capture_output=True, text=True).stdout

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)

    def press(self, *keys):
        self.tmux("send-keys", *keys)
        if keys[-1] == "Escape":
            # What follows at once would be a key with alt.
            time.sleep(0.1)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def paste(self, text):
        self.tmux("set-buffer", "-b", "pasted", text)
        self.tmux("paste-buffer", "-p", "-b", "pasted")

    def click(self, column, row):
        """A press and a release of the left button, as a terminal reports them; both numbers count from 1."""
        self.type(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")

    def wheel(self, column, row):
        self.type(f"\x1b[<65;{column};{row}M")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self):
        """The lines of a whole frame: tmux before 3.4 takes no notice of the marks around one, and shows it in pieces."""
        before, equal = self.tmux("capture-pane", "-p"), 0
        for _ in range(50):
            time.sleep(0.01)
            after = self.tmux("capture-pane", "-p")
            equal = equal + 1 if before == after else 0
            # On a busy machine a piece may be late.
            if equal == self.rests:
                break
            before = after
        return after.split("\n")

    def expect(self, *texts, without=(), seconds=15):
        """Waits until all texts are on the screen, and keeps the screen."""
        deadline = time.monotonic() + seconds
        while True:
            lines = self.screen()
            text = "\n".join(lines)
            if all(wanted in text for wanted in texts) and not any(other in text for other in without):
                self.keep(texts, lines)
                return lines
            assert time.monotonic() < deadline, f"expected {texts} without {without}, but the screen is\n{text}"
            time.sleep(0.02)

    def keep(self, title, lines):
        if self.folder:
            self.count += 1
            name = re.sub(r"\W+", "-", " ".join(title)).strip("-")[:40]
            (self.folder / f"{self.count:03}-{name}.txt").write_text("\n".join(lines))

    def process(self):
        shell = int(self.tmux("display", "-p", "#{pane_pid}"))
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        return int(children[0])


def numbers(lines):
    return [match.group(1) for line in lines if (match := ROW.search(line))]


def drive(program, size, folder):
    """Each thing that a person can do, at one size."""
    (columns, rows) = size
    with tempfile.NamedTemporaryFile("r", suffix=".urls") as opened:
        browser = pathlib.Path(opened.name + ".sh")
        browser.write_text(f"#!/bin/sh\necho \"$1\" >> {opened.name}\n")
        browser.chmod(0o755)
        window = Tmux([program, "--faults", "comments=2"], size, folder, BROWSER=str(browser))
        try:
            use(window, columns, rows, opened)
        finally:
            window.close()
            browser.unlink()
        come_again(program, size, folder, window.state)
        shutil.rmtree(window.state)


def use(window, columns, rows, opened):
    first = window.expect("Issues", "1 of 686")
    assert len(numbers(first)) >= min(rows - 5, 4), first
    # To the end, page by page: a key stops that.
    window.press("G")
    window.expect("any key stops", "of 686")
    window.press("k")
    window.expect("of 686", without=["any key stops", "loading"])
    window.press("G")
    window.expect("686 of 686", without=["any key stops", "loading"])
    window.press("g")
    window.expect("1 of 686")
    # Search as one types, then a pasted search.
    window.press("/")
    window.type("flickers")
    window.expect("Found", "flickers")
    window.press("C-u")
    window.paste("right-to-left")
    found = window.expect("Found", "right-to-left", without=["loading"])
    assert numbers(found) and numbers(found) != numbers(first), found
    window.press("Escape")
    window.expect("Issues", "1 of 686", without=["loading"])
    # Filters.
    window.press("s")
    window.expect("closed", without=["loading", "of 686"])
    window.press("0")
    window.expect("1 of 686")
    window.press("f")
    window.expect("Label", "\u2502  bug ")
    window.press("j", "Enter")
    window.expect("1 of", without=["loading", "of 686", "Label"])
    window.press("0")
    window.press("2")
    window.expect("Pull requests", "1 of", without=["loading"])
    window.press("1")
    window.expect("1 of 686")
    # The mouse: the second row, then the row again, which opens it; the wheel.
    window.click(6, 4)
    window.expect("2 of 686")
    window.click(6, 4)
    window.expect("esc back", without=["loading"])
    window.wheel(columns - 6, rows - 5)
    # A comment, sent and shown; the next one fails and is kept.
    window.press("c")
    window.expect("Comment")
    window.paste("the first line\nthe second line")
    # It is sent once the comments are there, so that it is shown among them.
    window.expect("the second line")
    time.sleep(1)
    window.press("C-s")
    window.expect("the second line", without=["ctrl-s"])
    window.press("c")
    window.type("this one is lost")
    window.press("C-s")
    window.expect("Not sent", without=["ctrl-s"])
    window.press("c")
    window.expect("this one is lost", "ctrl-s")
    window.press("Escape")
    # A reaction, closing, the link, the browser, the keys.
    window.press("+")
    window.expect("React")
    window.press("6")
    window.expect("\U0001F496", without=["React "])
    window.press("+")
    row = next(row for (row, line) in enumerate(window.expect("laugh")) if "laugh" in line)
    window.click(columns // 2, row + 1)
    window.expect("\U0001F604", without=["React "])
    window.press("+")
    window.expect("React ")
    window.click(2, rows - 1)
    window.expect("\U0001F604", without=["React "])
    window.press("x")
    window.expect("is closed")
    window.press("y")
    window.expect("Copied")
    link = window.tmux("show-buffer")
    assert link.startswith("https://github.com/baton-samples/harbor/issues/"), link
    window.press("o")
    window.expect("Opened")
    deadline = time.monotonic() + 5
    while not (seen := pathlib.Path(opened.name).read_text().split()):
        assert time.monotonic() < deadline, "the browser was not opened"
        time.sleep(0.02)
    assert seen == [link], seen
    window.press("?")
    window.expect("Keys")
    window.press("Escape")
    # Other sizes, and back.
    for other in ((columns + 33, rows + 7), (40, 10), (17, 4), (columns, rows)):
        window.resize(*other)
        time.sleep(0.1)
    window.press("Escape")
    # The closed issue counts until the next page of the list comes.
    window.expect("2 of 68")
    # What is not sent is asked about, and it and the filter are there when the program comes again.
    window.press("q")
    window.expect("Not sent: your text about", "esc stay")
    window.press("Escape")
    window.press("2")
    window.expect("Pull requests", without=["Not sent: your text"])
    window.press("q")
    window.expect("Not sent: your text about")
    window.press("Enter")
    window.expect("ended with 0")


def come_again(program, size, folder, state):
    """The program after its end: the filter and the text are there, and `q` ends it once the text is gone."""
    window = Tmux([program], size, folder, state=state)
    try:
        window.expect("Pull requests", "Not sent yet: your text")
        window.press("1")
        window.expect("Issues", "1 of", without=["loading"])
        window.press("c")
        window.press("C-u")
        window.press("Escape")
        window.press("q")
        window.expect("Not sent: your text about")
        window.press("Escape")
        window.press("C-c")
        window.expect("ended with 0")
    finally:
        window.close()


# MARK: - Times

def measure(program):
    """Milliseconds from the start to the first frame, to the first data, and from a key to the end of its frame."""
    firsts, datas, keys = [], [], []
    for _ in range(3):
        began = time.monotonic()
        process, outer = pty.fork()
        if process == 0:
            os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor"})
            os.execv(program, [program])
        fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        seen = b""

        def read_until(wanted):
            nonlocal seen
            deadline = time.monotonic() + 20
            while wanted not in seen:
                assert time.monotonic() < deadline, f"no {wanted} in {seen[-200:]}"
                if select.select([outer], [], [], 0.1)[0]:
                    seen += os.read(outer, 1 << 16)
            return time.monotonic()

        firsts.append(read_until(b"Issues") - began)
        # A frame has only what differs from the one before, so a text may come in pieces; the number of a row comes whole.
        datas.append(read_until(b"m#") - began)
        time.sleep(0.5)
        for key in b"jjjjjjjjjjkkkkkkkkkk":
            while select.select([outer], [], [], 0.2)[0]:
                os.read(outer, 1 << 16)
            seen = b""
            pressed = time.monotonic()
            os.write(outer, bytes([key]))
            keys.append(read_until(b"\x1b[?2026l") - pressed)
        os.kill(process, signal.SIGTERM)
        while select.select([outer], [], [], 1)[0]:
            try:
                if not os.read(outer, 1 << 16):
                    break
            except OSError:
                break
        os.waitpid(process, 0)
        os.close(outer)
    milliseconds = lambda times: 1000 * statistics.median(times)
    print(
        f"first frame {milliseconds(firsts):.0f} ms after the start, data after {milliseconds(datas):.0f} ms; a key is on the "
        f"screen after {milliseconds(keys):.1f} ms (worst of {len(keys)}: {1000 * max(keys):.1f} ms)")
    return milliseconds(firsts), milliseconds(keys)


# MARK: - A long use

class Service:
    """The service over HTTP in a process of its own."""

    def __init__(self, program, faults):
        self.process = subprocess.Popen(
            [program, "--serve", "0", "--faults", faults], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()

    def ask(self, query):
        request = urllib.request.Request(
            self.url, json.dumps({"query": query}).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer test"})
        while True:
            try:
                return json.load(urllib.request.urlopen(request, timeout=30))
            except urllib.error.HTTPError:
                time.sleep(0.5)

    def search(self, kind, words):
        """The count and the first numbers of what a search finds."""
        found = self.ask(
            '{ search(query: "is:%s is:open %s sort:updated-desc", type: ISSUE, first: 60) { issueCount edges { node {'
            " ... on Issue { number } ... on PullRequest { number } } } } }" % (kind, words))["data"]["search"]
        return (found["issueCount"], [str(edge["node"]["number"]) for edge in found["edges"]])

    def comments(self):
        """The texts of the comments on the items that were changed last."""
        found = self.ask(
            '{ search(query: "sort:updated-desc", type: ISSUE, first: 100) { edges { node {'
            " ... on Issue { comments(last: 100) { edges { node { body } } } }"
            " ... on PullRequest { comments(last: 100) { edges { node { body } } } } } } } }")
        items = [edge["node"] for edge in found["data"]["search"]["edges"]]
        return [edge["node"]["body"] for item in items for edge in item["comments"]["edges"]]


class Visitor:
    """Somebody who uses the program for a long time."""

    def __init__(self, window, service, seed):
        self.window, self.service, self.random = window, service, random.Random(seed)
        self.results, self.written, self.failures, self.outages, self.actions, self.checks = [], [], 0, 0, 0, 0
        self.wasOffline = False

    def check(self):
        """What must hold for each screen that shows nothing on its way."""
        lines = self.window.screen()
        self.checks += 1
        text = "\n".join(lines)
        isOffline = "OFFLINE" in text
        if isOffline and not self.wasOffline:
            self.outages += 1
        self.wasOffline = isOffline
        listed = numbers([line[: len(line) // 2] for line in lines[2:]])
        assert len(set(listed)) == len(listed), f"a row is there twice\n{text}"
        if match := re.search(r"(\d+) of (\d+) \u2500\u256f", text):
            assert int(match.group(1)) <= int(match.group(2)), text
        return text

    def settle(self, seconds=30):
        """Waits until nothing is on its way."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            text = self.check()
            if "loading" not in text and "Loading" not in text and "OFFLINE" not in text:
                return text
            time.sleep(0.05)
        raise AssertionError(f"it does not come to rest\n{text}")

    def step(self):
        self.actions += 1
        action = self.random.choices(
            [self.scroll, self.search, self.state, self.kinds, self.read, self.comment, self.close, self.label],
            [30, 12, 6, 6, 20, 8, 6, 3])[0]
        action()
        self.check()

    def press(self, *keys):
        self.window.press(*keys)
        self.check()

    def scroll(self):
        for _ in range(self.random.randint(1, 12)):
            self.press(self.random.choice(["j", "j", "j", "C-d", "k", "G", "g"]))

    def search(self):
        """Types a search. Each screen must show the rows and the count of one and the same text, at last of the whole."""
        self.press("0")
        words = self.random.choice(["parser", "undo lost", "theme", "tmux", "zzz", "minimap", "hangs"])
        kind = self.random.choice(["issue", "pr"])
        self.press("1" if kind == "issue" else "2")
        self.press("g")
        self.settle()
        results = [self.service.search(kind, words[: length + 1]) for length in range(len(words))]
        # What was found before is shown until the service has answered.
        self.results += [result for result in results if result not in self.results]
        self.press("/")
        for character in words:
            self.window.type(character)
            self.found()
        self.press("Enter")
        deadline = time.monotonic() + 30
        while self.found() != results[-1]:
            assert time.monotonic() < deadline, "the search does not come\n" + "\n".join(self.window.screen())
        self.scroll()
        self.press("0")

    def found(self):
        """The result that the screen shows; nil if it shows none."""
        lines = self.window.screen()
        text = "\n".join(lines)
        self.checks += 1
        if "Found" not in text:
            return None
        listed = numbers([line[: len(line) // 2] for line in lines[2:]])
        count = re.search(r"1 of (\d+) \u2500\u256f", text)
        for (total, expected) in reversed(self.results):
            if listed == expected[: len(listed)] and (int(count.group(1)) if count else 0) == total:
                return (total, expected)
        raise AssertionError(f"rows and count are those of no search in {self.results}\n{text}")

    def state(self):
        self.press("s")

    def kinds(self):
        self.press(self.random.choice(["1", "2"]))

    def label(self):
        self.press("f")
        self.press("j", "j")
        self.press("Enter")

    def read(self):
        self.press("Enter")
        self.scroll()
        self.press("Escape")

    def close(self):
        self.press("x")

    def comment(self):
        """Writes until the comment is with the service: a text that was not sent is in the window again."""
        self.press("Escape", "0")
        self.press("g")
        if "1 of" not in self.settle():
            return
        text = f"comment {len(self.written)} of {os.getpid()}"
        self.press("c")
        self.window.expect("ctrl-s")
        self.press("C-u")
        self.window.paste(text)
        self.written.append(text)
        for _ in range(40):
            self.window.expect(text, "ctrl-s")
            self.press("C-s")
            outcome = self.outcome()
            if outcome == "sent":
                break
            self.failures += 1
            if outcome == "forbidden":
                # Nobody may comment on a locked item.
                self.written.pop()
                self.press("c")
                self.window.expect(text, "ctrl-s")
                self.press("C-u")
                self.press("Escape")
                break
            self.settle()
            self.press("c")
        self.press("Escape")

    def outcome(self):
        """Waits for the answer to a comment."""
        deadline, again = time.monotonic() + 30, time.monotonic() + 1
        while time.monotonic() < deadline:
            text = self.check()
            if "ctrl-s" in text:
                # What stands in the last line beside the open window is of the comment before.
                if time.monotonic() > again:
                    # The comments were still on their way, which the program has told.
                    self.press("C-s")
                    again = time.monotonic() + 1
            elif "Not sent" in text:
                return "forbidden" if "locked" in text else "failed"
            elif "Sent." in text:
                return "sent"
            time.sleep(0.05)
        raise AssertionError(f"a comment has no outcome\n{text}")


def live(program, service, seconds, seed, folder):
    service = Service(service, "latency=30,comments=3,outage=20/4,limit=1000000")
    window = Tmux([program, "--url", service.url], (140, 40), folder, GITHUB_TOKEN="test")
    window.rests = 4
    try:
        window.expect("1 of 686")
        process = window.process()
        visitor = Visitor(window, service, seed)
        began, samples, next_sample = time.monotonic(), [], 0.0
        while (now := time.monotonic() - began) < seconds:
            if now >= next_sample:
                status = pathlib.Path(f"/proc/{process}/status").read_text()
                memory = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
                samples.append((now, memory, len(os.listdir(f"/proc/{process}/fd"))))
                next_sample = now + max(1, seconds / 120)
            visitor.step()
        visitor.settle()
        # What has happened stands in the place of the counters for some seconds.
        text = "\n".join(window.expect(" requests,", seconds=30))
        sent = int(re.search(r"(\d+) requests", text).group(1))
        there = service.comments()
        lost = [text for text in visitor.written if there.count(text) != 1]
        window.press("Escape", "Escape")
        window.press("q")
        window.expect("ended with 0")
    finally:
        window.close()
        service.process.terminate()
    third = [memory for (now, memory, _) in samples if now >= seconds / 3]
    early, late = max(third[: max(1, len(third) // 4)]), max(third[-max(1, len(third) // 4):])
    descriptors = [count for (_, _, count) in samples]
    print(
        f"{seconds} s: {visitor.actions} actions, {visitor.checks} screens, {sent} requests, {len(visitor.written)} comments "
        f"({visitor.failures} attempts failed), {visitor.outages} outages; memory {samples[0][1]:.0f} MB at first, {early:.0f} MB "
        f"after a third, {late:.0f} MB at the end; descriptors {min(descriptors)} to {max(descriptors)}")
    assert not lost, f"not with the service once: {lost}"
    assert max(descriptors) <= descriptors[0] + 8, descriptors
    assert late <= early * 1.15 + 8, samples
    assert sent <= visitor.checks, "more requests than keys"


def against_mock(program, mock, schema, folder):
    """The program with made-up data of the whole schema."""
    server = subprocess.Popen([mock, "--schema", schema, "--port", "0"], stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().split()[0]
    window = Tmux([program, "--url", url], (120, 36), folder, GITHUB_TOKEN="test")
    try:
        first = window.expect("Issues", "1 of ", "comment", without=["loading"])
        assert numbers([line[:54] for line in first]), first
        window.press("Enter")
        count = int(re.search(r"(\d+) comments? ", "\n".join(window.expect("esc back", without=["loading"]))).group(1))
        window.press("c")
        window.expect("Comment")
        window.type("written against a mock")
        window.press("C-s")
        window.expect("Sent.", f"{count + 1} comments")
        window.press("Escape")
        window.press("2")
        window.expect("Pull requests", "1 of ", without=["loading"])
        window.press("1")
        # The server has the comment too: the item is fetched again.
        window.press("r")
        window.expect("Issues", f"{count + 1} comments", without=["loading"])
        page = urllib.request.urlopen(url.replace("/graphql", "/"), timeout=30).read().decode()
        assert "mutation CommentingMutation" in page and "written against a mock" in page
        window.press("q")
        window.expect("ended with 0")
    finally:
        window.close()
        server.terminate()
        server.wait()
    print("baton-mock: a list, an item, a comment and another list work against the whole schema")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("service")
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--frames", type=pathlib.Path)
    parser.add_argument("--mock", type=pathlib.Path)
    parser.add_argument("--schema", type=pathlib.Path)
    parser.add_argument("--only", choices=["drive", "measure", "live", "mock"])
    options = parser.parse_args()
    if options.frames:
        options.frames.mkdir(parents=True, exist_ok=True)
    if options.only in (None, "drive"):
        for size in ((80, 24), (40, 10), (200, 60)):
            folder = options.frames / f"{size[0]}x{size[1]}" if options.frames else None
            if folder:
                folder.mkdir(exist_ok=True)
            drive(options.program, size, folder)
            print(f"{size[0]}x{size[1]}: all keys, pasted texts, the mouse and other sizes work")
    if options.only in (None, "mock") and options.mock:
        against_mock(options.program, options.mock, options.schema, options.frames)
    if options.only in (None, "measure"):
        measure(options.program)
    if options.only in (None, "live") and options.seconds:
        live(options.program, options.service, options.seconds, options.seed, options.frames)


if __name__ == "__main__":
    main()
    written = MISTAKES.read()
    assert not written, written

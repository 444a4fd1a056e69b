#!/usr/bin/env python3
"""Walks the tutorial as a reader does: writes the files of each page, compiles, runs, types, and compares the output.

The pages are those of the group Tutorial in Baton.md, in its order. Before a block of code, a comment says what it is:

    <!-- file: PATH -->       the whole file
    <!-- change: PATH -->     lines to take out (-) and to put in (+), beside lines that stay; @@ between two places
    <!-- refused: PATH -->    such a change with which the package does not build; the next block has the error
    <!-- session: ARGS -->    what the program prints with these arguments; lines after `> ` are typed

usage: tutorial.py FOLDER [OPTION...]    FOLDER must not exist; the options are those of `swift build`
"""
import difflib
import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CATALOG = ROOT / "Sources/Baton/Baton.docc"
BLOCK = re.compile(r"(?:<!-- (\w+): (\S*) ?-->\n)?```[^\n]*\n(.*?)```\n", re.DOTALL)
# The longest wait for what a program prints, in seconds.
PATIENCE = 60
PACKAGE = "books"
PROGRAM = "Books"


def fail(text):
    sys.exit(f"tutorial: {text}")


def pages():
    group = (CATALOG / "Baton.md").read_text().split("\n### Tutorial\n")[1].split("\n### ")[0]
    return re.findall(r"<doc:(\w+)>", group)


def changed(text, change, place):
    """Returns a file's text after a change; each place of the change must be there once."""
    for part in re.split(r"^@@\n", change, flags=re.MULTILINE):
        lines = part.splitlines(keepends=True)
        if strange := [line for line in lines if line[0] not in " +-"]:
            fail(f"{place}: the line {strange[0]!r} of a change begins neither with a space nor with + or -")
        old = "".join(line[1:] for line in lines if line[0] != "+")
        new = "".join(line[1:] for line in lines if line[0] != "-")
        if text.count(old) != 1:
            fail(f"{place}: these lines are there {text.count(old)} times:\n{old}")
        text = text.replace(old, new)
    return text


class Program:
    """A program in a terminal that does not repeat what is typed."""

    def __init__(self, command):
        master, self.end = pty.openpty()
        modes = termios.tcgetattr(self.end)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(self.end, termios.TCSANOW, modes)
        self.terminal = master
        self.process = subprocess.Popen(command, stdin=self.end, stdout=self.end, stderr=self.end)
        os.close(self.end)
        self.text = ""

    def read(self, enough):
        """Reads until the text is long enough, or the program has ended."""
        limit = time.monotonic() + PATIENCE
        while len(self.text) < enough and time.monotonic() < limit:
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                data = b""
            if not data:
                break
            self.text += data.decode().replace("\r\n", "\n")

    def expect(self, text, place):
        self.read(len(text))
        if not self.text.startswith(text):
            fail(f"{place}: another output:\n{difference(text, self.text)}")
        self.text = self.text[len(text):]

    def type(self, line):
        os.write(self.terminal, (line + "\n").encode())

    def end_well(self, place):
        self.read(1 << 30)
        if self.text or self.process.wait(PATIENCE) != 0:
            fail(f"{place}: after the session: {self.text!r}, status {self.process.poll()}")


def difference(expected, actual):
    return "\n".join(difflib.unified_diff(expected.splitlines(), actual.splitlines(), "page", "program", lineterm=""))


def play(command, session, place):
    program = Program(command)
    try:
        for part in re.split(r"^(> .*\n)", session, flags=re.MULTILINE):
            if part.startswith("> "):
                program.type(part[2:-1])
            else:
                program.expect(part, place)
        program.end_well(place)
    finally:
        program.process.kill()


class Walk:
    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.products = None

    def swift(self, *arguments):
        return subprocess.run(
            ["swift", *arguments[:1], *self.options, *arguments[1:]], cwd=self.folder / PACKAGE, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def checked(self, place, *arguments):
        done = self.swift(*arguments)
        if done.returncode != 0 or "warning:" in done.stdout:
            fail(f"{place}: swift {' '.join(arguments)} fails or warns:\n{done.stdout}")
        return done.stdout

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.name == "Package.swift":
            # A page names the address and the version; here the package is this clone.
            address = re.escape((ROOT / ".ci/address").read_text().strip())
            here = f'.package(name: "baton", path: "{ROOT}")'
            text = re.sub(rf'\.package\(url: "{address}", from: "[0-9.]*"\)', here, text)
        target.write_text(text)

    def page(self, name):
        started = time.monotonic()
        blocks = BLOCK.findall((CATALOG / f"{name}.md").read_text())
        for kind, path, text in blocks:
            if kind == "file":
                self.write(path, text)
            elif kind == "change":
                self.write(path, changed((self.folder / path).read_text(), text, f"{name}, {path}"))
        if any("swift run baton compile" in text for kind, _, text in blocks if not kind):
            self.compile(name)
        if any("swift test" in text for kind, _, text in blocks if not kind):
            self.test(name, blocks)
        else:
            self.checked(name, "build", "--product", PROGRAM)
        for kind, arguments, text in blocks:
            if kind == "session":
                play([f"{self.products}/{PROGRAM}", *arguments.split()], text, name)
        for index, (kind, path, text) in enumerate(blocks):
            if kind == "refused":
                self.refuse(name, path, text, blocks[index + 1][2].strip())
        print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)

    def compile(self, name):
        """Compiles the documents; after the first time by the program that the package manager has built then."""
        if self.products is None:
            self.checked(name, "run", "baton", "compile")
            self.products = self.checked(name, "build", "--show-bin-path").strip()
        else:
            subprocess.run([f"{self.products}/baton", "compile"], cwd=self.folder / PACKAGE, check=True)

    def test(self, name, blocks):
        """Runs the tests; the last block of the page is the end of what they print."""
        self.checked(name, "build", "--build-tests")
        said = self.swift("test", "--skip-build")
        if said.returncode != 0 or blocks[-1][2].strip() not in said.stdout:
            fail(f"{name}: the tests print something else:\n{said.stdout}")

    def refuse(self, name, path, change, message):
        """Expects that a change does not build, and takes it back."""
        text = (self.folder / path).read_text()
        self.write(path, changed(text, change, f"{name}, {path}"))
        said = self.swift("build", "--product", PROGRAM)
        if said.returncode == 0 or message not in said.stdout:
            fail(f"{name}: the change of {path} is not refused with '{message}':\n{said.stdout}")
        self.write(path, text)


def main():
    walk = Walk(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:])
    walk.folder.mkdir(parents=True)
    for name in pages():
        walk.page(name)
    # Not the manifest, in which the path of this clone stands for an address.
    sources = [path for path in (walk.folder / PACKAGE).rglob("*/*.swift") if "Generated" not in path.parts]
    lint = ["swift", "format", "lint", "--strict", "--configuration", ROOT / ".swift-format", *sources]
    subprocess.run(lint, check=True)
    print(f"tutorial: {len(pages())} pages do what they say")


main()

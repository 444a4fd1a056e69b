#!/usr/bin/env python3
"""Compares the widths of TerminalRenderer with those of a terminal: tmux.

    terminal-widths.py [--seed N]

Every sequence of Unicode's emoji-test.txt (Debian's package unicode-data) and 1,000 random texts are written in tmux, which
is asked where its cursor is. A width that the library calls certain must be that of tmux. Then each text is drawn by the
library, before a bar: whatever tmux makes of the text, the bar stands behind it and what is further right is untouched,
also when the text of the frame before is gone.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import termios
import tty

EMOJI = pathlib.Path("/usr/share/unicode/emoji/emoji-test.txt")
ROWS = 40
SCRIPTS = [
    (0x20, 0x7E), (0xA1, 0xFF), (0x100, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x627, 0x64A), (0x904, 0x957), (0xB85, 0xBCD),
    (0xE01, 0xE33), (0x1100, 0x115F), (0x2190, 0x21FF), (0x2500, 0x259F), (0x2600, 0x26FF), (0x3041, 0x3096), (0x30A1, 0x30FA),
    (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xFF01, 0xFF5E), (0x1F300, 0x1F5FF), (0x1F600, 0x1F64F), (0x20000, 0x2A6DF),
]
JOINED = ["\u0301", "\u0308", "\u20E3", "\uFE0F", "\uFE0E", "\u200D", "\u0E31", "\u064E", "\U0001F3FD", "\u3099"]


def emoji():
    for line in EMOJI.read_text(encoding="utf-8").splitlines():
        match = re.match(r"([0-9A-F ]+?)\s*;", line)
        if match:
            yield "".join(chr(int(code, 16)) for code in match.group(1).split())


def random_text(rng):
    first, last = rng.choice(SCRIPTS)
    characters = []
    for _ in range(rng.randint(1, 12)):
        if rng.random() < 0.2:
            first, last = rng.choice(SCRIPTS)
        characters.append(chr(rng.randint(first, last)))
        if rng.random() < 0.15:
            characters.append(rng.choice(JOINED))
    return "".join(characters)


def inside(folder):
    """Runs in tmux: writes each text and asks for the cursor, then shows each frame and captures it."""
    pane = os.environ["TMUX_PANE"]
    before = termios.tcgetattr(0)
    tty.setraw(0)

    def cursor():
        os.write(1, b"\x1b[6n")
        answer = b""
        while not answer.endswith(b"R"):
            answer += os.read(0, 64)
        return int(answer.rpartition(b";")[2][:-1]) - 1

    try:
        with open(folder / "columns", "w", encoding="ascii") as columns:
            for text in (folder / "texts").read_text(encoding="utf-8").split("\n")[:-1]:
                os.write(1, b"\x1b[H\x1b[2J" + text.encode())
                columns.write(f"{cursor()}\n")
        os.write(1, b"\x1b[?7l")
        page = 0
        while (folder / f"page-{page}").exists():
            os.write(1, b"\x1b[?25l" + (folder / f"page-{page}").read_bytes())
            cursor()
            shown = subprocess.run(["tmux", "capture-pane", "-p", "-t", pane], stdout=subprocess.PIPE, check=True).stdout
            (folder / f"shown-{page}").write_bytes(shown)
            page += 1
    finally:
        termios.tcsetattr(0, termios.TCSANOW, before)
        (folder / "done").touch()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", type=pathlib.Path)
    options = parser.parse_args()
    if options.inside:
        return inside(options.inside)
    rng = random.Random(options.seed)
    texts = list(emoji()) + [random_text(rng) for _ in range(1000)]
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "texts").write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    subprocess.run(
        ["swift", "test", "--skip-build", "--filter", "WidthCorpusTests"], env={**os.environ, "BATON_WIDTHS": str(folder)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    server = ["tmux", "-u", "-L", f"baton-{os.getpid()}"]
    command = f"'{sys.executable}' '{os.path.abspath(__file__)}' --inside '{folder}' 2> '{folder}/error'"
    subprocess.run(
        [*server, "-f", "/dev/null", "new-session", "-d", "-x", "60", "-y", str(ROWS + 1), command], check=True,
        env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"})
    while subprocess.run([*server, "has-session"], stderr=subprocess.DEVNULL).returncode == 0:
        if (folder / "done").exists():
            break
    if not (folder / "done").exists():
        sys.exit("terminal-widths: tmux has ended: " + (folder / "error").read_text())
    failures, differences, certain = [], 0, 0
    widths = [line.split() for line in (folder / "widths").read_text().splitlines()]
    columns = [int(line) for line in (folder / "columns").read_text().splitlines()]
    assert len(widths) == len(columns) == len(texts)
    for text, (width, certainty), column in zip(texts, widths, columns):
        certain += certainty == "certain"
        if int(width) != column:
            differences += 1
            if certainty == "certain":
                failures.append(f"{ascii(text)} is {width} columns wide and certain, but tmux is at {column}")
    for start in range(0, len(texts), ROWS):
        shown = (folder / f"shown-{start // ROWS}").read_text(encoding="utf-8").split("\n")
        for text, line in zip(texts[start:start + ROWS], shown):
            # Behind the bar stands nothing else, also nothing of the frame before.
            if line.count("|") != text.count("|") + 1 or line.rpartition("|")[2].strip(" ") != "end" or line[-4:] != " end":
                failures.append(f"{ascii(text)} is shown as {ascii(line)}")
    for failure in failures[:20]:
        print(f"terminal-widths: {failure}")
    if failures:
        sys.exit(f"terminal-widths: {len(failures)} failures, texts in {folder}")
    print(f"ok       {len(texts)} texts, {certain} of certain width, {differences} others of another width in tmux")


if __name__ == "__main__":
    main()

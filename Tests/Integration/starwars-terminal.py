#!/usr/bin/env python3
"""Uses the StarWars sample in a terminal, as a person would, and checks that it gives the terminal back.

    starwars-terminal.py [PROGRAM]

A pseudo-terminal is the window. What the program writes goes through a small emulator, so that only what is on the screen
counts, and every sequence that the emulator does not know is a failure.
"""
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ENTER = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[?2004h\x1b[?1000h\x1b[?1006h"
LEAVE = b"\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
MODES = ("?1049", "?25", "?7", "?2004", "?1000", "?1006", "?2026")
# The first film is selected, and shown at the right.
FIRST = ("1 The Phantom Menace", "\u256d\u2500 The Phantom Menace \u2500", "Episode I ", "online")
SECOND = ("\u256d\u2500 Attack of the Clones \u2500", "Episode II ")
MISTAKES = tempfile.NamedTemporaryFile()
SEQUENCE = re.compile(rb"\x1b\[(\??[0-9;]*)([A-Za-z])")


def expect_no_mistakes():
    """What the programs have written to standard error is nothing."""
    with open(MISTAKES.name) as file:
        written = file.read()
    assert not written, written


class Window:
    """A program in a terminal window of a given size."""

    def __init__(self, program, columns=80, rows=24, draws_errors=False, **environment):
        self.columns, self.rows = columns, rows
        self.process, self.outer = pty.fork()
        if self.process == 0:
            if not draws_errors:
                os.dup2(MISTAKES.fileno(), 2)
            os.environ.update({"TERM": "xterm", **environment})
            # Python ignores two of these and `nohup` one; a program leaves alone what it is told to ignore.
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.execv(program[0], program)
        self.before = termios.tcgetattr(self.outer)
        self.resize(columns, rows)
        self.written = b""
        self.pending = b""
        self.cells = {}
        self.cursor = None
        self.colors = set()
        self.has_cursor = False

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.outer, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.outer, keys)

    def read(self, seconds):
        """Takes what the program writes within a time; false when it is gone."""
        if not select.select([self.outer], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.outer, 65536)
        except OSError:
            return False
        self.written += data
        self.feed(self.pending + data)
        return bool(data)

    def feed(self, data):
        while data:
            if data[:1] == b"\x1b":
                match = SEQUENCE.match(data)
                if not match:
                    break
                self.control(match.group(1).decode(), match.group(2).decode())
                data = data[match.end():]
                continue
            end = data.find(b"\x1b")
            text, data = (data, b"") if end < 0 else (data[:end], data[end:])
            for length in range(len(text), max(-1, len(text) - 4), -1):
                try:
                    characters = text[:length].decode()
                except UnicodeDecodeError:
                    continue
                for character in characters:
                    self.put(character)
                data = text[length:] + data
                break
            if end < 0:
                break
        self.pending = data

    def put(self, character):
        assert self.cursor, f"'{character}' at an unknown place"
        row, column = self.cursor
        self.cells[row, column] = character
        self.cursor = (row, column + 1)

    def control(self, parameters, final):
        if final == "H":
            row, column = parameters.split(";")
            self.cursor = (int(row) - 1, int(column) - 1)
        elif final == "J":
            assert parameters == "2", parameters
            self.cells = {}
        elif final == "m":
            self.colors |= {int(number) for number in parameters.split(";") if int(number) >= 30}
        else:
            assert parameters in MODES and final in "hl", f"unknown sequence {parameters}{final}"
            if parameters == "?25":
                self.has_cursor = final == "h"

    def screen(self):
        return "\n".join(
            "".join(self.cells.get((row, column), " ") for column in range(self.columns)).rstrip() for row in range(self.rows)
        )

    def expect(self, *texts, seconds=20):
        """Waits until everything is on the screen."""
        deadline = time.monotonic() + seconds
        while not all(text in self.screen() for text in texts):
            if time.monotonic() > deadline or not self.read(0.1):
                raise AssertionError(f"expected {texts}, but the screen is\n{self.screen()}")

    def expect_stopped(self, seconds=20):
        """Waits until the program is stopped, and takes what it has written before."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read(0.05)
            process, status = os.waitpid(self.process, os.WNOHANG | os.WUNTRACED)
            if process:
                assert os.WIFSTOPPED(status), f"the program has ended with {status}"
                while self.read(0.05) and select.select([self.outer], [], [], 0.05)[0]:
                    pass
                return
        raise AssertionError("the program was not stopped")

    def end(self, seconds=20):
        """Waits for the end of the program: its status as a shell would say it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read(0.05)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                while self.read(0.05) and select.select([self.outer], [], [], 0.05)[0]:
                    pass
                return os.waitstatus_to_exitcode(status)
        os.kill(self.process, signal.SIGKILL)
        raise AssertionError("the program did not end")

    def expect_given_back(self, expected):
        """Waits for the end, with a status; the screen was taken over first and given back last."""
        status = self.end()
        assert status == expected, f"the program ended with status {status} and not {expected}"
        assert self.written.startswith(ENTER), f"the screen was not taken over first: {self.written[:60]!r}"
        assert self.written.endswith(LEAVE), f"after status {status} the screen was not given back: {self.written[-60:]!r}"


def uses_keys(program):
    window = Window(program)
    window.expect(*FIRST)
    window.type(b"\x1b[Bjj")
    window.expect("\u256d\u2500 A New Hope \u2500", "Episode IV ")
    window.type(b"s")
    window.expect("\u2605 4 A New Hope", "\u2605 favourite", "1 record changed, 2 components told, 2 drawn")
    # The response comes soon, and the counts can be read nevertheless.
    started = time.monotonic()
    while time.monotonic() < started + 2:
        window.read(0.1)
        assert "1 record changed, 2 components told, 2 drawn" in window.screen(), window.screen()
    window.type(b"p")
    window.expect("Publishes", "nothing new: film favorite", "2 drawn: optimistic film favorite")
    window.type(b"p")
    window.expect("\u2605 4 A New Hope", "nothing new: film favorite")
    window.type(b"r")
    window.expect("nothing new: film")
    # The cable is out: the star is shown at once and taken back, and the program recovers by itself.
    window.type(b"es")
    window.expect("offline", "\u2717 The favourite was taken back", "\u2605 4 A New Hope", "\u2605 favourite")
    window.expect("online", seconds=40)
    window.type(b"\t\x1b[B\x1b[B\x1b[Aggk\r")
    window.expect("\u256d\u2500 Luke Skywalker \u2500", "T-65B", "\u2605 4 A New Hope")
    window.resize(40, 10)
    window.expect("\u256d\u2500 Luke Skywalker \u2500", "Friends")
    window.resize(1, 1)
    window.expect("")
    window.resize(200, 60)
    window.expect("1 The Phantom Menace", "Friends    Leia Organa")
    window.resize(80, 24)
    window.expect("Friends    Leia Organa")
    window.type(b"\x1b")
    window.expect("\u256d\u2500 A New Hope \u2500")
    assert window.colors, "there are colours"
    window.type(b"q")
    window.expect_given_back(0)


def uses_mouse_and_paste(program):
    window = Window(program)
    window.expect(*FIRST)
    window.type(b"\x1b[<0;10;4M\x1b[<0;10;4m")
    window.expect(*SECOND)
    window.type(b"\x1b[<65;60;10M" * 4)
    window.expect("Cast 8 of 14", "Padm\u00e9 Amidala")
    window.type(b"/\x1b[200~fal\rcon\x1b[201~")
    window.expect("/ fal con")
    # The terminal's cursor is behind the text.
    window.read(0.3)
    assert window.has_cursor and window.screen().split("\n")[window.cursor[0]][:window.cursor[1]].endswith("/ fal con"), window.cursor
    window.type(b"\x15\x1b[200~falcon\x1b[201~")
    window.expect("/ falcon", "\u256d\u2500 Millennium Falcon \u2500", "Pilots")
    # In a text field q is a letter.
    window.type(b"q")
    window.expect("/ falconq")
    window.type(b"\x1b")
    window.expect(*SECOND)
    window.read(0.3)
    assert not window.has_cursor
    window.type(b"wA duel, a race, a vote.\t3\x13")
    window.expect("\u2605\u2605\u2605\u2606\u2606  A duel, a race, a vote.")
    window.type(b"?")
    window.expect("any other key closes")
    window.type(b"qq")
    window.expect_given_back(0)


def control_c_ends(program):
    window = Window(program)
    window.expect(*FIRST)
    window.type(b"\x03")
    window.expect_given_back(0)


def no_color_is_honoured(program):
    window = Window(program, NO_COLOR="1")
    window.expect(*FIRST)
    window.type(b"q")
    window.expect_given_back(0)
    assert not window.colors, f"colours {window.colors}"


def signals_restore(program):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT,
                   signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE, signal.SIGALRM, signal.SIGXCPU, signal.SIGPROF):
        window = Window(program)
        window.expect(*FIRST)
        raw = termios.tcgetattr(window.outer)
        assert raw[3] & (termios.ICANON | termios.ECHO) == 0, "keys are not raw"
        os.kill(window.process, number)
        window.expect_given_back(-number)
        assert termios.tcgetattr(window.outer)[3] == window.before[3], f"{number!r}: the mode is not what it was"


def a_dumb_terminal_gets_a_frame(program):
    window = Window(program, TERM="dumb")
    window.feed = lambda data: None
    assert window.end() == 0
    assert b"\x1b" not in window.written and "The Phantom Menace".encode() in window.written, window.written


def a_pipe_gets_a_frame_and_a_status(program):
    whole = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert whole.returncode == 0 and "The Phantom Menace" in whole.stdout and not whole.stderr, whole
    nobody = subprocess.run([*program, "--url", "http://127.0.0.1:1/"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert nobody.returncode == 1 and nobody.stderr.startswith("starwars: "), nobody


def stops_and_goes_on(program):
    """STOP cannot be caught, and TSTP can: after both the program takes the terminal again and draws the whole frame."""
    window = Window(program)
    window.expect(*FIRST)
    for number in (signal.SIGTSTP, signal.SIGSTOP, signal.SIGTSTP):
        before = len(window.written)
        os.kill(window.process, number)
        window.expect_stopped()
        if number == signal.SIGTSTP:
            assert window.written.endswith(LEAVE), f"the screen was not given back: {window.written[-60:]!r}"
            assert termios.tcgetattr(window.outer)[3] == window.before[3], "the mode was not given back"
        # The shell sets its own mode and writes to the screen.
        termios.tcsetattr(window.outer, termios.TCSANOW, window.before)
        window.cells = {(5, 5): "$"}
        os.kill(window.process, signal.SIGCONT)
        window.expect(*FIRST)
        assert ENTER in window.written[before:], "the screen was not taken again"
        mode = termios.tcgetattr(window.outer)[3]
        assert mode & (termios.ICANON | termios.ECHO) == 0, "keys are not raw again"
        window.type(b"\x1b[B")
        window.expect(*SECOND)
        window.type(b"\x1b[A")
        window.expect(*FIRST)
    os.kill(window.process, signal.SIGTSTP)
    window.expect_stopped()
    os.kill(window.process, signal.SIGCONT)
    window.type(b"q")
    window.expect_given_back(0)


class Shell(Window):
    """A shell with job control in the window, in which the program is a job."""

    def __init__(self, program):
        shell = ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"]
        super().__init__(shell, draws_errors=True, PS1="$ ", HISTFILE="", LC_ALL="C")
        self.clear()
        self.expect_text("$ ")
        self.run(shlex.join(program))

    def clear(self):
        """What the shell writes begins at the top. The emulator knows no line ends, so all of it is one line."""
        self.cells, self.cursor, self.beginning = {}, (0, 0), len(self.written)

    def expect_text(self, *texts, seconds=20):
        """Waits until everything was written."""
        deadline = time.monotonic() + seconds
        while not all(text.encode() in self.written[self.beginning:] for text in texts):
            if time.monotonic() > deadline or not self.read(0.1):
                raise AssertionError(f"expected {texts}, but the shell wrote {self.written[self.beginning:]}")

    def run(self, command):
        self.clear()
        self.type(command.encode() + b"\n")

    def job(self):
        """The process that the shell has started last."""
        with open(f"/proc/{self.process}/task/{self.process}/children") as children:
            return int(children.read().split()[-1])

    def expect_stopped_job(self, job, seconds=20):
        """Waits until all threads of the job are stopped. Only then the shell hears of it: before that `fg` would not continue it."""
        deadline = time.monotonic() + seconds
        while True:
            states = set()
            for thread in os.listdir(f"/proc/{job}/task"):
                with open(f"/proc/{job}/task/{thread}/stat") as stat:
                    states.add(stat.read().rpartition(")")[2].split()[0])
            if states == {"T"}:
                return
            assert time.monotonic() < deadline, f"threads of the job are in the states {sorted(states)}"
            self.read(0.05)

    def is_foreground(self, job):
        return os.tcgetpgrp(self.outer) == os.getpgid(job)


def is_a_job_of_a_shell(program):
    """Stopped from outside and continued in the background, the program leaves the terminal to the shell. In the foreground
    it takes the terminal again and draws the whole frame."""
    shell = Shell(program)
    shell.expect(*FIRST)
    job = shell.job()
    for number in (signal.SIGTSTP, signal.SIGSTOP):
        assert shell.is_foreground(job)
        shell.clear()
        os.kill(job, number)
        shell.expect_text("Stopped", "$ ")
        for command in ("bg", f"kill -CONT {job}"):
            shell.run(command + "; echo went-$((20 + 22))")
            shell.expect_text("went-42")
            # It stops at once, because the terminal is not its own, and has written nothing.
            before = len(shell.written)
            shell.expect_stopped_job(job)
            shell.run("echo typed-$((20 + 23))")
            shell.expect_text("typed-43", "$ ")
            assert not shell.is_foreground(job)
            assert ENTER not in shell.written[before:] and b"\x1b" not in shell.written[before:], shell.written[before:]
        before = len(shell.written)
        shell.run("fg")
        shell.expect(*FIRST)
        assert ENTER in shell.written[before:], "the screen was not taken again"
        shell.type(b"\x1b[B")
        shell.expect(*SECOND)
        shell.type(b"\x1b[A")
        shell.expect(*FIRST)
    shell.clear()
    shell.type(b"\x1a")
    shell.expect_text("Stopped", "$ ")
    shell.run("fg")
    shell.expect(*FIRST)
    shell.clear()
    shell.type(b"q")
    shell.expect_text("$ ")
    shell.run("echo ended-$?")
    shell.expect_text("ended-0")
    shell.run("exit")
    assert shell.end() == 0


def starts_in_the_background(program):
    """Started with &, the program leaves the terminal to the shell, and takes it when it is brought to the foreground."""
    shell = Shell(program + ["--help"])
    shell.expect_text("opens the application")
    shell.run(shlex.join(program) + " &")
    shell.expect_text("[1]", "$ ")
    job = shell.job()
    shell.expect_stopped_job(job)
    before = len(shell.written)
    shell.run("echo typed-$((20 + 23))")
    shell.expect_text("typed-43", "$ ")
    assert b"\x1b" not in shell.written[before:], shell.written[before:]
    shell.run("fg")
    shell.expect(*FIRST)
    shell.type(b"\x1b[B")
    shell.expect(*SECOND)
    shell.clear()
    shell.type(b"q")
    shell.expect_text("$ ")
    shell.run("echo ended-$?")
    shell.expect_text("ended-0")
    shell.run("exit")
    assert shell.end() == 0


LINE = re.compile(r"(\d+) (?:records? )?changed, (\d+) (?:components? )?told, (\d+) drawn")


def says_what_is_drawn_under_load(program):
    """On a busy machine the line never says that fewer components were drawn than were told."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    screens, lines = 0, 0
    try:
        window = Window(program)
        window.expect(*FIRST, seconds=120)
        while screens < 60:
            window.type(b"s" if screens % 3 else b"r")
            deadline = time.monotonic() + 1.5
            while time.monotonic() < deadline:
                before = len(window.written)
                assert window.read(0.1), "the program is gone"
                # What stays for a moment is a screen; a frame may come in pieces.
                if len(window.written) == before or select.select([window.outer], [], [], 0.02)[0]:
                    continue
                screens += 1
                screen = window.screen()
                match = LINE.search(screen)
                if match:
                    lines += 1
                    told, drawn = match.group(2), match.group(3)
                    assert told == drawn and told != "0", f"{told} told, {drawn} drawn on screen {screens}:\n{screen}"
                assert "told, 0 drawn" not in screen and "baton:" not in screen, screen
        assert lines >= 5, f"only {lines} of {screens} screens had the line"
        window.type(b"q")
        window.expect_given_back(0)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"         {screens} screens, {lines} with the line")


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    program = sys.argv[1:] or [os.path.join(root, ".build", "debug", "starwars")]
    checks = (
        uses_keys, uses_mouse_and_paste, control_c_ends, no_color_is_honoured, signals_restore, a_dumb_terminal_gets_a_frame,
        a_pipe_gets_a_frame_and_a_status, stops_and_goes_on, is_a_job_of_a_shell,
        starts_in_the_background, says_what_is_drawn_under_load)
    for check in checks:
        check(program)
        print("ok      ", check.__name__.replace("_", " "))


if __name__ == "__main__":
    main()
    expect_no_mistakes()

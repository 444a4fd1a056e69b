#!/usr/bin/env python3
"""Uses the program in TerminalRenderer's README in a terminal, as a person would: adds, marks, removes, fails and quits.

    todo-program.py PROGRAM
"""
import importlib.util
import os
import sys

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "starwars-terminal.py")
spec = importlib.util.spec_from_file_location("starwars_terminal", path)
terminal = importlib.util.module_from_spec(spec)
spec.loader.exec_module(terminal)

window = terminal.Window(sys.argv[1:], columns=60, rows=12)
window.expect("[x] Write a schema", "[ ] Write a program", "To do", " 2 ")
window.type(b"aBuy milk")
window.expect("Buy milk")
window.type(b"\r")
# It is on the screen before the server has it; the count says that it has.
window.expect("[ ] Buy milk", " 3 ")
# The list takes the arrows alone, so letters and enter belong to the program.
window.type(b"\x1b[B\x1b[B\r")
window.expect("[x] Buy milk")
window.type(b"d")
window.expect(" 2 ")
assert "Buy milk" not in window.screen(), window.screen()
# What the server refuses is said, and taken back.
window.type(b"a\r")
window.expect("Not added: a thing to do has a name")
window.expect(" 2 ")
window.type(b"rTea\r")
window.expect("[ ] Tea", " 3 ")
assert "Not added" not in window.screen(), window.screen()
window.type(b"q")
window.expect_given_back(0)
terminal.expect_no_mistakes()
print("todo-program: the program does what its keys say")

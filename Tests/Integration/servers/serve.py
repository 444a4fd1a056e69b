"""Serves one of the applications on a listening socket that the parent process has opened: serve.py NAME DESCRIPTOR"""

import importlib
import logging
import os
import socket
import sys

import uvicorn

from logbook import Logbook

name, descriptor = sys.argv[1], int(sys.argv[2])
# The libraries log every error of a field, and many fields here are there to fail.
logging.disable(logging.ERROR)
# For a restart, which keeps the descriptor and closes all others.
os.set_inheritable(descriptor, True)
app = Logbook(importlib.import_module(f"{name}_app").app)
config = uvicorn.Config(app, log_level="critical", timeout_keep_alive=75, timeout_graceful_shutdown=1, access_log=False)
uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])

"""A connection between two programs that can be cut: a TCP server that passes everything on to another one."""
import socket
import threading


class Wire:
    def __init__(self, host, port):
        self.target, self.port, self.listener, self.ends = (host, port), 0, None, set()
        self.mend()

    def mend(self):
        """Takes connections, at the same port as before."""
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def cut(self):
        """Ends all connections, and refuses others."""
        # A thread that waits for connections keeps the port until it wakes up.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for end in list(self.ends):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                self.ends.add(one)
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(1 << 16):
                other.sendall(data)
        except OSError:
            pass
        self.ends.discard(one)
        try:
            # Both directions end, as those who only wait for the other one would wait for ever.
            other.shutdown(socket.SHUT_RDWR)
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()

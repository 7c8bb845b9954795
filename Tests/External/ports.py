"""Ports for servers whose address must be known before they listen."""

import pathlib
import random
import socket

_FIRST = 10_000
# The system gives connections the ports from this number on, unless it has no other.
_END = max(int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]), 2 * _FIRST)
_given = set()


def free_port():
    """A port that is free, below those of connections, and another one each time."""
    while True:
        port = random.randrange(_FIRST, _END)
        with socket.socket() as found:
            try:
                found.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in _given:
            _given.add(port)
            return port

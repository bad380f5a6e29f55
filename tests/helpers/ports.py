"""Ports for servers that tests start, stop and start again."""

from __future__ import annotations

import random
import socket

# Below the ports that Linux and macOS give to clients. A client that keeps trying to connect to a port among those,
# while its server is down, may be given that very port, and then talks to itself; or another client takes the port.
_PORTS = range(20_000, 32_000)
_given: set[int] = set()


def free_port() -> int:
    """Returns a port of the loopback on which nothing listens, and which this process has not been given before."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        if port in _given:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.add(port)
        return port

"""Ports for servers that tests start, stop and start again."""

from __future__ import annotations

import random
import socket

# Below the ports that Linux and macOS give to clients. A client that keeps trying to connect to a port among those,
# while its server is down, may be given that very port, and then talks to itself; or another client takes the port.
_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """Returns a port of the loopback on which nothing listens."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port

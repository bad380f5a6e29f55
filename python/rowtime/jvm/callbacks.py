"""Calls from Spark's JVM to this process, such as for each micro-batch of a query.

PySpark starts py4j's callback server at a port of the loopback address, without authentication: every local process
could call the objects that this one has passed to the JVM. So rowtime starts the server, before PySpark does: at a Unix
domain socket in a folder of its own, which no other user can open, and with a token. Where there are no such sockets,
it is a port, with the token.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
from collections.abc import Callable
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from rowtime.jvm.py4j import java_class
from rowtime.privatefolder import private_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CALLBACKS_CLASS = "io.rowtime.callbacks.Callbacks"
_LONGEST_PATH = 100
"""The number of bytes in the path of a Unix domain socket: 104 on macOS, 108 on Linux, with a terminator."""
_guard = threading.Lock()


def start(spark: SparkSession) -> None:
    """Starts the callback server of this process, unless it is running, and directs the JVM's calls to it: another
    process that uses the same JVM may have directed them to its own.

    If PySpark has started its own before (for `foreachBatch`, or a listener), this one takes its place, for the same
    objects. Calls that are under way continue; connections that are not the JVM's are closed.
    """
    gateway = spark.sparkContext._gateway
    with _guard:
        # py4j looks up what the gateway lacks in the JVM.
        running = gateway.__dict__.get("_callback_server")
        if getattr(running, "is_private", False):
            _direct(spark, gateway, running)
        else:
            _replace(spark, gateway, running)


def exposed(interface: str, **methods: Callable[..., Any]) -> Any:
    """Returns an object that the JVM can call, which implements a Java interface. The JVM can call these `methods` and
    nothing else: py4j would look up any attribute by its name."""
    return _Exposed(interface, methods)


def withdraw(called: Any) -> None:
    """Takes the methods from an object that `exposed` has returned. The JVM keeps such an object alive, which keeps
    what its methods lead to: if that is the object of the JVM which calls it, neither is ever freed."""
    object.__getattribute__(called, "_methods").clear()


class _Exposed:
    __slots__ = ("Java", "_methods")

    def __init__(self, interface: str, methods: dict[str, Callable[..., Any]]) -> None:
        object.__setattr__(self, "Java", SimpleNamespace(implements=(interface,)))
        object.__setattr__(self, "_methods", methods)

    def __getattribute__(self, name: str) -> Any:
        # py4j reads the interface.
        if name == "Java":
            return object.__getattribute__(self, name)
        if name == "__class__":
            # For `isinstance`, which py4j's converters use.
            return object
        found = object.__getattribute__(self, "_methods").get(name)
        if found is None:
            raise AttributeError(name)
        return found


def _direct(spark: SparkSession, gateway: Any, server: Any) -> set[int]:
    """Directs the JVM's calls to a server. Returns the local ports of the connections on which they went before."""
    from py4j.java_gateway import JavaObject

    java_server = JavaObject("GATEWAY_SERVER", gateway._gateway_client)
    address = "" if server.place is None else str(server.place)
    port = server.get_listening_port() if server.place is None else 0
    token = server.callback_server_parameters.auth_token
    ports = java_class(spark, _CALLBACKS_CLASS).direct(java_server, address, port, token)
    # py4j ends an iteration by an exception of the JVM, which takes a hundred calls.
    return {ports.get(i) for i in range(ports.size())}


def _replace(spark: SparkSession, gateway: Any, running: Any) -> None:
    # A copy: what is PySpark's stays as it is.
    parameters = copy(gateway.callback_server_parameters)
    parameters.daemonize = parameters.daemonize_connections = True
    parameters.port = 0
    parameters.auth_token = secrets.token_hex(32)
    server = _server(gateway, parameters, _socket_path())
    server.start()
    ports = _direct(spark, gateway, server)
    gateway._callback_server = server
    gateway._python_proxy_port = server.get_listening_port() if server.place is None else 0
    if running is not None:
        _close(running, ports)


def _socket_path() -> Path | None:
    """Returns the path for the socket, in a folder that only this user can open; None if there are no such sockets
    here."""
    if not hasattr(socket, "AF_UNIX") or os.name == "nt":
        return None
    for parent in (None, "/tmp"):
        path = private_folder(parent) / "calls"
        if len(os.fsencode(path)) < _LONGEST_PATH:
            path.unlink(missing_ok=True)
            return path
    return None


def _server(gateway: Any, parameters: Any, place: Path | None) -> Any:
    """Returns py4j's server for the gateway, with these parameters, which listens at `place`."""
    server = gateway._create_callback_server(parameters)
    server.callback_server_parameters = server.python_parameters = parameters
    kind = type(server)

    class Server(kind):  # type: ignore[misc, valid-type]
        is_private = True

        def start(self) -> None:
            if place is None:
                super().start()
                self.port = self.get_listening_port()
                return
            self.server_socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.server_socket.bind(str(place))
            place.chmod(0o600)
            self._listening_address, self._listening_port = str(place), 0
            self.thread = threading.Thread(target=self.run, name="rowtime callbacks", daemon=True)
            self.thread.start()

        def shutdown(self) -> None:
            super().shutdown()
            if place is not None:
                place.unlink(missing_ok=True)

    server.__class__ = Server
    server.place = place
    return server


def _close(running: Any, ports: set[int]) -> None:
    """Ends a callback server, but neither its objects nor the JVM's connections to it, which are from these ports."""
    with running.lock:
        running.is_shutdown = True
        listening, connections = running.server_socket, list(running.connections)
    with contextlib.suppress(OSError):
        listening.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        listening.close()
    for connection in connections:
        with contextlib.suppress(OSError, AttributeError):
            if connection.socket.getpeername()[1] not in ports:
                # Its thread, which reads from it, closes it.
                connection.socket.shutdown(socket.SHUT_RDWR)

"""Starts the server for JDBC clients in Spark's JVM."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.httpserver import is_loopback, own_names
from rowtime.jvm import callbacks
from rowtime.jvm.open_files import NEEDED, most_open_files
from rowtime.jvm.py4j import java_class, java_message
from rowtime.secrets.memory import remember
from rowtime.serve.backend import Backend
from rowtime.serve.engine import Engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SERVER_CLASS = "io.rowtime.serve.JdbcServer"
MOST_CONNECTIONS = 1_000
_LEAST_CONNECTIONS = 8
_FILES_PER_CONNECTION = 4
"""Two for a client's sockets, and as many for what its queries need."""
IDLE_SECONDS = 600.0
LARGEST_REQUEST = 64 << 20
ANSWER_SECONDS = 60.0
"""How long a client may take for 64 KiB of an answer."""


class JdbcServer:
    """Serves JDBC clients at `address` and `port` until it is closed."""

    def __init__(self, server: Any, backend: Backend, address: str) -> None:
        self._server = server
        self._backend = backend
        self.address = address
        self.port = int(server.port())

    @property
    def url(self) -> str:
        """The URL for JDBC."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"jdbc:rowtime://{host}:{self.port}"

    def close(self) -> None:
        """Ends the server and the queries of its clients. Pumps continue."""
        self._server.close()
        self._backend.close()


def serve(
    engine: Engine,
    spark: SparkSession,
    store: Store,
    port: int,
    address: str = "127.0.0.1",
    *,
    user: str = "rowtime",
    password: str | None = None,
    keystore: str | None = None,
    keystore_password: str = "",
    idle_timeout: float = IDLE_SECONDS,
    hosts: Sequence[str] = (),
) -> JdbcServer:
    """See `Session.serve_jdbc`. Raises RowtimeError RT0617 (the port cannot be opened), RT0628 (the address needs a
    password and TLS), RT0629 (the key store cannot be used)."""
    remember([secret for secret in (password, keystore_password) if secret])
    if not is_loopback(address) and (not password or keystore is None):
        raise error(
            "RT0628",
            f"At {address} other machines can connect: a password and TLS are needed",
            hint="Give a password and a key store, or serve at 127.0.0.1",
        )
    if keystore is not None:
        _check_keystore(keystore)
    backend = Backend(engine, store)
    settings = {
        "address": address,
        "port": port,
        "user": user,
        "password": password,
        "keystore": keystore,
        "keystorePassword": keystore_password,
        "connections": _most_connections(),
        "idleMillis": int(idle_timeout * 1000),
        "largest": LARGEST_REQUEST,
        "hosts": own_names(hosts),
        "answerMillis": int(ANSWER_SECONDS * 1000),
    }
    starter = java_class(spark, _SERVER_CLASS)
    callbacks.start(spark)
    called = callbacks.exposed("io.rowtime.serve.Backend", call=backend.call)
    try:
        started = starter.start(called, msgspec.json.encode(settings).decode())
    except Exception as fault:
        reason = java_message(fault)
        if keystore is not None and "keystore" in reason.lower():
            raise error("RT0629", f"The key store '{keystore}' cannot be used: {reason}") from fault
        raise error(
            "RT0617", f"JDBC cannot be served at {address}:{port}: {reason}", hint="Choose another port"
        ) from fault
    return JdbcServer(started, backend, address)


def _most_connections() -> int:
    """Returns the number of connections for which this process may have enough open files."""
    room = (most_open_files() - NEEDED) // _FILES_PER_CONNECTION
    return min(MOST_CONNECTIONS, max(_LEAST_CONNECTIONS, room))


def _check_keystore(keystore: str) -> None:
    try:
        Path(keystore).read_bytes()
    except OSError as fault:
        raise error("RT0629", f"The key store '{keystore}' cannot be read: {fault.strerror}") from fault

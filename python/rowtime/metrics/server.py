"""Serves the metrics of a session over HTTP, for Prometheus to scrape."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.httpserver import BoundedHandler, BoundedServer, is_loopback, is_own_name, own_names

if TYPE_CHECKING:
    from rowtime.runtime.runtime import Runtime


class MetricsServer:
    """Serves `/metrics` at `address` and `port` until it is closed."""

    def __init__(self, server: BoundedServer) -> None:
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, name="rowtime metrics", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    @property
    def address(self) -> str:
        return str(self._server.server_address[0])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def serve(runtime: Runtime, port: int, address: str, hosts: Iterable[str] = ()) -> MetricsServer:
    """Starts the server. At a loopback address it answers requests that name it by a loopback name or one of `hosts`.
    Raises RowtimeError RT0616 (the extra is not installed) and RT0617 (the port cannot be opened)."""
    try:
        from prometheus_client import CollectorRegistry, ProcessCollector
        from prometheus_client.exposition import MetricsHandler
    except ModuleNotFoundError as fault:
        hint = "pip install 'rowtime[metrics]'"
        raise error("RT0616", f"Metrics need the package '{fault.name}', which is missing", hint=hint) from fault
    from rowtime.metrics.collector import RuntimeCollector

    registry = CollectorRegistry()
    registry.register(RuntimeCollector(runtime))
    ProcessCollector(registry=registry)
    names = [*own_names(hosts), address] if is_loopback(address) else None

    class Handler(BoundedHandler, MetricsHandler):
        def do_GET(self) -> None:
            if names is None or is_own_name(self.headers.get("Host"), names):
                super().do_GET()
            else:
                self.send_error(403, "RT0634: The server is not known by this name")

    Handler.registry = registry
    try:
        return MetricsServer(BoundedServer((address, port), Handler))
    except (OSError, OverflowError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise error(
            "RT0617", f"Metrics cannot be served at {address}:{port}: {reason}", hint="Choose another port"
        ) from fault

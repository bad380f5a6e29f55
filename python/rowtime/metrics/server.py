"""Serves the metrics of a session over HTTP, for Prometheus to scrape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error

if TYPE_CHECKING:
    import threading
    from wsgiref.simple_server import WSGIServer

    from rowtime.runtime.execute import Runtime


class MetricsServer:
    """Serves `/metrics` at `address` and `port` until it is closed."""

    def __init__(self, server: WSGIServer, thread: threading.Thread) -> None:
        self._server = server
        self._thread = thread

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


def serve(runtime: Runtime, port: int, address: str) -> MetricsServer:
    """Starts the server. Raises RowtimeError RT0616 (the extra is not installed) and RT0617 (the port cannot be
    opened)."""
    try:
        from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
    except ModuleNotFoundError as fault:
        hint = "pip install 'rowtime[metrics]'"
        raise error("RT0616", f"Metrics need the package '{fault.name}', which is missing", hint=hint) from fault
    from rowtime.metrics.collector import RuntimeCollector

    registry = CollectorRegistry()
    registry.register(RuntimeCollector(runtime))
    ProcessCollector(registry=registry)
    try:
        return MetricsServer(*start_http_server(port, address, registry))
    except (OSError, OverflowError) as fault:
        reason = getattr(fault, "strerror", None) or fault
        raise error(
            "RT0617", f"Metrics cannot be served at {address}:{port}: {reason}", hint="Choose another port"
        ) from fault

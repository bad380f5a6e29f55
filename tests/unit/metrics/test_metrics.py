"""Metrics as a scraper gets them over HTTP."""

from __future__ import annotations

import datetime as dt
import http.client
import socket
import subprocess
import sys
import urllib.request
from typing import Any, cast

import pytest
from prometheus_client.parser import text_string_to_metric_families

from rowtime import httpserver
from rowtime.errors import RowtimeError
from rowtime.metrics.server import serve
from rowtime.runtime.query.query import Query
from rowtime.session import Session

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def scraped(port: int) -> Samples:
    """Returns the samples by name and labels, without the text of queries."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
        text = page.read().decode()
    return {
        (sample.name, tuple(sorted((k, v) for k, v in sample.labels.items() if k != "sql"))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2006, 9, 11, hour, minute)


def test_what_a_scrape_says(rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER)")
    rt.sql("CREATE STREAM t (n INTEGER)")
    server = rt.serve_metrics(0)
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM rowtime, n FROM s WHERE n > 1")
    query = rt.sql(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM t GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert isinstance(query, Query)
    with rt.producer("S") as producer:
        producer.insert([(at(10), 1), (at(10, 30), 2), (at(11), 3), (at(9), 4)])
        rt.runtime.settle([query])
        found = scraped(server.port)
        me, pump = (("kind", "query"), ("query", query.id)), (("kind", "pump"), ("query", "P"))
        s, t = (("stream", "S"),), (("stream", "T"),)
        # One of four rows was too late for S; P lets two of the others through; the hour from 10:00 is over.
        assert found["rowtime_stream_rows_total", s] == 3
        assert found["rowtime_stream_rejected_rows_total", (("reason", "late"), ("stream", "S"))] == 1
        assert found["rowtime_stream_rows_total", t] == 2
        assert found["rowtime_stream_producers", s] == 1
        assert found["rowtime_stream_bound_timestamp_seconds", s] == at(11).replace(tzinfo=dt.timezone.utc).timestamp()
        assert found["rowtime_stream_commits_total", s] >= 1
        assert found["rowtime_query_rows_out_total", pump] == 2
        assert found["rowtime_query_rows_out_total", me] == 1
        assert found["rowtime_query_late_rows_total", me] == 0
        assert (found["rowtime_query_up", me], found["rowtime_query_up", pump]) == (1, 1)
        assert found["rowtime_query_restarts_total", me] == 0
        # The group that is open.
        assert found["rowtime_query_state_rows", me] == 1
        assert found["rowtime_query_state_bytes", me] > 0
        assert found["rowtime_query_bound_lag_seconds", me] > 10 * 365 * 86400
        assert found["rowtime_pump_lag_seconds", (("query", "P"),)] == 0
        count = found["rowtime_query_batch_duration_seconds_count", me]
        assert count == found["rowtime_query_batch_duration_seconds_bucket", (*me[:1], ("le", "+Inf"), *me[1:])] > 0
        assert found["rowtime_query_batch_duration_seconds_sum", me] > 0
        query.kill()
        assert scraped(server.port)["rowtime_query_up", me] == 0
        query.restart()
        query.process_all_available()
        again = scraped(server.port)
        assert again["rowtime_query_restarts_total", me] == 1
        assert again["rowtime_query_batch_duration_seconds_count", me] >= count
        query.stop()
        assert ("rowtime_query_up", me) not in scraped(server.port)
    rt.close()
    with pytest.raises(OSError, match="refused"):
        scraped(server.port)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(RowtimeError) as fault:
            # Nothing is asked of the session before somebody scrapes.
            serve(cast("Session", None), taken.getsockname()[1], "127.0.0.1")
    assert fault.value.code == "RT0617"


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(RowtimeError) as fault:
        serve(cast("Session", None), 0, "127.0.0.1")
    (said,) = fault.value.diagnostics
    assert (said.code, said.hint) == ("RT0616", "pip install 'rowtime[metrics]'")


def test_nothing_is_imported_for_it() -> None:
    code = "import sys, rowtime.session; print([m for m in sys.modules if m.startswith(('prom', 'opent'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("wrong", ["x", "1:x", "99999", ""])
def test_a_wrong_endpoint(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    from rowtime_cli.main import main

    assert main(["run", "-e", "VALUES (1)", "--metrics-port", wrong]) == 2
    assert "RT0624" in capsys.readouterr().err


def test_endpoints() -> None:
    from rowtime_cli.metrics import Endpoint, endpoint

    given: list[Any] = [endpoint(text) for text in (None, "9464", "0.0.0.0:9464", "[::1]:9464")]
    assert given == [None, Endpoint("127.0.0.1", 9464), Endpoint("0.0.0.0", 9464), Endpoint("::1", 9464)]


def test_who_gets_metrics(rt: Session) -> None:
    """A page of the web that has given its own name this machine's address gets none."""
    server = rt.serve_metrics(0, hosts=["metrics.example"])

    def status(host: str) -> int:
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        link.request("GET", "/metrics", headers={"Host": host})
        return link.getresponse().status

    assert [status(host) for host in ("localhost:1", "[::1]", "metrics.example:9", "rebound.example")] == [
        200, 200, 200, 403,
    ]  # fmt: skip


def test_clients_that_send_nothing_or_too_much(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpserver, "CONNECTIONS", 8)
    monkeypatch.setattr(httpserver, "IDLE_SECONDS", 5.0)
    monkeypatch.setattr(httpserver.BoundedHandler, "timeout", 5.0)
    server = rt.serve_metrics(0)
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(8)]
    with socket.create_connection(("127.0.0.1", server.port)) as ninth:
        ninth.settimeout(10)
        assert ninth.recv(100).startswith(b"HTTP/1.1 503")
    for link in silent:
        link.settimeout(30)
        assert link.recv(100) == b""
    with socket.create_connection(("127.0.0.1", server.port)) as long:
        long.settimeout(10)
        long.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 60_000 + b"\r\nY: " + b"y" * 10_000 + b"\r\n")
        assert b" 431 " in long.recv(100)
    assert scraped(server.port)

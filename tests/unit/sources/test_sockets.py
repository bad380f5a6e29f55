"""Connector 'socket' against a server in this process."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from typing import Any

import pytest
from queries import eventually, start_query
from socket_server import Server

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.session import Session


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def create(rt: Session, server: Server, columns: str, more: str = "") -> None:
    rt.sql(
        f"CREATE FOREIGN STREAM wire ({columns}) "
        f"OPTIONS (connector 'socket', host '127.0.0.1', port '{server.port}'{more})"
    )


def until(query: Query, count: int) -> list[tuple[Any, ...]]:
    """Waits until there are this many rows, and returns them."""
    end = time.monotonic() + 180
    rows: list[tuple[Any, ...]] = []
    while len(rows) < count:
        assert time.monotonic() < end, rows
        query.process_all_available()
        rows += [tuple(row) for row in query.rows()]
    return rows


def test_lines_in_order_over_restarts(rt: Session, server: Server) -> None:
    create(rt, server, "n INTEGER, name VARCHAR", ", format 'csv', max_records_per_batch '3'")
    query = start_query(rt, "SELECT STREAM rowtime, n, name FROM wire")
    server.send(*[f"2015-02-15 10:00:0{i},{i},é" for i in range(5)], "", "2015-02-15 10:00:05,x,y")
    assert [row[1:] for row in until(query, 5)] == [(i, "é") for i in range(5)]
    entry = rt.store.get("WIRE")
    assert entry is not None
    foreign = rt.runtime.launcher.foreign
    eventually(lambda: foreign.bad_row_count(entry, query.checkpoint.name) == 2)
    query.kill()
    server.hang_up()
    query.restart()
    server.send("2015-02-15 10:00:06,6,")
    assert [row[1:] for row in until(query, 1)] == [(6, None)]
    # The server goes away and comes back, and the query with it.
    server.hang_up()
    server.send("2015-02-15 10:00:07,7,z")
    assert [row[1:] for row in until(query, 1)] == [(7, "z")]
    query.stop()


def test_a_batch_that_is_repeated_has_the_same_lines(rt: Session, server: Server) -> None:
    """A pump dies when its batch is in the target and Spark has not recorded that yet; and again before its rows were
    there."""
    create(rt, server, "line VARCHAR", ", format 'raw'")
    rt.sql("CREATE TABLE kept (line VARCHAR)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO kept SELECT STREAM line FROM wire")
    runtime = rt.runtime

    def lines() -> list[str]:
        found: Any = rt.sql("SELECT line FROM kept ORDER BY line")
        return [row[0] for row in found]

    def forget_last_commit() -> None:
        commits = max(rt.store.warehouse.rglob("spark/commits/[0-9]*"), key=lambda file: int(file.name))
        commits.unlink()

    server.send("a", "b")
    eventually(lambda: lines() == ["a", "b"])
    runtime.settle([])
    runtime.kill_pumps()
    server.hang_up()
    forget_last_commit()
    runtime.restart_pumps()
    server.send("c")
    eventually(lambda: len(lines()) > 2)
    assert lines() == ["a", "b", "c"]


def test_two_scans_read_the_same_lines(rt: Session, server: Server) -> None:
    create(rt, server, "bytes VARBINARY", ", format 'raw'")
    before = dt.datetime.now(dt.timezone.utc).replace(tzinfo=None) - dt.timedelta(seconds=1)
    query = start_query(rt, "SELECT STREAM rowtime, bytes FROM wire UNION ALL SELECT STREAM rowtime, bytes FROM wire")
    server.send(" a ")
    rows: list[tuple[Any, ...]] = []

    def came() -> bool:
        # Later lines move the bound, which lets out what waits for the other scan.
        server.send("more")
        query.process_all_available()
        rows.extend(tuple(row) for row in query.rows())
        return sum(bytes(row[1]) == b" a " for row in rows) > 1

    eventually(came)
    first, second = (row[0] for row in rows if bytes(row[1]) == b" a ")
    assert before <= first == second <= dt.datetime.now(dt.timezone.utc).replace(tzinfo=None)
    query.stop()


def test_nobody_answers(rt: Session, server: Server) -> None:
    create(rt, server, "line VARCHAR", ", format 'raw'")
    server.close()
    with pytest.raises(RowtimeError) as fault:
        rt.sql("SELECT STREAM * FROM wire")
    assert fault.value.code == "RT0526"
    assert f"cannot connect to 127.0.0.1:{server.port}: Connection refused" in fault.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("port '0'", "RT0522", "has port '0', which is not a number from 1 to 65535"),
        ("port_env 'NO_PORT'", "RT0522", "has port '0', which is not a port number"),
        ("port '99', format 'avro'", "RT0522", "known values are json, csv, raw"),
        ("port '99', format 'raw', delimiter ';'", "RT0523", "has the option delimiter, but its format is 'raw'"),
        ("format 'csv'", "RT0521", "needs the option port"),
    ],
)
def test_options_that_cannot_be(
    rt: Session, monkeypatch: pytest.MonkeyPatch, options: str, code: str, said: str
) -> None:
    monkeypatch.setenv("NO_PORT", "0")
    with pytest.raises(RowtimeError) as fault:  # noqa: PT012
        rt.sql(f"CREATE FOREIGN STREAM wire (line VARCHAR) OPTIONS (connector 'socket', host '127.0.0.1', {options})")
        rt.sql("SELECT STREAM * FROM wire")
    assert fault.value.code == code
    assert said in fault.value.diagnostics[0].message


def test_there_is_no_history(rt: Session, server: Server) -> None:
    rt.sql(
        "CREATE FOREIGN TABLE wire (line VARCHAR) "
        f"OPTIONS (connector 'socket', host '127.0.0.1', port '{server.port}', format 'raw')"
    )
    with pytest.raises(RowtimeError) as fault:
        list(rt.sql("SELECT * FROM wire"))  # type: ignore[arg-type]
    assert fault.value.code == "RT0529"
    assert "has no history" in fault.value.diagnostics[0].message


def test_a_pump_is_told_that_a_socket_repeats_nothing(rt: Session, server: Server) -> None:
    create(rt, server, "line VARCHAR", ", format 'raw'")
    rt.sql("CREATE VIEW shout AS SELECT STREAM rowtime, UPPER(line) AS line FROM wire")
    rt.sql("CREATE STREAM kept (line VARCHAR)")
    plan = rt.plan("CREATE PUMP p STOPPED AS INSERT INTO kept SELECT STREAM line FROM shout")
    (warning,) = plan.warnings
    assert (warning.code, warning.severity) == ("RT0528", "warning")
    assert "reads 'WIRE', whose connector 'socket' cannot be read twice" in warning.message

"""A log read from its files: the latest rows, those from a time on, and those that come."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.tail import Tail
from rowtime_cli import main

Make = Callable[..., StreamLog]
HOUR = 3_600_000


def column(name: str, type: str = "INTEGER", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "nullable": True, **more}


def at(hour: int) -> dt.datetime:
    return dt.datetime(1970, 1, 1, hour)


def put(log: StreamLog, *rows: tuple[int, Any]) -> None:
    """Returns the rows of one commit, each the hour of ROWTIME and n."""
    log.submit(WriteRequest(rows=log.table([[hour * HOUR * 1000, n] for hour, n in rows])))


def test_the_latest_rows_and_those_from_a_time_on(make: Make) -> None:
    log = make()
    assert Tail(log).last(3) == []
    assert not log.folder.exists()
    put(log, (1, 10), (2, 20))
    log.mark()
    put(log, (3, 30))
    put(log, (3, 31), (5, 50))
    assert Tail(log).last(0) == []
    assert Tail(log).last(3) == [(at(3), 30), (at(3), 31), (at(5), 50)]
    assert len(Tail(log).last(99)) == 5
    assert list(Tail(log).since(None)) == [[(at(1), 10), (at(2), 20)], [(at(3), 30)], [(at(3), 31), (at(5), 50)]]
    assert list(Tail(log).since(2 * HOUR)) == [[(at(2), 20)], [(at(3), 30)], [(at(3), 31), (at(5), 50)]]
    assert list(Tail(log).since(3 * HOUR + 1)) == [[(at(5), 50)]]


def test_disorder_that_a_lateness_allows_is_in_time_for_since(make: Make) -> None:
    lateness = column("ROWTIME", "TIMESTAMP(3)", nullable=False, latenessValue={"millis": 2 * HOUR})
    log = make(lateness, column("n"))
    put(log, (5, 1))
    put(log, (4, 2))
    assert [row[1] for rows in Tail(log).since(4 * HOUR) for row in rows] == [1, 2]
    assert [row[1] for rows in Tail(log).since(5 * HOUR) for row in rows] == [1]


def test_values_of_every_type_are_those_of_rows(make: Make) -> None:
    log = make(
        column("d", "DECIMAL(5, 2)"),
        column("t", "TIME(3)"),
        column("i", "INTERVAL DAY TO SECOND"),
        column("two words", "VARCHAR(5)"),
        column("a", "TIMESTAMP(3) ARRAY"),
        column("b", "BOOLEAN"),
    )
    row = [HOUR * 1000, decimal.Decimal("1.50"), 3_600_000_000, 90_000, "x", [HOUR * 1000, None], True]
    log.submit(WriteRequest(rows=log.table([row, [2 * HOUR * 1000, *[None] * 6]])))
    assert Tail(log).last(2) == [
        (at(1), decimal.Decimal("1.50"), dt.time(1), dt.timedelta(seconds=90), "x", [at(1), None], True),
        (at(2), *[None] * 6),
    ]


def test_what_follows_comes_commit_by_commit_and_is_not_cleaned_up_before(make: Make) -> None:
    log = make()
    put(log, (1, 10))
    tail = Tail(log)
    assert tail.last(0) == []
    put(log, (2, 20))
    following = tail.follow()
    assert next(following) == [(at(2), 20)]
    assert [lease.version for lease in log.leases.all()] == [2]
    put(log, (3, 30))
    put(log, (4, 40))
    log.clean()
    assert next(following) == [(at(3), 30)]
    assert next(following) == [(at(4), 40)]
    following.close()
    assert log.leases.all() == []


def test_following_begins_before_the_first_row_and_ends_with_the_stream(make: Make, store: Store) -> None:
    log = make()
    following = Tail(log).follow()
    thread = threading.Timer(0.3, lambda: put(log, (1, 10)))
    thread.start()
    assert next(following) == [(at(1), 10)]
    thread.join()
    store.commit([{"action": "drop", "names": ["S"]}])
    shutil.rmtree(log.folder)
    with pytest.raises(RowtimeError, match="RT0312"):
        next(following)


def test_the_command(make: Make, store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    log = make()
    put(log, (1, 10), (2, None))

    def answer(*arguments: str) -> tuple[int, str]:
        code = main.main(["stream", "tail", *arguments, "--warehouse", str(store.warehouse)])
        return code, capfd.readouterr().out

    assert answer("s", "-n", "1") == (
        0,
        " ROWTIME             | n\n---------------------+---\n 1970-01-01 02:00:00 |\n",
    )
    assert [json.loads(line) for line in answer("s", "--format", "json")[1].splitlines()] == [
        {"ROWTIME": "1970-01-01T01:00:00.000", "n": 10},
        {"ROWTIME": "1970-01-01T02:00:00.000", "n": None},
    ]
    since = answer("s", "--from", "1970-01-01 02:00:00", "--format", "csv")
    assert since == (0, "ROWTIME,n\n1970-01-01T02:00:00.000,\n")
    assert answer("nothing") == (1, "")
    assert answer("s", "--from", "tomorrow") == (2, "")


def test_ctrl_c_ends_following_cleanly(make: Make, store: Store) -> None:
    log = make()
    put(log, (1, 10))
    command = [sys.executable, "-m", "rowtime_cli.main", "stream", "tail", "s", "-f", "--format", "json"]
    process = subprocess.Popen(
        [*command, "--warehouse", str(store.warehouse)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["n"] == 10
    put(log, (2, 20))
    assert json.loads(process.stdout.readline())["n"] == 20
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, out, errors) == (0, "", "")
    deadline = time.monotonic() + 120
    while log.leases.all() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert log.leases.all() == []

"""Connector 'rate'."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.session import Session


def rows_of(query: Query, count: int) -> list[tuple[Any, ...]]:
    end = time.monotonic() + 180
    rows: list[tuple[Any, ...]] = []
    while len(rows) < count:
        assert time.monotonic() < end, rows
        rows += [tuple(row) for row in query.rows()]
        time.sleep(0.1)
    return rows


def test_numbers_that_go_on_after_a_restart(rt: Session) -> None:
    rt.sql("CREATE FOREIGN STREAM ticks (\"VALUE\" BIGINT) OPTIONS (connector 'rate', rows_per_second '20')")
    query = rt.sql('SELECT STREAM rowtime, "VALUE" FROM ticks')
    assert isinstance(query, Query)
    first = rows_of(query, 20)
    query.kill()
    first += [tuple(row) for row in query.rows()]
    query.restart()
    rows = first + rows_of(query, 20)
    query.stop()
    assert [row[1] for row in rows] == list(range(len(rows)))
    gaps = {(after[0] - before[0]).total_seconds() for before, after in pairwise(rows)}
    assert gaps == {0.05}


def test_two_scans_see_the_same_rows(rt: Session) -> None:
    rt.sql("CREATE FOREIGN STREAM ticks (\"VALUE\" BIGINT) OPTIONS (connector 'rate', rows_per_second '10')")
    query = rt.sql('SELECT STREAM rowtime, "VALUE" FROM ticks UNION ALL SELECT STREAM rowtime, "VALUE" FROM ticks')
    assert isinstance(query, Query)
    rows = rows_of(query, 20)[:20]
    query.stop()
    assert rows[::2] == rows[1::2]
    assert [row[1] for row in rows[::2]] == list(range(10))


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (", rows_per_second 'x'", "RT0522", "has rows_per_second 'x'"),
        (", ramp_up_time 'x'", "RT0522", "has ramp_up_time 'x', which is not a duration"),
        (", rate '1'", "RT0523", "unknown option rate"),
    ],
)
def test_options_that_cannot_be(rt: Session, options: str, code: str, said: str) -> None:
    with pytest.raises(RowtimeError) as fault:
        rt.sql(f"CREATE FOREIGN STREAM ticks (\"VALUE\" BIGINT) OPTIONS (connector 'rate'{options})")
    assert fault.value.code == code
    assert said in fault.value.diagnostics[0].message

"""Rows whose values cannot be computed: a pump fails at them and names them, or sets them aside and goes on."""

from __future__ import annotations

import json

import pytest
from queries import eventually

from rowtime import notices
from rowtime.errors import RowtimeError
from rowtime.session import Session

from .conftest import at, rows, settle, status

QUERY = "INSERT INTO b SELECT STREAM rowtime, 60 / n AS n FROM a"


def test_a_pump_fails_at_a_row_and_goes_on_without_it(streams: Session) -> None:
    rt = streams
    rt.sql(f"CREATE PUMP p STARTED AS {QUERY}")
    source = rt.producer("A")
    source.insert([(at(9), 2), (at(10), 0), (at(11), 3)])
    eventually(lambda: status(rt, "P").state == "FAILED")
    found = status(rt, "P")
    assert found.error == (
        "error RT0510: Pump 'P' failed: Division by zero (DIVIDE_BY_ZERO), in 60 / N of the row of 'A' at position "
        f"{found.failed_row.position} with N = 0, ROWTIME = 2006-09-11 10:00:00"
    )
    assert rows(rt, "SELECT n FROM b") == []
    rt.sql(f"CREATE OR REPLACE PUMP p STARTED OPTIONS (on_error 'skip') AS {QUERY}")
    eventually(lambda: status(rt, "P").error is None)
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(30,), (20,)]
    assert status(rt, "P").bad_rows == 1
    rt.sql("ALTER PUMP p STOP")
    rt.sql("ALTER PUMP p START")
    source.insert([(at(12), 0), (at(13), 1), (at(14), None)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(30,), (20,), (60,), (None,)]
    # In = out + set aside.
    assert status(rt, "P").bad_rows == 2
    folder = rt.store.warehouse / "pumps"
    kept = [json.loads(line) for file in folder.glob("*/*/failed_rows/*/*.jsonl") for line in file.open()]
    assert sorted(kept, key=str) == [
        {"reason": "60 / N: Division by zero", "row": {"ROWTIME": f"2006-09-11 {hour}:00:00", "N": "0"}}
        for hour in (10, 12)
    ]
    # NULL in its place is counted by itself, once also where a condition reads it.
    nulls = (
        "INSERT INTO b SELECT STREAM * FROM (SELECT STREAM rowtime, 60 / n AS n FROM a) AS v WHERE n IS NULL OR n > 1"
    )
    rt.sql(f"CREATE OR REPLACE PUMP p STARTED OPTIONS (on_error 'null') AS {nulls}")
    source.insert([(at(15), 0), (at(16), 60), (at(17), 1)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(30,), (20,), (60,), (None,), (None,), (60,)]
    assert (status(rt, "P").bad_rows, status(rt, "P").null_values) == (2, 1)


def test_a_pump_steps_over_one_row_by_its_position(streams: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt = streams
    rt.sql(f"CREATE PUMP p STARTED AS {QUERY}")
    with pytest.raises(RowtimeError, match=r"RT0561.* 'P' has not failed: there is no row to step over"):
        rt.sql("ALTER PUMP p RESUME SKIP")
    # Two rows that are equal in all columns, and differ in their positions.
    rt.producer("A").insert([(at(9), 2), (at(10), 0), (at(10), 0), (at(11), 3)])
    met, said = set(), []
    monkeypatch.setattr(notices, "on_notice", said.append)
    for _ in range(2):
        eventually(lambda: status(rt, "P").failed_row is not None and status(rt, "P").failed_row.position not in met)
        assert status(rt, "P").state == "FAILED"
        met.add(status(rt, "P").failed_row.position)
        assert rows(rt, "SELECT n FROM b") == []
        rt.sql("ALTER PUMP p RESUME SKIP")
    assert [each for each in said if "steps over the row of 'A' at position" in each] == said[-2:]
    eventually(lambda: status(rt, "P").error is None)
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(30,), (20,)]
    found = status(rt, "P")
    assert (found.rows_in, found.rows_out, found.failed_rows, found.failed_row) == (4, 2, 2, None)
    # It is those rows alone, also with another query of the same position.
    rt.producer("A").insert([(at(12), 0)])
    eventually(lambda: status(rt, "P").state == "FAILED")
    rt.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    eventually(lambda: status(rt, "P").error is None)
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(30,), (20,), (0,)]

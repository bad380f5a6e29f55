"""Rows whose values cannot be computed: a pump fails at them and names them, or sets them aside and goes on."""

from __future__ import annotations

import json

from queries import eventually

from rowtime.session import Session

from .conftest import at, rows, settle, status

QUERY = "INSERT INTO b SELECT STREAM rowtime, 60 / n AS n FROM a"


def test_a_pump_fails_at_a_row_and_goes_on_without_it(streams: Session) -> None:
    rt = streams
    rt.sql(f"CREATE PUMP p STARTED AS {QUERY}")
    source = rt.producer("A")
    source.insert([(at(9), 2), (at(10), 0), (at(11), 3)])
    eventually(lambda: status(rt, "P").state == "FAILED")
    assert status(rt, "P").error == (
        "error RT0510: Pump 'P' failed: Division by zero (DIVIDE_BY_ZERO), in 60 / N of a row of 'A' with N = 0, "
        "ROWTIME = 2006-09-11 10:00:00"
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

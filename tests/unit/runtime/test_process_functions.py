"""Table functions over tables, in Java and in Python: what breaks a promise fails its own query, with the reason."""

from __future__ import annotations

import datetime as dt
import sys
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.session import Session

from .conftest import at, rows

JAVA = "LANGUAGE JAVA OPTIONS (state_ttl '1 hour') AS 'examples.Failing'"
PYTHON = "LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:Failing'"
FAILURES = [
    (JAVA, -1, "NoSuchElementException: no value"),
    (
        JAVA,
        -2,
        "IllegalArgumentException: it emits a row with ROWTIME 2006-09-11T09:59:00Z, which is more than its delay",
    ),
    (JAVA, -3, "IllegalArgumentException: the value 1.5 of class Double does not fit a column of type INT"),
    (JAVA, -4, "IllegalArgumentException: the timer 'past' is set for 2006-09-11T10:00:00Z, which is not later"),
    (JAVA, -5, "StackOverflowError"),
    (PYTHON, -1, "LookupError: no value"),
    (
        PYTHON,
        -2,
        "ValueError: it emits a row with ROWTIME 2006-09-11 09:59:00, which is more than its delay of 0:00:00",
    ),
    (PYTHON, -3, "TypeError: 1.5 is not a whole number"),
]


@pytest.mark.parametrize(("definition", "value", "reason"), FAILURES)
def test_a_broken_promise_names_function_reason_and_row(
    streams: Session, definition: str, value: int, reason: str
) -> None:
    streams.sql(f"CREATE FUNCTION failing (input TABLE) RETURNS TABLE (w INTEGER) {definition}")
    streams.sql(f"INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:00:00', {value})")
    with pytest.raises(RowtimeError) as failed:
        rows(streams, "SELECT * FROM failing((SELECT rowtime, n AS v FROM A) PARTITION BY v)")
    (diagnostic,) = failed.value.diagnostics
    assert diagnostic.code == "RT0530"
    assert f"Function 'FAILING' failed: {reason}" in diagnostic.message
    assert f", V = {value})" in diagnostic.message
    assert "\n" not in diagnostic.message


@pytest.mark.parametrize("definition", [JAVA, PYTHON])
def test_another_query_goes_on(streams: Session, definition: str) -> None:
    streams.sql(f"CREATE FUNCTION failing (input TABLE) RETURNS TABLE (w INTEGER) {definition}")
    streams.sql("CREATE VIEW v AS SELECT STREAM rowtime, n AS v FROM A")
    broken: Any = streams.sql("SELECT STREAM * FROM failing(TABLE v)")
    other: Any = streams.sql("SELECT STREAM * FROM failing((SELECT STREAM * FROM v WHERE v > 0))")
    streams.sql("INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:00:00', -1)")
    streams.sql("INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:01:00', 7)")
    with pytest.raises(RowtimeError, match="Function 'FAILING' failed") as failed:
        broken.process_all_available()
    assert failed.value.code == "RT0530"
    other.process_all_available()
    assert [tuple(row) for row in other.rows()] == [(at(10, 1), 7)]


def test_a_function_registered_by_the_session_keeps_state_and_sets_timers(streams: Session) -> None:
    class Pause:
        def process(self, row: Any, context: Any) -> None:
            context.state["n"] = context.state.get("n", 0) + row.n
            context.set_timer("end", context.rowtime + dt.timedelta(minutes=context.args["A2"]))

        def on_timer(self, name: str, context: Any) -> Any:
            yield {"total": context.state["n"], "name": name}
            context.clear()

    streams.register_table_function(
        "pause", Pause, args=["TABLE", "INTEGER"], returns={"total": "INTEGER", "name": "VARCHAR"}, state_ttl="1 hour"
    )
    streams.sql(
        "INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 10:04:00', 2), "
        "(TIMESTAMP '2006-09-11 10:09:00', 4)"
    )
    assert rows(streams, "SELECT * FROM pause(TABLE A, 5) ORDER BY rowtime") == [
        (at(10, 9), 3, "end"),
        (at(10, 14), 4, "end"),
    ]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda row, context: [3_000_000_000], "too large to fit in C integer type"),
        (lambda row, context: context.state.update(f=lambda: 1), "Can't (pickle|get local)"),
        (lambda row, context: sys.exit(3), "its Python worker has stopped with exit code 3"),
    ],
)
def test_what_a_worker_cannot_send_is_a_failure_of_the_function(streams: Session, function: Any, reason: str) -> None:
    streams.register_table_function("bad", function, args=["TABLE"], returns={"n": "INTEGER"})
    streams.sql("INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:00:00', 1)")
    with pytest.raises(RowtimeError, match=f"Function 'BAD' failed: .*{reason}") as failed:
        rows(streams, "SELECT * FROM bad(TABLE A)")
    assert failed.value.code == "RT0530"


def test_timers_that_set_one_another_end_no_relation(streams: Session) -> None:
    class Beats:
        def process(self, row: Any, context: Any) -> None:
            context.set_timer("beat", context.rowtime + dt.timedelta(minutes=1))

        def on_timer(self, name: str, context: Any) -> None:
            context.set_timer("beat", context.rowtime + dt.timedelta(minutes=1))

    streams.register_table_function("beats", Beats, args=["TABLE"], returns={"n": "INTEGER"})
    streams.sql("INSERT INTO A (rowtime, n) VALUES (TIMESTAMP '2006-09-11 10:00:00', 1)")
    with pytest.raises(RowtimeError, match="timers are due after the last row: probably each sets another"):
        rows(streams, "SELECT * FROM beats(TABLE A)")

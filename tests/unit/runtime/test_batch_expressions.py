"""Micro-batches of a few rows are interpreted, others are compiled."""

from __future__ import annotations

import pytest
from queries import drain

from rowtime.runtime.query.query import Query
from rowtime.session import Session

pytestmark = pytest.mark.usefixtures("chosen_by_rowtime")

FEW = "INSERT INTO {0} VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:00:01', 2)"
SQL = "SELECT STREAM n + 1 AS n FROM {0}"


def many(stream: str, rows: int = 1200) -> str:
    return f"INSERT INTO {stream} VALUES " + ", ".join(
        f"(TIMESTAMP '2024-05-01 11:{n // 60:02}:{n % 60:02}', {n})" for n in range(rows)
    )


def is_compiled(query: Query) -> bool:
    """Whether the last micro-batch has stages of generated code."""
    return "*(1)" in str(query._running._jsq.explainInternal(False))


def test_a_micro_batch_of_many_rows_is_compiled(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(SQL.format("a"))
    for statement, compiled in (
        (FEW.format("a"), False),
        (many("a"), True),
        (FEW.format("a").replace("10:", "12:"), False),
    ):
        rt.sql(statement)
        found = drain(query)
        assert len(found) == (1200 if compiled else 2)
        assert is_compiled(query) == compiled


OPERATORS = {
    "over": "SELECT STREAM SUM(n) OVER (ORDER BY rowtime ROWS 3 PRECEDING) AS n FROM {0}",
    "join": "SELECT STREAM a.n FROM {0} AS a JOIN {0} AS b ON a.n = b.n AND a.rowtime = b.rowtime",
    "group": "SELECT STREAM DISTINCT FLOOR(rowtime TO MINUTE) AS rowtime, n FROM {0}",
}


@pytest.mark.parametrize("sql", OPERATORS.values(), ids=OPERATORS)
def test_operators_with_state_are_interpreted(rt: Session, sql: str) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(sql.format("a"))
    rt.sql(FEW.format("a"))
    drain(query)
    assert query._running.lastProgress.stateOperators
    assert "*(" not in str(query._running._jsq.explainInternal(False))
    rt.sql(many("a"))
    drain(query)
    assert is_compiled(query)


def test_the_rows_of_a_table_count(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("INSERT INTO t VALUES (1), (2)")
    query = rt.submit("SELECT STREAM a.n FROM a JOIN t ON a.n = t.n")
    for hour, compiled in ((10, True), (11, False)):
        # Nobody knows how many rows a table has before it has been read.
        rt.sql(FEW.format("a").replace("10:", f"{hour}:"))
        assert len(drain(query)) == 2
        assert is_compiled(query) == compiled
    rt.sql("INSERT INTO t VALUES " + ", ".join(f"({n})" for n in range(3, 1200)))
    for hour, compiled in ((12, False), (13, True)):
        rt.sql(FEW.format("a").replace("10:", f"{hour}:"))
        assert len(drain(query)) == 2
        assert is_compiled(query) == compiled


def test_the_rows_of_all_sources_count(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE STREAM b (n INTEGER)")
    query = rt.submit("SELECT STREAM a.n FROM a JOIN b ON a.n = b.n AND a.rowtime = b.rowtime")
    # The micro-batch that reads both has more than a thousand rows.
    query.kill()
    rt.sql(many("a", 700))
    rt.sql(many("b", 700))
    query.restart()
    assert len(drain(query)) >= 600
    assert is_compiled(query)


def test_many_rows_of_state_are_compiled(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(
        "SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, n, COUNT(*) AS c FROM a GROUP BY FLOOR(rowtime TO DAY), n"
    )
    producer = rt.producer("a")
    producer.insert([{"rowtime": "2024-05-01 10:00:00", "n": n} for n in range(10_500)])
    drain(query)
    producer.insert([{"rowtime": "2024-05-02 10:00:00", "n": 1}])
    assert len(drain(query)) == 10_500
    assert is_compiled(query)
    producer.close()


@pytest.mark.usefixtures("compiled")
def test_a_session_can_have_all_compiled(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(SQL.format("a"))
    rt.sql(FEW.format("a"))
    assert len(drain(query)) == 2
    assert is_compiled(query)

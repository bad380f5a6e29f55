"""The check of the planner's claims: it finds wrong ones of each kind, planted in plans, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from folder_stream import Folders, Running
from py4j.protocol import Py4JJavaError
from pyspark.errors import StreamingQueryException

from rowtime.runtime.faults import query_fault
from rowtime.translate.claims import announce
from rowtime.types.times import parse_millis

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowtime.errors import Diagnostic

Node = dict[str, Any]
Start = Callable[..., Running]

ORDERS = "CREATE STREAM Orders (productId INTEGER, units INTEGER)"
SHOWN = "SELECT STREAM rowtime, productId, units FROM Orders WHERE units > 0"
HOURS = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO HOUR)"
BEST = (
    "SELECT STREAM rowtime, productId, units FROM Orders QUALIFY ROW_NUMBER() OVER "
    "(PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY units) <= 2"
)


class Checked(Folders):
    """A context in which claims are checked."""

    checks_claims = True


def order(time: str, product: int = 10, units: int | None = 1) -> Node:
    return {"ROWTIME": time, "PRODUCTID": product, "UNITS": units}


def node(plan: Node, op: str) -> Node:
    """Returns the outermost node of that operator."""
    while plan["op"] != op:
        (plan,) = plan["inputs"]
    return plan


def everywhere(plan: Node, change: Callable[[Node], None]) -> None:
    change(plan)
    for below in plan["inputs"]:
        everywhere(below, change)


@pytest.fixture
def run(session: SparkSession, catalog: Any, tmp_path: Path) -> Iterator[Start]:
    """Plans a query over ORDERS, changes the plan, and starts it; its first step sets the bound to 9:00."""
    catalog.ddl(ORDERS)
    started: list[Running] = []

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    def start(sql: str, change: Callable[[Node], Any] = lambda plan: None) -> Running:
        folders = Checked(session, tmp_path / "streams")
        folders.step("ORDERS", bound="09:00:00")
        statement = catalog.plan(sql)
        change(statement["plan"])
        query = Running(folders, statement, tmp_path / "streams" / "spark")
        query.query.processAllAvailable()
        started.append(query)
        return query

    yield start
    for query in started:
        query.stop()


def violation(query: Running, *rows: Node, bound: str | None = None) -> Diagnostic:
    """Returns the diagnostic of the query, which fails in this step."""
    with pytest.raises(StreamingQueryException) as failed:
        query.step("ORDERS", list(rows), bound)
    (found,) = query_fault(failed.value, "The query").diagnostics
    assert found.code == "RT0998", found
    return found


@pytest.mark.parametrize("sql", [SHOWN, HOURS, BEST])
def test_true_claims_hold_across_a_restart(run: Start, sql: str) -> None:
    query = run(sql)
    query.step("ORDERS", [order("10:00:00"), order("10:30:00"), order("10:00:00")], "10:30:00")
    query.step("ORDERS", [order("10:30:00"), order("11:10:00")], "11:00:00")
    query.restart()
    query.step("ORDERS", [order("11:10:00", 20, 3)], "11:10:00")
    query.step("ORDERS", [order("12:10:00", 20, 3)], "13:00:00")


def test_the_message_names_the_node_its_place_the_claim_and_the_row(run: Start) -> None:
    place = f"1:{SHOWN.index('WHERE') + 1}"

    def change(plan: Node) -> None:
        filtered = node(plan, "filter")
        filtered["origin"][0].update(line=1, column=SHOWN.index("WHERE") + 1)
        filtered["fields"][2]["nullable"] = False
        filtered["condition"] = {"kind": "literal", "type": "BOOLEAN", "nullable": False, "value": True}

    found = violation(run(SHOWN, change), order("10:00:00", 7, None))
    assert found.message == (
        f"The query failed: A claim of the planner is violated by filter (node 2, {place}): UNITS is NOT NULL; "
        "row: ROWTIME = 2015-02-15 10:00:00, PRODUCTID = 7, UNITS = NULL"
    )


def test_a_bound_that_a_row_is_before(run: Start) -> None:
    """The clock of the filter is planted to be an hour ahead."""
    query = run(SHOWN, lambda plan: node(plan, "filter").update(clock=[{"fn": "SHIFT", "millis": 3_600_000}]))
    query.step("ORDERS", [order("10:30:00")], "10:00:00")
    query.step("ORDERS", [order("10:59:00")])
    found = violation(query, order("10:59:59.999"))
    assert "ROWTIME is not before the bound of an earlier batch" in found.message


def test_a_bound_that_the_query_has_announced(run: Start, session: SparkSession, tmp_path: Path) -> None:
    query = run(SHOWN)
    query.step("ORDERS", [order("10:30:00")])
    batch = query.query.lastProgress.batchId
    announce(session, tmp_path / "streams", batch, parse_millis("2015-02-15 10:40:00"))
    assert "ROWTIME is not before a bound that the query has announced" in violation(query, order("10:39:59")).message


def test_a_column_with_a_bound_of_its_own(run: Start) -> None:
    sql = "SELECT STREAM rowtime, rowtime + INTERVAL '1' HOUR AS later FROM Orders"

    def change(plan: Node) -> None:
        (bound,) = (each for each in plan["claims"]["bounds"] if each["clock"])
        bound["clock"] = [{"fn": "SHIFT", "millis": 7_200_000}]

    query = run(sql, change)
    query.step("ORDERS", [order("10:00:00")], "10:00:00")
    query.step("ORDERS", [order("10:30:00")])
    assert "LATER is not before the bound" in violation(query, order("10:59:00")).message


def test_what_a_bound_has_completed(run: Start) -> None:
    """The groups are planted to close when their hour begins: rows of an hour then come to a group that is complete."""

    def change(plan: Node) -> None:
        closes = node(plan, "aggregate")["closes"]["args"][1]
        assert closes["value"] == 3_600_000
        closes["value"] = 0

    query = run(HOURS, change)
    query.step("ORDERS", [order("10:30:00")], "10:10:00")
    found = violation(query, order("10:40:00"))
    assert "the row belongs to what an earlier bound has completed" in found.message


def test_rowtime_that_goes_back(run: Start) -> None:
    """The source is said to be in order, and is not, within the bound."""
    query = run(SHOWN)
    query.step("ORDERS", [order("10:30:00"), order("10:00:00")])
    query.restart()
    found = violation(query, order("10:29:59"))
    assert "ROWTIME increases" in found.message
    assert "by scan (node 1" in found.message


def _lets_rowtime_go_back(plan: Node) -> None:
    def change(below: Node) -> None:
        below["inOrder"], below["claims"]["ordersHold"] = "NEVER", "NEVER"

    everywhere(plan, change)


@pytest.mark.parametrize("disorder", [0, 60_000])
def test_a_column_that_goes_back_further_than_its_disorder(run: Start, disorder: int) -> None:
    def change(plan: Node) -> None:
        _lets_rowtime_go_back(plan)
        claims = node(plan, "filter")["claims"]
        claims["ordersHold"] = "ALWAYS"
        claims["orders"] = [{"index": 0, "disorder": disorder}]

    query = run(SHOWN, change)
    query.step("ORDERS", [order("10:30:00")])
    query.step("ORDERS", [order("10:29:00" if disorder else "10:30:00")])
    assert "ROWTIME increases" in violation(query, order("10:28:59.999")).message


@pytest.mark.parametrize(
    ("monotonicity", "first", "again", "wrong"),
    [("DECREASING", 5, 5, 6), ("STRICTLY_INCREASING", 5, 6, 6), ("STRICTLY_DECREASING", 5, 4, 4)],
)
def test_the_directions_of_numbers(run: Start, monotonicity: str, first: int, again: int, wrong: int) -> None:
    def change(plan: Node) -> None:
        filtered = node(plan, "filter")
        filtered["fields"][2]["monotonicity"] = monotonicity
        filtered["claims"]["orders"] = [{"index": 2, "disorder": 0}]

    query = run(SHOWN, change)
    query.step("ORDERS", [order("10:00:00", units=first)])
    query.step("ORDERS", [order("10:00:00", units=again)])
    assert "UNITS " in violation(query, order("10:00:00", units=wrong)).message


@pytest.mark.parametrize("restart", [False, True])
def test_rows_that_are_not_unique(run: Start, restart: bool) -> None:
    query = run(SHOWN, lambda plan: node(plan, "filter")["claims"].update(unique=[{"fields": [1], "rows": 1}]))
    query.step("ORDERS", [order("10:00:00", 1), order("10:00:00", 2)])
    if restart:
        query.restart()
    found = violation(query, order("10:00:00", 2))
    assert "at most 1 row has the same values of (PRODUCTID)" in found.message


def test_rows_of_one_batch_that_are_not_unique(run: Start) -> None:
    query = run(SHOWN, lambda plan: node(plan, "filter")["claims"].update(unique=[{"fields": [1], "rows": 1}]))
    violation(query, order("10:00:00", 2), order("10:00:00", 2))


def test_a_top_n_with_too_many_rows(run: Start) -> None:
    """The operator takes two rows, where the claim is of one."""
    query = run(BEST, lambda plan: node(plan, "top_n")["claims"]["unique"][0].update(rows=1))
    found = violation(query, order("10:00:00"), order("10:00:00"), order("10:01:00"), bound="11:00:00")
    assert "by top_n" in found.message


@pytest.mark.parametrize("restart", [False, True])
def test_a_partition_whose_rows_end_at_several_times(run: Start, restart: bool) -> None:
    """The partition of a row is planted to end an hour after the row, instead of after the hour of the partition."""

    def change(plan: Node) -> None:
        closes = node(plan, "top_n")["closes"]["args"][0]
        assert closes["index"] != 0
        closes["index"] = 0

    query = run(BEST, change)
    query.step("ORDERS", [order("10:00:00")])
    if restart:
        query.restart()
    found = violation(query, order("10:30:00"))
    assert (
        "the time at which the row's group is complete is the same in all rows with the same values of" in found.message
    )


def test_a_constant_that_varies_in_a_batch(run: Start) -> None:
    def change(plan: Node) -> None:
        filtered = node(plan, "filter")
        filtered["fields"][1]["monotonicity"] = "CONSTANT"
        filtered["claims"]["orders"] = [{"index": 1, "disorder": 0}]

    query = run(SHOWN, change)
    assert "PRODUCTID is constant" in violation(query, order("10:00:00", 1), order("10:00:00", 2)).message


def test_a_constant_that_can_be_null(run: Start) -> None:
    """NULL has no effect on an order, and a constant is one."""
    query = run("SELECT STREAM rowtime, units * 0 AS z FROM Orders")
    query.step("ORDERS", [order("10:00:00", 10, None), order("10:00:00", 10, 5)])


def test_relations(session: SparkSession, catalog: Any, tmp_path: Path) -> None:
    """Rows are unique within one reading; another one has the same."""
    from rowtime.plan.codec import decode_plan
    from rowtime.translate import translate

    plan = catalog.plan("SELECT COUNT(*) AS c FROM (VALUES (1), (2), (2)) AS t (x) GROUP BY x")["plan"]
    context = Checked(session, tmp_path)
    counted = translate(decode_plan(plan), context)
    assert [sorted(row[0] for row in counted.df.collect()) for _ in range(2)] == [[1, 2]] * 2
    node(plan, "aggregate")["claims"]["unique"][0]["fields"] = [1]
    node(plan, "aggregate")["claims"]["unique"][0]["rows"] = 0
    with pytest.raises(Py4JJavaError) as failed:
        translate(decode_plan(plan), context).df.collect()
    assert query_fault(failed.value, "The query").diagnostics[0].code == "RT0998"

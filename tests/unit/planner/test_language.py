"""Every statement of the seed documents is valid, and what cannot run yet says so."""

from __future__ import annotations

from pathlib import Path

from plans import without_origins
from scripts import statements

from .conftest import Planning, nodes


def test_language_of_the_seeds(planner: object) -> None:
    planning = Planning(planner)
    planning.plan("CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all')")
    planning.plan("CREATE TABLE Products (rowtime TIMESTAMP, productId INTEGER, name VARCHAR)")
    found = statements(Path(__file__).with_name("language.sql").read_text())
    assert len(found) > 50
    invalid = {sql: r["diagnostics"] for sql in found if (r := planning.reply(sql))["statement"] is None}
    assert not invalid


def test_versions_are_those_of_the_row_on_the_left(planning: Planning) -> None:
    planning.plan("CREATE STREAM rates_of (currency VARCHAR PRIMARY KEY, rate INTEGER)")
    plan = planning.plan(
        "SELECT STREAM * FROM Orders o, LATERAL SNAPSHOT(rates_of, o.rowtime - INTERVAL '1' HOUR) r WHERE r.rate = o.units"
    )["plan"]
    (join,) = nodes(plan, "temporal_join")
    assert (join["shift"], join["identity"], join["leftTime"], join["rightTime"]) == (-3_600_000, [1], 0, 0)
    assert [scan["start"] for scan in nodes(plan, "scan")] == [None, "EARLIEST"]


def test_named_and_positional_arguments_are_the_same(planning: Planning) -> None:
    positional = planning.plan("SELECT * FROM SNAPSHOT(Products, TIMESTAMP '2024-01-20 00:00:00')")["plan"]
    named = planning.plan("SELECT * FROM SNAPSHOT(to_time => TIMESTAMP '2024-01-20 00:00:00', input => Products)")[
        "plan"
    ]
    assert without_origins(positional) == without_origins(named)


def test_both_forms_of_refinement_are_the_same(planning: Planning) -> None:
    inside, outside = (
        planning.plan(
            f"SELECT STREAM COUNT(*) OVER {w} AS c FROM Orders WINDOW w AS (ORDER BY rowtime PARTITION BY productId)"
        )
        for w in ("(w RANGE INTERVAL '10' MINUTE PRECEDING)", "w (RANGE INTERVAL '10' MINUTE PRECEDING)")
    )
    assert without_origins(inside["plan"]) == without_origins(outside["plan"])
    (window,) = nodes(inside["plan"], "window")
    assert window["windows"][0]["frame"]["lower"]["offset"]["value"] == 600_000


def test_analytic_where_is_qualify(planning: Planning) -> None:
    call = "SUM(units) OVER (ORDER BY rowtime ROWS 2 PRECEDING) > 10"
    where = planning.plan(f"SELECT STREAM units FROM Orders WHERE productId = 1 AND {call}")["plan"]
    qualify = planning.plan(f"SELECT STREAM units FROM Orders WHERE productId = 1 QUALIFY {call}")["plan"]
    assert without_origins(where) == without_origins(qualify)


def test_sub_query_has_a_rowtime_without_listing_it(planning: Planning) -> None:
    plan = planning.plan("SELECT STREAM rowtime, u FROM (SELECT STREAM units AS u FROM Orders)")
    assert [f["name"] for f in plan["fields"]] == ["ROWTIME", "U"]

"""Hints that have no effect."""

from __future__ import annotations

import pytest
from planned import Planning

_UNION = "SELECT STREAM productId FROM Orders UNION ALL SELECT {hint} STREAM productId FROM Orders"


@pytest.mark.parametrize(
    ("sql", "message", "way_out"),
    [
        ("SELECT /*+ PARTITONS(4) */ STREAM * FROM Orders", "Hint PARTITONS is unknown", "Did you mean PARTITIONS?"),
        ("SELECT /*+ BROADCAST(p) */ STREAM * FROM Orders", "Hint BROADCAST is unknown", "Hints are FROM_EARLIEST, "),
        ("SELECT /*+ LOOKUP('a' = 'b') */ STREAM * FROM Orders", "Hint LOOKUP is unknown", "SEARCH_KEY takes "),
        (
            "SELECT STREAM * FROM (SELECT /*+ PARTITIONS(4) */ STREAM * FROM Orders)",
            "Hint PARTITIONS applies to a whole query",
            "Write it in the outermost SELECT",
        ),
        (
            _UNION.format(hint="/*+ FROM_EARLIEST */"),
            "Hint FROM_EARLIEST applies to a whole query",
            "Write it in the outermost SELECT",
        ),
        (
            "CREATE VIEW v AS SELECT /*+ ON_ERROR('skip') */ STREAM * FROM Orders",
            "Hint ON_ERROR applies to a whole query",
            "Write it in the queries that read the view",
        ),
        (
            "SELECT STREAM * FROM Orders /*+ PARTITIONS(4) */",
            "Hint PARTITIONS of a table has no effect",
            "Hints follow the word SELECT, ",
        ),
    ],
)
def test_a_hint_without_effect_is_a_warning(planning: Planning, sql: str, message: str, way_out: str) -> None:
    reply = planning.reply(sql)
    assert reply["statement"], reply["diagnostics"]
    (warning,) = reply["diagnostics"]
    assert (warning["code"], warning["severity"]) == ("RT0255", "warning")
    assert warning["message"].startswith(message)
    assert warning["hint"].startswith(way_out)
    assert message.split()[1] in sql[warning["column"] - 1 : warning["endColumn"]]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT /*+ FROM_EARLIEST, PARTITIONS(4), ON_ERROR('skip') */ STREAM * FROM Orders",
        "WITH o AS (SELECT STREAM * FROM Orders) SELECT /*+ PARTITIONS(4) */ STREAM * FROM o",
        "SELECT /*+ PARTITIONS(4) */ STREAM productId FROM Orders UNION ALL SELECT STREAM productId FROM Orders",
        "SELECT STREAM * FROM TO_CHANGELOG((SELECT /*+ STATE_TTL('Orders' = '1d') */ productId, COUNT(*) AS n"
        " FROM Orders GROUP BY productId))",
    ],
)
def test_a_hint_with_an_effect_is_not(planning: Planning, sql: str) -> None:
    reply = planning.reply(sql)
    assert reply["statement"], reply["diagnostics"]
    assert [each for each in reply["diagnostics"] if each["code"] == "RT0255"] == []

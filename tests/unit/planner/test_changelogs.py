"""Results that change: what is planned for them, what is kept, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), g INTEGER, v INTEGER)")
    planning.plan("CREATE TABLE t (k VARCHAR(10) NOT NULL PRIMARY KEY, v INTEGER)")
    return planning


def changes(planning: Planning, query: str, on_key: str = "") -> dict[str, dict[str, Any]]:
    """Returns the nodes of the changes of a query, by their operators; of several, the outermost."""
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}){on_key})")
    assert statement["notSupported"] == []
    return {node["op"]: node for node in reversed(list(nodes(statement["plan"])))}


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan["inputs"]:
        yield from nodes(below)


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("SELECT k, g, COUNT(*) AS c FROM s GROUP BY k, g", [0, 1]),
        ("SELECT COUNT(*) AS c, g, k FROM s GROUP BY k, g HAVING COUNT(*) > 1", [2, 1]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k, g", None),
        ("SELECT UPPER(k) AS k, COUNT(*) AS c FROM s GROUP BY k", None),
        ("SELECT COUNT(*) AS c FROM s", []),
        ("SELECT DISTINCT k FROM s", [0]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY ROLLUP (k)", None),
        ("SELECT c, COUNT(*) AS n FROM (SELECT k, COUNT(*) AS c FROM s GROUP BY k) GROUP BY c", [0]),
        ("SELECT k, g FROM s UNION SELECT k, v FROM s", [0, 1]),
        ("SELECT k, g FROM s INTERSECT SELECT 'a', COUNT(*) FROM s", [0, 1]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k EXCEPT SELECT k, v FROM s", [0, 1]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k UNION ALL SELECT k, v FROM s", None),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k EXCEPT ALL SELECT k, v FROM s", None),
        ("SELECT k, v FROM s INTERSECT ALL SELECT k, COUNT(*) FROM s GROUP BY k", None),
    ],
)
def test_the_unique_key_of_a_result(planning: Planning, query: str, key: list[int] | None) -> None:
    found = changes(planning, query)
    assert (found["to_changelog"]["key"], found["to_changelog"]["upserts"]) == (key, False)
    assert found["updating_aggregate"]["changes"] == "retract"
    assert found["updating_aggregate"]["needs"] == ["STATE_STORE"]
    assert found["to_changelog"]["changes"] == "append"


RANKED = "SELECT k, g, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM"


@pytest.mark.parametrize(
    ("query", "key", "ranks", "why"),
    [
        (
            f"SELECT v, k FROM ({RANKED} s) WHERE n <= 1",
            [1],
            [],
            "the first row of each partition by 'K': a partition is never complete",
        ),
        (
            f"SELECT v, k FROM ({RANKED} s) WHERE n < 3",
            None,
            [],
            "the first 2 rows of each partition by 'K': a partition is never complete",
        ),
        (
            f"SELECT n, k FROM ({RANKED} s) WHERE n <= 3",
            [1, 0],
            ["ROW_NUMBER"],
            "the first 3 rows of each partition by 'K': a partition is never complete",
        ),
        (
            f"SELECT v, k FROM ({RANKED} s) WHERE n BETWEEN 2 AND 3",
            None,
            ["ROW_NUMBER"],
            "the first 3 rows of each partition by 'K': a partition is never complete",
        ),
        (
            f"SELECT g, v, k FROM ({RANKED} (SELECT k, g, SUM(v) AS v FROM s GROUP BY k, g)) WHERE n <= 3",
            [2, 0],
            [],
            "all rows of each partition by 'K': a row that is retracted lets another one in",
        ),
        (
            f"SELECT k, v FROM ({RANKED} (SELECT a.k, b.g, a.v FROM s a LEFT JOIN s b ON a.v = b.g)) WHERE n <= 1",
            [0],
            [],
            "all rows of each partition by 'K': a row that is retracted lets another one in",
        ),
        (
            f"SELECT k, v FROM ({RANKED} (SELECT a.k, b.g, a.v FROM s a JOIN s b ON a.v = b.g)) WHERE n <= 1",
            [0],
            [],
            "the first row of each partition by 'K': a partition is never complete",
        ),
        ("SELECT k, v FROM s QUALIFY ROW_NUMBER() OVER (ORDER BY v) <= 5", None, [], "the first 5 rows"),
    ],
)
def test_the_first_rows_of_partitions_that_never_end(
    planning: Planning, query: str, key: list[int] | None, ranks: list[str], why: str
) -> None:
    found = changes(planning, query)
    assert (found["to_changelog"]["key"], found["updating_top_n"]["ranks"]) == (key, ranks)
    assert (found["updating_top_n"]["state"]["why"], found["updating_top_n"]["needs"]) == (why, ["STATE_STORE"])


@pytest.mark.parametrize(
    "query",
    [
        # A row that arrives has its number for good.
        "SELECT k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) = 1",
        "SELECT k, SUM(v) OVER (PARTITION BY k ORDER BY rowtime ROWS 2 PRECEDING) AS t FROM s",
        # A partition of an hour is complete after it.
        "SELECT k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY v) = 1",
    ],
)
def test_first_rows_that_stay_are_only_inserted(planning: Planning, query: str) -> None:
    assert {node["changes"] for node in changes(planning, query).values()} == {"append"}


def test_upserts_go_by_the_columns_that_are_named(planning: Planning) -> None:
    found = changes(planning, "SELECT COUNT(*) AS c, k FROM s GROUP BY k", ", on_key => DESCRIPTOR(k, c)")
    assert (found["to_changelog"]["key"], found["to_changelog"]["upserts"]) == ([1, 0], True)


def test_a_union_waits_only_where_something_needs_the_order(planning: Planning) -> None:
    both = "SELECT rowtime, k FROM s UNION ALL SELECT rowtime, k FROM s"
    found = changes(planning, f"SELECT k, COUNT(*) AS c FROM ({both}) WHERE k > 'a' GROUP BY k")["union"]
    assert (found["merges"], found["closes"], found["needs"], found["state"]["bound"]) == (False, None, [], "none")
    found = changes(planning, f"SELECT k FROM ({both}) UNION ALL SELECT k FROM s GROUP BY k")["to_changelog"]
    unions = [(node["merges"], node["changes"]) for node in nodes(found) if node["op"] == "union"]
    assert unions == [(False, "retract"), (False, "append")]
    found = changes(
        planning, f"SELECT FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS c FROM ({both}) GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert (found["union"]["merges"], found["union"]["needs"]) == (True, ["WATERMARK", "STATE_STORE"])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM s",
        "SELECT FLOOR(rowtime TO HOUR) AS h, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO HOUR), k",
        "SELECT k, COUNT(*) OVER (PARTITION BY k ORDER BY rowtime ROWS 3 PRECEDING) AS c FROM s",
    ],
)
def test_where_nothing_changes_rows_are_inserted(planning: Planning, query: str) -> None:
    found = changes(planning, query)
    assert not {"to_changelog", "updating_aggregate"} & set(found)
    assert {node["changes"] for node in found.values()} == {"append"}


TOTALS = "SELECT k, SUM(v) AS v FROM s GROUP BY k"


@pytest.mark.parametrize(
    ("query", "key", "why"),
    [
        (
            f"SELECT v, k, SUM(v) OVER (PARTITION BY k ORDER BY v ROWS 2 PRECEDING) AS t FROM ({TOTALS})",
            [1],
            "all rows of each partition by 'K': a row that comes or goes changes the values of those whose frames have it",
        ),
        (
            "SELECT v, SUM(v) OVER (ORDER BY v ROWS 2 PRECEDING) AS t FROM s",
            None,
            "all rows: a row that comes or goes changes the values of those whose frames have it",
        ),
        (
            "SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS n FROM s",
            [0, 2],
            "all rows of each partition by 'K': a row that comes or goes changes the values of those whose frames have it",
        ),
        (
            "SELECT a.k, SUM(b.v) OVER (ORDER BY a.rowtime) AS t FROM s a JOIN s b ON a.k = b.k",
            None,
            "all rows: a row that comes or goes changes the values of those whose frames have it",
        ),
    ],
)
def test_over_whose_values_change(planning: Planning, query: str, key: list[int] | None, why: str) -> None:
    found = changes(planning, query)
    assert found["to_changelog"]["key"] == key
    over = found["updating_over"]
    assert (over["state"]["why"], over["needs"], over["changes"]) == (why, ["STATE_STORE"], "retract")
    spec = over["execution"]["steps"][0]["spec"]
    assert (spec["change"] is None) == (over["inputs"][0]["changes"] == "append")


@pytest.mark.parametrize(
    ("query", "bound", "why"),
    [
        (
            "SELECT k, g, COUNT(*) AS c FROM s GROUP BY k, g",
            "unbounded",
            "the results of each group by 'K', 'G': no key is monotonic, so a group is never complete",
        ),
        (
            "SELECT k, COUNT(DISTINCT v) AS c FROM s GROUP BY k",
            "unbounded",
            "the results of each group by 'K', and an entry for each of its distinct values: no key is monotonic, so a"
            " group is never complete",
        ),
        ("SELECT COUNT(*) AS c FROM s", "constant", "the results of all rows"),
    ],
)
def test_what_is_kept(planning: Planning, query: str, bound: str, why: str) -> None:
    state = changes(planning, query)["updating_aggregate"]["state"]
    assert (state["bound"], state["why"]) == (bound, why)


COUNTS = "(SELECT k, COUNT(*) AS c FROM s GROUP BY k)"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT k, MEDIAN(v) AS m FROM s GROUP BY k", "MEDIAN in a result that changes"),
        (f"SELECT c, MEDIAN(c) AS m FROM {COUNTS} GROUP BY c", "MEDIAN in a result that changes"),
        (
            "SELECT k FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) <= 10001",
            "more than 10000 first rows of a partition of a result that changes",
        ),
        (
            "SELECT SUM(v) OVER (PARTITION BY k ORDER BY v) AS a, SUM(v) OVER (PARTITION BY g ORDER BY v) AS b FROM s",
            "OVER with different PARTITION BY in one SELECT of a result that changes (use a sub-query)",
        ),
        (
            "SELECT SUM(v) OVER (PARTITION BY k ORDER BY v) AS a, SUM(v) OVER (PARTITION BY k ORDER BY g) AS b FROM s",
            "OVER with different ORDER BY in one SELECT of a result that changes (use a sub-query)",
        ),
        (
            "SELECT LEAD(v) IGNORE NULLS OVER (PARTITION BY k ORDER BY v) AS a FROM s",
            "LEAD … IGNORE NULLS OVER in a result that changes",
        ),
        (f"SELECT k, c, t.v FROM {COUNTS} JOIN t USING (k)", "LOOKUP JOIN over a result that changes"),
        (f"SELECT a.k FROM {COUNTS} AS a CROSS JOIN UNNEST(ARRAY[1, 2]) AS u (x)", "UNNEST over a result that changes"),
    ],
)
def test_what_cannot_read_changes_says_so(planning: Planning, query: str, reason: str) -> None:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert reason in statement["notSupported"]


def test_a_query_whose_result_changes_is_told_how_to_read_it(planning: Planning) -> None:
    (error,) = planning.errors("SELECT STREAM k, COUNT(*) FROM s GROUP BY k")
    assert error["code"] == "RT0201"
    assert "TO_CHANGELOG" in error["hint"]


@pytest.mark.parametrize(
    ("query", "kind", "key"),
    [
        ("SELECT a.k, b.v FROM s AS a LEFT JOIN s AS b ON a.k = b.k", "LEFT", None),
        ("SELECT x.k AS a, y.g AS b FROM {k} AS x JOIN {kg} AS y ON x.k = y.k", "INNER", None),
        ("SELECT x.k AS a, y.k AS b, y.g AS c FROM {k} AS x JOIN {kg} AS y ON x.k = y.k", "INNER", [1, 2]),
        ("SELECT y.k AS b, x.c FROM {k} AS x JOIN {k} AS y ON x.k = y.k", "INNER", [0]),
        ("SELECT x.k AS a, y.k AS b FROM {k} AS x JOIN {k} AS y ON x.c = y.c", "INNER", [0, 1]),
        ("SELECT x.k AS a, y.c FROM {k} AS x LEFT JOIN {k} AS y ON x.k = y.k AND x.c < y.c", "LEFT", [0]),
        ("SELECT x.k AS a, y.k AS b FROM {k} AS x RIGHT JOIN {k} AS y ON x.k = y.k", "RIGHT", [1]),
        ("SELECT x.k AS a, y.k AS b FROM {k} AS x FULL JOIN {k} AS y ON x.k = y.k", "FULL", None),
        ("SELECT k FROM {k} AS x WHERE EXISTS (SELECT 1 FROM s WHERE s.k = x.k)", "SEMI", [0]),
        ("SELECT c, k FROM {k} AS x WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.k = x.k AND s.v > x.c)", "ANTI", [1]),
    ],
)
def test_the_unique_key_of_a_join(planning: Planning, query: str, kind: str, key: list[int] | None) -> None:
    groups = {name: f"(SELECT {by}, COUNT(*) AS c FROM s GROUP BY {by})" for name, by in (("k", "k"), ("kg", "k, g"))}
    found = changes(planning, query.format(**groups))
    join = found["updating_join"]
    assert (join["joinType"], found["to_changelog"]["key"]) == (kind, key)
    assert (join["needs"], join["state"]["bound"]) == (["STATE_STORE"], "unbounded")


@pytest.mark.parametrize(
    ("query", "changes_of_join"),
    [
        ("SELECT a.k, b.v FROM s a JOIN s b ON a.k = b.k", "append"),
        ("SELECT k, v FROM s a WHERE EXISTS (SELECT 1 FROM s b WHERE a.k = b.k AND a.v < b.v)", "append"),
        ("SELECT a.k FROM s a JOIN s b ON a.k = b.k UNION ALL SELECT k FROM s", "append"),
        ("SELECT a.k, b.v FROM s a LEFT JOIN s b ON a.k = b.k", "retract"),
        ("SELECT k, v FROM s a WHERE NOT EXISTS (SELECT 1 FROM s b WHERE a.k = b.k)", "retract"),
        ("SELECT a.k FROM s a JOIN (SELECT k, COUNT(*) AS c FROM s GROUP BY k) b ON a.k = b.k", "retract"),
    ],
)
def test_a_join_of_rows_that_stay_only_adds_rows(planning: Planning, query: str, changes_of_join: str) -> None:
    found = changes(planning, query)
    assert found["updating_join"]["changes"] == changes_of_join
    assert ("to_changelog" in found) == (changes_of_join == "retract")
    # MIN and MAX then need no more than the value that they have.
    found = changes(planning, f"SELECT k, COUNT(*), MAX(k) AS m FROM ({query}) AS q GROUP BY k")
    assert found["updating_aggregate"]["combines"] == (changes_of_join == "append")


@pytest.mark.parametrize(
    ("condition", "left_end", "right_end"),
    [
        ("b.rowtime BETWEEN a.rowtime AND a.e", ("E", 0), ("ROWTIME", 0)),
        ("a.e >= b.rowtime AND a.rowtime <= b.rowtime", ("E", 0), ("ROWTIME", 0)),
        ("a.rowtime < b.e AND b.rowtime < a.e", ("E", 0), ("E", 0)),
        ("b.rowtime >= a.rowtime", None, ("ROWTIME", 0)),
        # Times are whole milliseconds.
        ("b.rowtime > a.rowtime - INTERVAL '5' MINUTE", None, ("ROWTIME", 299_999)),
        ("b.rowtime <= a.rowtime - INTERVAL '5' MINUTE", ("ROWTIME", -300_000), None),
        ("FLOOR(b.rowtime TO HOUR) <= a.rowtime", ("ROWTIME", 3_599_999), None),
        ("(b.rowtime <= a.e OR b.v = 1)", None, None),
        ("b.rowtime <= a.e + INTERVAL '1' MINUTE", None, None),
        ("b.e <= a.e", None, None),
        ("b.rowtime >= a.e", None, None),
        ("a.v < b.v", None, None),
    ],
)
def test_when_rows_of_a_join_have_had_their_last_match(
    planning: Planning, condition: str, left_end: tuple[str, int] | None, right_end: tuple[str, int] | None
) -> None:
    planning.plan("CREATE STREAM IF NOT EXISTS l (k INTEGER, v INTEGER, e TIMESTAMP)")
    found = changes(planning, f"SELECT a.v, b.v AS w FROM l AS a JOIN l AS b ON a.k = b.k AND {condition}")
    join = found["updating_join"]

    def named(end: dict[str, Any] | None) -> tuple[str, int] | None:
        return None if end is None else (join["fields"][end["column"]]["name"], end["millis"])

    assert (named(join["leftEnd"]), named(join["rightEnd"])) == (left_end, right_end)
    assert join["state"]["bound"] == ("window" if left_end and right_end else "unbounded")
    assert ("WATERMARK" in join["needs"]) == bool(left_end or right_end)
    # Rows that can be retracted need those that they matched.
    left = "(SELECT k, MAX(v) AS v, MAX(e) AS e, MAX(rowtime) AS rowtime FROM l GROUP BY k)"
    found = changes(planning, f"SELECT a.v, b.v AS w FROM {left} AS a JOIN l AS b ON a.k = b.k AND {condition}")
    assert found["updating_join"]["leftEnd"] is None and found["updating_join"]["rightEnd"] is None


def test_a_join_within_a_time_has_final_rows(planning: Planning) -> None:
    query = "SELECT a.k FROM s AS a JOIN s AS b ON a.k = b.k AND b.rowtime BETWEEN a.rowtime AND a.rowtime + INTERVAL '1' HOUR"
    found = changes(planning, query)
    assert "interval_join" in found
    assert "updating_join" not in found and "to_changelog" not in found
    # Not if its rows have no time: those of another join.
    found = changes(
        planning, query.replace("FROM s AS a", "FROM (SELECT x.* FROM s AS x JOIN s AS y ON x.v = y.v) AS a")
    )
    assert "interval_join" not in found


@pytest.mark.parametrize(
    ("query", "what"),
    [
        (
            "SELECT x.k FROM (SELECT a.k FROM s AS a LEFT JOIN s AS b ON a.k = b.k) AS x JOIN t ON x.k = t.k",
            "LOOKUP JOIN over a result that changes",
        ),
    ],
)
def test_joins_that_do_not_run_in_changelogs(planning: Planning, query: str, what: str) -> None:
    assert what in planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")["notSupported"]


def test_a_pump_into_a_table_with_a_primary_key(planning: Planning) -> None:
    """The plan has the changes of the result by the key of the table, with the columns of the table and OP."""
    planning.plan("CREATE TABLE totals (n BIGINT, k VARCHAR(20), g BIGINT, note VARCHAR(5), PRIMARY KEY (g, k))")
    insert = "INSERT INTO totals (g, n, k) SELECT STREAM g, COUNT(*), k FROM s GROUP BY k, g"
    statement = planning.plan(f"CREATE PUMP upserting AS {insert}")
    assert statement["notSupported"] == []
    assert statement["target"] == {
        "name": "TOTALS", "columns": ["G", "N", "K"], "mode": "upsert", "key": ["G", "K"]
    }  # fmt: skip
    root = statement["plan"]
    assert (root["op"], root["key"], root["upserts"], root["target"]) == ("to_changelog", [0, 2], True, "TOTALS")
    assert [field["name"] for field in root["fields"]] == ["G", "N", "K", "$op"]
    assert (root["changes"], root["clock"], root["needs"]) == ("append", None, [])
    # As the pump is planned when it starts.
    started = planning.plan(insert)
    assert (started["target"], started["plan"]["signature"]) == (statement["target"], root["signature"])


@pytest.mark.parametrize("kind", ["TABLE", "STREAM"])
def test_a_pump_into_a_database(planning: Planning, kind: str) -> None:
    options = "OPTIONS (connector 'jdbc', url 'jdbc:sqlite:x', table 't')"
    planning.plan(f"CREATE FOREIGN {kind} far (n BIGINT, k VARCHAR(20), PRIMARY KEY (k)) {options}")
    statement = planning.plan("CREATE PUMP p AS INSERT INTO far (k, n) SELECT STREAM k, COUNT(*) FROM s GROUP BY k")
    assert statement["notSupported"] == []
    assert statement["target"] == {"name": "FAR", "columns": ["K", "N"], "mode": "upsert", "key": ["K"]}
    final = planning.plan("INSERT INTO far (k, n) SELECT STREAM k, v FROM s")
    assert final["target"] == {"name": "FAR", "columns": ["K", "N"]}
    (error,) = planning.errors("INSERT INTO far (k, n) SELECT STREAM UPPER(k), COUNT(*) FROM s GROUP BY k")
    assert error["code"] == "RT0215"
    # What the state knows is in one table.
    moved = f"CREATE OR REPLACE FOREIGN {kind} far (n BIGINT, k VARCHAR(20), PRIMARY KEY (k)) {options}"
    for change, is_same in (("table 't', user 'me'", True), ("table 'u'", False)):
        planning.plan(moved.replace("table 't'", change))
        again = planning.plan("INSERT INTO far (k, n) SELECT STREAM k, COUNT(*) FROM s GROUP BY k")
        assert (again["plan"]["signature"] == statement["plan"]["signature"]) == is_same
    planning.plan(f"DROP FOREIGN {kind} far CASCADE")


@pytest.mark.parametrize(("format", "changes"), [("UPSERT-JSON", True), ("json", False)])
def test_a_pump_into_a_topic(planning: Planning, format: str, changes: bool) -> None:
    options = f"OPTIONS (connector 'kafka', servers 'b:1', topic 't', format '{format}')"
    planning.plan(f"CREATE OR REPLACE FOREIGN STREAM topic (k VARCHAR(20) PRIMARY KEY, n BIGINT) {options}")
    query = "INSERT INTO topic (k, n) SELECT STREAM k, COUNT(*) FROM s GROUP BY k"
    if changes:
        assert planning.plan(query)["target"]["key"] == ["K"]
    else:
        assert [error["code"] for error in planning.errors(query)] == ["RT0201"]


@pytest.mark.parametrize(
    ("query", "operator"),
    [
        ("SELECT STREAM a.k, SUM(b.v) FROM s a JOIN s b ON a.k = b.k GROUP BY a.k", "updating_join"),
        (f"SELECT STREAM k, v FROM ({RANKED} s) WHERE n = 1", "updating_top_n"),
        ("SELECT STREAM k, COUNT(*) FROM (SELECT k FROM s EXCEPT SELECT k FROM s) GROUP BY k", "updating_aggregate"),
    ],
)
def test_a_table_gets_the_changes_of_any_operator(planning: Planning, query: str, operator: str) -> None:
    planning.plan("CREATE OR REPLACE TABLE results (k VARCHAR(10) PRIMARY KEY, n BIGINT)")
    statement = planning.plan(f"INSERT INTO results {query}")
    assert statement["notSupported"] == []
    assert operator in {node["op"] for node in nodes(statement["plan"])}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT STREAM k, v FROM s",
        "SELECT STREAM k, COUNT(*) FROM s GROUP BY FLOOR(rowtime TO HOUR), k",
        "SELECT k, COUNT(*) FROM t GROUP BY k",
    ],
)
def test_rows_that_are_final_are_appended(planning: Planning, query: str) -> None:
    statement = planning.plan(f"INSERT INTO t (k, v) {query.replace('COUNT(*)', 'CAST(COUNT(*) AS INTEGER)')}")
    assert statement["target"] == {"name": "T", "columns": ["K", "V"]}
    assert "to_changelog" not in {node["op"] for node in nodes(statement["plan"])}


@pytest.mark.parametrize(
    ("query", "other"),
    [
        ("SELECT STREAM k, COUNT(*) FROM s GROUP BY k", "SELECT STREAM k, COUNT(*) + 1 FROM s GROUP BY k"),
        (
            "SELECT STREAM k, COUNT(*) FROM s GROUP BY k",
            "SELECT STREAM k, COUNT(*) FROM s GROUP BY k HAVING COUNT(*) > 1",
        ),
    ],
)
def test_the_rows_of_a_table_are_state(planning: Planning, query: str, other: str) -> None:
    """The state of the groups is the same, but the table would have results of two queries."""
    planning.plan("CREATE OR REPLACE TABLE counts (k VARCHAR(10) PRIMARY KEY, n BIGINT, m BIGINT)")
    planning.plan("CREATE OR REPLACE TABLE counts2 (k VARCHAR(10) PRIMARY KEY, n BIGINT)")

    def signatures(statement: str) -> tuple[str, str]:
        root = planning.plan(statement)["plan"]
        (groups,) = (node for node in nodes(root) if node["op"] == "updating_aggregate")
        return root["signature"], groups["signature"]

    changes, groups = signatures(f"INSERT INTO counts (k, n) {query}")
    assert signatures(f"INSERT INTO counts (k, n) {query}") == (changes, groups)
    others = [f"counts (k, n) {other}", f"counts (k, m) {query}", f"counts2 {query}"]
    found = [signatures(f"INSERT INTO {each}") for each in others]
    assert {each[1] for each in found} == {groups}
    assert len({changes, *(each[0] for each in found)}) == 4


@pytest.mark.parametrize(
    "target",
    [
        "TABLE u (k ROW(a INTEGER) PRIMARY KEY, n BIGINT)",
        "STREAM u (k INTEGER, n BIGINT)",
        "FOREIGN TABLE u (k INTEGER PRIMARY KEY, n BIGINT) OPTIONS (connector 'delta', path 'x')",
    ],
)
def test_what_cannot_have_changes(planning: Planning, target: str) -> None:
    planning.plan(f"CREATE OR REPLACE {target}")
    key = "ROW(g)" if "ROW" in target else "g"
    (error,) = planning.errors(
        f"CREATE PUMP p AS INSERT INTO u (k, n) SELECT STREAM {key}, COUNT(*) FROM s GROUP BY {key}"
    )
    assert error["code"] == ("RT0215" if "ROW" in target else "RT0201")
    assert "PRIMARY KEY" in error["hint"]
    planning.plan(f"DROP {target.split(' u ', maxsplit=1)[0]} u")

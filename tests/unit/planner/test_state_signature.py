"""What saved state means: two definitions have the same signatures exactly if one can continue from the state of the other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Planning

SCHEMA = """
CREATE STREAM s (a INTEGER NOT NULL, b INTEGER NOT NULL, x INTEGER, y INTEGER, t VARCHAR(10));
CREATE STREAM r (a INTEGER NOT NULL, b INTEGER NOT NULL, x INTEGER, y INTEGER, t VARCHAR(10));
CREATE TABLE d (a INTEGER NOT NULL PRIMARY KEY, b INTEGER, name VARCHAR(10));
CREATE FOREIGN STREAM f (rowtime TIMESTAMP NOT NULL, a INTEGER) OPTIONS (connector 'files', format 'csv', path '/data/f');
CREATE FUNCTION Twice(n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'functions.numbers:twice';
CREATE FUNCTION Thrice(n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'functions.numbers:thrice';
CREATE VIEW late AS SELECT STREAM * FROM s;
LATENESS late.rowtime INTERVAL '10' MINUTE;
CREATE VIEW plus AS SELECT STREAM s.rowtime, s.a, s.x + 0 AS n FROM s;
"""
HOUR = "FLOOR(rowtime TO HOUR)"
GROUP = "SELECT STREAM {hour} AS rowtime, {call} FROM {source} GROUP BY {hour}, {key}"


def group(call: str = "SUM(x)", key: str = "a", source: str = "s", hour: str = HOUR) -> str:
    return GROUP.format(call=call, key=key, source=source, hour=hour)


def over(call: str, window: str, source: str = "s") -> str:
    return f"SELECT STREAM rowtime, {call} OVER ({window}) AS n FROM {source}"


def session(key: str = "a", gap: int = 5, call: str = "COUNT(DISTINCT x)") -> str:
    return f"SELECT STREAM {key}, {call} FROM s GROUP BY SESSION(rowtime, INTERVAL '{gap}' MINUTE), {key}"


def sessions(key: str = "a", gap: int = 5) -> str:
    return f"SELECT STREAM * FROM SESSION(TABLE s, DESCRIPTOR(rowtime), DESCRIPTOR({key}), INTERVAL '{gap}' MINUTE)"


def hop(slide: int = 5, size: int = 60, key: str = "a", call: str = "SUM(x)", where: str = "") -> str:
    window = f"HOP(rowtime, INTERVAL '{slide}' MINUTE, INTERVAL '{size}' MINUTE)"
    start = window.replace("HOP", "HOP_END", 1)
    return f"SELECT STREAM {start} AS rowtime, {key}, {call} FROM s {where} GROUP BY {window}, {key}"


def top(order: str = "x DESC", limit: int = 3, partition: str = HOUR, source: str = "s") -> str:
    rank = f"ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {order})"
    return f"SELECT STREAM rowtime, a, x FROM (SELECT STREAM *, {rank} AS n FROM {source}) WHERE n <= {limit}"


def join(on: str = "s.a = r.a", minutes: int = 5, kind: str = "", left: str = "s", more: str = "") -> str:
    window = f"RANGE INTERVAL '{minutes}' MINUTE PRECEDING"
    return f"SELECT STREAM s.a, r.x FROM {left} OVER ({window}) AS s {kind} JOIN r OVER ({window}) AS r ON {on} {more}"


def counted(value: str, changes: str = "SUM(x) AS n, SUM(y) AS m") -> str:
    """Returns a total of values of changes."""
    below = f"TO_CHANGELOG((SELECT a, {changes} FROM s GROUP BY a))"
    total = f"SELECT payload.a AS a, SUM(payload.{value}) AS t FROM {below} GROUP BY payload.a"
    return f"SELECT STREAM * FROM TO_CHANGELOG(({total}))"


def asof(compare: str = "s.rowtime >= r.rowtime", on: str = "s.a = r.a") -> str:
    return f"SELECT STREAM s.rowtime, s.a, r.x FROM s ASOF JOIN r MATCH_CONDITION {compare} ON {on}"


def union(first: str = "s", second: str = "r", columns: str = "rowtime, a, x") -> str:
    return f"SELECT STREAM {columns} FROM {first} UNION ALL SELECT STREAM {columns} FROM {second}"


SAME: dict[str, tuple[str, str]] = {
    "names and the order of columns below TO_CHANGELOG": (counted("n"), counted("m", "SUM(y) AS n, SUM(x) AS m")),
    "the name of a result": (group("SUM(x) AS n"), group("SUM(x) AS m")),
    "+ 0": (group("SUM(x)"), group("SUM(x + 0)")),
    "0 +": (group("SUM(x)"), group("SUM(0 + x)")),
    "* 1": (group("SUM(x)"), group("SUM(x * 1)")),
    "- 0": (group("SUM(x)"), group("SUM(x - 0)")),
    "+ 0 above": (group("SUM(x) AS n"), group("SUM(x) + 0 AS n")),
    "sums the other way round": (group("SUM(x + y)"), group("SUM(y + x)")),
    "sums of three": (group("SUM((x + y) + a)"), group("SUM(a + (y + x))")),
    "sums with constants": (group("SUM(x + 1 + 2)"), group("SUM(3 + x)")),
    "less a constant": (group("SUM(x - 1)"), group("SUM(x + -1)")),
    "products the other way round": (group("SUM(x * y)"), group("SUM(y * x)")),
    "a cast to the same type": (group("SUM(x)"), group("SUM(CAST(x AS INTEGER))")),
    "casts in two steps": (group("MAX(CAST(x AS BIGINT))"), group("MAX(CAST(CAST(x AS INTEGER) AS BIGINT))")),
    "a sub-query": (group("SUM(x)"), group("SUM(x)", source="(SELECT STREAM * FROM s)")),
    "renamed columns": (group("SUM(x)"), group("SUM(n)", "k", "(SELECT STREAM rowtime, a AS k, x AS n FROM s)")),
    "reordered columns": (group("SUM(x)"), group("SUM(x)", source="(SELECT STREAM x, y, a, rowtime FROM s)")),
    "a column more": (group("SUM(x)"), group("SUM(x)", source="(SELECT STREAM *, x + y AS z FROM s)")),
    "a view with + 0": (group("SUM(x)"), group("SUM(n)", source="plus")),
    "filters in two steps": (
        group(source="s WHERE x > 1 AND y < 2"),
        group(source="(SELECT STREAM * FROM s WHERE y < 2) WHERE x > 1"),
    ),
    "filters in another order": (group(source="s WHERE x > 1 AND y < 2"), group(source="s WHERE y < 2 AND x > 1")),
    "OR in another order": (group(source="s WHERE x > 1 OR y < 2"), group(source="s WHERE y < 2 OR x > 1")),
    "a comparison the other way round": (group(source="s WHERE x > 1"), group(source="s WHERE 1 < x")),
    "equality the other way round": (group(source="s WHERE x = y"), group(source="s WHERE y = x")),
    "NOT of a comparison": (group(source="s WHERE NOT (x > 1)"), group(source="s WHERE x <= 1")),
    "NOT NOT": (group(source="s WHERE NOT (NOT (t LIKE 'a%'))"), group(source="s WHERE t LIKE 'a%'")),
    "a condition twice": (group(source="s WHERE x > 1"), group(source="s WHERE x > 1 AND x > 1")),
    "IS TRUE": (group(source="s WHERE x > 1"), group(source="s WHERE (x > 1) IS TRUE")),
    "BETWEEN": (group(source="s WHERE x BETWEEN 1 AND 2"), group(source="s WHERE x <= 2 AND x >= 1")),
    "IN": (group(source="s WHERE x IN (1, 2)"), group(source="s WHERE x = 2 OR x = 1")),
    "a long IN": (
        group(source=f"s WHERE x IN ({', '.join(str(n) for n in range(300))})"),
        group(source=f"s WHERE x IN ({', '.join(str(n) for n in reversed(range(300)))})"),
    ),
    "an interval in other units": (over("SUM(x)", "RANGE INTERVAL '1' HOUR PRECEDING"), over("SUM(x)", "RANGE INTERVAL '60' MINUTE PRECEDING")),
    "what is above OVER": (
        over("SUM(x)", "ORDER BY rowtime ROWS 3 PRECEDING"),
        f"SELECT STREAM rowtime, n * 2 AS n FROM ({over('SUM(x)', 'ORDER BY rowtime ROWS 3 PRECEDING')}) WHERE n > 5",
    ),
    "swapped branches": (union("s", "r"), union("r", "s")),
    "swapped branches with filters": (union("s WHERE x > 1", "s WHERE x < 0"), union("s WHERE x < 0", "s WHERE x > 1")),
    "three branches": (
        union("s", "r") + " UNION ALL SELECT STREAM rowtime, a, y FROM s",
        "SELECT STREAM rowtime, a, y FROM s UNION ALL " + union("r", "s"),
    ),
    "groups of swapped branches": (group(source=f"({union('s', 'r')})"), group(source=f"({union('r', 's')})")),
    "a join condition the other way round": (join("s.a = r.a"), join("r.a = s.a")),
    "a join's column above": (join(), f"SELECT STREAM a + 1 AS b, x FROM ({join()})"),
    "HOP of a renamed column": (hop(call="SUM(x)"), hop(call="SUM(x + 0)")),
    "DISTINCT": ("SELECT STREAM DISTINCT rowtime, a FROM s", "SELECT STREAM rowtime, a FROM s GROUP BY rowtime, a"),
}  # fmt: skip

OTHER: dict[str, tuple[str, str]] = {
    "a value below TO_CHANGELOG": (counted("n"), counted("n", "SUM(y) AS n, SUM(x) AS m")),
    "an expression below TO_CHANGELOG": (counted("n"), counted("n", "SUM(x) + 1 AS n, SUM(y) AS m")),
    "GROUP BY": (group(key="a"), group(key="b")),
    "an expression in GROUP BY": (group(key="a"), group(key="a + 1")),
    "one key more": (group(key="a"), group(key="a, b")),
    "the argument of SUM": (group("SUM(x)"), group("SUM(y)")),
    "an expression in SUM": (group("SUM(x + 1)"), group("SUM(x + 2)")),
    "minus the other way round": (group("SUM(x - y)"), group("SUM(y - x)")),
    "a function": (group("MIN(x)"), group("MAX(x)")),
    "DISTINCT in a function": (group("COUNT(x)"), group("COUNT(DISTINCT x)")),
    "the argument of DISTINCT": (group("COUNT(DISTINCT x)"), group("COUNT(DISTINCT y)")),
    "FILTER": (group("SUM(x) FILTER (WHERE y > 1)"), group("SUM(x) FILTER (WHERE y > 2)")),
    "the order of a percentile": (
        group("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)"),
        group("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY y)"),
    ),
    "the fraction of a percentile": (
        group("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)"),
        group("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)"),
    ),
    "the source": (group(source="s"), group(source="r")),
    "a filter below": (group(source="s WHERE x > 1"), group(source="s WHERE x > 2")),
    "a filter or none": (group(source="s"), group(source="s WHERE x > 1")),
    "a filter of another column": (group(source="s WHERE x > 1"), group(source="s WHERE y > 1")),
    "a long IN": (
        group(source=f"s WHERE x IN ({', '.join(str(n) for n in range(300))})"),
        group(source=f"s WHERE x IN ({', '.join(str(n) for n in range(1, 301))})"),
    ),
    "AND and OR": (group(source="s WHERE x > 1 AND y > 1"), group(source="s WHERE x > 1 OR y > 1")),
    "an expression of a view": (group("SUM(x)"), group("SUM(x)", source="(SELECT STREAM rowtime, a, x + 1 AS x FROM s)")),
    "swapped columns of a view": (group("SUM(x)"), group("SUM(x)", source="(SELECT STREAM rowtime, a, x AS y, y AS x FROM s)")),
    "ROWTIME shifted below": (
        group("SUM(x)"),
        group("SUM(x)", source="(SELECT STREAM rowtime + INTERVAL '1' MINUTE AS rowtime, a, x FROM s)"),
    ),
    "the width of a window": (group(hour=HOUR), group(hour="FLOOR(rowtime TO DAY)")),
    "the offset of TUMBLE": (
        group(hour="TUMBLE(rowtime, INTERVAL '1' HOUR, TIME '00:10:00')").replace("SELECT STREAM TUMBLE", "SELECT STREAM TUMBLE_END"),
        group(hour="TUMBLE(rowtime, INTERVAL '1' HOUR, TIME '00:20:00')").replace("SELECT STREAM TUMBLE", "SELECT STREAM TUMBLE_END"),
    ),
    "the order of ROLLUP": (
        f"SELECT STREAM {HOUR} AS rowtime, a, b, SUM(x) FROM s GROUP BY {HOUR}, ROLLUP(a, b)",
        f"SELECT STREAM {HOUR} AS rowtime, a, b, SUM(x) FROM s GROUP BY {HOUR}, ROLLUP(b, a)",
    ),
    "GROUPING SETS": (
        f"SELECT STREAM {HOUR} AS rowtime, a, b, SUM(x) FROM s GROUP BY {HOUR}, ROLLUP(a, b)",
        f"SELECT STREAM {HOUR} AS rowtime, a, b, SUM(x) FROM s GROUP BY {HOUR}, CUBE(a, b)",
    ),
    "the key of a session": (session("a"), session("b")),
    "the gap of a session": (session(gap=5), session(gap=6)),
    "the function of a session": (session(call="COUNT(DISTINCT x)"), session(call="COUNT(DISTINCT y)")),
    "the argument of a session's function": (session(call="SUM(x)"), session(call="SUM(y)")),
    "the key of SESSION": (sessions("a"), sessions("b")),
    "the gap of SESSION": (sessions(gap=5), sessions(gap=6)),
    "the key of HOP": (hop(key="a"), hop(key="b")),
    "the slide of HOP": (hop(slide=5), hop(slide=10)),
    "the size of HOP": (hop(size=60), hop(size=30)),
    "the function of HOP": (hop(call="SUM(x)"), hop(call="SUM(y)")),
    "a filter below HOP": (hop(where="WHERE x > 1"), hop(where="WHERE x > 2")),
    "the input of OVER": (over("SUM(x)", "ORDER BY rowtime ROWS 3 PRECEDING"), over("SUM(y)", "ORDER BY rowtime ROWS 3 PRECEDING")),
    "the partition of OVER": (
        over("SUM(x)", "PARTITION BY a ORDER BY rowtime ROWS 3 PRECEDING"),
        over("SUM(x)", "PARTITION BY b ORDER BY rowtime ROWS 3 PRECEDING"),
    ),
    "the frame of OVER": (over("SUM(x)", "ORDER BY rowtime ROWS 3 PRECEDING"), over("SUM(x)", "ORDER BY rowtime ROWS 4 PRECEDING")),
    "ROWS and RANGE": (over("SUM(x)", "ROWS 3 PRECEDING"), over("SUM(x)", "RANGE INTERVAL '3' SECOND PRECEDING")),
    "the distance of LAG": (over("LAG(x, 1)", "ORDER BY rowtime"), over("LAG(x, 2)", "ORDER BY rowtime")),
    "the column of LAG": (over("LAG(x, 1)", "ORDER BY rowtime"), over("LAG(y, 1)", "ORDER BY rowtime")),
    "a filter below OVER": (over("SUM(x)", "ROWS 3 PRECEDING", "s WHERE x > 1"), over("SUM(x)", "ROWS 3 PRECEDING", "s WHERE x > 2")),
    "the source of OVER": (over("SUM(x)", "ROWS 3 PRECEDING", "s"), over("SUM(x)", "ROWS 3 PRECEDING", "r")),
    "the order of Top-N": (top("x DESC"), top("x")),
    "the column of Top-N": (top("x DESC"), top("y DESC")),
    "the limit of Top-N": (top(limit=3), top(limit=4)),
    "the partition of Top-N": (top(partition=HOUR), top(partition=f"{HOUR}, a")),
    "the input of Top-N": (top(), top(source="(SELECT STREAM rowtime, a, x + 1 AS x FROM s)")),
    "the keys of a join": (join("s.a = r.a"), join("s.a = r.b")),
    "a further key of a join": (join("s.a = r.a"), join("s.a = r.a AND s.b = r.b")),
    "the condition of a join": (join("s.a = r.a AND s.x < r.x"), join("s.a = r.a AND s.x < r.y")),
    "the window of a join": (join(minutes=5), join(minutes=6)),
    "the kind of a join": (join(), join(kind="LEFT")),
    "the keys of a join in a sub-query": (join(), join(left="(SELECT STREAM rowtime, b AS a, x FROM s)")),
    "a filter below a join": (join(), join(left="(SELECT STREAM * FROM s WHERE x > 1)")),
    "the keys of a sub-query": (
        "SELECT STREAM a FROM s WHERE EXISTS (SELECT 1 FROM r WHERE r.a = s.a AND r.rowtime BETWEEN s.rowtime AND s.rowtime + INTERVAL '1' MINUTE)",
        "SELECT STREAM a FROM s WHERE EXISTS (SELECT 1 FROM r WHERE r.b = s.a AND r.rowtime BETWEEN s.rowtime AND s.rowtime + INTERVAL '1' MINUTE)",
    ),
    "EXISTS and NOT EXISTS": (
        "SELECT STREAM a FROM s WHERE EXISTS (SELECT 1 FROM r WHERE r.a = s.a AND r.rowtime BETWEEN s.rowtime AND s.rowtime + INTERVAL '1' MINUTE)",
        "SELECT STREAM a FROM s WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.a = s.a AND r.rowtime BETWEEN s.rowtime AND s.rowtime + INTERVAL '1' MINUTE)",
    ),
    "the keys of ASOF JOIN": (asof(on="s.a = r.a"), asof(on="s.a = r.b")),
    "the comparison of ASOF JOIN": (asof("s.rowtime >= r.rowtime"), asof("s.rowtime > r.rowtime")),
    "the columns of a branch": (union(columns="rowtime, a, x"), union(columns="rowtime, a, y")),
    "the filter of a branch": (union("s", "r"), union("s WHERE x > 1", "r")),
    "a branch more": (union("s", "r"), union("s", "r") + " UNION ALL SELECT STREAM rowtime, a, x FROM s"),
    "the source of a branch": (union("s", "r"), union("s", "s")),
    "swapped columns of one branch": (
        "SELECT STREAM rowtime, a, b FROM s UNION ALL SELECT STREAM rowtime, a, b FROM r",
        "SELECT STREAM rowtime, a, b FROM s UNION ALL SELECT STREAM rowtime, b, a FROM r",
    ),
    "ORDER BY": ("SELECT STREAM * FROM s ORDER BY rowtime, x", "SELECT STREAM * FROM s ORDER BY rowtime, y"),
    "a filter below ORDER BY": ("SELECT STREAM * FROM s ORDER BY rowtime", "SELECT STREAM * FROM s WHERE x > 1 ORDER BY rowtime"),
    "LATENESS or none": (group(source="s"), group(source="late")),
    "the table joined below": (
        group("SUM(x)", source="(SELECT STREAM s.rowtime, s.a, s.x FROM s JOIN d ON s.a = d.a)"),
        group("SUM(x)", source="(SELECT STREAM s.rowtime, s.a, s.x FROM s JOIN d ON s.a = d.b)"),
    ),
    "a function of the user": (group("SUM(Twice(x))"), group("SUM(Thrice(x))")),
    "a string": (group(source="s WHERE t = 'a'"), group(source="s WHERE t = 'b'")),
    "an operand of CASE": (
        group("SUM(CASE WHEN y > 1 THEN x ELSE 0 END)"),
        group("SUM(CASE WHEN y > 1 THEN x ELSE 1 END)"),
    ),
    "the table function HOP": (
        "SELECT STREAM window_end, SUM(x) FROM HOP(TABLE s, DESCRIPTOR(rowtime), INTERVAL '7' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_end",
        "SELECT STREAM window_end, SUM(x) FROM HOP(TABLE s, DESCRIPTOR(rowtime), INTERVAL '7' MINUTE, INTERVAL '20' MINUTE) GROUP BY window_end",
    ),
}  # fmt: skip


@pytest.fixture
def state(planning: Planning) -> Planning:
    for statement in SCHEMA.strip().split(";\n"):
        planning.plan(statement.rstrip(";"))
    return planning


def signatures(plan: dict[str, Any]) -> list[str]:
    """Returns the signatures of the nodes, sources first, as `rowtime.plan.state` does."""
    found = [signed for child in plan["inputs"] for signed in signatures(child)]
    return found if plan["signature"] is None else [*found, plan["signature"]]


def identities(plan: dict[str, Any]) -> list[str]:
    own = [plan["identity"]] if plan["op"] == "scan" else []
    return own + [identity for child in plan["inputs"] for identity in identities(child)]


@pytest.mark.parametrize("name", SAME)
def test_the_same_meaning(state: Planning, name: str) -> None:
    first, second = (state.plan(sql)["plan"] for sql in SAME[name])
    assert signatures(first)
    assert signatures(first) == signatures(second)
    assert identities(first) == identities(second)


@pytest.mark.parametrize("name", OTHER)
def test_another_meaning(state: Planning, name: str) -> None:
    first, second = (signatures(state.plan(sql)["plan"]) for sql in OTHER[name])
    assert first
    assert first != second


def test_signatures_are_small_and_say_what_they_are(state: Planning) -> None:
    long = " + ".join(f"x * {i}" for i in range(60))
    (signed,) = signatures(state.plan(group(f"SUM({long})", source="s WHERE x > 1"))["plan"])
    assert len(signed) < 2000
    parts = json.loads(signed)["parts"]
    assert (parts["sources"], parts["conditions"]) == ("S", "(1 < S.X)")
    assert parts["GROUP BY"] == "FLOOR(S.ROWTIME, HOUR), S.A"


@pytest.mark.parametrize(
    ("sql", "layout"),
    [
        ("SELECT STREAM SUM(x) OVER (PARTITION BY a ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) FROM k", 4),
        ("SELECT STREAM SUM(x) OVER (PARTITION BY d ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) FROM k", 5),
        ("SELECT STREAM SUM(x) OVER (PARTITION BY w ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) FROM k", 5),
        # These had a column for an approximate number before.
        ("SELECT STREAM * FROM k QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR), d ORDER BY x) = 1", 4),
        ("SELECT STREAM * FROM k QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR), w ORDER BY x) = 1", 5),
        (
            "SELECT STREAM op, payload FROM TO_CHANGELOG((SELECT x FROM k QUALIFY ROW_NUMBER() OVER (PARTITION BY w ORDER BY x) = 1))",
            5,
        ),
        (
            "SELECT STREAM op, payload FROM TO_CHANGELOG((SELECT x FROM k QUALIFY ROW_NUMBER() OVER (PARTITION BY d ORDER BY x) = 1))",
            4,
        ),
    ],
)
def test_keys_with_several_forms_have_another_layout(state: Planning, sql: str, layout: int) -> None:
    """State that a build without columns for such keys has written is refused, and not read as other rows."""
    state.plan("CREATE OR REPLACE STREAM k (a INTEGER, d DOUBLE, w DOUBLE ARRAY, x INTEGER)")
    found = [json.loads(signed) for signed in signatures(state.plan(sql)["plan"])]
    assert [signed["layout"] for signed in found if signed["op"] in ("window", "top_n", "updating_top_n")] == [layout]


def test_a_foreign_stream_is_what_is_read_and_not_the_password(state: Planning) -> None:
    def identity(options: str) -> str:
        state.plan(f"CREATE OR REPLACE FOREIGN STREAM g (rowtime TIMESTAMP NOT NULL, a INTEGER) OPTIONS ({options})")
        (found,) = identities(state.plan("SELECT STREAM * FROM g")["plan"])
        return found

    files = "connector 'files', format 'csv', path '{}'"
    assert identity(files.format("/one")) == "G (files, path '/one')"
    assert identity(files.format("/one") + ", idle_timeout '1 MINUTE'") == "G (files, path '/one')"
    assert identity(files.format("/two")) == "G (files, path '/two')"
    kafka = "connector 'kafka', format 'json', servers 'h:1', topic 't', \"kafka.sasl.jaas.config\" '{}'"
    assert identity(kafka.format("one")) == identity(kafka.format("two")) == "G (kafka, servers 'h:1', topic 't')"
    adapter = "connector 'python', class 'm:C', feed '{}', password '{}'"
    assert (
        identity(adapter.format("a", "p")) == identity(adapter.format("a", "q")) != identity(adapter.format("b", "p"))
    )


def names(plan: dict[str, Any], op: str) -> list[str]:
    found = [name for child in plan["inputs"] for name in names(child, op)]
    return [*found, plan["stateName"]] if plan["op"] == op else found


def test_clocks_have_names_by_meaning(state: Planning) -> None:
    (name,) = names(state.plan("SELECT STREAM * FROM late")["plan"], "lateness")
    (other,) = names(state.plan("SELECT STREAM a, COUNT(*) FROM late GROUP BY a, rowtime")["plan"], "lateness")
    assert name == other
    state.plan(
        "CREATE OR REPLACE VIEW late AS SELECT STREAM rowtime, a, b, x, y, t FROM (SELECT STREAM *, x AS z FROM s)"
    )
    assert names(state.plan("SELECT STREAM * FROM late")["plan"], "lateness") == [name]
    twice = "SELECT STREAM rowtime, a FROM late UNION ALL SELECT STREAM rowtime, b FROM late"
    assert sorted(names(state.plan(twice)["plan"], "lateness")) == [name, f"{name}x2"]
    state.plan("CREATE OR REPLACE VIEW late AS SELECT STREAM * FROM s WHERE x > 1")
    assert names(state.plan("SELECT STREAM * FROM late")["plan"], "lateness") != [name]


def test_foreign_streams_in_a_union_keep_their_clocks(state: Planning) -> None:
    state.plan(
        "CREATE FOREIGN STREAM g (rowtime TIMESTAMP NOT NULL, a INTEGER) "
        "OPTIONS (connector 'files', format 'csv', path '/data/g')"
    )
    alone = {source: names(state.plan(f"SELECT STREAM * FROM {source}")["plan"], "scan")[0] for source in "fg"}
    for first, second in ("fg", "gf"):
        sql = f"SELECT STREAM rowtime, a FROM {first} UNION ALL SELECT STREAM rowtime, a + 1 FROM {second}"
        assert sorted(names(state.plan(sql)["plan"], "scan")) == sorted(alone.values())


def test_the_rows_of_a_snapshot_belong_to_what_they_are_read_for(state: Planning) -> None:
    def stored(snapshot: str, condition: str = "s.a = d.a") -> set[str]:
        found = state.plan(f"SELECT STREAM s.rowtime, d.name FROM s JOIN {snapshot} AS d ON {condition}")["plan"]
        relation = next(each["inputs"][1] for each in _all(found) if each["op"] == "lookup_join")
        return set(names(relation, "scan"))

    whole = stored("TABLE(SNAPSHOT(TABLE d))")
    assert len(whole) == 1
    assert stored("TABLE(SNAPSHOT(TABLE d))", "d.a = s.a AND s.b > 1") == whole
    assert stored("(SELECT * FROM TABLE(SNAPSHOT(TABLE d)) WHERE b > 1)") != whole
    assert stored("TABLE(SNAPSHOT(TABLE d, TIMESTAMP '2024-01-20 00:00:00'))") != whole


def _all(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node] + [each for child in node["inputs"] for each in _all(child)]


def test_the_order_of_columns_in_a_select_does_not_matter(state: Planning) -> None:
    keys = "SELECT STREAM {hour} AS rowtime, {columns}, {calls} FROM s GROUP BY {hour}, {keys}"
    one = keys.format(hour=HOUR, columns="a, b", calls="SUM(x), COUNT(*)", keys="a, b")
    two = keys.format(hour=HOUR, columns="b, a", calls="COUNT(*), SUM(x)", keys="b, a")
    assert signatures(state.plan(one)["plan"]) == signatures(state.plan(two)["plan"])
    inner = "SELECT STREAM * FROM (SELECT STREAM {} FROM s) ORDER BY rowtime, x"
    assert signatures(state.plan(inner.format("rowtime, a, x"))["plan"]) == signatures(
        state.plan(inner.format("x, rowtime, a"))["plan"]
    )

"""A sample of every plan node, as the planner writes it."""

from __future__ import annotations

import copy
from typing import Any

Json = dict[str, Any]


def field(name: str, type_: str, monotonicity: str = "NOT_MONOTONIC", nullable: bool = False) -> Json:
    return {"name": name, "type": type_, "nullable": nullable, "monotonicity": monotonicity}


def ref(index: int, type_: str = "INTEGER", nullable: bool = False) -> Json:
    return {"kind": "ref", "index": index, "type": type_, "nullable": nullable}


def literal(value: Any, type_: str = "INTEGER") -> Json:
    return {"kind": "literal", "type": type_, "nullable": value is None, "value": value}


def call(op: str, type_: str, *args: Json) -> Json:
    return {"kind": "call", "op": op, "type": type_, "nullable": False, "args": list(args)}


def symbol(value: str) -> Json:
    return {"kind": "symbol", "value": value}


_ids = iter(range(1, 10**9))


def node(op: str, inputs: list[Json], fields: list[Json], *, streaming: bool = True, **more: Any) -> Json:
    base = {
        "op": op,
        "id": next(_ids),
        "origin": [{"line": 1, "column": 1, "endLine": 1, "endColumn": 6}],
        "inputs": inputs,
        "fields": fields,
        "rowtime": "ROWTIME" if fields and fields[0]["name"] == "ROWTIME" else None,
        "state": {"bound": "none", "retention": None, "why": "it keeps nothing"},
        "streaming": streaming,
        "changes": "append",
        "needs": ["WATERMARK", "STATE_STORE"] if op in ("window", "sort", "union", "top_n") else [],
        "signature": None,
        "sorted": op == "sort",
        "inOrder": "ALWAYS",
        "stored": [],
        "reads": [list(range(len(below["fields"]))) for below in inputs] or [list(range(len(fields)))],
        "claims": {"bounds": [], "orders": [], "ordersHold": "ALWAYS", "unique": []},
    }
    if streaming:
        base["clock"] = []
    return {**base, **more}


ARRIVAL = {
    "ordered": {"disordered": True, "maxDisorder": None, "early": False},
    "unordered": {"disordered": True, "maxDisorder": 1_000, "early": True},
}
TIME = field("ROWTIME", "TIMESTAMP(3)", "INCREASING")
UNITS = field("UNITS", "INTEGER")
SCAN = node(
    "scan",
    [],
    [TIME, UNITS],
    source="ORDERS",
    kind="STREAM",
    mode="stream",
    identity="ORDERS",
    stateName="5f3c",
    bound="ROWTIME",
    minRowtime=None,
    start=None,
    clockShift=None,
    asOf=None,
)
TABLE = node(
    "scan",
    [],
    [field("ID", "INTEGER"), UNITS],
    streaming=False,
    source="T",
    kind="TABLE",
    mode="relation",
    identity="T",
    stateName="6a1e",
    bound=None,
    minRowtime=None,
    start=None,
    clockShift=None,
    asOf=None,
)
HOUR = call("FLOOR", "TIMESTAMP(3)", ref(0, "TIMESTAMP(3)"), symbol("HOUR"))
AN_HOUR_LATER = call("DATETIME_PLUS", "TIMESTAMP(3)", ref(0, "TIMESTAMP(3)"), literal(3_600_000, "INTERVAL HOUR"))
TOTAL = {
    "function": "SUM",
    "args": [1],
    "distinct": False,
    "ofSet": False,
    "filter": None,
    "order": [],
    "type": "BIGINT",
    "nullable": False,
    "name": "TOTAL",
}


EXECUTION = {
    "steps": [
        {
            "inputs": [
                {
                    "copies": None,
                    "columns": [
                        {"kind": "conversion", "type": "TIMESTAMP(3)", "nullable": True, "args": [ref(0)]},
                        {
                            "kind": "reached",
                            "type": "TIMESTAMP(3)",
                            "nullable": True,
                            "clock": [{"fn": "SHIFT", "millis": 5}],
                            "args": [AN_HOUR_LATER],
                        },
                        {"kind": "carried", "what": "ARRIVAL", "type": "BIGINT", "nullable": False},
                    ],
                    "source": 1,
                }
            ],
            "expressions": [],
            "spec": {"operator": "group", "keys": ["c0"], "closes": "c1"},
        }
    ],
    "outputs": [
        {"kind": "key", "type": "BIGINT", "nullable": True, "args": [ref(0)]},
        {"kind": "average", "type": "BIGINT", "nullable": False, "args": [ref(1), ref(2)]},
    ],
    "rowtime": {"kind": "counted_time", "type": "TIMESTAMP(3)", "nullable": True, "unit": 100, "args": [ref(3)]},
    "arrival": None,
    "change": None,
    "order": [0],
}
"""How an operator computes a node; no reader in Python knows what is in its `spec`."""

ASCENDING = {"index": 0, "direction": "ASC", "nulls": "LAST"}


def _copied(sample: Json) -> Json:
    return copy.deepcopy(sample)


SAMPLES: dict[str, Json] = {
    "scan": SCAN,
    "values": node(
        "values",
        [],
        [field("A", "INTEGER"), field("B", "DECIMAL(5, 2)", nullable=True)],
        streaming=False,
        rows=[[literal(1), literal("1.50", "DECIMAL(5, 2)")], [literal(2), literal(None, "DECIMAL(5, 2)")]],
    ),
    "filter": node(
        "filter",
        [_copied(SCAN)],
        [TIME, UNITS],
        condition=call(">", "BOOLEAN", ref(1), literal(5)),
        fallible={"exprs": [0], "nulls": [], "onError": "SKIP", "source": "ORDERS", "stateName": "7b20"},
    ),
    "project": node("project", [_copied(SCAN)], [TIME, UNITS], exprs=[HOUR, ref(1)], fallible=None),
    "aggregate": node(
        "aggregate",
        [node("project", [_copied(SCAN)], [TIME, UNITS], exprs=[HOUR, ref(1)], fallible=None)],
        [TIME, field("TOTAL", "BIGINT")],
        clock=[{"fn": "FLOOR", "millis": 3_600_000, "offset": 0}],
        keys=[0],
        calls=[TOTAL],
        constants=[],
        sets=None,
        session=None,
        closes=AN_HOUR_LATER,
    ),
    "group_aggregate": node(
        "group_aggregate",
        [_copied(SCAN)],
        [TIME, field("TOTAL", "BIGINT")],
        keys=[0],
        calls=[{**TOTAL, "distinct": True, "ofSet": True}],
        sets=None,
        closes=AN_HOUR_LATER,
        partition=[],
        arrival=ARRIVAL,
        combines=True,
        execution=EXECUTION,
    ),
    "session_aggregate": node(
        "session_aggregate",
        [_copied(SCAN)],
        [TIME, field("TOTAL", "BIGINT")],
        keys=[0],
        calls=[TOTAL],
        session={"key": 0, "gap": 3_600_000},
        closes=AN_HOUR_LATER,
        arrival=ARRIVAL,
        execution=EXECUTION,
    ),
    "hop_aggregate": node(
        "hop_aggregate",
        [_copied(SCAN)],
        [TIME, UNITS, field("TOTAL", "BIGINT")],
        pane=0,
        late=0,
        slide=3_600_000,
        size=7_200_000,
        offset=0,
        keys=["START", 1],
        calls=[{**TOTAL, "mergedBy": "SUM"}],
        arrival=ARRIVAL,
        combines=True,
        execution=EXECUTION,
    ),
    "updating_aggregate": node(
        "updating_aggregate",
        [_copied(SCAN)],
        [UNITS, field("TOTAL", "BIGINT")],
        changes="retract",
        keys=[1],
        calls=[TOTAL],
        sets=None,
        closes=None,
        combines=True,
        ttl=None,
        execution=EXECUTION,
    ),
    "to_changelog": node(
        "to_changelog",
        [_copied(SCAN)],
        [field("OP", "TINYINT"), field("PAYLOAD", "ROW(UNITS INTEGER)")],
        key=[1],
        upserts=False,
        renews=False,
        target=None,
        execution=EXECUTION,
    ),
    "from_changelog": node(
        "from_changelog",
        [_copied(SCAN)],
        [UNITS],
        changes="retract",
        changeKind=0,
        key=[1],
        execution=EXECUTION,
    ),
    "unnest": node(
        "unnest",
        [_copied(SCAN)],
        [TIME, UNITS, field("TAG", "VARCHAR"), field("N", "INTEGER")],
        exprs=[ref(0)],
        ordinality=True,
        outer=False,
    ),
    "process": node(
        "process",
        [_copied(SCAN)],
        [TIME, UNITS, field("N", "BIGINT", nullable=True)],
        function="COUNTED",
        language="JAVA",
        body="examples.Counted",
        time=0,
        partition=[1],
        parameters=["EVERY_N"],
        args=[literal(2)],
        delay=60_000,
        stateTtl=None,
        arrival=ARRIVAL,
        execution=EXECUTION,
    ),
    "sample": node("sample", [_copied(TABLE)], TABLE["fields"], streaming=False, fraction=0.5, seed=None),
    "recurse": node(
        "recurse",
        [_copied(TABLE), node("recursive", [], TABLE["fields"], streaming=False, recursion=1)],
        TABLE["fields"],
        streaming=False,
        recursion=1,
        all=True,
    ),
    "recursive": node("recursive", [], TABLE["fields"], streaming=False, recursion=1),
    "hop": node(
        "hop",
        [_copied(SCAN)],
        [TIME, UNITS, field("WINDOW_START", "TIMESTAMP(3)"), field("WINDOW_END", "TIMESTAMP(3)")],
        time=ref(0, "TIMESTAMP(3)"),
        slide=3_600_000,
        size=7_007_000,
        offset=0,
    ),
    "session": node(
        "session",
        [_copied(SCAN)],
        [
            field("ROWTIME", "TIMESTAMP(3)"),
            UNITS,
            field("WINDOW_START", "TIMESTAMP(3)"),
            field("WINDOW_END", "TIMESTAMP(3)", "INCREASING"),
        ],
        time=0,
        keys=[1],
        gap=600_000,
        closes=AN_HOUR_LATER,
        arrival=ARRIVAL,
        execution=EXECUTION,
    ),
    "lateness": node(
        "lateness",
        [_copied(SCAN)],
        [TIME, UNITS],
        columns=[{"index": 1, "lateness": literal(5)}, {"index": 0, "lateness": literal(3_600_000, "INTERVAL SECOND")}],
        bound=None,
        stateName="70bd",
    ),
    "union": node(
        "union",
        [_copied(SCAN), _copied(SCAN)],
        [TIME, UNITS],
        stored=[[0, 1]],
        all=True,
        merges=True,
        closes=ref(0, "TIMESTAMP(3)"),
    ),
    "sort": node(
        "sort",
        [_copied(SCAN)],
        [TIME, UNITS],
        keys=[ASCENDING],
        offset=None,
        fetch=None,
        closes=ref(0, "TIMESTAMP(3)"),
    ),
    "join": node(
        "join",
        [_copied(TABLE), _copied(TABLE)],
        [*_copied(TABLE)["fields"], *_copied(TABLE)["fields"]],
        streaming=False,
        joinType="LEFT",
        condition=call("=", "BOOLEAN", ref(0), ref(2)),
    ),
    "interval_join": node(
        "interval_join",
        [_copied(SCAN), _copied(SCAN)],
        [TIME, UNITS, {**TIME, "name": "ROWTIME0"}, {**UNITS, "name": "UNITS0"}],
        joinType="INNER",
        leftInterval={
            "from": 0,
            "to": 3_600_000,
            "rows": None,
            "window": {"fn": "FLOOR", "millis": 3_600_000, "offset": 0},
        },
        rightInterval={"from": 0, "to": None, "rows": 1},
        leftDistinct=True,
        rightDistinct=False,
        leftArrival=ARRIVAL,
        rightArrival=ARRIVAL,
        leftSource=1,
        rightSource=None,
        leftKeys=[ref(1)],
        rightKeys=[ref(1)],
        condition=None,
        execution=EXECUTION,
    ),
    "updating_join": node(
        "updating_join",
        [_copied(SCAN), _copied(SCAN)],
        [TIME, UNITS, {**TIME, "name": "ROWTIME0"}, {**UNITS, "name": "UNITS0"}],
        changes="retract",
        joinType="INNER",
        leftKeys=[ref(1)],
        rightKeys=[ref(1)],
        leftEnd={"column": 0, "millis": 60_000},
        rightEnd=None,
        condition=None,
        execution=EXECUTION,
    ),
    "lookup_join": node(
        "lookup_join",
        [_copied(SCAN), _copied(TABLE)],
        [TIME, UNITS, *TABLE["fields"]],
        joinType="LEFT",
        stream="LEFT",
        varies=False,
        condition=call("=", "BOOLEAN", ref(1), ref(2)),
    ),
    "temporal_join": node(
        "temporal_join",
        [_copied(SCAN), {**_copied(SCAN), "start": "EARLIEST"}],
        [TIME, UNITS, {**TIME, "name": "ROWTIME0"}, {**UNITS, "name": "UNITS0"}],
        joinType="LEFT",
        leftTime=0,
        rightTime=0,
        shift=-1000,
        inclusive=True,
        within=None,
        identity=[],
        oneTask=False,
        leftArrival=ARRIVAL,
        rightArrival=ARRIVAL,
        leftSource=1,
        rightSource=None,
        leftKeys=[ref(1)],
        rightKeys=[ref(1)],
        condition=None,
        execution=EXECUTION,
    ),
    "top_n": node(
        "top_n",
        [_copied(SCAN)],
        [TIME, UNITS, field("R", "BIGINT")],
        partition=[0],
        order=[{"index": 1, "direction": "DESC", "nulls": "LAST"}],
        function="RANK",
        limit=3,
        ranks=["RANK"],
        closes=ref(0, "TIMESTAMP(3)"),
        arrival=ARRIVAL,
        execution=EXECUTION,
    ),
    "updating_top_n": node(
        "updating_top_n",
        [_copied(SCAN)],
        [TIME, UNITS, field("R", "BIGINT")],
        changes="retract",
        partition=[0],
        order=[{"index": 1, "direction": "DESC", "nulls": "LAST"}],
        function="ROW_NUMBER",
        limit=3,
        ranks=["ROW_NUMBER"],
        ttl=86_400_000,
        execution=EXECUTION,
    ),
    "temporal_filter": node(
        "temporal_filter",
        [_copied(SCAN)],
        [TIME, UNITS],
        changes="retract",
        enters=[{"column": 0, "millis": 0, "after": False}],
        leaves=[{"column": 0, "millis": 3_600_000, "after": True}],
        execution=EXECUTION,
    ),
    "updating_over": node(
        "updating_over",
        [_copied(SCAN)],
        [TIME, UNITS, field("N", "BIGINT")],
        changes="retract",
        windows=[
            {
                "partition": [],
                "order": [{"index": 1, "direction": "DESC", "nulls": "FIRST"}],
                "frame": {
                    "rows": True,
                    "lower": {"kind": "UNBOUNDED_PRECEDING", "offset": None},
                    "upper": {"kind": "CURRENT_ROW", "offset": None},
                },
                "calls": [
                    {
                        "function": "ROW_NUMBER",
                        "args": [],
                        "distinct": False,
                        "ignoreNulls": False,
                        "type": "BIGINT",
                        "nullable": False,
                        "name": "N",
                    }
                ],
                "placesPeers": False,
                "byTime": False,
            }
        ],
        execution=EXECUTION,
    ),
    "search_key": node(
        "search_key",
        [_copied(SCAN), {**_copied(TABLE), "mode": "keys"}],
        [TIME, UNITS, *TABLE["fields"]],
        connector="JDBC",
        joinType="LEFT",
        keys=[0],
        lookup=[ref(1)],
        condition=None,
        options={
            "capacity": 4,
            "timeout": 30_000,
            "batchSize": 100,
            "retries": 3,
            "delay": 10_000,
            "cacheTtl": None,
            "cacheRows": 10_000,
            "cacheMisses": False,
            "outage": 300_000,
        },
        search=EXECUTION,
    ),
    "setop": node(
        "setop", [_copied(TABLE), _copied(TABLE)], TABLE["fields"], streaming=False, kind="INTERSECT", all=False
    ),
    "window": node(
        "window",
        [_copied(TABLE)],
        [*TABLE["fields"], field("TOTAL", "BIGINT")],
        streaming=False,
        windows=[
            {
                "partition": [0],
                "order": [{"index": 1, "direction": "DESC", "nulls": "FIRST"}],
                "frame": {
                    "rows": True,
                    "lower": {"kind": "PRECEDING", "offset": literal(2)},
                    "upper": {"kind": "CURRENT_ROW", "offset": None},
                },
                "calls": [
                    {
                        "function": "SUM",
                        "args": [ref(1)],
                        "distinct": False,
                        "ignoreNulls": False,
                        "type": "BIGINT",
                        "nullable": False,
                        "name": "TOTAL",
                    }
                ],
                "placesPeers": False,
                "byTime": False,
            }
        ],
        passes=[
            {
                "windows": [0],
                "clock": [],
                "time": {"index": 1, "clock": None},
                "closes": None,
                "waits": False,
                "waitsForRows": False,
                "arrival": ARRIVAL,
            }
        ],
        execution=None,
    ),
}
"""Samples by `op`. A test requires one for every node class."""

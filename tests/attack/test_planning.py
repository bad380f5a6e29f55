"""Arbitrary statements and plans: an answer in bounded time, and nothing is executed by the planner."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import re
import resource
import string
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import RowtimeError
from rowtime.explain.analysis import analyze
from rowtime.explain.forms import FORMS
from rowtime.jvm.functions import COMPUTED
from rowtime.plan.codec import decode_plan
from rowtime.plan.nodes import Project
from rowtime.plan.rex import Rex
from rowtime.sparksql.expressions import sql as written
from rowtime.translate.rex import Scope, to_expression

Inputs = Callable[[], Iterator[random.Random]]

LANGUAGE = (Path(__file__).parents[1] / "unit" / "planner" / "language.sql").read_text()
SCHEMA = """CREATE TABLE t (a INTEGER, b VARCHAR, d DOUBLE);
CREATE STREAM s (a INTEGER, b VARCHAR);
CREATE TABLE u (b VARCHAR);
"""


def nested(form: str, times: int, inner: str) -> str:
    for _ in range(times):
        inner = form.replace("@", inner)
    return inner


LEFT_TO_RUN = {
    "REPEAT": "REPEAT('x', 2000000000)",
    "nested REPEAT": "REPEAT(REPEAT(REPEAT('x', 2000), 2000), 2000)",
    "SPACE": "SPACE(2000000000)",
    "LPAD": "LPAD('x', 2000000000, 'y')",
    "RPAD": "RPAD('x', 2000000000)",
    "REPLACE": "REPLACE(REPLACE('" + "x" * 1000 + "', 'x', '" + "x" * 1000 + "'), 'x', '" + "x" * 1000 + "')",
    "a pattern": "CASE WHEN '" + "a" * 60 + "b' SIMILAR TO '((a+)+)+' THEN 'x' END",
    "LIKE": "CASE WHEN '" + "a" * 1000 + "b' LIKE '" + "%a" * 30 + "%c' THEN 'x' END",
    "REGEXP_REPLACE": "REGEXP_REPLACE('" + "a" * 60 + "b', '((a+)+)+$', 'x')",
    "a stylesheet": "XMLTRANSFORM('<a/>', '<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\">"
    '<xsl:template match="/"><xsl:call-template name="x"/></xsl:template><xsl:template name="x"><xsl:call-template '
    "name=\"x\"/></xsl:template></xsl:stylesheet>')",
}  # fmt: skip


@pytest.mark.parametrize("expression", LEFT_TO_RUN.values(), ids=LEFT_TO_RUN)
def test_what_may_take_for_ever_is_left_to_run(planner: Any, expression: str) -> None:
    begin, memory = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    analysis = analyze(f"{SCHEMA}INSERT INTO u VALUES ({expression})", MemoryCatalog(), planner)
    assert analysis.diagnostics == []
    assert analysis.statements[-1].planned is not None and analysis.statements[-1].planned["plan"]["op"] == "project"
    assert time.monotonic() - begin < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 500_000  # kB


def test_a_file_is_not_read(planner: Any, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2")
    entity = f'<!DOCTYPE a [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]><a>&e;</a>'
    for call in (f"EXTRACTVALUE('{entity}', '/a')", f"XMLTRANSFORM('{entity}', '{entity}')"):
        analysis = analyze(f"{SCHEMA}INSERT INTO u VALUES ({call})", MemoryCatalog(), planner)
        (analyzed,) = analysis.statements[-1:]
        assert "hunter2" not in json.dumps(analyzed.planned)
        # At run time they are refused.
        assert analyzed.planned is not None and analyzed.planned["notSupported"]


def test_what_is_cheap_is_still_computed(planner: Any) -> None:
    script = f"{SCHEMA}INSERT INTO t VALUES (1 + 2 * 3, UPPER('a') || 'b', CAST('1.5' AS DOUBLE))"
    analysis = analyze(script, MemoryCatalog(), planner)
    assert analysis.statements[-1].planned is not None
    assert [value["value"] for value in analysis.statements[-1].planned["plan"]["rows"][0]] == [7, "Ab", 1.5]


LARGE = {
    "parentheses": ("SELECT " + "(" * 100_000 + "1" + ")" * 100_000, {"RT0003"}),
    "brackets": ("SELECT " + "[" * 5_000, {"RT0003"}),
    "calls": ("SELECT " + nested("ABS(@)", 2_000, "a") + " FROM t", {"RT0003"}),
    "a sum": ("SELECT " + "+".join(["a"] * 3_000) + " FROM t", {"RT0003"}),
    "NOT": ("SELECT a FROM t WHERE " + "NOT " * 3_000 + "a = 1", {"RT0003"}),
    "COALESCE": ("SELECT " + nested("COALESCE(@, 1)", 30, "a") + " FROM t", {"RT0421"}),
    "sub-queries": (nested("SELECT * FROM (@)", 2_000, "SELECT a FROM t"), {"RT0003"}),
    "CASE": ("SELECT " + "CASE WHEN " * 3_000, {"RT0001", "RT0003"}),
    "set operations": (" EXCEPT ALL ".join(["SELECT a FROM t"] * 1_000), {"RT0003"}),
    "text": ("SELECT '" + "x" * 5_000_000 + "'", {"RT0420"}),
    "more text than JSON takes": ("SELECT '" + "x" * 25_000_000 + "'", {"RT0420"}),
    "a name": ("SELECT " + "x" * 100_000, {"RT0001"}),
    "a number": ("SELECT 1E1000000000", {"RT0001"}),
    "digits": ("SELECT " + "9" * 100_000, {"RT0001"}),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large(planner: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    text, codes = LARGE[name]
    begin = time.monotonic()
    found = analyze(SCHEMA + text, MemoryCatalog(), planner).diagnostics
    assert {diagnostic.code for diagnostic in found} <= codes and found
    assert all(len(diagnostic.message) < 1_100 for diagnostic in found)
    assert time.monotonic() - begin < 90


@pytest.mark.parametrize(
    "query",
    [
        " UNION ALL ".join(["SELECT STREAM a FROM s"] * 100),
        " UNION ALL ".join(["SELECT a FROM t"] * 100),
        "SELECT " + "+".join(["a"] * 300) + " FROM t",
        "SELECT a FROM t WHERE " + " OR ".join(f"a = {n}" for n in range(2_000)),
        "INSERT INTO u VALUES " + ", ".join("('x' || 'y')" for _ in range(2_000)),
    ],
    ids=["streams", "tables", "a sum", "OR", "VALUES"],
)
def test_what_programs_write_is_planned_and_translated(planner: Any, query: str) -> None:
    begin = time.monotonic()
    analysis = analyze(SCHEMA + query, MemoryCatalog(), planner)
    assert analysis.diagnostics == []
    for form in FORMS.values():
        form(analysis, "x.sql")
    assert analysis.statements[-1].planned is not None
    plan = decode_plan(analysis.statements[-1].planned["plan"])
    if isinstance(plan, Project):
        from rowtime.plan.depth import deep

        with deep():
            assert len(written(to_expression(plan.exprs[0], Scope(("a", "b", "d")))))
    assert time.monotonic() - begin < 30


# --- fuzzing ----------------------------------------------------------------------------------------------------------

_TOKENS = re.compile(r"\w+|'[^']*'|\"[^\"]*\"|\s+|.", re.DOTALL)
_NOISE = ["'", '"', "(", ")", ",", ";", ".", "*", "/*", "--", "NULL", "0", "-1", "1e999999999", "99999999999999999999",
          "SELECT", "STREAM", "FROM", "OVER", "(SELECT 1)", "CASE", "ARRAY[]", "MAP[]", "ROW()", "?", "\x00", "\u202e",
          "🙂", "é", "INTERVAL '1' DAY", "rowtime", "CURRENT_ROW", "UNNEST", "X''", "U&''", "_UTF8'x'"]  # fmt: skip


def _mutated(rng: random.Random, text: str) -> str:
    pieces = _TOKENS.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        place = rng.randrange(len(pieces) + 1)
        kind = rng.randrange(5)
        if kind == 0 and pieces:
            del pieces[place : place + rng.choice((1, 1, 3, 10))]
        elif kind == 1:
            pieces.insert(place, rng.choice(_NOISE))
        elif kind == 2 and pieces:
            pieces[place : place + 1] = [rng.choice(pieces), " "]
        elif kind == 3 and place < len(pieces):
            pieces[place] = rng.choice(_NOISE)
        elif place < len(pieces):
            pieces[place] = "".join(rng.choice((c, c, c, rng.choice(string.printable))) for c in pieces[place])
    return "".join(pieces)


def test_statements(planner: Any, fuzz: Inputs) -> None:
    catalog = MemoryCatalog()
    statements = []
    for analyzed in analyze(LANGUAGE, catalog, planner).statements:
        statements.append(analyzed.statement.text)
    assert len(statements) > 50
    for rng in fuzz():
        text = _mutated(rng, rng.choice(statements))
        begin = time.monotonic()
        found = analyze(text, MemoryCatalog(catalog.state), planner).diagnostics
        took = time.monotonic() - begin
        internal = [d.message for d in found if d.code == "RT0999"]
        assert not internal, (text, internal)
        assert took < 20, (took, text)


def _plans(planner: Any) -> list[dict[str, Any]]:
    analyzed = analyze(LANGUAGE, MemoryCatalog(), planner).statements
    return [one.planned["plan"] for one in analyzed if one.planned and one.planned.get("plan")]


def _damage(rng: random.Random, value: Any) -> Any:
    """Returns a JSON value with one change."""
    holders: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        one = stack.pop()
        items = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else ()
        for key, child in items:
            holders.append((one, key))
            stack.append(child)
    if not holders:
        return value
    holder, key = rng.choice(holders)
    other, at = rng.choice(holders)
    noise = [None, True, -1, 0, 2**63, 1e308, "", "x", "REF", "java.lang.Runtime", "file:///etc/passwd", [], {}, [[]],
             "XMLTRANSFORM", "CHAR(2000000000)", "DECIMAL(99, 99)", "1e1000000000",
             "\ud7ff\x00", copy.deepcopy(other[at])]  # fmt: skip
    kind = rng.randrange(4)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[rng.choice(("extra", "class", "sql", "name"))] = rng.choice(noise)
    else:
        holder[key] = rng.choice(noise)
    return value


def test_plans_for_python(planner: Any, fuzz: Inputs) -> None:
    plans = _plans(planner)
    for rng in fuzz():
        plan = copy.deepcopy(rng.choice(plans))
        for _ in range(rng.choice((1, 1, 2, 5))):
            _damage(rng, plan)
        try:
            decoded = decode_plan(json.dumps(plan) if rng.random() < 0.5 else plan)
            if isinstance(decoded, Project) and decoded.inputs:
                names = tuple(field.name for field in decoded.inputs[0].fields)
                for rex in decoded.exprs:
                    written(to_expression(rex, Scope(names)))
        except RowtimeError:
            pass


def test_requests_for_the_planner(planner: Any, fuzz: Inputs) -> None:
    catalog = MemoryCatalog()
    analyze(LANGUAGE, catalog, planner)
    snapshot = json.loads(catalog.snapshot().text)
    for rng in fuzz():
        damaged = copy.deepcopy(snapshot)
        damaged["objects"] = rng.sample(damaged["objects"], min(4, len(damaged["objects"])))
        for _ in range(rng.choice((1, 2, 5))):
            _damage(rng, damaged)
        request = {"sql": rng.choice(("SELECT 1", "SELECT * FROM orders", "SHOW STREAMS")), "line": 1, "column": 1}
        if rng.random() < 0.3:
            _damage(rng, request)
        texts = [json.dumps(damaged), json.dumps(request)]
        if rng.random() < 0.2:
            broken = rng.randrange(2)
            cut = rng.randrange(len(texts[broken]) + 1)
            texts[broken] = texts[broken][:cut] + rng.choice(("", "[" * 3_000, "}", "\x00"))
        if not all(_is_valid(text) for text in texts[1:]):
            texts[1] = json.dumps({"sql": "SELECT 1"})
        reply = msgspec.json.decode(planner.plan(*texts))
        if reply == {"unknownCatalog": True}:
            # A catalog without objects is the key of one that was sent before.
            continue
        assert reply["version"] == 1
        assert reply["statement"] is not None or all(d["code"].startswith("RT0") for d in reply["diagnostics"])


def _is_valid(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def test_expressions_for_calcite(planner: Any, fuzz: Inputs) -> None:
    import jpype

    mapper = jpype.JClass("com.fasterxml.jackson.databind.ObjectMapper")()
    reader = jpype.JClass("io.rowtime.plan.json.RexReader")()
    refused = jpype.JClass("java.lang.IllegalArgumentException")
    expressions = [rex for plan in _plans(planner) for rex in _expressions(plan)]
    assert len(expressions) > 40
    for rng in fuzz():
        damaged = _damage(rng, copy.deepcopy(rng.choice(expressions)))
        with contextlib.suppress(refused):
            reader.read(mapper.readTree(json.dumps(damaged)))


@pytest.mark.parametrize("op", ["XMLTRANSFORM", "EXTRACTVALUE", "EXISTSNODE", "CURRENT_ROLE", "java.lang.Runtime.exec"])
def test_operators_that_no_plan_has(planner: Any, op: str) -> None:
    import jpype

    text = {"kind": "literal", "type": "VARCHAR", "nullable": False, "value": "<a/>"}
    call = {"kind": "call", "op": op, "type": "VARCHAR", "nullable": True, "args": [text, text]}
    mapper = jpype.JClass("com.fasterxml.jackson.databind.ObjectMapper")()
    with pytest.raises(jpype.JClass("java.lang.IllegalArgumentException"), match="not known"):
        jpype.JClass("io.rowtime.plan.json.RexReader")().read(mapper.readTree(json.dumps(call)))
    # Python has no translation of its own: it leaves the call to the reader above.
    assert written(to_expression(msgspec.convert(call, Rex), Scope(("a",)))).lower().startswith(COMPUTED)


@pytest.mark.parametrize("index", [-1, 2_000_000_000, "1e1000000000", "0", 0.5, None])
def test_columns_that_no_plan_has(planner: Any, index: object) -> None:
    import jpype

    mapper = jpype.JClass("com.fasterxml.jackson.databind.ObjectMapper")()
    ref = {"kind": "ref", "type": "INTEGER", "nullable": True, "index": index}
    with pytest.raises(jpype.JClass("java.lang.IllegalArgumentException"), match="cannot exist"):
        jpype.JClass("io.rowtime.plan.json.RexReader")().read(mapper.readTree(json.dumps(ref)))


def _expressions(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("kind") in ("call", "cast", "literal"):
            yield value
        for child in value.values():
            yield from _expressions(child)
    elif isinstance(value, list):
        for child in value:
            yield from _expressions(child)

"""Evaluates SQL expressions twice: by Calcite, and by Spark through plan and translation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from evaluated import portable, same, same_type
from evaluation import evaluate
from sqlglot import exp

from rowtime.errors import RowtimeError
from rowtime.plan.codec import decode_plan
from rowtime.plan.nodes import Node, Project, Values
from rowtime.plan.rex import Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import column, fn, sql, text
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EMPTY_CATALOG = json.dumps({"version": 1, "objects": [], "lateness": []})
BATCH = 160
# One expression that fails would take its batch with it.
ALONE = ("overflow", "division by zero")


@dataclass
class Case:
    """One expression. `expected` is Calcite's value or `fault` its error; `actual` and `failure` are Spark's."""

    group: str
    template: str
    arguments: tuple[str, ...]
    type: str | None = None
    expected: Any = None
    fault: str | None = None
    actual: Any = None
    spark_type: str | None = None
    failure: str | None = None
    rex: Rex | None = None
    inputs: Sequence[Rex] = ()

    @property
    def sql(self) -> str:
        return self.template.format(*self.arguments)


def plan_case(planner: Any, case: Case) -> None:
    """Asks Calcite for the value, and plans the expression over columns that contain the arguments."""
    reply = json.loads(evaluate(case.sql))
    case.fault = reply.get("error")
    case.expected = reply.get("value")
    used = [i for i, a in enumerate(case.arguments) if a]
    names = {i: f"C{i}" for i in used}
    expression = case.template.format(*(names.get(i, "") for i in range(len(case.arguments))))
    rows = ", ".join(case.arguments[i] for i in used) or "0"
    listed = ", ".join(names.values()) or "C0"
    sql = f"SELECT {expression} FROM (VALUES ({rows})) AS T ({listed})"
    answer = json.loads(planner.plan(EMPTY_CATALOG, json.dumps({"sql": sql, "line": 1, "column": 1})))
    statement = answer["statement"]
    if statement is None or statement["notSupported"]:
        case.failure = "; ".join(d["message"] for d in answer["diagnostics"]) or str(statement["notSupported"])
        return
    case.rex, case.inputs = _pulled(decode_plan(statement["plan"]))
    case.type = statement["fields"][0]["type"]


def _pulled(plan: Node) -> tuple[Rex, Sequence[Rex]]:
    """Returns the expression, and the expressions of its inputs."""
    if isinstance(plan, Values):
        return plan.rows[0][0], ()
    assert isinstance(plan, Project)
    inner = plan.inputs[0]
    while isinstance(inner, Project) and [getattr(e, "index", None) for e in inner.exprs] == [*range(len(inner.exprs))]:
        inner = inner.inputs[0]
    if isinstance(inner, Values):
        return plan.exprs[0], inner.rows[0]
    assert isinstance(inner, Project)
    return plan.exprs[0], inner.exprs


def run_cases(spark: SparkSession, cases: Sequence[Case]) -> None:
    """Sets Spark's results. Expressions that are likely to fail run alone, the others in batches."""
    ready = [c for c in cases if c.rex is not None]
    sane = [c for c in ready if c.fault is None and c.group not in ALONE]
    for at in range(0, len(sane), BATCH):
        _run(spark, sane[at : at + BATCH])
    for case in ready:
        if case.fault is not None or case.group in ALONE:
            _run(spark, [case])


def _run(spark: SparkSession, cases: Sequence[Case]) -> None:
    try:
        rows, results = _columns(cases)
        if cases[0].fault is None:
            # a row that Spark cannot see through: expressions over it run as they do over data
            table = spark.range(1).selectExpr(sql(fn("inline", fn("array", fn("named_struct", *rows)))))
        else:
            # constants, folded without a job: an error comes at once
            pairs = zip(rows[::2], rows[1::2], strict=True)
            table = spark.range(1).selectExpr(*(f"{sql(value)} AS {name.name}" for name, value in pairs))
        row = table.selectExpr(*[f"{sql(r)} AS r{i}" for i, r in enumerate(results)])
        types = [f.dataType.simpleString() for f in row.schema.fields]
        shown = [f"{sql(portable(column(f'r{i}'), parse_type(c.type or '')))} AS p{i}" for i, c in enumerate(cases)]
        values = row.selectExpr(*shown).collect()[0]
    except Exception as fault:
        if len(cases) > 1:
            half = len(cases) // 2
            _run(spark, cases[:half])
            _run(spark, cases[half:])
            return
        cases[0].failure = str(fault) if isinstance(fault, RowtimeError) else f"Spark: {fault}"
        return
    for case, type_, value in zip(cases, types, values, strict=True):
        case.spark_type, case.actual = type_, value


def _columns(cases: Sequence[Case]) -> tuple[list[exp.Expression], list[exp.Expression]]:
    rows: list[exp.Expression] = [text("one"), exp.Literal.number("1")]
    results = []
    for i, case in enumerate(cases):
        names = [f"c{i}_{j}" for j in range(len(case.inputs))]
        for name, rex in zip(names, case.inputs, strict=True):
            rows += [text(name), to_expression(rex, Scope(()))]
        assert case.rex is not None
        results.append(to_expression(case.rex, Scope(names)))
    return rows, results


def expected_value(value: Any, type_: SqlType) -> Any:
    """Returns Calcite's value in the same form."""
    if value is None:
        return None
    if type_.name == "DATE":
        return (date.fromisoformat(value) - date(1970, 1, 1)).days
    if type_.is_approximate:
        return float(value)
    if type_.name == "TIMESTAMP":
        at = datetime.fromisoformat(value).replace(tzinfo=timezone.utc)
        return round((at - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() * 1000) * 1000
    if type_.name == "TIME":
        hours, minutes, seconds = value.split(":")
        return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000) * 1000
    if type_.is_day_time:
        return int(value) * 1000
    if type_.is_decimal:
        return Decimal(value)
    if type_.is_integer or type_.is_year_month:
        return int(value)
    return value


def verdict(case: Case) -> str | None:
    """Returns what is wrong with a case; None if Spark agrees with Calcite on the value and type, or on the error."""
    if case.rex is None:
        return f"no plan: {case.failure}" if case.fault is None else None
    type_ = parse_type(case.type or "")
    if case.fault is not None:
        return None if case.failure is not None else f"Calcite gives an error ({case.fault}), Spark {case.actual!r}"
    if case.failure is not None:
        return f"Calcite gives {case.expected!r}, Spark fails: {case.failure[:200]}"
    if not same(expected_value(case.expected, type_), case.actual, type_):
        return f"Calcite gives {case.expected!r}, Spark {case.actual!r}"
    if not same_type(case.spark_type or "", type_.spark()):
        return f"the plan says {type_.spark()}, Spark {case.spark_type}"
    return None

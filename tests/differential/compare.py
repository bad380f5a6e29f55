"""Each template over each row, by Calcite's own evaluation and by Spark through plan and translation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from differences import difference_name
from evaluated import portable, same, same_type
from evaluation import evaluate_rows
from functions import CATEGORIES
from sqlglot import exp
from values import COLUMNS, catalog

from rowtime.errors import RowtimeError
from rowtime.plan.codec import decode_plan
from rowtime.plan.rex import Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, column, fn, sql
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.rex.calls.arithmetic import interval_of_millis, interval_of_months

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NAMES = [c.name for c in COLUMNS]
BATCH = 40


@dataclass
class Result:
    """The result of a template: `type` is the plan's, `expected` Calcite's values or errors, `actual` Spark's."""

    category: str
    function: str
    template: str
    type: str = ""
    refused: str | None = None
    rex: Rex | None = None
    expected: list[dict[str, Any]] = field(default_factory=list)
    actual: dict[int, Any] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    spark_type: str = ""
    equal: int = 0
    differing: dict[str, list[str]] = field(default_factory=dict)
    """The differences by name, '' if there is none."""

    @property
    def cases(self) -> int:
        return self.equal + sum(map(len, self.differing.values()))


def results() -> list[Result]:
    return [
        Result(category, function, template)
        for category, functions in CATEGORIES.items()
        for function, templates in functions.items()
        for template in templates
    ]


def by_calcite(planner: Any, result: Result, rows: Sequence[Sequence[Any]]) -> None:
    """Plans the template, and computes its values with Calcite."""
    query = f"SELECT {result.template} AS V FROM T"
    reply = json.loads(planner.plan(catalog(), json.dumps({"sql": query})))
    statement = reply["statement"]
    if statement is None or statement["notSupported"]:
        problems = [d["message"] for d in reply["diagnostics"]] or [
            f"not supported yet: {w}" for w in statement["notSupported"]
        ]
        result.refused = "; ".join(problems)
        return
    plan = decode_plan(statement["plan"])
    result.rex = plan.exprs[0]  # type: ignore[union-attr]
    result.type = statement["fields"][0]["type"]
    answer = json.loads(evaluate_rows(catalog(), json.dumps({"sql": query, "rows": rows})))
    if "error" in answer:
        result.refused = f"Calcite cannot compute it: {answer['error']}"
        return
    result.expected = answer["values"]


def table(spark: SparkSession, rows: Sequence[Sequence[Any]]) -> DataFrame:
    """The rows as a DataFrame with a column `id`."""
    raw = [("id", "INT"), *((c.name, _raw(parse_type(c.type))) for c in COLUMNS)]
    data = [
        (i, *(_plain(v, parse_type(c.type)) for v, c in zip(row, COLUMNS, strict=True))) for i, row in enumerate(rows)
    ]
    made = spark.createDataFrame(data, ", ".join(f"{name} {type_}" for name, type_ in raw))
    typed = [f"{sql(_typed(column(c.name), parse_type(c.type)))} AS {c.name}" for c in COLUMNS]
    return made.selectExpr("id", *typed).repartition(2).localCheckpoint()


def _raw(type_: SqlType) -> str:
    if type_.name in ("DATE", "TIME", "TIMESTAMP") or type_.is_interval:
        return "BIGINT"
    return "STRING" if type_.is_decimal or type_.is_approximate or type_.is_binary else type_.spark()


def _plain(value: Any, type_: SqlType) -> Any:
    if value is not None and type_.name == "MAP":
        return dict(value)
    return tuple(value) if value is not None and type_.name == "ROW" else value


def _typed(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.name == "DATE":
        return fn("date_from_unix_date", cast(value, parse_type("INTEGER")))
    if type_.name == "TIMESTAMP":
        return fn("timestamp_millis", value)
    if type_.name == "TIME":
        return cast(fn("time_from_millis", value), type_)
    if type_.is_interval:
        return (
            interval_of_millis(value) if type_.is_day_time else interval_of_months(cast(value, parse_type("INTEGER")))
        )
    if type_.is_binary:
        return fn("unhex", value)
    return cast(value, type_)


def by_spark(data: DataFrame, results: Sequence[Result]) -> None:
    """Adds Spark's values for the rows for which Calcite has one."""
    ready = [r for r in results if r.rex is not None and r.refused is None]
    for at in range(0, len(ready), BATCH):
        _run(data, ready[at : at + BATCH], range(len(ready[0].expected)))


def _run(data: DataFrame, results: Sequence[Result], ids: Sequence[int]) -> None:
    try:
        columns = []
        for i, result in enumerate(results):
            assert result.rex is not None
            value = to_expression(result.rex, Scope(NAMES))
            bad = [str(n) for n, e in enumerate(result.expected) if "error" in e]
            guard = f"id NOT IN ({', '.join(bad)})" if bad else "TRUE"
            columns.append(f"CASE WHEN {guard} THEN {sql(value)} END AS v{i}")
        where = data if len(ids) == len(results[0].expected) else data.where(f"id BETWEEN {ids[0]} AND {ids[-1]}")
        chosen = where.selectExpr("id", *columns)
        types = [f.dataType.simpleString() for f in chosen.schema.fields[1:]]
        shown = [f"{sql(portable(column(f'v{i}'), parse_type(r.type)))} AS p{i}" for i, r in enumerate(results)]
        found = chosen.selectExpr("id", *shown).collect()
    except Exception as fault:
        _halve(data, results, ids, fault)
        return
    for i, result in enumerate(results):
        result.spark_type = types[i]
        result.actual.update({row[0]: row[i + 1] for row in found})


def _halve(data: DataFrame, results: Sequence[Result], ids: Sequence[int], fault: Exception) -> None:
    """Finds the template that failed, and the rows; only a few."""
    if len(results) > 1:
        middle = len(results) // 2
        _run(data, results[:middle], ids)
        _run(data, results[middle:], ids)
        return
    result = results[0]
    message = (
        str(fault).split("\nJVM stacktrace")[0].splitlines()[0][:200]
        if not isinstance(fault, RowtimeError)
        else str(fault)
    )
    analysis = type(fault).__name__ in ("AnalysisException", "ParseException", "RowtimeError")
    if len(ids) == 1 or analysis or len(result.failures) > 12:
        result.failures.update(dict.fromkeys(ids, message))
        return
    middle = len(ids) // 2
    _run(data, results, ids[:middle])
    _run(data, results, ids[middle:])


def judge(result: Result, rows: Sequence[Sequence[Any]]) -> None:
    """Counts the rows in which both agree, and names the differences."""
    type_ = parse_type(result.type) if result.type else None
    if type_ is not None and result.spark_type and not same_type(result.spark_type, type_.spark()):
        result.differing.setdefault("", []).append(f"the plan says {type_.spark()}, Spark {result.spark_type}")
    for number, row in enumerate(rows):
        if not result.expected or "error" in result.expected[number]:
            continue
        assert type_ is not None
        expected, actual = result.expected[number]["value"], result.actual.get(number)
        failure = result.failures.get(number)
        if failure is None and same(_expected(expected, type_), actual, type_):
            result.equal += 1
            continue
        values = dict(zip(NAMES, row, strict=True))
        name = difference_name(result.template, values, expected, actual, failure)
        used = {n: v for n, v in values.items() if n in _words(result.template)}
        what = f"{result.template} with {used}: Calcite gives {expected!a}, Spark {failure or ascii(actual)}"
        result.differing.setdefault(name, []).append(what)


def _words(template: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in template).split())


def _expected(value: Any, type_: SqlType) -> Any:
    """Returns Calcite's value in Spark's portable form."""
    if value is None:
        return None
    if type_.name in ("TIMESTAMP", "TIME") or type_.is_day_time:
        return int(value) * 1000
    if type_.is_decimal:
        return Decimal(value)
    if type_.is_approximate:
        return float(value)
    if type_.is_binary:
        return bytes.fromhex(value)
    if type_.name in ("ARRAY", "MULTISET"):
        return [_expected(v, type_.arguments[0]) for v in value]
    if type_.name == "MAP":
        return {_expected(k, type_.arguments[0]): _expected(v, type_.arguments[1]) for k, v in value}
    if type_.name == "ROW":
        return [_expected(v, t) for v, t in zip(value, type_.arguments, strict=True)]
    return value


def run(spark: SparkSession, planner: Any, rows: Sequence[Sequence[Any]], chosen: Sequence[Result]) -> Iterator[Result]:
    """Runs everything, template by template."""
    for result in chosen:
        by_calcite(planner, result, rows)
    by_spark(table(spark, rows), chosen)
    for result in chosen:
        judge(result, rows)
        yield result

"""Functions of Spark SQL and Flink SQL by name: the same values, hints, and the page that lists them all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from evaluated import portable, same
from names import DIFFERENT, DOCUMENT, HINTED, LISTS, SAME, document
from values import catalog

from rowtime.plan.codec import decode_plan
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import column, sql
from rowtime.sparksql.settings import SETTINGS, applied
from rowtime.translate import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class _Session:
    """The parts of a session that the translation of a query without tables needs."""

    ordered = False
    checks_claims = False

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark


ROWTIMES = {name: sample if isinstance(sample, str) else sample[0] for name, sample in SAME.items()}
SPARKS = {name: sample if isinstance(sample, str) else sample[1] for name, sample in SAME.items()}


def _planned(planner: Any, samples: list[str]) -> dict[str, Any]:
    query = "SELECT " + ", ".join(f"{sample} AS C{i}" for i, sample in enumerate(samples))
    return json.loads(planner.plan(catalog(), json.dumps({"sql": query})))


def hints(planner: Any) -> dict[str, str]:
    found = {}
    for name, call in HINTED.items():
        (diagnostic, *_) = _planned(planner, [call])["diagnostics"]
        found[name] = diagnostic["hint"] or ""
    return found


@pytest.mark.parametrize("name", SAME)
def test_a_sample_is_planned(planner: Any, name: str) -> None:
    reply = _planned(planner, [ROWTIMES[name]])
    assert not reply["diagnostics"]
    assert reply["statement"]["notSupported"] == []


@pytest.mark.parametrize("name", HINTED)
def test_a_call_of_another_name_gets_a_hint(planner: Any, name: str) -> None:
    (diagnostic,) = _planned(planner, [HINTED[name]])["diagnostics"]
    assert diagnostic["code"] in ("RT0114", "RT0110", "RT0001")
    assert diagnostic["hint"] not in (None, "Check the function's name and the types of its arguments")


def test_samples_have_the_values_of_spark(planner: Any, spark: SparkSession) -> None:
    names = list(SAME)
    with applied(spark, SETTINGS):
        statement = _planned(planner, [ROWTIMES[name] for name in names])["statement"]
        types = [parse_type(field["type"]) for field in statement["fields"]]
        plan = decode_plan(statement["plan"])
        translated = translate(plan, _Session(spark))  # type: ignore[arg-type]
        ours = translated.df.selectExpr(
            *(sql(portable(column(c), t)) for c, t in zip(translated.columns, types, strict=True))
        )
        theirs = spark.sql("SELECT " + ", ".join(f"{SPARKS[name]} AS v{i}" for i, name in enumerate(names)))
        cast = [f"CAST(v{i} AS {t.spark()}) AS w{i}" for i, t in enumerate(types)]
        shown = [sql(portable(column(f"w{i}"), t)) for i, t in enumerate(types)]
        expected = theirs.selectExpr(*cast).selectExpr(*shown).collect()[0]
        found = ours.collect()[0]
    different = {
        name: (found[i], expected[i]) for i, name in enumerate(names) if not same(expected[i], found[i], types[i])
    }
    assert different == {}


def test_the_page_lists_all(planner: Any) -> None:
    assert DOCUMENT.read_text() == document(hints(planner)), "run: python tests/differential/write_names.py"


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_runs_without_a_sample_is_planned(planner: Any, name: str) -> None:
    query = json.dumps({"sql": f"SELECT {DIFFERENT[name][0]} AS V FROM T"})
    reply = json.loads(planner.plan(catalog(), query))
    assert not [d for d in reply["diagnostics"] if d["severity"] == "error"]
    assert reply["statement"]["notSupported"] == []


def test_every_name_is_listed_once() -> None:
    known = {name for names in LISTS.values() for name in names}
    assert not (set(SAME) & set(HINTED) | set(SAME) & set(DIFFERENT) | set(HINTED) & set(DIFFERENT))
    assert set(DIFFERENT) - known == set()

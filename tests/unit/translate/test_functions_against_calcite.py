"""Every function, over many arguments, against Calcite's own evaluation of the same expression.

Where the two differ on purpose, `docs/differences.md` says so; `DIFFERENCES` are the same ones, and each has to be met.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from differential import Case, plan_case, run_cases, verdict
from expression_cases import GROUPS, expand

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCUMENT = Path(__file__).parents[3] / "docs" / "differences.md"


def _sql(pattern: str, groups: str = "") -> Callable[[Case], bool]:
    compiled = re.compile(pattern)
    return lambda case: compiled.search(case.sql) is not None and case.group.startswith(groups)


DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "Integer overflow": lambda case: case.group == "overflow",
    "Division by zero": _sql(r"/ CAST\(0 AS DOUBLE\)"),
    "Logarithms of what is not positive": _sql(r"^(LN|LOG10)\((0|-1)\)"),
    "The point in SIMILAR TO": _sql(r"SIMILAR TO 'a\.c'"),
    "Fractions of seconds as text": _sql(r"^CAST\(TIME(STAMP)? '[^']*\.\d+' AS VARCHAR", "cast to text"),
    "DOUBLE to small integers": _sql(r"AS DOUBLE\) AS (INTEGER|SMALLINT)\)$"),
    "Text with a time of day as DATE": _sql(r"^CAST\('2015-02-15 10:24:45.*' AS DATE\)"),
    "CEIL TO DECADE, CENTURY, MILLENNIUM": _sql(r"^CEIL\(.* TO (DECADE|CENTURY|MILLENNIUM)\)$"),
    "Fractions of seconds after adding an interval": _sql(r"\+ INTERVAL '1 02:03:04\.005' DAY TO SECOND"),
}


@pytest.fixture(scope="module")
def cases(session: SparkSession, planner: Any) -> dict[str, list[Case]]:
    """All cases by group, evaluated on both sides."""
    every = [Case(*case) for case in expand()]
    for case in every:
        plan_case(planner, case)
    run_cases(session, every)
    by_group: dict[str, list[Case]] = {}
    for case in every:
        by_group.setdefault(case.group, []).append(case)
    return by_group


@pytest.mark.parametrize("group", [g.name for g in GROUPS])
def test_spark_agrees_with_calcite(group, cases):
    wrong = []
    for case in cases[group]:
        found = verdict(case)
        if found is not None and not any(meant(case) for meant in DIFFERENCES.values()):
            wrong.append(f"{case.sql}: {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_named_difference_is_still_one(name, cases):
    met = [case for group in cases.values() for case in group if DIFFERENCES[name](case)]
    assert any(verdict(case) is not None for case in met), f"no case shows it any more: {name}"


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_named_difference_is_documented(name):
    assert f"### {name}" in DOCUMENT.read_text()


def test_calcite_has_a_value_for_nearly_all(cases):
    """Without values from Calcite there would be nothing to compare."""
    every = [case for group in cases.values() for case in group]
    assert len(every) > 2000
    assert sum(case.fault is not None for case in every) < 80

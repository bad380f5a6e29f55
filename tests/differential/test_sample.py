"""A sample of `python tests/differential`: each function over a few rows, without unnamed differences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from compare import Result, results, run
from differences import DIFFERENCES
from inventory import states
from report import DOCUMENT, by_function
from values import rows

from rowtime.sparksql.settings import SETTINGS, applied

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCS = DOCUMENT.parent
SEED = 7


@pytest.fixture(scope="module")
def compared(spark: SparkSession, planner: Any) -> list[Result]:
    """The first expression of each function over five rows."""
    first: dict[str, Result] = {}
    for result in results():
        first.setdefault(result.function, result)
    with applied(spark, SETTINGS):
        return list(run(spark, planner, rows(5, SEED), list(first.values())))


def test_every_function_runs(compared):
    assert not {r.template: r.refused for r in compared if r.refused}
    assert len(compared) > 270
    assert sum(r.equal for r in compared) > 1000


def test_nothing_differs_without_a_name(compared):
    assert not [what for r in compared for what in r.differing.get("", [])]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_difference_is_explained(name):
    assert f"### {name}\n" in (DOCS / "differences.md").read_text()


def test_what_the_validator_knows_is_listed(planner):
    import jpype

    page = DOCUMENT.read_text()
    found = states(jpype)
    assert len(found["compared"]) > 250
    assert not [name for name in found["computed"] + found["refused"] if f"`{name}`" not in page]


def test_the_page_has_the_functions_that_are_compared():
    listed = re.findall(
        r"^\| (?!function \||---|operators|compared|computed|valid)(.*?) \| `(.*)` \| \d", DOCUMENT.read_text(), re.M
    )
    functions = by_function(results())
    expected = [(f.replace("|", "\\|"), found[0].template.replace("|", "\\|")) for f, found in functions.items()]
    assert sorted(listed) == sorted(expected), "run: python tests/differential --thorough"


def test_the_page_counts_what_is_compared():
    every = results()
    counted = f"{len(by_function(every))} functions, {len(every)} expressions, "
    assert f"\n{counted}" in DOCUMENT.read_text(), "run: python tests/differential --thorough"


def test_the_counts_of_the_page_add_up():
    page = DOCUMENT.read_text()
    cases, equal = (sum(map(int, found)) for found in zip(*re.findall(r"` \| (\d+) \| (\d+) \| ", page), strict=True))
    assert f" {cases:,} cases: {equal:,} equal." in page

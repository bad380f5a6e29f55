"""A few of the queries of `python tests/generated`, and all of them with --thorough."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from generated.compare import compare, summary
from generated.differences import DIFFERENCES
from generated.engines import engines
from generated.relational import relational
from generated.rows import difference
from generated.sources import Names
from generated.text import Column, Query, Sql
from generated.windowed import windowed

DOCS = Path(__file__).parents[2] / "docs"
SAMPLE, ALL, SEED = 6, 500, 1


def test_rowtime_and_duckdb_give_the_same_rows(spark: Any, tmp_path: Path, thorough: bool) -> None:
    with engines(spark, tmp_path / "warehouse", SEED) as both:
        cases = compare(both, range(ALL if thorough else SAMPLE))
    assert not [summary([case]) for case in cases if case.faulty]
    assert sum(bool(case.expected) for case in cases) > 0.9 * len(cases)
    assert sum(case.streamed is not None for case in cases) >= len(cases) // 4


@pytest.mark.parametrize("make", [relational, windowed])
def test_a_number_stands_for_one_query(make: Any) -> None:
    drawn = [[make(Names.of(random.Random(f"1 {n} 0"))).sql for n in range(40)] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len({sql.ours for sql in drawn[0]}) > 35


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_difference_is_explained(name: str) -> None:
    assert f"### {name}\n" in (DOCS / "differences.md").read_text()


class TestDifference:
    """The comparison detects differences."""

    columns = (Column("a", "INTEGER"), Column("b", "DOUBLE", exact=False))
    some = Query(Sql("", ""), columns)
    ordered = Query(Sql("", ""), columns, ordered=True)

    @pytest.mark.parametrize("found", [[(2, None), (1, 0.5)], [(1, 0.5 + 1e-12), (2, None)]])
    def test_like_rows_in_any_order(self, found: Any) -> None:
        assert difference(found, [(1, 0.5), (2, None)], self.some) is None

    @pytest.mark.parametrize("found", [[(1, 0.5)], [(1, 0.51), (2, None)], [(1, 0.5), (1, 0.5)], [(1, 0.5), (2, 0.0)]])
    def test_others(self, found: Any) -> None:
        assert difference(found, [(1, 0.5), (2, None)], self.some) is not None

    def test_order(self) -> None:
        assert difference([(2, 1.0), (1, 1.0)], [(1, 1.0), (2, 1.0)], self.ordered) is not None

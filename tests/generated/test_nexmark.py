"""Nexmark's queries over a few hundred events: the changes of those whose results change, and the results of all 24."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generated import nexmark_tables
from generated.nexmark import QUERIES, compare


@pytest.mark.usefixtures("interpreted")
def test_applied_changes_are_the_result_after_every_step(spark: Any, tmp_path: Path, thorough: bool) -> None:
    for seed in range(20 if thorough else 1):
        assert not compare(spark, tmp_path / str(seed), 3000 if thorough else 120, seed)


@pytest.mark.usefixtures("interpreted")
def test_materialized_views_of_all_queries(spark: Any, tmp_path: Path, thorough: bool) -> None:
    """In the short form only those that the other test does not have."""
    names = nexmark_tables.ALL if thorough else [name for name in nexmark_tables.ALL if name not in QUERIES]
    for late in (False, True) if thorough else (True,):
        folder = tmp_path / str(late)
        assert not nexmark_tables.compare(spark, folder, 20_000 if thorough else 600, late=late, names=names)

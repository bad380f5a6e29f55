"""Nexmark's queries whose results change, over a few hundred events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generated.nexmark import compare


@pytest.mark.usefixtures("interpreted")
def test_applied_changes_are_the_result_after_every_step(spark: Any, tmp_path: Path, thorough: bool) -> None:
    for seed in range(20 if thorough else 1):
        assert not compare(spark, tmp_path / str(seed), 3000 if thorough else 120, seed)

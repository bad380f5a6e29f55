"""A few of the pairs of `python tests/generated/changed.py`, and a hundred with --thorough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generated.changed import campaign


def test_a_changed_pump_is_refused_or_right(spark: Any, tmp_path: Path, thorough: bool) -> None:
    found = campaign(spark, tmp_path / "warehouse", range(100 if thorough else 5), 1)
    assert not [str(each) for each in found if each.wrong]
    assert {each.verdict for each in found} == {"refused", "same"}

"""A few of the queries of `python tests/generated/changelogs.py`, and 2,000 with --thorough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generated.changelogs import AT_ONCE, compare


@pytest.mark.usefixtures("interpreted")
def test_applied_changes_are_the_result_after_every_step(spark: Any, tmp_path: Path, thorough: bool) -> None:
    for begin in range(0, 2000 if thorough else AT_ONCE, AT_ONCE):
        assert not compare(spark, tmp_path / str(begin), range(begin, begin + AT_ONCE))

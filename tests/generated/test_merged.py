"""A few of the pumps of `python tests/generated/merged.py`, and a thousand with --thorough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from generated.merged import AT_ONCE, compare


@pytest.mark.usefixtures("interpreted")
def test_a_pump_merges_as_a_statement_for_each_row(spark: Any, tmp_path: Path, thorough: bool) -> None:
    for begin in range(0, 1000 if thorough else AT_ONCE, AT_ONCE):
        assert not compare(spark, tmp_path / str(begin), range(begin, begin + AT_ONCE))

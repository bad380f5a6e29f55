"""Halves of surrogate pairs: Python's text can hold them, no file and no column can."""

from __future__ import annotations

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.explain.analysis import analyze
from rowtime.jvm.jpype import JpypePlanner


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("SELECT '\ud800'", (1, 9)),
        ("SELECT 1;\n  SELECT '\U0001f600' || 'a\udfff'", (2, 19)),
        ('SELECT 1 AS "\udc80"', (1, 14)),
        ("CREATE FOREIGN STREAM s (n INT) OPTIONS (connector 'files', path '\ud800')", (1, 67)),
        ("SELECT U&'\\D800'", (1, 8)),
        ('SELECT 1 AS U&"\\DC80"', (1, 13)),
    ],
)
def test_are_an_error_with_a_place(planner: JpypePlanner, script: str, place: tuple[int, int]) -> None:
    (found,) = analyze(script, MemoryCatalog(), planner).diagnostics
    assert found.code in ("RT0001", "RT0002")
    assert found.message.startswith("Unpaired surrogate U+D")
    assert (found.line, found.column) == place


def test_whole_pairs_are_characters(planner: JpypePlanner) -> None:
    assert analyze("SELECT U&'\\D83D\\DE00' AS \"\U0001f600\"", MemoryCatalog(), planner).diagnostics == []

"""The examples in README.md and docs/ are true: SQL gives the rows that stand beside it, and Python runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rowtime.session import connect

from .test_scripts import as_written, cases

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(sql|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _examples(language: str) -> list[Any]:
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for match in _BLOCK.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append(pytest.param(match[2], id=f"{page.relative_to(ROOT)}:{line}"))
    return found


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("text", _examples("sql"))
def test_sql(text: str, spark: Any, tmp_path: Path) -> None:
    case = cases.parse(text)
    assert case.rows or case.rejected or case.failures or case.bounds or case.shown
    as_written(case, spark, tmp_path)


@pytest.mark.parametrize("text", _examples("python"))
def test_python(text: str, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with connect(spark, tmp_path / "warehouse") as rt:
        exec(compile(text, "example", "exec"), {"rt": rt})

"""The examples in README.md and docs/ are true: SQL returns the rows next to it, and Python runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doc_examples import examples

from rowtime.opening import connect

from .test_scripts import as_written, cases


def _examples(language: str) -> list[Any]:
    return [pytest.param(text, id=place) for place, text in examples(language).items()]


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

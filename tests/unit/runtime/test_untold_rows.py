"""Which files a query had read when its process was killed follows from Spark's checkpoint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rowtime.runtime.checkpoint.source_rows import ScanProgress
from rowtime.runtime.checkpoint.untold_rows import with_untold

MARK = {"id": "x", "bound": None}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    (tmp_path / "commits").mkdir()
    (tmp_path / "offsets").mkdir()
    return tmp_path


def _batch(checkpoint: Path, number: int, *places: Any, done: bool = True) -> None:
    lines = ["v1", '{"batchWatermarkMs":0}', *("-" if place is None else json.dumps(place) for place in places)]
    (checkpoint / "offsets" / str(number)).write_text("\n".join(lines))
    if done:
        (checkpoint / "commits" / str(number)).write_text('v1\n{"nextBatchWatermarkMs":0}')


def _log(checkpoint: Path, source: int, name: str, **files: int) -> None:
    folder = checkpoint / "sources" / str(source)
    folder.mkdir(parents=True, exist_ok=True)
    entries = [json.dumps({"path": file, "timestamp": 0, "batchId": batch}) for file, batch in files.items()]
    (folder / name).write_text("\n".join(("v1", *entries)))


def _last(number: int) -> dict[str, int]:
    return {"logOffset": number}


def _lengths(source: str, files: Sequence[str]) -> int:
    """Each file has as many rows as its name has letters."""
    return sum(map(len, files))


def test_what_was_completed_after_the_last_report_is_counted(checkpoint: Path) -> None:
    assert with_untold([ScanProgress("F")], checkpoint, _lengths) == [ScanProgress("F")]
    for number, file in enumerate(("a", "bb", "cccc")):
        _log(checkpoint, 0, str(number), **{file: number})
        _batch(checkpoint, number, _last(number))
    # This batch runs again, and is reported then.
    _log(checkpoint, 0, "3", dddddddd=3)
    _batch(checkpoint, 3, _last(3), done=False)
    for known, rows in ((None, 7), (0, 6), (1, 4), (2, 0)):
        before = ScanProgress("F", 100, None if known is None else _last(known))
        assert with_untold([before], checkpoint, _lengths) == [ScanProgress("F", 100 + rows, _last(2))], known
    # Spark puts entries together, and may have deleted those before.
    _log(checkpoint, 0, "2.compact", a=0, bb=1, cccc=2)
    for number in range(3):
        (checkpoint / "sources" / "0" / str(number)).unlink()
    for known, rows in ((None, 7), (0, 6), (2, 0)):
        before = ScanProgress("F", 0, None if known is None else _last(known))
        assert with_untold([before], checkpoint, _lengths) == [ScanProgress("F", rows, _last(2))], known


def test_each_source_has_its_own_files(checkpoint: Path) -> None:
    """Also beside a log, and one that is read twice; a source that accompanies another has a folder too."""
    _log(checkpoint, 2, "0", a=0)
    _log(checkpoint, 4, "0", bbb=0)
    log = {"log": "x", "next": 3}
    _batch(checkpoint, 0, log, MARK, _last(0), MARK, _last(0), MARK, _last(0), None)
    scans = [ScanProgress(name) for name in ("S", "F", "F", "G", "H")]
    assert with_untold(scans, checkpoint, _lengths) == [
        ScanProgress("S"),
        *[ScanProgress("F", 1, _last(0))] * 2,
        ScanProgress("G", 3, _last(0)),
        ScanProgress("H"),
    ]
    # Another plan than that of the checkpoint.
    assert with_untold(scans[:2], checkpoint, _lengths) == scans[:2]


def test_a_position_of_another_form_says_nothing(checkpoint: Path) -> None:
    _log(checkpoint, 0, "0", a=0)
    _batch(checkpoint, 0, _last(0))
    before = [ScanProgress("F", 5, {"topic": {"0": 3}})]
    assert with_untold(before, checkpoint, _lengths) == before

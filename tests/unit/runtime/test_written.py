"""A checkpoint and its target belong together, or the query does not continue."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rowtime.delta.batches import GENERATION, LastBatch, SentBatch, WrittenBatches, is_repeated
from rowtime.errors import RowtimeError
from rowtime.runtime.target import written

QUERY = '{"batchWatermarkMs":0,"batchTimestampMs":%d}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A query whose checkpoint has the batches 0 to 4, all completed."""
    spark = tmp_path / "spark"
    for name in ("offsets", "commits"):
        (spark / name).mkdir(parents=True)
    (spark / "metadata").write_text('{"id":"x"}')
    for batch in range(5):
        (spark / "offsets" / str(batch)).write_text(f'v1\n{QUERY % batch}\n{{"log":"x","next":{batch}}}')
        (spark / "commits" / str(batch)).write_text('v1\n{"nextBatchWatermarkMs":0}')
    return tmp_path


def content(folder: Path, batch: int) -> int:
    found = written.content_of(folder / "spark", batch)
    assert found is not None and 0 <= found < 1 << 63
    return found


def said(folder: Path, last: LastBatch, *, stored: bool = False, generation: int = 0) -> str | None:
    target = SimpleNamespace(last_batch=lambda: last, identity="t@1", label="foreign table 'T'", stored=stored)
    try:
        written.check(folder, cast(Any, target), "Pump 'P'", "RESET", generation)
    except RowtimeError as fault:
        return str(fault)
    return None


def test_a_checkpoint_that_fits(folder: Path) -> None:
    for last in (None, SentBatch(3), SentBatch(4), SentBatch(4, content(folder, 4)), SentBatch(3, content(folder, 3))):
        assert said(folder, LastBatch(last)) is None
    # After a reset, the target has only what was before it.
    assert said(folder, LastBatch(SentBatch(77, 1)), generation=1) is None
    assert said(folder, LastBatch(SentBatch(GENERATION + 4, content(folder, 4))), generation=1) is None
    # Spark has deleted the offsets, and the target has had no rows since.
    (folder / "spark" / "offsets" / "1").unlink()
    assert said(folder, LastBatch(SentBatch(1, 5))) is None


def test_an_older_checkpoint(folder: Path) -> None:
    assert "RT0607" in str(said(folder, LastBatch(SentBatch(5, 1))))
    assert "RT0607" in str(said(folder, LastBatch(SentBatch(GENERATION + 5, 1)), generation=1))
    # It has moved on, past the number that the target has: those were other batches.
    found = str(said(folder, LastBatch(SentBatch(3, 1))))
    assert "offsets/3' is not that of micro-batch 3 in foreign table 'T'" in found
    (folder / "spark" / "offsets" / "2").unlink()
    WrittenBatches(folder / written.WRITTEN, "t@1").add(SentBatch(2, 2))
    assert "is not that of micro-batch 2" in str(said(folder, LastBatch(SentBatch(2, 1))))
    # Also where the warehouse knows the batch, and not the target.
    assert "RT0607" in str(said(folder, LastBatch(SentBatch(5), is_known=False)))


def test_an_older_target(folder: Path) -> None:
    record = WrittenBatches(folder / written.WRITTEN, "t@1")
    assert record.last is None
    record.add(SentBatch(4, content(folder, 4)))
    assert record.last == SentBatch(4, content(folder, 4))
    assert said(folder, LastBatch(record.last)) is None
    for last, has in ((SentBatch(2, content(folder, 2)), "has only those up to 2"), (None, "has none of it")):
        for stored, code in ((True, "RT0605"), (False, "RT0607")):
            found = str(said(folder, LastBatch(last), stored=stored))
            assert code in found
            assert f"Pump 'P' has written micro-batch 4 to foreign table 'T', which {has}" in found
    # A target that forgets may have it; another one never had it.
    assert said(folder, LastBatch(None, is_known=False)) is None
    WrittenBatches(folder / written.WRITTEN, "t@0").add(SentBatch(4))
    assert said(folder, LastBatch(None)) is None


def test_records(tmp_path: Path) -> None:
    record = WrittenBatches(tmp_path / "batches" / "p", "t")
    record.add(SentBatch(123456789, (1 << 63) - 1))
    record.add(SentBatch(7))
    assert record.last == SentBatch(7)
    file = tmp_path / "batches" / "p"
    file.write_bytes(file.read_bytes()[:30])
    assert record.last is None
    # The folder is created, but not the warehouse.
    lost = WrittenBatches(tmp_path / "gone" / "adapters" / "p", "t")
    lost.add(SentBatch(1))
    assert (lost.last, (tmp_path / "gone").exists()) == (None, False)


@pytest.mark.parametrize(
    ("batch", "last", "repeated"),
    [
        (SentBatch(3, 1), None, False),
        (SentBatch(3, 1), SentBatch(2, 9), False),
        (SentBatch(3, 1), SentBatch(3, 1), True),
        (SentBatch(3, 1), SentBatch(3), True),
        (SentBatch(3), SentBatch(3, 1), True),
        (SentBatch(2), SentBatch(3, 1), True),
        (SentBatch(3, 1), SentBatch(3, 2), None),
        (SentBatch(2, 1), SentBatch(3, 2), None),
    ],
)
def test_the_same_batch(batch: SentBatch, last: SentBatch | None, repeated: bool | None) -> None:
    """None: an error."""
    if repeated is None:
        with pytest.raises(
            RowtimeError, match=f"RT0607: Micro-batch {batch.number} cannot be written: 'T' already has"
        ):
            is_repeated(batch, last, "'T'")
    else:
        assert is_repeated(batch, last, "'T'") == repeated

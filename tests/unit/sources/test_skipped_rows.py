"""What a query sets aside takes a bounded room, and every row is counted once, wherever the process dies."""

from __future__ import annotations

import os
import random
import uuid
from pathlib import Path

import pytest

from rowtime.operators import skipped_rows


def late(folder: Path, batch: int, count: int, run: str = "a", partition: int = 0, node: int = 1) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{batch}-{node}-{run}-{partition}-{count}.jsonl").write_text("x" * 5000)


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.jsonl"))


def test_room_is_bounded_and_counts_stay(tmp_path: Path) -> None:
    for batch in range(200):
        late(tmp_path, batch, 3)
        skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=50_000)
        assert skipped_rows.late_rows(tmp_path) == 3 * (batch + 1)
        assert size(tmp_path) <= 55_000
    kept = sorted(int(file.name.partition("-")[0]) for file in tmp_path.glob("*.jsonl"))
    assert kept[-1] == 199
    assert kept == list(range(kept[0], 200)), "the newest are kept"


def test_the_last_batch_may_run_again(tmp_path: Path) -> None:
    for batch in range(30):
        late(tmp_path, batch, 2)
    skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=20_000)
    late(tmp_path, 29, 2, run="b")
    assert skipped_rows.late_rows(tmp_path) == 60
    late(tmp_path, 30, 7, run="b")
    skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=20_000)
    assert skipped_rows.late_rows(tmp_path) == 67


@pytest.mark.parametrize("later", ["a", "b"])
def test_a_run_that_was_ended_does_not_count(tmp_path: Path, later: str) -> None:
    """Whatever the dates of its files are: the clock may have been set back meanwhile."""
    late(tmp_path, 1, 2, run="a")
    late(tmp_path, 1, 2, run="b")
    late(tmp_path, 1, 5, run="b", partition=1)
    for file in tmp_path.glob(f"1-1-{later}-*.jsonl"):
        os.utime(file, (4e9, 4e9))
    assert skipped_rows.late_rows(tmp_path) == 7


def test_several_scans_of_one_source_count_once(tmp_path: Path) -> None:
    for batch in range(30):
        for node in (1, 4):
            for partition in (0, 1):
                late(tmp_path, batch, 5, node=node, partition=partition)
    before = skipped_rows.late_rows(tmp_path)
    skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=20_000)
    assert skipped_rows.late_rows(tmp_path) == before == 30 * 10


@pytest.mark.parametrize("dies_at", ["replace", "unlink"])
def test_a_process_that_dies_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies_at: str) -> None:
    chance = random.Random(7)
    counts = [chance.randrange(1, 9) for _ in range(40)]
    for batch, count in enumerate(counts):
        late(tmp_path, batch, count)

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, dies_at, dies)
        with pytest.raises(KeyboardInterrupt):
            skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=50_000)
    assert skipped_rows.late_rows(tmp_path) == sum(counts)
    skipped_rows.compact_one(tmp_path, skipped_rows.count_late, limit=50_000)
    assert skipped_rows.late_rows(tmp_path) == sum(counts)
    assert size(tmp_path) <= 50_000


def test_bad_records(tmp_path: Path) -> None:
    for batch in range(50):
        (tmp_path / f"{batch}-6f1c0e8e-0000-3000-8000-00000000000{batch % 10}-4.jsonl").write_text("x" * 9000)
        late(tmp_path / "late", batch, 2)
        late(tmp_path / "late" / "nulls", batch, 1)
    skipped_rows.compact(tmp_path, limit=40_000)
    found = (
        skipped_rows.records(tmp_path),
        skipped_rows.late_rows(tmp_path / "late"),
        skipped_rows.late_rows(tmp_path / "late" / "nulls"),
    )
    assert found == (200, 100, 50)
    assert max(size(tmp_path), size(tmp_path / "late"), size(tmp_path / "late" / "nulls")) <= 40_000


def record(folder: Path, batch: str, piece: int, count: int) -> None:
    (folder / f"{batch}-{uuid.UUID(int=piece)}-{count}.jsonl").write_text("x" * 5000)


def test_a_piece_that_two_scans_read_in_different_batches(tmp_path: Path) -> None:
    for piece in range(40):
        record(tmp_path, f"{piece}-piece", piece, 2)
        record(tmp_path, f"{piece + 1}-piece", piece, 2)
    assert skipped_rows.records(tmp_path) == 80
    skipped_rows.compact_one(tmp_path, skipped_rows.count_records, limit=20_000)
    assert skipped_rows.records(tmp_path) == 80
    assert size(tmp_path) <= 25_000
    # A file that is still there is read by the other scan.
    record(tmp_path, "41-piece", 39, 2)
    assert skipped_rows.records(tmp_path) == 80


def test_records_of_an_adapter(tmp_path: Path) -> None:
    for piece in range(40):
        record(tmp_path, "adapter", piece, 2)
    skipped_rows.compact_one(tmp_path, skipped_rows.count_records, limit=20_000)
    assert skipped_rows.records(tmp_path) == 80
    assert size(tmp_path) <= 20_000

"""Hostile records between valid ones: each becomes a row or is set aside, quickly, and all valid ones arrive."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile_records import AVRO_SCHEMA, avro_good, avro_record, csv_good, csv_record, json_good, json_record
from record_readers import COLUMNS, RecordReaders

_GOOD = 1_000_000
_BATCH = 40

TARGETS: dict[str, tuple[dict[str, str], Callable[[random.Random], bytes], Callable[[int], bytes], int]] = {
    "json": ({"format": "json"}, json_record, json_good, len(COLUMNS)),
    "csv": ({"format": "csv"}, csv_record, csv_good, len(COLUMNS)),
    # The schema has no interval.
    "avro": ({"format": "avro", "avro_schema": AVRO_SCHEMA}, avro_record, avro_good, len(COLUMNS) - 1),
}


@pytest.mark.parametrize("target", TARGETS)
def test_records(
    target: str, fuzz: Callable[[], Iterator[random.Random]], figures: Callable[..., None], tmp_path: Path
) -> None:
    layout, make, good, columns = TARGETS[target]
    readers = RecordReaders(layout, tmp_path, columns)
    counts = {"records": 0, "invalid": 0}

    def check(hostile: list[bytes]) -> None:
        mixed = [one for i, record in enumerate(hostile) for one in (good(_GOOD + i), record)]
        found = readers.read(mixed)
        assert [i for i in found.ids if i is not None and _GOOD <= i < _GOOD + len(hostile)] == [
            _GOOD + i for i in range(len(hostile))
        ]
        assert len(found.ids) + found.invalid == len(mixed)
        counts["records"] += len(hostile)
        counts["invalid"] += found.invalid

    batch: list[bytes] = []
    for chance in fuzz():
        batch.append(make(chance))
        if len(batch) == _BATCH:
            try:
                check(batch)
            except AssertionError:
                for record in batch:
                    try:
                        check([record])
                    except AssertionError as fault:
                        raise AssertionError(f"{record[:2000]!r}: {fault}") from fault
                raise
            batch = []
    figures(**counts)
    # Most of the generated records are invalid, but not all: otherwise the generator tests nothing.
    assert 0.1 < counts["invalid"] / counts["records"] < 0.999

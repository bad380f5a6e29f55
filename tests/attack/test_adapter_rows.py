"""Hostile rows of an adapter: the valid ones between them arrive, the others are set aside and counted."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rowtime.adapters import wire
from rowtime.types.columns import columns

COLUMNS = [
    {"name": "ID", "type": "INTEGER", "nullable": False},
    {"name": "AMOUNT", "type": "DECIMAL(10, 2)", "nullable": True},
    {"name": "NAME", "type": "VARCHAR", "nullable": True},
    {"name": "T", "type": "TIME", "nullable": True},
    {"name": "TAGS", "type": "INTEGER ARRAY", "nullable": True},
]


class Nasty:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


HOSTILE: list[Any] = [
    {"id": Decimal("1e999999999")},
    {"id": Decimal("1e-999999999")},
    {"id": 10**5_000},
    {"id": float("inf")},
    {"id": float("nan")},
    {"id": 1, "amount": Decimal("1e999999999")},
    {"id": 1, "amount": Decimal("NaN")},
    {"id": 1, "amount": 10**5_000},
    {"id": 1, "name": "\ud800"},
    {"id": 1, "name": Nasty()},
    {"id": 1, "t": 5},
    {"id": 1, "t": "²"},
    {"id": 1, "tags": deep(2_000)},
    {"id": 1, "tags": {1: 2}},
    {},
    7,
    "x" * 1_000_000,
    None,
    (1, 2),
    Nasty(),
]


def test_good_rows_come(tmp_path: Path) -> None:
    rows = wire._Rows(columns(COLUMNS), str(tmp_path))
    mixed = [one for i, row in enumerate(HOSTILE) for one in ((i, None, "good", None, None), row)]
    found = list(rows.to_spark(mixed, "partition"))
    assert [row[0] for row in found] == list(range(len(HOSTILE)))
    (file,) = tmp_path.glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text().removesuffix("\n").split("\n")]
    assert (len(lines), file.stem.rsplit("-", 1)[1]) == (len(HOSTILE), str(len(HOSTILE)))
    assert all(line["reason"] and len(line["record"]) <= 4_096 for line in lines)


def test_so_many_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ASIDE_CHARACTERS", 1_000)
    assert list(wire._Rows(columns(COLUMNS), str(tmp_path)).to_spark([7] * 10_000, "partition")) == []
    (file,) = tmp_path.glob("*.jsonl")
    *kept, last = [json.loads(line) for line in file.read_text().splitlines()]
    assert file.stem.endswith("-10000") and len(kept) < 100
    assert last == {"reason": f"{10_000 - len(kept):,} more records, which were only counted"}

"""Warehouses that earlier builds have written, one of each format, are opened, and their pumps continue."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowtime.catalog.store import Store
from rowtime.formats import current
from rowtime.opening import connect
from rowtime.session import Session
from rowtime_cli.contents import contents

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent


@pytest.mark.parametrize("archive", sorted(HERE.glob("*.tar.xz")), ids=lambda path: path.name)
def test_pumps_continue_from_their_positions_and_state(
    spark: SparkSession, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _unpack(archive, tmp_path)
    monkeypatch.chdir(tmp_path)
    with connect(spark, tmp_path / "warehouse") as rt:
        assert rt.store.formats() == current()
        rt.sql(
            "INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 11:00:00', 'c', 5), "
            "(TIMESTAMP '2024-05-01 11:10:00', 'c', 0)"
        )
        rt.sql("INSERT INTO paid VALUES (TIMESTAMP '2024-05-01 10:30:00', 'b')")
        rt.runtime.settle([])
        # The hour of 10:00 is in state; the row of 10:05 was late.
        assert _rows(rt, "SELECT * FROM hours") == [(_at(9), "a", 2), (_at(10), "a", 1), (_at(10), "b", 1)]
        assert _rows(rt, "SELECT * FROM pairs") == [(_at(9, 30), "a", 0), (_at(9, 30), "a", 2), (_at(10, 30), "b", 4)]
        assert _rows(rt, "SELECT * FROM totals") == [("a", 5), ("b", 4), ("c", 5)]
        assert _rows(rt, "SELECT * FROM items") == [("a", "pear"), ("b", "bread")]
        assert len(_rows(rt, "SELECT * FROM big")) == 4
        assert {pump.name: pump.bad_rows for pump in rt.pumps if pump.bad_rows} == {"SHARING": 2}
    written = [json.loads(line) for file in sorted((tmp_path / "files").glob("*.json")) for line in file.open()]
    assert sorted(next(v for k, v in row.items() if k.lower() == "share") for row in written) == [12, 15, 20, 30]


def test_doctor_says_what_an_upgrade_changes(tmp_path: Path) -> None:
    _unpack(HERE / "catalog-3.tar.xz", tmp_path)
    warehouse = tmp_path / "warehouse"
    with sqlite3.connect(warehouse / "catalog.db") as db:
        db.execute("DROP TABLE format")
        db.execute("PRAGMA user_version = 2")
    [signed] = [
        file
        for file in warehouse.glob("pumps/*/*/signature.json")
        if "interval_join" in file.read_text(encoding="utf-8")
    ]
    text = signed.read_text(encoding="utf-8")
    signed.write_text(re.sub(r"(layout\W+)\d+", r"\g<1>99", text), encoding="utf-8")
    before = (warehouse / "catalog.db").read_bytes()
    formats, *pumps = contents(warehouse)
    assert (formats.check, formats.outcome) == ("formats", "warning")
    assert "catalog 2 becomes 3" in formats.text
    found = {finding.text: finding.outcome for finding in pumps}
    [refused] = [text for text, outcome in found.items() if outcome == "fault"]
    assert refused == (
        "RT0516: The saved state of pump 'PAIRING' no longer fits its query: it was written by another version of "
        "rowtime"
    )
    assert len(found) == 4
    assert any("HOURLY" in text and "and the state of" in text for text in found)
    assert any("SHARING" in text and text.endswith("it has no state") for text in found)
    assert (warehouse / "catalog.db").read_bytes() == before
    Store(warehouse).close()
    assert next(contents(warehouse)).outcome == "ok"


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")


def _rows(rt: Session, sql: str) -> list[Any]:
    found: Any = rt.sql(sql)
    return sorted(found.tuples())


def _at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2024, 5, 1, hour, minute)

"""Fields that no column has are counted, by name, wherever they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from queries import eventually

from rowtime.foreign.unknown_fields import unknown_fields
from rowtime.session import Session
from rowtime_cli import main


def test_fields_that_no_column_has_are_counted(rt: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = tmp_path / "records"
    records.mkdir()
    rows = [
        {"rowtime": "2024-05-01 10:00:00", "N": 1},
        {"rowtime": "2024-05-01 10:01:00", "n": 2, "discount": 5, "note": {"n": 1}},
        {"rowtime": "2024-05-01 10:02:00", "n": 3, "discount": None},
    ]
    (records / "1.json").write_text("".join(json.dumps(row) + "\n" for row in rows) + "no json\n")
    rt.sql(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP(3) NOT NULL, n INTEGER) "
        f"OPTIONS (connector 'files', path '{records}', format 'json')"
    )
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO s SELECT STREAM rowtime, n FROM f")
    entry, pump = rt.store.get("F"), rt.store.get("P")
    assert entry is not None
    assert pump is not None
    folder = rt.runtime.launcher.foreign.bad_rows(entry, pump.id)
    eventually(lambda: unknown_fields(folder) == {"discount": 2, "note": 1})
    # The count goes on where it was.
    rt.sql("ALTER PUMP p STOP")
    (records / "2.json").write_text('{"rowtime": "2024-05-01 10:03:00", "n": 4, "discount": 1}\n')
    rt.sql("ALTER PUMP p START")
    eventually(lambda: unknown_fields(folder) == {"discount": 3, "note": 1})
    warehouse = ["--warehouse", str(rt.store.warehouse)]
    assert main.main(["stream", "show", "f", *warehouse]) == 0
    shown = capsys.readouterr().out
    assert "unknown   field discount in 3 records" in shown
    assert "unknown   field note in 1 record\n" in shown
    assert main.main(["stream", "show", "f", "--format", "json", *warehouse]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["invalid"], found["late"], found["unknown_fields"]) == (1, 0, {"discount": 3, "note": 1})
    assert [reader["name"] for reader in found["readers"]] == ["P"]

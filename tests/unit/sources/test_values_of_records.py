"""Values of records in JSON and CSV get the form of their SQL type, also within arrays, maps and rows."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from rowtime.session import Session

pytestmark = pytest.mark.spark

COLUMNS = (
    "id INTEGER, c CHAR(3), b BINARY(2), x VARBINARY(2), tm TIME(3), a CHAR(2) ARRAY, m MAP<CHAR(2), VARCHAR(2)>, "
    "r ROW(v VARCHAR(2), ts TIMESTAMP(0), n ROW(c CHAR(2)) ARRAY)"
)
VALID: list[dict[str, Any]] = [
    {
        "id": 1,
        "c": "a",
        "b": "01",
        "x": "01",
        "tm": "10:00:00.123987",
        "a": ["a", None, "bc  "],
        "m": {"k": "v   "},
        "r": {"v": "x", "ts": "2024-05-01 10:00:00.9", "n": [{"c": "y"}, None]},
    },
    {"id": 2, "a": [], "m": {}, "r": {}},
]
INVALID: list[dict[str, Any]] = [
    {"id": 11, "c": "abc\t"},
    {"id": 12, "b": "010203"},
    {"id": 13, "x": "010203"},
    {"id": 14, "a": ["abc"]},
    {"id": 15, "m": {"abc": "v"}},
    {"id": 16, "m": {"k": "abc"}},
    {"id": 17, "r": {"v": "abc"}},
    {"id": 18, "r": {"n": [{"c": "abc"}]}},
]
ROWS = [
    (
        1,
        "a  ",
        b"\x01\0",
        b"\x01",
        dt.time(10, 0, 0, 123_000),
        ["a ", None, "bc"],
        {"k ": "v "},
        ("x", dt.datetime(2024, 5, 1, 10), [("y ",), None]),
    ),
    (2, None, None, None, None, [], {}, (None, None, None)),
]


def cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
    return '"' + text.replace('"', '""') + '"' if text else ""


@pytest.mark.parametrize("format", ["json", "csv"])
def test_values(rt: Session, tmp_path: Path, format: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    records = [*VALID, *INVALID]
    names = list(VALID[0])
    lines = [json.dumps(record) for record in records]
    if format == "csv":
        lines = [",".join(names), *(",".join(cell(record.get(name)) for name in names) for record in records)]
    (folder / f"a.{format}").write_text("\n".join(lines) + "\n")
    rt.sql(f"CREATE FOREIGN TABLE t ({COLUMNS}) OPTIONS (connector 'files', path '{folder}', format '{format}')")
    found = rt.sql("SELECT * FROM t ORDER BY id").tuples()
    assert [tuple(row) for row in found] == ROWS
    reasons = [
        json.loads(line)["reason"]
        for file in sorted((rt.store.warehouse / "bad_rows").rglob("*"))
        if file.is_file()
        for line in file.read_text().splitlines()
    ]
    assert len(reasons) == len(INVALID)

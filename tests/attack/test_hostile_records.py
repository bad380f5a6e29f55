"""Hostile records between valid ones in a query of Spark: all valid rows arrive, and read = entered + invalid."""

from __future__ import annotations

import gzip
import json
import random
import socket
from pathlib import Path
from typing import Any

import pytest
from hostile_records import GOOD, csv_good, csv_record, json_good, json_record
from queries import drain, entry_of, eventually, start_query
from record_readers import COLUMNS

from rowtime.runtime.query.query import Query
from rowtime.session import Session
from rowtime.sources.foreign import Foreign

GOOD_ID = 1_000_000
# No column can be declared as an interval.
TYPES = ", ".join(f'"{name}" {sql}' for name, sql, _ in COLUMNS[:-1])
IDS = 'SELECT STREAM "ID" AS id FROM records'
LONG = 17 << 20


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


def create(rt: Session, options: str, rowtime: str = "at") -> None:
    rt.sql(f"CREATE FOREIGN STREAM records ({TYPES}) OPTIONS ({options}, rowtime '{rowtime}')")


def set_aside(rt: Session, query: Query) -> list[dict[str, Any]]:
    files = Foreign(rt.store).bad_rows(entry_of(rt, "RECORDS"), query.checkpoint.name).glob("*.jsonl")
    return [json.loads(line) for file in sorted(files) for line in file.read_text().removesuffix("\n").split("\n")]


def lines_of(records: list[bytes]) -> int:
    """Returns the number of non-blank lines that the records have in a file: some contain line ends."""
    text = b"\n".join(records).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return sum(1 for line in text.split(b"\n") if line.decode("utf-8", "replace").strip(" \t\x0b\x0c\x1c\x1d\x1e\x1f"))


def good_ids(rows: list[tuple[Any, ...]]) -> list[int]:
    return [id for (id,) in rows if id is not None and id >= GOOD_ID]


def long_record() -> bytes:
    return b'{"name": "' + b"x" * LONG + b'"}'


def test_json_files(rt: Session, inbox: Path, figures: Any, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--fuzz-seed"))
    at = b'{"at": "2024-05-01 10:00:00", '
    worst = [
        b'{"else": ' + b"[" * 50_000,
        b'{"else": ' + b"[" * 501 + b"]" * 501 + b"}",
        b'{"else": ' + b"9" * 5_000 + b"}",
        at + b'"amount": 1e-300000000, "id": 1e-300000000}',
        at + b'"tags": [1e300000000]}',
        at + b'"notes": {"a": 1e-300000000}}',
        at + b'"name": "\\ud800"}',
        at + b'"place": {"y": "\\ud800"}}',
        b'{"name": "\xff"}',
        at + b'"id": "' + ("x" * 56 + "\N{MUSICAL SYMBOL G CLEF}" * 4).encode() + b'"}',
        long_record(),
    ]
    hostile = worst + [json_record(chance) for _ in range(150)]
    mixed = [one for i, record in enumerate(hostile) for one in (json_good(GOOD_ID + i), record)]
    (inbox / "a.json").write_bytes(b"\n".join(mixed))
    with gzip.open(inbox / "b.json.gz", "wb") as file:
        file.write(b"\n".join(mixed))
    # A compressed file that ends in the middle: the readable part arrives.
    (inbox / "c.json.gz").write_bytes(gzip.compress(json_good(GOOD_ID) + b"\n", 0) + b"\x1f\x8b\x08")
    create(rt, f"connector 'files', path '{inbox}', format 'json'")
    query = start_query(rt, IDS)
    rows = drain(query)
    assert sorted(good_ids(rows)) == sorted([*range(GOOD_ID, GOOD_ID + len(hostile))] * 2 + [GOOD_ID])
    bad = set_aside(rt, query)
    assert query.progress.bad_rows == len(bad)
    # One more for the missing end of the file.
    assert len(rows) + len(bad) == 2 * lines_of(mixed) + 2
    reasons = {one["reason"] for one in bad}
    assert "broken JSON: nested deeper than 500 levels" in reasons
    assert "broken JSON: a number of more than 1,000 characters" in reasons
    assert "ID: '1e-300000000' is not an INTEGER" in reasons
    assert "TAGS: '[1e300000000]' does not fit in INTEGER ARRAY" in reasons
    assert any(reason.startswith("NAME: ") and "unpaired surrogate" in reason for reason in reasons)
    assert "not UTF-8 (byte 11)" in reasons
    assert any(reason.startswith("the file is damaged") for reason in reasons)
    (long, _) = (one for one in bad if one["reason"].startswith("a record of 17,825,804 bytes"))
    assert len(long["record"]) == 4_096
    assert not [one for one in bad if "java" in one["reason"] or "Exception" in one["reason"]]
    figures(records=2 * len(mixed), invalid=len(bad))


def test_csv_files(rt: Session, inbox: Path, figures: Any, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--fuzz-seed"))
    hostile = [b'"' + b"x" * LONG, b"," * 100_000, b"\0", b"\xff"] + [csv_record(chance) for _ in range(150)]
    mixed = [one for i, record in enumerate(hostile) for one in (csv_good(GOOD_ID + i), record)]
    header = ",".join(GOOD).encode() + b"\n"
    (inbox / "a.csv").write_bytes(b"\xef\xbb\xbf" + header + b"\n".join(mixed))
    (inbox / "b.csv.gz").write_bytes(gzip.compress(header + csv_good(GOOD_ID)))
    # An invalid header: each of its records is set aside.
    (inbox / "c.csv").write_bytes(b"," * 100_000 + b"\n" + csv_good(GOOD_ID))
    create(rt, f"connector 'files', path '{inbox}', format 'csv'")
    query = start_query(rt, IDS)
    rows = drain(query)
    assert sorted(good_ids(rows)) == sorted([*range(GOOD_ID, GOOD_ID + len(hostile)), GOOD_ID])
    bad = set_aside(rt, query)
    assert query.progress.bad_rows == len(bad)
    assert len(rows) + len(bad) == lines_of(mixed) + 2
    assert "the header of the file is broken CSV: more than 20,480 fields" in {one["reason"] for one in bad}
    assert "broken CSV: more than 20,480 fields" in {one["reason"] for one in bad}
    figures(records=len(mixed), invalid=len(bad))


def test_socket(rt: Session, figures: Any, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--fuzz-seed"))
    hostile = [b'{"name": "\xff"}', long_record()] + [json_record(chance) for _ in range(100)]
    mixed = [one for i, record in enumerate(hostile) for one in (json_good(GOOD_ID + i), record)]
    with socket.create_server(("127.0.0.1", 0)) as server:
        create(
            rt, f"connector 'socket', host '127.0.0.1', port '{server.getsockname()[1]}', format 'json'", "timestamp"
        )
        query = start_query(rt, IDS)
        client, _ = server.accept()
        with client:
            client.sendall(b"\n".join(mixed) + b"\n")
            rows: list[tuple[Any, ...]] = []

            def all_there() -> bool:
                rows.extend(drain(query))
                return len(good_ids(rows)) == len(hostile)

            eventually(all_there)
            text = b"\n".join(mixed).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            eventually(lambda: len(rows) + query.progress.bad_rows == text.count(b"\n") + 1)
    assert good_ids(rows) == [*range(GOOD_ID, GOOD_ID + len(hostile))]
    figures(records=len(mixed), invalid=query.progress.bad_rows)

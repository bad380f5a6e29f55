"""A pump that reads a foreign stream fails at a row, names its place, and steps over it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.runtime.pump.status import FailedRow
from rowtime.session import Session
from rowtime_cli.contents import contents

from .conftest import at, rows, settle, status

QUERY = "INSERT INTO b SELECT STREAM rowtime, 60 / n AS n FROM source"
RECORDS = [(at(9), 2), (at(10), 0), (at(10), 0), (at(11), 3)]


def lines(form: str) -> list[bytes]:
    if form == "csv":
        return [b"rowtime,n\n", *(f"{time},{n}\n".encode() for time, n in RECORDS)]
    return [json.dumps({"rowtime": str(time), "n": n}).encode() + b"\n" for time, n in RECORDS]


def write(folder: Path, form: str) -> tuple[str, str]:
    """Writes a file with two rows that are equal; returns their places."""
    folder.mkdir()
    if form == "parquet":
        file = folder / "a.parquet"
        times, numbers = zip(*RECORDS, strict=True)
        table = pa.table({"ROWTIME": pa.array(times, pa.timestamp("us", "UTC")), "N": pa.array(numbers, pa.int32())})
        pq.write_table(table, file)
        return f"row 2 of file:{file}", f"row 3 of file:{file}"
    written = lines(form)
    file = folder / f"a.{form}"
    if form == "json.gz":
        file.write_bytes(gzip.compress(b"".join(written)))
    else:
        file.write_bytes(b"".join(written))
    first = sum(map(len, written[:-3]))
    return f"byte {first} of file:{file}", f"byte {first + len(written[-3])} of file:{file}"


def stepped_over(rt: Session, *places: str) -> None:
    met: list[FailedRow] = []
    for place in places:
        eventually(lambda: status(rt, "P").failed_row not in (None, *met), 60)
        found = status(rt, "P")
        assert found.failed_row == FailedRow("SOURCE", place)
        assert found.state == "FAILED"
        assert f"in 60 / N of the row of 'SOURCE' at {place} with N = 0, ROWTIME = 2006-09-11 10:00:00" in found.error
        explained = rows(rt, "EXPLAIN ALTER PUMP p RESUME SKIP")
        assert f"steps over the row of 'SOURCE' at {place}" in str(explained)
        rt.sql("ALTER PUMP p RESUME SKIP")
        met.append(found.failed_row)
    eventually(lambda: status(rt, "P").error is None, 60)


@pytest.mark.parametrize(
    ("form", "waits"), [("json", ""), ("csv", ""), ("parquet", ""), ("json.gz", " WATERMARK INTERVAL '10' MINUTE")]
)
def test_rows_of_files(streams: Session, tmp_path: Path, form: str, waits: str) -> None:
    rt, folder = streams, tmp_path / "sent"
    places = write(folder, form)
    rt.sql(
        f"CREATE FOREIGN STREAM source (rowtime TIMESTAMP(3) NOT NULL{waits}, n INTEGER) "
        f"OPTIONS (connector 'files', path '{folder}', format '{form.removesuffix('.gz')}')"
    )
    rt.sql(f"CREATE PUMP p STARTED AS {QUERY}")
    stepped_over(rt, *places)
    settle(rt)
    # The row of 11:00 still waits.
    assert rows(rt, "SELECT n FROM b") == ([(30,)] if waits else [(30,), (20,)])
    found = status(rt, "P")
    assert (found.rows_out, found.failed_rows, found.failed_row) == (1 if waits else 2, 2, None)
    text = "; it has no state" if not waits else " and the rows of 'SOURCE' that wait for its watermark"
    assert f"Pump 'P' continues from its position{text}" in [each.text for each in contents(rt.store.warehouse)]
    kept = "its position and state" if waits else "its position; it has no state"
    explained = rows(rt, f"EXPLAIN CREATE OR REPLACE PUMP p STARTED AS {QUERY}")
    assert f"Pump 'P' continues from {kept}" in str(explained)


def test_results_of_several_rows(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE STREAM sums (n INTEGER)")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO sums "
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, 60 / SUM(n) AS n FROM a GROUP BY FLOOR(rowtime TO HOUR)"
    )
    rt.producer("A").insert([(at(9), 0), (at(11), 1)])
    eventually(lambda: status(rt, "P").state == "FAILED", 60)
    with pytest.raises(RowtimeError, match="has not failed at a row whose position is known") as fault:
        rt.sql("ALTER PUMP p RESUME SKIP")
    (found,) = fault.value.diagnostics
    assert found.code == "RT0561"
    assert "Results of several rows have no position. CREATE OR REPLACE PUMP" in str(found.hint)


def test_a_connector_without_places(streams: Session, tmp_path: Path) -> None:
    rt = streams
    options = f"OPTIONS (connector 'delta', path '{tmp_path}/t')"
    rt.sql(f"CREATE FOREIGN TABLE sent (rowtime TIMESTAMP(3), n INTEGER) {options}")
    rt.sql("INSERT INTO sent VALUES (TIMESTAMP '2006-09-11 09:00:00', 1)")
    rt.sql(f"CREATE FOREIGN STREAM source (n INTEGER) {options}")
    rt.sql(f"CREATE PUMP p STARTED AS {QUERY}")
    settle(rt)
    rt.sql("INSERT INTO sent VALUES (TIMESTAMP '2006-09-11 10:00:00', 0)")
    eventually(lambda: status(rt, "P").state == "FAILED", 60)
    assert status(rt, "P").failed_row == FailedRow("SOURCE", None)
    with pytest.raises(RowtimeError, match="at a row of 'SOURCE' whose position is not known") as fault:
        rt.sql("ALTER PUMP p RESUME SKIP")
    (found,) = fault.value.diagnostics
    assert found.code == "RT0561"
    assert "Rows that connector 'delta' reads have no position. CREATE OR REPLACE PUMP" in str(found.hint)
    rt.sql(f"CREATE OR REPLACE PUMP p STARTED OPTIONS (on_error 'skip') AS {QUERY}")
    eventually(lambda: status(rt, "P").error is None, 60)

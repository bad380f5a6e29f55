"""The disk of a pump's target is full: the pump says so and names it, continues by itself or after a restart, and each
row arrives once. So do statements when the disk of the temporary files is full."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from jdbc_drivers import jdbc_drivers
from tests.attack.test_disks import with_mounts

ROOT = Path(__file__).parents[2]

TARGETS = """
import contextlib, json, secrets, sqlite3, sys, time
from pathlib import Path
import pyarrow.parquet as pq
from deltalake import DeltaTable
import rowtime
from rowtime.errors import RowtimeError
root, driver = Path(sys.argv[1]), sys.argv[2]
kinds = {
    "json": f"connector 'files', path '{root}/json/out', format 'json'",
    "delta": f"connector 'delta', path '{root}/delta/out'",
    "sqlite": f"connector 'jdbc', url 'jdbc:sqlite:{root}/sqlite/db', table 'o', driver_jar '{driver}'",
}
with sqlite3.connect(root / "sqlite" / "db") as db:
    db.execute("CREATE TABLE o (rowtime TIMESTAMP, n INTEGER, t VARCHAR)")
db.close()
rt = rowtime.connect(warehouse=root / "w")
rt.sql("CREATE STREAM a (n INTEGER, t VARCHAR) OPTIONS (history 'all')")
for kind, options in kinds.items():
    rt.sql(f"CREATE FOREIGN TABLE t_{kind} (rowtime TIMESTAMP(3), n INTEGER, t VARCHAR) OPTIONS ({options})")
    rt.sql(f"CREATE PUMP p_{kind} STARTED AS INSERT INTO t_{kind} SELECT STREAM rowtime, n, t FROM a")
count = 0

def insert():
    global count
    rows = [(f"2026-01-01 00:00:{n:02}", n, secrets.token_hex(3000)) for n in range(count, count + 4)]
    rt.sql("INSERT INTO a VALUES " + ", ".join(f"(TIMESTAMP '{at}', {n}, '{t}')" for at, n, t in rows))
    count += 4

def until(what):
    deadline = time.monotonic() + 200
    while not what():
        assert time.monotonic() < deadline, (count, rt.pumps)
        time.sleep(0.2)

def found(kind):
    # Without Spark, which would be slower.
    if kind == "json":
        lines = [line for file in (root / kind / "out").glob("*.json") for line in file.read_text().splitlines()]
        numbers = [json.loads(line)["N"] for line in lines]
    elif kind == "sqlite":
        with contextlib.closing(sqlite3.connect(root / kind / "db")) as db:
            numbers = [n for (n,) in db.execute("SELECT n FROM o")]
    elif (root / kind / "out" / "_delta_log").exists():
        files = DeltaTable(str(root / kind / "out")).file_uris()
        numbers = [n for file in files for n in pq.read_table(file.removeprefix("file://"))["N"].to_pylist()]
    else:
        numbers = []
    return sorted(numbers)

def all_there():
    return all(found(kind) == list(range(count)) for kind in kinds)

def fill():
    for kind in kinds:
        with open(root / kind / "fill", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass

def free():
    for kind in kinds:
        (root / kind / "fill").unlink()

def check(said, kind):
    assert "RT0608" in said and "full" in said or "no space is left" in said, said
    assert f"{root}/{kind}" in said and "\\n\\tat" not in said and "java" not in said, said

insert()
until(all_there)
fill()
insert()
until(lambda: all(status.error for status in rt.pumps))
for status in rt.pumps:
    assert status.state == "FAILED"
    check(status.error, status.name[2:].lower())
for kind in kinds:
    try:
        rt.sql(f"INSERT INTO t_{kind} VALUES (TIMESTAMP '2026-01-01 00:00:00', -1, '{secrets.token_hex(3000)}')")
    except RowtimeError as fault:
        check(str(fault), kind)
        assert len(fault.diagnostics) == 1
    else:
        raise AssertionError(kind)
    assert found(kind) == list(range(4))
free()
until(all_there)
fill()
insert()
time.sleep(1)
rt.close()
rt = rowtime.connect(warehouse=root / "w")
free()
until(all_there)
assert [status.error for status in rt.pumps] == [None] * 3, rt.pumps
for kind in kinds:
    assert sorted(n for (n,) in rt.sql(f"SELECT n FROM t_{kind}").rows()) == list(range(count))
rt.close()
print("rows", count)
"""

TEMPORARY = """
import os, sys, time
from pathlib import Path
import rowtime
from rowtime.errors import RowtimeError
root, temporary = Path(sys.argv[1]), Path(os.environ["TMPDIR"])
rt = rowtime.connect(warehouse=root / "w")
rt.sql("CREATE STREAM a (n INTEGER)")
rt.sql("CREATE STREAM b (c BIGINT) OPTIONS (history 'all')")
# With up to four partitions, a few rows need no shuffle, and no disk.
rt.sql("CREATE PUMP p STARTED OPTIONS (partitions 5) AS INSERT INTO b SELECT STREAM "
       "FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM a GROUP BY FLOOR(rowtime TO MINUTE)")
count = 0

def insert():
    global count
    rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2026-01-01 00:{count:02}:00', {count})")
    count += 1

def until(what):
    deadline = time.monotonic() + 200
    while not what():
        assert time.monotonic() < deadline, (count, rt.pumps)
        time.sleep(0.2)

groups = "SELECT a.n * 600 + b.n AS k, COUNT(*) AS c FROM m AS a CROSS JOIN m AS b GROUP BY a.n * 600 + b.n"
rt.sql("CREATE TABLE m (n INTEGER)")
rt.sql("INSERT INTO m VALUES " + ", ".join(f"({n})" for n in range(600)))
insert()
insert()
until(lambda: rt.log("B").state().entered == 1)
with open(temporary / "fill", "wb", buffering=0) as file:
    try:
        while True:
            file.write(bytes(1 << 16))
    except OSError:
        pass
insert()
for statement in (groups, f"CREATE TABLE t AS {groups}", "SELECT n FROM m"):
    try:
        result = rt.sql(statement)
        result.rows()
    except RowtimeError as fault:
        (found,) = fault.diagnostics
        assert found.code == "RT0608" and f"no space is left on the disk of '{temporary}'" in found.message, fault
    else:
        raise AssertionError("the disk is full")
until(lambda: any(status.error and str(temporary) in status.error for status in rt.pumps))
(temporary / "fill").unlink()
insert()
until(lambda: rt.log("B").state().entered == count - 1)
assert len(rt.sql(groups).rows()) == 360000
assert sorted(row[0] for row in rt.sql("SELECT c FROM b").rows()) == [1] * (count - 1)
assert "T" not in {entry.name for entry in rt.store.entries()}
rt.close()
print("rows", count)
"""


def run(root: Path, script: str, disks: dict[str, str], *more: str, temporary: str = "") -> str:
    """Runs a script of Python while disks of these sizes are mounted in `root`. Returns what it prints."""
    mounts = []
    for name, size in disks.items():
        (root / name).mkdir()
        mounts.append(f"mount -t tmpfs -o size={size} tmpfs '{root / name}'")
    file = root / "script.py"
    file.write_text(script)
    command = " ".join(f"'{word}'" for word in (sys.executable, str(file), str(root), *more))
    environment = {**os.environ, "TMPDIR": str(root / temporary)} if temporary else None
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", " && ".join((*mounts, command))],
        capture_output=True, text=True, env=environment, check=False, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert "panicked" not in done.stderr
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="session")
def sqlite_driver() -> Path:
    return jdbc_drivers()["sqlite"]


@with_mounts
def test_targets(tmp_path: Path, sqlite_driver: Path) -> None:
    disks = {"json": "3m", "delta": "3m", "sqlite": "3m"}
    assert run(tmp_path, TARGETS, disks, str(sqlite_driver)) == "rows 12\n"


@with_mounts
def test_temporary_files(tmp_path: Path) -> None:
    assert run(tmp_path, TEMPORARY, {"tmp": "60m"}, temporary="tmp") == "rows 4\n"


@with_mounts
def test_a_session_begins() -> None:
    """If /tmp is full, everything uses another folder; libraries that the JVM unpacks as well."""
    command = f"'{sys.executable}' -m rowtime_cli.main"
    # A checkout below /tmp is still to be there.
    hidden = [str(path) for path in (ROOT, Path(sys.prefix)) if path.is_relative_to("/tmp")]
    lines = (
        *(f"mkdir kept{i} && mount --bind '{path}' kept{i}" for i, path in enumerate(hidden)),
        "mount -t tmpfs -o size=1m tmpfs /tmp",
        *(f"mkdir -p '{path}' && mount --bind kept{i} '{path}'" for i, path in enumerate(hidden)),
        "(head -c 2000000 /dev/zero > /tmp/fill || true) 2> /dev/null",
        f"{command} validate -e 'SELECT 1 AS n' --warehouse w",
        f"{command} run -e 'CREATE TABLE t AS SELECT 5 AS n; SELECT n FROM t' --warehouse w --format json",
    )
    environment = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", "; ".join(lines)],
            capture_output=True, text=True, cwd=folder, env=environment, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"row":{"N":5}' in done.stdout
    assert "warning" not in done.stdout + done.stderr

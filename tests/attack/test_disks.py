"""A warehouse on a disk that is read-only, full, or removed: each interface reports it, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from definitions import stream
from prompt_toolkit.history import FileHistory
from queries import eventually

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.shell.history import open_history
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.tail import Tail


def mounts() -> bool:
    """Returns whether this user may mount file systems."""
    command = ["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def made(warehouse: Path) -> StreamLog:
    store = Store(warehouse)
    store.commit([{"action": "create", "object": stream("VARCHAR")}])
    entry = store.get("S")
    assert entry is not None
    return StreamLog(store, entry)


def put(log: StreamLog, second: int, text: str = "") -> None:
    log.submit(WriteRequest(rows=log.table([[second * 1_000_000, text]])))


def seconds(log: StreamLog) -> list[int]:
    return [row[0].second for rows in Tail(log).since(None) for row in rows]


def mounted(folder: Path, options: str, command: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell command while `folder` is a new mount."""
    script = f"mount {options} '{folder}' && {command}"
    return subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)


def rowtime(*arguments: str) -> str:
    return " ".join([f"'{sys.executable}' -m rowtime_cli.main", *(f"'{each}'" for each in arguments)])


with_mounts = pytest.mark.skipif(not mounts(), reason="needs the right to mount")


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    folder = tmp_path / "warehouse"
    log = made(folder)
    put(log, 1, "one")
    log.store.close()
    return folder


@with_mounts
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("stream", "list"), None),
        (("stream", "show", "S"), None),
        (("stream", "tail", "S"), None),
        (("pump", "list"), None),
        (("validate", "-e", "SELECT STREAM * FROM s"), None),
        (("explain", "-e", "SELECT STREAM * FROM s"), None),
        (("run", "-e", "SELECT STREAM * FROM s"), "RT0601"),
        (("shell",), "RT0601"),
        (("pump", "run"), "RT0601"),
        (("pump", "start", "P"), "RT0601"),
    ],
)
def test_read_only(warehouse: Path, arguments: tuple[str, ...], code: str | None) -> None:
    done = mounted(
        warehouse, f"--bind -o ro '{warehouse}'", rowtime(*arguments, "--warehouse", str(warehouse)) + " < /dev/null"
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "RT0999" not in said
    if code is None:
        assert done.returncode == 0, said
    else:
        assert done.returncode == 1, said
        assert f"{code}: The warehouse '{warehouse}' cannot be used: its disk is read-only" in said


FILLING = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[2], sys.argv[2] + "/tests/helpers"]
from tests.attack.test_disks import made, put, seconds
from rowtime.errors import RowtimeError
from rowtime.streams.log import StreamLog
log = made(Path(sys.argv[1]) / "warehouse")
taken, codes = [], set()
for second in range(1, 60):
    try:
        put(log, second, str(second) * 3000)
        taken.append(second)
    except RowtimeError as fault:
        codes.add(fault.code)
assert codes == {"RT0608"}, codes
assert 0 < len(taken) < 59
for fill in Path(sys.argv[1]).glob("fill"):
    fill.unlink()
put(log, 60 - 1)
again = StreamLog(log.store, log.store.get("S"))
assert seconds(again) == [*taken, 59], (seconds(again), taken)
print("kept", len(taken))
"""


@with_mounts
def test_full(tmp_path: Path) -> None:
    """Each INSERT is in the log or was refused; once there is space, the next one is accepted."""
    root = Path(__file__).parents[2]
    command = f"head -c 600000 /dev/zero > '{tmp_path}/fill'; '{sys.executable}' -c '{FILLING}' '{tmp_path}' '{root}'"
    done = mounted(tmp_path, "-t tmpfs -o size=1m tmpfs", command)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kept ")


@with_mounts
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("stream", "list"), None),
        (("stream", "tail", "S"), None),
        (("pump", "list"), None),
        (("validate", "-e", "SELECT STREAM * FROM s"), None),
        (("run", "-e", 'INSERT INTO s VALUES (TIMESTAMP "2026-01-01 00:00:00", "x")'), "RT0608"),
        (("shell",), "RT0608"),
        (("pump", "run"), "RT0608"),
        (("pump", "start", "P"), "RT0608"),
    ],
    ids=lambda given: " ".join(given[:2]) if isinstance(given, tuple) else str(given),
)
def test_full_at_each_door(warehouse: Path, tmp_path: Path, arguments: tuple[str, ...], code: str | None) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    there = disk / warehouse.name
    # Words in single quotes are the shell's.
    words = [word.replace('"', "'\\''") for word in arguments]
    command = " && ".join(
        (
            f"cp -r '{warehouse}' '{disk}'",
            f"(head -c 2000000 /dev/zero > '{disk}/fill' || true)",
            f"{rowtime(*words, '--warehouse', str(there))} < /dev/null",
        )
    )
    done = mounted(disk, "-t tmpfs -o size=1m tmpfs", command)
    said = done.stdout + done.stderr.replace("head: error writing 'standard output': No space left on device\n", "")
    assert "Traceback" not in said
    if code is None:
        assert done.returncode == 0, said
        assert not done.stderr.startswith("error"), said
    else:
        assert done.returncode == 1, said
        assert f"{code}: The warehouse '{there}' cannot be written: no space is left on the disk" in said


PUMPING = """
import secrets, sys, time
from pathlib import Path
import rowtime
from rowtime.errors import RowtimeError
root = Path(sys.argv[1])
rt = rowtime.connect(warehouse=root / "warehouse")
rt.sql("CREATE STREAM s (n VARCHAR) OPTIONS (history \'all\')")
rt.sql("CREATE STREAM copied (n INT) OPTIONS (history \'all\')")
rt.sql("CREATE PUMP p STARTED AS INSERT INTO copied SELECT STREAM rowtime, CHAR_LENGTH(n) FROM s")
taken, codes = 0, set()
for second in range(1, 50):
    try:
        rt.sql(f"INSERT INTO s VALUES (TIMESTAMP \'2026-01-01 00:00:{second:02}\', \'{secrets.token_hex(30000)}\')")
        taken += 1
    except RowtimeError as fault:
        codes.add(fault.code)
assert codes == {"RT0608"}, codes
time.sleep(3)
(root / "fill").unlink()
rt.sql("INSERT INTO s VALUES (TIMESTAMP \'2026-01-01 00:01:00\', \'end\')")
deadline = time.monotonic() + 240
while rt.log("COPIED").state().entered < taken + 1:
    assert time.monotonic() < deadline, (rt.log("COPIED").state().entered, taken, rt.pumps)
    time.sleep(0.2)
assert rt.log("S").state().entered == taken + 1
while rt.pumps[0].error is not None:
    # Its rows are there a moment before the micro-batch has ended.
    assert time.monotonic() < deadline, rt.pumps
    time.sleep(0.2)
rt.close()
print("kept", taken)
"""


@with_mounts
def test_a_pump_on_a_full_disk(tmp_path: Path) -> None:
    """A pump that cannot write continues by itself when there is space, and has each row once."""
    script = PUMPING.replace("'", "'\\''")
    command = f"head -c 3500000 /dev/zero > '{tmp_path}/fill'; '{sys.executable}' -c '{script}' '{tmp_path}'"
    done = mounted(tmp_path, "-t tmpfs -o size=5m tmpfs", command)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "kept " in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("pump", "run"),
        ("run", "--follow", "-e", "SELECT 1 AS n; SELECT STREAM n FROM s"),
        ("stream", "tail", "--follow", "S"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_deleted_while_a_door_is_open(warehouse: Path, arguments: tuple[str, ...]) -> None:
    """A command that runs indefinitely ends with a message and an exit code that a supervisor sees."""
    command = [sys.executable, "-m", "rowtime_cli.main", *arguments, "--warehouse", str(warehouse)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as door:
        assert door.stdout is not None
        guard = threading.Timer(90, door.kill)
        guard.start()
        try:
            # The first line means that it is open.
            said = door.stdout.readline()
            # Immediately: files are written meanwhile.
            os.rename(warehouse, warehouse.with_name("away"))
            said += door.stdout.read()
            door.wait(30)
        finally:
            guard.cancel()
            door.kill()
    assert door.returncode == 1
    assert f"RT0609: The warehouse '{warehouse}' was deleted" in said
    assert not warehouse.exists()


@pytest.mark.parametrize("put_back", [True, False])
def test_deleted_while_in_use(warehouse: Path, put_back: bool) -> None:
    with Store(warehouse) as store:
        entry = store.get("S")
        assert entry is not None
        log = StreamLog(store, entry)
        put(log, 2)
        away = warehouse.with_name("away")
        if put_back:
            os.rename(warehouse, away)
        else:
            shutil.rmtree(warehouse)
        for door in (
            lambda: put(log, 3),
            lambda: store.get("S"),
            lambda: store.set_note("x", "y", 1),
            lambda: store.commit([{"action": "drop", "names": ["S"]}]),
            lambda: log.mark("reader", 60),
            lambda: seconds(log),
        ):
            with pytest.raises(RowtimeError) as caught:
                door()
            assert caught.value.code == "RT0609"
            assert f"'{warehouse}'" in str(caught.value)
        assert not warehouse.exists()
        if put_back:
            os.rename(away, warehouse)
            put(log, 3)
            assert seconds(log) == [1, 2, 3]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_the_shell_remembers_what_it_cannot_write(tmp_path: Path) -> None:
    history = open_history(tmp_path)
    assert isinstance(history, FileHistory)
    history.filename = "/dev/full"
    history.append_string("SELECT 1")
    assert history.get_strings() == ["SELECT 1"]


def test_pumps_end_with_their_warehouse(spark: Any, tmp_path: Path) -> None:
    """In any session, and not only in `pump run`: nobody would ever see what they write."""
    warehouse = tmp_path / "w"
    session = connect(spark, warehouse)
    for statement in (
        "CREATE STREAM a (n INTEGER)",
        "CREATE STREAM b (n INTEGER)",
        "CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM n FROM a",
    ):
        session.sql(statement)
    pumps = session.runtime.pumps
    pumps.check()
    assert len(pumps.running()) == 1
    # Spark would create the folder of a checkpoint that it is just writing.
    session.runtime.settle([])
    os.rename(warehouse, tmp_path / "away")
    eventually(lambda: not pumps.running())
    with pytest.raises(RowtimeError, match=f"RT0609: The warehouse '{warehouse}' was deleted"):
        pumps.check()
    assert not any(thread.name == "rowtime pumps" for thread in threading.enumerate())
    os.rename(tmp_path / "away", warehouse)
    session.close()

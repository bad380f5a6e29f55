"""The JVM ends under a command: the command ends too, with a code and a line that says so."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rowtime.catalog.store import Store

ROWTIME = [sys.executable, "-m", "rowtime_cli.main"]


def children(process: int) -> list[int]:
    """Returns the processes that a process has started, and those that they have started."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *children(int(child))]
    return found


def jvm(process: int) -> int:
    """Returns the JVM of Spark that a process has started."""
    for each in children(process):
        if b"org.apache.spark.deploy.SparkSubmit" in Path(f"/proc/{each}/cmdline").read_bytes():
            return each
    raise AssertionError("no JVM")


def wait_for(read: Callable[[], str], text: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 300
    while text not in read():
        assert process.poll() is None and time.monotonic() < end, read()
        time.sleep(0.1)


LONG = "SELECT COUNT(*) FROM t AS a, t AS b, t AS c, t AS d, t AS e, t AS f WHERE MOD(a.n + b.n + f.n, 7) = 8;"
BEGUN = "VALUES ('has' || ' begun');\n"
TABLE = "CREATE TABLE t (n INTEGER);\nINSERT INTO t SELECT * FROM UNNEST(ARRAY_REPEAT(1, 1000)) AS u(n);\n"
COMMANDS = {
    "serve": (("serve", "--port", "0"), "serving"),
    "pump run": (("pump", "run"), "Running the pumps"),
    "run": (("run", "-e", TABLE + BEGUN + LONG), "has begun"),
    "run --format json": (("run", "--format", "json", "-e", TABLE + BEGUN + LONG), "has begun"),
    "run --follow": (
        ("run", "--follow", "-e", "CREATE STREAM s (n INTEGER);\nSELECT STREAM * FROM s;\n" + BEGUN),
        "has begun",
    ),
}


SHORT = ("serve", "run")
"""The commands of the short form."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_with_its_jvm(tmp_path: Path, name: str, thorough: bool) -> None:
    if not (thorough or name in SHORT):
        pytest.skip("--thorough tries all commands")
    arguments, begun = COMMANDS[name]
    Store(tmp_path / "w").close()
    (tmp_path / "t").mkdir()
    said = tmp_path / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(
            [*ROWTIME, *arguments, "--warehouse", str(tmp_path / "w")],
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"TMPDIR": str(tmp_path / "t")},
        )
    try:
        wait_for(lambda: said.read_text(errors="replace"), begun, process)
        time.sleep(1)
        os.kill(jvm(process.pid), signal.SIGKILL)
        assert process.wait(120) == 1, said.read_text()
    finally:
        process.kill()
    text = said.read_text()
    assert "The Java process of Spark has ended: SIGKILL killed it" in text
    assert re.findall(r"RT\d{4}", text) == ["RT0638"], text
    assert not any(word in text for word in ("Traceback", "Py4J", "py4j", "Exception")), text
    left = [file.name for file in (tmp_path / "t").iterdir() if file.name.startswith("rowtime-")]
    assert not left


@pytest.mark.parametrize("running", [False, True], ids=["prompt", "statement"])
def test_the_shell_ends_with_its_jvm(tmp_path: Path, running: bool, thorough: bool) -> None:
    """The terminal is as it was before."""
    if not (thorough or running):
        pytest.skip("--thorough tries the prompt as well")
    Store(tmp_path / "w").close()
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    process = subprocess.Popen(
        [*ROWTIME, "shell", "--warehouse", str(tmp_path / "w")], stdin=theirs, stdout=theirs, stderr=theirs
    )
    said = bytearray()

    def read() -> str:
        while select.select([ours], [], [], 0)[0]:
            said.extend(os.read(ours, 65_536))
        return said.decode(errors="replace")

    try:
        wait_for(read, "rowtime>", process)
        for line in (*TABLE.splitlines(), BEGUN.strip()):
            os.write(ours, line.encode() + b"\r")
            time.sleep(0.5)
        wait_for(read, "has begun", process)
        if running:
            os.write(ours, LONG.encode() + b"\r")
        time.sleep(2)
        os.kill(jvm(process.pid), signal.SIGKILL)
        end = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < end:
            read()
            time.sleep(0.1)
        assert process.poll() == 1, read()
        assert termios.tcgetattr(theirs) == before
        assert re.findall(r"RT\d{4}", read()) == ["RT0638"], read()
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)


def test_a_statement_of_a_program_says_that_the_jvm_has_ended(tmp_path: Path) -> None:
    program = """
import os, signal, sys
import rowtime
from rowtime.jvm.process import process_of
rt = rowtime.connect(warehouse=sys.argv[1])
rt.sql("CREATE TABLE t (n INTEGER)")
relation = rt.sql("SELECT * FROM t")
os.kill(process_of(rt.spark).pid, signal.SIGKILL)
for use in (relation.tuples, lambda: rt.sql("SELECT * FROM t")):
    try:
        use()
    except rowtime.RowtimeError as fault:
        print(fault.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "w")], check=False, capture_output=True, text=True, timeout=600
    )
    assert done.stdout.split() == ["RT0638", "RT0638"], done.stderr

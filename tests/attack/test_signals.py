"""SIGTERM and Ctrl-C at any moment end a command with its exit code, immediately, without a crash file or a
traceback."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = "CREATE STREAM o (a INTEGER);\n" + "SELECT STREAM a, a + 1 FROM o WHERE a > 3;\n" * 600
COMMANDS = (["validate", "long.sql"], ["explain", "long.sql"], ["fmt", "long.sql"], ["doctor"])
EXITS = {signal.SIGTERM: 143, signal.SIGINT: 130}
MOST = 5.0  # seconds from the signal to the end; some tenths on an idle machine


@pytest.fixture
def started(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    (tmp_path / "long.sql").write_text(SCRIPT)

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "rowtime_cli.main", *arguments]
        return subprocess.Popen(
            command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start


def _end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    process.send_signal(number)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - begin < MOST
    assert "Traceback" not in errors and "Exception" not in errors, errors
    return process.returncode, errors


def test_any_moment(
    started: Callable[..., subprocess.Popen[str]], tmp_path: Path, thorough: bool, figures: Callable[..., None]
) -> None:
    rng = random.Random()
    kills = early = 0
    for _ in range(100 if thorough else 4):
        for number, code in EXITS.items():
            process = started(*rng.choice(COMMANDS))
            # Before Python has begun to run rowtime, rowtime cannot handle Ctrl-C.
            time.sleep(rng.uniform(0.0 if number is signal.SIGTERM else 0.4, 2.0))
            found, _ = _end(process, number)
            kills += 1
            early += found == -number
            # It may have ended by itself, or not have begun.
            assert found in (code, 0, 1) or (found == -number), found
    assert not list(tmp_path.glob("hs_err*")) and not list(tmp_path.glob("core*"))
    figures(kills=kills, before_rowtime_had_begun=early)


@pytest.mark.parametrize("number", EXITS)
def test_while_the_jvm_plans(started: Callable[..., subprocess.Popen[str]], tmp_path: Path, number: Any) -> None:
    # One statement, so that Python's main thread waits for the JVM all the time.
    columns = ", ".join(f"a + {n} AS c{n}" for n in range(3_000))
    query = f"SELECT {columns} FROM t"
    for level in range(6):
        query = f"SELECT q{level}.* FROM ({query}) AS q{level}"
    (tmp_path / "long.sql").write_text(f"CREATE TABLE t (a INTEGER);\n{query};\n" * 20)
    process = started("validate", "long.sql")
    time.sleep(4.0)
    assert process.poll() is None, "it should still be planning"
    found, errors = _end(process, number)
    assert (found, errors) == (EXITS[number], "")
    assert not list(tmp_path.glob("hs_err*"))


def test_while_it_waits_for_its_input(started: Callable[..., subprocess.Popen[str]]) -> None:
    for number, code in EXITS.items():
        process = started("validate", "-")
        time.sleep(2.0)
        assert _end(process, number) == (code, "")

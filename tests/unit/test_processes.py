"""What is said of a process that has ended: that it has, and not how it would go on."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from queries import eventually

from rowtime import locks
from rowtime.errors import RowtimeError
from rowtime.processes import has_ended, process_name

_NAMED = "from rowtime.processes import process_name; print(process_name(), flush=True); input()"


@contextmanager
def killed() -> Iterator[str]:
    """Yields the name of a process that was killed, and whose parent has not taken notice."""
    process = subprocess.Popen([sys.executable, "-c", _NAMED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdin is not None
    try:
        name = process.stdout.readline().strip()
        assert not has_ended(name)
        process.kill()
        yield name
    finally:
        process.wait()
        process.stdout.close()
        process.stdin.close()


def test_a_process_that_was_killed_has_ended() -> None:
    with killed() as name:
        eventually(lambda: has_ended(name))
    assert has_ended(name)
    assert not has_ended(process_name())
    # The number of this process, at another time.
    assert has_ended(process_name().rpartition("-")[0] + "-1")
    assert not has_ended("elsewhere-1-1")


def test_nobody_is_told_to_let_a_process_continue_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that it has started may still hold its lock."""
    monkeypatch.setenv(locks.SETTING, "0")
    path = tmp_path / "lock"
    with killed() as name, path.open("w+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        eventually(lambda: has_ended(name))
        for owner, named in ((process_name(), True), (name, False)):
            monkeypatch.setattr(locks, "process_name", lambda owner=owner: owner)
            locks.write_holder(file.fileno())
            with pytest.raises(RowtimeError) as caught, locks.locked(path, "the warehouse", locks.WaitControl()):
                raise AssertionError("the lock is held")
            (found,) = caught.value.diagnostics
            assert ("kill -CONT" in str(found.hint)) == named
            assert (f"locked by process {os.getpid()} on" in found.message) == named

"""Whose a folder is, and what becomes of it when its process has died."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest

from rowtime.locks import is_free
from rowtime.runtime.launch.folders import Lock, QueryFolder, sweep

HOLDER = """
import sys, time
from pathlib import Path
from rowtime.runtime.launch.folders import QueryFolder
print(QueryFolder(Path(sys.argv[1])).path, flush=True)
time.sleep(600)
"""


def test_one_at_a_time_also_within_a_process(tmp_path: Path) -> None:
    first, second = Lock(tmp_path / "p" / "lock"), Lock(tmp_path / "p" / "lock")
    assert is_free(tmp_path / "p" / "lock")
    assert (first.acquire(), second.acquire()) == (True, False)
    first.write("12")
    assert ((tmp_path / "p" / "lock").read_text(), is_free(tmp_path / "p" / "lock")) == ("12", False)
    first.release()
    assert (is_free(tmp_path / "p" / "lock"), second.acquire()) == (True, True)


def test_only_what_dead_processes_have_left_is_swept(tmp_path: Path) -> None:
    own = QueryFolder(tmp_path)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    other = Path(holder.stdout.readline().strip())
    assert (sweep(tmp_path), own.path.is_dir(), other.is_dir()) == (0, True, True)
    holder.kill()
    holder.communicate()
    appearing = tmp_path / "queries" / f"{'a' * 32}.new"
    appearing.mkdir()
    assert (sweep(tmp_path), own.path.is_dir(), other.exists(), appearing.is_dir()) == (1, True, False, True)
    os.utime(appearing, (time.time() - 3600, time.time() - 3600))
    own.remove()
    assert sweep(tmp_path) == 1
    assert list((tmp_path / "queries").iterdir()) == []


def test_a_lock_that_the_jvm_refuses_is_free_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> object:
        raise ConnectionError("the JVM has died")

    monkeypatch.setattr("rowtime.runtime.launch.folders._jvm_lock", refuse)
    lock = Lock(tmp_path / "p" / "lock")
    with pytest.raises(ConnectionError):
        lock.acquire(cast(Any, object()))
    assert (lock.is_held, is_free(tmp_path / "p" / "lock")) == (False, True)

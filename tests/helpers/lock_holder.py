"""A process that is suspended while it holds the lock of a catalog or of a stream's log."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HOLDER = """
import sys, time
from rowtime.catalog.store import Store
from rowtime.streams.log import StreamLog
store = Store(sys.argv[1])
with StreamLog(store, store.get("S")).exclusive() if sys.argv[2] == "log" else store.transaction():
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def suspended_holder(warehouse: Path, which: str) -> Iterator[int]:
    """Starts a process that holds the lock and is suspended; yields its id. `which`: `catalog`, or `log`, that of
    stream S."""
    command = [sys.executable, "-c", _HOLDER, str(warehouse), which]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "held\n"
        process.send_signal(signal.SIGSTOP)
        yield process.pid
    finally:
        process.kill()
        process.wait()

"""Locks on files, across threads and processes. A waiting process says what it waits for, can be interrupted, and gives
up.

The holder of a lock writes its name into the file. A process that is stopped (SIGSTOP, a suspended container) keeps its
locks, and others would wait indefinitely without a message. So a waiting process says after a few seconds what it waits
for, and raises RT0604 after ROWTIME_LOCK_TIMEOUT seconds (default: 60).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from rowtime.decoding import Decoder
from rowtime.errors import RowtimeError, error
from rowtime.processes import has_ended, process_name

SETTING = "ROWTIME_LOCK_TIMEOUT"
TIMEOUT = 60.0
"""Seconds that a process waits for a lock, unless the environment sets another value."""
NOTICE_AFTER = 3.0
"""Seconds after which a process says what it waits for."""
LEAVING = 1.0
"""Seconds that a session waits for locks in total while it is being closed."""
_LEAST = 0.2
"""Seconds that each of these waits lasts at least."""

_PAUSES = ((0.05, 0.0005), (2.0, 0.005), (float("inf"), 0.05))
"""Seconds between two attempts, by the seconds waited so far."""

_logger = logging.getLogger("rowtime")


class Holder(msgspec.Struct, frozen=True):
    """The holder of a lock: process, host, its command, the time since which it holds the lock (seconds since 1970),
    and the name of the process (None: an earlier version of rowtime)."""

    pid: int
    host: str
    command: str
    since: float
    name: str | None = None

    def __str__(self) -> str:
        when = dt.datetime.fromtimestamp(self.since, dt.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        return f"process {self.pid} on {self.host} ({self.command}), since {when} UTC"


_holders = Decoder(Holder)


on_wait: Callable[[str], None] = _logger.warning
"""Tells the user that this process is waiting. The command line replaces it."""

_thread = threading.local()


def wait_silently() -> None:
    """Stops this thread from reporting its waits: nobody waits for its work, and Ctrl-C would not end it."""
    _thread.silent = True


def timeout() -> float:
    """Returns the seconds that a process waits for a lock. Raises RowtimeError RT0606 if the environment does not
    contain a number."""
    text = os.environ.get(SETTING, "").strip()
    try:
        found = float(text) if text else TIMEOUT
    except ValueError:
        found = -1.0
    if not 0 <= found <= 86_400 * 365:
        raise error("RT0606", f"{SETTING} is '{text}', not a number of seconds", hint=f"export {SETTING}=60")
    return found


class WaitControl:
    """Limits the waits of one owner, such as a session. Any thread may end them."""

    def __init__(self) -> None:
        self._interrupted: float | None = None
        self._left: float | None = None

    def interrupt(self) -> None:
        """Ends all current waits."""
        self._interrupted = time.monotonic()

    def leave(self) -> None:
        """Ends all waits soon, now and later: the owner is being closed."""
        if self._left is None:
            self._left = time.monotonic()

    def is_over(self, begin: float, now: float) -> bool:
        """Returns whether a wait that began at `begin` must end."""
        if self._interrupted is not None and begin <= self._interrupted:
            return True
        return self._left is not None and now - self._left >= LEAVING and now - begin >= _LEAST


class Wait:
    """One wait for a lock, `what` in words."""

    def __init__(self, what: str, holder: Callable[[], Holder | None], wait_control: WaitControl) -> None:
        self._what = what
        self._holder = holder
        self._wait_control = wait_control
        self._begin = time.monotonic()
        self._limit = timeout()
        self._notified = False

    def pause(self) -> None:
        """Pauses before the next attempt. Raises RowtimeError RT0604 if the wait has taken too long."""
        waited = self.check()
        time.sleep(min(next(pause for until, pause in _PAUSES if waited < until), max(self._limit - waited, 0.0)))

    def check(self) -> float:
        """Returns the seconds waited so far. Raises as `pause`."""
        now = time.monotonic()
        waited = now - self._begin
        if waited >= self._limit or self._wait_control.is_over(self._begin, now):
            raise _busy(self._what, self._holder(), waited)
        if waited >= NOTICE_AFTER and not self._notified and not getattr(_thread, "silent", False):
            self._notified = True
            on_wait(f"Waiting for {self._what}, held by {self._holder() or 'another process'}; Ctrl-C cancels")
        return waited


def _busy(what: str, holder: Holder | None, waited: float) -> RowtimeError:
    who, stopped = "another process", ""
    if holder is not None:
        # Only of a process that has not ended.
        who, stopped = str(holder), "A stopped process continues with kill -CONT. "
    return error(
        "RT0604",
        f"{what[0].upper()}{what[1:]} is locked by {who}; waited for {waited:.0f} seconds, and nothing was changed",
        hint=f"Wait until that process has finished, or end it, and try again. {stopped}{SETTING} sets how many "
        "seconds to wait",
    )


@contextlib.contextmanager
def locked(path: Path, what: str, wait_control: WaitControl) -> Iterator[None]:
    """Holds the lock of a file, and creates the file if it is missing. Raises FileNotFoundError if there is no folder,
    and RowtimeError RT0604 if others hold the lock for too long."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _try_lock(descriptor):
            wait = Wait(what, lambda: holder(path), wait_control)
            while not _try_lock(descriptor):
                wait.pause()
        write_holder(descriptor)
        yield
        # The next holder may not have written its name yet.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def is_free(file: Path) -> bool:
    """Returns whether no process holds the lock on the file."""
    with locked_if_free(file) as free:
        return free


@contextlib.contextmanager
def locked_if_free(file: Path) -> Iterator[bool]:
    """Holds the lock of a file unless another process holds it; yields whether it was free. A file that does not exist
    is free."""
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        yield True
        return
    try:
        try:
            free = _try_lock(descriptor)
        except OSError:
            free = False
        yield free
    finally:
        os.close(descriptor)


def write_holder(descriptor: int) -> None:
    """Writes into the open file of a lock that this process holds it."""
    # Only messages use this, so a full disk is no reason to fail.
    with contextlib.suppress(OSError):
        this = Holder(os.getpid(), socket.gethostname(), _command(), time.time(), process_name())
        text = msgspec.json.encode(this)
        os.pwrite(descriptor, text, 0)
        os.ftruncate(descriptor, len(text))


def holder(path: Path) -> Holder | None:
    """Returns the holder of the lock of a file, if the file names one and that process has not ended. Otherwise a
    process may hold it that the named one has started, or one that has not written its name yet."""
    try:
        found = _holders.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    if found.name is not None:
        return None if has_ended(found.name) else found
    if found.host == socket.gethostname():
        try:
            os.kill(found.pid, 0)
        except ProcessLookupError:
            return None
        except OSError:
            pass
    return found


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _command() -> str:
    """Returns the command line, without arguments that may contain SQL, file names or secrets."""
    words = [os.path.basename(sys.argv[0]) or "python", *[word for word in sys.argv[1:3] if word.isalpha()]]
    return " ".join(words)

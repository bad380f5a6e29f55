"""Locks over all threads and processes, kept by a file: who waits says for whom, can be interrupted, and gives up.

Whoever holds a lock writes into its file who it is. A process that is stopped (SIGSTOP, a suspended container) keeps
its locks, and others would wait for it for ever without a word. So a waiting process says after a few seconds whom it
waits for, and raises RT0604 after ROWTIME_LOCK_TIMEOUT seconds (default: 60).
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

SETTING = "ROWTIME_LOCK_TIMEOUT"
TIMEOUT = 60.0
"""Seconds that a writer waits for another, unless the environment says otherwise."""
PATIENCE = 3.0
"""Seconds after which a process says for whom it waits."""
LEAVING = 1.0
"""Seconds that a session waits for locks once it is being closed, all waits together."""
_LEAST = 0.2
"""Seconds that each of these waits has even so."""

_PAUSES = ((0.05, 0.0005), (2.0, 0.005), (float("inf"), 0.05))
"""How long it pauses between two looks, until it has waited for so many seconds."""

_logger = logging.getLogger("rowtime")


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lock: process, host, its command, and since when (seconds since 1970)."""

    pid: int
    host: str
    command: str
    since: float

    def __str__(self) -> str:
        when = dt.datetime.fromtimestamp(self.since, dt.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        return f"process {self.pid} on {self.host} ({self.command}), since {when} UTC"


_holders = Decoder(Holder)


on_wait: Callable[[str], None] = _logger.warning
"""Tells the user that this process waits. The command line has a way of its own."""

_thread = threading.local()


def wait_unseen() -> None:
    """From now on this thread says nothing of its waits: nobody waits for what it does, and Ctrl-C would not end it."""
    _thread.unseen = True


def timeout() -> float:
    """Seconds that a lock is waited for. Raises RowtimeError RT0606 where the environment says what is not a number."""
    text = os.environ.get(SETTING, "").strip()
    try:
        found = float(text) if text else TIMEOUT
    except ValueError:
        found = -1.0
    if not 0 <= found <= 86_400 * 365:
        raise error("RT0606", f"{SETTING} is '{text}', not a number of seconds", hint=f"export {SETTING}=60")
    return found


class Patience:
    """How long the waits of one owner, such as a session, may last. Any thread may end them."""

    def __init__(self) -> None:
        self._interrupted: float | None = None
        self._left: float | None = None

    def interrupt(self) -> None:
        """Ends the waits that have begun."""
        self._interrupted = time.monotonic()

    def leave(self) -> None:
        """The owner is about to end: no wait, now or later, is to keep it."""
        if self._left is None:
            self._left = time.monotonic()

    def is_over(self, begin: float, now: float) -> bool:
        """Whether a wait that began at `begin` is to end."""
        if self._interrupted is not None and begin <= self._interrupted:
            return True
        return self._left is not None and now - self._left >= LEAVING and now - begin >= _LEAST


class Wait:
    """One wait for a lock, `what` in words."""

    def __init__(self, what: str, holder: Callable[[], Holder | None], patience: Patience) -> None:
        self._what = what
        self._holder = holder
        self._patience = patience
        self._begin = time.monotonic()
        self._limit = timeout()
        self._told = False

    def pause(self) -> None:
        """Waits a little before the next try. Raises RowtimeError RT0604 where it has waited for too long."""
        waited = self.check()
        time.sleep(min(next(pause for until, pause in _PAUSES if waited < until), max(self._limit - waited, 0.0)))

    def check(self) -> float:
        """The seconds that it has waited so far. Raises as `pause`."""
        now = time.monotonic()
        waited = now - self._begin
        if waited >= self._limit or self._patience.is_over(self._begin, now):
            raise _busy(self._what, self._holder(), waited)
        if waited >= PATIENCE and not self._told and not getattr(_thread, "unseen", False):
            self._told = True
            on_wait(f"Waiting for {self._what}, held by {self._holder() or 'another process'}; Ctrl-C ends the waiting")
        return waited


def _busy(what: str, holder: Holder | None, waited: float) -> RowtimeError:
    who = "another process" if holder is None else str(holder)
    return error(
        "RT0604",
        f"{what[0].upper()}{what[1:]} is locked by {who}; waited for {waited:.0f} seconds, and nothing was changed",
        hint="Wait until that process has finished, or end it, and try again: one that is stopped goes on with "
        f"kill -CONT. {SETTING} says how many seconds to wait",
    )


@contextlib.contextmanager
def locked(path: Path, what: str, patience: Patience) -> Iterator[None]:
    """Holds the lock of a file, which is made where it is missing. Raises FileNotFoundError where it has no folder, and
    RowtimeError RT0604 where others keep it for too long."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _taken(descriptor):
            wait = Wait(what, lambda: holder(path), patience)
            while not _taken(descriptor):
                wait.pause()
        sign(descriptor)
        yield
        # Blank: nobody is to be blamed for what another does now.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def sign(descriptor: int) -> None:
    """Writes into the open file of a lock that this process holds it."""
    # A full disk is no reason to fail: nobody needs this to be right.
    with contextlib.suppress(OSError):
        text = msgspec.json.encode(Holder(os.getpid(), socket.gethostname(), _command(), time.time()))
        os.pwrite(descriptor, text, 0)
        os.ftruncate(descriptor, len(text))


def holder(path: Path) -> Holder | None:
    """Who holds the lock of a file, as far as its file tells and that process is still there."""
    try:
        found = _holders.decode(path.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    if found.host == socket.gethostname():
        try:
            os.kill(found.pid, 0)
        except ProcessLookupError:
            return None
        except OSError:
            pass
    return found


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _command() -> str:
    """The command line, without what may be in its arguments: SQL, names of files, secrets."""
    words = [os.path.basename(sys.argv[0]) or "python", *[word for word in sys.argv[1:3] if word.isalpha()]]
    return " ".join(words)

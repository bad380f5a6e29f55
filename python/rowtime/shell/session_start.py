"""The session of a shell: Spark starts in the background while the first statement is typed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rowtime.errors import Diagnostic, RowtimeError
from rowtime.session import Session


class SessionStart:
    """Opens a session in its own thread, which calls `done` when the session is open or has failed to open.

    `fault` is the reason for a failure; `diagnose` turns the exception into diagnostics.
    """

    def __init__(
        self,
        connect: Callable[[], Session],
        diagnose: Callable[[BaseException], list[Diagnostic]],
        done: Callable[[], None],
    ) -> None:
        self.session: Session | None = None
        self.fault: RowtimeError | None = None
        self._connect = connect
        self._diagnose = diagnose
        self._done = done
        self._over = threading.Event()
        self._since = time.monotonic()
        # A daemon: a user who leaves the shell immediately need not wait for Spark.
        threading.Thread(target=self._run, name="rowtime starting", daemon=True).start()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._since

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until the session is open or has failed to open. Returns whether it is over."""
        return self._over.wait(seconds)

    def _run(self) -> None:
        try:
            self.session = self._connect()
        except Exception as fault:
            self.fault = RowtimeError(self._diagnose(fault))
        self._over.set()
        self._done()

"""Cancels the Spark jobs of a statement."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError, error

if TYPE_CHECKING:
    from pyspark import SparkContext

_AGAIN = 0.05
_MOST = 30.0
"""Seconds."""


class Cancellation:
    """The jobs that one execution of a statement starts in its thread, so that other threads can cancel them."""

    def __init__(self, context: SparkContext) -> None:
        self._context = context
        self._tag = f"rowtime-{uuid.uuid4().hex}"
        self._ended = threading.Event()
        self._wanted = False

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Makes the work inside the block cancellable. Raises RowtimeError RT0649 if it was cancelled."""
        self._context.addJobTag(self._tag)
        self._context.setInterruptOnCancel(True)
        try:
            yield
        except Exception as fault:
            if self._wanted:
                raise self._cancelled_error() from fault
            raise
        finally:
            self._ended.set()
            self._context.removeJobTag(self._tag)
            self._context.setInterruptOnCancel(False)
        if self._wanted:
            raise self._cancelled_error()

    def cancel(self) -> None:
        """Cancels its jobs until the execution has ended: it may be between two jobs."""
        self._wanted = True
        until = time.monotonic() + _MOST
        while not self._ended.is_set() and time.monotonic() < until:
            self._context.cancelJobsWithTag(self._tag)
            self._ended.wait(_AGAIN)

    @staticmethod
    def _cancelled_error() -> RowtimeError:
        return error("RT0649", "The statement was cancelled")

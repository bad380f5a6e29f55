"""Prints everything above the prompt while one is shown, and otherwise directly to the terminal.

prompt-toolkit's own `patch_stdout` writes from a thread that does not know when a prompt begins or ends: it may write
into a prompt, or lose text that arrives while one ends. Here, text that was not shown above a prompt follows it.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.output import Output

_BUNDLE = 0.05
"""Seconds for which lines are collected, so that the prompt is not redrawn for each."""


class Screen(io.TextIOBase):
    """A text stream for any thread. Shows whole lines; while a prompt is shown, text without a line end waits for
    one."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._lock = threading.RLock()
        self._pending = ""
        self._app: Application[Any] | None = None
        self._context = contextvars.copy_context()
        self._scheduled = False

    @contextlib.contextmanager
    def in_place_of_stdout(self) -> Iterator[None]:
        with contextlib.redirect_stdout(self), contextlib.redirect_stderr(self):
            yield

    @contextlib.contextmanager
    def prompting(self, app: Application[Any]) -> Iterator[Callable[[], None]]:
        """Encloses a prompt. Yields the function that the prompt must call when its application has begun to run."""
        self._context = contextvars.copy_context()
        with self._lock:
            self._app = app
        try:
            yield self._show
        finally:
            with self._lock:
                self._app = None
                self._scheduled = False
                self._drain(len(self._pending))

    def write(self, text: str) -> int:
        with self._lock:
            self._pending += text
            if self._app is None:
                self._drain(len(self._pending))
            else:
                self._show()
        return len(text)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._output.stdout is not None and self._output.stdout.isatty()

    def fileno(self) -> int:
        return self._output.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._output.encoding()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Shows the waiting text above the prompt."""
        with self._lock:
            loop = None if self._app is None else self._app.loop
            if loop is None or self._scheduled or "\n" not in self._pending:
                return
            # A loop that has just ended accepts nothing any more; then the waiting text follows the prompt.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._soon, context=self._context)
                self._scheduled = True

    def _soon(self) -> None:
        asyncio.get_running_loop().call_later(_BUNDLE, self._above, context=self._context)

    def _above(self) -> None:
        run_in_terminal(self._whole_lines)

    def _whole_lines(self) -> None:
        with self._lock:
            self._scheduled = False
            self._drain(self._pending.rfind("\n") + 1)

    def _drain(self, count: int) -> None:
        text, self._pending = self._pending[:count], self._pending[count:]
        if text:
            self._output.enable_autowrap()
            self._output.write_raw(text)
            self._output.flush()

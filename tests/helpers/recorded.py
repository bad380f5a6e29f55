"""Records the output of a script for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rowtime.display.printers import Columns
from rowtime.errors import Diagnostic


@dataclass
class Recorder:
    """A printer that records rows; nothing may be rejected or refused."""

    found: list[tuple[Any, ...]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        self.found += rows

    def ended(self, query: int, count: int) -> None: ...

    def answer(self, kind: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None: ...

    def changed(self, told: str) -> None: ...

    def rejected(self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], *reason: str | None) -> None:
        self.errors.append(f"{row} is {reason}")

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.errors += [d.message for d in diagnostics if d.is_error]

    def take(self) -> list[tuple[Any, ...]]:
        taken, self.found = self.found, []
        return taken

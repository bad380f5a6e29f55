"""Clock steps: how the bound of a node's ROWTIME follows from the bound of its sources.

A node's `clock` is a list of steps, applied left to right to the least bound of its sources; no step is the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

CalendarUnit = Literal["MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM"]


class Shift(msgspec.Struct, tag_field="fn", tag="SHIFT", forbid_unknown_fields=True, frozen=True):
    """Moves the bound by `millis`, which may be negative."""

    millis: int


class _Rounding(msgspec.Struct, tag_field="fn", forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """Either `millis` or `unit` is set: `millis` is the length of a window, one of which begins at `offset` (ms since
    the epoch); `unit` is a unit of the calendar, whose length varies."""

    millis: int | None = None
    offset: int = 0
    unit: CalendarUnit | None = None

    def __post_init__(self) -> None:
        if (self.millis is None) == (self.unit is None):
            raise ValueError("a clock step rounds either to millis or to a unit")
        if self.millis is not None and self.millis <= 0:
            raise ValueError("a clock step rounds to a positive number of millis")


class Floor(_Rounding, tag="FLOOR", frozen=True):
    """Moves the bound back to the beginning of its window."""


class Ceil(_Rounding, tag="CEIL", frozen=True):
    """Moves the bound up to the end of its window; a bound at the beginning of one stays."""


class Local(msgspec.Struct, tag_field="fn", tag="LOCAL", forbid_unknown_fields=True, frozen=True):
    """Maps the bound to local times in the time `zone`: to the least time that its clocks show from then on. They are
    occasionally set back."""

    zone: str


ClockStep = Shift | Floor | Ceil | Local


def clock_text(clock: Sequence[ClockStep]) -> str:
    """Returns a clock as Java reads it (`io.rowtime.operator.spec.BoundClock`), which alone knows what the steps do."""
    return msgspec.json.encode(clock).decode()

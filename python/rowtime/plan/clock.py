"""Clock steps: how the bound of a node's ROWTIME follows from the bound of its sources.

A node's `clock` is a list of steps, applied left to right to the least bound of its sources; no step is the identity.
"""

from __future__ import annotations

from typing import Literal

import msgspec

CalendarUnit = Literal["MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM"]


class Shift(msgspec.Struct, tag_field="fn", tag="SHIFT", forbid_unknown_fields=True, frozen=True):
    """The bound moves by `millis` (may be negative)."""

    millis: int


class _Rounding(msgspec.Struct, tag_field="fn", forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """Either `millis` (the length of a window; `offset`, in ms since the epoch, is where one of them begins) or `unit`
    (a unit of the calendar, whose length varies) is set."""

    millis: int | None = None
    offset: int = 0
    unit: CalendarUnit | None = None

    def __post_init__(self) -> None:
        if (self.millis is None) == (self.unit is None):
            raise ValueError("a clock step rounds either to millis or to a unit")
        if self.millis is not None and self.millis <= 0:
            raise ValueError("a clock step rounds to a positive number of millis")


class Floor(_Rounding, tag="FLOOR", frozen=True):
    """The bound falls back to the beginning of its window."""


class Ceil(_Rounding, tag="CEIL", frozen=True):
    """The bound goes up to the end of its window; where it is the beginning of one, it stays."""


ClockStep = Shift | Floor | Ceil

"""Times given as numbers, in bulk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import overload

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.types.times import GREATEST, LEAST, is_valid, text, to_datetime


class Millis(Sequence["dt.datetime | str | None"]):
    """Values of a column in milliseconds since 1970, None for NULL. As a sequence they are datetimes in UTC without a
    time zone (text outside the years 1 to 9999), each created on access."""

    def __init__(self, numbers: Sequence[int | None]) -> None:
        self._numbers = numbers

    def array(self, wanted: pa.DataType) -> pa.Array | None:
        """Returns all values as an array of this type of timestamps. None if one of them is out of range."""
        try:
            found = pa.array(self._numbers, pa.timestamp("ms", "UTC"))
        except (pa.ArrowException, OverflowError, TypeError):
            return None
        span = pc.min_max(found.cast(pa.int64())).as_py()
        if span["min"] is not None and not LEAST <= span["min"] <= span["max"] <= GREATEST:
            return None
        return found.cast(wanted)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> dt.datetime | str | None: ...

    @overload
    def __getitem__(self, index: slice) -> Millis: ...

    def __getitem__(self, index: int | slice) -> dt.datetime | str | Millis | None:
        if isinstance(index, slice):
            return Millis(self._numbers[index])
        number = self._numbers[index]
        if number is None:
            return None
        return to_datetime(number) if is_valid(number) else text(number)

"""The formats in which a warehouse stores its parts. `formats.json` has their numbers, for the schema in Java too.

The catalog records the number of each part, and the version of rowtime that wrote it. A part whose format changes gets
the next number: an earlier version of rowtime then refuses the warehouse, and a later one reads the old format, or
migrates it when it opens the warehouse. The layout of the state of operators is not among them: the signature of each
pump has its number, so a change of it concerns only the pumps that have such state.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec

from rowtime.decoding import Decoder
from rowtime.version import __version__


class Format(msgspec.Struct, frozen=True):
    """A part of a warehouse, the number of its newest format, and what it consists of."""

    part: str
    number: int
    what: str


class Written(NamedTuple):
    """The format in which a warehouse has a part, and the version of rowtime that wrote it last; None if that is not
    recorded."""

    number: int
    version: str | None


FORMATS = Decoder(list[Format]).decode(Path(__file__).with_name("formats.json").read_bytes())
NUMBERS = {each.part: each.number for each in FORMATS}


def current() -> dict[str, Written]:
    """Returns the formats that this version of rowtime writes, by part."""
    return {part: Written(number, __version__) for part, number in NUMBERS.items()}


def newer(written: dict[str, Written]) -> str | None:
    """Returns the first part that this version of rowtime cannot read; None if it can read all."""
    return next((part for part, found in written.items() if found.number > NUMBERS.get(part, 0)), None)

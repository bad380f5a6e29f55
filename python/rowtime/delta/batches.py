"""Micro-batches as targets record them: by their number, and by what they were made of.

The number alone does not say that two batches have the same rows. If a checkpoint is restored from a backup, or a
warehouse is copied, Spark plans the next batches again, with other rows. So a target also records a number for the
content: the hash of the offsets that Spark stores before it runs a batch. They contain the position in each source, the
watermark, and the time at which the batch was planned. A batch that Spark repeats after a crash has the same ones, and
no other batch has.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from rowtime.decoding import Decoder
from rowtime.delta.commits import content_checksum
from rowtime.errors import RowtimeError, error

CONTENT = "#content"
"""What is appended to the name of a sender where a target records contents beside numbers."""
TAKEN = "#taken"
"""The same for the number of changes that a batch has made."""


@dataclass(frozen=True, slots=True)
class SentBatch:
    """A micro-batch of a sender: its number, and a number of its content (63 bits; None: unknown, as for batches of
    earlier builds)."""

    number: int
    content: int | None = None


@dataclass(frozen=True, slots=True)
class LastBatch:
    """What a target says about the last micro-batch of a sender: `batch`, None if it has none. If not `is_known`, the
    target may have a later one; if not `can_tell`, it never knows."""

    batch: SentBatch | None = None
    is_known: bool = True
    can_tell: bool = True


def is_repeated(batch: SentBatch, last: SentBatch | None, target: str) -> bool:
    """Returns whether a target, whose last batch of a sender is `last`, has a batch already. Raises RowtimeError RT0607
    if what it has is another batch of that number, or a later one, which no batch that Spark repeats can be."""
    if last is None or batch.number > last.number:
        return False
    if batch.content is not None and (batch.number < last.number or last.content not in (None, batch.content)):
        raise other_batch(batch, target)
    return True


def other_batch(batch: SentBatch, target: str) -> RowtimeError:
    """Returns the error for a batch in whose place a target has another one."""
    return error(
        "RT0607",
        f"Micro-batch {within_generation(batch.number)} cannot be written: {target} already has another one of that "
        "number, or a later one, from a checkpoint other than this",
        hint="Is a copy of the warehouse running, or was its checkpoint restored from a backup? Run only the warehouse "
        "that has written to the target last; ALTER PUMP … START RESET DROP STATE starts with rows that arrive then",
    )


GENERATION = 1 << 40
"""START RESET of a pump restarts the numbers of micro-batches at 0, but not the numbers that targets see."""


def within_generation(number: int) -> int:
    """Returns the number that Spark gives to a batch, from that which targets see."""
    return number % GENERATION


class RowCounts(NamedTuple):
    """The rows that a target has taken from a sender, and those that it has rejected as late."""

    taken: int = 0
    rejected: int = 0


class _Record(msgspec.Struct, frozen=True):
    target: str
    number: int
    content: int | None
    taken: int = 0
    rejected: int = 0


_RECORDS = Decoder(_Record)
_WIDTH = 200


class WrittenBatches:
    """The record of the last micro-batch that a sender has written into a target, in a file of the sender's."""

    def __init__(self, path: Path, target: str) -> None:
        self._path = path
        self._target = target

    @property
    def last(self) -> SentBatch | None:
        """The last batch that was written into this target; None if none was, or that is unknown."""
        record = self._read()
        return None if record is None else SentBatch(record.number, record.content)

    @property
    def rows(self) -> RowCounts:
        """The rows of all batches that were written into this target."""
        record = self._read()
        return RowCounts() if record is None else RowCounts(record.taken, record.rejected)

    def _read(self) -> _Record | None:
        record = _record(self._path)
        # Earlier versions wrote more than its id for a target in the warehouse.
        same = record is not None and (record.target == self._target or record.target.startswith(f"{self._target}@"))
        return record if same else None

    def add(self, batch: SentBatch, rows: RowCounts | None = None) -> None:
        """Records a batch that is in the target, and the rows of all batches up to it. A power failure may undo it:
        then the record is older. Creates the folder of the file, but not its parents."""
        counts = rows or RowCounts()
        text = msgspec.json.encode(_Record(self._target, batch.number, batch.content, counts.taken, counts.rejected))
        line = (content_checksum(text).encode() + b" " + text).ljust(_WIDTH) + b"\n"
        # The batch is written, whatever becomes of the record.
        with contextlib.suppress(OSError):
            try:
                descriptor = self._open()
            except FileNotFoundError:
                self._path.parent.mkdir(exist_ok=True)
                descriptor = self._open()
            try:
                os.pwrite(descriptor, line, 0)
            finally:
                os.close(descriptor)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)


def recorded_rows(path: Path) -> int:
    """Returns how many rows the target has taken, whatever it is, by the record in that file; 0 if there is none."""
    record = _record(path)
    return 0 if record is None else record.taken


def last_recorded(path: Path) -> int:
    """Returns the number of the last micro-batch in that file; -1 if there is none."""
    record = _record(path)
    return -1 if record is None else record.number


def _record(path: Path) -> _Record | None:
    with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError):
        check, text = path.read_bytes().rstrip().split(b" ", 1)
        record = _RECORDS.decode(text)
        if content_checksum(text).encode() == check:
            return record
    return None

"""The state of a log after a commit. It is stored in the commit's metadata, so every reader of the commit has it, and
the next commit needs nothing else."""

from __future__ import annotations

from typing import Any

import msgspec

from rowtime.decoding import Decoder
from rowtime.delta.batches import RowCounts
from rowtime.errors import RowtimeError, error


class ProducerState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An attached producer. Times are in milliseconds.

    `bound`: no later row of it enters below; None if it has none yet. `clock` is its latest rowtime plus what LATENESS
    allows behind it, `explicit_bound` the bound that it has set itself. `owner` names the process that attached it, and
    `timeout` how long the attachment outlives that process (None: indefinitely); `since` is when it was attached.
    `rejected` counts its late rows, `batch` is its last micro-batch. `id` distinguishes its attachments.
    """

    id: int
    bound: int | None = None
    clock: int | None = None
    explicit_bound: int | None = msgspec.field(default=None, name="promised")
    batch: int | None = None
    owner: str | None = None
    timeout: int | None = None
    since: int = 0
    rejected: int = 0


class SideFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows that have not entered yet, in a file next to the log; those with a ROWTIME up to `mark` (ms) have
    entered."""

    name: str
    rows: int
    mark: int | None = None


class UnforwardedRejects(msgspec.Struct, frozen=True):
    """Rejected rows of the commit `version`, in a side file, that have not been forwarded to the trace or a late stream
    yet."""

    version: int
    name: str


class LogState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A log after the commit `version`. Times are in milliseconds.

    `bound` is the stream's, None before its first row has entered; `first` the ROWTIME of that row; `entered` the
    number of rows that have ever entered, `rejected` the numbers of those that were rejected, by reason; `held` the
    number of those that wait to enter. `producers` are the attached ones by name, `departed` the late rows of detached
    ones (of the last hundred that had any).

    `clocks` are the largest values of columns with LATENESS, `watermarks` of those with WATERMARK, `last` the latest of
    MONOTONIC columns, by stored name. `batches` are the last micro-batches by the name of their sender, `contents` say
    what these were made of (`batches.SentBatch`), and `counts` what has become of their rows. `files` and `bytes` are
    the size of the Delta table, `last_seq` its last row number. Versions up to `cleaned` were removed from it, the last
    at `cleaned_at`; their files are deleted up to `deleted`, and `removed` is the number of all files that were ever
    removed; none of their rows has the ROWTIME `removed_until`, or a later one (None if no rows were removed, or only
    by earlier builds).
    """

    version: int
    bound: int | None = None
    first: int | None = None
    entered: int = 0
    rejected: dict[str, int] = {}
    held: int = 0
    producers: dict[str, ProducerState] = {}
    departed: dict[str, int] = {}
    clocks: dict[str, Any] = {}
    watermarks: dict[str, Any] = {}
    last: dict[str, Any] = {}
    files: int = 0
    bytes: int = 0
    last_seq: int = 0
    batches: dict[str, int] = {}
    contents: dict[str, int] = {}
    counts: dict[str, RowCounts] = {}
    cleaned: int = 0
    cleaned_at: int = 0
    deleted: int = 0
    explicit_bound: int | None = msgspec.field(default=None, name="promised")
    """The greatest bound that was ever set. Rows of producers that have detached wait for no later bound."""
    attachments: int = 0
    arrivals: int = 0
    holding: tuple[SideFile, ...] = ()
    waiting: tuple[SideFile, ...] = ()
    outgoing: tuple[UnforwardedRejects, ...] = ()
    removed: int = 0
    removed_bytes: int = 0
    removed_until: int | None = None
    received: int | None = None
    """The number of rows that ever arrived, counted on arrival; None if an earlier version, which did not count them,
    wrote last."""

    @property
    def late(self) -> int:
        """The number of rows rejected so far, for any reason."""
        return sum(self.rejected.values())

    @property
    def accounted(self) -> int:
        """The number of rows that entered, were rejected or are held: all that were `received`."""
        return self.entered + self.late + self.held


_decoder = Decoder(LogState)

RESTORE = "Restore the file from a backup, or drop the object and create it again"


def encode(state: LogState) -> str:
    return msgspec.json.encode(state).decode()


def decode(name: str, text: str) -> LogState:
    """Returns the state of the log of that object. Raises RowtimeError RT0605 if the text is not a state."""
    try:
        return _decoder.decode(text)
    except msgspec.MsgspecError as fault:
        raise damaged_log(name, f"a commit does not contain the state of the log ({fault})") from fault


def damaged_log(name: str, reason: str, kind: str = "log of") -> RowtimeError:
    """Returns the error for damaged files of a log, or of a table of another `kind`."""
    return error(
        "RT0605",
        f"The {kind} '{name}' is damaged: {reason}",
        hint=RESTORE,
    )

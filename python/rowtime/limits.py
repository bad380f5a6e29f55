"""Limits on the contents of records and values: far above real data, and low enough that no input uses up all memory or
time. Java has the same numbers (`io.rowtime.limits.Limits`); `docs/foreign.md` documents them."""

from __future__ import annotations

RECORD_BYTES = 16 << 20
"""The longest record, in bytes; for the webhook the longest request."""

DEPTH = 500
"""The depth to which the objects and arrays of a record may be nested."""

NUMBER_LENGTH = 1_000
"""The longest number, in characters."""

TEXT_LENGTH = 16 << 20
"""The longest text that REPEAT, SPACE, LPAD and similar functions may return, in characters."""

EXCERPT_BYTES = 4_096
"""The part of a record that is set aside if the record is too long, in bytes; for an adapter's rows, which are objects,
in characters."""

ASIDE_CHARACTERS = 32 << 20
"""The number of characters of invalid records that are kept per partition of the input in each batch; the rest are only
counted."""

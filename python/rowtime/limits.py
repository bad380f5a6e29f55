"""Limits on what records and values may hold: far above what data has, and low enough that no input takes all memory or
time. Java has the same numbers (`io.rowtime.limits.Limits`); `docs/foreign.md` tells users."""

from __future__ import annotations

RECORD_BYTES = 16 << 20
"""The longest record, in bytes; for the webhook the longest request."""

DEPTH = 500
"""How deep the objects and arrays of a record may be nested."""

NUMBER_LENGTH = 1_000
"""The longest number, in characters."""

TEXT_LENGTH = 16 << 20
"""The longest text that REPEAT, SPACE, LPAD and their like make, in characters."""

EXCERPT_BYTES = 4_096
"""How much of a record that is too long is set aside; of an adapter's rows, which are objects, how many characters."""

ASIDE_CHARACTERS = 32 << 20
"""How many characters of invalid records are kept for each piece of input in each batch; the rest are only counted."""

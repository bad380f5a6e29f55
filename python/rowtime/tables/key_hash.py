"""Hashes of keys: equal keys have equal ones. Keys are equal as they are in one group: NULL equals NULL, NaN equals
NaN, and zero has no sign. A hash does not depend on the process, or on how wide the type of a number is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Hashes = npt.NDArray[np.uint64]

_BLOCK = 1 << 16
"""Rows that are hashed at a time."""
_BASE = 0x9E3779B97F4A7C15
_NULL = np.uint64(0xD6E8FEB86659FD93)


def hashes(keys: pa.Table) -> Hashes:
    """Returns a hash for each row."""
    found = np.zeros(keys.num_rows, np.uint64)
    for begin in range(0, keys.num_rows, _BLOCK):
        block = keys.slice(begin, _BLOCK)
        part = found[begin : begin + _BLOCK]
        for values in block.columns:
            part[:] = _mixed((part ^ _column(values.combine_chunks())) + np.uint64(_BASE))
    return found


def equal(left: pa.Table, right: pa.Table) -> npt.NDArray[np.bool_]:
    """Returns for each place whether the rows of two tables with the same columns are equal keys."""
    found = np.ones(left.num_rows, dtype=bool)
    for a, b in zip(left.columns, right.columns, strict=True):
        same = pc.or_(pc.fill_null(pc.equal(a, b), False), pc.and_(pc.is_null(a), pc.is_null(b)))
        if pa.types.is_floating(a.type):
            same = pc.or_(same, pc.fill_null(pc.and_(pc.is_nan(a), pc.is_nan(b)), False))
        found &= same.to_numpy(zero_copy_only=False) if isinstance(same, pa.Array) else same.to_numpy()
    return found


def _column(values: pa.Array) -> Hashes:
    """Returns a number for each value, which need not be random."""
    type = values.type
    found: Hashes
    if pa.types.is_floating(type):
        numbers = pc.fill_null(values.cast(pa.float64()), 0).to_numpy(zero_copy_only=False) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        found = numbers.view(np.uint64).copy()
    elif pa.types.is_decimal(type):
        halves = _buffer(pc.fill_null(values.cast(pa.decimal128(38, type.scale)), 0), 1, np.uint64, 2)
        found = _mixed(halves[::2].copy()) ^ halves[1::2]
    elif pa.types.is_string(type) or pa.types.is_binary(type):
        found = _bytes(values)
    else:
        if pa.types.is_date32(type) or pa.types.is_time32(type):
            values = values.cast(pa.int32())
        numbers = pc.fill_null(values.cast(pa.int64()), 0).to_numpy(zero_copy_only=False)
        found = numbers.view(np.uint64).copy()
    if values.null_count:
        found[values.is_null().to_numpy(zero_copy_only=False)] = _NULL
    return found


def _bytes(values: pa.Array) -> Hashes:
    """Returns the value of a polynomial with the bytes of each value as coefficients."""
    values = pc.fill_null(values, "" if pa.types.is_string(values.type) else b"").cast(pa.large_binary())
    ends = _buffer(values, 1, np.int64, 1, extra=1)
    lengths = np.diff(ends)
    data = np.frombuffer(values.buffers()[2] or b"", np.uint8)[ends[0] : ends[-1]].astype(np.uint64)
    powers = np.full(int(lengths.max(initial=0)) + 1, _BASE, np.uint64)
    powers[0] = 1
    powers = np.cumprod(powers, dtype=np.uint64)
    places = np.arange(len(data)) - np.repeat(ends[:-1] - ends[0], lengths)
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum((data + np.uint64(1)) * powers[places], out=sums[1:])
    found: Hashes = sums[ends[1:] - ends[0]] - sums[ends[:-1] - ends[0]]
    return found


def _buffer(values: pa.Array, index: int, type: type[np.generic], width: int, extra: int = 0) -> npt.NDArray[Any]:
    begin = values.offset * width
    return np.frombuffer(values.buffers()[index], type)[begin : begin + len(values) * width + extra]


def _mixed(numbers: Hashes) -> Hashes:
    """Returns other numbers, one for each, all of whose bits depend on all bits."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))

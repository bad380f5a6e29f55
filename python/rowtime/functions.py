"""User-defined functions in Python: finds them by module and name, and prepares them for Spark's workers.

As everywhere in rowtime's Python, a TIMESTAMP is a `datetime` in UTC without a zone. A NULL is None.
"""

from __future__ import annotations

import datetime as dt
import importlib
import itertools
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path
from typing import Any

from rowtime.errors import error
from rowtime.plan.types import SqlType, quote_name

REGISTERED = "rowtime.functions"
"""The module of a body, `rowtime.functions:n`, whose function was given to a session by `register_function`."""

_given: dict[str, Callable[..., Any]] = {}
_numbers = itertools.count(1)
_EPOCH = dt.datetime(1970, 1, 1)
_WIDE = Context(prec=76)


def keep(function: Callable[..., Any]) -> str:
    """Keeps a function as long as this process lives. Returns the body by which `find` finds it."""
    key = str(next(_numbers))
    _given[key] = function
    return f"{REGISTERED}:{key}"


def find(name: str, body: str) -> Callable[..., Any]:
    """Returns the Python function of a body, `module:function`. Raises RowtimeError RT0319 if there is none."""
    module, _, attribute = body.partition(":")
    if module == REGISTERED:
        if attribute not in _given:
            raise error(
                "RT0319",
                f"The function '{name}' was registered by a session that has ended",
                hint="Call register_function again, or use CREATE FUNCTION with a module",
            )
        return _given[attribute]
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as fault:
        raise error(
            "RT0319", f"The function '{name}' cannot be loaded: {fault}", hint=f"Is '{module}' on PYTHONPATH?"
        ) from fault
    if not callable(found):
        raise error("RT0319", f"The function '{name}' cannot be loaded: {body} is not a function")
    pickle_by_value(module)
    return found  # type: ignore[no-any-return]


def pickle_by_value(module: str) -> None:
    """Pickles the functions of a module by value, as workers may not find a module that lies next to a script; they
    find installed ones."""
    from pyspark import cloudpickle

    file = getattr(sys.modules[module], "__file__", None)
    if file is not None and not any(Path(file).is_relative_to(p) for p in sysconfig.get_paths().values()):
        cloudpickle.register_pickle_by_value(sys.modules[module])  # type: ignore[no-untyped-call]


def worker(
    name: str, function: Callable[..., Any], arguments: tuple[SqlType, ...], result: SqlType
) -> Callable[..., Any]:
    """Returns `function` for Spark's workers: times are in microseconds there, and exceptions name the function."""
    readers = tuple(_reader(a) for a in arguments)
    write = _writer(result)

    def call(*values: Any) -> Any:
        try:
            given = (v if r is None or v is None else r(v) for v, r in zip(values, readers, strict=True))
            found = function(*given)
            return found if write is None or found is None else write(found)
        except Exception as fault:
            raise RuntimeError(f"Function '{name}' failed: {type(fault).__name__}: {fault}") from None

    return call


def is_time(type_: SqlType) -> bool:
    """Returns whether values of the type are transferred in microseconds: since 1970 in UTC, or since midnight."""
    return type_.name in ("TIMESTAMP", "TIME")


def is_table(type_: SqlType) -> bool:
    """Returns whether values of the type are the rows of a table function."""
    return type_.name == "ARRAY" and type_.arguments[0].name == "ROW"


def wire_type(type_: SqlType) -> str:
    """Returns the type in which workers return values, as Spark's DDL writes it."""
    if is_table(type_):
        row = type_.arguments[0]
        fields = (f"{quote_name(n)}: {wire_type(t)}" for n, t in zip(row.names, row.arguments, strict=True))
        return f"ARRAY<STRUCT<{', '.join(fields)}>>"
    return "BIGINT" if is_time(type_) else type_.spark()


def _reader(type_: SqlType) -> Callable[[Any], Any] | None:
    if type_.name == "TIMESTAMP":
        return lambda micros: _EPOCH + dt.timedelta(microseconds=micros)
    if type_.name == "TIME":
        return lambda micros: (_EPOCH + dt.timedelta(microseconds=micros)).time()
    return None


def _writer(type_: SqlType) -> Callable[[Any], Any] | None:
    """Returns the function that converts a result to its type; Spark would make NULL of an int that should be a
    float."""
    if is_table(type_):
        row = row_writer(type_.arguments[0])
        return lambda rows: [row(each) for each in rows]
    if type_.name == "TIMESTAMP":
        return _micros
    if type_.name == "TIME":
        return lambda time: _micros(dt.datetime.combine(_EPOCH.date(), time))
    if type_.is_decimal:
        unit = Decimal(1).scaleb(-(type_.scale or 0))
        return lambda number: Decimal(str(number)).quantize(unit, ROUND_HALF_UP, _WIDE)
    if type_.is_integer:
        return _whole
    if type_.is_approximate:
        return float
    if type_.is_character:
        return str
    return bool if type_.name == "BOOLEAN" else None


def row_writer(type_: SqlType) -> Callable[[Any], tuple[Any, ...]]:
    """Returns the function that converts a row of a table function to its type: from a tuple or list of its values, a
    dict of them by column name, or the value of the only column."""
    names, writers = type_.names, [_writer(t) for t in type_.arguments]

    def write(row: Any) -> tuple[Any, ...]:
        if isinstance(row, Mapping):
            folded = {str(name).upper(): value for name, value in row.items()}
            unknown = [name for name in row if str(name).upper() not in {n.upper() for n in names}]
            if unknown:
                raise TypeError(f"it returns a column {unknown[0]!r}, but its columns are {', '.join(names)}")
            values: Sequence[Any] = [folded.get(name.upper()) for name in names]
        else:
            values = row if isinstance(row, (tuple, list)) else (row,)
        if len(values) != len(names):
            raise TypeError(f"it returns a row of {len(values)} values for {len(names)} columns")
        return tuple(v if w is None or v is None else w(v) for v, w in zip(values, writers, strict=True))

    return write


def _whole(number: Any) -> int:
    if number != int(number):
        raise TypeError(f"{number!r} is not a whole number")
    return int(number)


def _micros(at: dt.datetime) -> int:
    if at.tzinfo is not None:
        at = at.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return (at - _EPOCH) // dt.timedelta(microseconds=1)

"""INSERT: the rows of a plan, made on the driver where they are literals, into a stream or table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.plan.nodes import Node, Project, Values
from rowtime.plan.rex import Cast, Literal, Ref, Rex
from rowtime.planner import Statement
from rowtime.sources import tables
from rowtime.streams.columns import Column, columns
from rowtime.streams.log import ROWTIME
from rowtime.streams.producer import Inserted, store_row
from rowtime.streams.values import BadValue, convert

if TYPE_CHECKING:
    from rowtime.runtime.execute import Runtime


def insert(statement: Statement, runtime: Runtime) -> Inserted:
    """Runs an INSERT. Raises RowtimeError RT0502 where a value does not fit; nothing was inserted then."""
    target, plan = statement.target, statement.plan
    assert target is not None and plan is not None
    entry = runtime.store.get(target.name)
    if entry is None:
        raise error("RT0312", f"Object '{target.name}' does not exist")
    if plan.streaming:
        raise error(
            "RT0900",
            "not supported yet: INSERT … SELECT STREAM",
            hint="Query it with SELECT STREAM, or insert the rows of a relational query",
        )
    named = columns(entry.definition["columns"])
    rows = literal_rows(plan)
    if rows is None:
        rows = [list(row) for row in runtime.collect(plan, statement.fields or plan.fields)]
    placed = [_placed(row, target.columns, named) for row in rows]
    if entry.kind == "STREAM":
        log = runtime.log(entry)
        # Only a ROWTIME that the statement does not name is the clock's; a NULL is a NULL.
        clocked = -1 if ROWTIME in target.columns else log.rowtime
        ready = [store_row(entry.name, named, row, clocked) for row in placed]
        if not ready:
            return Inserted(0, [])
        done = log.append(ready)
        refused = [(_named(named, ready[index]), reason) for index, reason in done.rejected]
        return Inserted(done.entered, refused)
    if entry.kind == "TABLE":
        ready = [store_row(entry.name, named, row, -1) for row in placed]
        return Inserted(tables.append(runtime.store, entry, ready), [])
    raise _no_target(entry)


def literal_rows(plan: Node) -> list[list[Any]] | None:
    """The rows of a plan that is made of literals only, without Spark; None where it is not."""
    if isinstance(plan, Values):
        return _values(plan.rows, None)
    if isinstance(plan, Project) and isinstance(plan.inputs[0], Values):
        inner = _values(plan.inputs[0].rows, None)
        if inner is None:
            return None
        found = [_values([plan.exprs], row) for row in inner]
        return None if any(row is None for row in found) else [row[0] for row in found if row is not None]
    return None


def _values(rows: Sequence[Sequence[Rex]], given: list[Any] | None) -> list[list[Any]] | None:
    try:
        return [[_value(rex, given) for rex in row] for row in rows]
    except (_NotLiteral, ValueError, TypeError, ArithmeticError, BadValue):
        # Spark computes it, or says what is wrong with it.
        return None


class _NotLiteral(Exception):
    pass


def _value(rex: Rex, given: list[Any] | None) -> Any:
    if isinstance(rex, Literal):
        return rex.value
    if isinstance(rex, Ref) and given is not None:
        return given[rex.index]
    if isinstance(rex, Cast) and not rex.safe:
        return _cast(rex, _value(rex.args[0], given))
    raise _NotLiteral


def _cast(rex: Cast, value: Any) -> Any:
    """A cast that leaves nothing to choose: between texts, from integers to wider numbers, from text to time."""
    from rowtime.plan.types import parse_type

    if value is None:
        return None
    source, target = parse_type(rex.args[0].type), parse_type(rex.type)  # type: ignore[union-attr]
    if source.is_character and (target.is_character or target.is_datetime):
        if target.name == "CHAR" or (target.is_character and len(value) > (target.precision or len(value))):
            raise _NotLiteral
        return convert(value, target) if target.is_character else _checked(value, target)
    if source.is_integer and (target.is_numeric):
        convert(value, target)
        return value
    if source == target or (source.is_decimal and target.is_approximate):
        return value
    if source.name == target.name == "TIMESTAMP":
        return value
    raise _NotLiteral


def _checked(value: str, target: Any) -> str:
    convert(value, target)
    return value


def _placed(row: Sequence[Any], names: Sequence[str], named: Sequence[Column]) -> list[Any]:
    """The values in the order of the target's columns; those that the INSERT leaves out are None."""
    by_name = dict(zip(names, row, strict=True))
    return [by_name.get(column.name) for column in named]


def _named(named: Sequence[Column], row: Sequence[Any]) -> dict[str, Any]:
    return {column.name: value for column, value in zip(named, row, strict=True)}


def _no_target(entry: Entry) -> Exception:
    return error("RT0900", f"not supported yet: INSERT INTO {entry.kind} '{entry.name}'")

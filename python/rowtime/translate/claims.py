"""Checks the claims of the planner (`--check-claims`): what it has concluded of the rows of each node.

An operator after each node compares the rows with the plan, in every micro-batch, and fails the query with RT0998. Only
columns that the node above reads are checked: others may be left out.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.jvm.py4j import java_class
from rowtime.operators.claims import (
    CLAIMS_CLASS,
    ClaimedColumn,
    ClaimedOrder,
    ClaimsSpec,
    ConstantValue,
    UniqueRows,
    WatermarkLimit,
    check,
)
from rowtime.plan.clock import ClockStep
from rowtime.plan.nodes import Completion, Node, op
from rowtime.plan.parts import Monotonicity
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, shift, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import watermark_at
from rowtime.translate.columns import internal, keep, plain
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from rowtime.translate.context import TranslationContext

SETTING = "ROWTIME_CHECK_CLAIMS"


def is_requested() -> bool:
    """Returns whether the environment asks for the check."""
    return os.environ.get(SETTING, "") not in ("", "0")


def announce(spark: SparkSession, folder: Path, batch: int, bound: int) -> None:
    """Records that the query of that folder has announced a bound (ms): no row of its result in a micro-batch after
    `batch` is before it."""
    java_class(spark, CLAIMS_CLASS).announce(str(folder.absolute()), batch, bound)


def checked(node: Node, rows: Translated, context: TranslationContext) -> Translated:
    """Returns the rows of the outermost node, which fail the query if they violate a claim."""
    return _Check(node, rows, context, range(len(node.fields)), outermost=True).checked(())


def checked_input(above: Node, node: Node, rows: Translated, context: TranslationContext) -> Translated:
    """Returns the rows of a node below another one, which fail the query if they violate a claim."""
    number = next(i for i, below in enumerate(above.inputs) if below is node)
    check = _Check(node, rows, context, above.reads[number])
    return check.checked(above.completions if node.streaming and number == 0 else ())


_DIRECTIONS: dict[Monotonicity, tuple[int, ...]] = {
    "STRICTLY_INCREASING": (1,),
    "INCREASING": (1,),
    "STRICTLY_DECREASING": (-1,),
    "DECREASING": (-1,),
    "CONSTANT": (1, -1),
    "NOT_MONOTONIC": (),
}


class _Check:
    """The claims of one node. `read` are the fields that are read."""

    def __init__(
        self,
        node: Node,
        rows: Translated,
        context: TranslationContext,
        read: Collection[int],
        *,
        outermost: bool = False,
    ) -> None:
        self._node = node
        self._rows = rows
        self._context = context
        self._read = frozenset(read)
        self._outermost = outermost
        self._limits: list[tuple[exp.Expression, str]] = []
        self._constants: list[ConstantValue] = []
        self._keys: set[int] = set()

    def checked(self, completions: Collection[Completion]) -> Translated:
        node, rows = self._node, self._rows
        if node.streaming:
            self._add_bounds()
            for each in completions:
                self._add_completion(each)
        names = [self._limit(i) for i in range(len(self._limits))]
        spec = self._spec(names)
        if not (spec.rowtime or spec.required or spec.limits or spec.orders or spec.unique or spec.constants):
            return rows
        added = [plain(spark_column(cast(t, TIMESTAMP)), n) for (t, _), n in zip(self._limits, names, strict=True)]
        own = [keep(name) for name in rows.df.columns]
        return replace(rows, df=check(rows.df.select(*own, *added), spec))

    def _limit(self, number: int) -> str:
        return internal(self._node, f"limit{number}")

    def _add_completion(self, completion: Completion) -> None:
        rows, keys = self._rows, completion.keys
        if keys is not None:
            self._keys.update(keys)
            name = "the time at which the row's group is complete"
            of = [rows.columns[i] for i in keys]
            self._constants.append(ConstantValue(column=self._limit(len(self._limits)), name=name, of=of))
        time = to_expression(completion.closes, Scope(rows.columns))
        claim = "the row belongs to what an earlier bound has completed"
        self._limits.append((watermark_at(completion.clock, time), claim))

    def _add_bounds(self) -> None:
        node, rows = self._node, self._rows
        if node.clock is not None and rows.rowtime is not None:
            self._add_bound("ROWTIME", cast(column(rows.rowtime), TIMESTAMP), node.clock)
        for bound in node.claims.bounds:
            field = node.fields[bound.index]
            if bound.index in self._read and parse_type(field.type).name in ("TIMESTAMP", "DATE"):
                time = column(rows.columns[bound.index])
                self._add_bound(field.name, cast(time, TIMESTAMP), bound.clock)

    def _add_bound(self, name: str, time: exp.Expression, clock: list[ClockStep]) -> None:
        # A bound is reached by a row that is a millisecond later: then this one is before it.
        self._limits.append(
            (watermark_at(clock, shift(time, 1)), f"{name} is not before the bound of an earlier batch")
        )

    def _spec(self, limits: list[str]) -> ClaimsSpec:
        node, rows = self._node, self._rows
        folder = self._context.folder if node.streaming else None
        # An operator always has its own keys.
        keys = {i for each in node.claims.unique for i in each.fields} | self._keys
        columns = [ClaimedColumn(column=rows.columns[i], name=node.fields[i].name) for i in sorted(self._read | keys)]
        if rows.rowtime is not None and rows.rowtime not in [each.column for each in columns]:
            columns.append(ClaimedColumn(column=rows.rowtime, name="ROWTIME"))
        return ClaimsSpec(
            query=str(folder.absolute()) if folder is not None else uuid.uuid4().hex,
            checkpoint=str(folder.absolute() / "spark") if folder is not None else None,
            node=_described(node),
            rowtime=rows.rowtime if self._outermost and node.streaming and node.clock is not None else None,
            columns=columns,
            required=[rows.columns[i] for i in sorted(self._read) if not node.fields[i].nullable],
            limits=[
                WatermarkLimit(column=name, claim=claim) for name, (_, claim) in zip(limits, self._limits, strict=True)
            ],
            orders=list(self._orders()) if node.streaming else [],
            unique=[
                UniqueRows(columns=[rows.columns[i] for i in each.fields], rows=each.rows)
                for each in node.claims.unique
            ],
            constants=[*self._constants, *self._constant_columns()],
        )

    def _constant_columns(self) -> list[ConstantValue]:
        node, rows = self._node, self._rows
        ordered = [order.index for order in node.claims.orders if order.index in self._read]
        constant = [i for i in ordered if node.fields[i].monotonicity == "CONSTANT"] if node.streaming else []
        return [ConstantValue(column=rows.columns[i], name=node.fields[i].name, of=[]) for i in constant]

    def _orders(self) -> Iterator[ClaimedOrder]:
        node, rows = self._node, self._rows
        if rows.rowtime is not None and node.is_in_order(ordered=self._context.ordered):
            yield ClaimedOrder(column=rows.rowtime, decreasing=False, strict=False, disorder=0)
        if node.claims.orders_hold == "NEVER" or (node.claims.orders_hold == "ORDERED" and not self._context.ordered):
            return
        for order in node.claims.orders:
            field = node.fields[order.index]
            if order.index in self._read:
                disorder = order.disorder * (1000 if parse_type(field.type).name in ("TIMESTAMP", "DATE") else 1)
                for direction in _DIRECTIONS[field.monotonicity]:
                    yield ClaimedOrder(
                        column=rows.columns[order.index],
                        decreasing=direction < 0,
                        strict=field.monotonicity.startswith("STRICTLY"),
                        disorder=disorder,
                    )


def _described(node: Node) -> str:
    place = f", {node.origin[0].line}:{node.origin[0].column}" if node.origin else ""
    return f"{op(node)} (node {node.id}{place})"

"""Calls of aggregate and analytic functions in the nodes of a plan."""

from __future__ import annotations

from typing import Literal

import msgspec

from rowtime.plan.rex import Rex


class Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """A part of a node. All its fields must be present, and no others."""


class SortKey(Part, frozen=True):
    index: int
    direction: Literal["ASC", "DESC"]
    nulls: Literal["FIRST", "LAST"]


class AggregateCall(Part, frozen=True, kw_only=True):
    """One aggregate function over input fields `args`. Rows count if the field `filter`, if set, is true; they are read
    in this `order` if the function depends on one. `of_set`: Spark collects the DISTINCT values in a set first."""

    function: str
    args: list[int]
    distinct: bool
    of_set: bool
    filter: int | None
    order: list[SortKey]
    type: str
    nullable: bool
    name: str


class HopCall(AggregateCall, frozen=True, kw_only=True):
    """An aggregate function over the rows of a pane; `merged_by` merges the results of several panes."""

    merged_by: Literal["SUM", "SUM0", "MIN", "MAX"]


class WindowCall(Part, frozen=True):
    function: str
    args: list[Rex]
    distinct: bool
    ignore_nulls: bool
    type: str
    nullable: bool
    name: str


class Argument(Part, frozen=True):
    """An argument of an operator's call; `type` is the type that it is cast to (None: no cast)."""

    value: Rex
    type: str | None


class OperatorCall(Part, frozen=True, kw_only=True):
    """A call that one of rowtime's operators computes, of `type`. LAG, LEAD, NTH_VALUE and NTILE have a `number`,
    percentiles a `fraction`, LISTAGG a `separator`. Rows count if `filter`, if set, is true. `combined_by` is the
    function that combines rows before the shuffle (None: they are not combined)."""

    function: str
    args: list[Argument]
    type: str
    number: int | None
    fraction: float | None
    separator: str | None
    distinct: bool
    ignore_nulls: bool
    filter: Rex | None
    combined_by: str | None


class CallResult(Part, frozen=True):
    """How the value of a node's call follows from the results of `calls`, by number: the value, the value or 0, a sum
    divided by a count; or from the GROUPING SET."""

    kind: Literal["VALUE", "VALUE_OR_ZERO", "AVERAGE", "GROUPING"]
    calls: list[int]


class OperatorCalls(Part, frozen=True):
    """The calls of a node as rowtime's operator computes them, and a result for each call of the node."""

    calls: list[OperatorCall]
    results: list[CallResult]

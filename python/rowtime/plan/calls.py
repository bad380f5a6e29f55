"""Calls of aggregate and analytic functions, as the nodes of a plan have them."""

from __future__ import annotations

from typing import Literal

import msgspec

from rowtime.plan.rex import Rex


class Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """A part of a node; each of its fields is there, and no other."""


class SortKey(Part, frozen=True):
    index: int
    direction: Literal["ASC", "DESC"]
    nulls: Literal["FIRST", "LAST"]


class AggregateCall(Part, frozen=True, kw_only=True):
    """One aggregate function over input fields `args`; rows count where the field `filter`, if set, is true, and in
    this `order` where the function depends on one."""

    function: str
    args: list[int]
    distinct: bool
    filter: int | None
    order: list[SortKey]
    type: str
    nullable: bool
    name: str


class HopCall(AggregateCall, frozen=True, kw_only=True):
    """An aggregate function over the rows of a pane; `merged_by` makes the results of several panes that of all."""

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
    """An argument of an operator's call; `type`: what it is cast to (None: it is taken as it is)."""

    value: Rex
    type: str | None


class OperatorCall(Part, frozen=True, kw_only=True):
    """A call that one of rowtime's operators computes, of `type`. `number` is of LAG, LEAD, NTH_VALUE and NTILE,
    `fraction` of a percentile, `separator` of LISTAGG. Rows count where `filter`, if set, is true. `combined_by` is the
    function by which rows are combined before they are shuffled (None: they are not)."""

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
    """How the value of a node's call is made of the results of `calls`, by number: the value, the value or 0, a sum
    divided by a count; or of the GROUPING SET."""

    kind: Literal["VALUE", "VALUE_OR_ZERO", "AVERAGE", "GROUPING"]
    calls: list[int]


class OperatorCalls(Part, frozen=True):
    """The calls of a node as rowtime's operator computes them, and a result for each call of the node."""

    calls: list[OperatorCall]
    results: list[CallResult]

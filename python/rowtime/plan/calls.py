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

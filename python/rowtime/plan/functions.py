"""The tables of functions that the planner reads too: aggregate and analytic functions in `aggregate_functions.json`,
and scalar functions that Spark has and Calcite does not in `spark_functions.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from rowtime.decoding import Decoder

Reads = Literal["FRAME", "BEFORE", "EARLIER", "LATER", "PARTITION"]
Use = Literal["GROUP_BY", "GROUP_STREAM", "OVER_RELATION", "OVER_STREAM"]


class AggregateFunction(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The properties of a function.

    `operator` is the function by which rowtime's operators compute it (None: they do not). `merged_by` merges its
    results over two sets of rows into the result over both; `parts` are computed in its place. `keeps` is what must be
    kept of a group, `removable` whether that suffices to take the earliest row of a frame back, and, in groups of a
    stream, any row. `repeats` is whether it matters that a value occurs twice, `distinct_of_set` whether its DISTINCT
    can be computed from a set of values. `skips_nulls` is whether it ignores rows whose first argument is NULL,
    `running` whether its value over a frame can change with each further row. `reads` is which rows its OVER reads:
    those of the frame, or, whatever the frame, those up to the row, some earlier or some later one, or the partition.
    `peers` is how rows that ORDER BY leaves equal matter: not by their order, by their order, or all get the same
    value. `constant` is the argument that must be the same for all rows. `uses` is where it can be computed: by Spark
    in groups, by rowtime in groups of a stream, over history, over a stream.
    """

    name: str
    operator: str | None
    merged_by: str | None
    parts: list[str]
    keeps: Literal["TOTAL", "VALUES", "NOTHING"]
    removable: bool
    repeats: bool
    distinct_of_set: bool
    skips_nulls: bool
    running: bool
    reads: Reads
    peers: Literal["ANY_ORDER", "IN_ORDER", "SAME"]
    constant: Literal["NUMBER", "FRACTION", "SEPARATOR"] | None
    uses: list[Use]


_decoder = Decoder(list[AggregateFunction])

FUNCTIONS: dict[str, AggregateFunction] = {
    function.name: function
    for function in _decoder.decode(Path(__file__).with_name("aggregate_functions.json").read_bytes())
}
"""By the name in the plan."""

GROUPINGS = tuple(name for name, function in FUNCTIONS.items() if function.keeps == "NOTHING")
"""Functions that describe the GROUPING SET of a group."""


class SparkFunction(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """A function `name`, called `spark` in Spark. `args` are the kinds of its arguments (`?`: optional, `*`: any number
    of them), `returns` that of its result, which is NULL if an argument is (STRICT), also in other cases (PARTIAL), or
    NEVER."""

    name: str
    spark: str
    args: list[str]
    returns: str
    nulls: Literal["STRICT", "PARTIAL", "NEVER"]
    deterministic: bool


SPARK_FUNCTIONS: dict[str, SparkFunction] = {
    function.name: function
    for function in Decoder(list[SparkFunction]).decode(Path(__file__).with_name("spark_functions.json").read_bytes())
}
"""By the name in the plan."""

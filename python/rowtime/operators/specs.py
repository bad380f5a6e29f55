"""What rowtime's operators in Java are told: a struct for each, as `io.rowtime.operator.spec` has a record.

Java reads them strictly: each field is there, and no other. All columns are names in the DataFrame that the operator is
given; times and distances are in microseconds. `docs/operators.schema.json` is the schema of both sides.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class _Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True):
    pass


class ClockStep(_Part, frozen=True):
    """A step from the watermark to a bound: it moves by `micros`, or is rounded to windows that are `micros` long,
    one of which begins at `offset`."""

    function: Literal["SHIFT", "FLOOR", "CEIL"]
    micros: int
    offset: int


class Call(_Part, frozen=True):
    """A call of an aggregate or analytic function over the columns `args`; its result is the column `name`, of
    `type` as Spark's DDL writes it. `number`: of LAG, LEAD, NTH_VALUE and NTILE; `fraction`: of a percentile;
    `separator`: of LISTAGG. `filter` names a BOOLEAN column that is true for rows that count."""

    name: str
    function: str
    args: list[str]
    type: str
    number: int | None = None
    fraction: float | None = None
    separator: str | None = None
    distinct: bool = False
    ignore_nulls: bool = False
    filter: str | None = None


class Order(_Part, frozen=True):
    column: str
    descending: bool
    nulls_first: bool


class Bound(_Part, frozen=True):
    """One end of a frame; `offset`, an exact number as a text, is of PRECEDING and FOLLOWING alone: microseconds,
    rows, or units of the order key."""

    kind: Literal["UNBOUNDED_PRECEDING", "PRECEDING", "CURRENT_ROW", "FOLLOWING", "UNBOUNDED_FOLLOWING"]
    offset: str | None


class Window(_Part, frozen=True):
    order: list[Order]
    rows: bool
    lower: Bound
    upper: Bound
    calls: list[Call]


class _Spec(
    msgspec.Struct, tag_field="operator", rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True
):
    pass


class OverSpec(_Spec, tag="over", frozen=True, kw_only=True):
    """OVER: all windows over one PARTITION BY. `time` (TIMESTAMP) orders rows, `seq` (BIGINT) those of one time;
    `watermark` is the same time in the domain of the query's watermark, `closes` the time there when the row's
    partition is complete.

    `disordered`: rows come out of order. `max_disorder`: a row proves that no row of a later batch is so far below
    it; None where rows prove nothing."""

    partition: list[str]
    time: str
    watermark: str | None
    seq: str | None
    disordered: bool
    max_disorder: int | None
    closes: str | None
    windows: list[Window]


class GroupSpec(_Spec, tag="group", frozen=True, kw_only=True):
    """GROUP BY `keys`, each group once the watermark has reached `closes`; rows are shuffled by `partition`, some
    of the keys. `early`: a group may come out as soon as the rows of its own task prove that it is complete.
    `combine`: the calls by which rows are combined before they are shuffled; each takes the place of its argument."""

    partition: list[str]
    keys: list[str]
    closes: str
    watermark: str | None
    max_disorder: int | None
    early: bool
    calls: list[Call]
    combine: list[Call]


class Rank(_Part, frozen=True):
    """A function of the place of a row in its partition; its value is the column `name`, a BIGINT."""

    name: str
    function: Literal["ROW_NUMBER", "RANK", "DENSE_RANK"]


class TopNSpec(_Spec, tag="top_n", frozen=True, kw_only=True):
    """Top-N: of each `partition`, once the watermark has reached `closes`, the rows whose `function` is at most
    `limit`, with `ranks`. Peers in the `order` follow one another by `time` (TIMESTAMP), then by `seq`. The other
    fields are as of OverSpec and GroupSpec."""

    partition: list[str]
    order: list[Order]
    function: Literal["ROW_NUMBER", "RANK", "DENSE_RANK"]
    limit: int
    ranks: list[Rank]
    time: str
    watermark: str | None
    seq: str | None
    closes: str
    max_disorder: int | None
    early: bool


class HopSpec(_Spec, tag="hop", frozen=True, kw_only=True):
    """GROUP BY HOP: windows of `size` that begin at every `slide`, one of them at `offset`. `clock` leads from the
    watermark to the bound of `time`. The other fields are as of OverSpec and GroupSpec."""

    keys: list[str]
    time: str
    watermark: str
    disordered: bool
    max_disorder: int | None
    early: bool
    slide: int
    size: int
    offset: int
    clock: list[ClockStep]
    calls: list[Call]
    combine: list[Call]


class SessionSpec(_Spec, tag="session", frozen=True, kw_only=True):
    """GROUP BY SESSION: rows of a session are at most `gap` apart. The other fields are as of OverSpec and
    GroupSpec."""

    keys: list[str]
    time: str
    watermark: str
    closes: str
    disordered: bool
    max_disorder: int | None
    early: bool
    gap: int
    calls: list[Call]


class SessionWindowsSpec(_Spec, tag="session_windows", frozen=True, kw_only=True):
    """SESSION as a table function: each row with the start and end of its session. The fields are as of SessionSpec."""

    keys: list[str]
    time: str
    watermark: str
    closes: str
    disordered: bool
    max_disorder: int | None
    early: bool
    gap: int


class HoldSpec(_Spec, tag="hold", frozen=True, kw_only=True):
    """Hold: each row once the watermark has reached its `release` (TIMESTAMP)."""

    release: str


class SeenColumn(_Part, frozen=True):
    """A column that a function sees: what it is called in SQL."""

    column: str
    name: str


class Argument(_Part, frozen=True):
    """The value of a parameter, a constant expression of Spark SQL."""

    name: str
    value: str


class ResultColumn(_Part, frozen=True):
    """A column that a function gives; `type` is as Spark's DDL writes it."""

    column: str
    type: str


class PythonWorker(_Part, frozen=True):
    """How the workers of a function in Python are started: `path` is where they find modules, `setup` what they are
    told first."""

    command: list[str]
    path: str
    setup: str


class ProcessSpec(_Spec, tag="process", frozen=True, kw_only=True):
    """A table function over the rows of each `partition`, in order of `time`. It sees `columns`, and gives `results`;
    `rowtime` is the column with the ROWTIME of the result. `clock` leads from the watermark to the bound of `time`. The
    ROWTIME of a row may lie `delay` before the time at which it is emitted; a partition is kept for `state_ttl` after
    its latest row or timer (None: for ever). The other fields are as of OverSpec."""

    function: str
    language: Literal["JAVA", "PYTHON"]
    body: str
    partition: list[str]
    time: str
    watermark: str | None
    seq: str | None
    disordered: bool
    max_disorder: int | None
    columns: list[SeenColumn]
    arguments: list[Argument]
    rowtime: str
    results: list[ResultColumn]
    clock: list[ClockStep]
    delay: int
    state_ttl: int | None
    python: PythonWorker | None


class RecursionSpec(_Spec, tag="recursion", frozen=True, kw_only=True):
    """WITH RECURSIVE: its number; whether rows come again that were there before; how often the query gives rows at
    most (-1: no limit)."""

    recursion: int
    all: bool
    most: int


class Side(_Part, frozen=True):
    """An input of a join. Rows match where `keys` are equal; `columns` are those of the result. A row is there from
    `start` to `end` after its `time`; or, with `rows`, until so many later rows of its input have come. `clock` leads
    from the watermark to the bound of `time`; `disorder` says how far below one that has come the time of a later row
    can be (None: nobody knows). `distinct`: rows that are equal in all columns count once."""

    keys: list[str]
    columns: list[str]
    time: str
    start: int = msgspec.field(name="from")
    end: int | None = msgspec.field(name="to")
    rows: int | None
    clock: list[ClockStep]
    disorder: int | None
    distinct: bool


class IntervalJoinSpec(_Spec, tag="interval_join", frozen=True, kw_only=True):
    """A join of two streams. `condition` is Spark SQL over the columns of both sides (None: the keys say all);
    `ordered`: rows come out by the watermark alone, in order over all tasks; `rowtime` names the column with the
    ROWTIME of the result."""

    join_type: Literal["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]
    left: Side
    right: Side
    condition: str | None
    ordered: bool
    rowtime: str


class VersionSide(_Part, frozen=True):
    """An input of a temporal join. Rows match where `keys` are equal; `columns` are those of the result; `time` is that
    of the left row, or since when the version holds. The other fields are as of Side."""

    keys: list[str]
    columns: list[str]
    time: str
    clock: list[ClockStep]
    disorder: int | None


class TemporalJoinSpec(_Spec, tag="temporal_join", frozen=True, kw_only=True):
    """A join of each left row with the versions that are the latest ones `shift` after its time, one of that very time
    if `inclusive`. `identity` are columns of the right side that say whose version a row is (none: the keys do), and if
    `one_task` versions of one identity can have different keys; `seq`
    (BIGINT) is one by which versions of one time follow one another. The other fields are as of IntervalJoinSpec."""

    join_type: Literal["INNER", "LEFT"]
    left: VersionSide
    right: VersionSide
    shift: int
    inclusive: bool
    identity: list[str]
    one_task: bool
    seq: str | None
    condition: str | None
    ordered: bool
    rowtime: str


class FoundColumn(_Part, frozen=True):
    """A column that a look-up finds: `source` is SQL of the database, `fetched` the type in which its driver gives
    that, as Spark's DDL, `value` the Spark SQL that makes the column `name` of it, over the fetched columns."""

    name: str
    source: str
    fetched: str
    value: str


class SearchedKey(_Part, frozen=True):
    """A column of a key: `field` is its name as SQL of the database, `type` its number in java.sql.Types, `type_name`
    the database's own word, `sql_type` the SQL type of the values without precision; `found` names the column that is
    found."""

    field: str
    type: int
    type_name: str
    sql_type: str
    found: str


class SearchKeySpec(_Spec, tag="search_key", frozen=True, kw_only=True):
    """SEARCH_KEY of a table behind JDBC. `keys` are columns with the values that are looked up, `columns` those of the
    result, before those that are `found`. `owner` is the table in words, `table` as SQL of the database, which keeps
    dates and times `as_text` or not. `condition` is Spark SQL over `columns` and `found` (None: the keys say all).

    An executor sends `capacity` statements at once, each of at most `batch_size` keys and no longer than `timeout`;
    keys without a row are looked up again `retries` times, `delay` later. It keeps what it has found for `cache_ttl`
    (None: not beyond the task), at most `cache_rows` rows, and with `cache_misses` also which keys have none."""

    join_type: Literal["INNER", "LEFT"]
    keys: list[str]
    columns: list[str]
    owner: str
    table: str
    found: list[FoundColumn]
    searched: list[SearchedKey]
    condition: str | None
    as_text: bool
    capacity: int
    timeout: int
    batch_size: int
    retries: int
    delay: int
    cache_ttl: int | None
    cache_rows: int
    cache_misses: bool


class SearchFilesSpec(_Spec, tag="search_files", frozen=True, kw_only=True):
    """SEARCH_KEY of a table of files. `keys` are columns with the values that are looked up, `searched` those of the
    table that they are compared with. `condition` is Spark SQL over the columns of both (None: the keys say all).

    The driver keeps what it has found for `cache_ttl` (microseconds; None: while the table has the same version), at
    most `cache_rows` rows, and with `cache_misses` also which keys have none."""

    join_type: Literal["INNER", "LEFT"]
    keys: list[str]
    searched: list[str]
    condition: str | None
    cache_ttl: int | None
    cache_rows: int
    cache_misses: bool


Spec = (
    OverSpec | GroupSpec | TopNSpec | HopSpec | SessionSpec | SessionWindowsSpec | HoldSpec | ProcessSpec
    | RecursionSpec | IntervalJoinSpec | TemporalJoinSpec | SearchKeySpec | SearchFilesSpec
)  # fmt: skip


def encoded(spec: Spec) -> str:
    """The JSON that Java reads; what is None is there as null."""
    return msgspec.json.encode(spec).decode()

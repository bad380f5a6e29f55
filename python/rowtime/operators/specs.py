"""The parameters of rowtime's operators in Java: a struct per operator, as `io.rowtime.operator.spec` has a record.

Java reads them strictly: every field must be present, and no other may be. Columns are given by their names in the
operator's input; times and distances are in microseconds. `docs/operators.schema.json` is the schema for both sides.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class _Part(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True):
    pass


class _Spec(
    msgspec.Struct, tag_field="operator", rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True
):
    pass


class HoldSpec(_Spec, tag="hold", frozen=True, kw_only=True):
    """Hold: emits each row once the watermark has reached its `release` (TIMESTAMP). `named`: rows are saved with the
    names of their columns, so that a query that goes on from them may have other columns."""

    release: str
    named: bool


class RecursionSpec(_Spec, tag="recursion", frozen=True, kw_only=True):
    """WITH RECURSIVE: its number; whether rows that already exist are added again; how often the query may return rows
    (-1: no limit)."""

    recursion: int
    all: bool
    most: int


class FoundColumn(_Part, frozen=True):
    """A column that a look-up returns. `source` is SQL of the database, `fetched` the type that its driver returns, as
    Spark's DDL, and `value` the Spark SQL that computes the column `name` from it, over the fetched columns."""

    name: str
    source: str
    fetched: str
    value: str


class SearchedKey(_Part, frozen=True):
    """A column of a key: `field` is its name as SQL of the database, `type` its number in java.sql.Types, `type_name`
    the database's own type name, `sql_type` the SQL type of the values without precision; `found` names the column in
    the result."""

    field: str
    type: int
    type_name: str
    sql_type: str
    found: str


class SearchKeySpec(_Spec, tag="search_key", frozen=True, kw_only=True):
    """SEARCH_KEY of a table behind JDBC. `keys` are the columns with the values to look up, `columns` the first columns
    of the result, before those that are `found`. `owner` is the name of the table in messages, `table` its name as SQL
    of the database, which stores dates and times `as_text` or not. `condition` is Spark SQL over `columns` and `found`
    (None: equal keys suffice).

    An executor sends `capacity` statements at once, each of at most `batch_size` keys and no longer than `timeout`;
    keys without a row are looked up again `retries` times, `delay` later. It caches results for `cache_ttl` (None: only
    within the task), at most `cache_rows` rows, and with `cache_misses` also the keys without rows."""

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
    """SEARCH_KEY of a table of files. `keys` are the columns with the values to look up, `searched` the columns of the
    table that they are compared with. `condition` is Spark SQL over the columns of both (None: equal keys suffice).

    The driver caches results for `cache_ttl` (microseconds; None: as long as the table has the same version), at most
    `cache_rows` rows, and with `cache_misses` also the keys without rows."""

    join_type: Literal["INNER", "LEFT"]
    keys: list[str]
    searched: list[str]
    condition: str | None
    cache_ttl: int | None
    cache_rows: int
    cache_misses: bool


class ClaimedColumn(_Part, frozen=True):
    """A column, and its name in SQL."""

    column: str
    name: str


class WatermarkLimit(_Part, frozen=True):
    """A TIMESTAMP in the watermark's domain that is later than the watermarks of all earlier micro-batches; `claim`
    says what it means for a row otherwise."""

    column: str
    claim: str


class ClaimedOrder(_Part, frozen=True):
    """The order of a column from one micro-batch to the next. `strict`: a value of an earlier micro-batch does not
    occur again; `disorder`: by how much a value may be behind those of earlier ones (microseconds for a time)."""

    column: str
    decreasing: bool
    strict: bool
    disorder: int


class UniqueRows(_Part, frozen=True):
    """At most this many `rows` have the same values in the columns."""

    columns: list[str]
    rows: int


class ConstantValue(_Part, frozen=True):
    """A column, or one of the limits, has one value in all rows that are equal in the columns `of`. Messages call it
    `name`."""

    column: str
    name: str
    of: list[str]


class ClaimsSpec(_Spec, tag="claims", frozen=True, kw_only=True):
    """What the planner claims of the rows of a node, which the message calls `node`. `query` identifies the query, also
    after a restart; `checkpoint` is Spark's folder with its offsets (None: a relation). `rowtime` is the column with
    the ROWTIME of the result, which is not before a bound that the query has announced (None: these are not the rows of
    the result). No value of the columns `required` is NULL."""

    query: str
    checkpoint: str | None
    node: str
    rowtime: str | None
    columns: list[ClaimedColumn]
    required: list[str]
    limits: list[WatermarkLimit]
    orders: list[ClaimedOrder]
    unique: list[UniqueRows]
    constants: list[ConstantValue]


Spec = (
    HoldSpec | RecursionSpec | SearchKeySpec | SearchFilesSpec
    | ClaimsSpec
)  # fmt: skip


def encode(spec: Spec) -> str:
    """Returns the JSON that Java reads; None becomes null."""
    return msgspec.json.encode(spec).decode()

"""Typed requests and replies over the strings of the planner service."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from string import hexdigits
from typing import Any, Literal

import msgspec

from rowtime.catalog.snapshot import Snapshot
from rowtime.decoding import Decoder
from rowtime.errors import Diagnostic, RowtimeError, Severity, error, format_count
from rowtime.findings import PlannerDiagnostic, to_diagnostics
from rowtime.jvm import Planner as Service
from rowtime.jvm.positions import Exchange, request_of
from rowtime.plan.codec import check_version, decode_plan
from rowtime.plan.nodes import Node
from rowtime.plan.parts import Field, TextPart
from rowtime.plan.rex import Rex
from rowtime.secrets.masking import learn
from rowtime.spans import planning


class MergeClause(msgspec.Struct, frozen=True):
    """What becomes of a row for which `condition` is TRUE: the `values` of all columns. Expressions are over the
    columns of the target, then those of the source."""

    action: Literal["update", "delete", "insert"]
    condition: Rex
    values: list[Rex]


class Merge(msgspec.Struct, frozen=True):
    """How rows of a source change the rows of a table with their key. `key`: the values of the source that are equal to
    the key. `clauses`: the first one of an action that fits and whose condition is TRUE applies."""

    key: list[Rex]
    clauses: list[MergeClause]


class InsertTarget(msgspec.Struct, frozen=True):
    """The target of an INSERT: the object, and the columns that the plan's fields fill, in order. Its rows are
    appended, or (`upsert`) replace those that are equal in the columns `key`, as the last field of the plan says; or
    they change these, as `merge` says. `defaults` are the values of the columns that they do not fill. The `meaning`
    identifies the result that the rows of a materialized view are, or whose changes the rows are."""

    name: str
    columns: list[str]
    mode: Literal["append", "upsert", "merge"] = "append"
    key: list[str] = []
    defaults: dict[str, Rex] = {}
    merge: Merge | None = None
    meaning: str | None = None


class _Statement(msgspec.Struct, frozen=True, rename="camel", kw_only=True, tag_field="type"):
    """One planned statement. `kind` is its first words (`SELECT`, `INSERT`, `CREATE STREAM`, `SHOW` …).

    A statement with a query has `fields` and a `plan`; its `mode` is `realtime` if rows go on one by one, and the
    position is recorded once in `commit_millis`. `partitions` is the number that the query's hint PARTITIONS
    requests, and `from_earliest` says that it starts with all rows that its streams still hold. `parameters` are the
    types of its parameters (`?`). `not_supported` lists its constructs that are valid but cannot run yet, and
    `not_supported_at` says where those are whose place is known. `calcite` is the plan in Calcite's forms (`rel`,
    `relJson`), `substrait` as a Substrait plan (`plan`, or the `reason` why there is none), if they were requested.
    """

    kind: str
    streaming: bool = False
    fields: list[Field] | None = None
    raw_plan: dict[str, Any] | None = msgspec.field(default=None, name="plan")
    from_earliest: bool = False
    partitions: int | None = None
    mode: Literal["microbatch", "realtime"] = "microbatch"
    commit_millis: int | None = None
    parameters: list[str] = []
    calcite: dict[str, Any] | None = None
    substrait: dict[str, Any] | None = None
    not_supported: list[str] = []
    not_supported_at: dict[str, TextPart] = {}

    @property
    def plan(self) -> Node | None:
        """Returns the plan as nodes. Raises RowtimeError (RT0999) if the jar and this package are of different
        builds."""
        return None if self.raw_plan is None else decode_plan(self.raw_plan)


class Select(_Statement, frozen=True, tag="select"):
    """A query."""


class Insert(_Statement, frozen=True, kw_only=True, tag="insert"):
    """An INSERT. `parameter_rows`: it inserts a row of its parameters; `expedited`: it is an INSERT EXPEDITED."""

    target: InsertTarget
    parameter_rows: bool = False
    expedited: bool = False


class ChangeRows(_Statement, frozen=True, kw_only=True, tag="change"):
    """An UPDATE, DELETE or MERGE of the rows of a table, by its `kind`."""

    kind: Literal["UPDATE", "DELETE", "MERGE"]
    target: InsertTarget


class Define(_Statement, frozen=True, kw_only=True, tag="definition"):
    """A statement that changes the catalog: its `changes` (none if IF EXISTS or IF NOT EXISTS leaves nothing to do),
    and the `object` that it names. `target` is that of the rows of a pump, a materialized view or a CREATE TABLE AS.
    `refusal` is the error of a statement that replaces the object, if that has rows: they would be lost."""

    changes: list[dict[str, Any]] = []
    object: str | None = None
    target: InsertTarget | None = None
    refusal: PlannerDiagnostic | None = None

    @property
    def is_of_pumps(self) -> bool:
        """Returns whether it changes what runs: pumps or materialized views."""
        return not {"PUMP", "MATERIALIZED"}.isdisjoint(self.kind.split())

    @property
    def fills_table(self) -> bool:
        """Returns whether it is a CREATE TABLE AS that has something to do."""
        return self.kind == "CREATE TABLE" and bool(self.changes) and self.raw_plan is not None


class Show(_Statement, frozen=True, kw_only=True, tag="show"):
    """SHOW of a kind of objects, `like` a pattern (None: all)."""

    object: str
    like: str | None = None


class Describe(_Statement, frozen=True, kw_only=True, tag="describe"):
    object: str


class Explain(_Statement, frozen=True, kw_only=True, tag="explain"):
    """EXPLAIN of a statement with this `object`, these `changes` and this `refusal`."""

    object: str | None = None
    changes: list[dict[str, Any]] = []
    refusal: PlannerDiagnostic | None = None


PlannedStatement = Select | Insert | ChangeRows | Define | Show | Describe | Explain
Feeding = Insert | Define
"""A statement whose rows a pump writes: what a pump is defined by, or the definition of a materialized view."""


class Planned(msgspec.Struct, frozen=True):
    """A planned statement with the planner's warnings and hints (no errors)."""

    statement: PlannedStatement
    warnings: list[Diagnostic]
    catalog: Snapshot
    """The catalog that it was planned against."""

    @property
    def catalog_version(self) -> int:
        return self.catalog.version


_CALCITE: tuple[Exchange, ...] = ("calcite",)
_statements: Decoder[PlannedStatement] = Decoder(PlannedStatement)  # type: ignore[arg-type]
_findings = Decoder(list[PlannerDiagnostic])


class Binding(msgspec.Struct, frozen=True):
    """The value of a parameter (`?`): a number, a boolean, or text (hexadecimal digits for bytes), which is cast to
    `type`; None is NULL."""

    type: str
    value: bool | int | str | None


def bindings(statement: PlannedStatement, values: Sequence[Any]) -> list[Binding]:
    """Returns the values of a statement's parameters. Raises RowtimeError RT0644 if there are too few or too many, if
    one of a binary type is no bytes or hexadecimal digits, or if another one is bytes."""
    wanted = len(statement.parameters)
    if len(values) != wanted:
        given = format_count(len(values), "value")
        raise error(
            "RT0644",
            f"The statement has {format_count(wanted, 'parameter')}, but {given} were given",
            hint="Give one value for each parameter",
        )
    for number, (type_, value) in enumerate(zip(statement.parameters, values, strict=True), 1):
        is_binary = type_.startswith(("BINARY", "VARBINARY"))
        is_bytes = isinstance(value, bytes | bytearray) or (
            is_binary and isinstance(value, str) and _is_hexadecimal(value)
        )
        if value is not None and is_bytes != is_binary:
            raise error(
                "RT0644",
                f"Parameter {number} is {type_} and cannot have a value of the type {type(value).__name__}",
                hint="BINARY and VARBINARY take bytes or hexadecimal digits, and other types take no bytes",
            )
    return [Binding(type_, _to_json(value)) for type_, value in zip(statement.parameters, values, strict=True)]


def _is_hexadecimal(text: str) -> bool:
    return len(text) % 2 == 0 and all(digit in hexdigits for digit in text)


def _to_json(value: Any) -> bool | int | str | None:
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and abs(value) < 1 << 63):
        return value
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return bytes(value).hex() if isinstance(value, bytes | bytearray) else str(value)


def plan(
    service: Service,
    catalog: Snapshot,
    sql: str,
    line: int = 1,
    column: int = 1,
    *,
    exchange: Collection[Exchange] = (),
    parameters: Sequence[Binding] | None = None,
) -> Planned:
    """Plans one statement that begins at `line` and `column` of its script. `exchange` lists further forms of its plan;
    `parameters` replace its parameters. Raises RowtimeError with all errors."""
    learn(sql)
    try:
        request = request_of(sql, line, column, exchange=exchange, parameters=parameters)
        return _request_plan(service, catalog, sql, request)
    except RowtimeError as fault:
        if (line, column) == (1, 1):
            fault.source = sql
        raise


def plan_rel(service: Service, catalog: Snapshot, rel_json: str, exchange: Collection[Exchange] = _CALCITE) -> Planned:
    """Plans a query that another program has converted with Calcite, from the text of its RelJsonWriter. `exchange`
    lists further forms of its plan. Raises RowtimeError with all errors, which have no position."""
    # Half of a surrogate pair, which no encoding can represent, is not valid JSON either.
    text = rel_json.encode("utf-8", "replace").decode()
    request = msgspec.json.encode({"sql": "", "relJson": text, **dict.fromkeys(exchange, True)}).decode()
    try:
        return _request_plan(service, catalog, "", request)
    except RowtimeError as fault:
        nowhere = {"line": None, "column": None, "end_line": None, "end_column": None}
        raise RowtimeError([msgspec.structs.replace(each, **nowhere) for each in fault.diagnostics]) from None


def _request_plan(service: Service, catalog: Snapshot, sql: str, request: str) -> Planned:
    with planning(sql, catalog.version) as describe:
        reply = msgspec.json.decode(service.plan(catalog, request))
        check_version(reply)
        diagnostics = to_diagnostics(_findings.convert(reply.get("diagnostics", [])))
        if any(diagnostic.is_error for diagnostic in diagnostics):
            raise RowtimeError(diagnostics)
        statement = _statements.convert(reply["statement"])
        describe(statement.kind, statement.streaming)
    return Planned(statement, diagnostics, catalog)


def refuse_unsupported(statement: PlannedStatement, line: int | None = None, column: int | None = None) -> None:
    """Raises RowtimeError RT0900 if the statement is valid but cannot run yet."""
    if statement.not_supported:
        raise RowtimeError(unsupported(statement.not_supported, statement.not_supported_at, line, column))


def unsupported(
    constructs: Sequence[str],
    places: Mapping[str, TextPart],
    line: int | None = None,
    column: int | None = None,
    severity: Severity = "error",
) -> list[Diagnostic]:
    """Returns a diagnostic RT0900 for each construct of a statement that is valid but cannot run yet: at its place, or
    at that of the statement if it is not known."""
    found = []
    for what in constructs:
        message, place = f"not supported yet: {what}", places.get(what)
        if place is None:
            where: dict[str, Any] = {"line": line, "column": column}
        else:
            where = msgspec.structs.asdict(place)
        found.append(Diagnostic(severity=severity, code="RT0900", message=message, **where))
    return found

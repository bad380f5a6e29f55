"""JDBC's metadata: the objects of the catalog in the columns of `java.sql.DatabaseMetaData`.

A warehouse has no catalogs and no schemas, so those columns are NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.system import is_system
from rowtime.lexical.wildcards import wildcards
from rowtime.plan.types import SqlType, parse_type
from rowtime.secrets.masking import mask_secrets
from rowtime.serve.types import TYPES, describe_type

Listing = Callable[[Store, Mapping[str, Any]], dict[str, Any]]

TABLE_TYPES = (
    "FOREIGN STREAM",
    "FOREIGN TABLE",
    "MATERIALIZED VIEW",
    "STREAM",
    "SYSTEM STREAM",
    "SYSTEM TABLE",
    "TABLE",
    "VIEW",
)
_COLUMN_NO_NULLS, _COLUMN_NULLABLE = 0, 1
_TYPE_NULLABLE, _TYPE_SEARCHABLE = 1, 3
_FUNCTION_NO_TABLE, _FUNCTION_RETURNS_TABLE = 1, 2
_FUNCTION_IN, _FUNCTION_RETURN, _FUNCTION_RESULT = 1, 4, 5
_OTHER = 1111


def _answer(columns: str, rows: Iterable[tuple[Any, ...]]) -> dict[str, Any]:
    """Returns an answer. `columns` has their names, with the types of those that are not text: `TABLE_CAT
    DATA_TYPE:INTEGER`."""
    specs = [word.partition(":") for word in columns.split()]
    listed = list(rows)
    return {
        "columns": [{"name": n, "type": describe_type(t or "VARCHAR"), "nullable": True} for n, _, t in specs],
        "values": [list(column) for column in zip(*listed, strict=True)] if listed else [[] for _ in specs],
    }


def _catalogs(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    return _answer("TABLE_CAT", [])


def _schemas(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    return _answer("TABLE_SCHEM TABLE_CATALOG", [])


def _table_types(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    return _answer("TABLE_TYPE", [(name,) for name in TABLE_TYPES])


def _tables(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    wanted = request.get("types")
    found = [
        (table_type(entry), entry.name, mask_secrets(entry.definition.get("sql") or ""))
        for entry in _relations(store, request)
        if wanted is None or table_type(entry) in wanted
    ]
    return _answer(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS TYPE_CAT TYPE_SCHEM TYPE_NAME SELF_REFERENCING_COL_NAME "
        "REF_GENERATION",
        [(None, None, name, kind, text, None, None, None, None, None) for kind, name, text in sorted(found)],
    )


def _columns(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    matches = _matcher(request.get("column"))
    rows = []
    for entry in sorted(_relations(store, request), key=lambda entry: entry.name):
        for position, column in enumerate(entry.definition.get("columns") or [], 1):
            if not matches(column["name"]):
                continue
            type_ = describe_type(column["type"])
            nullable = column.get("nullable", True)
            jdbc = TYPES[type_["name"]]
            is_text = type_["name"] in ("CHAR", "VARCHAR", "BINARY", "VARBINARY")
            rows.append(
                (
                    None,
                    None,
                    entry.name,
                    column["name"],
                    type_["jdbc"],
                    type_["text"],
                    type_["digits"],
                    None,
                    type_["scale"] if jdbc.radix or type_["name"] in ("TIME", "TIMESTAMP") else None,
                    jdbc.radix,
                    _COLUMN_NULLABLE if nullable else _COLUMN_NO_NULLS,
                    _remarks(column),
                    column.get("default"),
                    None,
                    None,
                    type_["digits"] if is_text else None,
                    position,
                    "YES" if nullable else "NO",
                    None,
                    None,
                    None,
                    None,
                    "NO",
                    "NO",
                )
            )
    return _answer(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE:INTEGER TYPE_NAME COLUMN_SIZE:INTEGER "
        "BUFFER_LENGTH:INTEGER DECIMAL_DIGITS:INTEGER NUM_PREC_RADIX:INTEGER NULLABLE:INTEGER REMARKS COLUMN_DEF "
        "SQL_DATA_TYPE:INTEGER SQL_DATETIME_SUB:INTEGER CHAR_OCTET_LENGTH:INTEGER ORDINAL_POSITION:INTEGER IS_NULLABLE "
        "SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE:SMALLINT IS_AUTOINCREMENT IS_GENERATEDCOLUMN",
        rows,
    )


def _type_info(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    rows = [
        (
            name,
            jdbc.number,
            jdbc.digits,
            jdbc.prefix,
            jdbc.suffix,
            jdbc.parameters,
            _TYPE_NULLABLE,
            name in ("CHAR", "VARCHAR"),
            _TYPE_SEARCHABLE,
            jdbc.radix is None,
            False,
            False,
            name,
            0,
            38 if name == "DECIMAL" else 0,
            None,
            None,
            jdbc.radix,
        )
        for name, jdbc in sorted(TYPES.items(), key=lambda item: item[1].number)
    ]
    return _answer(
        "TYPE_NAME DATA_TYPE:INTEGER PRECISION:INTEGER LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS NULLABLE:SMALLINT "
        "CASE_SENSITIVE:BOOLEAN SEARCHABLE:SMALLINT UNSIGNED_ATTRIBUTE:BOOLEAN FIXED_PREC_SCALE:BOOLEAN "
        "AUTO_INCREMENT:BOOLEAN LOCAL_TYPE_NAME MINIMUM_SCALE:SMALLINT MAXIMUM_SCALE:SMALLINT SQL_DATA_TYPE:INTEGER "
        "SQL_DATETIME_SUB:INTEGER NUM_PREC_RADIX:INTEGER",
        rows,
    )


def _primary_keys(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    entry = store.get(str(request.get("table")))
    # JDBC expects the name of a table. Tools that ask for all tables send a pattern.
    entries = _relations(store, request) if entry is None else [entry]
    rows = [
        (None, None, entry.name, name, position, f"{entry.name}_PK")
        for entry in entries
        for position, name in enumerate(entry.definition.get("primaryKey") or [], 1)
    ]
    return _answer(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME KEY_SEQ:SMALLINT PK_NAME",
        sorted(rows, key=lambda row: (row[3], row[2])),
    )


def _functions(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    rows = [
        (
            None,
            None,
            entry.name,
            entry.definition.get("sql"),
            _FUNCTION_RETURNS_TABLE if _result_types(entry)[1:] else _FUNCTION_NO_TABLE,
            entry.name,
        )
        for entry in _functions_named(store, request)
    ]
    return _answer("FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME REMARKS FUNCTION_TYPE:SMALLINT SPECIFIC_NAME", rows)


def _function_columns(store: Store, request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the result of each function, at position 0; its parameters; the columns of the table that it returns."""
    matches = _matcher(request.get("column"))
    rows = []
    for entry in _functions_named(store, request):
        value, *table = _result_types(entry)
        columns = [] if table else [(0, "", _FUNCTION_RETURN, _text(value))]
        parameters = entry.definition.get("columns") or []
        columns += [(n, given["name"], _FUNCTION_IN, given["type"]) for n, given in enumerate(parameters, 1)]
        columns += [(n, name, _FUNCTION_RESULT, _text(sql)) for n, (name, sql) in enumerate(table, 1)]
        rows += [_function_column(entry.name, *column) for column in columns if matches(column[1])]
    return _answer(
        "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME COLUMN_NAME COLUMN_TYPE:SMALLINT DATA_TYPE:INTEGER TYPE_NAME "
        "PRECISION:INTEGER LENGTH:INTEGER SCALE:SMALLINT RADIX:SMALLINT NULLABLE:SMALLINT REMARKS "
        "CHAR_OCTET_LENGTH:INTEGER ORDINAL_POSITION:INTEGER IS_NULLABLE SPECIFIC_NAME",
        rows,
    )


def _function_column(function: str, position: int, name: str, kind: int, text: str) -> tuple[Any, ...]:
    if text == "TABLE":
        return (*(None, None, function, name, kind, _OTHER, text), *(None,) * 7, position, "YES", function)
    type_ = describe_type(text)
    radix = TYPES[type_["name"]].radix
    sizes = (type_["digits"], type_["size"], type_["scale"] if radix else None, radix)
    named = (None, None, function, name, kind, type_["jdbc"], text)
    return (*named, *sizes, _TYPE_NULLABLE, None, None, position, "YES", function)


def _result_types(entry: Entry) -> list[Any]:
    """Returns the result type of a function, and for a table its columns: name, type."""
    sql = parse_type(entry.definition["options"]["returns"])
    return [sql, *zip(sql.names, sql.arguments, strict=True)] if entry.definition["options"].get("table") else [sql]


def _text(sql: SqlType) -> str:
    if sql.arguments:
        inner = ", ".join(_text(argument) for argument in sql.arguments)
        return f"{inner} {sql.name}" if sql.name in ("ARRAY", "MULTISET") else f"{sql.name}({inner})"
    numbers = ", ".join(str(n) for n in (sql.precision, sql.scale) if n is not None)
    return f"{sql.name}({numbers})" if numbers and not sql.is_interval else sql.name


def _functions_named(store: Store, request: Mapping[str, Any]) -> list[Entry]:
    found = [entry for entry in _entries_named(store, request.get("function")) if entry.kind == "FUNCTION"]
    return sorted(found, key=lambda entry: entry.name)


def _relations(store: Store, request: Mapping[str, Any]) -> list[Entry]:
    """Returns the objects that have rows, and whose names match. No object is in a catalog or a schema."""
    if request.get("catalog") not in (None, "") or not _matcher(request.get("schema"))(""):
        return []
    return [entry for entry in _entries_named(store, request.get("table")) if table_type(entry) in TABLE_TYPES]


def _entries_named(store: Store, pattern: str | None) -> list[Entry]:
    matches = _matcher(pattern)
    return [entry for entry in store.entries() if matches(entry.name)]


def table_type(entry: Entry) -> str:
    """Returns the TABLE_TYPE of an object."""
    return f"SYSTEM {entry.kind}" if is_system(entry.definition) else entry.kind


def _remarks(column: Mapping[str, Any]) -> str | None:
    words = [f"{word.upper()} {column[word]}" for word in ("lateness", "watermark", "monotonic") if column.get(word)]
    return ", ".join(words) or None


def _matcher(pattern: str | None) -> Callable[[str], bool]:
    r"""Returns a function that matches names with a pattern of JDBC: % any text, _ a character, \ escapes the next one.
    None: everything."""
    if pattern is None:
        return lambda name: True
    return wildcards(pattern, escape="\\")


LISTINGS: dict[str, Listing] = {
    "catalogs": _catalogs,
    "schemas": _schemas,
    "tableTypes": _table_types,
    "tables": _tables,
    "columns": _columns,
    "typeInfo": _type_info,
    "primaryKeys": _primary_keys,
    "functions": _functions,
    "functionColumns": _function_columns,
}

"""SearchKey: joins rows with those that a foreign table has for their keys, by operators of rowtime's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rowtime.operators.search_key import search_files, search_key
from rowtime.operators.specs import FoundColumn, SearchedKey, SearchFilesSpec, SearchKeySpec
from rowtime.plan.nodes import Scan, SearchKey
from rowtime.plan.rex import Symbol
from rowtime.plan.types import parse_type, quote_name
from rowtime.sparksql.expressions import cast, column, null, spark_column, sql
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, normalized_key, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

    from rowtime.plan.nodes import Node


@translates(SearchKey, inputs=lambda node: [node.inputs[0]])
def translate_search_key(node: SearchKey, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    scan = node.table
    search = _search_files if node.connector == "DELTA" else _search_database
    df, there = search(node, scan, rows, context)
    names = names_of(node)
    df = df.select(*(_output(node, i, name, there) for i, name in enumerate(names)), *map(keep, _hidden(rows)))
    index = node.rowtime_index
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])


def _output(node: Node, index: int, name: str, given: frozenset[str]) -> Column:
    """Returns a field of the result; NULL if it is not read, because then it was not carried along."""
    return keep(name) if name in given else plain(spark_column(null(parse_type(node.fields[index].type))), name)


def _condition(node: SearchKey, names: Sequence[str]) -> str | None:
    """Returns the condition over the columns of both sides, as Spark SQL; None if equal keys suffice."""
    return None if node.condition is None else sql(to_expression(node.condition, Scope(names)))


def _hidden(rows: Translated) -> list[str]:
    """Returns the columns that are not fields."""
    every = (rows.rowtime, rows.seq, *(key.column for key in rows.order))
    return [name for name in dict.fromkeys(every) if name is not None]


def _with_keys(node: SearchKey, scan: Scan, rows: Translated) -> tuple[DataFrame, list[str], list[str]]:
    """Returns the rows with their look-up keys; the names of the keys, and of all other columns."""
    names, hidden = names_of(node), _hidden(rows)
    given = [plain(spark_column(column(rows.columns[i])), names[i]) for i in node.reads[0]]
    given += map(keep, hidden)
    keys = []
    for number, (i, lookup) in enumerate(zip(node.keys, node.lookup, strict=True)):
        assert not isinstance(lookup, Symbol), "a key is a value"
        type = parse_type(scan.fields[i].type)
        value = cast(normalized_key(to_expression(lookup, Scope(rows.columns)), type), type)
        keys.append(internal(node, f"key{number}"))
        given.append(plain(spark_column(value), keys[-1]))
    return rows.df.select(*given), keys, [*(names[i] for i in node.reads[0]), *hidden]


def _search_files(
    node: SearchKey, scan: Scan, rows: Translated, context: TranslationContext
) -> tuple[DataFrame, frozenset[str]]:
    """Returns the rows joined with the rows that are found in files, and the names of all columns."""
    names, width = names_of(node), len(rows.columns)
    asking, keys, columns = _with_keys(node, scan, rows)
    found = {i: names[width + i] for i in node.reads[1]}
    table = context.table_of_files(scan, found)
    options = node.options
    spec = SearchFilesSpec(
        join_type=node.join_type,
        keys=keys,
        searched=[found[i] for i in node.keys],
        condition=_condition(node, names),
        cache_ttl=None if options.cache_ttl is None else options.cache_ttl * 1000,
        cache_rows=options.cache_rows,
        cache_misses=options.cache_misses,
    )
    df, counts = search_files(asking, table, spec)
    context.searched(counts)
    return df, frozenset((*columns, *found.values()))


def _search_database(
    node: SearchKey, scan: Scan, rows: Translated, context: TranslationContext
) -> tuple[DataFrame, frozenset[str]]:
    """Returns the rows joined with the rows that a database finds, and the names of all columns."""
    table, names, width = context.keyed_table(scan), names_of(node), len(rows.columns)
    asking, keys, columns = _with_keys(node, scan, rows)
    searched, found = [], []
    for i in node.keys:
        there = table.columns[scan.fields[i].name]
        searched.append(
            SearchedKey(
                field=there.field,
                type=there.type,
                type_name=there.type_name,
                sql_type=parse_type(scan.fields[i].type).name,
                found=names[width + i],
            )
        )
    for i in node.reads[1]:
        type, there, name = parse_type(scan.fields[i].type), table.columns[scan.fields[i].name], names[width + i]
        typed = f"CAST({quote_name(name)} AS {type.spark()})"
        # Approximate numbers have two zeros, which are one key.
        made = f"{typed} + 0" if type.is_approximate and i in node.keys else typed
        found.append(FoundColumn(name=name, source=there.source, fetched=there.fetched, value=made))
    options = node.options
    spec = SearchKeySpec(
        join_type=node.join_type,
        keys=keys,
        columns=columns,
        owner=table.owner,
        table=table.table,
        found=found,
        searched=searched,
        condition=_condition(node, names),
        as_text=table.as_text,
        capacity=options.capacity,
        timeout=options.timeout * 1000,
        batch_size=options.batch_size,
        retries=options.retries,
        delay=options.delay * 1000,
        cache_ttl=None if options.cache_ttl is None else options.cache_ttl * 1000,
        cache_rows=options.cache_rows,
        cache_misses=options.cache_misses,
    )
    df, counts = search_key(asking, table.database, spec)
    context.searched(counts)
    return df, frozenset((*columns, *(f.name for f in found)))

"""SearchKey: rows with those that the system of a table finds by their keys, by an operator of rowtime's."""

from __future__ import annotations

from dataclasses import replace

from rowtime.operators.search_key import search_key
from rowtime.operators.specs import FoundColumn, SearchedKey, SearchKeySpec
from rowtime.plan.nodes import Scan, SearchKey
from rowtime.plan.rex import Symbol
from rowtime.plan.types import parse_type, quoted
from rowtime.sparksql.expressions import cast, column, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.groups import normalized_key
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.stream_joins import condition_sql, output


@translates(SearchKey, inputs=lambda node: [node.inputs[0]])
def translate_search_key(node: SearchKey, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    scan = node.inputs[1]
    assert isinstance(scan, Scan), "the planner looks rows up in tables"
    table, names, width = context.keyed_table(scan), names_of(node), len(rows.columns)
    hidden = [c for c in dict.fromkeys((rows.rowtime, rows.seq, *(key.column for key in rows.order))) if c is not None]
    given = [plain(spark_column(column(rows.columns[i])), names[i]) for i in node.reads[0]]
    given += map(keep, hidden)
    keys, searched = [], []
    for number, (i, lookup) in enumerate(zip(node.keys, node.lookup, strict=True)):
        assert not isinstance(lookup, Symbol), "a key is a value"
        type, there = parse_type(scan.fields[i].type), table.columns[scan.fields[i].name]
        value = cast(normalized_key(to_expression(lookup, Scope(rows.columns)), type), type)
        keys.append(internal(node, f"key{number}"))
        given.append(plain(spark_column(value), keys[-1]))
        searched.append(
            SearchedKey(
                field=there.field,
                type=there.type,
                type_name=there.type_name,
                sql_type=type.name,
                found=names[width + i],
            )
        )
    found = []
    for i in node.reads[1]:
        type, there, name = parse_type(scan.fields[i].type), table.columns[scan.fields[i].name], names[width + i]
        typed = f"CAST({quoted(name)} AS {type.spark()})"
        # There are two zeros among approximate numbers, which are one key.
        made = f"{typed} + 0" if type.is_approximate and i in node.keys else typed
        found.append(FoundColumn(name=name, source=there.source, fetched=there.fetched, value=made))
    options = node.options
    spec = SearchKeySpec(
        join_type=node.join_type,
        keys=keys,
        columns=[*(names[i] for i in node.reads[0]), *hidden],
        owner=table.owner,
        table=table.table,
        found=found,
        searched=searched,
        condition=condition_sql(node, names),
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
    df, counts = search_key(rows.df.select(*given), table.database, spec)
    context.searched(counts)
    there_now = frozenset((*spec.columns, *(f.name for f in found)))
    df = df.select(*(output(node, i, name, there_now) for i, name in enumerate(names)), *map(keep, hidden))
    index = node.rowtime_index
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])

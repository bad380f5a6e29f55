"""Process: a user-defined table function over the rows of each partition, in order of ROWTIME."""

from __future__ import annotations

import json
import os
import sys
from base64 import b64encode

from rowtime.functions import find
from rowtime.operators.process import process
from rowtime.operators.specs import Argument, ProcessSpec, PythonWorker, ResultColumn, SeenColumn
from rowtime.plan.nodes import Process
from rowtime.plan.types import parse_type, quote_name
from rowtime.sparksql.expressions import column, is_null, spark_column, sql
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import operator_clock
from rowtime.translate.columns import keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(Process)
def translate_process(node: Process, inputs: list[Translated], context: TranslationContext) -> Translated:
    """Translates a table function. Rows of a stream are emitted by the watermark alone, in order of ROWTIME. Rows of a
    relation without a ROWTIME are omitted."""
    (rows,) = inputs
    names = names_of(node)
    below = node.inputs[0]
    time = rows.columns[node.time]
    given = [keep(c) for c in dict.fromkeys((*rows.columns, rows.seq)) if c is not None]
    first = 1 + len(node.partition)
    results = zip(names[first:], node.fields[first:], strict=True)
    arguments = zip(node.parameters, node.args, strict=True)
    partition = [rows.columns[i] for i in node.partition]
    arrival = node.arrival.of(ordered=context.ordered)
    spec = ProcessSpec(
        function=node.function,
        language=node.language,
        body=node.body,
        partition=partition,
        time=time,
        seq=rows.seq,
        disordered=arrival.disordered,
        max_disorder=arrival.max_micros,
        columns=[SeenColumn(column=c, name=f.name) for c, f in zip(rows.columns, below.fields, strict=True)],
        arguments=[Argument(name=name, value=sql(to_expression(value, Scope(())))) for name, value in arguments],
        rowtime=names[0],
        results=[ResultColumn(column=name, type=parse_type(field.type).spark()) for name, field in results],
        clock=operator_clock(below.steps) if node.streaming else [],
        delay=node.delay * 1000,
        state_ttl=None if node.state_ttl is None else node.state_ttl * 1000,
        python=_python(node, context) if node.language == "PYTHON" else None,
    )
    df = rows.df.select(*given)
    if not node.streaming:
        df = df.filter(~spark_column(is_null(column(time))))
    out = process(df, spec)
    columns = [names[0], *partition, *names[first:]]
    return Translated(
        out.select(*(plain(keep(have), want) for have, want in zip(columns, names, strict=True))), names, names[0]
    )


def _python(node: Process, context: TranslationContext) -> PythonWorker:
    from pyspark import cloudpickle

    function = find(node.function, node.body)
    names = [field.name for field in node.inputs[0].fields]
    columns = node.fields[1 + len(node.partition) :]
    setup = {
        "function": node.function,
        "code": b64encode(cloudpickle.dumps(function)).decode(),  # type: ignore[no-untyped-call]
        "columns": names,
        "keys": [names[i] for i in node.partition],
        "parameters": node.parameters,
        "row": f"ROW({', '.join(f'{quote_name(field.name)} {field.type}' for field in columns)})",
        "delay": node.delay * 1000,
        "stateTtl": None if node.state_ttl is None else node.state_ttl * 1000,
    }
    return PythonWorker(
        command=[context.spark.sparkContext.pythonExec, "-m", "rowtime.processing.worker"],
        path=os.pathsep.join(folder for folder in sys.path if folder),
        setup=json.dumps(setup),
    )

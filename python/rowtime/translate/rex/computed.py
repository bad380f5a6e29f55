"""Expressions that Calcite itself computes, within Spark's generated code, because Spark has no equivalent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from sqlglot import exp

from rowtime.jvm.functions import COMPUTED
from rowtime.plan.rex import Call, Cast, Literal, Ref, Rex, Symbol
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import fn, text
from rowtime.translate.rex.registry import Scope, known_operators, to_expression

Guard = Callable[[exp.Expression], exp.Expression]
"""Transforms an argument before Calcite gets it."""


def computed(rex: Call | Cast, scope: Scope, guards: Mapping[int, Guard] | None = None) -> exp.Expression:
    """Returns the call or CAST as one expression, including calls within it that Calcite computes too; everything else
    in it is an argument, and those in `guards`, by index, are arguments too."""
    guards = guards or {}
    inputs: list[Ref] = []
    arguments: list[exp.Expression] = []

    def closed(part: Rex) -> Rex:
        if isinstance(part, (Literal, Symbol)):
            return part
        if isinstance(part, Call) and part.op not in known_operators():
            return msgspec.structs.replace(part, args=[closed(a) for a in part.args])
        return argument(part, to_expression(part, scope))

    def argument(part: Rex, value: exp.Expression) -> Ref:
        ref = Ref(len(inputs), str(getattr(part, "type", "ANY")), getattr(part, "nullable", True))
        inputs.append(ref)
        arguments.append(value)
        return ref

    args = [
        argument(arg, guards[index](to_expression(arg, scope))) if index in guards else closed(arg)
        for index, arg in enumerate(rex.args)
    ]
    whole = msgspec.structs.replace(rex, args=args)
    described = {**msgspec.to_builtins(whole), "inputs": [msgspec.to_builtins(i) for i in inputs]}
    types = ", ".join(f"a{i.index} {parse_type(i.type).spark()}" for i in inputs)
    spec = msgspec.json.encode(described).decode()
    return fn(COMPUTED, text(spec), text(parse_type(rex.type).spark()), text(f"STRUCT<{types}>"), *arguments)

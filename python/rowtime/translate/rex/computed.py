"""What Calcite itself computes, within Spark's generated code: what Spark has no equivalent for."""

from __future__ import annotations

import msgspec
from sqlglot import exp

from rowtime.jvm.functions import COMPUTED
from rowtime.plan.rex import Call, Cast, Literal, Ref, Rex, Symbol
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import fn, text
from rowtime.translate.rex.registry import Scope, known_operators, to_expression


def computed(rex: Call | Cast, scope: Scope) -> exp.Expression:
    """The call or CAST, and calls within it that Calcite computes too, as one; all else within it are its arguments."""
    inputs: list[Ref] = []
    arguments: list[exp.Expression] = []

    def closed(part: Rex) -> Rex:
        if isinstance(part, (Literal, Symbol)):
            return part
        if isinstance(part, Call) and part.op not in known_operators():
            return msgspec.structs.replace(part, args=[closed(a) for a in part.args])
        ref = Ref(len(inputs), str(getattr(part, "type", "ANY")), getattr(part, "nullable", True))
        inputs.append(ref)
        arguments.append(to_expression(part, scope))
        return ref

    whole = msgspec.structs.replace(rex, args=[closed(a) for a in rex.args])
    described = {**msgspec.to_builtins(whole), "inputs": [msgspec.to_builtins(i) for i in inputs]}
    types = ", ".join(f"a{i.index} {parse_type(i.type).spark()}" for i in inputs)
    spec = msgspec.json.encode(described).decode()
    return fn(COMPUTED, text(spec), text(parse_type(rex.type).spark()), text(f"STRUCT<{types}>"), *arguments)

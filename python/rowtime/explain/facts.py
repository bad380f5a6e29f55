"""Describes statements and plan nodes in words; the forms only lay the descriptions out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rowtime.explain.analysis import StatementAnalysis

Node = dict[str, Any]

_ORDERS = {
    "STRICTLY_INCREASING": "strictly increasing",
    "INCREASING": "increasing",
    "STRICTLY_DECREASING": "strictly decreasing",
    "DECREASING": "decreasing",
    "CONSTANT": "constant",
    "NOT_MONOTONIC": "",
}


_CHANGES = {
    "append": "append, rows are final",
    "retract": "retract, rows are withdrawn",
}


def changes(node: Node) -> str | None:
    """Returns how the rows of a node change earlier ones; None if they do not."""
    return None if node["changes"] == "append" else _CHANGES[node["changes"]]


@dataclass(frozen=True, slots=True)
class NodeColumn:
    """A column of a node's output: `type` including NOT NULL, `order` its monotonicity in words ('' if it has none),
    `monotonicity` the contract's word for it; `rowtime` is true for the column that carries ROWTIME."""

    name: str
    type: str
    order: str
    monotonicity: str
    rowtime: bool


@dataclass(frozen=True, slots=True)
class NodeState:
    """The state of a node: `none`, `constant`, `window` or `unbounded`, its retention (ISO duration), and the
    reason."""

    bound: str
    retention: str | None
    why: str

    @property
    def text(self) -> str:
        """`window, kept PT1H`"""
        return f"{self.bound}{f', kept {self.retention}' if self.retention else ''}"


def nodes(node: Node | None) -> Iterator[Node]:
    """Yields a node and all below it; nothing for a statement that has no plan."""
    if node is not None:
        yield node
        for child in node["inputs"]:
            yield from nodes(child)


def columns(node: Node) -> list[NodeColumn]:
    """Returns all columns of a node."""
    found = []
    for field in node["fields"]:
        order = _ORDERS.get(field["monotonicity"], field["monotonicity"].lower())
        if field.get("disorder"):
            order = f"{order}, with rows up to {field['disorder']} late".lstrip(", ")
        is_rowtime = bool(node.get("streaming")) and field["name"] == node.get("rowtime")
        type = field["type"] + ("" if field["nullable"] else " NOT NULL")
        found.append(NodeColumn(field["name"], type, order, field["monotonicity"], is_rowtime))
    return found


def new_columns(node: Node) -> list[NodeColumn]:
    """Returns the columns of a node; none if they are those of its only input."""
    return columns(node) if node["fields"] != _only_input(node).get("fields") else []


def bound(node: Node) -> str | None:
    """Returns how a node's bound follows from that of its sources, such as `FLOOR to 1 h`; None if it is that of its
    only input or of its sources."""
    if not node.get("streaming") or node.get("clock", []) == _only_input(node).get("clock", []):
        return None
    steps = node["clock"]
    return "none can be told" if steps is None else " then ".join(map(_step, steps))


def state(node: Node) -> NodeState:
    found = node["state"]
    return NodeState(found["bound"], found.get("retention"), found.get("why") or "")


def clocks(node: Node) -> list[str]:
    """Returns the columns of sources whose bounds a plan with state waits for, such as `ORDERS.ROWTIME`, each once."""
    found: list[str] = []
    for child in node.get("inputs", []):
        found += clocks(child)
    if node.get("streaming") and node.get("bound"):
        found.append(f"{node.get('source', 'the view')}.{node['bound']}")
    return list(dict.fromkeys(found))


def needs(plan: Node, what: str) -> bool:
    """Returns whether a node of a plan needs something of the engine, such as WATERMARK: its rows or groups wait until
    a bound reaches them."""
    return any(what in node["needs"] for node in nodes(plan))


def heading(analyzed: StatementAnalysis) -> str:
    """Returns the kind of a statement and its object: `SELECT (streaming)`, `CREATE STREAM ORDERS`."""
    planned = analyzed.planned
    assert planned is not None
    mode = " (streaming)" if planned.get("streaming") else " (relational)" if planned.get("plan") else ""
    return f"{planned['kind']}{_object(planned)}{mode}"


def remarks(planned: dict[str, Any]) -> Iterator[str]:
    """Yields lines about a statement as a whole: which parts of it cannot run yet, its target, and which bounds advance
    it."""
    for reason in planned.get("notSupported") or []:
        yield f"not supported yet: {reason}"
    target = planned.get("target")
    if target:
        by = ", which has the result" if target.get("mode") == "upsert" else ""
        by += f", with {len(target['merge']['clauses'])} clauses" if target.get("mode") == "merge" else ""
        by += f" by {', '.join(target['key'])}" if target.get("key") else ""
        yield f"into {target['name']} ({', '.join(target['columns'])}){by}"
    if planned.get("mode") == "realtime":
        yield from real_time(planned["commitMillis"])
    plan = planned.get("plan")
    if plan and needs(plan, "WATERMARK"):
        yield f"waits for {_least(clocks(plan))}"
    if plan and plan.get("streaming"):
        yield f"changes: {_CHANGES[plan['changes']]}"


def real_time(commit_millis: int) -> Iterator[str]:
    """Yields what real time means for a pump whose position is recorded once in so many milliseconds."""
    yield "in real time: a row goes on as soon as it comes, one task reads a partition of the topic, and keeps a core"
    yield (
        "at least once: the position is recorded every "
        f"{commit_millis / 1000:g} seconds, and after a failure the rows since then are written again"
    )


def _least(clocks: Sequence[str]) -> str:
    """Returns the bounds that advance a query: that of its source, or the least of several."""
    if len(clocks) < 2:
        return f"the bound of {''.join(clocks) or 'its source'}"
    return f"the least of the bounds of {', '.join(clocks[:-1])} and {clocks[-1]}"


def _object(planned: dict[str, Any]) -> str:
    """Returns the object of a statement without a plan."""
    names = []
    for change in planned.get("changes") or []:
        action = change["action"]
        if action == "create":
            names.append(change["object"]["name"])
        elif action == "drop":
            names += change["names"]
        elif action == "lateness":
            names.append(f"{change['view']}.{change['column']} {change['value']}")
        elif action == "pump":
            names.append(f"{change['name']} {change['verb']}")
    if not names and planned.get("object"):
        names.append(planned["object"])
    return f" {', '.join(names)}" if names else ""


def _only_input(node: Node) -> Node:
    inputs = node.get("inputs", [])
    return inputs[0] if len(inputs) == 1 else {}


def _step(step: dict[str, Any]) -> str:
    if step["fn"] == "LOCAL":
        return f"local time of {step['zone']}"
    if step["fn"] == "SHIFT":
        millis = int(step["millis"])
        return f"{'+' if millis >= 0 else '-'} {duration(abs(millis))}"
    if "unit" in step:
        return f"{step['fn']} to {step['unit']}"
    offset = f" from {duration(int(step['offset']))}" if step.get("offset") else ""
    return f"{step['fn']} to {duration(int(step['millis']))}{offset}"


def duration(millis: int) -> str:
    """Returns `90 s`, `1 h`, `7 d`: in the largest unit that gives an integer."""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        if millis and millis % size == 0:
            return f"{millis // size} {unit}"
    return f"{millis} ms"

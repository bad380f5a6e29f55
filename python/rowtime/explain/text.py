"""`rowtime explain`: a plan as a tree that can be read in a terminal.

Under each node: its columns with their order, how its bound follows from its sources', and what it has to remember.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rowtime.errors import len_cells
from rowtime.explain.judge import Judged, Verdict
from rowtime.explain.operators import clocks, describe, waits

Node = dict[str, Any]

_ORDERS = {
    "STRICTLY_INCREASING": "strictly increasing",
    "INCREASING": "increasing",
    "STRICTLY_DECREASING": "strictly decreasing",
    "DECREASING": "decreasing",
    "CONSTANT": "constant",
    "NOT_MONOTONIC": "",
}


def render(verdict: Verdict, file: str | None = None, settings: Callable[[Node], Sequence[str]] | None = None) -> str:
    """All statements without errors, top to bottom; `settings` gives lines on what rowtime sets to run a plan."""
    blocks = [_statement(judged, file) for judged in verdict.judged if judged.planned is not None]
    if settings is not None:
        blocks += _settings(verdict, settings)
    return "\n\n".join(blocks)


def render_plan(plan: Node) -> str:
    """The tree of one plan."""
    return "\n".join(_tree(plan, "", ""))


def _settings(verdict: Verdict, settings: Callable[[Node], Sequence[str]]) -> Iterator[str]:
    """One block for what all streaming statements have in common, and one for each set of them that has more."""
    sets: dict[int, frozenset[str]] = {}
    for judged in verdict.judged:
        # A view is planned where it is used.
        if judged.planned and judged.planned.get("plan") and judged.planned["kind"] != "CREATE VIEW":
            sets[judged.number] = frozenset(settings(judged.planned["plan"]))
    sets = {number: lines for number, lines in sets.items() if lines}
    common = frozenset.intersection(*sets.values()) if sets else frozenset()
    groups: dict[frozenset[str], list[int]] = {}
    for number, lines in sets.items():
        groups.setdefault(lines - common, []).append(number)
    if common:
        yield "\n".join(["Spark settings that rowtime makes for these streaming queries", *_indented(common)])
    for more, numbers in groups.items():
        if more:
            named = ", ".join(str(number) for number in numbers)
            yield "\n".join([f"and for statement{'s' if len(numbers) > 1 else ''} {named}", *_indented(more)])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"   {line}" for line in sorted(lines)]


def _statement(judged: Judged, file: str | None) -> str:
    planned = judged.planned
    assert planned is not None
    place = f"{file}:{judged.statement.line}" if file else f"line {judged.statement.line}"
    kind = planned["kind"]
    mode = " (streaming)" if planned.get("streaming") else " (relational)" if planned.get("plan") else ""
    lines = [f"{judged.number}  {kind}{_object(planned)}{mode}  {place}"]
    lines += [f"   not supported yet: {reason}" for reason in planned.get("notSupported") or []]
    target = planned.get("target")
    if target:
        lines.append(f"   into {target['name']} ({', '.join(target['columns'])})")
    plan = planned.get("plan")
    if plan and waits(plan):
        lines.append(f"   waits for {_least(clocks(plan))}")
    if plan:
        lines += [f"   {line}" for line in _tree(plan, "", "")]
    return "\n".join(lines)


def _least(clocks: Sequence[str]) -> str:
    """What moves a query on: the bound of its source, or the least of the bounds of several."""
    if len(clocks) < 2:
        return f"the bound of {''.join(clocks) or 'its source'}"
    return f"the least of the bounds of {', '.join(clocks[:-1])} and {clocks[-1]}"


def _object(planned: dict[str, Any]) -> str:
    """What a statement without a plan is about."""
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


def _tree(node: Node, first: str, rest: str) -> Iterator[str]:
    """The lines of a node and its inputs; `first` stands before its own line, `rest` before all others."""
    inputs = node.get("inputs", [])
    trunk = "│ " if inputs else "  "
    yield f"{first}{describe(node)}"
    for line in _details(node):
        yield f"{rest}{trunk}  {line}"
    for number, child in enumerate(inputs):
        last = number == len(inputs) - 1
        yield from _tree(child, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}")


def _details(node: Node) -> Iterator[str]:
    """Columns, bound and state; columns and a bound that are those of the only input are not said again."""
    inputs = node.get("inputs", [])
    below = inputs[0] if len(inputs) == 1 else {}
    if node["fields"] != below.get("fields"):
        yield from _columns(node)
    if node.get("streaming") and node.get("clock", []) != below.get("clock", []):
        yield f"bound: {' then '.join(_step(step) for step in node['clock'])}, from that of its sources"
    yield _state(node["state"])


def _columns(node: Node) -> Iterator[str]:
    rows = []
    for field in node["fields"]:
        order = _ORDERS.get(field["monotonicity"], field["monotonicity"].lower())
        if field.get("disorder"):
            order = f"{order}, with rows up to {field['disorder']} late".lstrip(", ")
        # A star marks the column that carries ROWTIME.
        is_rowtime = node.get("streaming") and field["name"] == node.get("rowtime")
        name = f"{field['name']} *" if is_rowtime else field["name"]
        rows.append((name, field["type"] + ("" if field["nullable"] else " NOT NULL"), order))
    widths = [max((len_cells(row[i]) for row in rows), default=0) for i in range(2)]
    for row in rows:
        padded = [row[i] + " " * (widths[i] - len_cells(row[i])) for i in range(2)]
        yield f"{padded[0]}  {padded[1]}  {row[2]}".rstrip()


def _state(state: dict[str, Any]) -> str:
    if state["bound"] == "none":
        return "state: none"
    kept = f", kept {state['retention']}" if state.get("retention") else ""
    why = f" — {state['why']}" if state.get("why") else ""
    return f"state: {state['bound']}{kept}{why}"


def _step(step: dict[str, Any]) -> str:
    if step["fn"] == "SHIFT":
        millis = int(step["millis"])
        return f"{'+' if millis >= 0 else '-'} {duration(abs(millis))}"
    if "unit" in step:
        return f"{step['fn']} to {step['unit']}"
    offset = f" from {duration(int(step['offset']))}" if step.get("offset") else ""
    return f"{step['fn']} to {duration(int(step['millis']))}{offset}"


def duration(millis: int) -> str:
    """`90 s`, `1 h`, `7 d`: in the largest unit that has no fraction."""
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        if millis and millis % size == 0:
            return f"{millis // size} {unit}"
    return f"{millis} ms"

"""`rowtime explain --format mermaid`: the plans as parts of one flowchart, from their sources to their results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import Node, bound, changes, heading, new_columns, remarks, state
from rowtime.explain.operators import describe

_LONGEST = 400
# Labels would otherwise wrap at 200 pixels, which breaks almost every expression.
_WIDER = '%%{init: {"flowchart": {"wrappingWidth": 480}}}%%'
_STATES = {
    "none": "fill:#eef2f7,stroke:#64748b,color:#0f172a",
    "constant": "fill:#e0f2fe,stroke:#0284c7,color:#0c4a6e",
    "window": "fill:#dcfce7,stroke:#16a34a,color:#14532d",
    "unbounded": "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d",
}
# Entity codes: Mermaid interprets other characters, in labels as well (as Markdown since version 11).
_SPECIAL = re.compile(r"[^\w ,.:;()=+/'·—–→…-]|_", re.ASCII)


def render(analysis: ScriptAnalysis) -> str:
    """Returns a `flowchart` with a subgraph for each statement that has a plan; '' if none has."""
    planned = [analyzed for analyzed in analysis.statements if analyzed.planned and analyzed.planned.get("plan")]
    if not planned:
        return ""
    lines = [_WIDER, "flowchart TB"]
    for analyzed in planned:
        lines += _statement(analyzed)
    lines += [f"  classDef {name} {style}" for name, style in _STATES.items()]
    return "\n".join(lines)


def _statement(analyzed: StatementAnalysis) -> Iterator[str]:
    assert analyzed.planned is not None
    title = f"{analyzed.number}  {heading(analyzed)}, line {analyzed.statement.line}"
    name, plan = f"s{analyzed.number}", analyzed.planned["plan"]
    yield f'  subgraph {name}["{_label([title])}"]'
    yield "    direction TB"
    yield from _node(plan, f"{name}n")
    said = list(remarks(analyzed.planned))
    if said:
        yield f'    {name}result(["{_label(said)}"])'
        yield f"    {name}n{plan['id']} --> {name}result"
    yield "  end"


def _node(node: Node, prefix: str) -> Iterator[str]:
    """Yields the lines of a node's inputs, its own line, and those of the edges to it."""
    name = f"{prefix}{node['id']}"
    for child in node.get("inputs", []):
        yield from _node(child, prefix)
    begin, end = ('[("', '")]') if node["op"] == "scan" else ('["', '"]')
    yield f"    {name}{begin}{_label(_lines(node))}{end}:::{node['state']['bound']}"
    for child in node.get("inputs", []):
        yield f"    {prefix}{child['id']} --> {name}"


def _lines(node: Node) -> Iterator[str]:
    yield describe(node)
    for column in new_columns(node):
        order = f" · {column.order}" if column.order else ""
        yield f"{column.name}{' *' if column.rowtime else ''}: {column.type}{order}"
    changed = changes(node)
    if changed is not None:
        yield f"changes: {changed}"
    follows = bound(node)
    if follows is not None:
        yield f"bound: {follows}"
    kept = state(node)
    yield f"state: {kept.text}"
    if kept.why and kept.bound != "none":
        yield kept.why


def _label(lines: Iterator[str] | list[str]) -> str:
    return "<br/>".join(_escape(_truncate(line)) for line in lines)


def _truncate(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _escape(line: str) -> str:
    return _SPECIAL.sub(lambda match: f"#{ord(match.group())};", line)

"""`rowtime explain`: a plan as a tree that can be read in a terminal.

Under each node: its columns with their order, how its bound follows from its sources', and the state that it keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rowtime.errors import len_cells
from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import Node, bound, changes, heading, new_columns, remarks, state
from rowtime.explain.operators import describe
from rowtime.terminal import printable_lines


def render(
    analysis: ScriptAnalysis, file: str | None = None, settings: Callable[[Node], Sequence[str]] | None = None
) -> str:
    """Renders all statements without errors, in order; `settings` returns the settings with which rowtime runs a
    plan."""
    blocks = [_statement(analyzed, file) for analyzed in analysis.statements if analyzed.planned is not None]
    if settings is not None:
        blocks += _settings(analysis, settings)
    return printable_lines("\n\n".join(blocks))


def render_plan(plan: Node) -> str:
    """Renders the tree of one plan."""
    return "\n".join(_tree(plan, "", ""))


def _settings(analysis: ScriptAnalysis, settings: Callable[[Node], Sequence[str]]) -> Iterator[str]:
    """Yields one block for the settings that all streaming statements share, and one for each set of statements that
    have more."""
    sets: dict[int, frozenset[str]] = {}
    for analyzed in analysis.statements:
        planned = analyzed.planned
        # A view is planned where it is used; a statement that cannot run yet needs no settings.
        if planned and planned.get("plan") and planned["kind"] != "CREATE VIEW" and not planned.get("notSupported"):
            sets[analyzed.number] = frozenset(settings(planned))
    sets = {number: lines for number, lines in sets.items() if lines}
    common = frozenset.intersection(*sets.values()) if sets else frozenset()
    groups: dict[frozenset[str], list[int]] = {}
    for number, lines in sets.items():
        groups.setdefault(lines - common, []).append(number)
    if common:
        yield "\n".join(["Spark settings for these streaming queries", *_indent(common)])
    for more, numbers in groups.items():
        if more:
            named = ", ".join(str(number) for number in numbers)
            yield "\n".join([f"and for statement{'s' if len(numbers) > 1 else ''} {named}", *_indent(more)])


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"   {line}" for line in sorted(lines)]


def _statement(analyzed: StatementAnalysis, file: str | None) -> str:
    planned = analyzed.planned
    assert planned is not None
    place = f"{file}:{analyzed.statement.line}" if file else f"line {analyzed.statement.line}"
    lines = [f"{analyzed.number}  {heading(analyzed)}  {place}"]
    lines += [f"   {remark}" for remark in remarks(planned)]
    if planned.get("plan"):
        lines += [f"   {line}" for line in _tree(planned["plan"], "", "")]
    return "\n".join(lines)


def _tree(node: Node, first: str, rest: str) -> Iterator[str]:
    """Yields the lines of a node and its inputs; `first` precedes its own line, `rest` all others."""
    inputs = node.get("inputs", [])
    trunk = "│ " if inputs else "  "
    yield f"{first}{describe(node)}"
    for line in _details(node):
        yield f"{rest}{trunk}  {line}"
    for number, child in enumerate(inputs):
        last = number == len(inputs) - 1
        yield from _tree(child, f"{rest}{'└─ ' if last else '├─ '}", f"{rest}{'   ' if last else '│  '}")


def _details(node: Node) -> Iterator[str]:
    """Yields columns, bound and state; omits columns and a bound that are those of the only input."""
    yield from _columns(node)
    changed = changes(node)
    if changed is not None:
        yield f"changes: {changed}"
    follows = bound(node)
    if follows is not None:
        has_clock = node["clock"] is not None
        yield f"bound: {follows}{', from that of its sources' if has_clock else ''}"
    kept = state(node)
    why = f" — {kept.why}" if kept.why and kept.bound != "none" else ""
    yield f"state: {kept.text}{why}"


def _columns(node: Node) -> Iterator[str]:
    # A star marks the column that carries ROWTIME.
    rows = [(f"{c.name} *" if c.rowtime else c.name, c.type, c.order) for c in new_columns(node)]
    widths = [max((len_cells(row[i]) for row in rows), default=0) for i in range(2)]
    for row in rows:
        padded = [row[i] + " " * (widths[i] - len_cells(row[i])) for i in range(2)]
        yield f"{padded[0]}  {padded[1]}  {row[2]}".rstrip()

"""Which part of a statement's text each node of its plan comes from.

The plan says what is done, and not where that was written. Its tree and the clauses of the text are walked together,
from the result to the sources: what a query does last is what stands outermost in it. A node that cannot be told from
others has no place; below a view's name all nodes have that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rowtime.explain.facts import Node
from rowtime.formatting.clauses import Clause, clauses, has_clauses, split
from rowtime.formatting.pieces import Group, Item, Piece, first, items, leaves

Span = tuple[int, int]
"""Offsets into the text: from, and up to but not with."""


def places(text: str, plan: Node) -> dict[int, list[Span]]:
    """By the `id` of a node, the parts of the statement `text` that it comes from."""
    finder = _Finder()
    finder.walk(plan, _Scope(_block(items(text), {})))
    return finder.found


@dataclass(slots=True)
class _Source:
    """One thing in FROM: a `name`, what stands in parentheses (`inside`), or a `call` of a table function, whose input
    is `inside`. `joined` is the whole JOIN."""

    span: Span
    name: str | None = None
    inside: _Block | None = None
    joined: Span | None = None
    call: bool = False


@dataclass(slots=True)
class _Block:
    """A query: the spans of its clauses by name, its sources, and the branches of a set operation."""

    spans: dict[str, Span] = field(default_factory=dict)
    distinct: bool = False
    overs: list[Span] = field(default_factory=list)
    sources: list[_Source] = field(default_factory=list)
    branches: list[_Block] = field(default_factory=list)
    operators: list[Span] = field(default_factory=list)


_AGGREGATES = frozenset({"aggregate", "group_aggregate", "session_aggregate", "hop_aggregate"})

# What a query does, from its result downwards.
_ORDER, _SELECT, _QUALIFY, _WINDOW, _HAVING, _GROUP, _KEYS, _WHERE, _FROM = range(9)


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where the walk is: a query, what of it is still to come, and which of its sources."""

    block: _Block
    stage: int = _ORDER
    sources: tuple[_Source, ...] | None = None

    @property
    def left(self) -> tuple[_Source, ...]:
        return tuple(self.block.sources) if self.sources is None else self.sources

    def at(self, stage: int) -> _Scope:
        return replace(self, stage=max(stage, self.stage))


class _Finder:
    def __init__(self) -> None:
        self.found: dict[int, list[Span]] = {}

    def walk(self, node: Node, scope: _Scope) -> None:
        spans, below = self._match(node, scope)
        if spans is None:
            inner = _inside(node, scope)
            if isinstance(inner, _Source):
                self._all(node, inner.span)
                return
            if inner is not None:
                self.walk(node, inner)
                return
            spans, below = [], scope
        self._put(node, spans)
        inputs = node.get("inputs", [])
        scopes = below if isinstance(below, list) else [below] * len(inputs)
        for child, its in zip(inputs, scopes, strict=False):
            self.walk(child, its)

    def _put(self, node: Node, spans: Sequence[Span]) -> None:
        if spans:
            self.found[node["id"]] = list(spans)

    def _all(self, node: Node, span: Span) -> None:
        """A view's name stands for all that it does."""
        self._put(node, [span])
        for child in node.get("inputs", []):
            self._all(child, span)

    def _match(self, node: Node, scope: _Scope) -> tuple[list[Span] | None, _Scope | list[_Scope]]:
        """The parts of this query that the node comes from, and where its inputs go on; None where it has none."""
        block, stage, op = scope.block, scope.stage, node["op"]
        spans = block.spans
        if op == "sort" and stage <= _ORDER and "ORDER BY" in spans:
            return [spans["ORDER BY"], *_given(spans, "OFFSET", "FETCH", "LIMIT")], scope.at(_SELECT)
        if op in ("union", "setop", "recurse") and block.branches:
            branches = [_Scope(branch) for branch in block.branches]
            missing = len(node["inputs"]) - len(branches)
            return block.operators, branches + [branches[-1]] * missing
        if op == "project" and stage <= _SELECT and "SELECT" in spans:
            return [spans["SELECT"]], scope.at(_QUALIFY)
        if op == "project" and stage == _GROUP and "GROUP BY" in spans:
            return [spans["GROUP BY"]], scope.at(_KEYS)
        if op == "project" and _QUALIFY <= stage < _WHERE and not _nested(node, scope) and "SELECT" in spans:
            return [spans["SELECT"]], scope
        if op == "window" and stage <= _WINDOW and block.overs:
            return [*block.overs, *_given(spans, "WINDOW")], scope.at(_WINDOW)
        if op == "filter":
            return self._filter(node, scope)
        if op in _AGGREGATES and stage < _GROUP and ("GROUP BY" in spans or block.distinct or "SELECT" in spans):
            grouped = spans.get("GROUP BY") or spans["SELECT"]
            if "GROUP BY" in spans or block.distinct or not _nested(node, scope):
                return [grouped], scope.at(_GROUP)
        if op in ("hop", "tablefunction") and len(scope.left) == 1 and scope.left[0].call:
            (call,) = scope.left
            return [call.span], _Scope(call.inside or block, _FROM)
        if op == "hop" and stage < _WHERE and "GROUP BY" in spans:
            return [spans["GROUP BY"]], scope.at(_KEYS)
        if op in ("join", "interval_join") and len(scope.left) > 1:
            *left, right = scope.left
            scopes = [replace(scope.at(_FROM), sources=tuple(left)), replace(scope.at(_FROM), sources=(right,))]
            return [right.joined or right.span], scopes
        if op == "values":
            return _given(spans, "VALUES") or None, scope
        if op == "recursive" and len(scope.left) == 1:
            return [scope.left[0].span], scope
        if op == "scan":
            return [s.span for s in scope.left if s.name is not None and s.name == node["source"]] or None, scope
        return None, scope

    @staticmethod
    def _filter(node: Node, scope: _Scope) -> tuple[list[Span] | None, _Scope]:
        spans, below = scope.block.spans, list(_chain(node))
        if scope.stage <= _QUALIFY and "QUALIFY" in spans and "window" in below:
            return [spans["QUALIFY"]], scope.at(_WINDOW)
        if scope.stage <= _HAVING and "HAVING" in spans and not _AGGREGATES.isdisjoint(below):
            return [spans["HAVING"]], scope.at(_GROUP - 1)
        if scope.stage <= _WHERE and "WHERE" in spans:
            return [spans["WHERE"]], scope.at(_FROM)
        return None, scope


def _inside(node: Node, scope: _Scope) -> _Scope | _Source | None:
    """Where a node comes from that is none of this query: the query in its FROM, or a view that is named there."""
    if len(scope.left) != 1:
        return None
    (source,) = scope.left
    if source.inside is not None:
        return _Scope(source.inside)
    if source.name is not None and node["op"] != "scan" and source.name not in _scanned(node):
        return source
    if source.name is not None and node["op"] == "scan":
        return source
    return None


def _nested(node: Node, scope: _Scope) -> bool:
    """Whether a node of this query may as well be one of a query or a view inside it. It is not while this query's own
    WHERE is still to come."""
    if "WHERE" in scope.block.spans and "filter" in _chain(node):
        return False
    scanned = _scanned(node)
    return any(source.inside is not None or source.name not in scanned for source in scope.left)


def _chain(node: Node) -> Iterator[str]:
    """The operators below a node, as long as there is one input."""
    while len(node.get("inputs", [])) == 1:
        node = node["inputs"][0]
        yield node["op"]


def _scanned(node: Node) -> set[str]:
    if node["op"] == "scan":
        return {node["source"]}
    return {name for child in node.get("inputs", []) for name in _scanned(child)}


def _given(spans: dict[str, Span], *names: str) -> list[Span]:
    return [spans[name] for name in names if name in spans]


# --- the text --------------------------------------------------------------------------------------------------------


def _block(parts: Sequence[Item], named: dict[str, _Block]) -> _Block:
    """The query of a statement, of parentheses, or of a branch; `named` are those of WITH."""
    found = clauses(parts)
    named = dict(named)
    for clause in found:
        if clause.name == "WITH":
            for element in split(clause.body):
                group = next((item for item in reversed(element) if isinstance(item, Group)), None)
                if group is not None:
                    named[_name(element)[0]] = _block(group.items, named)
    if any(clause.name == "SET" for clause in found):
        return _set_operation(found, named)
    # (SELECT …), alone or as a branch
    groups = [item for clause in found if not clause.name for item in clause.body]
    if len(found) == 1 and len(groups) == 1 and isinstance(groups[0], Group) and has_clauses(groups[0].items):
        return _block(groups[0].items, named)
    return _of_clauses(found, named)


def _set_operation(found: list[Clause], named: dict[str, _Block]) -> _Block:
    block = _Block()
    branch: list[Clause] = []
    for clause in found:
        if clause.name == "SET":
            block.operators.append(_span(clause.head))
            block.branches.append(_branch(branch, named))
            branch = [Clause("", [], clause.body)] if clause.body else []
        elif clause.name == "ORDER BY":
            block.spans["ORDER BY"] = _span(clause.all)
        elif clause.name not in ("WITH", "INSERT"):
            branch.append(clause)
    block.branches.append(_branch(branch, named))
    return block


def _branch(found: list[Clause], named: dict[str, _Block]) -> _Block:
    return _block([item for clause in found for item in clause.all], named)


def _of_clauses(found: list[Clause], named: dict[str, _Block]) -> _Block:
    block = _Block()
    for clause in found:
        if clause.name in ("FROM", "UPDATE", "DELETE", "MERGE"):
            block.sources += [_source(element, named, None) for element in split(clause.body)]
        elif clause.name == "JOIN":
            block.sources.append(_source(clause.body, named, _span(clause.all)))
        elif clause.name:
            block.spans[clause.name] = _span(clause.all)
        if clause.name == "SELECT":
            block.distinct = any(first(item).word == "DISTINCT" for item in clause.head)
        if clause.name in ("SELECT", "QUALIFY", "WHERE", "ORDER BY"):
            block.overs += _overs(clause.body)
    return block


def _overs(parts: Sequence[Item]) -> list[Span]:
    """The analytic calls: from the function's name to the end of its window."""
    found: list[Span] = []
    begin: int | None = None
    for place, item in enumerate(parts):
        if isinstance(item, Group):
            found += _overs(item.items)
            continue
        following = parts[place + 1] if place + 1 < len(parts) else None
        if isinstance(following, Group) and not following.open.space and item.token.kind in ("word", "quoted"):
            begin = item.token.start
        if item.word == "OVER" and begin is not None and following is not None:
            found.append((begin, _span([following])[1]))
    return found


_BEHIND = ("ON", "USING", "TABLESAMPLE")
"""The words behind a source that are no part of it."""


def _source(element: Sequence[Item], named: dict[str, _Block], joined: Span | None) -> _Source:
    parts = [item for item in element if first(item).text != "," and first(item).comment is None]
    end = next((i for i, item in enumerate(parts) if first(item).word in _BEHIND), len(parts))
    parts = [item for item in parts[:end] if first(item).word != "LATERAL"]
    if len(parts) > 1 and first(parts[0]).word == "TABLE" and not isinstance(parts[1], Group):
        parts = parts[1:]
    group = next((item for item in parts if isinstance(item, Group) and item.open.text == "("), None)
    if parts and parts[0] is group and group is not None:
        return _Source(_span(parts), inside=_block(group.items, named), joined=joined)
    name, span = _name(parts)
    if group is not None and not group.open.space:
        return _Source(_span(element), inside=_call(group, named), joined=joined, call=True)
    return _Source(span, None if name in named else name, named.get(name), joined)


def _call(group: Group, named: dict[str, _Block]) -> _Block:
    """What a table function reads: TABLE(HOP(TABLE orders, …)), SNAPSHOT(input => t), SESSION((SELECT …), …)."""
    for argument in split(group.items):
        arrow = next((i for i, item in enumerate(argument) if first(item).text == "=>"), -1)
        given = argument[arrow + 1 :]
        inner = given[1] if len(given) > 1 else None
        if isinstance(inner, Group) and not inner.open.space and first(given[0]).text.upper() != "DESCRIPTOR":
            return _call(inner, named)
        if given and (isinstance(given[0], Group) or first(given[0]).token.kind in ("word", "quoted")):
            return _Block(sources=[_source(given, named, None)])
    return _Block()


def _name(parts: Sequence[Item]) -> tuple[str, Span]:
    """The dotted name with which they begin, as the catalog has it."""
    found: list[str] = []
    end = begin = first(parts[0]).token.start if parts else 0
    for item in parts:
        if not isinstance(item, Piece) or (found and item.space and item.text != "."):
            break
        if item.text != ".":
            text = item.token.text
            found.append(text[1:-1].replace('""', '"') if item.token.kind == "quoted" else text.upper())
        end = item.token.end
    return ".".join(found), (begin, end)


def _span(parts: Sequence[Item]) -> Span:
    written = [piece.token for piece in leaves(parts) if piece.comment is None and piece.text != ","]
    every = [piece.token for piece in leaves(parts)]
    return ((written or every)[0].start, (written or every)[-1].end) if every else (0, 0)

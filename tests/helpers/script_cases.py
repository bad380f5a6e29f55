"""A script file with its expected results, and the same script with its input divided in other ways."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from rowtime.splitter import Command, Statement, split

_EXPECTED = re.compile(r"^--(>|!) (.*)$")
_DIRECTIVE = re.compile(r"^-- (date|unordered) (.+)$")
_RESTARTS = 1
"""As often a script restarts, unless the long form is asked for: each restart starts all of its queries again."""
_STEPS_MATTER = re.compile(r"(?m)^-- steps matter$")
_RESTART_BETWEEN = re.compile(r"(?m)^-- restart between any two lines$")
_LONG_RESTART_BETWEEN = re.compile(r"(?m)^-- restart between any two lines in the long form$")
_REJECTED = re.compile(r"rejected (\S+) (.+?)(?: pump (\S+))?\Z")
_WITHOUT_BOUNDS = re.compile(r"(?m)^-- the same rows without bounds$")
_TIME = re.compile(r"\d\d:\d\d:\d\d(\.\d+)?\Z")
_OPENS = re.compile(r"(?i)\s*(SELECT\s+STREAM|CREATE\s+(OR\s+REPLACE\s+)?(PUMP|MATERIALIZED))\b")
_VALUES = re.compile(r"(?is)\A(\s*INSERT\s+INTO\b.*?\bVALUES\b)(.*)\Z")


@dataclass(frozen=True)
class Row:
    """An expected row: its query, its step, and its cells as text."""

    query: int
    step: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True)
class Rejected:
    stream: str
    reason: str
    step: int
    cells: tuple[str, ...]
    pump: str | None = None


@dataclass(frozen=True)
class Shown:
    """An expected row of the answer to DESCRIBE or SHOW."""

    cells: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """The rowtime bound that a stream, or an open query (its number), has at that point; None: none yet."""

    of: str
    value: str | None


@dataclass(frozen=True)
class Segment:
    """A part of a script that runs as a whole; the error that ends it, or the bounds to check after it."""

    text: str
    failure: Failure | None = None
    bounds: tuple[Bound, ...] = ()


@dataclass
class Case:
    text: str
    steps: list[Statement | Command]
    rows: list[Row] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    failures: dict[int, Failure] = field(default_factory=dict)
    """By the position in `steps` of the statement that fails."""
    bounds: dict[int, list[Bound]] = field(default_factory=dict)
    """By the position in `steps` of the statement or command after which they hold."""
    shown: list[Shown] = field(default_factory=list)
    after: dict[int, list[Row | Shown]] = field(default_factory=dict)
    """The rows, by the position in `steps` of the statement or command above them."""
    unordered: set[int] = field(default_factory=set)
    steps_matter: bool = False
    restart_between: bool = False
    long_restart_between: bool = False
    without_bounds: bool = False

    @property
    def last_bounds(self) -> list[Bound]:
        """Returns the bounds at the end of the script, for any division of the input."""
        return self.bounds.get(len(self.steps) - 1, [])


def read(path: Path) -> Case:
    return parse(path.read_text())


def parse(text: str) -> Case:
    script = split(text)
    assert not script.diagnostics, script.diagnostics
    case = Case(text, list(script.steps))
    case.steps_matter = bool(_STEPS_MATTER.search(text))
    case.restart_between = bool(_RESTART_BETWEEN.search(text))
    case.long_restart_between = bool(_LONG_RESTART_BETWEEN.search(text))
    case.without_bounds = bool(_WITHOUT_BOUNDS.search(text))
    date = ""
    for number, line in enumerate(text.splitlines(), 1):
        directive = _DIRECTIVE.match(line)
        if directive and directive[1] == "date":
            date = directive[2].strip()
        elif directive:
            case.unordered |= {int(word) for word in directive[2].split()}
        expected = _EXPECTED.match(line)
        if expected is None:
            continue
        above = max(i for i, step in enumerate(case.steps) if step.line <= number)
        step = sum(_is_step(each, i in case.failures) for i, each in enumerate(case.steps[: above + 1]))
        if expected[1] == "!":
            place, code, message = expected[2].split(" ", 2)
            at_line, _, at_column = place.partition(":")
            case.failures[above] = Failure(int(at_line), int(at_column), code, message)
        else:
            head, *cells = [cell.strip() for cell in expected[2].split("|")]
            dated = tuple(f"{date} {c}" if _TIME.match(c) else c for c in cells)
            rejected = _REJECTED.match(head)
            if head.startswith("bound"):
                _, of, value = head.split(" ", 2)
                shown = f"{date} {value}" if _TIME.match(value) else value
                case.bounds.setdefault(above, []).append(Bound(of, None if value == "none" else shown))
            elif head.startswith("shown "):
                case.shown.append(Shown((head.removeprefix("shown "), *cells)))
                case.after.setdefault(above, []).append(case.shown[-1])
            elif rejected:
                case.rejected.append(Rejected(rejected[1], rejected[2], step, dated, rejected[3]))
            else:
                case.rows.append(Row(int(head), step, dated))
                case.after.setdefault(above, []).append(case.rows[-1])
    return case


def _is_step(step: Statement | Command, fails: bool) -> bool:
    if isinstance(step, Command):
        return step.name in ("bound", "detach")
    kind = step.text.lstrip().upper()
    return kind.startswith("INSERT") or (kind.startswith(("UPDATE", "DELETE", "MERGE")) and not fails)


def segments(case: Case) -> list[Segment]:
    """Returns the script in parts that run one after another, each up to a statement that fails or to bounds to check;
    lines keep their numbers."""
    lines = case.text.splitlines(keepends=True)
    found: list[Segment] = []
    start = 0
    for position in sorted({*case.failures, *case.bounds}):
        following = case.steps[position + 1].line - 1 if position + 1 < len(case.steps) else len(lines)
        text = "\n" * start + "".join(lines[start:following])
        found.append(Segment(text, case.failures.get(position), tuple(case.bounds.get(position, ()))))
        start = following
    rest = "".join(lines[start:])
    if any(True for _ in split(rest).steps):
        found.append(Segment("\n" * start + rest))
    return found


def one_by_one(case: Case) -> str:
    """Returns the script with every row in an INSERT of its own."""
    return _text(_inserts_apart(case))


def together(case: Case) -> str:
    """Returns the script with consecutive INSERTs into the same stream merged."""
    out: list[tuple[str, list[str]]] = []
    for head, rows in _inserts_apart(case):
        if rows and out and out[-1][0] == head:
            out[-1][1].extend(rows)
        else:
            out.append((head, list(rows)))
    return _text(out)


def at_random(case: Case, seed: str) -> str:
    """Returns the script divided at random, with `!restart` after some parts."""
    chance = random.Random(seed)
    out: list[tuple[str, list[str]]] = []
    for head, rows in _inserts_apart(case):
        if rows and out and out[-1][0] == head and chance.random() < 0.6:
            out[-1][1].extend(rows)
            continue
        if rows and out and out[-1][1] and chance.random() < 0.5:
            out.append(("!restart", []))
        out.append((head, list(rows)))
    inserts = [i for i, (_, rows) in enumerate(out) if rows]
    if inserts and not any(head == "!restart" for head, _ in out):
        out.insert(chance.choice(inserts) + 1, ("!restart", []))
    return _text(out)


def with_restarts(case: Case, seed: str, long: bool) -> str:
    """Returns the script with unchanged input and `!restart` between its lines: between any two, or between some of
    them. `long`: the long form of the tests."""
    everywhere = case.restart_between or (case.long_restart_between and long)
    out: list[tuple[str, list[str]]] = [(step.text, []) for step in case.steps]
    opens = [bool(isinstance(step, Statement) and _OPENS.match(step.text)) for step in case.steps]
    places = range(opens.index(True) + 1, len(out) + 1) if True in opens else range(0)
    if not everywhere:
        # A restart before there is anything to keep takes as long as one that shows something.
        chance = random.Random(seed)
        started = [place for place in places if not opens[place - 1]]
        wanted = [place for place in started if chance.random() < 0.4] or started[:1]
        places = wanted if long or len(wanted) <= _RESTARTS else sorted(chance.sample(wanted, _RESTARTS))
    for place in reversed(places):
        out.insert(place, ("!restart", []))
    return _text(out)


def without_bounds(case: Case) -> str:
    """No bounds but the last one of each stream, which ends its input, where the script has the last of them all."""
    out: list[tuple[str, list[str]]] = []
    place = 0
    last: dict[str, list[tuple[str, list[str]]]] = {}
    producer: list[tuple[str, list[str]]] = []
    for step in case.steps:
        if not isinstance(step, Command) or step.name != "bound":
            out.append((step.text, []))
        if isinstance(step, Command) and step.name == "producer":
            producer = [(step.text, [])]
        elif isinstance(step, Command) and step.name == "bound":
            last[step.words[0].text] = [*producer, (step.text, [])]
            place = len(out)
    return _text([*out[:place], *(line for lines in last.values() for line in lines), *out[place:]])


def _inserts_apart(case: Case) -> list[tuple[str, list[str]]]:
    """Returns statements and commands in order; an INSERT … VALUES once for each row, as its head and that row."""
    found: list[tuple[str, list[str]]] = []
    for step in case.steps:
        match = _VALUES.match(step.text) if isinstance(step, Statement) else None
        if match is None:
            found.append((step.text, []))
        else:
            found += [(match[1], [row]) for row in _tuples(match[2])]
    return found


def _tuples(text: str) -> list[str]:
    found, depth, start, quoted = [], 0, 0, False
    for at, character in enumerate(text):
        if character == "'":
            quoted = not quoted
        elif not quoted and character == "(":
            start = at if depth == 0 else start
            depth += 1
        elif not quoted and character == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start : at + 1])
    return found


def _text(steps: list[tuple[str, list[str]]]) -> str:
    lines = [
        head if head.startswith("!") else f"{head} {', '.join(rows)};" if rows else f"{head};" for head, rows in steps
    ]
    return "\n".join(lines) + "\n"

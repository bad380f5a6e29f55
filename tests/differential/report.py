"""Formats the results of the comparison, as text for the terminal and as docs/functions.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from compare import Result
from functions import CATEGORIES

DOCUMENT = Path(__file__).parents[2] / "docs" / "functions.md"

_HEAD = """# Functions

This page lists the scalar functions and operators of rowtime's SQL that Calcite can compute, with an example. Each is
compared with Calcite's own evaluation over generated values: NULL, extremes, empty and non-Latin text, halves, leap
days, times before 1970. [Functions by name](function_names.md) also lists functions that only Spark computes.
*Cases* is the number of pairs of an expression and a row for which Calcite returns a value. *Equal* is the number of
cases in which Spark returns the same value. The other cases have a named [difference](differences.md).
`python tests/differential --thorough` runs the comparison and writes this page.

In the examples, `S1` is text, `I1` and `N` are integers, `D1` and `D2` are decimals, `X1` is a DOUBLE, `B1` a BOOLEAN,
`DT1` a DATE, `TM1` a TIME, `TS1` a TIMESTAMP, `IV1` and `YM1` are intervals, `J1` is JSON text, `A1` an array,
`M1` a map.
"""


def by_function(results: Iterable[Result]) -> dict[str, list[Result]]:
    grouped: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        grouped[result.function].append(result)
    return grouped


def counts(results: Sequence[Result]) -> tuple[int, int, dict[str, int]]:
    """Returns the number of cases, of equal ones, and of differing ones by name."""
    names: dict[str, int] = defaultdict(int)
    for result in results:
        for name, found in result.differing.items():
            names[name] += len(found)
    return sum(r.cases for r in results), sum(r.equal for r in results), names


def summary(results: Sequence[Result]) -> str:
    cases, equal, names = counts(results)
    lines = [f"{len(results)} expressions of {len(by_function(results))} functions, {cases} cases, {equal} equal"]
    lines += [f"{count:7} {name or 'without a name'}" for name, count in sorted(names.items(), key=lambda n: -n[1])]
    return "\n".join(lines)


def document(results: Sequence[Result], states: Mapping[str, Sequence[str]]) -> str:
    """Returns the page; without counts if nothing has been compared."""
    cases, equal, _ = counts(results)
    size = f"{len(by_function(results))} functions, {len(results)} expressions"
    lines = [_HEAD, f"{size}, {cases:,} cases: {equal:,} equal.\n" if cases else f"{size}; not compared yet.\n"]
    for category in CATEGORIES:
        columns = ["function", "example", *(["cases", "equal", "differences"] if cases else [])]
        lines += [f"## {category}\n", _row(columns), _row(["---"] * len(columns))]
        for function, found in by_function(r for r in results if r.category == category).items():
            some, same, names = counts(found)
            named = ", ".join(f"{name} ({count})" for name, count in names.items())
            cells = [str(some), str(same), named] if cases else []
            lines.append(_row([function.replace("|", "\\|"), f"`{found[0].template}`".replace("|", "\\|"), *cells]))
        lines.append("")
    lines.append(_inventory(states))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inventory(states: Mapping[str, Sequence[str]]) -> str:
    """Returns the validator's operators by their state."""
    rows = [
        ("compared above", len(states["compared"]), ""),
        ("computed, not compared", len(states["computed"]), ", ".join(f"`{n}`" for n in states["computed"])),
        ("valid, but refused with RT0900", len(states["refused"]), ", ".join(f"`{n}`" for n in states["refused"])),
    ]
    lines = [
        "## All operators and functions of the validator\n",
        "| operators and functions | count | names |",
        "| --- | ---: | --- |",
    ]
    lines += [f"| {what} | {count} | {names} |".replace("||", "\\|\\|") for what, count, names in rows]
    return "\n".join(lines) + "\n"

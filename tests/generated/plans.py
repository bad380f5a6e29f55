"""Plans composed queries as relations and as streams, without running them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planned import Planning

from .composed import composed
from .composed_streams import definitions, names_of
from .compositions import FUNCTIONS
from .data import ALL_RELATIONS, LATE_VIEWS, LATENESS, VIEWS
from .engines import NAMES
from .sources import Names

INTERNAL = "RT0999"
_LATER = "RT0900"


@dataclass(frozen=True)
class Plan:
    """How the planner took a query: `code` is that of its first error, '' if there is none."""

    number: int
    streaming: bool
    sql: str
    code: str
    message: str = ""

    def __str__(self) -> str:
        return f"case {self.number} as a {'stream' if self.streaming else 'relation'}: {self.message}\n  {self.sql}"


def plans(planner: Any, seed: int, numbers: Iterable[int]) -> Iterator[Plan]:
    """Yields two plans for each number: of the relation, and of the stream."""
    planning, streams = Planning(planner), names_of("X")
    for sql in (*_relations(), *definitions(streams, Path("files")), *FUNCTIONS):
        planning.plan(sql)
    for number in numbers:
        query = composed(Names.of(random.Random(f"{seed} {number} 0")))
        for streaming, names in ((False, NAMES), (True, streams)):
            text = query.text(names, streaming=streaming)
            reply = planning.reply(text)
            errors = [d for d in reply["diagnostics"] if d["severity"] == "error"]
            if errors:
                yield Plan(number, streaming, text, errors[0]["code"], errors[0]["message"])
            else:
                later = reply["statement"]["notSupported"]
                yield Plan(number, streaming, text, _LATER if later else "", str(later or ""))


def _relations() -> Iterator[str]:
    for each in ALL_RELATIONS:
        columns = each.types("rowtime").replace(" WATERMARK ", " LATENESS ")
        options = " OPTIONS (history 'all')" if each.stream else ""
        yield f"CREATE {'STREAM' if each.stream else 'TABLE'} {each.name} ({columns}){options}"
    for letter, view in (VIEWS | LATE_VIEWS).items():
        yield f"CREATE VIEW {NAMES[letter]} AS {view.replace('~S~', NAMES['S'])}"
    yield from (f"LATENESS {NAMES[letter]}.rowtime {LATENESS}" for letter in LATE_VIEWS)


def report(found: Iterable[Plan], say: Callable[[str], None], every: int = 1000) -> int:
    """Says each internal error, and how many plans have which code; returns the number of internal errors."""
    codes: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for count, plan in enumerate(found, 1):
        codes[plan.streaming][plan.code or "accepted"] += 1
        if plan.code == INTERNAL:
            say(str(plan))
        if count % every == 0:
            say(_counts(codes))
    say(_counts(codes))
    return sum(each[INTERNAL] for each in codes.values())


def _counts(codes: dict[bool, Counter[str]]) -> str:
    said = {which: ", ".join(f"{code} {count}" for code, count in each.most_common()) for which, each in codes.items()}
    return f"{sum(codes[False].values())} cases; as relations: {said[False]}; as streams: {said[True]}"

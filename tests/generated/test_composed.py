"""A few of the composed queries of `python tests/generated --composed`, and thousands of them with --thorough."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from generated import composing
from generated.choices import Choices, simpler
from generated.composed import SHAPES, composed
from generated.data import ALL_RELATIONS
from generated.engines import engines
from generated.feeding import VARIATIONS, Restart, Rows, rounds
from generated.plans import INTERNAL, plans
from generated.sources import Names

SAMPLE, ALL, PLANNED, SEED = 8, 5000, 200, 1


@pytest.mark.usefixtures("interpreted")
def test_the_same_rows_in_every_form(spark: Any, tmp_path: Path, thorough: bool) -> None:
    with engines(spark, tmp_path / "warehouse", SEED, composed=True) as both:
        cases = composing.compare(both, range(ALL if thorough else SAMPLE), tmp_path / "files")
    assert not [composing.shown(case) for case in cases if composing.faulty(case)]
    assert sum(case.streamed is not None for case in cases) > len(cases) // 2
    assert any(case.pumped for case in cases)


def test_the_planner_accepts_them_or_says_why(planner: Any) -> None:
    """No internal errors, and most of them run."""
    found = list(plans(planner, SEED, range(PLANNED)))
    assert not [str(each) for each in found if each.code == INTERNAL]
    for streaming, least in ((False, 0.95), (True, 0.75)):
        assert sum(not each.code for each in found if each.streaming == streaming) > least * PLANNED


def test_a_number_stands_for_one_query() -> None:
    drawn = [composed(Names.of(random.Random(f"1 {n} 0"))) for n in range(300)]
    recorded = [Choices(f"1 {n} 0") for n in range(300)]
    assert [composed(Names.of(chance)).sql for chance in recorded] == [query.sql for query in drawn]
    again = [Choices("", chance.made) for chance in recorded]
    assert [composed(Names.of(chance)).sql for chance in again] == [query.sql for query in drawn]
    about = {word for query in drawn for word in query.about}
    assert len(about) > 40 and len(set(SHAPES)) == 15


def test_simpler_choices_make_smaller_queries() -> None:
    """Shrinking ends at the smallest query that has what it looks for."""
    chance = next(c for n in range(300) if "SESSION" in _text(c := Choices(f"1 {n} 0")) and len(c.made) > 60)
    smallest, found = chance.made, True
    while found:
        found = False
        for choices in simpler(smallest):
            other = Choices("", choices)
            text = _text(other)
            if "SESSION" in text and len(text) < len(_text(Choices("", smallest))):
                smallest, found = other.made, True
                break
    assert len(_text(Choices("", smallest))) < 500


def _text(chance: Choices) -> str:
    return composed(Names.of(chance)).sql.ours


def test_every_row_arrives_once_and_in_order() -> None:
    for seed, how in itertools.product(range(20), VARIATIONS):
        data = {each: [(n,) for n in range(each.count)] for each in ALL_RELATIONS if each.stream}
        made = [step for steps in rounds(data, random.Random(seed), how) for step in steps]
        assert sum(isinstance(step, Restart) for step in made) == (how in ("all", "restart"))
        for relation, some in data.items():
            came = [row for s in made if isinstance(s, Rows) and s.relation == relation for row in s.rows]
            assert [row for row in came if len(row) == 1] == some

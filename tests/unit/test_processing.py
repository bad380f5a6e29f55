"""Table functions in Python, partition by partition: the same rows however the input is cut, as a loop gives."""

from __future__ import annotations

import datetime as dt
import pickle
import random
from typing import Any

import pytest

from rowtime.functions import row_writer
from rowtime.plan.types import parse_type
from rowtime.processing.partition import ALL, NO_BOUND, FunctionFailure, Kept, Runner
from rowtime.processing.states import Ends

SECOND = 1_000_000
GAP = 20
ROW = parse_type("ROW(SEEN BIGINT, IDS VARCHAR)")
EPOCH = dt.datetime(1970, 1, 1)


class Rule:
    """A function that collects rows until none arrives for a while or there are four; it also counts the rows since its
    state began."""

    def process(self, row: Any, context: Any) -> Any:
        state = context.state
        state["seen"] = state.get("seen", 0) + 1
        state.setdefault("ids", []).append(row.id)
        if len(state["ids"]) == 4:
            context.clear_timer("gap")
            yield from self.on_timer("full", context)
        else:
            context.set_timer("gap", context.rowtime + dt.timedelta(seconds=GAP))

    def on_timer(self, name: str, context: Any) -> Any:
        yield context.state["seen"], ",".join(map(str, context.state.pop("ids")))


def model(rows: list[tuple[int, int]], ttl: int | None, bound: int) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    seen, ids, timer, latest = 0, [], None, None  # type: ignore[var-annotated]
    for time, number in rows:
        if timer is not None and timer <= time:
            found.append((timer, seen, ",".join(map(str, ids))))
            ids, latest, timer = [], timer, None
        if ttl is not None and timer is None and latest is not None and time > latest + ttl:
            seen = 0
        latest, seen = time, seen + 1
        ids.append(number)
        timer = time + GAP
        if len(ids) == 4:
            found.append((time, seen, ",".join(map(str, ids))))
            ids, timer = [], None
    if timer is not None and timer <= bound:
        found.append((timer, seen, ",".join(map(str, ids))))
    return found


class Ending:
    """A function that returns how many rows its value, its list and each entry of its map still contain, for rows and
    at timers."""

    def process(self, row: Any, context: Any) -> Any:
        count = context.value("count", ttl=dt.timedelta(seconds=7))
        recent = context.list("recent", ttl=dt.timedelta(seconds=13))
        latest = context.map("latest", ttl=dt.timedelta(seconds=20))
        count.set(count.get(0) + 1)
        recent.append(row.id)
        latest[row.id % 5] = row.id
        context.set_timer("look", context.rowtime + dt.timedelta(seconds=10))
        yield self.seen(context)

    def on_timer(self, name: str, context: Any) -> Any:
        yield self.seen(context)

    @staticmethod
    def seen(context: Any) -> tuple[int, str]:
        # Without a time to live, as reading needs none.
        return context.value("count").get(0), f"{list(context.list('recent'))}{dict(context.map('latest'))}"


def ending(rows: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """A model that checks all writes so far for each row and timer."""
    found: list[tuple[int, int, str]] = []
    timers = [t + 10 for (t, _), after in zip(rows, [*rows[1:], (10**9, 0)], strict=True) if t + 10 <= after[0]]
    count, recent, wrote, entries = 0, [], -(10**9), {}  # type: ignore[var-annotated]
    for now, order, number in sorted([(t, 1, n) for t, n in rows] + [(t, 0, 0) for t in timers]):
        count = count if now < wrote + 7 else 0
        recent = recent if now < wrote + 13 else []
        entries = {key: (n, at) for key, (n, at) in entries.items() if now < at + 20}
        if order == 1:
            count, wrote = count + 1, now
            recent.append(number)
            entries[number % 5] = (number, now)
        found.append((now, count, f"{recent}{ {key: n for key, (n, _) in entries.items()} }"))
    return found


def runner(function: Any, *, ttl: int | None = None, delay: int = 0) -> Runner:
    state_ttl = None if ttl is None else ttl * SECOND
    return Runner("F", function, ["ID"], {"N": 5}, row_writer(ROW), delay=delay * SECOND, state_ttl=state_ttl)


@pytest.mark.parametrize("seed", range(60))
def test_however_the_rows_are_cut(seed: int) -> None:
    chance = random.Random(seed)
    ttl = chance.choice([None, 1, 30, 90])
    time, rows = 0, []
    for number in range(chance.randrange(80)):
        time += chance.choice([0, 1, 5, GAP, 45, 200])
        rows.append((time, number))
    found, kept = cut(runner(Rule, ttl=ttl), rows, chance)
    assert found == model(rows, ttl, 10_000_000)
    assert ttl is None or kept.to_bytes() is None


@pytest.mark.parametrize("seed", range(60))
def test_states_end_however_the_rows_are_cut(seed: int) -> None:
    chance = random.Random(seed)
    time, rows = 0, []
    for number in range(chance.randrange(120)):
        time += chance.choice([0, 1, 3, 4, 7, 10, 13])
        rows.append((time, number))
    found, kept = cut(runner(Ending), rows, chance)
    assert found == ending(rows)
    assert kept.to_bytes() is None, "nothing is left when all has ended"


def test_states_are_sequences_and_mappings() -> None:
    def use(row: Any, context: Any) -> Any:
        numbers, texts, one = context.list("n"), context.map("t"), context.value("v")
        numbers.set([3, 1, 2])
        numbers.extend([5, 4])
        del numbers[0]
        texts.update(a=1, b=2)
        texts.pop("a")
        one.set([7])
        assert (numbers.index(5), len(texts), "b" in texts, one.get(), context.state) == (2, 1, True, [7], {})
        with pytest.raises(TypeError, match="the state 'v' is of another kind"):
            context.map("v")["k"] = 1
        numbers.clear()
        texts.clear()
        one.set(None)
        yield 0, f"{one.get('none')}{list(numbers)}{dict(texts)}"

    found: list[Any] = []
    kept = Kept()
    runner(use).run(kept, {}, [(0, (1,))], NO_BOUND, lambda t, row: found.append(row))
    assert found == [(0, "none[]{}")]
    assert kept.to_bytes() is None


def test_replaced_ends_are_dropped() -> None:
    ends = Ends({})
    for time in range(100_000):
        ends.set(("n", time % 10), time)
    assert len(ends._queue) < 100
    assert sorted(ends.pop_ended(99_994)) == [("n", key) for key in range(5)]
    assert ends.earliest() == 99_995


def test_what_an_earlier_build_has_saved() -> None:
    kept = Kept.from_bytes(pickle.dumps(({"n": 1}, {}, 5)))
    assert (kept.state, kept.latest, kept.named.kept) == ({"n": 1}, 5, {})


def cut(run: Runner, rows: list[tuple[int, int]], chance: random.Random) -> tuple[list[tuple[int, int, str]], Kept]:
    """Returns the output for rows in random batches with random bounds between them, and the state long after."""
    saved, at, found = None, 0, []
    while at < len(rows):
        until = min(len(rows), at + chance.randrange(5))
        kept = Kept.from_bytes(saved)
        bound = NO_BOUND
        if chance.random() < 0.7:
            bound = (rows[until][0] if until < len(rows) else rows[-1][0]) * SECOND
        given = [(t * SECOND, (n,)) for t, n in rows[at:until]]
        run.run(kept, {}, given, bound, lambda t, row: found.append((t // SECOND, *row)))
        saved, at = kept.to_bytes(), until
    kept = Kept.from_bytes(saved)
    run.run(kept, {}, [], 10_000_000 * SECOND, lambda t, row: found.append((t // SECOND, *row)))
    return found, kept


def test_rows_are_found_by_name_in_any_case() -> None:
    def seen(row: Any, context: Any) -> Any:
        yield row.id + row["Id"] + context.args["N"], ",".join(row)

    found: list[Any] = []
    runner(seen).run(Kept(), {}, [(0, (1,))], NO_BOUND, lambda t, row: found.append(row))
    assert found == [(7, "ID")]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda row, context: row.nothing, "AttributeError: there is no column 'nothing' among ID"),
        (lambda row, context: [(1, 2, 3)], "TypeError: it returns a row of 3 values for 2 columns"),
        (lambda row, context: [{"SEEN": 1, "OTHER": 2}], "TypeError: it returns a column 'OTHER', but its columns are"),
        (lambda row, context: context.set_timer("t", context.rowtime), "ValueError: the timer 't' is set for"),
        (
            lambda row, context: context.map("m", ttl=dt.timedelta(0)),
            "ValueError: the time to live of the state 'm' is 0:00",
        ),
        (
            lambda row, context: context.set_timer("t", context.rowtime + dt.timedelta(seconds=1)),
            "has no method on_timer",
        ),
        (
            lambda row, context: context.emit((1, "a"), rowtime=context.rowtime - dt.timedelta(seconds=3)),
            "its delay of",
        ),
    ],
)
def test_what_breaks_a_promise_is_named(function: Any, reason: str) -> None:
    with pytest.raises(FunctionFailure, match=reason) as failed:
        runner(function, delay=2).run(Kept(), {"K": 7}, [(9 * SECOND, (1,))], ALL, lambda t, row: None)
    assert str(failed.value).startswith("Function 'F' failed: ")
    assert str(failed.value).endswith(", K = 7)")

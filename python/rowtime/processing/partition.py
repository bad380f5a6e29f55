"""The rows, timers and state of one partition, as a table function in Python sees them.

The rules are those of `io.rowtime.api`, which the operator in Java follows: a timer is due after all rows before its
time, and before those at its time; the state of a partition ends `state_ttl` after its latest row or timer.
"""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rowtime.processing.states import Ends, ListState, MapState, States, ValueState

NO_BOUND = -(1 << 63)
ALL = (1 << 63) - 1
"""The bound after the last row of a relation."""
_MOST_TIMERS = 100_000
_EPOCH = dt.datetime(1970, 1, 1)
_MICROSECOND = dt.timedelta(microseconds=1)


class FunctionFailure(Exception):
    """The function has failed, or breaks its contract. The message is for the user."""


class Row(Mapping[str, Any]):
    """A row of the table: `row["PRICE"]` or `row.price`; names are not case-sensitive. A NULL is None, a TIMESTAMP a
    datetime in UTC without a time zone."""

    __slots__ = ("_columns", "_index", "_values")

    def __init__(self, columns: Sequence[str], index: Mapping[str, int], values: Sequence[Any]) -> None:
        self._columns = columns
        self._index = index
        self._values = values

    def __getitem__(self, name: str) -> Any:
        place = self._index.get(name)
        if place is None:
            place = self._index.get(name.upper())
        if place is None:
            raise KeyError(f"there is no column {name!r} among {', '.join(self._columns)}")
        return self._values[place]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as fault:
            raise AttributeError(fault.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass
class Kept:
    """The state and timers of a partition, which are kept from batch to batch; times are in microseconds."""

    state: dict[str, Any] = field(default_factory=dict)
    timers: dict[str, int] = field(default_factory=dict)
    latest: int = NO_BOUND
    named: States = field(default_factory=States)

    def to_bytes(self) -> bytes | None:
        """Returns the saved form; None if there is nothing to keep."""
        if not self.state and not self.timers and not self.named.kept:
            return None
        return pickle.dumps((self.state, self.timers, self.latest, self.named.kept, self.named.ends.of), protocol=5)

    @classmethod
    def from_bytes(cls, saved: bytes | None) -> Kept:
        if saved is None:
            return cls()
        # Earlier builds saved no named states.
        state, timers, latest, *named = pickle.loads(saved)
        return cls(state, timers, latest, States(named[0], Ends(named[1])) if named else States())

    def next_timer(self) -> tuple[int, str] | None:
        return min(((at, name) for name, at in self.timers.items()), default=None)

    def due(self, state_ttl: int | None) -> int:
        """Returns the next bound at which there is work to do without a row, or ALL."""
        timer, end = self.next_timer(), self.named.ends.earliest()
        first = ALL if end is None else min(ALL, end)
        if timer is not None:
            return min(first, timer[0])
        if state_ttl is None or not (self.state or self.named.kept):
            return first
        return min(first, self.latest + state_ttl + 1)

    def expire(self, bound: int, state_ttl: int | None) -> None:
        """Removes state that has ended at a bound. This is called before each row and timer, so reads do not depend on
        where batches end."""
        if bound == ALL:
            return
        self.named.expire(bound)
        if state_ttl is not None and not self.timers and self.latest != NO_BOUND and bound > self.latest + state_ttl:
            self.state.clear()
            self.named.clear()


class Context:
    """The state, timers and output of the partition whose row or timer is being processed.

    `state` is a dict that is saved with the query: its values can be anything that can be pickled, such as numbers,
    texts, times, lists and dicts. `value`, `list` and `map` return states that can expire; their names are independent
    of the keys of `state`. `key` contains the values of PARTITION BY and `args` those of the other arguments, by their
    names in upper case.
    """

    def __init__(self, args: Mapping[str, Any], delay: int) -> None:
        self.args = args
        self.key: Mapping[str, Any] = {}
        self._delay = delay
        self._kept = Kept()
        self._now = NO_BOUND
        self._emitted: Callable[[int, Any], None] = lambda rowtime, row: None

    @property
    def state(self) -> dict[str, Any]:
        return self._kept.state

    def value(self, name: str, ttl: dt.timedelta | None = None) -> ValueState:
        """Returns a state of one value. With a `ttl` it expires when that much event time has passed since it was last
        set. Raises ValueError if `ttl` is shorter than a millisecond."""
        return ValueState(name, self._named_states, self._ending(name, ttl))

    def list(self, name: str, ttl: dt.timedelta | None = None) -> ListState:
        """Returns a state that is a list. With a `ttl` it expires as a whole when that much event time has passed since
        its last change. Raises ValueError as `value`."""
        return ListState(name, self._named_states, self._ending(name, ttl))

    def map(self, name: str, ttl: dt.timedelta | None = None) -> MapState:
        """Returns a state that is a dict. With a `ttl` each entry expires when that much event time has passed since
        its value was set. Raises ValueError as `value`."""
        return MapState(name, self._named_states, self._ending(name, ttl))

    def _named_states(self) -> States:
        return self._kept.named

    def _ending(self, name: str, ttl: dt.timedelta | None) -> Callable[[], int | None]:
        """Returns the function that computes the end of a value that is written now; ROWTIME has whole milliseconds."""
        if ttl is None:
            return lambda: None
        millis = ttl // dt.timedelta(milliseconds=1)
        if millis < 1:
            raise ValueError(f"the time to live of the state {name!r} is {ttl}, which is less than a millisecond")
        return lambda: self._now + millis * 1000

    @property
    def rowtime(self) -> dt.datetime:
        """The ROWTIME of the row, or the time of the timer: no later row of the table is earlier."""
        return _EPOCH + self._now * _MICROSECOND

    def set_timer(self, name: str, at: dt.datetime) -> None:
        """Sets a timer, and replaces a timer of the same name; `at` must be later than `rowtime`."""
        micros = _millis(at)
        if micros <= self._now:
            raise ValueError(f"the timer {name!r} is set for {at}, which is not later than {self.rowtime}")
        self._kept.timers[str(name)] = micros

    def timer(self, name: str) -> dt.datetime | None:
        """Returns the time at which a timer is due, or None if it is not set."""
        at = self._kept.timers.get(name)
        return None if at is None else _EPOCH + at * _MICROSECOND

    def clear_timer(self, name: str) -> None:
        self._kept.timers.pop(name, None)

    def clear(self) -> None:
        """Removes the state and the timers of the partition."""
        self._kept.state.clear()
        self._kept.named.clear()
        self._kept.timers.clear()

    def emit(self, row: Any, rowtime: dt.datetime | None = None) -> None:
        """Emits a row with this `rowtime` (default: that of the row or timer being processed): a tuple or a dict of its
        values, or the value of the only column. `rowtime` may be earlier than the default by at most the declared
        `delay`."""
        micros = self._now if rowtime is None else _millis(rowtime)
        if micros < self._now - self._delay:
            delay = dt.timedelta(microseconds=self._delay)
            raise ValueError(
                f"it emits a row with ROWTIME {rowtime}, which is more than its delay of {delay} before {self.rowtime}"
            )
        self._emitted(micros, row)


class Runner:
    """Runs a function over one partition after another.

    `function` is a class with a method `process(row, context)` and perhaps `on_timer(name, context)`, or a function of
    (row, context). The rows that they return or yield are emitted at the current time.
    """

    def __init__(
        self,
        name: str,
        function: Any,
        columns: Sequence[str],
        args: Mapping[str, Any],
        write: Callable[[Any], tuple[Any, ...]],
        *,
        delay: int,
        state_ttl: int | None,
    ) -> None:
        made = function() if isinstance(function, type) else function
        self._process = made.process if hasattr(made, "process") else made
        self._on_timer = getattr(made, "on_timer", None)
        self._name = name
        self._columns = tuple(columns)
        # A name that matches exactly takes precedence over one in another case.
        self._index = {column.upper(): place for place, column in enumerate(columns)}
        self._index.update({column: place for place, column in enumerate(columns)})
        self._write = write
        self._state_ttl = state_ttl
        self._context = Context(args, delay)

    def run(
        self,
        kept: Kept,
        key: Mapping[str, Any],
        rows: Iterable[tuple[int, Sequence[Any]]],
        bound: int,
        out: Callable[[int, tuple[Any, ...]], None],
    ) -> None:
        """Processes rows with their times, in order, and timers and expirations that are due before `bound`. `out` gets
        each emitted row with its ROWTIME. Raises FunctionFailure."""
        context = self._context
        context._kept, context.key = kept, key
        context._emitted = lambda rowtime, row: out(rowtime, self._write(row))
        for time, values in rows:
            self._fire(time)
            kept.expire(time, self._state_ttl)
            context._now = kept.latest = time
            self._call("the row", self._process, Row(self._columns, self._index, values), context)
        self._fire(bound)
        kept.expire(bound, self._state_ttl)

    def _fire(self, bound: int) -> None:
        context, kept, fired = self._context, self._context._kept, 0
        while kept.timers and (timer := kept.next_timer()) is not None and timer[0] <= bound:
            at, name = timer
            kept.expire(at, self._state_ttl)
            del kept.timers[name]
            context._now = kept.latest = at
            fired += 1
            if bound == ALL and fired > _MOST_TIMERS:
                raise self._failure(
                    RuntimeError(
                        f"more than {_MOST_TIMERS} timers are due after the last row: probably each sets another"
                    ),
                    f"the timer {name!r}",
                )
            if self._on_timer is None:
                raise self._failure(TypeError("it sets a timer but has no method on_timer"), f"the timer {name!r}")
            self._call(f"the timer {name!r}", self._on_timer, name, context)

    def _call(self, what: str, method: Callable[..., Any], *given: Any) -> None:
        try:
            for row in method(*given) or ():
                self._context.emit(row)
        except Exception as fault:
            raise self._failure(fault, what) from fault

    def _failure(self, fault: Exception, what: str) -> FunctionFailure:
        key = "".join(f", {name} = {value}" for name, value in self._context.key.items())
        said = " ".join(f"{type(fault).__name__}: {fault}".split())
        at = self._context.rowtime.isoformat(timespec="milliseconds")
        return FunctionFailure(f"Function '{self._name}' failed: {said} ({what} of {at}{key})")


def _millis(at: dt.datetime) -> int:
    """Converts to microseconds, in whole milliseconds like ROWTIME."""
    if at.tzinfo is not None:
        at = at.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return (at - _EPOCH) // dt.timedelta(milliseconds=1) * 1000

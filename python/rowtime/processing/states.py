"""Named states of a partition that can expire: a value, a list, a map whose entries expire one by one.

The rules are those of `io.rowtime.api.ProcessContext`: a value written at a ROWTIME is visible to rows and timers
earlier than that ROWTIME plus the time to live. Each write sets the end again; a write through a state without a time
to live has no end. Times are in microseconds.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, MutableMapping, MutableSequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, overload

Part = tuple[Hashable, ...]
"""A state, (name,), or an entry of a map, (name, key)."""


class Ends:
    """The ends of states and entries."""

    def __init__(self, ends: dict[Part, int]) -> None:
        self.of = ends
        self._numbers = count()
        # All ends, including some that a later write has replaced.
        self._queue = [(end, next(self._numbers), part) for part, end in ends.items()]
        heapq.heapify(self._queue)

    def set(self, part: Part, end: int | None) -> None:
        """Sets the end of a part; None if it has none."""
        if end is None:
            self.of.pop(part, None)
            return
        if self.of.get(part) != end:
            heapq.heappush(self._queue, (end, next(self._numbers), part))
        self.of[part] = end
        if len(self._queue) > 2 * len(self.of) + 64:
            self._queue = [(at, next(self._numbers), each) for each, at in self.of.items()]
            heapq.heapify(self._queue)

    def clear(self) -> None:
        self.of.clear()
        self._queue.clear()

    def earliest(self) -> int | None:
        while self._queue and self.of.get(self._queue[0][2]) != self._queue[0][0]:
            heapq.heappop(self._queue)
        return self._queue[0][0] if self._queue else None

    def pop_ended(self, time: int) -> Iterator[Part]:
        """Yields the parts that end at a time or before, and removes their ends."""
        while (end := self.earliest()) is not None and end <= time:
            part = heapq.heappop(self._queue)[2]
            del self.of[part]
            yield part


@dataclass
class States:
    """The values of named states, by name, and their ends."""

    kept: dict[str, Any] = field(default_factory=dict)
    ends: Ends = field(default_factory=lambda: Ends({}))

    def set(self, name: str, value: Any, end: int | None) -> None:
        self.kept[name] = value
        self.ends.set((name,), end)

    def put(self, name: str, key: Hashable, value: Any, end: int | None) -> None:
        self.kept.setdefault(name, {})[key] = value
        self.ends.set((name, key), end)

    def remove(self, name: str) -> None:
        kept = self.kept.pop(name, None)
        self.ends.set((name,), None)
        if isinstance(kept, dict):
            for key in kept:
                self.ends.set((name, key), None)

    def remove_entry(self, name: str, key: Hashable) -> None:
        """Removes an entry of a map. Raises KeyError if it does not exist."""
        entries = self.kept.get(name, {})
        del entries[key]
        self.ends.set((name, key), None)
        if not entries:
            del self.kept[name]

    def clear(self) -> None:
        self.kept.clear()
        self.ends.clear()

    def expire(self, time: int) -> None:
        """Removes parts that have ended at a time: a read at exactly that time does not find them."""
        for name, *key in self.ends.pop_ended(time):
            if key:
                self.remove_entry(str(name), key[0])
            else:
                self.remove(str(name))


class _State:
    """A state of the current partition, whose states `states` returns; `end` returns the end of a value that is written
    now."""

    def __init__(self, name: str, states: Callable[[], States], end: Callable[[], int | None]) -> None:
        self._name = name
        self._states = states
        self._end = end

    def _load(self, kind: type, empty: Any) -> Any:
        kept = self._states().kept.get(self._name, empty)
        if not isinstance(kept, kind):
            raise TypeError(f"the state {self._name!r} is of another kind")
        return kept

    def clear(self) -> None:
        """Removes the state."""
        self._states().remove(self._name)


@dataclass(frozen=True)
class _Box:
    """A wrapper of a stored value, so that a value that is a list is not mistaken for a list of values."""

    value: Any


class ValueState(_State):
    """A state of one value, which expires when its time to live has passed since the last `set`."""

    def get(self, default: Any = None) -> Any:
        """Returns the value, or `default` if there is none."""
        kept = self._load(_Box, _Box(None))
        return default if kept.value is None else kept.value

    def set(self, value: Any) -> None:
        """Sets the value; None clears the state."""
        self._load(_Box, _Box(None))
        if value is None:
            self.clear()
        else:
            self._states().set(self._name, _Box(value), self._end())


class ListState(_State, MutableSequence[Any]):
    """A list, which expires as a whole when its time to live has passed since its last change."""

    def _store(self, values: list[Any]) -> None:
        if values:
            self._states().set(self._name, values, self._end())
        else:
            self.clear()

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return self._load(list, [])[place]

    def __len__(self) -> int:
        return len(self._load(list, []))

    def __setitem__(self, place: Any, value: Any) -> None:
        values = self._load(list, [])
        values[place] = value
        self._store(values)

    def __delitem__(self, place: int | slice) -> None:
        values = self._load(list, [])
        del values[place]
        self._store(values)

    def insert(self, place: int, value: Any) -> None:
        values = self._load(list, [])
        values.insert(place, value)
        self._store(values)

    def set(self, values: Iterable[Any]) -> None:
        """Replaces all values by these."""
        copy = list(values)
        self._store(copy)


class MapState(_State, MutableMapping[Any, Any]):
    """A dict; each entry expires when the time to live has passed since its value was set."""

    def __getitem__(self, key: Hashable) -> Any:
        return self._load(dict, {})[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._load(dict, {}))

    def __len__(self) -> int:
        return len(self._load(dict, {}))

    def __setitem__(self, key: Hashable, value: Any) -> None:
        self._load(dict, {})
        self._states().put(self._name, key, value, self._end())

    def __delitem__(self, key: Hashable) -> None:
        self._load(dict, {})
        self._states().remove_entry(self._name, key)

"""States of a partition that have a name and can end: a value, a list, a map whose entries end one by one.

The rules are those of `io.rowtime.api.ProcessContext`: what was written at a ROWTIME is there for rows and timers
earlier than that ROWTIME plus the time to live. Each write fixes the end anew; a write through a state without a time
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
    """When states and entries end."""

    def __init__(self, ends: dict[Part, int]) -> None:
        self.of = ends
        self._numbers = count()
        # Each end, and some that a later write has replaced.
        self._queue = [(end, next(self._numbers), part) for part, end in ends.items()]
        heapq.heapify(self._queue)

    def set(self, part: Part, end: int | None) -> None:
        """`end` is None for none."""
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

    def passed(self, time: int) -> Iterator[Part]:
        """What ends at a time or before; it has no end from now on."""
        while (end := self.earliest()) is not None and end <= time:
            part = heapq.heappop(self._queue)[2]
            del self.of[part]
            yield part


@dataclass
class States:
    """What named states keep, by name, and when it ends."""

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
        """Raises KeyError if there is none."""
        entries = self.kept.get(name, {})
        del entries[key]
        self.ends.set((name, key), None)
        if not entries:
            del self.kept[name]

    def clear(self) -> None:
        self.kept.clear()
        self.ends.clear()

    def expire(self, time: int) -> None:
        """Removes what has ended at a time: a read at its end does not find it."""
        for name, *key in self.ends.passed(time):
            if key:
                self.remove_entry(str(name), key[0])
            else:
                self.remove(str(name))


class _State:
    """A state of the partition at hand, whose states `states` returns; `end` returns the end of what is written now."""

    def __init__(self, name: str, states: Callable[[], States], end: Callable[[], int | None]) -> None:
        self._name = name
        self._states = states
        self._end = end

    def _kept(self, kind: type, empty: Any) -> Any:
        kept = self._states().kept.get(self._name, empty)
        if not isinstance(kept, kind):
            raise TypeError(f"the state {self._name!r} is of another kind")
        return kept

    def clear(self) -> None:
        """Removes the state."""
        self._states().remove(self._name)


@dataclass(frozen=True)
class _Box:
    """A value as it is kept, so that a value that is a list is not taken for a list of values."""

    value: Any


class ValueState(_State):
    """A state of one value, which ends when its time to live has passed since the last `set`."""

    def get(self, default: Any = None) -> Any:
        """The value, or `default` if there is none."""
        kept = self._kept(_Box, _Box(None))
        return default if kept.value is None else kept.value

    def set(self, value: Any) -> None:
        """Keeps a value; None clears the state."""
        self._kept(_Box, _Box(None))
        if value is None:
            self.clear()
        else:
            self._states().set(self._name, _Box(value), self._end())


class ListState(_State, MutableSequence[Any]):
    """A list, which ends as a whole when its time to live has passed since its last change."""

    def _changed(self, values: list[Any]) -> None:
        if values:
            self._states().set(self._name, values, self._end())
        else:
            self.clear()

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return self._kept(list, [])[place]

    def __len__(self) -> int:
        return len(self._kept(list, []))

    def __setitem__(self, place: Any, value: Any) -> None:
        values = self._kept(list, [])
        values[place] = value
        self._changed(values)

    def __delitem__(self, place: int | slice) -> None:
        values = self._kept(list, [])
        del values[place]
        self._changed(values)

    def insert(self, place: int, value: Any) -> None:
        values = self._kept(list, [])
        values.insert(place, value)
        self._changed(values)

    def set(self, values: Iterable[Any]) -> None:
        """Replaces all values by these."""
        copy = list(values)
        self._changed(copy)


class MapState(_State, MutableMapping[Any, Any]):
    """A dict; each entry ends when the time to live has passed since its value was set."""

    def __getitem__(self, key: Hashable) -> Any:
        return self._kept(dict, {})[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._kept(dict, {}))

    def __len__(self) -> int:
        return len(self._kept(dict, {}))

    def __setitem__(self, key: Hashable, value: Any) -> None:
        self._kept(dict, {})
        self._states().put(self._name, key, value, self._end())

    def __delitem__(self, key: Hashable) -> None:
        self._kept(dict, {})
        self._states().remove_entry(self._name, key)

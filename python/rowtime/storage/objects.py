"""Storage in an object store.

A conditional PUT has more than two outcomes: 412 (the name is taken), 409 (somebody else writes it now), an error of
the server, or no answer. Any of them may come although the object was created: clients and proxies send a request again
that had no answer, and then lose to themselves. So each object that is created has an identity of its own, and after
any answer but success the object is read back: one with this identity is ours, one with another is not, and where there
is none the same request is sent again.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from rowtime.storage.client import NotCreated, ObjectClient, Unanswered
from rowtime.storage.interface import Content, Storage, StorageUnavailable, UnknownOutcome

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

PAUSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each attempt of a request."""

_background = ThreadPoolExecutor(8, "rowtime-put")


class ObjectStorage(Storage):
    """The objects of a client whose keys begin with `prefix` (empty, or with `/` at its end)."""

    hints_are_free = False

    def __init__(self, client: ObjectClient, prefix: str = "", executor: Executor = _background) -> None:
        self.client = client
        self.prefix = prefix
        self._executor = executor

    @property
    def name(self) -> str:
        return self.place().rstrip("/").rpartition("/")[2]

    def place(self, name: str = "") -> str:
        return f"{self.client.uri}/{self.prefix}{name}"

    def get(self, name: str) -> bytes:
        return bytes(self._repeated(name, lambda key: self.client.get(key).content))

    def get_buffer(self, name: str) -> pa.Buffer:
        import pyarrow as pa

        return pa.py_buffer(self._repeated(name, lambda key: self.client.get(key).content))

    def identity(self, name: str) -> str | None:
        """Returns the identity with which an object was created; None if it has none."""
        return self._repeated(name, lambda key: self.client.get(key).identity)

    def exists(self, name: str) -> bool:
        return self._repeated(name, self.client.exists)

    def list(self, folder: str = "", after: str = "") -> list[str]:
        begin = f"{self.prefix}{folder}/" if folder else self.prefix
        keys = self._repeated(folder, lambda _: list(self.client.list(begin, begin + after)))
        return sorted(name for key in keys if (name := key[len(begin) :]) > after and "/" not in name)

    def put_if_absent(self, name: str, content: Content, ready: Callable[[], None] = lambda: None) -> bool:
        ready()
        key, identity = self.prefix + name, uuid.uuid4().hex
        last: Exception | None = None
        for pause in PAUSES:
            time.sleep(pause)
            try:
                self.client.create(key, content, identity)
                return True
            except (NotCreated, Unanswered) as fault:
                last = fault
            try:
                return self.client.get(key).identity == identity
            except FileNotFoundError:
                # Refused for the sake of a writer that has failed, or never received.
                continue
            except Unanswered as fault:
                last = fault
        raise UnknownOutcome(f"it is not known whether '{self.place(name)}' was created ({last})") from last

    def put(self, name: str, content: Content) -> None:
        self._repeated(name, lambda key: self.client.put(key, content))

    def put_new(self, name: str, content: Content) -> Future[None]:
        return self._executor.submit(self.put, name, content)

    def put_hint(self, name: str, content: Content) -> None:
        self._executor.submit(self._put_hint, name, content)

    def _put_hint(self, name: str, content: Content) -> None:
        with contextlib.suppress(OSError):
            self.client.put(self.prefix + name, content)

    def delete(self, name: str) -> None:
        self._repeated(name, self.client.delete)

    def for_library(self) -> tuple[str, dict[str, str] | None]:
        return self.place(), dict(self.client.settings)

    def is_there(self) -> bool:
        return True

    def prepare(self, folder: str = "") -> None:
        """Does nothing: there are no folders."""

    def remove_drafts(self, folder: str = "", is_old: Callable[[float], bool] | None = None) -> int:
        """Does nothing: an object appears whole, or not at all."""
        return 0

    def _repeated(self, name: str, request: Callable[[str], T]) -> T:
        """Makes a request whose repetition has no further effect, until it is answered."""
        last: Exception | None = None
        for pause in PAUSES:
            time.sleep(pause)
            try:
                return request(self.prefix + name)
            except Unanswered as fault:
                last = fault
        raise StorageUnavailable(f"'{self.place(name)}' cannot be used: {last}") from last

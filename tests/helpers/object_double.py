"""A double of an object store in memory that answers as badly as a real one may.

It loses requests and replies, carries requests out late, sends a request again whose reply it has lost, refuses a PUT
with 409, and lists objects as they were a while ago. It never tells a lie: what it answers was so at some time during
the request, except for listings.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ClassVar

from rowtime.storage.client import NotCreated, StoredObject, Unanswered


class ObjectDouble:
    """Implements `ObjectClient`. `badness` is the chance that a request is answered badly."""

    uri = "double://bucket"
    settings: ClassVar[dict[str, str]] = {}

    def __init__(self, seed: int = 0, badness: float = 0.0) -> None:
        self.objects: dict[str, StoredObject] = {}
        self.badness = badness
        self.requests: list[str] = []
        self.faults: dict[str, int] = {}
        self.has_fence = True
        self.keeps_identity = True
        self._chance = random.Random(seed)
        self._late: list[Callable[[], Any]] = []
        self._listed: list[str] = []
        self._lock = threading.RLock()

    # --- requests ----------------------------------------------------------------------------------------------------

    def create(self, key: str, content: Any, identity: str) -> None:
        stored = StoredObject(memoryview(bytes(content)), identity if self.keeps_identity else None)
        with self._lock:
            if self._happens("conflict"):
                self.requests.append(f"PUT {key}")
                raise NotCreated("409 ConditionalRequestConflict")
            if self._happens("resent"):
                self._create(key, stored)
            self._request(f"PUT {key}", lambda: self._create(key, stored))

    def put(self, key: str, content: Any) -> None:
        stored = StoredObject(memoryview(bytes(content)), None)
        # Never late: a request that overtakes the next one of its writer is what only conditional ones are safe from.
        self._request(f"PUT {key}", lambda: self.objects.update({key: stored}), late=False)

    def get(self, key: str) -> StoredObject:
        def found() -> StoredObject:
            if key not in self.objects:
                raise FileNotFoundError(key)
            return self.objects[key]

        return self._request(f"GET {key}", found, late=False)

    def exists(self, key: str) -> bool:
        return self._request(f"HEAD {key}", lambda: key in self.objects, late=False)

    def list(self, prefix: str, after: str) -> list[str]:
        def found() -> list[str]:
            if not self._happens("stale list"):
                self._listed = sorted(self.objects)
            return [key for key in self._listed if key.startswith(prefix) and key > after]

        return self._request(f"LIST {prefix}", found, late=False)

    def delete(self, key: str) -> None:
        self._request(f"DELETE {key}", lambda: self.objects.pop(key, None), late=False)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _create(self, key: str, stored: StoredObject) -> None:
        if key in self.objects and self.has_fence:
            raise NotCreated("412 Precondition Failed")
        self.objects[key] = stored

    def _request(self, what: str, carry_out: Callable[[], Any], *, late: bool = True) -> Any:
        with self._lock:
            self.requests.append(what)
            self._carry_out_late()
            if self._happens("lost request"):
                raise Unanswered("timed out")
            if late and self._happens("late"):
                self._late.append(carry_out)
                raise Unanswered("timed out")
            done = carry_out()
            if self._happens("lost reply"):
                raise Unanswered("503 Service Unavailable")
            return done

    def _carry_out_late(self) -> None:
        for request in list(self._late):
            if self._chance.random() < 0.3:
                self._late.remove(request)
                with contextlib.suppress(NotCreated):
                    request()

    def _happens(self, fault: str) -> bool:
        happens = self._chance.random() < self.badness
        if happens:
            self.faults[fault] = self.faults.get(fault, 0) + 1
        return happens


class SameThread(Executor):
    """Runs what is submitted at once: the faults of a seed then come in the same order each time."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except Exception as fault:
            done.set_exception(fault)
        return done

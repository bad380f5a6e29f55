"""Checks that an object store can serve as a fence, before anything relies on it.

Some stores, and some proxies before a store, ignore the condition of a PUT: two writers would then both believe that
they have made the same commit, and the rows of one would be lost.
"""

from __future__ import annotations

import contextlib
import uuid

from rowtime.errors import error
from rowtime.storage.client import NotCreated, Unanswered
from rowtime.storage.interface import StorageUnavailable
from rowtime.storage.objects import ObjectStorage

FOLDER = "_rowtime_fence"


def check_fence(storage: ObjectStorage) -> None:
    """Creates an object twice, and deletes it. Raises RowtimeError RT0650 if the store does not refuse the second time,
    or loses the identity of the object, and RT0651 if it does not answer."""
    name = f"{FOLDER}/{uuid.uuid4().hex}"
    first, second = uuid.uuid4().hex, uuid.uuid4().hex
    try:
        if not storage.put_if_absent(name, first.encode()):
            raise _no_fence(storage, "it refuses to create an object under a new name")
        try:
            with contextlib.suppress(NotCreated):
                storage.client.create(storage.prefix + name, second.encode(), second)
                raise _no_fence(storage, "a second conditional PUT of the same name was accepted")
        except Unanswered:
            # What it has done shows in the object.
            pass
        found = storage.get(name)
        if found != first.encode():
            raise _no_fence(storage, "a second conditional PUT has replaced the object")
        if storage.identity(name) is None:
            raise _no_fence(storage, "it does not keep the metadata of an object")
    except StorageUnavailable as fault:
        raise error(
            "RT0651",
            f"The object store '{storage.place()}' cannot be used: {fault}",
            hint="Check the URI, the credentials and the network, and try again",
        ) from fault
    finally:
        with contextlib.suppress(StorageUnavailable):
            storage.delete(name)


def _no_fence(storage: ObjectStorage, what: str) -> Exception:
    return error(
        "RT0650",
        f"The object store '{storage.place()}' cannot keep two writers apart: {what}",
        hint="Use a store that supports conditional writes (If-None-Match), without a proxy that drops them",
    )

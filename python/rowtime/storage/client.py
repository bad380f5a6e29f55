"""The requests to an object store that rowtime makes, each once and without a guess about its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from rowtime.storage.interface import Content, StorageUnavailable


class NotCreated(Exception):
    """The store has refused to create an object: the name is taken, or it was written at that moment."""


class Unanswered(StorageUnavailable):
    """A request has failed, or had no answer in time. It may have been carried out, or may still be."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as it is stored: its content, and the identity with which it was created, None if it has none."""

    content: memoryview
    identity: str | None


class ObjectClient(Protocol):
    """One bucket, or a part of it. All methods raise Unanswered."""

    uri: str

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings with which other clients reach the same store."""

    def create(self, key: str, content: Content, identity: str) -> None:
        """Creates an object if there is none of that key, and stores the identity with it. Raises NotCreated."""

    def put(self, key: str, content: Content) -> None:
        """Creates or replaces an object."""

    def get(self, key: str) -> StoredObject:
        """Returns an object. Raises FileNotFoundError."""

    def exists(self, key: str) -> bool:
        """Returns whether there is an object of that key."""

    def list(self, prefix: str, after: str) -> Iterable[str]:
        """Returns the keys that begin with `prefix` and are greater than `after`, in order."""

    def delete(self, key: str) -> None:
        """Deletes an object, if it exists."""

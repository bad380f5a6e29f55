"""The interface of storage: objects by name below one place.

There is no rename, no lock, no append and no time of modification, because object stores have none. Names are relative
to the place, with `/` between their parts; a name that begins with a dot belongs to the storage itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

Content: TypeAlias = "bytes | memoryview | pa.Buffer"


class StorageUnavailable(OSError):
    """A storage does not answer, or refuses a request. Nothing was changed, or the change does no harm: an object under
    a name that nobody knows."""


class UnknownOutcome(StorageUnavailable):
    """It is not known whether an object was created. It may still be created later, with that content."""


class Storage(ABC):
    """The objects below one place. May be used from any thread; any number of processes may use the same place."""

    hints_are_free: bool
    """Whether a hint costs next to nothing; elsewhere each is a request, and those that only save time are left out."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The last part of the place's own name."""

    @abstractmethod
    def place(self, name: str = "") -> str:
        """Returns the path or URI of an object, for messages."""

    # --- reading -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def get(self, name: str) -> bytes:
        """Returns the content of an object. Raises FileNotFoundError if it does not exist."""

    @abstractmethod
    def get_buffer(self, name: str) -> pa.Buffer:
        """Like `get`, for large objects: where it can be, the content is not read before it is used."""

    @abstractmethod
    def exists(self, name: str) -> bool:
        """Returns whether an object exists."""

    @abstractmethod
    def list(self, folder: str = "", after: str = "") -> list[str]:
        """Returns, in order, the names of the objects directly in a folder that are greater than `after`, without the
        folder. An object that was written or deleted a moment ago may be missing or still be there."""

    # --- writing -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def put_if_absent(self, name: str, content: Content, ready: Callable[[], None] = lambda: None) -> bool:
        """Creates an object unless the name is taken; of all who try, one succeeds, and is told so. Returns whether
        this call has; the object is durable then. Calls `ready` once before the object can appear.

        Raises UnknownOutcome, and what `ready` raises.
        """

    @abstractmethod
    def put(self, name: str, content: Content) -> None:
        """Creates or replaces an object: readers find the earlier or the new content, and never a part. It is durable
        on return. Raises FileNotFoundError if the place itself was deleted and can tell so."""

    @abstractmethod
    def put_new(self, name: str, content: Content) -> Future[None]:
        """Writes an object under a name that no one else uses, and that no one reads before the returned future is
        done; it is durable then."""

    @abstractmethod
    def put_hint(self, name: str, content: Content) -> None:
        """Writes a small object that may be lost, be late, or be read half-written: its reader must be able to tell.
        Raises nothing."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Deletes an object, if it exists."""

    # --- the place ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def for_library(self) -> tuple[str, dict[str, str] | None]:
        """Returns the location of the place, and the settings, with which Delta's library opens it."""

    @abstractmethod
    def is_there(self) -> bool:
        """Returns whether the place exists; true where it needs not be prepared."""

    @abstractmethod
    def prepare(self, folder: str = "") -> None:
        """Creates a folder, and the place if it is missing, where objects need one."""

    @abstractmethod
    def remove_drafts(self, folder: str = "", is_old: Callable[[float], bool] | None = None) -> int:
        """Deletes what writers have left in a folder that were killed; with `is_old`, only what was last written at a
        time (in seconds since 1970) for which it is true. Returns how many."""

"""Opens a storage by its location: a path, or a URI."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rowtime.errors import error
from rowtime.storage.fence import check_fence
from rowtime.storage.interface import Storage
from rowtime.storage.local import LocalStorage
from rowtime.storage.objects import ObjectStorage


def local_folder(location: str) -> Path | None:
    """Returns the folder of this machine that a path or a URI `file:…` names; None for other URIs."""
    if location.startswith("file:"):
        return Path(unquote(urlsplit(location).path))
    return None if "://" in location else Path(location)


def open_storage(location: str, **settings: Any) -> Storage:
    """Returns the storage at a path, or at a URI `file:///…` or `s3://bucket/prefix`; `settings` are those of the
    client. Raises RowtimeError RT0650 or RT0651 for an object store that cannot be used, or of a kind that rowtime does
    not know."""
    folder = local_folder(location)
    if folder is not None:
        return LocalStorage(folder)
    if location.startswith("s3://"):
        from rowtime.storage.s3 import S3Client

        found = ObjectStorage(S3Client(location, **settings))
        check_fence(found)
        return found
    raise error("RT0651", f"The storage '{location}' cannot be used: its kind is not known", hint="Use file or s3")

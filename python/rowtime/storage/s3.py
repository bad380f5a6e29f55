"""Requests to S3, and to stores that speak its protocol, by obstore.

Settings come from the environment, as for other clients: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT, AWS_ALLOW_HTTP.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from rowtime.errors import error
from rowtime.storage.client import NotCreated, StoredObject, Unanswered
from rowtime.storage.interface import Content

_IDENTITY = "rowtimeidentity"
"""The name of the metadata with an object's identity."""
_TIMEOUT = "30s"
_RETRIES = {"max_retries": 2, "retry_timeout": dt.timedelta(seconds=60)}


class S3Client:
    """A bucket, or the part of it below a prefix, by its URI `s3://bucket/prefix`."""

    def __init__(self, uri: str, **settings: Any) -> None:
        """Raises RowtimeError RT0651 if obstore is not installed, or does not accept the URI or the settings."""
        try:
            import obstore
            from obstore.store import S3Store
        except ImportError:
            raise error(
                "RT0651",
                f"The object store '{uri}' cannot be used: the package obstore is not installed",
                hint="pip install 'rowtime[s3]'",
            ) from None
        self.uri = uri.rstrip("/")
        options = {**settings, **settings.get("client_options", {})}
        self.settings: dict[str, str] = {
            str(name): str(value).lower() if isinstance(value, bool) else value
            for name, value in options.items()
            if isinstance(value, str | bool)
        }
        self._requests = obstore
        try:
            client = {"timeout": _TIMEOUT, "connect_timeout": "5s", **settings.pop("client_options", {})}
            retries = settings.pop("retry_config", _RETRIES)
            self._store = S3Store.from_url(self.uri, client_options=client, retry_config=retries, **settings)
        except (obstore.exceptions.BaseError, ValueError) as fault:
            raise error("RT0651", f"The object store '{uri}' cannot be used: {_first_line(fault)}") from fault

    def create(self, key: str, content: Content, identity: str) -> None:
        with self._faults():
            try:
                self._requests.put(self._store, key, bytes(content), mode="create", attributes={_IDENTITY: identity})
            except (self._requests.exceptions.AlreadyExistsError, self._requests.exceptions.PreconditionError) as fault:
                raise NotCreated(_first_line(fault)) from fault

    def put(self, key: str, content: Content) -> None:
        with self._faults():
            self._requests.put(self._store, key, bytes(content))

    def get(self, key: str) -> StoredObject:
        with self._faults():
            found = self._requests.get(self._store, key)
            return StoredObject(memoryview(found.bytes()), found.attributes.get(_IDENTITY))

    def exists(self, key: str) -> bool:
        with self._faults():
            try:
                self._requests.head(self._store, key)
            except FileNotFoundError:
                return False
            return True

    def list(self, prefix: str, after: str) -> Iterable[str]:
        with self._faults():
            # A prefix is a folder to obstore, without the separator.
            pages = self._requests.list(self._store, prefix.rstrip("/") or None, offset=after or None)
            return sorted(str(one["path"]) for page in pages for one in page)

    def delete(self, key: str) -> None:
        with self._faults(), contextlib.suppress(FileNotFoundError):
            self._requests.delete(self._store, key)

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except self._requests.exceptions.BaseError as fault:
            raise Unanswered(_first_line(fault)) from fault


def _first_line(fault: BaseException) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]

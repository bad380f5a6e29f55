"""An HTTP client for requests that carry rows or a token. It follows a redirect only to the same server, and only if
the redirect keeps the method and the body: any other would lose the rows, or show them and the token to a stranger."""

from __future__ import annotations

import urllib.request
from http.client import HTTPMessage
from typing import IO, Any
from urllib.parse import urljoin, urlsplit

from rowtime.terminal import printable

_KEEP_METHOD = (307, 308)
_PORTS = {"http": 80, "https": 443}


class Redirected(OSError):
    """A redirect that is not followed."""


class _SameServer(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request:
        if _origin(newurl) != _origin(req.full_url):
            raise Redirected(f"redirects to another server, {printable(_shown(newurl))}; name that one if you trust it")
        if code not in _KEEP_METHOD and req.get_method() != "GET":
            raise Redirected(f"redirects with status {code}, which drops the body of a request; use 307 or 308")
        return urllib.request.Request(newurl, req.data, dict(req.header_items()), method=req.get_method())

    # Python before 3.11 does not know 308.
    http_error_308 = urllib.request.HTTPRedirectHandler.http_error_302


def _client() -> urllib.request.OpenerDirector:
    """Returns a client for HTTP and HTTPS. urllib's own also opens files and FTP, where a POST loses its body."""
    client = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
        _SameServer,
    ):
        client.add_handler(handler())
    return client


def send(request: urllib.request.Request | str, timeout: float) -> Any:
    """Sends a request. Returns the response, which the caller closes. Raises urllib.error.HTTPError for a status other
    than 2xx, Redirected for a redirect that is not followed, and OSError if there is no answer."""
    return _client().open(request, timeout=timeout)


def _origin(url: str) -> tuple[str, str | None, int | None] | None:
    """Returns the scheme, host and port of a URL; None if it has none."""
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None


def is_web_address(url: str) -> bool:
    """Returns whether a text is a URL of HTTP or HTTPS with a host."""
    origin = _origin(url)
    return origin is not None and origin[0] in _PORTS and bool(origin[1])


def _shown(url: str) -> str:
    """Returns the scheme, host and port of a URL: what follows may be a secret."""
    return urljoin(url, "/")[:200]

"""The secrets that this process has read, so that messages of other software do not show them.

A message of a driver, a broker or a user's own function may contain anything. So each secret is remembered when it is
read, and removed from every diagnostic when that is created.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable

from rowtime.lexical.words import words
from rowtime.secrets import HIDDEN, harmless

_MOST = 10_000
_LONG = 8
"""The length from which a secret is also found within words."""
_EVERYDAY = words(
    """
    true false null none all yes no on off user username password passwd pwd host port address db database key token
    secret
    """
)

_known: dict[str, None] = {}
_pattern: re.Pattern[str] | None = None
_lock = threading.Lock()


def remember(secrets: Iterable[str]) -> None:
    """Remembers secrets, which are masked from now on."""
    global _pattern
    new = [secret for secret in secrets if _is_specific(secret) and secret not in _known]
    if not new:
        return
    with _lock:
        for secret in new:
            _known[secret] = None
        while len(_known) > _MOST:
            del _known[next(iter(_known))]
        longest_first = sorted(_known, key=len, reverse=True)
        _pattern = re.compile("|".join(_alternative(secret) for secret in longest_first))


def without_secrets(text: str) -> str:
    """Returns the text with each secret replaced by `***`."""
    pattern = _pattern
    return text if pattern is None else pattern.sub(HIDDEN, text)


def forget() -> None:
    """Forgets all; for tests."""
    global _pattern
    with _lock:
        _known.clear()
        _pattern = None


def _is_specific(secret: str) -> bool:
    """Returns whether a secret is specific enough: masking a single character or a common word hides nothing, and makes
    messages unreadable."""
    bare = secret.strip()
    return (
        len(bare) > 1
        and bare != HIDDEN
        and bare.lower() not in _EVERYDAY
        and not harmless.is_known_value(bare)
        and not (bare.isdigit() and len(bare) < 4)
    )


def _alternative(secret: str) -> str:
    words = re.escape(secret)
    if len(secret) >= _LONG:
        return words
    before = r"(?<!\w)" if re.match(r"\w", secret) else ""
    return before + words + (r"(?!\w)" if re.search(r"\w\Z", secret) else "")

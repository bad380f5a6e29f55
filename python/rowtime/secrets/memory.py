"""The secrets that this process has met, so that none of them is shown in what others say of a fault.

A driver, a broker, a function of the user's own: nobody knows what their messages hold. So each secret is remembered
when it is read, and taken out of every diagnostic when that is made.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable

from rowtime.lexical.words import words
from rowtime.secrets import HIDDEN

_MOST = 10_000
_LONG = 8
"""Characters from which on a secret is also found inside of words."""
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
    """These are not to be shown from now on."""
    global _pattern
    new = [secret for secret in secrets if _is_telling(secret) and secret not in _known]
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
    """The text with `***` for each of them."""
    pattern = _pattern
    return text if pattern is None else pattern.sub(HIDDEN, text)


def forget() -> None:
    """Forgets all; for tests."""
    global _pattern
    with _lock:
        _known.clear()
        _pattern = None


def _is_telling(secret: str) -> bool:
    """One character, or a word that stands everywhere, tells nothing, and would be missed in messages."""
    bare = secret.strip()
    return len(bare) > 1 and bare != HIDDEN and bare.lower() not in _EVERYDAY and not (bare.isdigit() and len(bare) < 4)


def _alternative(secret: str) -> str:
    words = re.escape(secret)
    if len(secret) >= _LONG:
        return words
    before = r"(?<!\w)" if re.match(r"\w", secret) else ""
    return before + words + (r"(?!\w)" if re.search(r"\w\Z", secret) else "")

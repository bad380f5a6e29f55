"""Masks secrets in URLs: shows scheme, host, port, path, and the parameters that are known to be harmless.

Databases write users, passwords and parameters in many ways, and a password may contain any of the separators. So this
does not search for secrets: any text that does not have the form of a harmless part is masked, with all that follows in
the same part.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from rowtime.lexical.words import words
from rowtime.secrets import HIDDEN

_SCHEME = re.compile(
    r"""jdbc: [a-z][\w+.-]*: (?: (?: thin | oci8? | kprb | mem | tcp | ssl | file | zip | res | hsqls? | tds | jtds |
        sqlserver | replication | loadbalance | sequential | aurora | failover ) : )*
      | [a-z][a-z0-9+.-]* : (?=//)""",
    re.VERBOSE | re.IGNORECASE,
)
# These are followed by a path, and not by a host.
_OF_FILES = re.compile(r"jdbc:(?:sqlite|duckdb|h2|hsqldb|derby):|file:", re.IGNORECASE)
_HOST = r"(?:[\w.-]+|\[[0-9A-Fa-f:.%]+\])(?::\d{1,5})?"
_PLACE = re.compile(rf"(?://)?{_HOST}(?:,{_HOST})*")
_PATH = re.compile(r"(?:/[\w.~%+-]*)*")
# Oracle's host:port:sid.
_SID = re.compile(r":[\w.-]+\Z")
_FILE = re.compile(r":memory:|(?:[A-Za-z]:(?=[/\\]))?[\w.~/\\ +-]*")
_TAIL = re.compile(r"[?;#]")

_PARAMETERS = words(
    """
    user username ssl sslmode sslrootcert usessl requiressl encrypt trustservercertificate applicationname
    application_name connecttimeout sockettimeout logintimeout currentschema schema database databasename db
    servername portnumber warehouse role stringtype rewritebatchedinserts mode cache busy_timeout servertimezone
    characterencoding useunicode targetservertype loadbalancehosts readonly access_mode
    """
)
_HARMLESS_VALUE = re.compile(r"[\w.:/,+ -]*\Z")
# Names that may be shown although their values may not.
_SECRETS = words("password pass passwd pwd token secret key apikey api_key access_token auth")


def looks_like_url(value: str) -> bool:
    return bool(_SCHEME.match(value.lstrip()))


def masked_url(url: str) -> str:
    """Returns the URL with its secrets masked."""
    return split_secrets(url)[0]


def split_secrets(url: str) -> tuple[str, list[str]]:
    """Returns the URL with its secrets masked, and the parts that were removed from it."""
    scheme = _SCHEME.match(url)
    begin = scheme.end() if scheme else 0
    rest = url[begin:]
    cut = _TAIL.search(rest)
    head, tail = (rest[: cut.start()], rest[cut.start() :]) if cut else (rest, "")
    if "@" in tail:
        # It may be an address in a parameter, or belong to a password that contains a `?`.
        return url[:begin] + HIDDEN, [url, *_spellings(rest), *_parts(rest)]
    user, at, place = head.rpartition("@")
    secrets = _user_secrets(user) if at else []
    kept, left = _place(url[:begin], place, bool(at))
    if left:
        secrets += [*_spellings(left), *_parts(left)]
    # The rest of a part may continue in the next one.
    shown_tail, more = _parameters(tail)
    made = url[:begin] + _masked_user(user, at) + kept + (HIDDEN if left else "") + shown_tail
    return (url, []) if made == url else (made, [*secrets, *more, url])


def _masked_user(user: str, at: str) -> str:
    slashes = "//" if user.startswith("//") else ""
    return f"{slashes}{HIDDEN if user.removeprefix('//') else ''}{at}"


def _user_secrets(user: str) -> list[str]:
    """Returns the secrets in `bob:password` or `bob/password`, including the user's name itself."""
    user = user.removeprefix("//")
    if not user:
        return []
    passwords = [part for sign in ":/" for _, found, part in [user.partition(sign)] if found]
    return [secret for part in [user, *passwords] for secret in _spellings(part.strip('"'))]


def _place(scheme: str, place: str, behind_user: bool) -> tuple[str, str]:
    """Returns the part of the place that may be shown, and the rest."""
    if _OF_FILES.match(scheme) and not place.startswith("//"):
        found = _FILE.match(place)
        assert found is not None
        return found[0], place[found.end() :]
    if scheme.lower().startswith("jdbc:") and not place.startswith("//") and not behind_user and place:
        return "", place
    found = _PLACE.match(place)
    if found is None:
        return ("", place) if place not in ("", "//") else (place, "")
    end = found.end()
    if place[end : end + 1] == ":" and behind_user and _SID.match(place[end:]):
        return place, ""
    path = _PATH.match(place, end)
    assert path is not None
    return place[: path.end()], place[path.end() :]


def _parameters(tail: str) -> tuple[str, list[str]]:
    made, secrets = "", []
    for part in re.findall(r"[?&;#][^?&;#]*", tail):
        name, equals, value = part[1:].partition("=")
        known = name.strip().lower()
        if equals and known in _PARAMETERS and _HARMLESS_VALUE.match(value):
            made += part
        elif equals and known in _SECRETS:
            made += f"{part[0]}{name}={HIDDEN}"
            secrets += _spellings(value.strip("{}"))
        elif part[1:]:
            made += f"{part[0]}{HIDDEN}"
            secrets += _spellings((value if equals else name).strip("{}"))
        else:
            made += part
    return made, [*secrets, *([tail[1:]] if secrets else [])]


def _parts(text: str) -> list[str]:
    """Returns the words of a text of unknown structure."""
    return [word for word in re.split(r"[/:@?&;#=,(){}\s]+", text) if len(word) > 1]


def _spellings(secret: str) -> list[str]:
    return [secret] if unquote(secret) == secret else [secret, unquote(secret)]

"""What nobody is to see of an object's OPTIONS: passwords and the like, wherever options are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping

HIDDEN = "***"
_SECRET = re.compile(r"password|passwd|secret|token|jaas\.config|credential|access\.?_?key", re.IGNORECASE)
# Names of variables and files are none.
_NOT_SECRET = re.compile(r"(_env|\.location|\.type|\.file)\Z", re.IGNORECASE)
_IN_URL = re.compile(r"((?:password|passwd|pwd|secret|token)=)[^&;#]*", re.IGNORECASE)
_AFTER_USER = re.compile(r"(//[^/@:]+:)[^/@]+@")


def is_secret(name: str) -> bool:
    """Whether the value of the option of that name is a secret."""
    return bool(_SECRET.search(name)) and not _NOT_SECRET.search(name)


def shown(name: str, value: str) -> str:
    """The value of an option as it may be shown; a URL without the password in it."""
    return HIDDEN if is_secret(name) else shown_url(value)


def shown_url(url: str) -> str:
    return _AFTER_USER.sub(rf"\g<1>{HIDDEN}@", _IN_URL.sub(rf"\g<1>{HIDDEN}", url))


def shown_sql(sql: str, options: Mapping[str, str]) -> str:
    """The statement that has made an object, as it may be shown."""
    for name, value in options.items():
        if shown(name, value) != value:
            literal = re.escape("'" + value.replace("'", "''") + "'")
            if is_secret(name):
                # A number may stand without quotes.
                literal = rf"(?:{literal}|{re.escape(value)}\b)" if value.isdigit() else literal
                sql = re.sub(rf"(['\"]?{re.escape(name)}['\"]?\s*=?\s*)[A-Za-z_&]*{literal}",
                             lambda found: f"{found[1]}'{HIDDEN}'", sql, flags=re.IGNORECASE)  # fmt: skip
            else:
                safe = "'" + shown(name, value).replace("'", "''") + "'"
                sql = re.sub(literal, lambda _, safe=safe: safe, sql)
    return sql


def without_secrets(text: str, options: Mapping[str, str]) -> str:
    """A message without the secrets that these options hold."""
    text = shown_url(text)
    for name, value in options.items():
        if is_secret(name) and value:
            text = text.replace(value, HIDDEN)
    return text

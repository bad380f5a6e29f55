"""Options that name the place of their value: `password_env` an environment variable, `password_file` a file.

The value is looked up when it is used, in the process that runs the query, so that no catalog contains it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from rowtime.secrets import memory

ENV, FILE = "_env", "_file"
_LARGEST = 1 << 20  # bytes

OWN = frozenset(("avro_schema_file", "jdbc.private_key_file"))
"""Options with such an ending that are none of these: their value is the file itself."""


class Unavailable(Exception):
    """The value does not exist. The text says why, and continues a sentence that begins with the option's owner."""


def base(name: str) -> str:
    """Returns the option that `name` is about: `password` for `password_file`; other names are returned unchanged."""
    if name in OWN:
        return name
    for suffix in (ENV, FILE):
        if name.endswith(suffix) and len(name) > len(suffix):
            return name.removesuffix(suffix)
    return name


def alternatives(name: str) -> list[str]:
    """Returns the options that may supply the value of `name`."""
    return [name, *(way for way in (name + ENV, name + FILE) if way not in OWN)]


def value(options: Mapping[str, str], name: str) -> str | None:
    """Returns the value of an option, written directly or read from where the options say; None if they do not set it.
    Raises Unavailable."""
    found = [way for way in alternatives(name) if way in options]
    if not found:
        return None
    if len(found) > 1:
        raise Unavailable(f"has both {found[0]} and {found[1]}")
    (way,) = found
    if way == name:
        return options[name]
    got = _variable(way, options[way]) if way.endswith(ENV) else _content(way, options[way])
    memory.remember([got])
    return got


def all_values(options: Mapping[str, str], own: Iterable[str] = ()) -> dict[str, str]:
    """Returns all options under their base names, with values read from where the options say. The options in `own` are
    returned unchanged. Raises Unavailable."""
    left = {name.lower() for name in own}
    kept = {name: text for name, text in options.items() if name in left}
    others = {name: text for name, text in options.items() if name not in left}
    found = {name: value(others, name) for name in dict.fromkeys(base(name) for name in others)}
    return {**kept, **{name: text for name, text in found.items() if text is not None}}


def _variable(option: str, name: str) -> str:
    found = os.environ.get(name)
    if found is None:
        raise Unavailable(f"has {option} '{name}', but the environment of this process has no such variable")
    if not found:
        raise Unavailable(f"has {option} '{name}', but that environment variable is empty")
    return found


def _content(option: str, path: str) -> str:
    try:
        with Path(path).expanduser().open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise Unavailable(f"has {option} '{path}', a file of more than {_LARGEST:,} bytes")
        text = content.decode("utf-8")
    except OSError as fault:
        raise Unavailable(f"has {option} '{path}', which cannot be read: {fault.strerror or fault}") from None
    except ValueError:
        raise Unavailable(f"has {option} '{path}', which is not text in UTF-8") from None
    # Editors and echo end a file with a line end.
    text = text.removesuffix("\n").removesuffix("\r")
    if not text:
        raise Unavailable(f"has {option} '{path}', but that file is empty")
    return text

"""Patterns with wildcards, as in SQL's LIKE: `%` is any text, `_` one character.

Such patterns come from clients, so the time for a match is at most that for a comparison of the pattern at each place
of the text. A regular expression would try all ways to divide the text between the `%`.
"""

from __future__ import annotations

from collections.abc import Callable

_ANY_TEXT = object()
_ANY_CHARACTER = object()


def wildcards(pattern: str, *, escape: str = "", ignore_case: bool = False) -> Callable[[str], bool]:
    """Returns a function that says whether a whole text matches the pattern. The character after `escape` stands for
    itself; without one, no character does."""
    parts = _parts(pattern, escape)

    def is_part(part: object, character: str) -> bool:
        if part is _ANY_CHARACTER or part == character:
            return True
        if not ignore_case or not isinstance(part, str):
            return False
        return part.upper() == character.upper() or part.lower() == character.lower()

    def matches(text: str) -> bool:
        at = part = 0
        # After the latest `%`, and the place of the text where the rest is tried. To move an earlier `%` cannot help.
        resume_part, resume_at = -1, 0
        while at < len(text):
            if part < len(parts) and parts[part] is _ANY_TEXT:
                part += 1
                resume_part, resume_at = part, at
            elif part < len(parts) and is_part(parts[part], text[at]):
                at += 1
                part += 1
            elif resume_part >= 0:
                resume_at += 1
                part, at = resume_part, resume_at
            else:
                return False
        return all(left is _ANY_TEXT for left in parts[part:])

    return matches


def _parts(pattern: str, escape: str) -> list[object]:
    parts: list[object] = []
    characters = iter(pattern)
    for character in characters:
        if escape and character == escape:
            parts.append(next(characters, character))
        else:
            parts.append({"%": _ANY_TEXT, "_": _ANY_CHARACTER}.get(character, character))
    return parts

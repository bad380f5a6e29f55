"""HTML elements as text."""

from __future__ import annotations

from html import escape

from rowtime.terminal import UNPRINTABLE, printable


def text(any: str) -> str:
    """Escapes any text as HTML, including characters that a browser or a terminal would interpret; tabs and line ends
    stay."""
    return escape(UNPRINTABLE.sub(lambda found: found[0] if found[0] in "\t\r\n" else printable(found[0]), any))


def element(tag: str, *inside: str, **attributes: str) -> str:
    """Returns an element: `element("td", text(name), class_="x")`. `inside` is HTML already; attributes are not. An
    empty attribute is omitted, and `_` in a name becomes `-`."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items() if value}
    opening = "".join(f' {name}="{text(value)}"' for name, value in named.items())
    return f"<{tag}{opening}>{''.join(inside)}</{tag}>"

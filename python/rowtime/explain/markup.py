"""HTML elements as text."""

from __future__ import annotations

from html import escape

from rowtime.terminal import UNPRINTABLE, printable


def text(any: str) -> str:
    """Any text as HTML that shows it, also what a browser or a terminal would act on; tabs and line ends stay."""
    return escape(UNPRINTABLE.sub(lambda found: found[0] if found[0] in "\t\r\n" else printable(found[0]), any))


def element(tag: str, *inside: str, **attributes: str) -> str:
    """`element("td", text(name), class_="x")`. What is `inside` is HTML already; attributes are not, one that is empty
    is left out, and `_` in their names is `-`."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items() if value}
    opening = "".join(f' {name}="{text(value)}"' for name, value in named.items())
    return f"<{tag}{opening}>{''.join(inside)}</{tag}>"

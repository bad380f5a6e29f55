"""HTML elements as text."""

from __future__ import annotations

from html import escape

text = escape
"""Any text as HTML that shows it."""


def element(tag: str, *inside: str, **attributes: str) -> str:
    """`element("td", text(name), class_="x")`. What is `inside` is HTML already; attributes are not, one that is empty
    is left out, and `_` in their names is `-`."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items() if value}
    opening = "".join(f' {name}="{escape(value)}"' for name, value in named.items())
    return f"<{tag}{opening}>{''.join(inside)}</{tag}>"

"""Key bindings at the prompt: Enter runs complete text, or otherwise starts a new line; Ctrl-C clears."""

from __future__ import annotations

import re

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from rowtime.editing.checking import is_whole

_INDENTATION = re.compile(r"[ \t]*")


def bindings() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        enter(event.current_buffer)

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        # Also without the semicolon.
        event.current_buffer.validate_and_handle()

    @keys.add("c-c")
    def _(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return keys


def enter(buffer: Buffer) -> None:
    """Accepts the chosen completion, or runs the text, or starts a line with the indentation of the one before."""
    document = buffer.document
    if buffer.complete_state is not None and buffer.complete_state.current_completion is not None:
        buffer.complete_state = None
    elif runs(document.text) and ("\n" not in document.text or not document.text_after_cursor.strip()):
        buffer.validate_and_handle()
    else:
        indentation = _INDENTATION.match(document.current_line)
        buffer.insert_text("\n" + (indentation.group() if indentation else ""))


def runs(text: str) -> bool:
    """Returns whether Enter runs the text: nothing in it is unfinished, or it is a word such as `quit`."""
    return text.strip().lower().rstrip(";") in WORDS or is_whole(text)


WORDS = {"help": "help", "quit": "quit", "exit": "quit", "\\q": "quit", "\\?": "help", "\\h": "help"}
"""Words that users of other shells type, with the client command that each means."""

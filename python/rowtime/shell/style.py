"""Colours of the shell: the terminal's own sixteen, so that they fit dark and light themes."""

from __future__ import annotations

from prompt_toolkit.styles import Style

STYLE = Style.from_dict(
    {
        "prompt": "ansicyan bold",
        "prompt.continued": "ansibrightblack",
        "pygments.keyword": "ansiblue bold",
        "pygments.keyword.streaming": "ansimagenta bold",
        "pygments.keyword.type": "ansicyan",
        "pygments.name.builtin": "ansimagenta",
        "pygments.name.command": "ansiyellow bold",
        "pygments.name.function": "ansicyan",
        "pygments.name.variable": "ansigreen",
        "pygments.literal.string": "ansigreen",
        "pygments.literal.number": "ansiyellow",
        "pygments.comment": "ansibrightblack italic",
        "pygments.comment.preproc": "ansiyellow",
        "mark.error": "underline ansired",
        "mark.warning": "underline ansiyellow",
        "completion-menu": "bg:ansibrightblack ansiwhite",
        "completion-menu.completion.current": "noreverse bg:ansicyan ansiblack bold",
        "completion-menu.meta.completion": "bg:ansibrightblack ansiwhite",
        "completion-menu.meta.completion.current": "bg:ansicyan ansiblack",
        "auto-suggestion": "ansibrightblack",
        "bottom-toolbar": "noreverse",
        "toolbar.error": "bg:ansired ansiwhite bold",
        "toolbar.warning": "bg:ansiyellow ansiblack bold",
        "toolbar.info": "bg:ansicyan ansiblack bold",
        "toolbar.message": "bold",
        "toolbar.valid": "ansigreen",
        "toolbar.spark.starting": "bg:ansiyellow ansiblack",
        "toolbar.spark.ready": "bg:ansigreen ansiblack",
        "toolbar.spark.failed": "bg:ansired ansiwhite",
        "toolbar.standing": "reverse",
    }
)

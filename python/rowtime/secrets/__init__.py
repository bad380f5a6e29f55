"""Hides passwords and other secrets in OPTIONS, wherever options, statements and messages are shown.

Only values that are known to be harmless are shown (`harmless`, `urls`); everything else is `***`. `masking` finds
secrets in the text of a statement, `memory` removes them from messages of others, `given` reads secrets from the
environment and from files.
"""

HIDDEN = "***"

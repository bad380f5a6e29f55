"""What nobody is to see: passwords and the like in OPTIONS, wherever options, statements and messages are shown.

What is shown is what is known to be harmless (`harmless`, `urls`); all else is `***`. `masking` finds it in the text of
a statement, `memory` takes it out of what others say, `given` gets secrets from the environment and from files.
"""

HIDDEN = "***"

"""The interactive shell: what `rowtime shell` runs in a terminal.

Statements and client commands go through the runner of script mode (`rowtime.script.runner`), and are judged
while they are typed by the planner of `rowtime validate` (`rowtime.explain.analysis`); Spark starts behind meanwhile.
"""

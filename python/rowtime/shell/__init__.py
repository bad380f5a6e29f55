"""The interactive shell, which `rowtime shell` runs in a terminal.

The runner of script mode (`rowtime.script.runner`) executes statements and client commands. While they are typed, the
planner of `rowtime validate` checks them (`rowtime.explain.analysis`), and Spark starts in the background.
"""

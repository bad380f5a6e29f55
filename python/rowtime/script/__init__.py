"""Script mode: runs the statements and client commands of a script, one after another."""

"""Shared by all editors of SQL, the shell and the language server: tokens, checks of a text, completion, names."""

"""Operators and functions, one file per family."""

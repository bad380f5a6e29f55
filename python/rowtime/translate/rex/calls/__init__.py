"""Operators and functions, one file a family."""

"""Formats scripts in one consistent layout: only blanks, line ends and the case of keywords change, never a token."""

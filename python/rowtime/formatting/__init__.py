"""One consistent layout for scripts: only blanks, line ends and the case of keywords change, never a token."""

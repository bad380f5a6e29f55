"""What any editor of SQL needs, the shell and the language server: tokens, checks of a text, completion, names."""

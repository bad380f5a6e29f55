"""The words and signs of the language, for all that reads text without the parser: the splitter of scripts, the
formatter, the shell, and the marks of `explain`."""

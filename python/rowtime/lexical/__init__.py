"""The tokens and keywords of the language, for everything that reads text without the parser: the splitter of scripts,
the formatter, the shell, and the markup of `explain`."""

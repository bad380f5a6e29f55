"""Connectors: foreign files, topics, databases and adapters, as sources and as targets."""

"""Shared by all layers that build Spark queries: expressions, translated DataFrames, session settings."""

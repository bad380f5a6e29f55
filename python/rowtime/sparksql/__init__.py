"""What every layer shares that builds queries of Spark: expressions, translated DataFrames, session settings."""

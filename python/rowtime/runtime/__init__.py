"""What runs: queries and their sinks, the settings around them, progress, and the script runner."""

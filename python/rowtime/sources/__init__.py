"""The leaves of a plan: scans of streams and tables, and of foreign ones through their connectors."""

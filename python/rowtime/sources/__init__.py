"""Where rows come from: scans of streams and tables, foreign files, and Hold, the operator that merges by rowtime."""

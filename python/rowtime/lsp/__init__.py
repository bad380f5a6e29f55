"""The language server: what the planner knows about a script, in editors that speak the Language Server Protocol."""

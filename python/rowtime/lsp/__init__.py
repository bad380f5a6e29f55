"""The language server: brings the planner's analysis of a script to editors, by the Language Server Protocol."""

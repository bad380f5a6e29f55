"""Shows the planner's results for a script, in forms for people and for programs; nothing here starts Spark."""

"""What the planner says about a script, in forms for people and for programs; nothing here starts Spark."""

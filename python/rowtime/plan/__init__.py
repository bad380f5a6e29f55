"""The plan in Python: the planner's JSON, decoded strictly into tagged structs.

`nodes` are relational operators, `rex` are scalar expressions, `clock` defines how a node's bound follows from its
sources' bounds, `types` parses the planner's type texts, `codec` converts between JSON and structs.
"""

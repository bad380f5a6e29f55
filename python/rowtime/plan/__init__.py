"""The plan as Python sees it: the planner's JSON, decoded strictly into tagged structs.

`nodes` are relational operators, `rex` are scalar expressions, `clock` says how a node's bound follows from its
sources' bounds, `types` reads the planner's type texts, `codec` goes between JSON and structs.
"""

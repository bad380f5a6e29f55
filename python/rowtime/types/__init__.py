"""Values of columns, in bulk.

`columns` are their stored forms, and `values` converts to them. `times`, `millis` and `ranges` deal with time, `orders`
with columns that have an order, and `nested` with arrays and maps of Arrow.
"""

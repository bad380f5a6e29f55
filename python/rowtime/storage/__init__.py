"""Storage: objects by name, on a local disk or in an object store.

`interface` is what the rest of rowtime uses, and `put_if_absent` the only operation by which two writers are kept
apart. `local` is a folder; `objects` is an object store, over the few requests of `client`, which `s3` makes with
obstore. `fence` checks that a store refuses what it must refuse, `locations` opens a storage by its URI, `turns` orders
writers where that is cheap, and `smallfiles` has the system calls for files that must be whole and durable.
"""

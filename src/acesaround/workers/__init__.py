"""Work done elsewhere: by processes of this machine, or by the workers of a Dask cluster.

What is to be done travels as a value, and what came of it comes back as one. `helper` is a process
of this machine, `cluster` the way to a scheduler, `priority` who goes first on a core.
"""

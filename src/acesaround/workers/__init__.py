"""Workers: processes on this machine, and the workers of a Dask cluster.

A job is sent to a worker as a value, and its result is returned as a value. `process` runs a local
worker process, `dask_client` connects to a Dask scheduler, and `priority` sets process priorities.
"""

"""Worker pools for bots that search. Requests and answers are plain values.

`request` defines both, `worker` answers requests, `local` runs worker processes on this machine,
and `dask` uses the workers of a cluster. The requesting process loads no compiled kernels.
"""

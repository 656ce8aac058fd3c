"""Worker pools for bots that search. Requests and answers are plain values.

`request` defines both, `local` runs worker processes on this machine (set up by `worker`), and
`dask` uses the workers of a cluster (set up by `dask_preload`). The requesting process loads no
compiled kernels.
"""

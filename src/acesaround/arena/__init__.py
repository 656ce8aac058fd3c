"""The arena: matches of two bots on the same cards, with seats swapped, and their results.

`match` defines what is played, `leg` plays one part of it, and `bot_stats` counts times and
failures of a bot. Executors play legs in processes on this machine (`executors`) or on a cluster
(`dask_executor`). `match_progress` collects the finished legs and `match_file` stores them.
`statistics` and `result` compute; `text_report` and `plot` present. This package contains no rules
of the game and no bots.
"""

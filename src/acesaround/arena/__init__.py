"""The arena: matches of two bots on the same cards, with seats swapped, and what they say.

`match` is what is played, `leg` plays a part of it, and `conduct` keeps what a bot took and did
wrong. `crew` plays legs here, in processes or on a cluster, `ledger` has those that are done and
`log` keeps them in a file. `statistics` and `result` reckon, `page` and `figure` show. No rule of
the game and no bot stands here.
"""

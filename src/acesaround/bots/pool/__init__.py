"""Bots that search, thinking elsewhere: what they are asked is a value, and so is their answer.

`question` is both, `thinker` what answers over there, `beside` has processes of this machine
answer, `afar` the workers of a cluster. Nothing of a kernel is in the process that asks.
"""

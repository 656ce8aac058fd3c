"""Trials: what comes of each choice in many worlds, the same worlds for every choice.

`score` says what the end of a deal is worth, `seen` lays out what a view shows, `cards` tries cards
and lay-downs by playing every world out.
"""

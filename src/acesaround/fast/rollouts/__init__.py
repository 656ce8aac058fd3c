"""Trials: what comes of each choice in many worlds, the same worlds for every choice.

`score` says what the end of a deal is worth and `seen` lays out what a view shows. Cards and
lay-downs are tried by playing every world out (`cards`), with the next own card searched as well
(`ahead`), by the solver (`exact`), or where all cards are known (`foreseen`). What comes before the
play is tried deal by deal (`deals`, `auctions`). `limits` and `likely` say how well worlds agree
with what was bid and played.
"""

"""Rollouts: each choice is tried in many worlds, the same worlds for every choice.

`win_probability` values the end of a deal, and `encode_view` encodes a view for kernels. Cards and
lay-downs are tried by playing every world out (`card_play`), by searching the next own card as well
(`two_ply`), by the solver (`solver_rollouts`), or with all cards known (`perfect_information`).
Choices before the play are tried by playing whole deals (`before_play`, `auctions`). `bid_limits`,
`pass_likelihood` and `play_likelihood` tell how well worlds agree with what was bid, passed and
played. `hand_features` describes hands for fitted models.
"""

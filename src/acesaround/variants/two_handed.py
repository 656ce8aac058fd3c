"""Binochie: two-handed with a stock (also three or four alone).

Source: seeds/002_2dffcbf4b7d28af9.txt.
"""

from acesaround.rules import (
    CardPoints,
    DealRules,
    Ending,
    KeepMeld,
    MeldTable,
    Phase,
    PlayLaw,
    Rules,
    Scoring,
    Tie,
)

TWO_HANDED = Rules(
    variant="two-handed",
    title="Binochie",
    source="002_2dffcbf4b7d28af9.txt",
    players=(2, 3, 4),
    seats=2,
    deal=DealRules(hand=(12, 8, 6), packet=3, stock=True, upcard=True),
    melds=MeldTable(
        run=(150,),
        royal_marriage=40,
        marriage=20,
        dix=10,
        pinochle=(40, 300),
        aces=(100,),
        kings=(80,),
        queens=(60,),
        jacks=(40,),
    ),
    # The text asks of a follower to follow suit and to win if able, and no more. It shows only with
    # three or four players: with two, any trump of a void hand wins.
    play=PlayLaw(void_must_trump=False),
    scoring=Scoring(
        card_points=CardPoints.KINGS_FIVES,
        last_trick=10,
        keep_meld=KeepMeld.ALWAYS,
    ),
    ending=Ending(target=1000, tie=Tie.RAISE_TARGET, target_step=250),
    phases=(Phase.STOCK_PLAY, Phase.PLAY),
    options=("target", "hands", "renege", "card_points", "meld_from_hand", "deck"),
)

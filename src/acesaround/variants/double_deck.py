"""Double deck as it is usually played: to 350, a set bid subtracted. Tournaments have options.

Source: seeds/003_004461cb8308a364.txt.
"""

from acesaround.rules import (
    AllPass,
    Auction,
    CardPoints,
    DealRules,
    Ending,
    KeepMeld,
    MeldTable,
    Phase,
    Rules,
    Scoring,
)

DOUBLE_DECK = Rules(
    variant="double-deck",
    title="Double-deck partnership to 350, a set bid subtracted",
    source="003_004461cb8308a364.txt",
    players=(4,),
    seats=4,
    side_size=2,
    deal=DealRules(copies=4, nines=False, hand=(20,), packet=4),
    auction=Auction(
        lowest_bid=50,
        steps=((0, 1), (60, 5), (100, 10)),
        all_pass=AllPass.DEALER,
        marriage_needed=True,
    ),
    melds=MeldTable(
        run=(15, 150, 300, 600),
        royal_marriage=4,
        marriage=2,
        pinochle=(4, 30, 90, 270),
        aces=(10, 100, 200, 400),
        kings=(8, 80, 160, 320),
        queens=(6, 60, 120, 240),
        jacks=(4, 40, 80, 160),
    ),
    scoring=Scoring(
        card_points=CardPoints.ONES,
        last_trick=2,
        keep_meld=KeepMeld.ALWAYS,
        least_meld=20,
        least_play=20,
    ),
    ending=Ending(target=350),
    phases=(Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.MELDING, Phase.PLAY),
    options=(
        "target", "hands", "lowest_bid", "all_pass", "concede", "exchange", "marriage_needed",
        "set_pays_defenders", "duplicate_runs_extra", "double_roundhouse", "renege",
    ),
)  # fmt: skip

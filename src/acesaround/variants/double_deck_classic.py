"""Double deck as once played at Yahoo. Source: seeds/004_72061b5c7dbf39c8.txt.

Its melding page is lost; the usual published table stands in.
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

DOUBLE_DECK_CLASSIC = Rules(
    variant="double-deck-classic",
    title="Classic double-deck partnership",
    source="004_72061b5c7dbf39c8.txt",
    players=(4,),
    seats=4,
    side_size=2,
    deal=DealRules(copies=4, nines=False, hand=(20,), packet=4),
    auction=Auction(
        lowest_bid=50,
        steps=((0, 1), (60, 5)),
        all_pass=AllPass.DEALER_BIDS,
        marriage_needed=True,
    ),
    melds=MeldTable(
        run=(15, 150, 225, 300),
        royal_marriage=4,
        marriage=2,
        pinochle=(4, 30, 60, 90),
        aces=(10, 100, 150, 200),
        kings=(8, 80, 120, 160),
        queens=(6, 60, 90, 120),
        jacks=(4, 40, 60, 80),
    ),
    scoring=Scoring(
        card_points=CardPoints.ONES,
        last_trick=2,
        keep_meld=KeepMeld.ALWAYS,
        no_marriage_pays=False,
    ),
    ending=Ending(target=500),
    phases=(Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.MELDING, Phase.PLAY),
    options=(
        "target", "hands", "lowest_bid", "all_pass", "concede", "exchange", "marriage_needed",
        "set_pays_defenders", "duplicate_runs_extra", "double_roundhouse", "min_twenty", "renege",
    ),
)  # fmt: skip

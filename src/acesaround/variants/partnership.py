"""Single-deck partnership with a four-card exchange.

Source: seeds/001_37a59ee5e17b37f2.txt, second half.
"""

from acesaround.rules import (
    AllPass,
    Auction,
    CardPoints,
    Concede,
    DealRules,
    Ending,
    Exchange,
    KeepMeld,
    MeldTable,
    Phase,
    Rules,
    Scoring,
)

PARTNERSHIP = Rules(
    variant="partnership",
    title="Single-deck partnership with a four-card exchange",
    source="001_37a59ee5e17b37f2.txt",
    players=(4,),
    seats=4,
    side_size=2,
    deal=DealRules(hand=(12,), packet=3),
    auction=Auction(lowest_bid=250, steps=((0, 10),), raises=(10, 20), all_pass=AllPass.DEALER),
    exchange=Exchange(exchange=4),
    melds=MeldTable(
        run=(150, 1500),
        run_and_king=190,
        run_and_queen=190,
        run_and_marriage=230,
        royal_marriage=40,
        marriage=20,
        dix=10,
        pinochle=(40, 300),
        aces=(100, 1000),
        kings=(80, 800),
        queens=(60, 600),
        jacks=(40, 400),
    ),
    scoring=Scoring(
        card_points=CardPoints.TENS,
        last_trick=10,
        keep_meld=KeepMeld.POINT,
        concede=Concede.HOPELESS,
    ),
    ending=Ending(target=1500),
    phases=(Phase.AUCTION, Phase.TRUMP, Phase.EXCHANGE, Phase.MELDING, Phase.PLAY),
    options=(
        "target", "hands", "lowest_bid", "all_pass", "concede", "exchange", "marriage_needed",
        "set_pays_defenders", "renege", "card_points",
    ),
)  # fmt: skip

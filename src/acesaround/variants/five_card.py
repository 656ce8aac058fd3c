"""Bruce's 5-card. Source: seeds/001_37a59ee5e17b37f2.txt, first half."""

from acesaround.rules import (
    AllPass,
    Auction,
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

FIVE_CARD = Rules(
    variant="five-card",
    title="Bruce's 5-card",
    source="001_37a59ee5e17b37f2.txt",
    players=(4, 2, 3, 5, 6, 7, 8, 9),
    seats=4,
    deal=DealRules(hand=(5,) * 8, packet=1, stock=True),
    auction=Auction(lowest_bid=1, steps=((0, 1),), one_round=True, all_pass=AllPass.DEALER),
    melds=MeldTable(
        run=(15,),
        royal_marriage=4,
        marriage=2,
        dix=1,
        pinochle=(4, 30),
        aces=(10,),
        kings=(8,),
        queens=(6,),
        jacks=(4,),
    ),
    play=PlayLaw(trump_must_be_broken=True),
    scoring=Scoring(
        card_points=CardPoints.ONES,
        last_trick=1,
        keep_meld=KeepMeld.POINT,
        nines_apart=True,
    ),
    ending=Ending(target=50, tie=Tie.TIED_PLAY_ON),
    phases=(Phase.AUCTION, Phase.TRUMP, Phase.REDRAW, Phase.MELDING, Phase.PLAY),
    options=("target", "hands", "lowest_bid", "all_pass", "concede", "marriage_needed", "renege"),
)

"""Three-handed auction with a kitty. Source: seeds/000_2b6277b029a8bee8.txt."""

from acesaround.rules import (
    AllPass,
    Auction,
    CardPoints,
    Concede,
    DealRules,
    Ending,
    Exchange,
    FirstDealer,
    KeepMeld,
    MeldTable,
    Phase,
    Rules,
    Scoring,
)

THREE_HANDED = Rules(
    variant="three-handed",
    title="Three-handed auction with a kitty",
    source="000_2b6277b029a8bee8.txt",
    players=(3,),
    seats=3,
    deal=DealRules(hand=(15,), packet=3, kitty=3),
    auction=Auction(lowest_bid=250, steps=((0, 10),), all_pass=AllPass.REDEAL),
    exchange=Exchange(bury=3),
    melds=MeldTable(
        run=(150, 1500),
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
        keep_meld=KeepMeld.COUNTER,
        concede=Concede.ALWAYS,
    ),
    ending=Ending(target=1500, first_dealer=FirstDealer.WINNER),
    phases=(Phase.AUCTION, Phase.KITTY, Phase.TRUMP, Phase.MELDING, Phase.PLAY),
    options=(
        "target", "hands", "lowest_bid", "all_pass", "concede", "marriage_needed", "renege",
        "card_points",
    ),
)  # fmt: skip

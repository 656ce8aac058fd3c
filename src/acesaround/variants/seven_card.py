"""Bruce's 7-card: as 5-card with seven cards each. Source: seeds/001_37a59ee5e17b37f2.txt."""

from msgspec.structs import replace

from acesaround.rules import DealRules
from acesaround.variants.five_card import FIVE_CARD

SEVEN_CARD = replace(
    FIVE_CARD,
    variant="seven-card",
    title="Bruce's 7-card",
    players=(4, 2, 3, 5, 6),
    deal=DealRules(hand=(7,) * 5, packet=1, stock=True),
)

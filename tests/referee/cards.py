"""The referee's cards: strings such as "AS", "TH" and "9D", and which of two cards wins."""

SUITS = "SHDC"
RANKS = "ATKQJ9"  # high to low


def in_order(cards: list[str]) -> list[str]:
    """The cards sorted by suit (S H D C), then from high to low."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


def full_deck(ranks: str, copies: int) -> list[str]:
    """So many copies of every rank in every suit."""
    return [rank + suit for suit in SUITS for rank in ranks for _ in range(copies)]


def higher(one: str, other: str) -> bool:
    """Whether the first rank is above the second; a twin is not higher than its twin."""
    return RANKS.index(one[0]) < RANKS.index(other[0])


def beats(card: str, best: str, trump: str | None) -> bool:
    """Whether a card played later takes the trick from the card that is winning it."""
    if card[1] == best[1]:
        return higher(card, best)
    return card[1] == trump


def winning(trick: list[str], trump: str | None) -> int:
    """The place in the trick (0 is the lead) of the card that is winning it."""
    best = 0
    for place, card in enumerate(trick):
        if beats(card, trick[best], trump):
            best = place
    return best

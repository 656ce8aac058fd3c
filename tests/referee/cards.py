"""The referee's cards, as strings such as "AS", "TH" and "9D", and the winner of a trick."""

SUITS = "SHDC"
RANKS = "ATKQJ9"  # high to low


def in_order(cards: list[str]) -> list[str]:
    """Return the cards sorted by suit (S H D C), then from high to low."""
    return sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))


def full_deck(ranks: str, copies: int) -> list[str]:
    """Return so many copies of every rank in every suit."""
    return [rank + suit for suit in SUITS for rank in ranks for _ in range(copies)]


def is_higher(card: str, other: str) -> bool:
    """Return True if the first card has the higher rank."""
    return RANKS.index(card[0]) < RANKS.index(other[0])


def beats(card: str, best: str, trump: str | None) -> bool:
    """Return True if a later card takes the trick from the best card so far."""
    if card[1] == best[1]:
        return is_higher(card, best)
    return card[1] == trump


def winner_index(trick: list[str], trump: str | None) -> int:
    """Return the index of the best card in a trick."""
    best = 0
    for place, card in enumerate(trick):
        if beats(card, trick[best], trump):
            best = place
    return best

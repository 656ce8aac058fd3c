"""Games that are begun and played by lot without a screen, also in a process of their own."""

from __future__ import annotations

import random
from pathlib import Path

from acesaround import variants
from acesaround.bots.random_bot import RandomBot
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, assign_bots


def begun(folder: Path, variant: str = "two-handed") -> Session:
    rules = variants.get(variant)
    return Session.new(folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(7))


def play(match: Session, many: int) -> None:
    """Play so many actions; the same ones at the same places."""
    for number in range(many):
        decision = match.decision
        if decision is None:
            match.add_entries([match.next_automatic_entry()])
        else:
            match.send_action(RandomBot(random.Random(number)).choose(None, decision))

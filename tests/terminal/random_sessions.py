"""Start saved games and play them at random without a screen."""

from __future__ import annotations

import random
from pathlib import Path

from acesaround import variants
from acesaround.bots.random_bot import RandomBot
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, assign_bots


def start_session(folder: Path, variant: str = "two-handed") -> Session:
    rules = variants.get(variant)
    return Session.new(folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(7))


def play_actions(session: Session, count: int) -> None:
    """Play so many actions, which depend only on their number."""
    for number in range(count):
        decision = session.decision
        if decision is None:
            session.add_entries([session.next_automatic_entry()])
        else:
            session.send_action(RandomBot(random.Random(number)).choose(None, decision))

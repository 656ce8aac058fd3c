"""Bots by name. A bot is a `Player`: it sees a `View` and a `Decision`, never a state."""

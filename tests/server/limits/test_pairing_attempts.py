"""The limits on wrong pairing codes."""

from __future__ import annotations

import contextlib

import pytest

from acesaround.server.limits.pairing_attempts import MAX_WRONG_PER_ADDRESS, PairingAttempts
from acesaround.server.limits.rate_limiters import RateLimited


def test_wrong_codes_of_all_addresses_are_limited() -> None:
    guesses = PairingAttempts(max_per_address=3, max_total=10, seconds=1e9)
    for number in range(10):
        guesses.charge(f"192.0.2.{number}")
    with pytest.raises(RateLimited):
        guesses.charge("127.0.0.1")


def test_reserve_lets_other_addresses_use_codes() -> None:
    guesses = PairingAttempts(seconds=1e9)
    for number in range(1_050):
        guesses.charge(f"192.0.2.{number % 100}")
    for _ in range(2):
        guesses.refund(guesses.charge("198.51.100.1"))
    guesses.charge("198.51.100.1")
    for guesser in ("192.0.2.1", "198.51.100.1"):
        with pytest.raises(RateLimited, match="People"):
            guesses.charge(guesser)


def test_reserve_is_limited_too() -> None:
    guesses = PairingAttempts(max_total=1, max_reserved=5, seconds=1e9)
    for number in range(6):
        right = guesses.charge(f"192.0.2.{number}")
    with pytest.raises(RateLimited):
        guesses.charge("198.51.100.1")
    guesses.refund(right)
    guesses.charge("198.51.100.1")


def test_a_48_has_sixteen_times_the_wrong_codes_of_a_64() -> None:
    guesses, homes = PairingAttempts(seconds=1e9), range(0x1000)
    accepted = 0
    for home in homes:
        with contextlib.suppress(RateLimited):
            guesses.charge(f"2001:db8:1:{home:x}::1")
            accepted += 1
    assert accepted == 16 * MAX_WRONG_PER_ADDRESS
    guesses.charge("2001:db8:2::1")

"""Token buckets by key."""

from __future__ import annotations

from acesaround.server.limits.token_buckets import KeyedTokenBuckets


def test_token_buckets_take_bounded_memory() -> None:
    buckets = KeyedTokenBuckets(1, 1e9, max_keys=100)
    for number in range(1000):
        assert buckets.spend(str(number))
    assert len(buckets._buckets) == 100
    assert not buckets.spend("999")
    assert buckets.spend("0")  # forgotten

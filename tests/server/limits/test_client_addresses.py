"""The keys under which limits count an address."""

from __future__ import annotations

from acesaround.server.limits.client_addresses import rate_limit_keys


def test_ipv6_address_counts_in_three_networks() -> None:
    assert rate_limit_keys("2001:db8:1:2ff:3::4") == {
        "2001:db8:1::/48": 16, "2001:db8:1:200::/56": 4, "2001:db8:1:2ff::/64": 1,
    }  # fmt: skip
    assert rate_limit_keys("::ffff:192.0.2.1") == rate_limit_keys("192.0.2.1") == {"192.0.2.1": 1}
    own = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "", None)
    assert [rate_limit_keys(address) for address in own] == [{}] * 5
    assert rate_limit_keys("unix:") == {"unix:": 1}

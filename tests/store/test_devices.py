"""Devices and codes in the database, on each of them: who a device is, and what happens at once."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from acesaround.store import LastDevice, NotSignedIn, Store
from tests.store.opening import opened


async def offer(store: Store, device: str, person: str, code: str = "c", seconds: int = 60) -> None:
    await store.pairing_codes.save(
        code, device, person, device_name="Pad", person_name=person, seconds=seconds
    )


async def take(store: Store, device: str, person: str, code: str = "c") -> bool:
    return await store.pairing_codes.redeem([code, "another"], device, person, device_name="Pad")


async def joined(store: Store, person: str, device: str, own: str | None = None) -> None:
    """Make a device one of a person, whose first device has the id of the person."""
    await offer(store, person, person)
    assert await take(store, device, own or device)


async def out(store: Store, person: str, by: str, *wanted: str) -> list[str]:
    return await store.devices.sign_out(person, by, lambda one: one in wanted)


async def who(store: Store, device: str) -> str | None:
    held = await store.devices.identity_of(device)
    return device if held is None else held.person


async def test_unknown_device_has_no_identity(store: Store) -> None:
    assert await store.devices.identity_of("ann") is None
    assert await store.devices.devices_of("ann") == []


async def test_device_is_one_person_until_it_is_signed_out(store: Store) -> None:
    await joined(store, "ann", "pad")
    await joined(store, "bob", "pad", own="ann")
    held = await store.devices.identity_of("pad")
    assert held is not None
    assert (held.person, held.name) == ("bob", "bob")
    assert [one.id for one in await store.devices.devices_of("ann")] == ["ann"]
    assert await store.devices.devices_of("pad") == []
    assert await out(store, "bob", "pad", "pad") == ["pad"]
    assert await who(store, "pad") is None
    assert [one.id for one in await store.devices.devices_of("bob")] == ["bob"]
    await offer(store, "ann", "ann")
    for person in ("pad", "bob", "ann"):
        with pytest.raises(NotSignedIn):
            await take(store, "pad", person)


async def test_code_is_redeemed_by_one_of_many_devices(store: Store, url: str) -> None:
    await offer(store, "ann", "ann")
    async with opened(url) as other:  # as another process would
        devices = [f"pad{number}" for number in range(20)]
        took = await asyncio.gather(
            *(take(store if n % 2 else other, pad, pad) for n, pad in enumerate(devices))
        )
    assert took.count(True) == 1
    assert [await who(store, pad) for pad in devices].count("ann") == 1
    assert await store.pairing_codes.find(["c"]) is None


async def test_one_of_two_devices_that_sign_each_other_out_is_left(store: Store, url: str) -> None:
    async with opened(url) as other:
        for round_ in range(10):
            ann, pad = f"ann{round_}", f"pad{round_}"
            await joined(store, ann, pad)
            found = await asyncio.gather(
                out(store, ann, ann, pad), out(other, ann, pad, ann), return_exceptions=True
            )
            assert sum(isinstance(one, NotSignedIn) for one in found) == 1, found
            assert len(await store.devices.devices_of(ann)) == 1


async def test_the_last_device_stays(store: Store) -> None:
    with pytest.raises(LastDevice):
        await out(store, "ann", "ann", "ann")
    assert await out(store, "ann", "ann", "another") == []
    await joined(store, "ann", "pad")
    with pytest.raises(LastDevice):
        await out(store, "ann", "ann", "ann", "pad")
    assert [await who(store, one) for one in ("ann", "pad")] == ["ann", "ann"]
    assert await out(store, "ann", "ann", "ann") == ["ann"]  # signed in on the pad still
    with pytest.raises(LastDevice):
        await out(store, "ann", "pad", "pad")


async def test_signed_out_device_has_no_rights(store: Store) -> None:
    await joined(store, "ann", "pad")
    await offer(store, "ann", "ann")
    assert await out(store, "ann", "pad", "ann") == ["ann"]
    assert await store.pairing_codes.find(["c"]) is None
    assert await who(store, "ann") is None
    with pytest.raises(NotSignedIn):
        await offer(store, "ann", "ann")
    with pytest.raises(NotSignedIn):
        await out(store, "ann", "ann", "pad")
    await offer(store, "pad", "ann")
    with pytest.raises(NotSignedIn):
        await take(store, "ann", "ann")
    assert await store.pairing_codes.find(["c"]) is not None  # nor is it used up


async def test_expired_code_is_not_found(store: Store) -> None:
    await offer(store, "ann", "ann", seconds=0)
    assert await store.pairing_codes.find(["c"]) is None
    assert not await take(store, "pad", "pad")


async def test_changed_since_ignores_last_seen_times(url: str) -> None:
    now = 1_700_000_000_000
    async with opened(url, clock=lambda: now) as store:
        await joined(store, "ann", "pad")
        assert await store.devices.changed_since(now) == {"ann", "pad"}
        now += 1
        assert await store.devices.changed_since(now) == set()
        await store.devices.touch(["ann", "pad", "nobody"])
        assert await store.devices.changed_since(now) == set()
        assert [one.last_seen for one in await store.devices.devices_of("ann")] == [now, now]
        assert sorted(await store.devices.mark_renamed("ann")) == ["ann", "pad"]
        assert await store.devices.changed_since(now) == {"ann", "pad"}


async def test_vain_sign_out_writes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one person could delay the actions of all by repeated requests."""
    written = 0
    writing = store.devices._begin_write

    def counted() -> AbstractAsyncContextManager[AsyncConnection]:
        nonlocal written
        written += 1
        return writing()

    monkeypatch.setattr(store.devices, "_begin_write", counted)
    for _ in range(3):
        assert await out(store, "ann", "ann", "nobody") == []
    assert written == 0
    await joined(store, "ann", "pad")
    written = 0
    assert await out(store, "ann", "ann", "nobody") == []
    assert written == 0
    await offer(store, "ann", "ann", "later")
    assert await out(store, "ann", "ann", "nobody") == []
    assert await store.pairing_codes.find(["later"]) is None
    assert await out(store, "ann", "ann", "pad") == ["pad"]

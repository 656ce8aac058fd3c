"""Checks at the end of a world: games are over, clients see the same, servers hold no old data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from acesaround.record import verify
from acesaround.table import entries as log
from acesaround.table.games import fold_games, public_record
from tests.simulation.deletions import traces_of
from tests.simulation.entry_checks import AWAY_SECONDS
from tests.simulation.environment import WORLD
from tests.simulation.invariants import CLEAR_SECONDS
from tests.simulation.shadow_log import ShadowLog

if TYPE_CHECKING:
    from tests.simulation.clients import Device
    from tests.simulation.world import World

_STEP_SECONDS: Final = 1.0
_ARRIVAL_SECONDS: Final = 60.0
"""Seconds after the faults within which everybody who can is connected."""
_SETTLE_SECONDS: Final = 3.0
_INTERRUPTIONS: Final = 6
_INTERRUPTION_SECONDS: Final = 0.06
_EMPTY_SECONDS: Final = AWAY_SECONDS + 4.0
"""Seconds after which a table without clients is dropped: absent people keep seats in lobbies."""


async def check_ending(world: World, seconds: float) -> None:
    """Play all games to their end, and check the final state. Raises Failed.

    A game that lasts `seconds` without faults is left unfinished: other checks show that it
    progresses.
    """
    until, arrival_until = WORLD.now + seconds, WORLD.now + _ARRIVAL_SECONDS
    quiet_seconds = 0.0
    while quiet_seconds < _SETTLE_SECONDS:
        is_quiet = all(_is_finished(world, shadow) for shadow in world.invariants.logs.values())
        if WORLD.now < arrival_until and any(device.is_coming for device in world.devices):
            is_quiet = False
        quiet_seconds = quiet_seconds + _STEP_SECONDS if is_quiet else 0.0
        if WORLD.now > until:  # scores of careless players may fall for ever
            world.invariants.check_logs()
            return
        await world.pass_time(_STEP_SECONDS)
    _check_same_table(world)
    await _check_renames(world)
    for person in world.invariants.deletions_done:
        if traces := traces_of(world.database, person):
            world.fail("deleted", f"a deleted person is still in {traces}")
    world.invariants.check_logs()
    for shadow in world.invariants.logs.values():
        _check_records(world, shadow)
    world.is_played_out = any(
        shadow.table.game is not None and not shadow.table.is_playing
        for shadow in world.invariants.logs.values()
    )
    for device in world.devices:
        device.is_gone = True
        device.disconnect()
    if len(world.servers) > 1:  # one of them does not hear all of that
        for number in range(_INTERRUPTIONS):
            name = world.servers[0].process.name
            world.network.later(_INTERRUPTION_SECONDS * number, world.database.disconnect, name)
    await world.pass_time(_EMPTY_SECONDS)
    _check_nothing_left(world)
    await world.pass_time(0.0)


def _is_finished(world: World, shadow: ShadowLog) -> bool:
    """Return whether a game is over, or no connected person could continue it."""
    table = shadow.table
    if table.ended is not None:
        return True
    if table.game is not None and not table.is_playing:
        return True
    return not world.has_connected_player(shadow)


def _check_same_table(world: World) -> None:
    """Check that every connected client was shown the last entry."""
    for device in world.devices:
        connection = device.connection
        if connection is None or not connection.is_whole or not device.last:
            continue
        shadow = world.invariants.logs[connection.table_id]
        seq = msgspec.json.decode(device.last)["seq"]
        if seq < len(shadow.bodies) and shadow.appended_at(seq + 1) > WORLD.now - _SETTLE_SECONDS:
            continue  # bots play on for spectators
        if seq != len(shadow.bodies):
            world.fail(
                "same", f"{device.name} sees entry {seq - 1} of {len(shadow.bodies)} at the end"
            )
        elif WORLD.now - world.invariants.trouble_at > CLEAR_SECONDS:
            _check_presence(world, device, shadow)


def _check_presence(world: World, device: Device, shadow: ShadowLog) -> None:
    """Check that a client is shown exactly the connected people, and none of them as silent."""
    connections = [
        connection
        for server in world.servers
        for connection in server.connections
        if connection.table_id == shadow.table_id
        and connection.link_kind == "play"
        and connection.process_name == server.process.name
        and connection.shown_seq is not None
    ]
    connected = {person for connection in connections for person in connection.persons}
    unsure = {
        person
        for connection in connections
        if len(connection.persons) > 1
        for person in connection.persons
    }
    seats = msgspec.json.decode(device.last)["table"]["seats"]
    for number, seat in enumerate(shadow.table.seats):
        if seat.person is None or seat.person.id in unsure:
            continue
        if seats[number]["present"] != (seat.person.id in connected) or seats[number]["silent"]:
            world.fail("presence", f"{device.name} is shown of {seat.person}: {seats[number]}")


async def _check_renames(world: World) -> None:
    """Rename some people, and check that the records do not change."""
    if world.rng.random() < 0.7:
        return
    before = _finished_records(world)
    for device in world.devices:
        if device.connection is not None:
            device.rename()
            world.network.later(0.5, device.disconnect)
            world.network.later(1.0, device.connect)
    await world.pass_time(3.0)
    if before != _finished_records(world):
        world.fail("record", "the record of a finished game has changed")


def _finished_records(world: World) -> list[object]:
    return [
        public_record(history)
        for shadow in world.invariants.logs.values()
        for history in fold_games(map(log.decode, shadow.bodies))[1]
        if history.is_over
    ]


def _check_records(world: World, shadow: ShadowLog) -> None:
    """Check that the record of each game verifies."""
    if shadow.table.ended is not None:
        return
    histories = fold_games(map(log.decode, shadow.bodies))[1]
    for number, history in enumerate(histories, 1):
        record = public_record(history)
        if history.is_over and (problems := verify(record)):
            world.fail("record", f"game {number} of {shadow.table_id}: {problems}")


def _check_nothing_left(world: World) -> None:
    """Check that no server holds data of tables without clients."""
    for server in world.servers:
        if not server.is_up:
            continue
        parts = server.app.state.server_context
        left = {
            "tables": len(parts.registry),
            "load locks": len(parts.registry._load_locks),
            "seats being taken": len(parts.registry.services.seat_limiter._sitting_down),
            "tables changed while they load": len(parts.registry._changed_while_loading),
            "people waiting": len(parts.registry.services.bot_dispatcher.scheduler._people_waiting),
            "clients of devices": len(parts.sessions._clients_by_device),
            "open sockets": sum(parts.websocket_limits._open_counts.values()),
            "work of bots": parts.registry.services.bot_dispatcher.scheduler.executor.person_count,
            "work on records": parts.records.executor.person_count,
            "locks of records": len(parts.records._locks),
            "requests": len(server._requests),
            "people at other servers": len(parts.registry.services.peers.occupied_table_ids),
        }
        found = {name: number for name, number in left.items() if number}
        if found:
            world.fail("left", f"{server.process.name} still holds {found}")

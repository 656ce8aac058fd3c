"""A live table: resuming a socket, turn clock, failing bots, names."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import URLSafeTimedSerializer

from acesaround import bots
from acesaround.bots import Player
from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.server.live import live_table, table_log
from acesaround.store import Store
from acesaround.store.admin_notices import person_hash
from acesaround.table import Config, Entry, Person
from acesaround.table.trick_claims import can_claim
from tests.retention.store_fixtures import store_table
from tests.server.clock import get_clock
from tests.server.http_client import (
    Message,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.table.table_log import play_table_until


def is_on_turn_after(tricks: int) -> Callable[[Message], bool]:
    """Return a condition: this seat is to act after at least `tricks` tricks."""
    return lambda m: m["decision"] is not None and len(m["view"]["tricks"]) >= tricks


def test_reconnected_socket_gets_missed_steps(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(set_name(ann, "Ann"), start=True)
        with open_seat(zoe, opened) as looking, open_seat(ann, opened) as playing:
            playing.play(is_on_turn_after(1))
            seq = playing.state["seq"]
            playing.play(is_on_turn_after(3))
            while looking.state["seq"] < playing.state["seq"]:
                looking.receive()
            events_by_seq = {state["seq"]: state["events"] for state in looking.seen}
            last = playing.state["seq"]
            with zoe.websocket_connect(f"/ws/{opened}?seq={seq}") as socket:
                received: list[dict[str, Any]] = []
                while not received or received[-1]["missed"]:
                    received.append(socket.receive_json())
            assert [state["seq"] for state in received] == list(range(seq + 1, last + 1))
            assert [state["events"] for state in received] == [
                events_by_seq[number] for number in range(seq + 1, last + 1)
            ]


@pytest.mark.parametrize("seq", ["0", "999999", "-1", "x", "", "9" * 40, "²"])
def test_invalid_or_old_seq_gets_the_present_state(
    seq: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_log, "_MAX_RECENT_STEPS", 5)
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as playing:
            playing.play(is_on_turn_after(2))
            with ann.websocket_connect(f"/ws/{opened}?seq={seq}") as socket:
                first = socket.receive_json()
            assert not first["missed"]
            assert first["seq"] == playing.state["seq"]


def test_bot_plays_overdue_turns_until_the_person_is_back(
    tmp_path: Path,
) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"), clock=1000)
        set_name(bob, "Bob")
        with open_seat(ann, opened) as host, open_seat(bob, opened) as guest:
            clock = get_clock(ann)
            guest.send(type="sit", seat=2)
            host.read_until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            # Neither acts, so a bot takes over the first on turn, then the other.
            while not all(host.state["table"]["seats"][n]["substituted"] for n in (0, 2)):
                clock.advance(1000)
                assert host.receive()["type"] == "state"
            assert host.state["table"]["clock"] == 1000
            guest.read_until(lambda m: m["table"]["seats"][2]["substituted"])
            assert (
                host.send_refused(type="act", seq=host.state["seq"], action=["pass"])
                == "substituted"
            )
            host.send(type="back")
            guest.send(type="back")
            host.read_until(
                lambda m: m["type"] == "state" and not m["table"]["seats"][0]["substituted"]
            )
            guest.read_until(
                lambda m: m["type"] == "state" and not m["table"]["seats"][2]["substituted"]
            )


def test_failing_bot_does_not_stop_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        name = "broken"

        def choose(self, view: object, decision: object) -> Any:
            raise RuntimeError("out of ideas")

    def broken(rng: random.Random) -> Player:
        return Broken()

    monkeypatch.setitem(bots.BOTS, "thumb", bots.Bot("It fails.", broken))
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, options={"hands": 1}, start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(has_scored_deals())
        assert verify(decode(ann.get(f"/api/tables/{opened}/record.json").content)) == []
    assert "a bot failed" in caplog.text


def test_new_name_is_shown_after_reconnecting(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, zoe]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(zoe, opened) as looking:
            with open_seat(ann, opened):
                pass
            set_name(ann, "Annabel")
            with open_seat(ann, opened) as sitting:
                assert sitting.state["table"]["seats"][0]["name"] == "Annabel"
                looking.read_until(lambda m: m["table"]["seats"][0]["name"] == "Annabel")


async def store_in_app_database(folder: Path, name: str, entries: Sequence[Entry]) -> None:
    """Store a table with a log in the database of `app(folder)`."""
    store = await Store.open(f"sqlite:///{folder / 'tables.sqlite'}")
    try:
        await store_table(store, name, entries)
    finally:
        await store.close()


def test_a_claim_over_a_socket_ends_the_deal(tmp_path: Path) -> None:
    """The plays are shown one by one."""
    ann = Person("ann", "Ann")
    entries = play_table_until(
        Config("three-handed", 3, {"hands": 60}),
        ann,
        lambda t: can_claim(t, 0) and t.game is not None and len(t.game.hand(0)) > 2,
    )
    asyncio.run(store_in_app_database(tmp_path, "sure", entries))
    with open_clients(make_app(tmp_path)) as [client]:
        signer = URLSafeTimedSerializer("a secret only for tests", salt="acesaround.guest")
        client.cookies.clear()
        client.cookies.set("acesaround", signer.dumps({"id": ann.id, "name": ann.name}))
        with open_seat(client, "sure") as sitting:
            assert sitting.state["table"]["allowed"]["claim"]
            deals, seq = len(sitting.state["sheet"]), sitting.state["seq"]
            sitting.send(type="claim")
            sitting.read_until(has_scored_deals(deals + 1))
            shown = [state for state in sitting.seen if state["seq"] > seq]
            assert shown[0]["table"]["claiming_seat"] == 0
            plays = [e["type"] for state in shown[1:] for e in state["events"]]
            assert plays.count("Played") % 3 == 0
            assert [kind for kind in plays if kind in ("TrickWon", "DealScored")][-2:] == [
                "TrickWon",
                "DealScored",
            ]
            assert shown[-1]["table"]["claiming_seat"] is None


def test_only_seated_persons_see_names_of_spectators(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 4) as [ann, bob, eve, finn]:
        for client, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve"), (finn, "Ann")):
            set_name(client, name)
        opened = create_table(ann)
        with open_seat(ann, opened) as anns, open_seat(bob, opened) as bobs:
            anns.read_until(lambda m: m["table"]["spectators"] == ["Bob"])
            assert bobs.state["table"]["spectators"] == []
            watch = anns.state["table"]["links"]["watch"].rpartition("/")[2]
            with open_seat(eve, opened), open_seat(finn, opened), open_seat(finn, watch) as unseen:
                # Equal names get numbers, and spectators by the watch link are not listed.
                anns.read_until(lambda m: m["table"]["spectators"] == ["Ann 2", "Bob", "Eve"])
                assert unseen.state["table"]["spectators"] == []
            anns.read_until(lambda m: m["table"]["spectators"] == ["Bob"])
            bobs.send(type="sit", seat=1)
            anns.read_until(lambda m: m["table"]["spectators"] == [])
            bobs.read_until(lambda m: m["table"]["you"] == 1)
            with open_seat(eve, opened):
                bobs.read_until(lambda m: m["table"]["spectators"] == ["Eve"])


def test_frequent_joins_and_leaves_are_shown_rarely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "_PRESENCE_SECONDS_PER_CLIENT", 1000.0)
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        set_name(bob, "Bob")
        with open_seat(ann, opened) as host:
            for _ in range(10):
                with open_seat(bob, opened):
                    pass
            host.send(type="joining", joining="ask")
            host.read_until(lambda m: m["table"]["joining"] == "ask")
            assert len(host.seen) <= 3
            with open_seat(bob, opened):
                get_clock(ann).advance(10_000)
                host.read_until(lambda m: m["table"]["spectators"] == ["Bob"])
            get_clock(ann).advance(10_000)
            host.read_until(lambda m: not m["table"]["spectators"])


def test_command_of_a_person_deleted_meanwhile_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as sitting:
            parts: Any = ann.app.state.server_context  # type: ignore[attr-defined]
            [live] = parts.registry.loaded_tables
            parts.cookie_signer.deleted_hashes.add(person_hash(live.table.host.id))
            assert sitting.send_refused(type="stand") == "seat"

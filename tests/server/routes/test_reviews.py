"""HTTP: reviews of finished games: their progress, their limits, and what is kept of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from acesaround import optional_dependencies
from acesaround.bots.advice import Advice
from acesaround.bots.pool.request import (
    BotFailure,
    BotRequest,
    NoAnswer,
    WorkerTask,
    decide,
    decide_or_failure,
    unwrap_result,
)
from acesaround.review import Kind
from acesaround.review.game_review import PlannedDecision
from acesaround.server.live import review_jobs
from acesaround.server.routes import reviews
from acesaround.server.routes.http_messages import FinishedReview, ReviewKind
from tests.server.http_client import (
    Message,
    create_table,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.waiting import wait_until, wait_until_async

T = TypeVar("T")


class ThreadPool:
    """A pool whose workers are threads.

    `gate`: evaluations wait for it, but not those of the first `free_deals`. `failures`: errors of
    the next evaluations.
    """

    max_running = 2

    def __init__(self) -> None:
        self.ready = True
        self.gate = threading.Event()
        self.gate.set()
        self.failures: list[NoAnswer | BotFailure] = []
        self.evaluation_count = self.free_deals = 0
        self.on_resize: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Do nothing."""

    async def ask(self, request: BotRequest) -> Advice:
        return decide(replace(request, bot="thumb"))

    async def run(self, task: WorkerTask[T]) -> T:
        answer: object = None
        if task.name == "evaluation":
            decision: PlannedDecision = task.decision  # type: ignore[attr-defined]
            self.evaluation_count += 1
            if self.failures:
                answer = self.failures.pop()
            elif decision.view.deals >= self.free_deals:
                await wait_until_async(self.gate.is_set, "the test lets evaluations go on")
        if isinstance(answer, NoAnswer):
            raise answer
        return unwrap_result(task, answer or await asyncio.to_thread(decide_or_failure, task))

    async def close(self) -> None:
        self.gate.set()


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> ThreadPool:
    """Let servers of the test use one pool, and reviews take little time."""
    pool = ThreadPool()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    monkeypatch.setattr(review_jobs, "SECONDS", 0.002)
    return pool


def play_game(
    client: TestClient, variant: str = "two-handed", deals: int = 1, **config: Any
) -> str:
    """Play a game to its end, and return the token of its table."""
    opened = create_table(client, variant, options={"hands": deals}, start=True, **config)
    with open_seat(client, opened) as sitting:
        sitting.play(lambda state: state["table"]["over"])
    return opened


def is_asked_after_deals(deals: int, state: Message) -> bool:
    """Return whether the seat is on turn, after so many scored deals."""
    return len(state["sheet"]) == deals and state["decision"] is not None


def ask(client: TestClient, table: str, seat: int = 0, game: int = 1) -> Any:
    return client.post(f"/api/tables/{table}/review", json={"game": game, "seat": seat})


def look(client: TestClient, table: str, seat: int = 0, game: int = 1, deals: int = 0) -> Any:
    known = {"game": game, "seat": seat, "deals": deals}
    return client.get(f"/api/tables/{table}/review", params=known)


def wait_for_review(client: TestClient, table: str, seat: int = 0) -> FinishedReview:
    """Return the review once it is done."""
    wait_until(lambda: look(client, table, seat).json()["state"] == "done", "the review is done")
    return msgspec.convert(look(client, table, seat).json()["review"], FinishedReview)


def test_a_review_shows_its_progress_and_is_kept(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        assert look(ann, opened).json()["state"] == "none"
        pool.gate.clear()
        assert ask(ann, opened).json()["state"] == "running"
        wait_until(lambda: look(ann, opened).json()["total"], "the decisions are counted")
        progress = look(ann, opened).json()
        assert (progress["state"], progress["done"], progress["review"]) == ("running", 0, None)
        pool.gate.set()
        review = wait_for_review(ann, opened)
        assert len(review.decisions) + review.skipped == progress["total"]
        assert ask(ann, opened).json()["review"] == look(ann, opened).json()["review"]
    asked = pool.evaluation_count
    with open_clients(make_app(tmp_path)) as [bob]:  # restarted, and for everybody with the link
        assert ask(bob, opened).json()["state"] == "done"
        assert wait_for_review(bob, opened) == review
    assert pool.evaluation_count == asked


def test_a_review_adds_up_and_names_steps_of_the_replay(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        ask(ann, opened)
        review = wait_for_review(ann, opened)
        replay = ann.get(f"/api/tables/{opened}/replay", params={"deal": 1}).json()
    for one in review.decisions:
        step = replay["steps"][one.step]
        assert (step["seat"], step["action"]) == (0, list(one.action))
    [deal] = review.deals
    assert deal.after in (0.0, 1.0)
    assert deal.luck + deal.decisions == pytest.approx(deal.after - deal.before, abs=0.001)
    assert sum(kind.count for kind in review.kinds) == len(review.decisions)
    mistakes = [one for one in review.decisions if one.mistake]
    assert sum(kind.mistakes for kind in review.kinds) == len(mistakes)
    assert all(one.because for one in mistakes)


def test_first_deals_are_sent_while_the_review_runs(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann, deals=3)
        pool.gate.clear()
        pool.free_deals = 2
        assert ask(ann, opened).json()["review"] is None
        wait_until(lambda: look(ann, opened, deals=1).json()["review"], "two deals are reviewed")
        progress = look(ann, opened).json()
        first = msgspec.convert(progress["review"], FinishedReview)
        assert (progress["state"], len(first.deals)) == ("running", 2)
        assert len(first.decisions) + first.skipped == progress["done"] < progress["total"]
        assert look(ann, opened, deals=2).json() == progress | {"review": None}
        pool.gate.set()
        review = wait_for_review(ann, opened)
    assert review.deals[:2] == first.deals
    assert review.decisions[: len(first.decisions)] == first.decisions
    assert len(review.deals) == 3


def test_two_people_share_one_job(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = play_game(set_name(ann, "Ann"))
        pool.gate.clear()
        ask(ann, opened)
        wait_until(lambda: look(ann, opened).json()["total"], "the review runs")
        total = look(ann, opened).json()["total"]
        assert ask(bob, opened).json() == look(ann, opened).json()
        pool.gate.set()
        wait_for_review(bob, opened)
    assert pool.evaluation_count == total


def test_an_interrupted_review_begins_again(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        pool.gate.clear()
        ask(ann, opened)
        wait_until(lambda: pool.evaluation_count, "the review has begun")
        ann.app.state.server_context.reviews.seconds = 0.001  # type: ignore[attr-defined]
    with open_clients(make_app(tmp_path)) as [ann]:
        assert look(ann, opened).json()["state"] == "none"
        assert ask(ann, opened).json()["state"] == "running"
        wait_for_review(ann, opened)


def test_a_running_game_is_refused(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, "two-handed", options={"hands": 2}, start=True)
        for deals in (0, 1):
            with open_seat(ann, opened) as sitting:
                sitting.play(partial(is_asked_after_deals, deals))
            for answer in (ask(ann, opened), look(ann, opened)):
                assert (answer.status_code, answer.json()["error"]) == (
                    403,
                    "This game is not over: it can be reviewed when it is.",
                )
    assert pool.evaluation_count == 0


def test_unknown_games_and_seats_are_not_found(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        for answer in (
            ask(ann, opened, seat=2),
            ask(ann, opened, seat=-1),
            ask(ann, opened, game=2),
            ask(ann, "nowhere"),
            look(ann, opened, game=0),
            ann.get(f"/api/tables/{opened}/review"),
            ann.get(f"/api/tables/{opened}/review?game=x&seat=0"),
        ):
            assert answer.status_code == 404
            assert answer.json()["error"].endswith(".")
        assert ask(ann, opened, seat="first").status_code == 400  # type: ignore[arg-type]


def test_a_person_has_two_reviews_in_progress(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = play_game(ann, "five-card", players=3)
        pool.gate.clear()
        assert [ask(ann, opened, seat).status_code for seat in (0, 1)] == [200, 200]
        refused = ask(ann, opened, 2)
        assert (refused.status_code, refused.json()["error"]) == (
            429,
            "Two of your reviews are in progress: wait until one is done.",
        )
        assert ask(ann, opened, 1).status_code == 200  # which is in progress
        assert ask(bob, opened, 2).status_code == 200
        pool.gate.set()
        wait_for_review(ann, opened, 0)
        wait_for_review(ann, opened, 1)


def test_an_address_and_the_server_have_limits(
    tmp_path: Path, pool: ThreadPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_jobs, "MAX_PER_ADDRESS", 1)
    with open_clients(make_app(tmp_path), 3) as [ann, bob, cleo]:
        opened = play_game(ann, "five-card", players=3)
        pool.gate.clear()
        for client, address in ((ann, "192.0.2.1"), (bob, "192.0.2.1"), (cleo, "192.0.2.2")):
            client._transport.client = (address, 50_000)  # type: ignore[attr-defined]
        assert ask(ann, opened, 0).status_code == 200
        refused = ask(bob, opened, 1)
        assert (refused.status_code, refused.json()["error"]) == (
            429,
            "Too many reviews are in progress at your address: wait until one is done.",
        )
        monkeypatch.setattr(review_jobs, "MAX_JOBS", 1)
        refused = ask(cleo, opened, 1)
        assert (refused.status_code, refused.json()["error"]) == (
            429,
            "Too many reviews are in progress on this server: try again later.",
        )
        monkeypatch.setattr(review_jobs, "MAX_JOBS", 2)
        assert ask(cleo, opened, 1).status_code == 200


def test_a_server_without_search_bots_reviews_nothing(
    tmp_path: Path, pool: ThreadPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        monkeypatch.setattr(reviews, "why_unsupported", lambda *_: "there are too many cards")
        refused = ask(ann, opened)
        assert (refused.status_code, refused.json()["error"]) == (
            422,
            "The bots that search cannot play this game, so it has no review: "
            "there are too many cards.",
        )
        monkeypatch.setattr(optional_dependencies, "missing_package", lambda _: "numba")
        refused = ask(ann, opened)
        assert (refused.status_code, refused.json()["error"]) == (
            422,
            "This server has no bots that search, so it cannot review a game.",
        )


def test_a_lost_answer_is_asked_for_again(tmp_path: Path, pool: ThreadPool) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        pool.failures = [NoAnswer("it is gone"), NoAnswer("it took too long")]
        ask(ann, opened)
        wait_for_review(ann, opened)


@pytest.mark.parametrize(
    "failures",
    [[BotFailure("KeyError: 7", "here it failed")], [NoAnswer("it is gone")] * 3],
    ids=["failure", "no-answer"],
)
def test_a_failed_review_can_be_asked_for_again(
    tmp_path: Path,
    pool: ThreadPool,
    caplog: pytest.LogCaptureFixture,
    failures: list[NoAnswer | BotFailure],
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        pool.failures = list(failures)
        ask(ann, opened)
        wait_until(lambda: look(ann, opened).json()["state"] == "failed", "the review failed")
        assert look(ann, opened).json()["error"] == "The review failed: try again later."
        assert "a review failed" in caplog.text
        assert ask(ann, opened).json()["state"] == "running"
        wait_for_review(ann, opened)


def test_a_review_waits_until_the_workers_are_ready(
    tmp_path: Path, pool: ThreadPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_jobs, "_READY_SECONDS", 0.01)
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = play_game(ann)
        pool.ready = False
        assert ask(ann, opened).json() == {
            "state": "running", "done": 0, "total": 0, "error": "", "review": None,
        }  # fmt: skip
        pool.ready = True
        wait_for_review(ann, opened)


def test_kinds_of_decisions_are_those_of_the_library() -> None:
    assert get_args(ReviewKind) == tuple(kind.value for kind in Kind)

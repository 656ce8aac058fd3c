"""HTTP: practice positions, shipped ones and from own games, their answers and counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.testclient import TestClient

from acesaround.practice import Theme, find_position, shipped_positions
from acesaround.server.live import review_jobs
from acesaround.server.routes import practice
from acesaround.server.routes.http_messages import PracticeTheme
from tests.server.http_client import make_app, open_clients, set_name
from tests.server.routes.test_reviews import ThreadPool, ask, play_game, wait_for_review


@pytest.fixture
def reviewing_pool(monkeypatch: pytest.MonkeyPatch) -> ThreadPool:
    """Let servers of the test review games with threads, in little time."""
    pool = ThreadPool()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    monkeypatch.setattr(review_jobs, "SECONDS", 0.002)
    return pool


def next_position(client: TestClient, **query: str) -> Any:
    answer = client.get("/api/practice", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def send(client: TestClient, position_id: str, choice: int) -> Any:
    return client.post("/api/practice", json={"id": position_id, "choice": choice})


def counts_of(answer: Any) -> dict[str, tuple[int, int]]:
    """Return the themes with answers: how many were right and wrong."""
    return {
        one["theme"]: (one["right"], one["wrong"])
        for one in answer["counts"]
        if one["right"] or one["wrong"]
    }


def test_a_position_is_sent_without_solution_and_hidden_cards(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        for theme in {position.theme for position in shipped_positions()}:
            sent = next_position(ann, theme=theme)["position"]
            shipped = find_position(sent["id"])
            assert shipped is not None
            assert sent["theme"] == theme == shipped.theme
            assert set(sent) == {
                "id", "theme", "is_own_game", "variant", "title", "players", "sides", "partners",
                "seat", "names", "view", "trick", "choices",
            }  # fmt: skip
            view, _ = shipped.replay()
            assert sent["view"]["seat"] == view.seat == sent["seat"]
            assert sent["view"]["hand"] == [str(card) for card in view.hand]
            assert "hands" not in sent["view"]
            if view.declarer != view.seat:
                assert not sent["view"]["buried"]


def test_answers_are_told_and_counted(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        sent = next_position(ann, theme="leads")
        assert counts_of(sent) == {}
        position = find_position(sent["position"]["id"])
        assert position is not None
        for expected in (False, True):
            at = next(at for at, one in enumerate(position.choices) if one.is_right is expected)
            told = send(ann, position.id, at).json()
            assert (told["right"], told["choice"]) == (expected, at)
            assert position.choices[told["best"]] is position.best
            assert [one["right"] for one in told["values"]] == [
                one.is_right for one in position.choices
            ]
            assert told["because"] == list(position.reason)
        assert counts_of(told) == {"leads": (1, 1)}
        assert counts_of(next_position(ann)) == {"leads": (1, 1)}
        assert counts_of(next_position(bob)) == {}


def test_a_solved_position_is_not_dealt_again_soon(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        of_theme = [one for one in shipped_positions() if one.theme is Theme.FORCING]
        dealt = []
        for _ in of_theme:
            position = find_position(next_position(ann, theme="forcing")["position"]["id"])
            assert position is not None
            dealt.append(position.id)
            send(ann, position.id, position.choices.index(position.best))
        assert sorted(dealt) == sorted(one.id for one in of_theme)
        assert next_position(ann, theme="forcing")["position"]["id"] == dealt[0]


def test_positions_are_chosen_by_variant(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert next_position(ann, variant="two-handed")["position"]["variant"] == "two-handed"
        assert next_position(ann, variant="no-such-game")["position"] is None
        assert next_position(ann, theme="melding")["position"] is None


def test_unknown_positions_and_choices_are_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        position = shipped_positions()[0]
        refused = send(ann, "own.0", 0)
        assert (refused.status_code, refused.json()["error"]) == (
            404,
            "That position is gone: take the next one.",
        )
        for choice in (-1, len(position.choices)):
            refused = send(ann, position.id, choice)
            assert (refused.status_code, refused.json()["error"]) == (
                404,
                "That is no choice of this position.",
            )
        assert send(ann, position.id, "first").status_code == 400  # type: ignore[arg-type]
        assert counts_of(next_position(ann)) == {}


def test_mistakes_of_own_games_are_practised(
    tmp_path: Path, reviewing_pool: ThreadPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = play_game(set_name(ann, "Ann"))
        for seat in (0, 1):
            ask(ann, opened, seat)
        review = wait_for_review(ann, opened, 0)
        wait_for_review(ann, opened, 1)
        mistakes = [one for one in review.decisions if one.choices]
        assert mistakes
        monkeypatch.setattr(practice, "shipped_positions", tuple)
        dealt = {}
        for _ in mistakes:
            sent = next_position(ann)["position"]
            assert sent["is_own_game"]
            assert opened not in sent["id"]
            assert sent["names"] == ["Ann", "bot:thumb"]
            told = send(ann, sent["id"], 0).json()
            dealt[sent["id"]] = told
            assert len(told["values"]) == len(sent["choices"])
            assert sent["choices"][told["best"]] in [list(one.best) for one in mistakes]
        assert len(dealt) == len(mistakes)  # those of the other seat are not hers
        assert sum(map(sum, counts_of(next_position(ann)).values())) == len(mistakes)
        assert next_position(bob)["position"] is None


def test_a_mistake_is_tried_again_by_everybody_with_the_link(
    tmp_path: Path, reviewing_pool: ThreadPool
) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = play_game(set_name(ann, "Ann"))
        place = {"game": 1, "seat": 0, "deal": 1, "step": 1}
        path = f"/api/tables/{opened}/review/again"
        refused = bob.get(path, params=place)
        assert (refused.status_code, refused.json()["error"]) == (
            404,
            "That game has no review yet.",
        )
        ask(ann, opened)
        review = wait_for_review(ann, opened)
        one = next(one for one in review.decisions if one.choices)
        good = next(one for one in review.decisions if not one.choices)
        place["step"] = one.step
        sent = bob.get(path, params=place).json()
        assert sent["choices"] == [list(choice.action) for choice in one.choices]
        done = sent["choices"].index(list(one.action))
        told = bob.post(path, json={**place, "choice": done}).json()
        assert not told["right"]
        assert sent["choices"][told["best"]] == list(one.best)
        assert told["values"][done]["chance_lost"] == one.chance_lost
        assert told["counts"] == []
        assert counts_of(next_position(bob)) == {}
        for wrong in ({**place, "step": good.step}, {**place, "deal": 2}, {"game": 1}):
            assert bob.get(path, params=wrong).status_code == 404
        assert bob.post(path, json={**place, "choice": 99}).status_code == 404


def test_themes_are_those_of_the_library() -> None:
    assert get_args(PracticeTheme) == tuple(theme.value for theme in Theme)

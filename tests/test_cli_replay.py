"""`acesaround replay`: invalid, cut-off, edited and mixed records.

Each fault is a line on standard error with game and place; valid games are still accepted.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from acesaround.errors import RecordError
from acesaround.record import files, from_text, to_text
from acesaround.record.model import decode
from acesaround.variants import VARIANTS
from tests.cli_runner import ENVIRONMENT, Command, ended, golden, running, simulated, the_line
from tests.variant_sample import sample_variants


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


@pytest.fixture
def games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return two recorded games as JSON objects."""
    lines = simulated(tmp_path / "recorded", "three-handed", "--games", "2", "--option", "hands=1")
    capsys.readouterr()
    return [json.loads(line) for line in lines.splitlines()]


# Files that are no records


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `format`"),
        (b"null", "must begin with `acesaround/2 VARIANT`"),
        (b'{"format": ', "not JSON"),
        (b'{"format":"acesaround/2","rules":' + b'{"a":' * 100_000, "nested too deeply"),
        (b"\x7fELF\x02\x00\xff\xfe", "line 1: it is not text in UTF-8"),
        ("acesaround/2 partnership".encode("utf-16"), "line 1: it is not text in UTF-8"),
        (b"# a note\n\nDear diary\n", "line 3: 'Dear diary' is no game"),
        (b"word " * 1000, "must begin with"),
        (b"acesaround/3 partnership", "is 'acesaround/3': only 'acesaround/2' can be read"),
        (b"acesaround/2 whist", "'whist' is not a variant"),
        (b"acesaround/2 partnership\noption target 0", "target cannot be 0"),
        (b"acesaround/2 partnership\nrules {", "line 2: these are not valid"),
        (b"acesaround/2 partnership\nrules {}", "line 2: these are not valid"),
        (b"acesaround/1 partnership", "is 'acesaround/1': only 'acesaround/2' can be read"),
        (b"acesaround/2", "begins with `acesaround/2 VARIANT`"),
        (b"acesaround/2 partnership\noption self 1", "'self' is no house option"),
        (b"acesaround/2 partnership\nseat 1 Ann", "line 2: seat 1 comes where 0"),
        (b"acesaround/2 partnership\nseat 0 Ann", "cannot be played by 1"),
        (b"acesaround/2 partnership\nhand 0 AS", "line 2: there is no seat 0"),
        (b"acesaround/2 partnership\nkitty AS", "line 2: it belongs before the first `deal` line"),
        (b"acesaround/2 partnership\ndeal 2 dealer 0", "line 2: deal 2 comes where deal 1"),
        (b"acesaround/2 partnership\ndeal 1 dealer 7", "deal 1: the dealer is seat 7"),
        (b"acesaround/2 partnership\ndeal 1 dealer 0\n0 sings", "line 3: '0 sings' is no line"),
        (b"acesaround/2 partnership\ndeal 1 dealer 0\n0 bid AS", "line 3: '0 bid AS' cannot be"),
        (b"acesaround/2 partnership\ndeal 1 dealer 0\nhand 0 1S", "line 3: '1S' is not a card"),
        (b"acesaround/2 partnership\ndeal 1 dealer 0\nseat 0 A", "line 3: seat lines come before"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_record_is_refused_in_one_line(
    acesaround: Command, tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    refusal = acesaround.refuses("replay", str(path))
    assert refusal.startswith(f"{path}: game 1: ")
    assert said in refusal


@pytest.mark.parametrize(
    ("path", "said"),
    [("none", "No such file or directory"), (".", "Is a directory")],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    acesaround: Command, tmp_path: Path, path: str, said: str
) -> None:
    assert said in acesaround.refuses("replay", str(tmp_path / path))


def test_a_byte_order_mark_is_skipped(acesaround: Command, games: list[dict[str, Any]]) -> None:
    bom = b"\xef\xbb\xbf"
    text = (golden("partnership")).read_bytes()
    for content in (json.dumps(games[0]).encode(), text, text.replace(b"\n", b"\r\n")):
        assert acesaround("replay", "-", stdin=bom + content).status == 0


def test_an_invalid_line_is_refused_and_the_others_are_verified(
    acesaround: Command, games: list[dict[str, Any]]
) -> None:
    lines = [json.dumps(game).encode() for game in games]
    for broken in (lines[0][:3000], b"{}", b"\xff"):
        for place in (1, 2):
            stdin = b"\n".join([*lines[:place], broken, *lines[place:]])
            answer = acesaround("replay", "-", stdin=stdin)
            assert answer.status == 1
            assert the_line(answer.err).startswith(f"standard input: game {place + 1}: ")
            assert answer.out.count("every action and score holds") == 2
    answer = acesaround("replay", "-", stdin=b"\n".join([lines[0][:3000], *lines]))
    assert answer.out.count("every action and score holds") == 2


def test_a_json_game_may_have_several_lines(
    acesaround: Command, games: list[dict[str, Any]]
) -> None:
    for indent in (0, 2):
        spread = json.dumps(games[0], indent=indent).encode()
        assert acesaround("replay", "-", stdin=spread).status == 0


def test_a_fault_in_a_later_game_is_named_by_its_line_in_the_file(
    acesaround: Command,
) -> None:
    text = (golden("partnership")).read_text("utf-8")
    second = text.replace("trick 0 KH QH", "trick 0 KH ??")
    at = len(text.splitlines()) + second[: second.index("??")].count("\n") + 1
    answer = acesaround("replay", "-", stdin=(text + second).encode())
    assert answer.out.count("holds") == 1
    assert the_line(answer.err).startswith(f"standard input: game 2: line {at}: '??' is not a card")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("option hands 2", "option hands is given twice"),
        ("hand 1 S:J9 H:AQJ D:TQ9 C:AKJ9", "hand 1 is given twice"),
    ],
)
def test_a_line_given_twice_is_refused(acesaround: Command, line: str, said: str) -> None:
    text = (golden("partnership")).read_text("utf-8")
    assert line in text
    refusal = acesaround("replay", "-", stdin=text.replace(line, f"{line}\n{line}", 1).encode())
    assert refusal.status == 1
    assert said in refusal.err


def test_from_text_refuses_a_second_game() -> None:
    text = (golden("partnership")).read_text("utf-8")
    lines = text.splitlines()
    second = len(lines) + lines.index("acesaround/2 partnership") + 1
    with pytest.raises(RecordError, match=rf"^line {second}: a second game"):
        from_text(text + text)


def test_control_characters_in_names_are_escaped(
    acesaround: Command, games: list[dict[str, Any]]
) -> None:
    for seat in games[0]["seats"]:
        seat["name"] = "\x1b[2J\nBob"
    stdin = json.dumps(games[0]).encode()
    out = acesaround("replay", "-", stdin=stdin).out
    assert out.count("\n") == 1
    assert out.rstrip("\n").isprintable()
    shown = acesaround("replay", "--show", "-", stdin=stdin).out
    assert all(line.isprintable() for line in shown.split("\n"))
    again = acesaround("replay", "--json", "-", stdin=shown.encode()).out
    assert json.loads(again)["seats"] == games[0]["seats"]


def test_characters_outside_ascii_are_replaced_on_an_ascii_terminal(
    tmp_path: Path, games: list[dict[str, Any]]
) -> None:
    path = tmp_path / "game.json"
    for seat in games[0]["seats"]:
        seat["name"] = "Zoë ♠ 猫😀"
    path.write_text(json.dumps(games[0]))

    def shown(*words: str) -> bytes:
        ascii_alone = {"PYTHONIOENCODING": "ascii"}
        with running("replay", *words, stdout=-1, stderr=-1, env=ascii_alone) as run:
            status, out, err = ended(run)
        assert (status, err) == (0, b"")
        return out

    assert b"won by Zoe S \\u732b\\ud83d\\ude00:" in shown(str(path))
    assert b"seat 1 Zoe S " in shown(str(path), "--show")
    assert json.loads(shown(str(path), "--json"))["seats"] == games[0]["seats"]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no file without end")
def test_an_endless_line_is_refused_within_2_gb_of_memory() -> None:
    shell = ["sh", "-c", 'ulimit -v 2000000; exec "$@"', "sh", sys.executable, "-m", "acesaround"]
    words = ["replay", "/dev/zero"]
    done = subprocess.run([*shell, *words], env=ENVIRONMENT, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    said = the_line(done.stderr.decode())
    assert said == "/dev/zero: game 1: It is too long for a game: over 128 MiB."


@pytest.mark.parametrize("line", [b"[\n", b"sit down\n"])
def test_endless_lines_of_one_game_are_refused(
    monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    """Memory holds only one game, up to its maximum size."""

    class Lines:
        """An endless input."""

        def readline(self, _size: int) -> bytes:
            return line

    monkeypatch.setattr(files, "MAX_GAME_BYTES", 1 << 20)
    monkeypatch.setattr(files, "standard_input", Lines)
    (refused,) = files.read_games(None)
    assert str(refused) == "It is too long for a game: over 1 MiB."


def test_the_size_limit_allows_ten_thousand_deals(games: list[dict[str, Any]]) -> None:
    deal = len(json.dumps(games[0]["deals"][0]))
    assert 10_000 * 2 * deal < files.MAX_GAME_BYTES


# Records that were tampered with


def value_paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of values in a record, the first and last of each list."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            if path != ("rules",):
                yield from value_paths(inner, (*path, key))
    elif isinstance(value, list) and value:
        for index in dict.fromkeys((0, len(value) - 1)):
            yield from value_paths(value[index], (*path, index))


def replaced(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


WRONG_VALUES: tuple[object, ...] = (
    None, True, -1, 99, 10**30, 1.5, "", "x", "9D", [], [[]], ["AS"], {}, {"a": 1},
)  # fmt: skip


LABELS = (("variant",), ("options",), ("rules",))
"""Fields that may change: names of the rules, and the rules of another game."""


@pytest.mark.parametrize("variant", sample_variants(VARIANTS))
def test_a_wrong_value_in_any_place_of_a_record_is_a_fault(
    acesaround: Command, tmp_path: Path, variant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--games", "1", "--option", "hands=1", "--seed", "1")
    valid = simulated(tmp_path / "valid", variant, *words)
    capsys.readouterr()
    record = json.loads(valid)
    turn = iter(WRONG_VALUES * 1000)
    wrong = [
        (path, value, json.dumps(replaced(record, path, value)))
        for path in value_paths(record)
        for value in islice(turn, 3)
        if path[:1] not in LABELS and path[-1:] != ("name",)
    ]
    wrong = [edit for edit in wrong if edit[2] != json.dumps(record)]
    assert len(wrong) > 100
    lines = [valid.rstrip(b"\n"), *(line.encode() for *_, line in wrong)]
    answer = acesaround("replay", "-", stdin=b"\n".join(lines))
    assert answer.status == 1
    assert answer.out.count("\n") == 1
    named = set()
    for line in answer.err.splitlines():
        found = re.match(r"standard input: game (\d+)\b", the_line(line))
        assert found, line
        named.add(int(found[1]))
    missed = [edit[:2] for number, edit in enumerate(wrong, 2) if number not in named]
    assert missed == []


def test_too_large_numbers_are_refused(acesaround: Command, games: list[dict[str, Any]]) -> None:
    record = json.dumps(games[0])
    bid = next(a for a in games[0]["deals"][0]["actions"] if a[1] == "bid")
    stdin = record.replace(json.dumps(bid), json.dumps([*bid[:2], "BID"]), 1)
    for number in ("9" * 5000, "1e999"):
        said = acesaround.refuses("replay", "-", stdin=stdin.replace('"BID"', number).encode())
        assert "out of range" in said


def test_each_fault_is_printed_on_its_own_line(
    acesaround: Command, games: list[dict[str, Any]]
) -> None:
    game = games[0]
    deal = game["deals"][0]
    deal["tricks"][3]["winner"] += 1
    deal["tricks"][5]["points"] += 10
    deal["score"]["play"][0] += 10
    game["totals"][1] -= 10
    answer = acesaround("replay", "-", stdin=json.dumps(game).encode())
    lines = answer.err.splitlines()
    assert answer.status == 1
    assert [line.split(": ")[1] for line in lines] == [
        "game 1, deal 1, trick 4",
        "game 1, deal 1, trick 6",
        "game 1, deal 1, score",
        "game 1, totals are " + lines[3].split("totals are ")[1].split(": ")[0],
    ]
    assert all("expected" in the_line(line) for line in lines)


def test_an_illegal_card_is_named_with_the_rule_it_breaks(acesaround: Command) -> None:
    text = (golden("partnership")).read_text("utf-8")
    wrong = text.replace("trick 1 TD KD AD 9D", "trick 1 TD KD QD 9D")
    assert wrong != text
    said = acesaround.refuses("replay", "-", stdin=wrong.encode())
    assert "deal 1, action" in said
    assert "You have a card that beats the 10♦" in said


def test_a_wrong_result_line_is_refused_with_its_number(acesaround: Command) -> None:
    text = (golden("partnership")).read_text("utf-8")
    wrong = text.replace("= totals 280 -70", "= totals 280 70")
    line = len(wrong[: wrong.index("= totals")].splitlines()) + 1
    said = acesaround.refuses("replay", "-", stdin=wrong.encode())
    assert f"line {line}: `= totals 280 70` does not follow: expected `= totals 280 -70`" in said


def test_a_game_cut_off_between_lines_is_an_unfinished_game(acesaround: Command) -> None:
    text = (golden("two-handed")).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    actions = [n for n, line in enumerate(lines) if line.startswith(("trick", "0 meld"))]
    for cut in (actions[0], actions[9], actions[-1]):
        answer = acesaround("replay", "-", stdin="".join(lines[:cut]).encode())
        assert answer.status == 0
        assert "unfinished" in answer.out


def test_a_text_cut_off_within_a_line_is_a_fault_or_an_incomplete_trick(
    acesaround: Command,
) -> None:
    text = (golden("five-card")).read_bytes()
    heading = text.index(b"acesaround/2")
    for cut in range(heading + 1, len(text), 31):
        answer = acesaround("replay", "-", stdin=text[:cut])
        if answer.status:
            assert answer.out == ""
            assert the_line(answer.err).startswith("standard input: game 1: ")
        else:
            assert the_line(answer.out).startswith("game 1: five-card, ")


def test_show_and_json_print_only_valid_games(
    acesaround: Command, games: list[dict[str, Any]]
) -> None:
    games[0]["totals"][0] += 1
    stdin = "\n".join(map(json.dumps, games)).encode()
    answer = acesaround("replay", "--json", "-", stdin=stdin)
    assert answer.status == 1
    assert [json.loads(line) for line in answer.out.splitlines()] == games[1:]
    shown = acesaround("replay", "--show", "-", stdin=stdin)
    assert shown.out == to_text(decode(json.dumps(games[1]))) + "\n"

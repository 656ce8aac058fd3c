"""The registry of bots by name. A bot is a `Player`: it decides from a `View` and a `Decision`.

`spec` defines how names are written. `fallback` replaces the decisions of bots that fail.
"""

from __future__ import annotations

import contextlib
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from acesaround import extras
from acesaround.bots import spec
from acesaround.bots.advice import ActionValue, Advice, advice
from acesaround.bots.fallback import Failures, WithFallback
from acesaround.bots.player import Closeable, Explainer, Player, SeesState, close
from acesaround.bots.safe_choice import fallback_action
from acesaround.bots.spec import PROGRAM, Option, Spec, split
from acesaround.errors import AcesAroundError, RulesError
from acesaround.heuristic_weights import MANNERS, lacks
from acesaround.rules import Rules
from acesaround.rules.support import Feature, why_not
from acesaround.rules.support import require_support as able


class Bot(msgspec.Struct, frozen=True):
    """One kind of bot. `summary` describes it for people, in a sentence.

    `make` creates a bot from a random generator and its options by name. `needs`: the extra that it
    requires. `part`: the feature that must support the rules (see `rules.support`). `offered`:
    whether people may choose it; a bot that sees all cards is for experiments only. `judges`:
    whether it bids and names trump by the value of hands.
    """

    summary: str
    make: Callable[..., Player]
    options: Mapping[str, Option] = {}
    needs: str | None = None
    offered: bool = True
    part: Feature = Feature.ENGINE
    judges: bool = True


def _random(rng: random.Random) -> Player:
    from acesaround.bots.random_bot import RandomBot

    return RandomBot(rng)


def _thumb(rng: random.Random, **manners: bool) -> Player:
    from acesaround.bots.heuristic import HeuristicBot  # it uses no random numbers

    return HeuristicBot(*manners)


def _easy(rng: random.Random) -> Player:
    from acesaround.bots.easy import EasyBot

    return EasyBot(rng)


def _search(rng: random.Random, **options: object) -> Player:
    from acesaround.bots.search import SearchBot

    return SearchBot(rng, **options)  # type: ignore[arg-type]  # `spec` has read them


def _clairvoyant(rng: random.Random, **options: str) -> Player:
    from acesaround.bots.clairvoyant import ClairvoyantBot

    return ClairvoyantBot(rng, **options)


def _level(name: str) -> Callable[..., Player]:
    def make(rng: random.Random, **options: float) -> Player:
        from acesaround.bots.levels import LevelBot

        return LevelBot(name, rng, **options)

    return make


_TIME: Final = {"time": spec.SECONDS}
_INFERENCES: Final = spec.one_of("sizes", "voids", "melds", "calls", "all")


BOTS: Final[dict[str, Bot]] = {
    "easy": Bot("Plays now and then: forgets cards and bids by feeling.", _easy),
    "medium": Bot(
        "Knows the game well, but misjudges a trick here and there.",
        _level("medium"),
        _TIME,
        "fast",
        part=Feature.SEARCH,
    ),
    "hard": Bot(
        "Thinks each card through in hundreds of deals.",
        _level("hard"),
        _TIME,
        "fast",
        part=Feature.SEARCH,
    ),
    "expert": Bot(
        "Takes its time and reads every bid and card of yours.",
        _level("expert"),
        _TIME,
        "fast",
        part=Feature.SEARCH,
    ),
    "search": Bot(
        "Tries every choice in many worlds that agree with what it has seen.",
        _search,
        {
            **_TIME,
            "inference": _INFERENCES,
            "exact": spec.NUMBER,
            "ahead": spec.one_of("yes", "no"),
        },
        "fast",
        offered=False,
        part=Feature.SEARCH,
    ),
    "clairvoyant": Bot(
        "Looks at everybody's cards: what play could gain at most.",
        _clairvoyant,
        {"sees": spec.one_of("all", "hands")},
        "fast",
        offered=False,
        part=Feature.SEARCH,
    ),
    "thumb": Bot(
        "Plays by the rules of thumb that good players teach.",
        _thumb,
        dict.fromkeys(MANNERS, spec.WORD),
    ),
    "random": Bot(
        "Knows the rules and nothing more: good for trying out a variant.", _random, judges=False
    ),
}
"""All bots by name. People may choose those with `offered`."""


def selectable_bots(rules: Rules | None = None) -> tuple[str, ...]:
    """Return the bots that people may choose, that can run here and that support the rules."""
    return tuple(
        name
        for name, bot in BOTS.items()
        if bot.offered
        and (bot.needs is None or extras.missing_package(bot.needs) is None)
        and (rules is None or why_not(rules, bot.part) is None)
    )


def install_hint() -> str | None:
    """Return a sentence about what to install for more bots, or None if nothing is missing."""
    for name, bot in BOTS.items():
        if bot.needs is not None and (package := extras.missing_package(bot.needs)) is not None:
            return str(
                extras.missing_extra_error(f"A better bot, such as {name!r},", package, bot.needs)
            )
    return None


def default_bot(rules: Rules | None = None) -> str:
    """Return the bot that people play against by these rules, unless they choose another."""
    return "medium" if "medium" in selectable_bots(rules) else "thumb"


def needs_warmup(name: str) -> bool:
    """Return whether a bot needs a warmup before it answers at once (see `warmup`)."""
    bot = BOTS.get(name.partition(":")[0].strip())
    return bot is not None and bot.needs == "fast"


def judged(name: str, rules: Rules) -> bool:
    """Return whether a bot already judges hands as well as it can by these rules (see `judge`)."""
    bot = BOTS.get(name.partition(":")[0].strip())
    return bot is None or not bot.judges or not _measurable(rules)


def _measurable(rules: Rules) -> bool:
    """Return whether hand weights can be measured for these rules, and have not been."""
    able = extras.missing_package("fast") is None and why_not(rules, Feature.PLAYOUTS) is None
    return able and lacks(rules)


def judge(rules: Rules, told: Callable[[int, int], None] | None = None) -> None:
    """Measure the hand weights for these rules, if the extra `fast` is installed.

    Measuring takes seconds, once, because the weights are cached. `told`: the callback for
    progress, with the number of steps done and the number of all steps. Without measured weights,
    bots use weights derived from the rules.
    """
    if _measurable(rules):
        with contextlib.suppress(ImportError):  # a numba that does not fit
            from acesaround.fast.calibration_cache import ready  # local, because it imports numba

            ready(rules, told)


def hint_bot_name(rules: Rules | None = None) -> str:
    """Return the name of the bot that gives hints: the best one here that supports the rules."""
    return "expert" if "expert" in selectable_bots(rules) else "thumb"


def hint_bot(rng: random.Random, seconds: float, rules: Rules | None = None) -> Player:
    """Return the bot that gives hints. If it searches, a hint takes about `seconds`."""
    name = hint_bot_name(rules)
    return make(f"{name}:time={seconds:g}" if needs_warmup(name) else name, rng)


def make_with_time_share(name: str, rng: random.Random, share: float) -> Player:
    """Create a bot that uses only a fraction of its time, if it has one. Raises RulesError."""
    parsed = spec.parse(name)
    if parsed.name in ("medium", "hard", "expert"):
        return _level(parsed.name)(rng, **_known(parsed)[1], share=share)
    return make(name, rng)


def require_selectable(name: str, rules: Rules | None = None) -> str:
    """Return the name if people may choose that bot here. Raises RulesError.

    Options and programs are not allowed. `rules`: the rules of the game, which the bot must
    support.
    """
    if name not in selectable_bots():
        raise RulesError(
            f"{name!r} is no bot here: expected one of {', '.join(selectable_bots())}."
        )
    if rules is not None:
        able(rules, BOTS[name].part, f"the bot {name!r}")
    return name


def check(name: str, rules: Rules | None = None) -> str:
    """Return the name if it belongs to a bot and its options are valid. Raises RulesError.

    `rules`: the rules of the game, which the bot must support.
    """
    parsed = spec.parse(name)
    if parsed.name == PROGRAM:
        if shutil.which(parsed.words[0]) is None:
            raise RulesError(f"There is no program {parsed.words[0]!r} that can be run.")
    else:
        bot, _ = _known(parsed)
        if rules is not None:
            able(rules, bot.part, f"the bot {parsed.name!r}")
    return name


def make(
    name: str, rng: random.Random, limit: float | None = None, rules: Rules | None = None
) -> Player:
    """Create a bot by name, with `rng` as its random generator. Raises RulesError.

    `limit`: the seconds that a program has for a decision, None for its usual limit. `rules`: the
    rules of the game, which the bot must support.
    """
    if rules is not None:
        check(name, rules)
    parsed = spec.parse(name)
    if parsed.name == PROGRAM:
        return _program(parsed.words, name.strip(), limit)
    bot, options = _known(parsed)
    try:
        if bot.needs is None:
            return bot.make(rng, **options)
        with extras.require_extra(f"The bot {parsed.name!r}", bot.needs):
            return bot.make(rng, **options)
    except AcesAroundError:
        raise
    except Exception as error:  # such as a module that cannot be imported
        why = " ".join(f"{type(error).__name__}: {error}".split())[:300].removesuffix(".")
        raise RulesError(f"The bot {parsed.name!r} cannot be made: {why}.") from error


def _program(words: Sequence[str], name: str, limit: float | None = None) -> Player:
    from acesaround.bots.external import CommandBot

    return CommandBot(words, name, limit)


def program_bot(name: str, program: str) -> Bot:
    """Return a program as a bot with a plain name that people may choose. Raises RulesError."""
    if not re.fullmatch("[a-z][a-z0-9-]{0,19}", name) or name == PROGRAM:
        raise RulesError(
            f"{name!r} cannot be the name of a bot: expected a to z, 0 to 9 and -, 20 at most."
        )
    if name in BOTS:
        raise RulesError(f"There is a bot {name!r} already: give the program another name.")
    words = spec.parse(f"{PROGRAM}:{program}").words
    check(f"{PROGRAM}:{program}")
    return Bot(
        "A program that the operator of this server has chosen.", lambda _: _program(words, name)
    )


@contextlib.contextmanager
def registered(programs: Mapping[str, str]) -> Iterator[None]:
    """Register programs as bots of this process within the context. Raises RulesError."""
    BOTS.update({name: program_bot(name, program) for name, program in programs.items()})
    try:
        yield
    finally:
        for name in programs:
            BOTS.pop(name, None)


def _known(parsed: Spec) -> tuple[Bot, dict[str, object]]:
    """Return the bot of a parsed name and the values of its options. Raises RulesError."""
    bot = BOTS.get(parsed.name)
    if bot is None:
        raise RulesError(
            f"{parsed.name!r} is no bot: expected one of {', '.join(BOTS)}, or cmd:PROGRAM."
        )
    if bot.needs is not None and (package := extras.missing_package(bot.needs)) is not None:
        raise extras.missing_extra_error(f"The bot {parsed.name!r}", package, bot.needs)
    return bot, spec.read(parsed, bot.options)


__all__ = [
    "BOTS",
    "ActionValue",
    "Advice",
    "Bot",
    "Closeable",
    "Explainer",
    "Failures",
    "Player",
    "SeesState",
    "WithFallback",
    "advice",
    "check",
    "close",
    "default_bot",
    "fallback_action",
    "hint_bot",
    "hint_bot_name",
    "install_hint",
    "make",
    "make_with_time_share",
    "needs_warmup",
    "program_bot",
    "registered",
    "require_selectable",
    "selectable_bots",
    "split",
]

"""The registry of bots by name. A bot is a `Player`: it decides from a `View` and a `Decision`.

`spec` defines how names are written. `fallback_player` replaces the decisions of bots that fail.
"""

from __future__ import annotations

import contextlib
import random
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from acesaround import optional_dependencies
from acesaround.bots import spec
from acesaround.bots.advice import ActionValue, Advice, ask_for_advice
from acesaround.bots.fallback_player import Failures, WithFallback
from acesaround.bots.player import Closeable, Explainer, OmniscientPlayer, Player, close
from acesaround.bots.python_bots import load_python_bot
from acesaround.bots.safe_action import fallback_action
from acesaround.bots.spec import PROGRAM, BotOption, Spec, split_bot_names
from acesaround.errors import AcesAroundError, RulesError
from acesaround.heuristic_weights import REFERENCE_ROLE_WEIGHTS, lacks_measured_weights
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature, require_support, why_unsupported


class Bot(msgspec.Struct, frozen=True):
    """One kind of bot. `summary` describes it for people, in a sentence.

    `make` creates a bot from a random generator and its options by name. `required_extra`: the
    extra that it requires. `required_feature`: the feature that must support the rules (see
    `rules.feature_support`). `is_selectable`: whether people may choose it; a bot that sees all
    cards is for experiments only. `uses_hand_weights`: whether it bids and names trump by the value
    of hands. `has_conventions`: whether its bids and signals keep what the conventions promise.
    """

    summary: str
    make: Callable[..., Player]
    options: Mapping[str, BotOption] = {}
    required_extra: str | None = None
    is_selectable: bool = True
    required_feature: Feature = Feature.ENGINE
    uses_hand_weights: bool = True
    has_conventions: bool = True


def _make_random(rng: random.Random) -> Player:
    from acesaround.bots.random_bot import RandomBot

    return RandomBot(rng)


def _make_heuristic(rng: random.Random, natural: bool = False, **versions: bool) -> Player:
    from acesaround.bots.heuristic import HeuristicBot  # it uses no random numbers

    return HeuristicBot(next(iter(versions), None), natural)


def _make_easy(rng: random.Random, natural: bool = False) -> Player:
    from acesaround.bots.easy import EasyBot

    return EasyBot(rng, natural)


def _make_search(rng: random.Random, **options: object) -> Player:
    from acesaround.bots.search import SearchBot

    return SearchBot(rng, **options)  # type: ignore[arg-type]  # `spec` has read them


def _make_clairvoyant(rng: random.Random, **options: str) -> Player:
    from acesaround.bots.clairvoyant import ClairvoyantBot

    return ClairvoyantBot(rng, **options)


def _level_maker(name: str) -> Callable[..., Player]:
    def make(rng: random.Random, **options: Any) -> Player:
        from acesaround.bots.levels import LevelBot

        return LevelBot(name, rng, **options)

    return make


_NATURAL: Final = "natural"
_NATURAL_OPTION: Final = {_NATURAL: spec.FLAG_OPTION}
_TIME_OPTION: Final = {"time": spec.SECONDS_OPTION}
_LEVEL_OPTIONS: Final = {**_TIME_OPTION, **_NATURAL_OPTION}
_INFERENCE_OPTION: Final = spec.one_of("sizes", "voids", "melds", "calls", "all")


BOTS: Final[dict[str, Bot]] = {
    "easy": Bot(
        "Plays like an occasional player: forgets cards and bids by feeling.",
        _make_easy,
        _NATURAL_OPTION,
        has_conventions=False,
    ),
    "medium": Bot(
        "Knows the game well, but misjudges a trick here and there.",
        _level_maker("medium"),
        _LEVEL_OPTIONS,
        "fast",
        required_feature=Feature.SEARCH,
    ),
    "hard": Bot(
        "Tries each card in hundreds of deals.",
        _level_maker("hard"),
        _LEVEL_OPTIONS,
        "fast",
        required_feature=Feature.SEARCH,
    ),
    "expert": Bot(
        "Takes longer and draws conclusions from every bid and card.",
        _level_maker("expert"),
        _LEVEL_OPTIONS,
        "fast",
        required_feature=Feature.SEARCH,
    ),
    "search": Bot(
        "Tries every choice in many worlds that agree with what it has seen.",
        _make_search,
        {
            **_TIME_OPTION,
            "inference": _INFERENCE_OPTION,
            "exact": spec.NUMBER_OPTION,
            "ahead": spec.one_of("yes", "no"),
            **_NATURAL_OPTION,
        },
        "fast",
        is_selectable=False,
        required_feature=Feature.SEARCH,
    ),
    "clairvoyant": Bot(
        "Sees everybody's cards: shows the most that a bot could win.",
        _make_clairvoyant,
        {"sees": spec.one_of("all", "hands")},
        "fast",
        is_selectable=False,
        required_feature=Feature.SEARCH,
        has_conventions=False,
    ),
    "thumb": Bot(
        "Plays by the rules of thumb that good players teach.",
        _make_heuristic,
        {**dict.fromkeys(REFERENCE_ROLE_WEIGHTS, spec.FLAG_OPTION), **_NATURAL_OPTION},
    ),
    "random": Bot(
        "Knows only the rules: good for trying out a variant.",
        _make_random,
        uses_hand_weights=False,
        has_conventions=False,
    ),
}
"""All bots by name. People may choose those with `is_selectable`."""


def selectable_bots(rules: Rules | None = None) -> tuple[str, ...]:
    """Return the bots that people may choose, that this installation can run, for these rules."""
    return tuple(
        name
        for name, bot in BOTS.items()
        if bot.is_selectable
        and (
            bot.required_extra is None
            or optional_dependencies.missing_package(bot.required_extra) is None
        )
        and (rules is None or why_unsupported(rules, bot.required_feature) is None)
    )


def install_hint() -> str | None:
    """Return a sentence about what to install for more bots, or None if nothing is missing."""
    for name, bot in BOTS.items():
        if (
            bot.required_extra is not None
            and (package := optional_dependencies.missing_package(bot.required_extra)) is not None
        ):
            return str(
                optional_dependencies.missing_extra_error(
                    f"A better bot, such as {name!r},", package, bot.required_extra
                )
            )
    return None


def has_conventions(name: str) -> bool:
    """Return whether a bot keeps what the conventions promise. A program is not known to."""
    try:
        parsed = spec.parse_bot_name(name)
    except RulesError:  # such as a name in a record from elsewhere
        return False
    bot = BOTS.get(parsed.name)
    return bot is not None and bot.has_conventions and _NATURAL not in parsed.options


def natural_name(name: str) -> str:
    """Return the name of the same bot without conventions, if it has any to leave out."""
    parsed = spec.parse_bot_name(name)
    bot = BOTS.get(parsed.name)
    if bot is None or _NATURAL not in bot.options or _NATURAL in parsed.options:
        return name
    return f"{name}:{_NATURAL}"


def default_bot(rules: Rules | None = None) -> str:
    """Return the bot that people play against by these rules, unless they choose another."""
    return "medium" if "medium" in selectable_bots(rules) else "thumb"


def needs_warmup(name: str) -> bool:
    """Return whether a bot needs a warmup before it answers at once (see `warmup`)."""
    bot = BOTS.get(name.partition(":")[0].strip())
    return bot is not None and bot.required_extra == "fast"


def has_hand_weights(name: str, rules: Rules) -> bool:
    """Return whether a bot judges hands by these rules as well as it can.

    See `measure_hand_weights`.
    """
    bot = BOTS.get(name.partition(":")[0].strip())
    return bot is None or not bot.uses_hand_weights or not _can_measure_hand_weights(rules)


def _can_measure_hand_weights(rules: Rules) -> bool:
    """Return whether hand weights can be measured for these rules, and have not been."""
    can_measure = (
        optional_dependencies.missing_package("fast") is None
        and why_unsupported(rules, Feature.PLAYOUTS) is None
    )
    return can_measure and lacks_measured_weights(rules)


def measure_hand_weights(
    rules: Rules, on_progress: Callable[[int, int], None] | None = None
) -> None:
    """Measure the hand weights for these rules, if the extra `fast` is installed.

    Measuring takes seconds, once, because the weights are cached. `on_progress`: the callback for
    progress, with the number of steps done and the number of all steps. Without measured weights,
    bots use weights derived from the rules.
    """
    if _can_measure_hand_weights(rules):
        with contextlib.suppress(ImportError):  # a numba that does not fit
            from acesaround.fast.calibration_cache import (
                ensure_hand_weights,
            )  # local, because it imports numba

            ensure_hand_weights(rules, on_progress)


def hint_bot_name(rules: Rules | None = None) -> str:
    """Return the name of the bot that gives hints: the best available one for the rules."""
    return "expert" if "expert" in selectable_bots(rules) else "thumb"


def make_hint_bot(
    rng: random.Random, seconds: float, rules: Rules | None = None, *, is_natural: bool = False
) -> Player:
    """Return the bot that gives hints. If it searches, a hint takes about `seconds`.

    `is_natural`: whether its hints follow no conventions.
    """
    name = hint_bot_name(rules)
    if needs_warmup(name):
        name = f"{name}:time={seconds:g}"
    return make(natural_name(name) if is_natural else name, rng)


def make_with_time_share(name: str, rng: random.Random, share: float) -> Player:
    """Create a bot that uses only a fraction of its time, if it has one. Raises RulesError."""
    parsed = spec.parse_bot_name(name)
    if parsed.name in ("medium", "hard", "expert"):
        return _level_maker(parsed.name)(rng, **_bot_and_options(parsed)[1], share=share)
    return make(name, rng)


def require_selectable(name: str, rules: Rules | None = None) -> str:
    """Return the name if people may choose that bot with this installation. Raises RulesError.

    Options and programs are not allowed. `rules`: the rules of the game, which the bot must
    support.
    """
    if name not in selectable_bots():
        raise RulesError(
            f"{name!r} is not a bot that you can choose: expected one of "
            f"{', '.join(selectable_bots())}."
        )
    if rules is not None:
        require_support(rules, BOTS[name].required_feature, f"the bot {name!r}")
    return name


def check(name: str, rules: Rules | None = None) -> str:
    """Return the name if it belongs to a bot and its options are valid. Raises RulesError.

    `rules`: the rules of the game, which the bot must support.
    """
    parsed = spec.parse_bot_name(name)
    if parsed.name == PROGRAM:
        if shutil.which(parsed.command[0]) is None:
            raise RulesError(f"There is no program {parsed.command[0]!r} to run.")
    else:
        bot, _ = _bot_and_options(parsed)
        if rules is not None:
            require_support(rules, bot.required_feature, f"the bot {parsed.name!r}")
    return name


def make(
    name: str, rng: random.Random, limit_seconds: float | None = None, rules: Rules | None = None
) -> Player:
    """Create a bot by name, with `rng` as its random generator. Raises RulesError.

    `limit_seconds`: the seconds that a program has for a decision, None for its usual limit.
    `rules`: the rules of the game, which the bot must support.
    """
    if rules is not None:
        check(name, rules)
    parsed = spec.parse_bot_name(name)
    if parsed.name == PROGRAM:
        return _make_command_bot(parsed.command, name.strip(), limit_seconds)
    bot, options = _bot_and_options(parsed)
    try:
        if bot.required_extra is None:
            return bot.make(rng, **options)
        with optional_dependencies.require_extra(f"The bot {parsed.name!r}", bot.required_extra):
            return bot.make(rng, **options)
    except AcesAroundError:
        raise
    except Exception as error:  # such as a module that cannot be imported
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300].removesuffix(".")
        raise RulesError(f"Cannot create the bot {parsed.name!r}: {reason}.") from error


def _make_command_bot(
    command: Sequence[str], name: str, limit_seconds: float | None = None
) -> Player:
    from acesaround.bots.external import CommandBot

    return CommandBot(command, name, limit_seconds)


def make_program_bot(name: str, program: str) -> Bot:
    """Return a program as a bot with a plain name that people may choose. Raises RulesError."""
    if not re.fullmatch("[a-z][a-z0-9-]{0,19}", name) or name == PROGRAM:
        raise RulesError(
            f"{name!r} cannot be the name of a bot: expected at most 20 of a to z, 0 to 9 and -."
        )
    if name in BOTS:
        raise RulesError(f"There is a bot {name!r} already: give the program another name.")
    command = spec.parse_bot_name(f"{PROGRAM}:{program}").command
    check(f"{PROGRAM}:{program}")
    return Bot(
        "A program that the operator of this server has added.",
        lambda _: _make_command_bot(command, name),
        has_conventions=False,
    )


@contextlib.contextmanager
def register_programs(programs: Mapping[str, str]) -> Iterator[None]:
    """Register programs as bots of this process within the context. Raises RulesError."""
    BOTS.update({name: make_program_bot(name, program) for name, program in programs.items()})
    try:
        yield
    finally:
        for name in programs:
            BOTS.pop(name, None)


def _bot_and_options(parsed: Spec) -> tuple[Bot, dict[str, object]]:
    """Return the bot of a parsed name and the values of its options. Raises RulesError."""
    bot = BOTS.get(parsed.name)
    if bot is None:
        if (loaded := load_python_bot(parsed)) is not None:
            make_python_bot, python_options = loaded
            return Bot("A Python class.", make_python_bot), {**python_options}
        raise RulesError(
            f"{parsed.name!r} is not a bot: expected one of {', '.join(BOTS)}, cmd:PROGRAM or "
            "MODULE:CLASS."
        )
    if (
        bot.required_extra is not None
        and (package := optional_dependencies.missing_package(bot.required_extra)) is not None
    ):
        raise optional_dependencies.missing_extra_error(
            f"The bot {parsed.name!r}", package, bot.required_extra
        )
    return bot, spec.option_values(parsed, bot.options)


__all__ = [
    "BOTS",
    "ActionValue",
    "Advice",
    "Bot",
    "Closeable",
    "Explainer",
    "Failures",
    "OmniscientPlayer",
    "Player",
    "WithFallback",
    "ask_for_advice",
    "check",
    "close",
    "default_bot",
    "fallback_action",
    "has_conventions",
    "hint_bot_name",
    "install_hint",
    "make",
    "make_hint_bot",
    "make_program_bot",
    "make_with_time_share",
    "natural_name",
    "needs_warmup",
    "register_programs",
    "require_selectable",
    "selectable_bots",
    "split_bot_names",
]

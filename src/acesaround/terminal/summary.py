"""The end of a deal as text: the points of each side, why a bid was set, and what was lost.

Uses only public facts, the events of the deal. `rules.scoring` decides which points count.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from acesaround.game import events as ev
from acesaround.game.narration import Names, names, signed
from acesaround.rules import Rules
from acesaround.rules.scoring import (
    DealScore,
    Outcome,
    Tally,
    counters_of,
    nines_of,
    score_after_losses,
)
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, WARN, coloured


def deal_end(story: Sequence[ev.Event], scored: ev.DealScored, who: Names) -> Text:
    """Return the page that is shown when a deal has been scored."""
    rules, score = who.rules, scored.score
    tally = counted(rules, story, score)
    made = [coloured(line, f"bold {PLAIN}") for line in result(rules, story, scored, tally, who)]
    wide = max(len(who.side(side)) for side in range(len(rules.sides)))
    made.append(Text(""))
    made.append(Text(f"{'':{wide}}{'meld':>7}{'play':>7}{'change':>9}{'total':>8}", QUIET))
    for side, change in enumerate(score.change):
        style = f"bold {BRIGHT}" if who.mine(side) else PLAIN
        line = Text(f"{who.side(side):{wide}}", style)
        line.append(f"{score.meld[side]:>7}{score.play[side]:>7}", PLAIN)
        line.append(f"{signed(change):>9}", f"bold {WARN}" if change < 0 else f"bold {PLAIN}")
        line.append(f"{scored.totals[side]:>8}", style)
        made.append(line)
    losses = [loss(rules, tally, score, side, who) for side in range(len(rules.sides))]
    lost = [coloured(why, WARN) for why in losses if why]
    if lost:
        made += [Text(""), *lost]
    if scored.buried:
        made += [Text(""), coloured(f"Buried were {names(scored.buried)}.", QUIET)]
    return Text("\n").join(made)


def counted(rules: Rules, story: Sequence[ev.Event], score: DealScore) -> Tally:
    """Return the tally of what each side laid and won, from public events."""
    won = [(event.seat, event.cards) for event in story if isinstance(event, ev.TrickWon)]
    laid = [(event.seat, event.shown) for event in story if isinstance(event, ev.Melded)]
    return Tally(score.meld, nines_of(rules, laid), score.play, counters_of(rules, won))


def result(
    rules: Rules, story: Sequence[ev.Event], scored: ev.DealScored, tally: Tally, who: Names
) -> list[str]:
    """Return how the deal ended, in a sentence or two."""
    score = scored.score
    if score.outcome is Outcome.THROWN_IN:
        return ["Everybody passed: the cards are thrown in, and nobody scores."]
    if score.outcome is Outcome.RENEGED:
        broken = next(event for event in story if isinstance(event, ev.Reneged))
        return [f"{who.does(broken.seat, 'renege')}, and the deal is over. {broken.rule}"]
    if score.declarer is None or score.bid is None:
        return ["The deal is over: meld and play are added."]
    declarer = f"{who.names[score.declarer]} had bid {score.bid}"
    if score.outcome is Outcome.CONCEDED:
        return [f"{declarer} and gave up before the first lead: the others score their meld."]
    if score.outcome is Outcome.NO_MARRIAGE:
        return [f"{declarer} but held no marriage, so no trump could be named."]
    side = rules.side_of(score.declarer)
    meld, play = score_after_losses(rules, tally, side)
    if score.outcome is Outcome.MADE:
        return [f"{declarer} and made it: meld {meld} + play {play} = {meld + play}."]
    were = "were" if score.declarer == who.seat else "was"
    short = score.bid - meld - play
    return [f"{declarer} and {were} set, {short} short: meld {meld} + play {play} = {meld + play}."]


def loss(rules: Rules, tally: Tally, score: DealScore, side: int, who: Names) -> str | None:
    """Return why a side lost its meld or its play points, None if it lost neither."""
    if score.outcome not in (Outcome.MADE, Outcome.SET, Outcome.COUNTED):
        return None
    law = rules.scoring
    meld, play = score_after_losses(rules, tally, side)
    if (meld, play) == (tally.meld[side], tally.play[side]):
        return None
    name = who.side(side)
    if tally.play[side] < law.least_play:
        return (
            f"{name}: fewer than {law.least_play} points in play, so neither meld nor play counts."
        )
    if law.min_twenty and play < tally.play[side]:
        return f"{name}: less than {law.least_hand} in all scores nothing."
    if tally.meld[side] < law.least_meld:
        return f"{name}: a meld below {law.least_meld} scores nothing."
    apart = f" but {meld} for nines of trump" if meld else ""
    return f"{name}: meld lost{apart}, because no {law.keep_meld.value} was won in the play."


def game_end(scored: ev.DealScored, side: int, who: Names) -> Text:
    """Return the page that is shown when the game is won."""
    mine = who.mine(side)
    title = "You win the game!" if mine else f"{who.side(side)} wins the game."
    if not mine and len(who.rules.sides[side]) > 1:
        title = f"{who.side(side)} win the game."
    made = [Text(title, f"bold {BRIGHT}"), Text("")]
    ranked = sorted(range(len(scored.totals)), key=lambda s: (s != side, -scored.totals[s]))
    wide = max(len(who.side(s)) for s in ranked)
    for place, one in enumerate(ranked, 1):
        style = f"bold {BRIGHT}" if who.mine(one) else PLAIN
        made.append(Text(f"{place}. {who.side(one):{wide}} {scored.totals[one]:>7}", style))
    return Text("\n").join(made)

"""The end of a deal as text: the points of each side, why a bid was set, and what was lost.

Uses only public facts, the events of the deal. `rules.scoring` decides which points count.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from acesaround.game import events as ev
from acesaround.game.narration import Names, card_names, pluralize, signed_points
from acesaround.rules import Rules
from acesaround.rules.scoring import (
    DealScore,
    Outcome,
    Tally,
    card_points,
    dix_points_by_side,
    has_counter_by_side,
    score_after_losses,
)
from acesaround.terminal.card_art import (
    DIM_STYLE,
    HIGHLIGHT_STYLE,
    TEXT_STYLE,
    WARNING_STYLE,
    colour_cards,
)


def deal_end_page(
    deal_events: Sequence[ev.Event], scored: ev.DealScored, seat_names: Names
) -> Text:
    """Return the page that is shown when a deal has been scored."""
    rules, score = seat_names.rules, scored.score
    tally = tally_of_events(rules, deal_events, score)
    lines = [
        colour_cards(line, f"bold {TEXT_STYLE}")
        for line in result_sentences(rules, deal_events, scored, tally, seat_names)
    ]
    name_width = max(len(seat_names.side_name(side)) for side in range(len(rules.sides)))
    lines.append(Text(""))
    lines.append(
        Text(f"{'':{name_width}}{'meld':>7}{'play':>7}{'change':>9}{'total':>8}", DIM_STYLE)
    )
    for side, change in enumerate(score.change):
        style = f"bold {HIGHLIGHT_STYLE}" if seat_names.is_own_side(side) else TEXT_STYLE
        line = Text(f"{seat_names.side_name(side):{name_width}}", style)
        line.append(f"{score.meld[side]:>7}{score.play[side]:>7}", TEXT_STYLE)
        line.append(
            f"{signed_points(change):>9}",
            f"bold {WARNING_STYLE}" if change < 0 else f"bold {TEXT_STYLE}",
        )
        line.append(f"{scored.totals[side]:>8}", style)
        lines.append(line)
    losses = [
        loss_sentence(rules, tally, score, side, seat_names) for side in range(len(rules.sides))
    ]
    loss_lines = [colour_cards(sentence, WARNING_STYLE) for sentence in losses if sentence]
    if loss_lines:
        lines += [Text(""), *loss_lines]
    if scored.buried:
        lines += [Text(""), colour_cards(buried_sentence(scored, seat_names), DIM_STYLE)]
    return Text("\n").join(lines)


def buried_sentence(scored: ev.DealScored, seat_names: Names) -> str:
    """Return the buried cards of a scored deal, and their points."""
    points = card_points(seat_names.rules, scored.buried)
    return f"Buried cards: {card_names(scored.buried)}, {pluralize(points, 'point')}."


def tally_of_events(rules: Rules, deal_events: Sequence[ev.Event], score: DealScore) -> Tally:
    """Return the tally of what each side laid and won, from public events."""
    tricks_won = [
        (event.seat, event.cards) for event in deal_events if isinstance(event, ev.TrickWon)
    ]
    melds_laid = [
        (event.seat, event.shown) for event in deal_events if isinstance(event, ev.Melded)
    ]
    return Tally(
        score.meld,
        dix_points_by_side(rules, melds_laid),
        score.play,
        has_counter_by_side(rules, tricks_won),
    )


def result_sentences(
    rules: Rules,
    deal_events: Sequence[ev.Event],
    scored: ev.DealScored,
    tally: Tally,
    seat_names: Names,
) -> list[str]:
    """Return how the deal ended, in a sentence or two."""
    score = scored.score
    if score.outcome is Outcome.THROWN_IN:
        return ["Everybody passed: nobody scores."]
    if score.outcome is Outcome.RENEGED:
        reneged = next(event for event in deal_events if isinstance(event, ev.Reneged))
        return [
            f"{seat_names.clause(reneged.seat, 'renege')}, and the deal is over. {reneged.rule}"
        ]
    if score.declarer is None or score.bid is None:
        return ["The deal is over: meld and tricks are added to the scores."]
    declarer = f"{seat_names.names[score.declarer]} had bid {score.bid}"
    if score.outcome is Outcome.CONCEDED:
        return [f"{declarer} and gave up before the first lead."]
    if score.outcome is Outcome.NO_MARRIAGE:
        return [f"{declarer} but held no marriage, so no trump could be named."]
    side = rules.side_of(score.declarer)
    meld, play = score_after_losses(rules, tally, side)
    if score.outcome is Outcome.MADE:
        return [f"{declarer} and made it: meld {meld} + play {play} = {meld + play}."]
    verb = "were" if score.declarer == seat_names.seat else "was"
    points_missing = score.bid - meld - play
    return [
        f"{declarer} and {verb} set, {points_missing} short: meld {meld} + play {play} = "
        f"{meld + play}."
    ]


def loss_sentence(
    rules: Rules, tally: Tally, score: DealScore, side: int, seat_names: Names
) -> str | None:
    """Return why a side lost its meld or its play points, None if it lost neither."""
    if score.outcome not in (Outcome.MADE, Outcome.SET, Outcome.NO_BID):
        return None
    scoring = rules.scoring
    meld, play = score_after_losses(rules, tally, side)
    if (meld, play) == (tally.meld[side], tally.play[side]):
        return None
    name = seat_names.side_in_sentence(side)
    if tally.play[side] < scoring.least_play:
        return (
            f"{name}: fewer than {scoring.least_play} points in play, so neither meld nor play "
            "counts."
        )
    if scoring.min_twenty and play < tally.play[side]:
        return f"{name}: less than {scoring.least_hand} in all, so the score is 0."
    if tally.meld[side] < scoring.least_meld:
        return f"{name}: a meld below {scoring.least_meld} does not count."
    exception = f", except {meld} for nines of trump" if meld else ""
    return f"{name} won no {scoring.keep_meld.value}, so the meld does not count{exception}."


def game_end_page(scored: ev.DealScored, side: int, seat_names: Names) -> Text:
    """Return the page that is shown when the game is won."""
    is_own = seat_names.is_own_side(side)
    title = "You win the game!" if is_own else f"{seat_names.side_in_sentence(side)} wins the game."
    if not is_own and len(seat_names.rules.sides[side]) > 1:
        title = f"{seat_names.side_in_sentence(side)} win the game."
    lines = [Text(title, f"bold {HIGHLIGHT_STYLE}"), Text("")]
    ranked_sides = sorted(range(len(scored.totals)), key=lambda s: (s != side, -scored.totals[s]))
    name_width = max(len(seat_names.side_name(s)) for s in ranked_sides)
    for rank, ranked_side in enumerate(ranked_sides, 1):
        style = f"bold {HIGHLIGHT_STYLE}" if seat_names.is_own_side(ranked_side) else TEXT_STYLE
        lines.append(
            Text(
                f"{rank}. {seat_names.side_name(ranked_side):{name_width}} "
                f"{scored.totals[ranked_side]:>7}",
                style,
            )
        )
    return Text("\n").join(lines)

"""The panel at the side of the table: contract, running score, last trick, melds and log.

The first blocks are always shown, the later ones only if the window is tall enough.
"""

from __future__ import annotations

from rich.text import Text
from textual.widget import Widget

from acesaround.game.narration import OUTCOMES, Names, names, number, signed, suit_name
from acesaround.game.state import Kind
from acesaround.game.view import View, tally
from acesaround.rules.scoring import to_go
from acesaround.terminal.card_art import BRIGHT, PLAIN, QUIET, coloured
from acesaround.terminal.scene import Scene


class Panel(Widget):
    """The widget that shows facts of a scene, most important first."""

    def __init__(self) -> None:
        super().__init__(id="panel")
        self.scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        """Show a scene."""
        self.scene = scene
        self.refresh()

    def render(self) -> Text:
        """Draw the scene."""
        if self.scene is None:
            return Text("")
        return Text("\n").join(rows(self.scene, self.size.width, self.size.height))


def rows(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the lines of the panel."""
    made = [coloured(line, f"bold {PLAIN}") for line in contract(scene.view, scene.who)]
    if made:
        made.append(Text(""))
    made += _score(scene, width)
    for block in (_last(scene, width), _table(scene), _melds(scene, width), _deals(scene, width)):
        if block and len(made) + 1 + len(block) <= height:
            made += [Text(""), *block]
    free = height - len(made) - 2
    if free >= 3 and scene.log:
        made += [Text(""), Text("What happened", QUIET)]
        lines = [part for entry in scene.log for part in _wrapped(entry, width)]
        made += lines[-free:]
    return [_cut(line, width) for line in made[:height]]


def _cut(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _wrapped(entry: str, width: int) -> list[Text]:
    lines, line = [], ""
    for word in entry.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}".strip() if not line.startswith("  ") else f"{line} {word}"
    return [coloured(part, QUIET) for part in (*lines, line)]


def _score(scene: Scene, width: int) -> list[Text]:
    """Return total, meld and points won in this deal, a line for each side."""
    view, who = scene.view, scene.who
    name = width - 15
    made = [Text(f"{'':{name}}{'total':>6}{'meld':>5}{'won':>4}", QUIET)]
    for side, total in enumerate(view.scores):
        mine = who.mine(side)
        shown = [m for m in view.melds if view.rules.side_of(m.seat) == side]
        meld = "" if not shown else str(sum(m.points or 0 for m in shown))
        if any(m.points is None for m in shown):
            meld = f"<{view.rules.scoring.least_meld}"
        won = str(view.won[side]) if view.tricks else ""
        line = Text(f"{who.side(side)[:name]:{name}}", f"bold {BRIGHT}" if mine else PLAIN)
        line.append(f"{total:>6}", "bold")
        line.append(f"{meld:>5}{won:>4}")
        made.append(line)
    goal = view.rules.ending.hands
    made.append(
        Text(f"{view.target} wins" if goal is None else f"after {number(goal, 'deal')}", QUIET)
    )
    return made


def _deals(scene: Scene, width: int) -> list[Text]:
    """Return a line for each of the last deals: bid, declarer, result and each side's change."""
    if not scene.sheet or len(scene.view.scores) * 6 + 18 > width:
        return []
    made = [Text("Deals so far", QUIET)]
    for at, scored in enumerate(scene.sheet, 1):
        score = scored.score
        by = "" if score.declarer is None else f"{score.bid} {scene.who.names[score.declarer]}"
        brought = "".join(f"{signed(change):>6}" for change in score.change)
        made.append(
            coloured(f"{at:>2} {by:<9} {OUTCOMES[score.outcome]:<11}"[: width - len(brought)])
        )
        made[-1].append(brought, "bold")
    return [made[0], *made[1:][-6:]]


def _last(scene: Scene, width: int) -> list[Text]:
    line = last_trick(scene.view, scene.who)
    if line is None:
        return []
    return [Text("Last trick", QUIET), *_wrapped(line, width)]


def _table(scene: Scene) -> list[Text]:
    """Return the cards on the table that are still held: melds, or the dealer's upcard."""
    lying = [(seat, cards) for seat, cards in enumerate(scene.view.table) if cards]
    if not lying:
        return []
    upcard = scene.view.kind is Kind.UPCARD
    made = [Text("The upcard" if upcard else "Melded, on the table", QUIET)]
    for seat, cards in lying:
        made += [coloured(f"{scene.who.names[seat]}: {names(cards)}")]
    return made


def _melds(scene: Scene, width: int) -> list[Text]:
    made: list[Text] = []
    for shown in scene.view.melds:
        for meld in shown.melds:
            line = f"{scene.who.names[shown.seat]}: {meld.name} {meld.points}"
            cards = f"  {names(meld.cards)}" if width > 32 else ""
            made.append(coloured(line + cards, PLAIN))
    return [Text("Melds", QUIET), *made] if made else []


def contract(view: View, who: Names) -> list[str]:
    """Return a line each for bid and declarer, trump, and the points still needed for the bid."""
    lines = []
    if view.declarer is not None:
        lines.append(f"Bid {view.bid} · {who.names[view.declarer]}")
    if view.trump is not None:
        lines.append(f"Trump {suit_name(view.trump)} ★")
    need = needs(view)
    if need is not None:
        assert view.declarer is not None
        lines.append(f"{who.side(who.rules.side_of(view.declarer))}: {need}")
    return lines


def needs(view: View) -> str | None:
    """Return how many points the declarer's side still needs, as far as this seat can know."""
    if view.declarer is None or view.bid is None or not view.melds:
        return None
    side = view.rules.side_of(view.declarer)
    shown = [m.points for m in view.melds if view.rules.side_of(m.seat) == side]
    if any(points is None for points in shown):
        return None
    missing = to_go(view.rules, tally(view), side, view.bid)
    if missing <= 0:
        return "enough by now"
    hidden = view.rules.exchange.bury and view.buried is None
    return f"{'at most ' if hidden else ''}{missing} to go"


def last_trick(view: View, who: Names) -> str | None:
    """Return the last trick in one line."""
    if not view.tricks:
        return None
    trick = view.tricks[-1]
    return f"{names(trick.cards)} → {who.names[trick.winner]}"

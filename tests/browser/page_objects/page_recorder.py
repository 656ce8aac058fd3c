"""Records what a page shows only for a moment: texts, moving cards, cards that vanish."""

from __future__ import annotations

from tests.browser.page_objects.browser_page import BrowserPage

_RECORD_TEXT = """(text) => {
  window.seenTexts ??= {};
  const look = () => { window.seenTexts[text] ||= document.body.textContent.includes(text); };
  look();
  const everything = { childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document, everything);
}"""
# Every movement has events, however few frames are drawn. Polling would miss some.
_RECORD_CARD_MOVES = """() => {
  const running = new Map(); // by card, how many of its movements have begun and not ended
  window.moves = { kinds: new Set(), mostAtOnce: 0 };
  const count = (change) => ({ target }) => {
    if (!target.matches?.('.layer .card')) return;
    const movements = (running.get(target) ?? 0) + change;
    if (movements > 0) running.set(target, movements);
    else running.delete(target);
    window.moves.mostAtOnce = Math.max(window.moves.mostAtOnce, running.size);
    if (change > 0) for (const kind of ['deal', 'play', 'pass', 'sweep', 'fan', 'slide'])
      if (target.classList.contains(kind)) window.moves.kinds.add(kind);
  };
  for (const event of ['transitionrun', 'animationstart'])
    addEventListener(event, count(1), true);
  for (const event of ['transitionend', 'transitioncancel', 'animationend', 'animationcancel'])
    addEventListener(event, count(-1), true);
}"""
_MARK_CARDS = (
    """() => document.querySelectorAll('.layer .card').forEach((card, i) => card.mark = i)"""
)
_READ_CARD_MARKS = (
    """() => [...document.querySelectorAll('.layer .card')].map((card) => card.mark ?? null)"""
)
_RECORD_FLICKERS = """() => {
  window.flickers = [];
  const look = () => {
    if (!document.querySelector('[data-phase]')) window.flickers.push('no table');
    else if (!document.querySelector('.layer .card')) window.flickers.push('no cards');
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


class PageRecorder(BrowserPage):
    """Records what happens on the page between two looks of a test."""

    def record_text(self, text: str) -> None:
        """Record from now on whether the page shows a text, however shortly."""
        self.page.evaluate(_RECORD_TEXT, text)

    def wait_for_recorded_text(self, text: str) -> None:
        """Wait until the page has shown a text of `record_text`."""
        self._wait_for_function("(text) => window.seenTexts[text]", arg=text)

    def record_card_moves(self) -> None:
        """Record how cards move, on each page that is opened from now on."""
        self.page.add_init_script(f"({_RECORD_CARD_MOVES})()")

    def wait_for_simultaneous_moves(self, cards: int) -> None:
        """Wait until so many cards have moved at the same time."""
        self._wait_for_function("(least) => window.moves.mostAtOnce >= least", arg=cards)

    def wait_for_move_kind(self, kind: str) -> None:
        """Wait until a card has made a movement of a kind."""
        self._wait_for_function("(kind) => window.moves.kinds.has(kind)", arg=kind)

    def recorded_move_kinds(self) -> set[str]:
        """Return the kinds of the movements so far."""
        return set(self.page.evaluate("() => [...window.moves.kinds]"))

    def mark_cards(self) -> None:
        """Mark every card element, and record from now on whether table or cards vanish."""
        self.wait_until_nothing_moves()
        self.page.evaluate(_MARK_CARDS)
        self.page.evaluate(_RECORD_FLICKERS)

    def has_same_cards(self) -> bool:
        """Return True if the card elements are those that were marked, in the same order."""
        marks: list[int | None] = self.page.evaluate(_READ_CARD_MARKS)
        return marks[:1] == [0] and marks == sorted(marks, key=lambda m: (m is None, m or 0))

    def recorded_flickers(self) -> list[str]:
        """Return what has vanished since `mark_cards`, even for a moment."""
        flickers: list[str] = self.page.evaluate("() => window.flickers")
        return flickers

"""Lessons on the page: the offer, the list, the first lesson from start to end, and its end."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from acesaround.cards import SUITS, Card
from acesaround.lessons import FIRST_LESSON, Lesson, LessonStep, lesson_of
from acesaround.table import Person
from tests.browser.layout_checks import find_layout_faults
from tests.browser.page_objects.keyboard_visitor import KeyboardVisitor
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.viewports import PHONE, SMALL_PHONE

FIRST = lesson_of(FIRST_LESSON)
_OFFER = "Never played pinochle?"


def list_steps(lesson: Lesson) -> list[LessonStep]:
    return [step for part in lesson.parts for step in part.steps]


def wait_for_step(visitor: Visitor, step: LessonStep) -> None:
    """Wait until the lesson shows the sentence of a step and waits for the person."""
    panel = visitor.page.get_by_role("region", name="Lesson")
    expect(panel).to_contain_text(step.say)
    expect(panel).to_contain_text("Your move" if step.right else "Go on")
    if step.right:
        visitor.page.locator("[data-asks]").wait_for()


def card_button(visitor: Visitor, card: str) -> None:
    """Press the card of the hand with that name."""
    visitor.press(visitor.page.locator(f"[data-card='{card}']").first, card=True)


def move(visitor: Visitor, action: str) -> None:
    """Do a bid, a trump or a play of a script."""
    verb, word = action.split()
    match verb:
        case "play":
            card_button(visitor, str(Card(word)))
        case "bid":
            bid = visitor.button(re.compile(r"^Bid \d"))
            while bid.inner_text() != f"Bid {word}":
                visitor.press(visitor.button("Higher"))
            visitor.press(bid)
        case _:
            suit = next(one for one in SUITS if one.letter == word)
            visitor.press(visitor.button(re.compile(f"^{suit.word}", re.IGNORECASE)))


def test_first_lesson_is_offered_and_taken_to_its_end(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor(viewport=SMALL_PHONE)
    visitor.open_home()
    visitor.button("First lesson").click()
    refused = 0
    steps = list_steps(FIRST)
    for step, next_step in pairwise([*steps, None]):
        assert step is not None
        wait_for_step(visitor, step)
        visitor.wait_until_nothing_moves()
        assert find_layout_faults(visitor.page) == [], step.say
        if not step.right:
            visitor.press(visitor.button("Go on"))
        else:
            if "play QC" in step.wrong_moves:
                move(visitor, "play QC")
                expect(visitor.page.locator(".refusal")).to_have_text(step.wrong_moves["play QC"])
                refused += 1
            move(visitor, step.right[0])
        if next_step is not None:
            expect(visitor.page.get_by_text(step.say)).to_have_count(0)
    assert refused == 1
    expect(visitor.page.get_by_text(FIRST.closing)).to_be_visible()
    assert find_layout_faults(visitor.page) == []
    visitor.page.get_by_role("link", name="All lessons").click()
    done = visitor.page.get_by_role("listitem").filter(has_text=FIRST.title)
    expect(done.get_by_role("img", name="done")).to_be_visible()
    expect(done.get_by_role("button")).to_have_text(re.compile("^Take it again"))
    visitor.open_home()
    expect(visitor.page.get_by_text(_OFFER)).to_have_count(0)
    expect(visitor.page.get_by_role("heading", name="Your tables")).to_have_count(0)


# Records each new sentence of the lesson and each sentence for screen readers, in order.
_RECORD_SENTENCES = """() => {
  window.sentences = [];
  const shown = {};
  const record = () => {
    for (const selector of ['.lesson [aria-live]', 'p.hidden[aria-live]']) {
      const words = document.querySelector(selector)?.textContent.trim();
      if (words && shown[selector] !== words) window.sentences.push(shown[selector] = words);
    }
  };
  record();
  new MutationObserver(record).observe(document,
    { childList: true, characterData: true, subtree: true });
}"""


def test_a_step_tells_of_a_trick_when_its_cards_lie_there(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor(settings={"speed": "fast"})
    visitor.open_home()
    visitor.button("First lesson").click()
    steps = list_steps(FIRST)
    for step in steps[:3]:
        wait_for_step(visitor, step)
        visitor.press(visitor.button("Go on"))
    wait_for_step(visitor, steps[3])
    visitor.page.evaluate(_RECORD_SENTENCES)
    move(visitor, steps[3].right[0])
    wait_for_step(visitor, steps[4])
    sentences: list[str] = visitor.page.evaluate("() => window.sentences")
    won = next(i for i, one in enumerate(sentences) if "You win" in one and one != steps[4].say)
    assert sentences.index(steps[4].say) > won, sentences


def test_offer_is_answered_once(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor()
    visitor.open_home()
    visitor.button("No, thanks").click()
    expect(visitor.page.get_by_text(_OFFER)).to_have_count(0)
    visitor.open_home()
    expect(visitor.page.get_by_text(_OFFER)).to_have_count(0)


def test_empty_table_offers_the_lesson(new_visitor: NewVisitor, person: Person) -> None:
    visitor: Visitor = new_visitor(person=person)
    visitor.open_home()
    visitor.set_up_table_for_friends("partnership")
    visitor.start_button().wait_for()
    expect(visitor.page.get_by_text(_OFFER)).to_be_visible()


def test_lesson_is_taken_by_keyboard(new_visitor: NewVisitor) -> None:
    visitor: KeyboardVisitor = new_visitor(KeyboardVisitor, viewport=PHONE)
    visitor.page.goto(f"{visitor.url}/#learn")
    visitor.button(re.compile(f"^Start: {FIRST.title}")).wait_for()
    visitor.tab_to(lambda name: name == "Start")
    visitor.press_keys("Enter")
    for step in list_steps(FIRST)[:3]:
        wait_for_step(visitor, step)
        expect(visitor.button("Go on")).to_be_focused()
        visitor.press_keys("Enter")
    wait_for_step(visitor, list_steps(FIRST)[3])
    visitor.play_card_or_meld()
    wait_for_step(visitor, list_steps(FIRST)[4])
    expect(visitor.button("Go on")).to_be_focused()


def test_lesson_goes_on_after_a_reload_and_starts_over(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor()
    visitor.page.goto(f"{visitor.url}/#learn")
    title = lesson_of("classic").title
    visitor.button(re.compile(f": {re.escape(title)}$")).click()
    first, second, *_ = list_steps(lesson_of("classic"))
    wait_for_step(visitor, first)
    visitor.press(visitor.button("Go on"))
    wait_for_step(visitor, second)
    visitor.page.reload()
    wait_for_step(visitor, second)
    visitor.page.goto(f"{visitor.url}/#learn")
    visitor.button(f"Continue: {title}").click()
    wait_for_step(visitor, second)


@pytest.mark.parametrize("name", ["auction", "two-handed"])
def test_lesson_screens(new_visitor: NewVisitor, check_screen: CheckScreen, name: str) -> None:
    visitor: Visitor = new_visitor()
    visitor.page.goto(f"{visitor.url}/#learn")
    lesson = lesson_of(name)
    button = visitor.button(re.compile(f": {re.escape(lesson.title)}$"))
    button.wait_for()
    check_screen(visitor, "lessons")
    button.click()
    wait_for_step(visitor, list_steps(lesson)[0])
    check_screen(visitor, f"lesson-{name}")

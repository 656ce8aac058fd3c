"""The list of the lessons, and the tables at which guests take them."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from acesaround.lessons import LessonError, lesson_of, rules_of, shipped_lessons
from acesaround.server.accounts.cookie import Guest
from acesaround.server.context import ServerContext, context_of
from acesaround.server.routes.http_messages import (
    LessonListed,
    LessonState,
    OpenLessonRequest,
    TableOpened,
)
from acesaround.server.routes.requests import charge_request, read_json, with_guest
from acesaround.server.routes.responses import json_response
from acesaround.server.routes.tables import (
    lesson_name,
    require_room_for_table,
    store_new_table,
)
from acesaround.store import TableListing, table_lists
from acesaround.table import open_lesson
from acesaround.table.entries import Opened
from acesaround.table.list_columns import TableSummary
from acesaround.variants import short_name


async def list_lessons(request: Request) -> Response:
    """Return all lessons, and how far the guest has come in each."""
    server = context_of(request)
    guest = await server.sessions.find_guest(request)
    listings = [] if guest is None else await _lesson_tables(server, guest)
    lessons = await asyncio.to_thread(shipped_lessons)
    states: dict[str, LessonState] = {}
    for listing in listings:
        name = lesson_name(listing)
        states[name] = "done" if _is_over(listing) or states.get(name) == "done" else "begun"
    return json_response(
        [
            LessonListed(
                name,
                lesson.title,
                lesson.summary,
                lesson.minutes,
                lesson.variant,
                short_name(rules_of(lesson)),
                states.get(name, "new"),
            )
            for name, lesson in lessons.items()
        ]
    )


@with_guest
async def open_lesson_table(request: Request, guest: Guest) -> Response:
    """Open a table for a lesson, or return the one at which the guest has begun it.

    Raises HTTPException, NotationError and RateLimited.
    """
    await charge_request(request)
    server = context_of(request)
    body = await read_json(request, OpenLessonRequest)
    await asyncio.to_thread(shipped_lessons)
    try:
        lesson = lesson_of(body.lesson)
    except LessonError as error:
        raise HTTPException(404, str(error)) from None
    for listing in await _lesson_tables(server, guest):
        if lesson_name(listing) == lesson.name and not _is_over(listing):
            return json_response(TableOpened(listing.link))
    await require_room_for_table(server, guest)
    new_entries = open_lesson(lesson, guest.person)
    opened = new_entries[0]
    assert isinstance(opened, Opened)
    table_id = await store_new_table(server, guest, opened.config, new_entries)
    return json_response(TableOpened(table_id), 201)


async def _lesson_tables(server: ServerContext, guest: Guest) -> list[TableListing]:
    """Return the tables at which a guest takes or has taken a lesson."""
    listings = await table_lists.tables_of_person(server.store, guest.id)
    return [listing for listing in listings if lesson_name(listing)]


def _is_over(listing: TableListing) -> bool:
    """Return whether the lesson of a table was taken to its end."""
    return msgspec.json.decode(listing.summary, type=TableSummary).over

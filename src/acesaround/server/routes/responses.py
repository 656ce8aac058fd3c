"""JSON responses, and sentences for people as JSON or as a page.

Everything under /api answers JSON; an error is {"error": sentence}.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from acesaround.errors import Fault
from acesaround.server.routes import html_pages
from acesaround.server.routes.http_messages import DraftFault, ErrorAnswer


def json_response(
    answer: msgspec.Struct | Sequence[msgspec.Struct | str] | msgspec.Raw,
    status: int = 200,
    cache: str = "no-store",
) -> Response:
    """Return a JSON response that no cache may store, unless `cache` says otherwise."""
    return Response(
        msgspec.json.encode(answer),
        status,
        media_type="application/json",
        headers={"cache-control": cache},
    )


def message_response(request: Request, sentence: str, status: int) -> Response:
    """Return a sentence for people: as JSON under /api/, otherwise as a page."""
    if request.url.path.startswith("/api/"):
        return json_response(ErrorAnswer(sentence), status)
    return html_pages.html_page(HTTPStatus(status).phrase.capitalize(), sentence, status)


def fault_answers(faults: Iterable[Fault]) -> tuple[DraftFault, ...]:
    """Return faults of rules for a form, which shows each at its field."""
    return tuple(DraftFault(one.form_sentence or one.sentence, one.fields) for one in faults)

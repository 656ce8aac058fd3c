"""The browser table's server: HTTP for pages and lists, a WebSocket for each seat at a table.

`app` puts it together, `door` counts and times who comes, `http` and `sockets` speak to browsers,
`live` holds the tables that are in use, `identity` reads cookies, `people` says who is asking,
`limits` what is too much, `settings` how it is run and `serve` runs it.
"""

from acesaround.server.app import create_app
from acesaround.server.settings import Settings

__all__ = ["Settings", "create_app"]

"""The browser table's server: HTTP for pages and lists, a WebSocket for each client of a table.

`app` assembles the server, `settings` configures it, and `startup` runs it. `routes` and
`middleware` handle requests, `live` holds the tables in use, and `bots` runs their bots. `accounts`
identifies people and devices, and `limits` holds rate and connection limits. `cluster` connects
servers on one database.
"""

from acesaround.server.app import create_app
from acesaround.server.settings import Settings

__all__ = ["Settings", "create_app"]

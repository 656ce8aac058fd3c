"""The routes of the HTTP API, the page, and the WebSocket of a table."""

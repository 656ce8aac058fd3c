"""Subclasses of uvicorn's HTTP and WebSocket protocols."""

"""Logging, metrics, and the event loop lag."""

"""Logging, metrics, and how late the event loop is."""

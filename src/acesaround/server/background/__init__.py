"""Periodic tasks of a server: cleanup by the retention policy, and others."""

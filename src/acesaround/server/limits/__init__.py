"""Limits on what one address, one person or one connection may use."""

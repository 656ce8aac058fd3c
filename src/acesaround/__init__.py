"""Aces Around: pinochle for every table."""

__version__ = "0.1.0"

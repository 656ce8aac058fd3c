"""Compile the kernels before the first test."""

from tests.kernels import pytest_collection_finish

__all__ = ["pytest_collection_finish"]

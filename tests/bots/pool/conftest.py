"""Compiles the kernels before the first test of this folder."""

from tests.kernels import pytest_collection_finish

__all__ = ["pytest_collection_finish"]

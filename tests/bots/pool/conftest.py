"""The kernels are compiled before the first test here."""

from tests.kernels import pytest_collection_finish

__all__ = ["pytest_collection_finish"]

"""Optional dependencies: whether the packages of an extra are installed, and the error if not.

Modules that need an extra are imported only when they are used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Final

from acesaround.errors import RulesError

EXTRA_PACKAGES: Final = {"fast": ("numba", "numpy")}
"""The packages of each extra that can be checked by name."""


@cache
def missing_package(extra: str) -> str | None:
    """Return the first package of an extra that is not installed, None if all are.

    This imports nothing.
    """
    return next((name for name in EXTRA_PACKAGES[extra] if find_spec(name) is None), None)


def missing_extra_error(feature: str, package: str, extra: str) -> RulesError:
    """Return the error that says what to install."""
    return RulesError(
        f"{feature} needs {package}, which is not installed: pip install 'acesaround[{extra}]'."
    )


@contextlib.contextmanager
def require_extra(feature: str, extra: str) -> Iterator[None]:
    """Turn an import error in the block into a RulesError that says what to install."""
    try:
        yield
    except ModuleNotFoundError as not_found:
        if not_found.name is None or not_found.name.startswith("acesaround"):
            raise
        package = not_found.name.partition(".")[0]
        raise missing_extra_error(feature, package, extra) from None
    except ImportError as error:  # such as a numba that is too old for this numpy
        if (error.name or "").startswith("acesaround"):
            raise
        raise RulesError(f"{feature} needs packages that do not work together: {error}.") from None

"""Each fault can still be planted, and the simulation finds it."""

from __future__ import annotations

import pytest

from tests.simulation.planted.__main__ import find
from tests.simulation.planted.code_faults import FAULTS, PlantedFault


def name_of(fault: PlantedFault) -> str:
    return fault.name


@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
def test_a_fault_still_fits_its_file_and_compiles(fault: PlantedFault) -> None:
    compile(fault.planted_source(), fault.file, "exec")


def test_a_fault_that_fits_no_longer_is_named() -> None:
    fault = PlantedFault("gone", "table/games.py", "not there", "", "")
    with pytest.raises(ValueError, match=r"'gone' fits 0 places in table/games\.py"):
        fault.planted_source()


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
def test_a_fault_is_found_within_200_seeds(fault: PlantedFault) -> None:
    assert find(fault, 0, 200) is not None

from __future__ import annotations

import pytest

from app.tools.regions import BrushMode, brush_mode
from randomizer.model.map.regions import NO_REGION, MapRegion, Regions

ROHAN = MapRegion("Rohan", "#7a9e3f")


@pytest.mark.parametrize(
    ("regions", "chosen_code", "mode"),
    [
        ((), NO_REGION, BrushMode.BEGIN_FIRST),
        ((None,), 0, BrushMode.BEGIN_FIRST),
        ((ROHAN,), NO_REGION, BrushMode.TAKE_OUT),
        ((None, ROHAN), 1, BrushMode.GIVE),
        ((None, ROHAN), 0, BrushMode.REFUSE),
        ((ROHAN,), 1, BrushMode.REFUSE),
    ],
)
def test_an_old_choice_never_takes_cells_out_of_regions(
    regions: Regions, chosen_code: int, mode: BrushMode
):
    assert brush_mode(regions, chosen_code) is mode

"""Regions: a light tint over their cells, and a band along the border within each region.

Scenes draw them as ``batches`` of pieces. Their names are in ``region_names``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QColor

from app.appearance.painting import faint
from app.render.scene.batch import Batch
from app.render.scene.border_bands import Areas, border_bands
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.shades import tile
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, codes_of, regions_of
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank

TINT = 0.16
"""The opacity of a region's colour over its cells."""

BAND = 0.13
"""The least width of the band along a border, in map units."""

BAND_PIXELS = 2.0
"""The least width of the band along a border, in pixels."""

MAX_BAND = 0.4
"""The largest width of the band, in map units, which is less than half a cell: where cells are
small, it is thinner than ``BAND_PIXELS``."""


def has_regions(battlemap: BattleMap, composite: Composite) -> bool:
    """Return whether any cell of a map may be in a region."""
    spec = battlemap.system.regions
    return spec is not None and not is_blank(composite.planes[spec.name])


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the tint of cells in regions, and the bands at the borders, if ``has_regions``."""
    regions = regions_of(part.battlemap.records)
    colours = {code: region.colour for code, region in enumerate(regions) if region}
    is_region = np.zeros(NO_REGION + 1, np.bool_)
    is_region[list(colours)] = True
    codes = codes_of(part.battlemap, part.composite)
    codes_of_part = codes[part.cells]
    inside = np.flatnonzero(is_region[codes_of_part])
    if not len(inside):
        return
    tints = []
    for code, indices in places_by_value(codes_of_part[inside].astype(np.intp)):
        tint = faint(QColor(colours[code]), TINT)
        tints.append((tile(pieces.layout, tint), inside[indices]))
    width = min(MAX_BAND, max(BAND, BAND_PIXELS * pieces.pixel))
    bands = border_bands(pieces, part, Areas(codes, colours), inside, width)
    batch = pieces.batch([*tints, *bands])
    if batch is not None:
        yield batch

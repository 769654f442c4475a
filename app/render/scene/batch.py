"""Batches: many pieces that lie at cells, and texts and icons that lie at points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.scene.icons import Covered, Icon


class Batch(NamedTuple):
    """Piece number ``piece_of[i]`` lies at the centre of cell ``places[i]``; both (n,), intp.

    Places are indices into the cells of the ``ScenePart`` that the batch was made of. Pieces are
    drawn in this order, all of them with ``opacity``. ``fine``: they have lines that go on in the
    pieces of other cells, so that they are not moved to whole pixels.
    """

    piece_of: NDArray[np.intp]
    places: NDArray[np.intp]
    opacity: float = 1.0
    fine: bool = False


class TextBatch(NamedTuple):
    """Text ``texts[text_of[i]]`` is centred on ``points[i]`` (n, 2), in map units.

    ``text_of`` (n,), intp, is None where each point has a text of its own: ``texts`` has n then.
    ``size`` is the type size in map units. ``angles`` (n,) turn the texts, in degrees, clockwise.
    """

    texts: Sequence[str]
    points: NDArray[np.float64]
    size: float
    ink: QColor
    halo: QColor | None = None
    text_of: NDArray[np.intp] | None = None
    bold: bool = False
    angles: NDArray[np.float64] | None = None
    italic: bool = False


class IconBatch(NamedTuple):
    """Icon ``icons[icon_of[i]]`` is centred on ``points[i]`` (n, 2), in map units.

    Icons are drawn in this order, all of them with ``opacity``, in ``size`` map units; they extend
    ``reach`` times as far. With a ``least`` size they have on a screen an even number of logical
    pixels, at least this.
    """

    icons: Sequence[Icon]
    icon_of: NDArray[np.intp]
    points: NDArray[np.float64]
    size: float
    reach: float = 1.0
    least: int = 0
    opacity: float = 1.0


class CoveredBatch(NamedTuple):
    """Ground ``covered[covered_of[i]]`` lies at ``points[i]`` (n, 2), in map units.

    ``angles`` (n,) turn it, in degrees, clockwise. All have ``opacity``.
    """

    covered: Sequence[Covered]
    covered_of: NDArray[np.intp]
    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    opacity: float = 1.0


AnyBatch = Batch | TextBatch | IconBatch | CoveredBatch
"""What is laid on the ground."""
OverlayBatch = TextBatch | IconBatch | CoveredBatch

"""Batches: many pieces that lie at cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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

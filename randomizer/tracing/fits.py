"""How well the drawing of a cell fits a picture, and what that proves.

Colours are compared at certain points of a cell (``appearance.points_of``). The *fit* of a point is
1 if it has the colour of the picture, and falls to 0 with the difference. The fit of a cell is the
mean logarithm of the fits of its points: about 0 at best, -3.9 at worst.

The noise of a picture decides how fast the fit of a point falls and what the fit of a cell proves:
``fit_measure`` finds it from the first drawing of the whole map::

    _points, weights = points_of(layout)
    measure = fit_measure(weights, differences, covers)
    measure.fits(colours, differences) >= measure.evidence.good_fit      # cells that are right
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

MIN_POINT_FIT = 0.02
"""What is added to the fit of each point, so that a few odd ones do not rule a drawing out."""

FULL_FIT = math.log(1 + MIN_POINT_FIT)
"""The fit of a drawing whose points all have the very colours of the picture."""


class Evidence(NamedTuple):
    """What the fit of a drawing proves."""

    good_fit: float
    """A drawing with this fit or a better one is right: no other kind is tried in the cell."""

    proof: float
    """A terrain is right if this share of a cell has the colours of its drawings, and of drawings
    of no other terrain (0 to 1); more than 1 if this proves nothing."""

    poor_fit: float
    """A drawing with a worse fit is wrong."""

    weight: float
    """The factor of the fit when it is added to the likelihood of a kind by samples."""


NOISY = Evidence(good_fit=-0.1, proof=math.inf, poor_fit=-2.8, weight=3.0)
"""What fits prove in a picture with noise, such as a photograph or a JPEG."""

NOISELESS = Evidence(good_fit=-1.2, proof=0.25, poor_fit=-2.0, weight=4.5)
"""What fits prove in a picture that has the very pixels of drawings.

What does not fit there is a road, a name or a town that is not drawn. In a map of 2,400 cells no
drawing of a wrong terrain had a better fit than -1.7, which is to have 57 % of the points right,
and none was alone in having the colours of more than 12 % of a cell, once its true terrain was
drawn. With a ``proof`` of 0.15 a meadow was proven where fields show their grass. If ``good_fit``
is lower, more cells keep a wrong elevation, which spoils the drawings of their neighbours.
"""

MIN_FADE = 0.5
"""The least difference of colours, in levels of 255, at which the fit of a point is 1 / e.

It holds for pictures without noise, such as the program's own. The noise of others is measured.
"""

COVERED_FIT = 0.5
"""The least fit of a point whose colour in the picture may be that of a cover.

If it is larger, kinds that have the colours of a cover themselves, such as water, are told apart
less well. If it is smaller, cells below wide rivers are taken for water more often.
"""

COVER_DIFFERENCE = 10
"""The largest difference of colours, in levels of 255, at which a point may show a cover."""


@dataclass(frozen=True, eq=False)
class FitMeasure:
    """Measures how well drawings fit one picture."""

    weights: NDArray[np.float32]
    """The weight of each point of a cell, (points,); their sum is 1."""

    covers: Sequence[Colour]
    """The colours of what may lie on any cell and is not drawn, such as rivers."""

    fade: float
    """The difference of colours, in levels of 255, at which the fit of a point is 1 / e."""

    evidence: Evidence
    """What fits prove in this picture."""

    def fits(
        self, colours: NDArray[np.float32], differences: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the fit of each of n cells, (n,).

        ``colours`` (n, points, 3) are those of the picture, ``differences`` (n, points) how much a
        drawing differs from them.
        """
        fits_of_points = np.exp(-differences / self.fade)
        # A point that may show a cover says little.
        for cover in self.covers:
            distances = np.abs(colours - np.array(cover, np.float32))
            may_be_cover = (distances <= COVER_DIFFERENCE).all(axis=2)
            fits_of_points[may_be_cover] = fits_of_points[may_be_cover].clip(COVERED_FIT)
        return np.asarray(np.log(fits_of_points + MIN_POINT_FIT) @ self.weights)


def fit_measure(
    weights: NDArray[np.float32], differences: NDArray[np.float32], covers: Sequence[Colour]
) -> FitMeasure:
    """Return the measure for a picture whose cells were drawn as their likeliest kinds.

    ``weights`` (points,) are the weights of the points of a cell, ``differences`` (cells, points)
    how much that drawing differs.
    """
    weights = weights / weights.sum()
    # Most cells are of their likeliest kinds, so what differs in the median is noise.
    noise = float(np.median(differences))
    if noise > MIN_FADE:
        return FitMeasure(weights, covers, fade=noise, evidence=NOISY)
    return FitMeasure(weights, covers, fade=MIN_FADE, evidence=NOISELESS)

"""The pictures of grounds, and the noise of their edges, that surfaces are made of.

A ground repeats after ``PERIOD`` map units, and is painted once for such a square, as an array of
pixels. ``texels_at`` tells which of these pixels the pixels of a box of the map show::

    textures = textures_of(pieces, unit=24.0)                   # at 24 pixels a map unit
    colours = textures.ground(terrain)[textures.texels_at(box)]     # (height, width), 0xffRRGGBB
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary, proxy

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.pictures.ground_phase import COUNTS, Phase
from app.render.scene.batch import PixelBox
from app.render.scene.pieces import Pieces
from app.render.scene.surface.lattice import spline_weights, window_of
from randomizer.model.grid.layouts import Shear

PERIOD = float(COUNTS[Shear.NONE][0])
"""Grounds repeat after so many map units.

Surfaces have squares, of a map unit each: their grounds repeat after so many squares.
"""

FINEST = 128.0
"""Grounds have at most so many pixels a map unit; at larger scales they are shown enlarged."""

RAGGEDNESS = 2.2
"""How far noise moves an edge: 0 is a straight soft edge; with more single tiles get holes."""


class _Octave(NamedTuple):
    """One of the noises that are added."""

    values_per_unit: int
    """So many values of chance lie on a map unit."""

    weight: float
    """The greatest value."""


NOISE = (_Octave(1, 1.0), _Octave(2, 0.5), _Octave(5, 0.35))
"""The noise is their sum: the first bends edges, so that no stairs of tiles are seen, the last one
frays them."""

NOISE_SEED = 7
"""Any number: all maps have the same noise."""


class GroundTextures:
    """The grounds of the terrains of a scene and the noise of their edges, at one scale."""

    def __init__(self, pieces: Pieces, unit: float) -> None:
        """Make grounds of ``unit`` pixels a map unit; each is painted when it is asked for."""
        # A weak reference: ``_textures`` stores these by their scene, which would never be freed if
        # its own entry held it.
        self._pieces = proxy(pieces)
        self.side = _side_at(unit)
        """The number of pixels of a period, across and down."""
        self._grounds: dict[int, NDArray[np.uint32]] = {}
        """The periods that were painted, by terrain codes."""
        self._noise: NDArray[np.float32] | None = None
        """A period of noise, None until it is asked for."""

    @property
    def bytes(self) -> int:
        """The memory that they take, in bytes."""
        total = sum(ground.nbytes for ground in self._grounds.values())
        if self._noise is not None:
            total += self._noise.nbytes
        return total

    def texels_at(self, box: PixelBox) -> NDArray[np.intp]:
        """Return the index of each pixel of a box in ``ground`` and ``noise``: (height, width)."""
        pixel = self.side / PERIOD
        columns = np.floor(box.xs * pixel).astype(np.intp) % self.side
        rows = np.floor(box.ys * pixel).astype(np.intp) % self.side
        return np.asarray(rows[:, None] * self.side + columns)

    def ground(self, terrain: int) -> NDArray[np.uint32]:
        """Return a period of a ground, row by row: (side * side,), 0xffRRGGBB."""
        result = self._grounds.get(terrain)
        if result is None:
            result = self._grounds[terrain] = self._painted(terrain)
        return result

    def _painted(self, terrain: int) -> NDArray[np.uint32]:
        """Paint a period of a ground, whose mean colour is that of the terrain."""
        half = PERIOD / 2
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        period = Phase(half, half, PERIOD, PERIOD, corners)
        terrains = self._pieces.terrain_set.terrains
        image = QImage(self.side, self.side, QImage.Format.Format_RGB32)
        image.fill(self._pieces.ground_colour(terrain, 0))
        with painting(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self.side / PERIOD, self.side / PERIOD)
            painter.translate(half, half)
            self._pieces.pictures.ground(painter, terrains[terrain], period)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4).astype(np.float32)
        # The picture is shifted so that its mean is the colour of the terrain: what stands on the
        # ground and would add to it is not drawn here. The bytes of RGB32 are blue, green, red,
        # unused.
        colour = QColor(terrains[terrain].colour)
        mean = np.array((colour.blue(), colour.green(), colour.red(), 255), np.float32)
        pixels += mean - pixels.mean(axis=0)
        return np.rint(np.clip(pixels, 0, 255)).astype(np.uint8).view(np.uint32).reshape(-1)

    @property
    def noise(self) -> NDArray[np.float32]:
        """A period of noise in the strength of ``RAGGEDNESS``, row by row: (side * side,)."""
        if self._noise is None:
            self._noise = _noise(self.side) * np.float32(RAGGEDNESS)
        return self._noise


def _side_at(unit: float) -> int:
    """Return how many pixels a period has, across and down, with ``unit`` pixels a map unit."""
    return max(1, round(PERIOD * min(unit, FINEST)))


def _noise(side: int) -> NDArray[np.float32]:
    """Return smooth noise that repeats, of so many rows and columns."""
    result = np.zeros((side, side), np.float32)
    rng = np.random.default_rng(NOISE_SEED)
    for octave in NOISE:
        count = round(PERIOD) * octave.values_per_unit
        values = rng.uniform(-1, 1, (count, count)).astype(np.float32)
        points = (np.arange(side) + 0.5) * count / side
        window = window_of(points)
        repeated = window.numbers % count  # beyond an end the noise goes on at the other
        weights = spline_weights(points, window)
        result += octave.weight * (weights @ values[np.ix_(repeated, repeated)] @ weights.T)
    return np.asarray(np.clip(result, -1, 1).reshape(-1), np.float32)


_textures: WeakKeyDictionary[Pieces, GroundTextures] = WeakKeyDictionary()
"""The grounds of each scene, at the scale at which it was drawn last: the next scale replaces
it."""


def textures_of(pieces: Pieces, unit: float) -> GroundTextures:
    """Return the grounds of a scene at a scale; those of the last scale are stored."""
    textures = _textures.get(pieces)
    if textures is None or textures.side != _side_at(unit):
        textures = _textures[pieces] = GroundTextures(pieces, unit)
    return textures


def texture_bytes(pieces: Pieces) -> int:
    """Return the memory that the stored grounds of a scene take, in bytes."""
    textures = _textures.get(pieces)
    if textures is None:
        return 0
    return textures.bytes

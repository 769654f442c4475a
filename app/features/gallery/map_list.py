"""The list of the gallery's maps as pictures, and the pins of the user.

A *candidate* is a map that the script has rolled. Its *roll* is what it was rolled with: script,
settings, seed and number. The user can *pin* some candidates: they stay at the top of the list,
whatever maps are searched for next. The settings of the program keep the rolls of these, so that
the maps can be rolled again, in a later session or when the desk shows another map.

``GalleryList`` puts together the list for Qt
(``GalleryModel``), the view of it (``GalleryView``) and the actions for the selected maps
(``GalleryActions``), and decides the size of the pictures, the order and the pins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.gallery.actions import GalleryActions
from app.features.gallery.candidates import Candidate, same_roll
from app.features.gallery.model import GalleryModel
from app.features.gallery.view import GalleryView
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.render.thumbnails.map_thumbnails import MARGIN
from app.render.thumbnails.roll_thumbnails import RollThumbnails
from app.widgets.layout.builders import lay_out
from app.widgets.lists.empty_state import EmptyState
from randomizer.model.map.layer import Roll

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.roll_base import Base


MAX_WIDTH_TO_HEIGHT = 3
"""A picture is at most three times as wide as high: a lower one would be a mere strip."""

MAX_HEIGHT_TO_WIDTH = 2
"""A picture is at most twice as high as wide: a higher one would fill the panel."""


class GalleryList(QWidget):
    """Shows the candidates in a view, sorts and pins them."""

    pins_changed = Signal(object)
    """A map was pinned or unpinned: the new value of ``pins``, for the settings."""

    def __init__(self, renderer: Renderer, pins: tuple[Roll, ...], width: int) -> None:
        """Show no maps yet; ``width`` is that of a picture, in logical pixels.

        Pictures are drawn in the theme of ``renderer``. ``pins`` are the rolls that were pinned in
        an earlier session.
        """
        super().__init__()
        self._renderer = renderer
        self._width = width
        """The width of a picture, in logical pixels."""
        self._base: Base | None = None
        """The base that the maps are rolled onto; None before the first ``fit_pictures_to``."""
        self.pins = pins
        """The rolls of all that the user has pinned, in the order of pinning.

        ``model.pinned`` has a candidate for each of them that was rolled onto this base: for none
        before the first search, and never for a roll that does not fit the base.
        """
        self.pictures = RollThumbnails(renderer, QSize(width, width), self)
        self.model = GalleryModel(self.pictures, self)
        self.view = GalleryView(self.model)
        self.empty = EmptyState(self.view, "")
        self.map_actions = GalleryActions(self.view, self.model)
        lay_out(QVBoxLayout(self), (self.view, 1), margins=0)
        self.setFocusProxy(self.view)
        connect(self.map_actions.pin_requested, self.toggle_pins)

    @property
    def candidates(self) -> list[Candidate]:
        """The maps that could be made, pinned ones first."""
        return [candidate for candidate in self.model.candidates if not candidate.problems]

    # --- looks ------------------------------------------------------------------------------

    def follow_theme(self) -> None:
        """Give the list the background that the pictures have in the present theme."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, self._renderer.theme.background)
        self.view.setPalette(palette)

    def fit_pictures_to(self, base: Base) -> None:
        """Make the pictures as high as maps on ``base`` need."""
        previous_base = self._base
        self._base = base
        if previous_base is None or previous_base.grid is not base.grid:
            self.set_picture_width(self._width)

    def set_picture_width(self, width: int) -> None:
        """Make the pictures so wide, in logical pixels, and as high as the maps need.

        The picture of a very long map is limited in its height: the map is then smaller in it.
        """
        self._width = width
        height = width
        if self._base is not None:
            # The map and its margins, in map units, give the ratio of height and width.
            left, top, right, bottom = self._base.grid.bounds
            height = round(width * (bottom - top + 2 * MARGIN) / (right - left + 2 * MARGIN))
        min_height = width // MAX_WIDTH_TO_HEIGHT
        max_height = width * MAX_HEIGHT_TO_WIDTH
        size = QSize(width, min(max(height, min_height), max_height))
        self.pictures.set_size(size, self.devicePixelRatioF())
        self.view.set_picture_size(size)

    # --- order ------------------------------------------------------------------------------

    def can_measure(self, measure: Measure) -> bool:
        """Return whether the maps have what a measure counts.

        They have not if the line "Sort by" still offers a measure of earlier maps, which had
        hexsides.
        """
        if not measure.needs_hexsides:
            return True
        return all(candidate.batch.hexside is not None for candidate in self.candidates)

    def is_measured(self, measure: Measure) -> bool:
        """Return whether the values of a measure are known for all maps."""
        return all(measure.name in candidate.values for candidate in self.candidates)

    # --- pins -------------------------------------------------------------------------------

    def toggle_pins(self, candidates: Sequence[Candidate]) -> None:
        """Pin each of these maps, or unpin it if it is pinned already."""
        pinned = list(self.model.pinned)
        pins = list(self.pins)
        for candidate in candidates:
            # Rolls are compared, not objects: the same map can be rolled twice, once by the search
            # and once as a pin.
            roll = candidate.roll
            is_pinned = any(same_roll(other.roll, roll) for other in pinned)
            if is_pinned:
                pinned = [other for other in pinned if not same_roll(other.roll, roll)]
                pins = [pin for pin in pins if not same_roll(pin, roll)]
            else:
                pinned.append(candidate)
                pins.append(roll)
        self._set_pins(tuple(pins), pinned)

    def _set_pins(self, pins: tuple[Roll, ...], pinned: Sequence[Candidate]) -> None:
        """Keep these pins; ``pinned`` are the candidates of those that the list can show."""
        self.pins = pins
        self.model.set_pinned(pinned)
        self.pins_changed.emit(pins)

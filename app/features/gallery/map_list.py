"""The gallery's maps as pictures: found and pinned ones, with what can be done with them."""

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
from app.render.thumbnails.thumbnail_queue import MARGIN, RollThumbnails
from app.widgets.layout.builders import lay_out
from app.widgets.lists.empty_state import EmptyState
from randomizer.model.map.layer import Roll

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.roll_base import Base


class GalleryList(QWidget):
    """Shows maps, as ``view`` of ``model``, and pins them.

    ``commands`` are the actions for the chosen ones. Pictures are drawn like ``renderer``.
    """

    pins_changed = Signal(object)
    """Other maps are pinned: ``pins``, to be remembered."""

    def __init__(self, renderer: Renderer, pins: tuple[Roll, ...], width: int) -> None:
        super().__init__()
        self._renderer = renderer
        self._width = width
        self._base: Base | None = None
        self.pins = pins
        """The rolls of the pinned maps."""
        self.pictures = RollThumbnails(renderer, QSize(width, width), self)
        self.model = GalleryModel(self.pictures, self)
        self.view = GalleryView(self.model)
        self.empty = EmptyState(self.view, "")
        self.commands = GalleryActions(self.view, self.model)
        lay_out(QVBoxLayout(self), (self.view, 1), margins=0)
        self.setFocusProxy(self.view)
        connect(self.commands.pin_wanted, self.pin)

    @property
    def candidates(self) -> list[Candidate]:
        """The maps that could be made, pinned ones first."""
        return [candidate for candidate in self.model.candidates if not candidate.problems]

    # --- looks ------------------------------------------------------------------------------

    def follow_theme(self) -> None:
        """Give the list the background of its pictures."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, self._renderer.theme.background)
        self.view.setPalette(palette)

    def show_base(self, base: Base) -> None:
        """Make the pictures as high as maps on ``base`` need."""
        previous_base = self._base
        self._base = base
        if previous_base is None or previous_base.grid is not base.grid:
            self.set_picture_width(self._width)

    def set_picture_width(self, width: int) -> None:
        """Make the pictures so wide, in logical pixels, and as high as the maps need."""
        self._width = width
        if self._base is None:
            height = width
        else:
            left, top, right, bottom = self._base.grid.bounds
            height = round(width * (bottom - top + 2 * MARGIN) / (right - left + 2 * MARGIN))
        size = QSize(width, min(max(height, width // 3), 2 * width))
        self.pictures.set_size(size, self.devicePixelRatioF())
        self.view.set_picture_size(size)

    # --- order ------------------------------------------------------------------------------

    def sort(self, measure: Measure | None) -> list[Candidate]:
        """Sort the maps by a measure (None: by number), and return those that it lacks.

        While there are such the order stays as it is.
        """
        candidates = self.candidates
        have_sides = all(candidate.batch.hexside is not None for candidate in candidates)
        if measure is None or (measure.needs_hexsides and not have_sides):
            self.model.sort_by(None)  # the measures of the map before may still be listed
            return []
        if all(measure.name in candidate.values for candidate in candidates):
            self.model.sort_by(measure)
            return []
        return candidates

    # --- pins -------------------------------------------------------------------------------

    def pin(self, candidates: Sequence[Candidate]) -> None:
        """Pin these maps; unpin those that are pinned already."""
        pinned = list(self.model.pinned)
        for candidate in candidates:
            same = [
                pinned_candidate
                for pinned_candidate in pinned
                if same_roll(pinned_candidate.roll, candidate.roll)
            ]
            if same:
                pinned.remove(same[0])
                self.pins = tuple(pin for pin in self.pins if not same_roll(pin, candidate.roll))
            else:
                pinned.append(candidate)
                self.pins = (*self.pins, candidate.roll)
        self.model.set_pinned(pinned)
        self.pins_changed.emit(self.pins)

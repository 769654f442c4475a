"""The form above the gallery's maps: which maps are shown, in which order, and how large.

The gallery shows maps of the current script. They are the rolls of one *seed*, numbered from 0. The
form asks for the seed, the first number, a filter, an order, and the size of the pictures. It holds
the answers; the gallery rolls when ``restarted`` or ``requested`` is emitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QVBoxLayout, QWidget

from app.features.gallery.filter_line import GalleryFilter
from app.features.gallery.search import AT_ONCE
from app.features.gallery.seed_fields import SeedFields
from app.features.gallery.sorting import GallerySorting
from app.qt_guard import connect
from app.rolling.layers_above_switch import LayersAbove
from app.widgets.layout.builders import described, lay_out, tool_button
from app.widgets.layout.wrapping_row import WrappingRow

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.model.system.system import System
    from randomizer.roll_base import Base

SIZES = (64, 240)
"""The narrowest and the widest picture, in logical pixels."""

KEYS_MS = 150
"""The milliseconds from a typed digit of a seed until maps are rolled: more may follow."""

SLIDER_WIDTH = 52
"""The width of the slider for the size of the pictures, in logical pixels."""


class GalleryForm(QWidget):
    """Asks for a filter, an order, a size of the pictures, a seed and the first number."""

    restarted = Signal(int)
    """The gallery should show other maps, after so many milliseconds.

    The seed or the first number has changed.
    """

    requested = Signal()
    """The user asked for the maps that pass ``condition``."""

    def __init__(
        self, examples: Callable[[], Sequence[tuple[str, str]]], width: int, seed: int
    ) -> None:
        """Show the form for the maps of ``seed``, with pictures of ``width`` logical pixels.

        ``examples`` returns pairs of a text and the filter that it stands for.
        """
        super().__init__()
        self.first = 0
        """The number of the first map that is looked at."""
        self.count = AT_ONCE
        """The number of maps that the user has asked for so far: more are shown on request."""
        self.condition = ""
        """The filter of the maps that are looked for, "" for none.

        The line may have another text, which is still being typed.
        """
        self.measures: tuple[Measure, ...] = ()
        """The measures of the maps that are shown."""
        self._filtered_system: System | None = None
        """The system of the maps for which the filter was typed; None before the first maps."""
        self.end_variations = tool_button(
            "End variations", "These are variations of the map; show the maps of the script again"
        )
        self.end_variations.hide()
        self.filter = GalleryFilter(examples)
        self.sorting = GallerySorting()
        self.slider = _size_slider(width)
        self.above = LayersAbove(
            "Show, filter and sort the maps as they will be, with the layers above the roll and "
            "with what was painted into it; else the rolls alone"
        )
        self.numbers = SeedFields(seed)
        lay_out(
            QVBoxLayout(self),
            WrappingRow(self.end_variations, self.filter),
            WrappingRow(self.sorting, self.slider, self.above, self.numbers),
            margins=0,
            spacing=4,
        )
        connect(self.filter.requested, self._look_for)
        connect(self.numbers.typed, self._on_seed_typed)
        connect(self.numbers.requested, self.show_seed)

    @property
    def seed(self) -> int:
        """The seed of the maps."""
        return self.numbers.seed.value

    def show_seed(self, seed: int, first: int = 0) -> None:
        """Show this seed in its field, and ask for its maps from the number ``first`` on."""
        self.numbers.seed.show_value(seed)
        self._begin_at(first)
        self.restarted.emit(0)

    def _on_seed_typed(self) -> None:
        """Ask for the maps of the typed seed once the user pauses."""
        self._begin_at(0)
        self.restarted.emit(KEYS_MS)

    def _look_for(self, condition: str) -> None:
        """Ask for the maps that pass a filter, from the first number of the seed on."""
        self.condition = condition
        self._begin_at(0)
        self.requested.emit()

    def _begin_at(self, first: int) -> None:
        """Begin at the number ``first``, with no more maps than the gallery shows at once."""
        self.first = first
        self.count = AT_ONCE

    def drop_filter_of_others(self, system: System) -> None:
        """Empty the filter if it was written for maps of another system."""
        if self._filtered_system is not None and self._filtered_system is not system:
            self.condition = ""
            self.filter.forget()
        self._filtered_system = system

    def offer_measures(self, base: Base, measures: tuple[Measure, ...]) -> bool:
        """Offer the measures of maps on ``base`` in the filter and in the list "Sort by".

        Return False if that list has the same measures as before.
        """
        self.filter.set_language(base, measures)
        if not self.sorting.offer(measures):
            return False
        self.measures = measures
        return True


def _size_slider(width: int) -> QSlider:
    """Return the slider for the size of the pictures, at ``width`` logical pixels."""
    slider = described(QSlider(Qt.Orientation.Horizontal), "Size of the pictures")
    slider.setToolTip("Size of the pictures")
    slider.setRange(*SIZES)
    slider.setValue(width)
    slider.setFixedWidth(SLIDER_WIDTH)
    return slider

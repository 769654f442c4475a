"""The form above the gallery's maps: which maps are shown, in which order, and how large.

The gallery shows maps of the current script. They are the rolls of one *seed*, numbered from 0. The
form asks for the seed, the first number, a filter, an order, and the size of the pictures. It holds
the answers; the gallery rolls when ``maps_outdated`` or ``requested`` is emitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

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
    from app.document.open_map import OpenMap
    from app.features.gallery.example_filters import Example
    from randomizer.batches.batch import Measure
    from randomizer.model.system.system import System
    from randomizer.roll_base import Base

MIN_WIDTH = 64
"""The width of the narrowest pictures, in logical pixels."""

MAX_WIDTH = 240
"""The width of the widest pictures, in logical pixels."""

KEYS_MS = 150
"""The milliseconds from a typed digit of a seed until maps are rolled: more may follow."""

SLIDER_WIDTH = 52
"""The width of the slider for the size of the pictures, in logical pixels."""


@dataclass
class _MapNumbers:
    """The numbers of the maps that the gallery shows for one open map."""

    seed: int

    first: int = 0
    """The number of the first map that is looked at."""

    count: int = AT_ONCE
    """How many maps the user has asked for so far: more are shown on request."""


class GalleryForm(QWidget):
    """Asks for a filter, an order, a size of the pictures, a seed and the first number."""

    maps_outdated = Signal(int)
    """The seed or the first number has changed: the gallery should show other maps.

    It should do so after this many milliseconds, in which another digit may follow.
    """

    requested = Signal()
    """The user has asked for the maps that pass ``condition``."""

    def __init__(self, examples: Callable[[], Sequence[Example]], width: int, seed: int) -> None:
        """Show the form for the maps of ``seed``, with pictures of ``width`` logical pixels.

        ``examples`` is called for the menu of filters whenever it opens.
        """
        super().__init__()
        # What the gallery is asked for.
        self._numbers = _MapNumbers(seed)
        """Seed and numbers for the current map."""
        self._has_map = False
        """True once an open map is known to which these numbers belong."""
        self._numbers_by_map: WeakKeyDictionary[OpenMap, _MapNumbers] = WeakKeyDictionary()
        """Seed and numbers for each open map for which the gallery has shown maps."""
        self.condition = ""
        """The filter of the maps that are looked for; "" for none. The field ``filter`` may have
        another text, which is still being typed."""
        self.measures: tuple[Measure, ...] = ()
        """The measures of the maps that are shown."""
        self._system: System | None = None
        """The system of the maps to which the filter belongs; None before the first maps."""

        # The widgets that ask for it.
        self.end_variations_button = tool_button(
            "End variations", "These are variations of the map; show the maps of the script again"
        )
        self.end_variations_button.hide()
        self.filter = GalleryFilter(examples)
        self.sorting = GallerySorting()
        self.slider = _size_slider(width)
        self.layers_above = LayersAbove(
            "Show, filter and sort the maps as they will be, with the layers above the roll and "
            "with what was painted into it; else the rolls alone"
        )
        self.seed_fields = SeedFields(seed)
        lay_out(
            QVBoxLayout(self),
            WrappingRow(self.end_variations_button, self.filter),
            WrappingRow(self.sorting, self.slider, self.layers_above, self.seed_fields),
            margins=0,
            spacing=4,
        )
        connect(self.filter.requested, self._on_filter_requested)
        connect(self.seed_fields.seed_edited, self._on_seed_typed)
        connect(self.seed_fields.maps_requested, self.show_seed)

    @property
    def seed(self) -> int:
        """The seed of the maps."""
        return self._numbers.seed

    @property
    def first_number(self) -> int:
        """The number of the first map that is looked at."""
        return self._numbers.first

    @property
    def count(self) -> int:
        """The number of maps that the user has asked for so far: more are shown on request."""
        return self._numbers.count

    def set_count(self, count: int) -> None:
        """Ask for so many maps."""
        self._numbers.count = count

    def set_map(self, open_map: OpenMap, seed: int) -> None:
        """Ask for the maps of an open map from now on: of the seed that was chosen for it last.

        A map that the gallery has not shown yet begins with ``seed``; the very first one has the
        seed that the form shows already.
        """
        if not self._has_map:
            self._has_map = True
            self._numbers_by_map[open_map] = self._numbers
            return
        numbers = self._numbers_by_map.setdefault(open_map, _MapNumbers(seed))
        if numbers is not self._numbers:
            self._numbers = numbers
            self.seed_fields.seed.show_value(numbers.seed)

    def show_seed(self, seed: int, first: int = 0) -> None:
        """Show this seed in its field, and ask for its maps from the number ``first`` on."""
        self.seed_fields.seed.show_value(seed)
        self._restart_at(first)
        self.maps_outdated.emit(0)

    def _on_seed_typed(self) -> None:
        """Ask for the maps of the typed seed once the user pauses."""
        self._restart_at(0)
        self.maps_outdated.emit(KEYS_MS)

    def _on_filter_requested(self, condition: str) -> None:
        """Ask for the maps that pass a filter, from the first number of the seed on."""
        self.condition = condition
        self._restart_at(0)
        self.requested.emit()

    def _restart_at(self, first: int) -> None:
        """Begin at the number ``first`` of the seed in its field, with as many maps as at first."""
        self._numbers.seed = self.seed_fields.seed.value
        self._numbers.first = first
        self._numbers.count = AT_ONCE

    def set_system(self, system: System) -> None:
        """Show maps of a system from now on; a filter for maps of another one is emptied."""
        if self._system is not None and self._system is not system:
            self.condition = ""
            self.filter.clear()
        self._system = system

    def set_measures(self, base: Base, measures: tuple[Measure, ...]) -> bool:
        """Set what maps on ``base`` can be measured by, for the filter and the list "Sort by".

        Return whether that list has other measures than before.
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
    slider.setRange(MIN_WIDTH, MAX_WIDTH)
    slider.setValue(width)
    slider.setFixedWidth(SLIDER_WIDTH)
    return slider

"""The field for the mixture of the random brush: how many parts of each terrain it has.

::

    [Mixture v]  Plains 2, Woods 1
     | Plains [2] |
     | Woods  [1] |        a menu with a field for each terrain
     | Swamp  [0] |

The bar of tool options has one ``MixtureField``; the mixture itself is ``ToolOptions.weights``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSpinBox,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_limits import NumberLimits
from app.widgets.layout.builders import described, labelled, lay_out, plain_label, tool_button
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

MAX_WEIGHT = 99
"""The largest weight of a terrain in a mixture."""

MAX_MIXED = 300
"""The most terrains of a set that can be in a mixture: each has a field."""

SCROLL_BAR_WIDTH = 24
"""The width for the scroll bar of the mixture, in logical pixels."""

FRAME = 4
"""The height for the frame around it, in logical pixels."""

HIGHEST_FORM = 420
"""The greatest height of the mixture, in logical pixels: longer ones are scrolled."""


@dataclass(frozen=True)
class _MenuFields:
    """The fields in the menu."""

    terrain_set: TerrainSet
    """The terrain set for which they were made."""

    boxes: dict[int, QSpinBox]
    """The field of each terrain, by its code."""


class MixtureField(QWidget):
    """A button with a menu of fields, and the mixture in words."""

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        super().__init__()
        self._options = options
        self._document = document
        self._terrain_set = document.battlemap.terrain_set
        """The terrain set that the mixture was chosen from."""
        self._fields: _MenuFields | None = None
        """The fields in the menu, None before it was opened the first time."""
        self.button = tool_button("Mixture", name="Mixture of the random brush")
        self.words = plain_label()
        """Names the terrains of the mixture with their weights."""
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self.button.setMenu(self._menu)
        connect(self._menu.aboutToShow, self._fill_menu)
        lay_out(QHBoxLayout(self), self.button, self.words, margins=0)
        self._drop_missing_terrains()

    def show_map(self) -> None:
        """Follow the terrain set of the current map: drop weights of terrains that it lacks."""
        terrain_set = self._document.battlemap.terrain_set
        if terrain_set is not self._terrain_set:
            self._terrain_set = terrain_set
            self._drop_missing_terrains()

    def _drop_missing_terrains(self) -> None:
        """Leave terrains out of the mixture that the terrain set does not offer."""
        offered_codes = self._offered_codes()
        weights = []
        for code, weight in self._options.weights:
            if code in offered_codes:
                weights.append((code, weight))
        self._options.choose(weights=tuple(weights))

    def show_weights(self) -> None:
        """Show the chosen mixture in words and in the fields, without choosing anything."""
        if self._fields is not None:
            weights = dict(self._options.weights)
            for code, box in self._fields.boxes.items():
                with QSignalBlocker(box):
                    box.setValue(weights.get(code, 0))

        terrains = self._document.battlemap.terrain_set.terrains
        texts = []
        for code, weight in self._options.weights:
            if weight:
                texts.append(f"{terrains[code].name} {weight}")
        self.words.setText(", ".join(texts) or "empty")

    def _offered_codes(self) -> list[int]:
        """Return the codes of the terrains that can be mixed, in the order of lists."""
        return shown_order(self._terrain_set.terrains)[:MAX_MIXED]

    def _fill_menu(self) -> None:
        """Put the fields of the current terrain set into the menu.

        That is done when the menu opens: few people mix, and all change maps.
        """
        if self._fields is not None and self._fields.terrain_set is self._terrain_set:
            return
        form = QWidget()
        rows = QFormLayout(form)
        boxes: dict[int, QSpinBox] = {}
        for code in self._offered_codes():
            name = self._terrain_set.terrains[code].name
            box = self._new_box(name)
            # An & alone would make the next letter a shortcut.
            rows.addRow(labelled(name.replace("&", "&&"), box), box)
            boxes[code] = box
        self._fields = _MenuFields(self._terrain_set, boxes)
        self.show_weights()

        area = QScrollArea()
        area.setWidget(form)
        area.setMinimumWidth(form.sizeHint().width() + SCROLL_BAR_WIDTH)
        area.setMinimumHeight(min(form.sizeHint().height() + FRAME, HIGHEST_FORM))
        self._menu.clear()
        action = QWidgetAction(self._menu)
        action.setDefaultWidget(area)
        self._menu.addAction(action)

    def _new_box(self, terrain_name: str) -> QSpinBox:
        """Return a field for the weight of a terrain."""
        tip = f"How many parts of {terrain_name} the mixture has"
        box = described(pass_wheel_on(QSpinBox()), f"Parts of {terrain_name}", tip)
        box.setRange(0, MAX_WEIGHT)
        NumberLimits(box, 0, MAX_WEIGHT)
        connect(box.valueChanged, self._choose_weights)
        return box

    def _choose_weights(self) -> None:
        """Choose the mixture that the fields show."""
        if self._fields is None:
            return
        weights = []
        for code, box in self._fields.boxes.items():
            if box.value():
                weights.append((code, box.value()))
        self._options.choose(weights=tuple(weights))

"""The page of sides: add, remove and rename them, their attitudes, and what they have seen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.painting import painting
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.render.scene.things.things import colour_of
from app.widgets.dialogs.choice import choose
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.countries.naming import side_names
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.records import MOST_SIDES
from randomizer.systems.xconq.scenario.side_edits import (
    ALLY,
    ENEMY,
    NEITHER,
    add_side,
    change_side,
    new_name,
    remove_side,
    set_attitude,
    units_of_side,
    why_not_name,
)
from randomizer.systems.xconq.scenario.views import read_view

if TYPE_CHECKING:
    from app.canvas.heat_owner import HeatOwner
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords
    from randomizer.systems.xconq.records import Sides


VIEW = "a side's view"
"""By which the canvas knows whose heat map it shows."""


class SideView(QObject):
    """``side`` is the number of the side whose view is shown, None for none."""

    def __init__(self, records: ScenarioRecords, heat: HeatOwner) -> None:
        super().__init__(records)
        self._records = records
        self._heat = heat
        self.side: int | None = None
        connect(records.changed, self._show)

    def show_side(self, side: int | None) -> None:
        """Show what a side has seen; None: the whole map."""
        if side == self.side:
            return
        if side is None:
            self._heat.release(VIEW)
        elif self.side is None:
            self._heat.claim(VIEW)
        self.side = side
        self._show()

    def _show(self) -> None:
        if self.side is None:
            return
        sides = self._records.sides.sides if self._records.offered else ()
        if self.side >= len(sides) or not sides[self.side].view:
            self.show_side(None)
            return
        view = read_view(sides[self.side].view, self._records.battlemap.grid, len(sides))
        assert view is not None, "it has rows"
        texts = {
            unit.cell: unit.char + (f"\n{sides[unit.side].name}" if unit.side >= 0 else "")
            for unit in view.units
        }
        values = np.where(view.unseen, 0.0, np.nan)
        seen = f"Seen by {sides[self.side].name}"
        self._heat.show(VIEW, Heat(values, (0.0, 1.0), texts=texts), seen)


SWATCH = 14
"""The size of the colour beside a side, in logical pixels."""

MOST_ROWS = 8
"""The list of sides shows at most so many at once."""

NAME = Setting("name", str, "What the side is called", "", title="Name")
ATTITUDE = Setting(
    "towards",
    int,
    "How it stands to this side when the game begins",
    NEITHER,
    choices=((ENEMY, "enemy"), (NEITHER, "neutral"), (ALLY, "ally")),
    group="Attitude towards",
)


class SidesPage(QWidget):
    """The sides in a list, with their colours; below it what the chosen one is like."""

    def __init__(self, records: ScenarioRecords, view: SideView) -> None:
        super().__init__()
        self._records = records
        self._view = view
        self.message = plain_label(wordWrap=True)
        self.list = described(QListWidget(), "Sides", "The sides of the game, with their colours")
        self.list.setIconSize(QSize(SWATCH, SWATCH))
        self.add_button = described(QPushButton("&Add"), tip="Add a side")
        self.remove_button = described(
            QPushButton("&Remove"),
            tip="Remove the side: its units become neutral, its conditions go",
        )
        self.form = CommittedForm()
        self.view_box = described(
            QCheckBox("Show what this side has &seen"),
            tip="Darkens the hexes that it has not seen, and names the units that it knows of",
        )
        buttons = lay_out(QHBoxLayout(), self.add_button, self.remove_button, STRETCH)
        lay_out(
            QVBoxLayout(self),
            self.message,
            self.list,
            buttons,
            self.form,
            self.view_box,
            STRETCH,
            margins=6,
        )
        connect(self.list.currentRowChanged, lambda _row: self._show_side())
        connect(self.add_button.clicked, self.add)
        connect(self.remove_button.clicked, self.remove)
        connect(self.form.committed, self._commit)
        connect(self.view_box.toggled, self._show_view)
        connect(records.changed, self.refresh)
        self.refresh()

    @property
    def index(self) -> int:
        """The number of the chosen side, -1 for none."""
        return self.list.currentRow()

    # --- showing ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the sides of the current map."""
        if not self._records.offered:
            return
        sides = self._records.sides.sides
        chosen = max(0, self.index)
        with QSignalBlocker(self.list):
            self.list.clear()
            for number, side in enumerate(sides):
                self.list.addItem(QListWidgetItem(self._swatch(number), side.name))
            self.list.setCurrentRow(min(chosen, len(sides) - 1))
        self.message.setText(
            f"{counted(len(sides), 'side')}."
            if sides
            else "No sides: the game makes them up, and every unit is neutral."
        )
        self.add_button.setEnabled(len(sides) < MOST_SIDES)
        rows = min(max(len(sides), 2), MOST_ROWS)
        high = max(self.list.sizeHintForRow(0), SWATCH + 2) * rows
        self.list.setFixedHeight(high + 2 * self.list.frameWidth() + 2)
        self._show_side()

    def _swatch(self, number: int) -> QIcon:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(QSize(SWATCH, SWATCH) * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with painting(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(colour_of(None, number + 1)))
            painter.setPen(QColor(20, 20, 20))
            painter.drawEllipse(1, 1, SWATCH - 3, SWATCH - 3)
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)
        return icon

    def _show_side(self) -> None:
        index = self.index
        sides = self._records.sides
        self.remove_button.setEnabled(index >= 0)
        self.form.setVisible(index >= 0)
        has_view = index >= 0 and bool(sides.sides[index].view)
        self.view_box.setVisible(has_view)
        if index < 0:
            self._view.show_side(None)
            return
        settings, values = _described(sides, index)
        self.form.set_settings(settings, values)
        if self._view.side is not None:
            self._view.show_side(index if has_view else None)
        with QSignalBlocker(self.view_box):
            self.view_box.setChecked(has_view and self._view.side == index)

    def _show_view(self, shown: bool) -> None:
        self._view.show_side(self.index if shown else None)

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add a side with a name of the period's, and choose it."""
        period = period_of(self._records.battlemap)
        built_in = () if period.clears_side_names else side_names()
        name = new_name(self._records.sides, (*period.side_names, *built_in))
        if self._records.document.push(add_side(self._records.battlemap, name), "Add a side"):
            self.refresh()
            self.list.setCurrentRow(self.list.count() - 1)
            self.form.edit("name")

    async def remove(self) -> None:
        """Remove the chosen side; with units, the user is asked."""
        index = self.index
        document = self._records.document
        battlemap = self._records.battlemap
        units = len(units_of_side(battlemap, index))
        name = self._records.sides.sides[index].name
        conditions = sum(each.side == index for each in self._records.globals.conditions)
        text = f"Remove the side {name}"
        if units or conditions:
            asked = self._may_remove(name, units, conditions)
            if not await document.while_unchanged(text, asked):
                return
        document.push(remove_side(battlemap, index), text)

    async def _may_remove(self, name: str, units: int, conditions: int) -> bool:
        loses = []
        if units:
            loses.append(f"{counted(units, 'unit')} of {name} will be neutral.")
        if conditions:
            loses.append(f"{counted(conditions, 'condition')} of {name} will be removed.")
        index = await choose(
            self, "Remove the side?", " ".join(loses), "Undo brings all back.", ("Remove it",)
        )
        return index == 0

    def _commit(self, name: str) -> None:
        index = self.index
        value = self.form.values().get(name)
        if name == "name":
            self._rename(index, str(value or "").strip())
            return
        towards = int(name.removeprefix(ATTITUDE.name))
        attitude = int(str(value))
        make = partial(set_attitude, index=index, towards=towards, attitude=attitude)
        self._records.do(make, "Change attitude", f"attitude {index} {towards}")

    def _rename(self, index: int, name: str) -> None:
        why = why_not_name(name)
        if why:
            self._records.document.refuse(f"{why[:1].upper()}{why[1:]}.")
            self._show_side()
            return
        make = partial(change_side, index=index, name=name)
        self._records.do(make, "Rename a side", f"name of side {index}")


def _described(sides: Sides, index: int) -> tuple[tuple[Setting, ...], dict[str, object]]:
    """The settings of one side, and its values."""
    side = sides.sides[index]
    settings = [NAME]
    values: dict[str, object] = {"name": side.name}
    for number, other in enumerate(sides.sides):
        if number != index:
            name = f"{ATTITUDE.name}{number}"
            attitude = side.attitudes[number] if number < len(side.attitudes) else NEITHER
            setting = replace(ATTITUDE, name=name, title=other.name)
            if attitude not in setting.values:
                setting = replace(setting, choices=(*setting.choices, (attitude, str(attitude))))
            settings.append(setting)
            values[name] = attitude
    return tuple(settings), values

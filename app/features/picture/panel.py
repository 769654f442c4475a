"""The panel of the picture below the grid: file, place, look; and the taking of terrains."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.features.picture.controller import MapPictures
from app.qt_guard import connect
from app.tools.picture import LOCKED, PictureTool
from app.widgets.builders import described, lay_out, scrolled, tool_button
from app.widgets.committed_form import CommittedForm
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.setting import Setting
from randomizer.tracing.placement import Placement
from randomizer.tracing.trace import MOST_CELLS, MOST_DRAWN

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.map_picture import MapPicture

LOOK = (
    Setting("shown", bool, "Show the picture", True, title="Shown"),
    Setting("locked", bool, "No hand moves it", False, title="Locked"),
    Setting("over", bool, "Show it over the terrains, too", False, title="Over the terrains"),
    Setting("opacity", int, "How opaque it is", 100, least=0, most=100, title="Opacity", unit="%"),
)

PLACE = (
    Setting("right", float, "In cells, from the middle of the map", 0.0, title="To the right"),
    Setting("down", float, "In cells, from the middle of the map", 0.0, title="Down"),
    Setting(
        "pixels", float, "How large a cell is in the picture", 1.0, least=0, title="Cell", unit="px"
    ),
    Setting(
        "turn", float, "Clockwise", 0.0, least=-180, most=180, title="Turned by", unit="\u00b0"
    ),
)

LIMITS = (
    f"At most {MOST_CELLS:,} {{cells}}. Up to {MOST_DRAWN:,} are also drawn and compared, while "
    "none is painted."
)
NO_PICTURE = "A PNG, JPEG, WebP or SVG of up to 16 MB."


class PicturePanel(QWidget):
    """Shows where the picture of the current map lies, and changes it."""

    def __init__(self, desk: Desk, pictures: MapPictures) -> None:
        super().__init__()
        self._desk, self._pictures = desk, pictures
        self.open_button = tool_button("Open...", "Lay the picture of a file under the map")
        self.place_button = tool_button("Move", "Take up the tool that moves and turns it")
        self.remove_button = tool_button("Remove", "Take the picture away")
        self.about = QLabel(wordWrap=True)
        self.form = CommittedForm()
        self.take_button = described(QPushButton("Take terrains"), tip="")
        self.limits = QLabel(wordWrap=True)
        self.bar = described(QProgressBar(), "How much of the picture is looked at")
        self.cancel_button = QPushButton("Cancel")
        self.previous_button = tool_button("Previous", "Go to the selected cell before (Shift+F4)")
        self.next_button = tool_button("Next", "Go to the next selected cell (F4)")
        actions = (
            (self.open_button, pictures.ask),
            (self.place_button, partial(desk.tools.choose, PictureTool.name)),
            (self.remove_button, partial(pictures.push, None, "Remove the picture")),
            (self.take_button, pictures.trace),
            (self.cancel_button, pictures.cancel),
            (self.previous_button, partial(desk.commands.run, "select.previous")),
            (self.next_button, partial(desk.commands.run, "select.next")),
        )
        for button, do in actions:
            connect(button.clicked, lambda _checked=False, do=do: do())
        buttons = self.open_button, self.place_button, self.remove_button
        walk = self.previous_button, self.next_button
        for button in (*buttons, *walk):
            button.setAutoRaise(True)
        self.progress = QWidget()
        lay_out(QHBoxLayout(self.progress), (self.bar, 1), self.cancel_button, margins=0)
        self.doubtful = QLabel()
        body = QWidget()
        lay_out(
            QVBoxLayout(body),
            lay_out(QHBoxLayout(), *buttons, 1),
            self.about,
            self.form,
            self.take_button,
            self.limits,
            self.progress,
            lay_out(QHBoxLayout(), (self.doubtful, 1), *walk),
            1,
            margins=4,
        )
        lay_out(QVBoxLayout(self), scrolled(body), margins=0)
        connect(self.form.committed, self._commit)
        connect(pictures.changed, self.show_picture)
        connect(pictures.progressed, self.bar.setValue)
        connect(desk.document.selection_changed, self._show_selection)
        self.show_picture()

    # --- what is shown ----------------------------------------------------------------------

    def show_picture(self) -> None:
        """Show the picture as it is now."""
        picture, layout = self._pictures.picture, self._desk.document.battlemap.grid.layout
        self.form.setVisible(picture is not None)
        for button in (self.place_button, self.remove_button):
            button.setEnabled(picture is not None)
        self.about.setText(NO_PICTURE)
        if picture is not None:
            width, height = picture.size
            self.about.setText(f"{picture.name}: {width:,} x {height:,} pixels")
            look = {each.name: getattr(picture, each.name) for each in LOOK}
            self.form.set_settings((*LOOK, *PLACE), {**look, **self._place_of(picture)})
        why_not = self._pictures.why_not_trace()
        self.take_button.setEnabled(not why_not)
        self.take_button.setToolTip(why_not or "Give every cell without a terrain one")
        self.limits.setText(cell_text(LIMITS, layout))
        if self.progress.isHidden() is self._pictures.busy:
            self.bar.setValue(0)
        self.progress.setVisible(self._pictures.busy)
        self._show_selection()

    def _show_selection(self) -> None:
        count = len(self._desk.document.selection)
        self.doubtful.setText(f"{count:,} selected" if count else "Nothing is selected")
        for button in (self.previous_button, self.next_button):
            button.setEnabled(count > 0)

    @property
    def _across(self) -> float:
        """How far apart neighbours are, in map units."""
        return Placement(1, 0, 0, 1, 0, 0).pixels_across(self._desk.document.battlemap.grid.layout)

    def _place_of(self, picture: MapPicture) -> dict[str, float]:
        """Where a picture lies, by the names of ``PLACE``, in cells, pixels and degrees."""
        left, top, right, bottom = self._desk.document.battlemap.grid.bounds
        x, y = np.subtract(picture.middle, ((left + right) / 2, (top + bottom) / 2)) / self._across
        pixels = picture.pixels_a_unit * self._across
        return {"right": float(x), "down": float(y), "pixels": pixels, "turn": picture.turn}

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        picture = self._pictures.picture
        value: Any = self.form.values()[name]
        if picture is None:
            return
        if name in {each.name for each in LOOK}:
            text = f"Change the picture: {name}"
            if not self._pictures.push(picture._replace(**{name: value}), text):
                self.show_picture()
            return
        if picture.locked:
            self._desk.document.refuse(LOCKED)
            self.show_picture()
            return
        before, number = self._place_of(picture), float(value)
        by = (number - before[name]) * self._across
        if name == "pixels":
            moved = picture.similar(before[name] / max(number, 1e-3), 0)
        elif name == "turn":
            moved = picture.similar(1, number - before[name])
        else:
            moved = picture.similar(1, 0, *((by, 0) if name == "right" else (0, by)))
        if not self._pictures.push(moved._replace(placed=True), "Move the picture"):
            self.show_picture()


def make(desk: Desk) -> PicturePanel:
    """Return the panel."""
    pictures = desk.findChild(MapPictures)
    assert pictures is not None, "its feature is made before"
    return PicturePanel(desk, pictures)

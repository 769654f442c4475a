"""The panel of the picture below the grid: file, look and place; and the taking of terrains."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.desk.desk import Desk
from app.features.map_picture.feature import MapPictures
from app.qt_guard import connect
from app.tools.picture import LOCKED, PictureTool
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import (
    described,
    lay_out,
    plain_label,
    plain_text,
    scrolled,
    tool_button,
)
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map_picture import MapPicture
from randomizer.model.settings.setting import Setting
from randomizer.tracing.placement import Placement
from randomizer.tracing.trace import MOST_CELLS, MOST_DRAWN

LOOK = (
    Setting("shown", bool, "Show the picture", True, title="Shown"),
    Setting("locked", bool, "No hand moves it", False, title="Locked"),
    Setting("over", bool, "Show it over the terrains, too", False, title="Over the terrains"),
    Setting(
        "opacity", int, "How opaque it is", 100, minimum=0, maximum=100, title="Opacity", unit="%"
    ),
)

FROM_MIDDLE = "In cells, from the middle of the map"

PLACE = (
    Setting("right", float, FROM_MIDDLE, 0.0, title="To the right"),
    Setting("down", float, FROM_MIDDLE, 0.0, title="Down"),
    Setting("pixels", float, "How large a cell is in it", 1.0, minimum=1, title="Cell", unit="px"),
    Setting(
        "turn", float, "Clockwise", 0.0, minimum=-180, maximum=180, title="Turned by", unit="°"
    ),
)

NO_PICTURE = "A PNG, JPEG, WebP or SVG of up to 16 MB."
LIMITS = (
    f"At most {MOST_CELLS:,} {{cells}}; up to {MOST_DRAWN:,} are also drawn and compared. Those "
    "that are doubtful are selected: F4 goes to the next."
)


class PicturePanel(QWidget):
    """Shows where the picture of the current map lies, and changes it."""

    def __init__(self, desk: Desk, pictures: MapPictures) -> None:
        super().__init__()
        self._document = desk.document
        self._pictures = pictures
        self.open_button = tool_button("Open...", "Lay the picture of a file under the map")
        self.place_button = tool_button("Move", "Take up the tool that moves and turns it")
        self.remove_button = tool_button("Remove", "Take the picture away")
        self.about = plain_label(wordWrap=True)
        self.limits = plain_label(wordWrap=True)
        self.form = CommittedForm()
        self.take_button = QPushButton("Take terrains")
        self.cancel_button = QPushButton("Cancel")
        self.bar = described(QProgressBar(), "How much of the picture is looked at")
        for button, do in (
            (self.open_button, pictures.ask),
            (self.place_button, partial(desk.tools.choose, PictureTool.name)),
            (self.remove_button, partial(pictures.push, None, "Remove the picture")),
            (self.take_button, pictures.trace),
            (self.cancel_button, pictures.cancel),
        ):
            connect(button.clicked, lambda _checked=False, do=do: do())
        buttons = self.open_button, self.place_button, self.remove_button
        for each in buttons:
            each.setAutoRaise(True)
        body = QWidget()
        self.progress = QWidget()
        lay_out(QHBoxLayout(self.progress), (self.bar, 1), self.cancel_button, margins=0)
        lay_out(
            QVBoxLayout(body),
            lay_out(QHBoxLayout(), *buttons, 1),
            self.about,
            self.form,
            self.take_button,
            self.progress,
            self.limits,
            1,
            margins=4,
        )
        lay_out(QVBoxLayout(self), scrolled(body), margins=0)
        connect(self.form.committed, self._commit)
        connect(pictures.changed, self.show_picture)
        connect(pictures.progressed, self.bar.setValue)
        self.show_picture()

    def show_picture(self) -> None:
        """Show the picture as it is now."""
        picture = self._pictures.picture
        pictures = self._pictures
        self.form.setVisible(picture is not None)
        self.place_button.setEnabled(picture is not None)
        self.remove_button.setEnabled(picture is not None)
        self.about.setText(NO_PICTURE)
        if picture is not None:
            width, height = picture.size
            self.about.setText(f"{picture.name}: {width:,} x {height:,} pixels")
            look = {setting.name: getattr(picture, setting.name) for setting in LOOK}
            self.form.set_settings((*LOOK, *PLACE), {**look, **self._place_of(picture)})
        why_not = pictures.why_not_trace()
        self.take_button.setEnabled(not why_not)
        self.take_button.setToolTip(plain_text(why_not))
        self.limits.setText(cell_text(LIMITS, self._document.battlemap.grid.layout))
        if not pictures.busy:
            self.bar.setValue(0)
        self.progress.setVisible(pictures.busy)

    @property
    def _across(self) -> float:
        """The distance between neighbours, in map units."""
        return Placement(1, 0, 0, 1, 0, 0).pixels_across(self._document.battlemap.grid.layout)

    def _place_of(self, picture: MapPicture) -> dict[str, float]:
        """Return where a picture lies, by the names of ``PLACE``, in cells, pixels and degrees."""
        left, top, right, bottom = self._document.battlemap.grid.bounds
        x, y = picture.middle
        return {
            "right": (x - (left + right) / 2) / self._across,
            "down": (y - (top + bottom) / 2) / self._across,
            "pixels": picture.pixels_a_unit * self._across,
            "turn": picture.turn,
        }

    def _commit(self, name: str) -> None:
        picture = self._pictures.picture
        text = "Move the picture"
        value: Any = self.form.values()[name]
        if picture is None:
            return
        if name in {setting.name for setting in LOOK}:
            changed = picture._replace(**{name: value})
            text = "Change the picture"
        else:
            old_placement = self._place_of(picture)
            by = (value - old_placement[name]) * self._across
            moves = {
                "right": (1, 0, by, 0),
                "down": (1, 0, 0, by),
                "pixels": (old_placement["pixels"] / value, 0),
                "turn": (1, value - old_placement["turn"]),
            }
            changed = picture.similar(*moves[name])._replace(placed=True)
            if picture.locked:
                self._document.refuse(LOCKED)
                changed = picture
        if not self._pictures.push(changed, text):
            self.show_picture()


def make(desk: Desk) -> PicturePanel:
    """Return the panel."""
    pictures = desk.findChild(MapPictures)
    assert pictures is not None, "its feature is made before"
    return PicturePanel(desk, pictures)

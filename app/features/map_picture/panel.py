"""The panel of the picture that lies below the grid of a map, such as a scan to be traced.

The panel shows the picture's file, look and position (``show_picture``). Each field that the user
changes is one undo step (``_commit``). The button "Take terrains" gives the cells the terrains that
are recognized in the picture (``PictureTracing``).
"""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.desk.desk import Desk
from app.features.map_picture.feature import MapPictures
from app.features.map_picture.tracing import TracingState
from app.qt_guard import connect
from app.tools.picture import LOCKED, PictureTool
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import (
    STRETCH,
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
from randomizer.tracing.trace import MAX_CELLS, MAX_DRAWN

LOOK_SETTINGS = (
    Setting("shown", bool, "Show the picture", True, title="Shown"),
    Setting("locked", bool, "No hand moves it", False, title="Locked"),
    Setting("over", bool, "Show it over the terrains, too", False, title="Over the terrains"),
    Setting(
        "opacity", int, "How opaque it is", 100, minimum=0, maximum=100, title="Opacity", unit="%"
    ),
)
"""The settings of the look. Each has the name of a field of ``MapPicture``, and its value."""

FROM_MIDDLE = "In cells, from the middle of the map"
"""The help of the position of the picture's middle."""

POSITION_SETTINGS = (
    Setting("right", float, FROM_MIDDLE, 0.0, title="To the right"),
    Setting("down", float, FROM_MIDDLE, 0.0, title="Down"),
    Setting("pixels", float, "How large a cell is in it", 1.0, minimum=1, title="Cell", unit="px"),
    Setting(
        "turn", float, "Clockwise", 0.0, minimum=-180, maximum=180, title="Turned by", unit="°"
    ),
)
"""The settings of the position; ``_position_of`` computes their values from a ``MapPicture``."""

NAMES_OF_LOOK = frozenset(setting.name for setting in LOOK_SETTINGS)
"""The names of the settings in ``LOOK_SETTINGS``."""

NO_PICTURE = "A PNG, JPEG, WebP or SVG of up to 16 MB."
"""The text on the picture while there is none."""

LIMITS = (
    f"At most {MAX_CELLS:,} {{cells}}; up to {MAX_DRAWN:,} are also drawn and compared. Those "
    "that are doubtful are selected: F4 goes to the next."
)
"""The text below the button "Take terrains"; a template for ``cell_text``."""


class PicturePanel(QWidget):
    """Shows the picture of the current map as a form, and changes it."""

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
        self._lay_out()
        connect(self.open_button.clicked, lambda: pictures.ask_for_file())
        connect(self.place_button.clicked, lambda: desk.tools.choose(PictureTool.name))
        connect(self.remove_button.clicked, lambda: pictures.push(None, "Remove the picture"))
        connect(self.take_button.clicked, lambda: pictures.tracing.begin())
        connect(self.cancel_button.clicked, lambda: pictures.tracing.cancel())
        connect(self.form.committed, self._commit)
        connect(pictures.changed, self.show_picture)
        connect(pictures.tracing.progressed, self.bar.setValue)
        self.show_picture()

    def _lay_out(self) -> None:
        """Put the buttons above the form, and the taking of terrains with its progress below."""
        buttons = (self.open_button, self.place_button, self.remove_button)
        for button in buttons:
            button.setAutoRaise(True)
        self.progress = QWidget()
        lay_out(QHBoxLayout(self.progress), (self.bar, 1), self.cancel_button, margins=0)
        body = QWidget()
        lay_out(
            QVBoxLayout(body),
            lay_out(QHBoxLayout(), *buttons, STRETCH),
            self.about,
            self.form,
            self.take_button,
            self.progress,
            self.limits,
            STRETCH,
            margins=4,
        )
        lay_out(QVBoxLayout(self), scrolled(body), margins=0)

    def show_picture(self) -> None:
        """Show the picture as it is now, and whether terrains can be taken from it."""
        pictures = self._pictures
        picture = pictures.picture
        has_picture = picture is not None
        self.form.setVisible(has_picture)
        self.place_button.setEnabled(has_picture)
        self.remove_button.setEnabled(has_picture)
        if picture is None:
            self.about.setText(NO_PICTURE)
        else:
            width, height = picture.size
            self.about.setText(f"{picture.name}: {width:,} x {height:,} pixels")
            look = {setting.name: getattr(picture, setting.name) for setting in LOOK_SETTINGS}
            values = {**look, **self._position_of(picture)}
            self.form.set_settings((*LOOK_SETTINGS, *POSITION_SETTINGS), values)

        why_not = pictures.tracing.why_not()
        self.take_button.setEnabled(not why_not)
        self.take_button.setToolTip(plain_text(why_not))
        self.limits.setText(cell_text(LIMITS, self._document.battlemap.grid.layout))
        is_tracing = pictures.tracing.state is TracingState.UNDER_WAY
        if not is_tracing:
            self.bar.setValue(0)
        self.progress.setVisible(is_tracing)

    @property
    def _cell_distance(self) -> float:
        """The distance between the centres of neighbours, in map units."""
        # A picture with one pixel a map unit has as many pixels across a cell as this has units.
        one_pixel_a_unit = Placement(a=1, b=0, c=0, d=1, e=0, f=0)
        return one_pixel_a_unit.pixels_across(self._document.battlemap.grid.layout)

    def _position_of(self, picture: MapPicture) -> dict[str, float]:
        """Return the position of a picture by the names of ``POSITION_SETTINGS``.

        ``right`` and ``down`` are in cells from the middle of the map, ``pixels`` is the size of a
        cell in the picture, ``turn`` is in degrees.
        """
        left, top, right, bottom = self._document.battlemap.grid.bounds
        x, y = picture.middle
        return {
            "right": (x - (left + right) / 2) / self._cell_distance,
            "down": (y - (top + bottom) / 2) / self._cell_distance,
            "pixels": picture.pixels_per_unit * self._cell_distance,
            "turn": picture.turn,
        }

    def _commit(self, name: str) -> None:
        """Change the picture as the form's field ``name`` says, as one undo step.

        If nothing changes, such as where a locked picture would move, the field gets its old value
        again.
        """
        picture = self._pictures.picture
        if picture is None:
            return
        value: Any = self.form.values()[name]
        if name in NAMES_OF_LOOK:
            changed_picture = picture._replace(**{name: value})
            is_changed = self._pictures.push(changed_picture, "Change the picture")
        elif picture.locked:
            self._document.refuse(LOCKED)
            is_changed = False
        else:
            moved_picture = self._picture_moved(picture, name, value)
            is_changed = self._pictures.push(moved_picture, "Move the picture")
        if not is_changed:
            self.show_picture()

    def _picture_moved(self, picture: MapPicture, name: str, value: float) -> MapPicture:
        """Return the picture, moved so that one of ``POSITION_SETTINGS`` has this value."""
        old_value = self._position_of(picture)[name]
        difference = value - old_value
        scale = 1.0
        turn = 0.0
        right = 0.0
        down = 0.0
        if name == "right":
            right = difference * self._cell_distance
        elif name == "down":
            down = difference * self._cell_distance
        elif name == "turn":
            turn = difference
        else:
            # "pixels": with more pixels a cell the picture covers less of the map.
            scale = old_value / value
        moved = picture.similar(scale, turn, right=right, down=down)
        return moved._replace(placed=True)


def make(desk: Desk) -> PicturePanel:
    """Return the panel of the desk's ``MapPictures``, which ``feature.make`` has made before."""
    pictures = desk.findChild(MapPictures)
    assert pictures is not None, "features are made before the panels, which are made when shown"
    return PicturePanel(desk, pictures)

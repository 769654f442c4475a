"""The New map dialog: which kind and, for kinds without a fixed board, its layout and size."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from app.appearance.painting import painting
from app.document.map_files import new_map
from app.features.new_map.usual import LAYOUT_OF_NAME, scripts_of
from app.qt_guard import connect, guarded
from app.render.viewport import fitting
from app.settings import NewMap, Settings
from app.widgets.builders import described, lay_out
from app.widgets.dialog_status import DialogStatus
from app.widgets.settings_form import SettingsForm
from randomizer.catalog import systems
from randomizer.generator import MapGenerator
from randomizer.model.grid import Grid
from randomizer.model.layouts import LAYOUTS
from randomizer.model.plurals import counted
from randomizer.model.problems import Severity
from randomizer.model.setting import Setting
from randomizer.model.system import System
from randomizer.systems.free.system import MOST_CELLS

LAYOUT_WORDS = {
    "flat": "Hexes in columns (flat top)",
    "pointy": "Hexes in rows (pointed top)",
    "oblique": "Hexes in slanting rows (Xconq)",
    "square": "Squares",
}

SCRIPT = "script"
"""The name of the setting that says by which script the map is rolled."""

MOST_SHOWN = 1500
"""A map of more cells is drawn with fewer and larger ones, in the same proportions."""

OUTLINED = 8.0
"""Cells of at least so many logical pixels are outlined."""


def _settings_of(system: System) -> tuple[Setting, ...]:
    """What is asked about a new map of this kind, by the names of ``NewMap``."""
    most = system.most_along or MOST_CELLS
    limit = f"at most {most:,}" if system.most_along else f"{MOST_CELLS:,} cells at most"
    layouts = tuple(
        (layout.name, LAYOUT_WORDS.get(layout.name, layout.name.capitalize()))
        for layout in LAYOUTS
        if not system.layouts or layout.name in system.layouts
    )
    size = Setting("", int, "", 1, least=1, most=most)
    wrap = Setting(
        "wrap",
        bool,
        "A world without a rim in the east and west",
        False,
        title="&Goes round: the last column lies beside the first",
    )
    return (
        Setting(
            "layout",
            str,
            "How the cells lie beside each other",
            layouts[0][0],
            layouts,
            title="&Layout",
        ),
        replace(size, name="width", title="&Columns", help=f"Columns of the map; {limit}"),
        replace(size, name="height", title="&Rows", help=f"Rows of the map; {limit}"),
        *((wrap,) if system.can_wrap else ()),
        *_script_settings(system),
    )


def _script_settings(system: System) -> tuple[Setting, ...]:
    """By which script a new map of this kind is rolled, where there are several for that."""
    scripts = scripts_of(system)
    if len(scripts) < 2:
        return ()
    named = tuple((each.name, each.metadata.name) for each in scripts)
    words = "The script by which the map is rolled"
    return (Setting(SCRIPT, str, words, named[0][0], named, title="&Rolled as"),)


class NewMapDialog(QDialog):
    """Asks for the kind of map (the first is chosen at the start), its layout and size.

    ``chosen(BattleMap)``: an empty map; ``roll_chosen(BattleMap, MapGenerator)``: one that is to be
    rolled by a script. They are emitted after the dialog has closed. Layout and size of free maps
    are stored in the settings.
    """

    chosen = Signal(object)
    roll_chosen = Signal(object, object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New map")
        self._settings = settings
        self._systems = systems()
        self.kinds = described(QListWidget(), "Kinds of maps")
        self.kinds.addItems([system.title for system in self._systems])
        self.picture = _GridPicture()
        self.words = DialogStatus("What will be made")
        self.form = SettingsForm(":")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.make_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.make_button.setText("&Make the map")
        connect(self.buttons.accepted, self.make)
        connect(self.buttons.rejected, self.reject)
        self._lay_out()
        connect(self.kinds.currentRowChanged, lambda _row: self._show_kind())
        self._usual: tuple[int, int] | None = None
        connect(self.form.changed, self._on_changed)
        self.kinds.setCurrentRow(0)
        self.kinds.setFocus()

    def _lay_out(self) -> None:
        right = lay_out(QVBoxLayout(), (self.picture, 1), self.form)
        line = lay_out(QHBoxLayout(), (self.kinds, 2), (right, 3))
        lay_out(QVBoxLayout(self), (line, 1), self.words, self.buttons)
        self.resize(600, 440)

    def _show_kind(self) -> None:
        """Show the layouts and sizes of the chosen kind; the stored or usual one is chosen."""
        last, system = self._settings.new_map, self._system
        if system.layouts:
            usual = system.new_grid()
            last = NewMap(usual.layout.name, usual.width, usual.height, usual.wrap)
        self.form.set_settings(_settings_of(system), last._asdict())
        self.form.field("layout").setAccessibleName("Layout of the cells")
        self._usual = self._usual_size()
        self._show_choice()

    def _usual_size(self) -> tuple[int, int] | None:
        """The usual columns and rows of the chosen kind and layout, None if there are none."""
        usual = dict(zip(self._system.layouts, self._system.usual_sizes, strict=False))
        return usual.get(self._asked.layout)

    def _on_changed(self, name: str) -> None:
        """Follow the fields; a size that was the usual one becomes that of the chosen layout."""
        if name == "layout":
            before, self._usual = self._usual, self._usual_size()
            asked = self._asked
            if self._usual is not None and (asked.width, asked.height) == before:
                width, height = self._usual
                self.form.show_values(asked._replace(width=width, height=height)._asdict())
        self._show_choice()

    @property
    def _system(self) -> System:
        return self._systems[max(self.kinds.currentRow(), 0)]

    @property
    def _asked(self) -> NewMap:
        """What the form says."""
        values = {"wrap": False, **self.form.values()}
        values.pop(SCRIPT, None)
        return NewMap(**values)  # type: ignore[arg-type]  # by kind

    def _script(self) -> MapGenerator | None:
        """The script by which the map is to be rolled, None for an empty map."""
        scripts = scripts_of(self._system)
        name = self.form.values().get(SCRIPT, "") if len(scripts) > 1 else ""
        return next((each for each in scripts if name in ("", each.name)), None)

    # --- the choice -------------------------------------------------------------------------

    def grid(self) -> Grid:
        """The chosen grid. Raises ValueError, with a text for the user, if it is impossible."""
        system = self._system
        if system.fixed_grid:
            return system.new_grid()
        name, width, height, wrap = self._asked
        if width * height > MOST_CELLS:
            raise ValueError(
                f"{width:,} x {height:,} are {counted(width * height, 'cell')}. "
                f"A map has at most {MOST_CELLS:,}."
            )
        layout = LAYOUT_OF_NAME[name]
        if wrap and layout.shear == "columns" and width % 2:
            raise ValueError(
                "A map of columns that goes round has an even number of them: "
                f"take {width - 1 or 2} or {width + 1}."
            )
        made = Grid(layout, width, height, wrap=wrap, lean=wrap and system.new_grid().lean)
        if why_not := system.why_not_grid(made):
            raise ValueError(f"{why_not[:1].upper()}{why_not[1:]}.")
        return made

    def _show_choice(self) -> None:
        system = self._system
        self.form.setVisible(not system.fixed_grid)
        try:
            grid = self.grid()
        except ValueError as reason:
            self.words.say(str(reason), Severity.ERROR)
            self.make_button.setEnabled(False)
            return
        self.make_button.setEnabled(True)
        ground = None if system.begins_rolled else system.terrain_set.terrains[0].colour
        self.picture.show_grid(grid, ground)
        count = grid.size if grid.mask is None else int(grid.mask.sum())
        fixed = ", the board of the game" if system.fixed_grid else ""
        self.words.say(f"{system.title}: {counted(count, 'cell')}{fixed}.")

    def make(self) -> None:
        """Close, store the choice and emit an empty map, or one that is to be rolled."""
        if not self.make_button.isEnabled():
            return
        system = self._system
        grid = self.grid()
        if not system.fixed_grid and not system.layouts:
            self._settings.new_map = NewMap(grid.layout.name, grid.width, grid.height, grid.wrap)
        script = self._script()
        self.accept()
        if script is None:
            self.chosen.emit(new_map(system, grid))
        else:
            self.roll_chosen.emit(new_map(system, grid), script)

    @guarded
    def done(self, result: int) -> None:
        """Delete the dialog when it is closed: the next one is a new one."""
        super().done(result)
        self.deleteLater()


def shown_grid(grid: Grid) -> Grid:
    """The grid as it is drawn: of the same shape, with ``MOST_SHOWN`` cells or little more."""
    step = math.ceil(math.sqrt(grid.size / MOST_SHOWN))
    if step == 1:
        return grid
    width, height = max(1, round(grid.width / step)), max(1, round(grid.height / step))
    if grid.wrap and grid.layout.shear == "columns":
        width += width % 2
    return Grid(grid.layout, width, height, wrap=grid.wrap, lean=grid.lean)


class _GridPicture(QWidget):
    """A picture of the map that will be made, in the colour of its ground (None: that is rolled).

    Where the grid wraps the first columns are repeated, dotted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._grid: Grid | None = None
        self._ground: str | None = None
        self.setMinimumSize(QSize(240, 180))
        self.setAccessibleName("Picture of the layout")

    def show_grid(self, grid: Grid, ground: str | None) -> None:
        """Show this grid with a ground of this colour."""
        self._grid, self._ground = shown_grid(grid), ground
        self.setAccessibleDescription(LAYOUT_WORDS.get(grid.layout.name, grid.layout.name))
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cells, tinted to show the pattern."""
        if self._grid is None:
            return
        grid = self._grid
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            viewport = fitting(grid, self.size().toSizeF(), 2.0 if grid.wrap else 0.4)
            rim = grid.bounds[2] + 1
            ink = self.palette().color(QPalette.ColorRole.WindowText)
            highlight = self.palette().color(QPalette.ColorRole.Highlight)
            tint = QColor(highlight if self._ground is None else self._ground)
            pen = QPen(ink, 1.2) if viewport.scale * 2 >= OUTLINED else QPen(Qt.PenStyle.NoPen)
            for cell in grid.cells.tolist():
                polygon = QPolygonF([viewport.to_screen(x, y) for x, y in grid.outline(cell)])
                x, y = grid.xy(cell)
                tint.setAlpha(155 + 50 * ((x + y) % 3))
                painter.setPen(pen)
                painter.setBrush(tint)
                painter.drawPolygon(polygon)
                if grid.wrap and grid.centre(cell)[0] + grid.period < rim:
                    painter.setPen(QPen(ink, 1.2, Qt.PenStyle.DotLine))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawPolygon(
                        polygon.translated(QPointF(grid.period * viewport.scale, 0))
                    )

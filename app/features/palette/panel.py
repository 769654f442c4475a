"""The palette: buttons for the terrain, elevation, hexside and route that the tools paint."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QGroupBox,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect
from app.render.raster.sprites import Sprites, hexside_picture
from app.render.renderer import Renderer
from app.render.style import Style, drawn_style, style_of
from app.tools import ToolOptions
from app.widgets.layout.builders import described, plain_label, plain_text, tool_button
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain

PICTURE = 44
"""The width of a picture in logical pixels."""

SHARE = 0.93
"""The root of width x height of a cell, as a share of ``PICTURE``: a flat-topped hex fills it."""

COLUMNS = 3
NARROW_COLUMNS = 2
"""How many buttons stand abreast; in a narrow window."""

BUTTON = 62
NARROW_BUTTON = 80
"""The least width of a button among ``COLUMNS``, in logical pixels; the most in a narrow window."""

LONG_NAME = 12
"""Names of several words with at least so many letters take several lines."""

MOST_LINES = 3
LONGEST_LINE = 14
NARROW_LINE = 10
"""Of the names on buttons; the last one in a narrow window."""

SEARCH_FROM = 30
MOST_BUTTONS = 120
"""With more entries there is a line to search them by; so many have buttons at once."""

LAST_ROW = 1000
"""Below the rows of the buttons."""

NO_CODE = -1
"""What Qt gives as the code of a button that is in no group any more."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class _Choice(QGroupBox):
    """A group of buttons of which one is checked; ``chosen`` is called with the code of a click.

    Of many entries there are buttons for the first ``MOST_BUTTONS``, and a line to search them by.
    ``searched`` is called when there are other buttons: those that are new have no pictures yet.
    """

    def __init__(
        self,
        title: str,
        entries: list[tuple[int, str, str]],
        chosen: Callable[[int], None],
        columns: int,
        width: int,
        searched: Callable[[], object] | None = None,
    ) -> None:
        """``entries`` are (code, name, tooltip); ``width``: of a row, in logical pixels."""
        super().__init__(title)
        self._entries = entries
        self._columns = columns
        self._width = width
        self._group = QButtonGroup(self)
        self.buttons: list[QToolButton] = []
        """Those that can be seen: of the entries that fit the search, the first ones."""
        self._icons: dict[int, QPixmap] = {}
        self._code = -1
        self._room = QSize()
        self.grid = QGridLayout(self)
        narrow = width < COLUMNS * BUTTON
        self.grid.setSpacing(0 if narrow else 2)
        edge = 0 if narrow else 4
        self.grid.setContentsMargins(edge, 4, edge, 4)
        self.search = described(QLineEdit(), f"Search for a {title.lower()}")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self._more = plain_label(wordWrap=True)
        if len(entries) > SEARCH_FROM and searched is not None:
            self.grid.addWidget(self.search, 0, 0, 1, columns)
            self.grid.addWidget(self._more, LAST_ROW, 0, 1, columns)
            connect(self.search.textChanged, partial(self._search, searched))
        self._fill()
        connect(self._group.idClicked, chosen)

    def _search(self, searched: Callable[[], object], _text: str) -> None:
        self._fill()
        searched()

    def _fill(self) -> None:
        """Make the buttons of the entries that have the searched word in their names."""
        for button in self.buttons:
            self._group.removeButton(button)
            button.deleteLater()
        self.buttons.clear()
        word = self.search.text().casefold()
        matching = [entry for entry in self._entries if word in entry[1].casefold()]
        narrow = self._width < COLUMNS * BUTTON
        longest = NARROW_LINE if narrow else LONGEST_LINE
        for place, (code, name, tip) in enumerate(matching[:MOST_BUTTONS]):
            button = tool_button(in_lines(name, longest), tip, f"{self.title()} {name}")
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setMinimumWidth(self._width // self._columns)
            if narrow:
                button.setMaximumWidth(NARROW_BUTTON)
            self._group.addButton(button, code)
            self.buttons.append(button)
            middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            row, column = divmod(place, self._columns)
            self.grid.addWidget(button, row + 1, column, middle)
            if code in self._icons:
                _show_icon(button, self._icons[code])
        more = len(matching) - len(self.buttons)
        self._more.setText(f"{more:,} more: search for them" if more else "")
        self._more.setVisible(bool(more))
        self.reserve(self._room)
        self.show_code(self._code)

    def button_of(self, code: int) -> QToolButton | None:
        """Return the button of a code, None if there is none."""
        button = self._group.button(code)
        return button if isinstance(button, QToolButton) else None

    def show_code(self, code: int) -> None:
        """Check the button of a code."""
        self._code = code
        button = self._group.button(code)
        if button is not None:
            button.setChecked(True)

    def drawing(self, picture: Callable[[int], QPixmap], *, again: bool = True) -> Iterator[None]:
        """Put a picture above each name; each step of the iterator draws one.

        Not ``again``: only where there is none.
        """
        if again:
            self._icons.clear()
        for button in list(self.buttons):
            code = self._group.id(button)
            if code != NO_CODE and code not in self._icons:
                self._icons[code] = picture(code)
                _show_icon(button, self._icons[code])
                yield

    def reserve(self, size: QSize) -> None:
        """Reserve the room of the pictures, so that nothing moves when they are drawn."""
        self._room = size
        for button in self.buttons:
            lines = button.text().count("\n") + 1
            button.setMinimumHeight(
                size.height() + lines * self.fontMetrics().height() + 10 if size.isValid() else 0
            )


def _show_icon(button: QToolButton, pixmap: QPixmap) -> None:
    button.setIcon(QIcon(pixmap))
    button.setIconSize(pixmap.deviceIndependentSize().toSize())
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)


class Palette(QScrollArea):
    """Buttons for what can be painted; a click also chooses the tool that paints it.

    ``more_asked()``: the terrain set is to get another terrain of the game. ``choose_tool`` is
    called with the name of that tool. There are no pictures before
    ``draw_pictures``, so that the window is shown sooner.
    """

    more_asked = Signal()

    def __init__(
        self, battlemap: BattleMap, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._drawing: Iterator[None] = iter(())
        self._draw_terrain: Callable[[int], QPixmap] | None = None
        self._style: Style | None = None
        """The style of the pictures, None before they are drawn."""
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._draw_next)
        self._battlemap = battlemap
        self._layout = battlemap.grid.layout
        self._options = options
        self._choose_tool = choose_tool
        self._columns = COLUMNS
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._build()
        connect(options.changed, self._show_choice)

    def show_map(self, battlemap: BattleMap, renderer: Renderer) -> None:
        """Offer what this map can be made of, with pictures in its layout."""
        before = self._contents
        self._battlemap = battlemap
        layout = self._layout
        self._layout = battlemap.grid.layout
        if _contents(battlemap) != before:
            self._build()
        elif battlemap.grid.layout == layout:
            return
        self.draw_pictures(renderer)

    def take_up_terrain(self) -> None:
        """Take up the tool that paints terrains."""
        self._choose_tool("terrain")

    def set_narrow(self, narrow: bool, renderer: Renderer) -> None:
        """Take less of the width of a narrow window."""
        columns = NARROW_COLUMNS if narrow else COLUMNS
        if columns != self._columns:
            self._columns = columns
            self._build()
            self.draw_pictures(renderer)

    def _build(self) -> None:
        battlemap = self._battlemap
        columns = self._columns
        width = self._columns * BUTTON
        self._contents = _contents(battlemap)
        options = self._options
        choose_tool = self._choose_tool
        system = battlemap.system
        terrain_set = battlemap.terrain_set
        pictured = style_of(system).features is not None  # else elevations are numbers
        fill = partial(cell_text, layout=battlemap.grid.layout)

        def terrain(code: int) -> None:
            options.choose(terrain=code)
            choose_tool("terrain")

        def elevation(height: int) -> None:
            options.set_elevation(height)
            choose_tool("elevation")

        def hexside(code: int) -> None:
            options.choose(hexside=code)
            choose_tool("hexside")

        def route(number: int) -> None:
            options.choose(route=number)
            choose_tool("route")

        routes = system.routes_of(terrain_set)
        self._routes = _Choice(
            "Route",
            [
                (
                    n,
                    r.name,
                    ". ".join(filter(None, (f"Lay {with_article(r.name.lower())}", _about(r)))),
                )
                for n, r in enumerate(routes)
            ],
            route,
            4 if columns == COLUMNS else columns,
            width,
        )
        self.terrains = _Choice(
            "Terrain",
            [
                (code, t.name, f"{t.name}. {_about(t)}".strip())
                for code in shown_order(terrain_set.terrains)
                for t in (terrain_set.terrains[code],)
            ],
            terrain,
            columns,
            width,
            self._draw_found,
        )
        self._elevations = _Choice(
            "Elevation",
            [
                (
                    e,
                    system.elevation_text(e).capitalize() if pictured else str(e),
                    f"Paint {system.elevation_text(e)} (key {e})",
                )
                for e in terrain_set.elevations
            ],
            elevation,
            min(len(terrain_set.elevations), columns if pictured else 2 * columns),
            width,
        )
        self.hexsides = _Choice(
            fill("{Side}"),
            [
                (0, "Nothing", fill("Take {sides} away")),
                *(
                    (
                        code,
                        h.name,
                        f"{h.name}: belongs to {fill(h.owner)}. {_about(h)}".strip(),
                    )
                    for code, h in enumerate(terrain_set.hexsides, 1)
                ),
            ],
            hexside,
            columns,
            width,
        )
        owner = "Other {cell} owns it (X)" if columns == COLUMNS else "Other {cell} (X)"
        self.flip = QCheckBox(fill(owner))
        self.flip.setToolTip(
            plain_text(
                fill(
                    "A {side} goes to the higher {cell}, a dune to the sand; ticked, to the other "
                    "{cell}."
                )
            )
        )
        connect(self.flip.toggled, lambda on: options.choose(flipped=on))
        self.hexsides.grid.addWidget(self.flip, LAST_ROW, 0, 1, columns)
        room = scale_of_pictures(battlemap.grid.layout)[1]
        self.terrains.reserve(room)
        self._routes.reserve(room)
        if pictured:
            self._elevations.reserve(room)
        self.hexsides.reserve(QSize(PICTURE, round(PICTURE * 0.5)))

        inner = QWidget()
        column = QVBoxLayout(inner)
        edge = 6 if columns == COLUMNS else 0
        column.setContentsMargins(edge, 6, edge, 6)
        for spec, box in (
            (system.terrain, self.terrains),
            (system.elevation, self._elevations),
            (system.hexside, self.hexsides),
        ):
            column.addWidget(box)
            box.setVisible(spec is not None)
        column.insertWidget(2, self._routes)
        if system.offers(System.terrain_named):
            noun = system.terrain_noun
            self.more = described(
                QPushButton(f"&More {noun}s..."), tip=f"Add any {noun} of the game to this map"
            )
            connect(self.more.clicked, self.more_asked)
            column.insertWidget(0, self.more)
        self._routes.setVisible(bool(routes))
        column.addStretch(1)
        self.setAccessibleName("Palette")
        self.setWidget(inner)
        self.setMinimumWidth(inner.sizeHint().width() + 14)
        self._show_choice()

    def _show_choice(self) -> None:
        self.terrains.show_code(self._options.terrain)
        self._elevations.show_code(self._options.elevation)
        self.hexsides.show_code(self._options.hexside)
        self._routes.show_code(self._options.route)
        self.flip.setChecked(self._options.flipped)

    def draw_in_style(self, renderer: Renderer) -> None:
        """Draw the pictures again if maps are drawn in another style than they were drawn in."""
        system = self._battlemap.system
        style = drawn_style(system, renderer.overlays, renderer.theme)
        if self._style is not None and style is not self._style:
            self.draw_pictures(renderer)

    def draw_pictures(self, renderer: Renderer) -> None:
        """Draw the pictures of all buttons, one in each turn of the event loop."""
        battlemap = self._battlemap
        self._style = drawn_style(battlemap.system, renderer.overlays, renderer.theme)
        sprites = Sprites(
            battlemap.grid.layout,
            battlemap.terrain_set,
            renderer.pictures,
            renderer.theme,
            scale_of_pictures(battlemap.grid.layout)[0],
            max(self.devicePixelRatioF(), 2.0),
            style=self._style,
        )
        routes = battlemap.system.routes_of(battlemap.terrain_set)
        pictured = sprites.pieces.features is not None
        self._draw_terrain = lambda code: sprites.cell(code, 0)
        self._drawing = chain(
            self.terrains.drawing(self._draw_terrain),
            self._elevations.drawing(lambda height: sprites.cell(0, height)) if pictured else (),
            self._routes.drawing(lambda number: sprites.route(routes[number])),
            self.hexsides.drawing(lambda code: hexside_picture(sprites, code, PICTURE)),
        )
        self._timer.start(0)

    def _draw_found(self) -> None:
        """Draw the pictures of terrains that were searched for, behind those that wait."""
        if self._draw_terrain is not None:
            self._drawing = chain(
                self._drawing, self.terrains.drawing(self._draw_terrain, again=False)
            )
            self._timer.start(0)

    @property
    def drawn(self) -> bool:
        """Whether no picture of a button is still to be drawn."""
        return not self._timer.isActive()

    def _draw_next(self) -> None:
        if next(self._drawing, self) is self:
            self._timer.stop()


def _about(kind: Terrain | Hexside | RouteSpec) -> str:
    """What a tooltip says of a terrain or hexside besides its name."""
    if kind.missing:
        return f"No longer in the terrain set; the map still shows it. {kind.description}"
    return kind.description


def _contents(battlemap: BattleMap) -> tuple[object, ...]:
    """What the buttons depend on, and the words on them."""
    system = battlemap.system
    return battlemap.terrain_set, system.shown_planes, battlemap.grid.degree


def scale_of_pictures(layout: Layout) -> tuple[float, QSize]:
    """Return the scale (logical pixels per map unit) and the size of pictures of cells."""
    width, height = (max(along) - min(along) for along in zip(*layout.corners, strict=True))
    scale = PICTURE * SHARE / math.sqrt(width * height)
    return scale, QSize(round(scale * width), round(scale * height))


def in_lines(name: str, longest: int) -> str:
    """A name as the text of a button, in one to three lines; what has no room is left out.

    No line has more than ``longest`` letters.

    Underscores of a name without spaces are shown as spaces.
    """
    words = (name if " " in name else name.replace("_", " ")).split(" ")
    if len(name) < min(LONG_NAME, longest + 1):
        return " ".join(words)
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < min(LONG_NAME, longest):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [f"{lines[MOST_LINES - 1]} {ELLIPSIS}"]
    return "\n".join(
        line if len(line) <= longest else line[: longest - 1] + ELLIPSIS for line in lines
    )

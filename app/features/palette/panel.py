"""The palette: buttons for the terrain, elevation, hexside and route that the tools paint.

A ``Palette`` has a *group* of buttons for each of these (groups.py). The name of a group, such as
"terrain", is that of the tool that paints with it, and of the field of ``ToolOptions`` that holds
the choice. A click on a button chooses its value and takes up the tool.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QStyle, QVBoxLayout, QWidget

from app.features.palette.button_pictures import ButtonPictures
from app.features.palette.groups import (
    EDGES,
    ELEVATION,
    GROUP_OF_ROLE,
    HEXSIDE,
    TERRAIN,
    contents_of,
    make_groups,
)
from app.features.palette.swatches import BARE_BUTTON, Swatches
from app.qt_guard import connect, guarded, later
from app.render.renderer import Renderer
from app.tools import Tool, ToolOptions
from app.widgets.layout.builders import described, plain_text
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System

ROOMY_WIDTH = 200
"""A palette that is narrower has no margins and short texts, in logical pixels."""

MARGIN = 6
"""The margin around the groups of a roomy palette, in logical pixels."""


class ScrolledChoice(NamedTuple):
    """The scrolling that brought a chosen button into view."""

    group: str
    """The name of its group."""

    bar_value: int
    """The value of the scroll bar then: another value means that the user has scrolled since."""


class Palette(QScrollArea):
    """Buttons for all values that can be painted; a click also takes up the tool that paints one.

    One of all the buttons looks chosen: that of the value which the current tool paints, else of
    the one painted last. ``choose_tool`` is called with the name of a tool to take it up. There are
    no pictures before ``draw_pictures``, so that the window is shown sooner.
    """

    more_requested = Signal()
    """The user wants to add a terrain of the game to the terrain set."""

    def __init__(
        self, battlemap: BattleMap, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._battlemap = battlemap
        self._layout = battlemap.grid.layout
        """The layout for which the pictures were drawn; the map may have got another one."""
        self._options = options
        self._choose_tool = choose_tool
        self._painted_group = TERRAIN
        """The name of the group that is painted with."""
        self._scrolled_choice: ScrolledChoice | None = None
        """The last scrolling to a choice, None before the first."""
        self._pictures = ButtonPictures(self)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Palette")
        self.setMinimumWidth(2 * BARE_BUTTON.min_width + self._bar_width)
        self._build()
        connect(options.changed, self._follow_options)
        connect(self.verticalScrollBar().rangeChanged, self._on_range_changed)

    @property
    def terrains(self) -> Swatches:
        """The buttons of the terrains."""
        return self._groups[TERRAIN].swatches

    @property
    def hexsides(self) -> Swatches:
        """The buttons of the hexsides."""
        return self._groups[HEXSIDE].swatches

    @property
    def edges(self) -> Swatches:
        """The buttons of the colours of Wang sets."""
        return self._groups[EDGES].swatches

    # --- the map ----------------------------------------------------------------------------

    def show_map(self, battlemap: BattleMap, renderer: Renderer) -> None:
        """Make buttons for another map, or draw their pictures again, as far as that is needed."""
        # The words for cells (hex, square) go with their number of sides, which is among the
        # contents; another layout of as many sides only changes the shapes in the pictures.
        needs_buttons = contents_of(battlemap) != self._contents
        needs_pictures = needs_buttons or battlemap.grid.layout != self._layout
        self._battlemap = battlemap
        self._layout = battlemap.grid.layout
        if needs_buttons:
            self._build()
        if needs_pictures:
            self.draw_pictures(renderer)

    def draw_pictures(self, renderer: Renderer) -> None:
        """Draw the pictures of all buttons, one in each turn of the event loop."""
        self._pictures.start_drawing_all(self._battlemap, renderer, self._groups.values())

    def draw_in_style(self, renderer: Renderer) -> None:
        """Draw the pictures again if maps are drawn in another style than they were drawn in."""
        if self._pictures.has_other_style(self._battlemap, renderer):
            self.draw_pictures(renderer)

    @property
    def is_fully_drawn(self) -> bool:
        """True if no picture of a button is still to be drawn."""
        return not self._pictures.is_drawing

    # --- construction -----------------------------------------------------------------------

    def _build(self) -> None:
        """Make all buttons for the map, in place of those for the map before.

        They are laid out before they are fitted to the width and show the choice.
        """
        self._contents = contents_of(self._battlemap)
        """What the buttons were made for."""
        self._groups = make_groups(self._battlemap)
        """The groups by their names."""
        for name, group in self._groups.items():
            connect(group.swatches.clicked_code, partial(self._choose, name))
            connect(group.swatches.searched, self._pictures.start_drawing_missing)
            if group.picture_size is not None:
                group.swatches.reserve(group.picture_size)
        self.flip_box = self._make_flip_box()
        self.hexsides.foot.append(self.flip_box)
        self.more_button = self._make_more_button()
        self._lay_out()
        self._fit()
        self._show_choice()

    def _make_flip_box(self) -> QCheckBox:
        """Return the box below the hexsides: if ticked they go to the other one of two cells."""
        flip = QCheckBox()
        tip = "A {side} goes to the higher {cell}, a dune to the sand; ticked, to the other {cell}."
        flip.setToolTip(plain_text(self._about_cells(tip)))
        connect(flip.toggled, self._choose_flipped)
        return flip

    def _choose_flipped(self, flipped: bool) -> None:
        self._options.choose(flipped=flipped)

    def _make_more_button(self) -> QPushButton:
        """Return the button that adds a terrain of the game, hidden where games have no others."""
        system = self._battlemap.system
        more = described(
            QPushButton(), tip=f"Add any {system.terrain_noun} of the game to this map"
        )
        connect(more.clicked, self.more_requested)
        # Not ``setVisible(True)``: without a parent the button would be a window of its own, which
        # takes the keyboard.
        if not system.offers(System.terrain_named):
            more.hide()
        return more

    def _lay_out(self) -> None:
        """Put the groups below one another; those of values that the map cannot have are hidden."""
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.addWidget(self.more_button)
        for group in self._groups.values():
            self._column.addWidget(group.swatches)
            group.swatches.setVisible(group.is_offered)
        self._column.addStretch(1)
        self.setWidget(inner)  # which deletes the widget before, with its buttons

    def _about_cells(self, text: str) -> str:
        """Return a text with the words for the cells of the map, such as hex or square."""
        return cell_text(text, self._battlemap.grid.layout)

    # --- the width --------------------------------------------------------------------------

    @property
    def _bar_width(self) -> int:
        """The width of the scroll bar, in logical pixels; its room is kept free."""
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many columns as the width holds."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Choose margins, texts and columns for the width of the palette."""
        if self.width() >= ROOMY_WIDTH:
            margin = MARGIN
            self.more_button.setText(f"&More {self._battlemap.system.terrain_noun}s...")
            self.flip_box.setText(self._about_cells("Other {cell} owns it (X)"))
        else:
            margin = 0
            self.more_button.setText("&More...")
            self.flip_box.setText("Other (X)")
        self._column.setContentsMargins(margin, MARGIN, margin, MARGIN)
        for group in self._groups.values():
            group.swatches.fit(self.width() - self._bar_width - 2 * margin)

    # --- the choice -------------------------------------------------------------------------

    def show_tool(self, tool: Tool) -> None:
        """Show the value that this tool paints as the chosen one, and scroll to it.

        For a tool without a group the chosen button stays.
        """
        group_name = _group_of_tool(tool)
        group = self._groups.get(group_name)
        if group is not None and group.is_offered:
            self._painted_group = group_name
        self._show_choice()
        if group is not None:
            if group.swatches.height() <= self.viewport().height():
                # The whole group first, so that all that it offers is seen around the choice.
                self.ensureWidgetVisible(group.swatches, 0, 0)
            self._scroll_to_choice(group_name)

    def use_terrain_tool(self) -> None:
        """Choose the tool that paints terrains."""
        self._choose_tool(TERRAIN)

    def _choose(self, group_name: str, code: int) -> None:
        """Choose the value ``code`` of a group, and the tool that paints it."""
        self._painted_group = group_name
        if group_name == ELEVATION:
            self._options.set_elevation(code)
        else:
            self._options.choose(**{group_name: code})
        self._choose_tool(group_name)
        self._show_choice()

    def _follow_options(self) -> None:
        """Show a value that was chosen elsewhere: by a command, or by the eyedropper."""
        swatches = self._groups[self._painted_group].swatches
        previous_code = swatches.chosen_code
        self._show_choice()
        if swatches.chosen_code != previous_code:
            self._scroll_to_choice(self._painted_group)

    def _show_choice(self) -> None:
        """Show the painted value as the chosen one of its group, and none in other groups."""
        for name, group in self._groups.items():
            if name == self._painted_group:
                group.swatches.show_code(self._chosen_code(name))
            else:
                group.swatches.show_code(None)
        self.flip_box.setChecked(self._options.flipped)

    def _chosen_code(self, group_name: str) -> int:
        """Return the code of the value that is chosen in the options for a group."""
        code: int = getattr(self._options, group_name)
        return code

    # --- scrolling to the choice ------------------------------------------------------------

    def _scroll_to_choice(self, group_name: str) -> None:
        """Scroll as little as brings the chosen button of a group into view."""
        button = self._groups[group_name].swatches.button_of(self._chosen_code(group_name))
        if button is not None and button.isVisible():
            self.ensureWidgetVisible(button, 0, button.fontMetrics().height())
            bar_value = self.verticalScrollBar().value()
            self._scrolled_choice = ScrolledChoice(group_name, bar_value)

    def _on_range_changed(self, _least: int, _most: int) -> None:
        """Scroll to the choice again as soon as the buttons have their new positions.

        They move, for instance, when the buttons above get pictures, and with these their heights.
        """
        later(self, self._scroll_again)

    def _scroll_again(self) -> None:
        """Scroll to the choice again, unless the user has scrolled since."""
        last = self._scrolled_choice
        if last is not None and last.bar_value == self.verticalScrollBar().value():
            self._scroll_to_choice(last.group)


def _group_of_tool(tool: Tool) -> str:
    """Return the name of the group of the values that a tool paints, if it has such a group."""
    if tool.changes_planes and tool.needs is not None:
        return GROUP_OF_ROLE[tool.needs]
    return tool.name

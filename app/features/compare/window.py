"""The window that compares two maps: side by side, with a list of their differences.

The map on the left is *ours*, usually the current map; the one on the right, *theirs*, is another
open map or one from a file. A job compares copies of both whenever one was edited (``compare``).

Two things can be done here, whose buttons are *Take over* and *Take*:

- A difference that is chosen in the list can be *taken over*, or all of them: the edit that makes
  ours show there what theirs shows goes into the *target*, which is ours if it is an open map. In
  the code that is ``copy_difference`` and ``copy_all``.
- A map that is no open map, such as a candidate of the gallery, can be *taken*: the window closes,
  and the map becomes the rolled layer (``ComparedMap.use_map``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.document.open_map import OpenMap
from app.features.compare.canvas import CompareCanvas
from app.features.compare.compared_maps import ComparedMap, ListedDifferences, list_differences
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.widgets.layout.builders import described, plain_label, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.comparison.comparison import Comparison
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.comparison.difference_groups import DifferenceGroup

COMPARE_DELAY_MS = 150
"""The milliseconds from an edit until the maps are compared again."""

MAX_MARKED_PART = 0.5
"""The marks are shown at first if less than this part of the cells differs.

Where nearly all cells differ, the marks would hide the maps.
"""

WINDOW_SIZE = QSize(980, 720)
"""The size of the window at first, in logical pixels: two maps beside each other fit into it."""

MAX_LIST_HEIGHT = 200
"""The greatest height of the list of differences, in logical pixels: the maps get the rest."""


class CompareWindow(QDialog):
    """Compares two maps. It deletes itself when it is closed."""

    def __init__(
        self,
        document: MapDocument,
        ours: ComparedMap,
        theirs: ComparedMap,
        renderer: Renderer,
        parent: QWidget | None = None,
        *,
        target: OpenMap | None = None,
    ) -> None:
        """Compare two maps with the theme of ``renderer`` and the overlays that each map has.

        ``target`` is the open map into which differences are taken over; None if they cannot be.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._document = document
        self._ours = ours
        self._theirs = theirs
        self._target = target
        self._listed: ListedDifferences | None = None
        """The last comparison; None before the first one, and if the maps cannot be compared."""
        self._comparing = LatestJob(self)
        """Compares the maps."""
        self._copying = LatestJob(self)
        """Computes what is taken over; dropped when the maps are compared again."""
        self._timer = QTimer(self, singleShot=True, interval=COMPARE_DELAY_MS)
        """Runs from an edit until the maps are compared again."""

        self.setWindowTitle(f"Compare {ours.name} with {theirs.name}")
        self.left = _canvas(renderer, ours)
        self.right = _canvas(renderer, theirs)
        self._make_list(f"Differences: {ours.name} | {theirs.name}")
        self._make_buttons()
        self.take_ours_button = self._button_of_map(ours)
        self.take_theirs_button = self._button_of_map(theirs)
        if theirs.use_map is not None:
            # Where their map can be the rolled layer, nobody wants the same as painted cells, which
            # the next roll would not replace.
            self.take_all_button.hide()
        self._lay_out()
        self._connect()
        self.compare()

    @property
    def comparison(self) -> Comparison | None:
        """The differences; None before the first comparison, and if there can be none."""
        if self._listed is None:
            return None
        return self._listed.comparison

    @property
    def _groups(self) -> Sequence[DifferenceGroup]:
        """The groups of differences in the list, row by row."""
        if self._listed is None:
            return ()
        return self._listed.groups

    def _connect(self) -> None:
        """Follow the views of both canvases, edits of the maps, and the timer."""
        for leader, follower in ((self.left, self.right), (self.right, self.left)):
            connect(leader.viewport_changed, partial(self._follow, leader, follower))
            connect(leader.input.escaped, self.close)
        connect(self._comparing.busy_changed, self._on_busy_changed)
        connect(self._copying.busy_changed, self._on_busy_changed)
        connect(self._timer.timeout, self.compare)
        connect(self._document.changed, self._on_changed)
        connect(self._document.maps_changed, self._on_maps_changed)
        connect(self._document.work_refused, self._show_message)

    # --- the widgets ------------------------------------------------------------------------

    def _make_list(self, name: str) -> None:
        """Make the list of differences, the message above it, and the box that hides the marks."""
        self.message = plain_label("Comparing ...", wordWrap=True)
        self.marks = described(QCheckBox("&Mark the differences"), tip="Else the maps alone")
        self.marks.setChecked(True)
        for canvas in (self.left, self.right):
            connect(self.marks.toggled, canvas.set_marks_visible)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setToolTip("Choose a difference to see it in both maps, Enter takes it over")
        self.list.setMaximumHeight(MAX_LIST_HEIGHT)
        self.list.setUniformItemSizes(True)
        connect(self.list.currentRowChanged, self._show_difference)
        connect(self.list.itemActivated, lambda _item: self.copy_difference())

    def _make_buttons(self) -> None:
        """Make the buttons and the key for Undo.

        Without a target the buttons that take over are hidden.
        """
        self.previous_button = self._button("&Previous", "Shift+F7", partial(self.go, -1))
        self.next_button = self._button("&Next", "F7", partial(self.go, 1))
        self.take_button = self._button("&Take over", "F8", self.copy_difference)
        self.take_button.setToolTip("Make this map show here what the other one shows (F8)")
        self.take_all_button = self._button("Take &all over", "", self.copy_all)
        self.take_all_button.setToolTip("Make this map show everything that the other one shows")
        self.close_button = self._button("Close", "", self.close)
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self)
        connect(undo.activated, self._undo)
        if self._target is None:
            self.take_button.hide()
            self.take_all_button.hide()
        self._update_buttons()

    def _button(self, text: str, keys: str, action: Callable[[], object]) -> QPushButton:
        """Return a button that calls ``action``; ``keys`` press it too ("" for no keys)."""
        button = QPushButton(text)
        # Enter in the list takes a difference over: it must not press a button instead.
        button.setAutoDefault(False)
        connect(button.clicked, lambda _checked=False: action())
        if keys:
            button.setToolTip(plain_text(f"{text.replace('&', '')} difference ({keys})"))
            connect(QShortcut(QKeySequence(keys), self).activated, button.click)
        return button

    def _button_of_map(self, compared_map: ComparedMap) -> QPushButton:
        """Return the button that closes the window and takes a map; hidden without such a map."""
        button = QPushButton("Take")
        button.setAutoDefault(False)
        tip = "Close this window, and show this map as the rolled layer"
        described(button, f"Take {compared_map.name}", tip)
        if self._theirs.use_map is not None:
            # A hidden button keeps its place: both maps then begin at the same height also if
            # only one of them has a button.
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
        use_map = compared_map.use_map
        if use_map is None:
            button.hide()
            return button

        def close_and_use() -> None:
            self.close()
            use_map()

        connect(button.clicked, close_and_use)
        return button

    def _lay_out(self) -> None:
        """Put the maps side by side with titles above them, the list below, then the buttons."""
        maps = QHBoxLayout()
        left_column = _column_of_map(self._ours.title, self.take_ours_button, self.left)
        right_column = _column_of_map(self._theirs.title, self.take_theirs_button, self.right)
        maps.addLayout(left_column, 1)
        maps.addLayout(right_column, 1)
        message_row = QHBoxLayout()
        message_row.addWidget(self.message, 1)
        message_row.addWidget(self.marks)
        buttons = QHBoxLayout()
        for button in (self.previous_button, self.next_button, self.take_button):
            buttons.addWidget(button)
        buttons.addWidget(self.take_all_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        middle = ((maps, 1), message_row, self.list)
        lay_out_dialog(self, *middle, foot=(buttons,), size=WINDOW_SIZE)

    # --- comparing --------------------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Draw what an edit changed on one of both maps, and compare them again soon."""
        edited_map = self._document.current_map
        if edited_map is self._ours.map:
            canvas = self.left
        elif edited_map is self._theirs.map:
            canvas = self.right
        else:
            return
        canvas.map_changed(edited_map.live_composite(), region)
        self._timer.start()

    def _on_maps_changed(self) -> None:
        """Close the window if the target is no longer open."""
        if self._target is not None and self._target not in self._document.maps:
            self.close()

    @property
    def busy(self) -> bool:
        """True if the maps are being compared, or will be in a moment."""
        return self._comparing.busy or self._timer.isActive()

    def compare(self) -> None:
        """Compare copies of both maps on another thread; during a stroke wait for its end."""
        if self._document.in_stroke:
            self._timer.start()
            return
        work = partial(list_differences, self._ours.shown_copy(), self._theirs.shown_copy())
        self._copying.cancel()
        self._comparing.run(work, self._show_comparison, self._show_refusal)

    def _show_comparison(self, listed: ListedDifferences) -> None:
        """Show a comparison, and the text of each difference; the current row stays."""
        is_first = self._listed is None
        self._listed = listed
        if is_first:
            cell_count = len(self._ours.battlemap.grid.cells)
            self.marks.setChecked(len(listed.comparison.cells) < MAX_MARKED_PART * cell_count)
        row = max(0, self.list.currentRow())
        self.list.clear()
        self.list.addItems(listed.texts)
        self.list.setCurrentRow(min(row, len(listed.texts) - 1))
        self.message.setText(listed.summary)
        for canvas in (self.left, self.right):
            canvas.show_differences(listed.comparison)
        self._update_buttons()

    def _show_refusal(self, problems: Sequence[Problem]) -> None:
        """Show why the maps cannot be compared."""
        self._listed = None
        self.list.clear()
        text = problems[0].message
        self._show_message(f"{text[:1].upper()}{text[1:]}.")
        for canvas in (self.left, self.right):
            canvas.show_differences(None)
        self._update_buttons()

    def _show_message(self, text: str) -> None:
        """Show a message above the list, such as why a difference cannot be taken over."""
        self.message.setText(text)

    def _on_busy_changed(self, _is_busy: bool) -> None:
        """Enable or disable the buttons when a job begins or ends."""
        self._update_buttons()

    def _update_buttons(self) -> None:
        """Enable the buttons for which there is something to do, and no job is under way."""
        for button in (self.previous_button, self.next_button):
            button.setEnabled(len(self._groups) > 1)
        has_job = self._comparing.busy or self._copying.busy
        can_take_over = bool(self._groups) and not has_job and self._target is not None
        for button in (self.take_button, self.take_all_button):
            button.setEnabled(can_take_over)

    # --- looking at the differences ---------------------------------------------------------

    def _follow(self, leader: CompareCanvas, follower: CompareCanvas) -> None:
        """Let ``follower`` show the part of its map that ``leader`` shows of the other map."""
        leader_grid = leader.document.battlemap.grid
        follower_grid = follower.document.battlemap.grid
        same_shape = (
            leader_grid.layout == follower_grid.layout
            and leader_grid.width == follower_grid.width
            and leader_grid.height == follower_grid.height
        )
        # On grids of different shapes the same position is not the same cell: the canvases then
        # move alone. A canvas that has just followed does not lead the other one in its turn.
        if same_shape and follower.viewport != leader.viewport:
            follower.follow(leader.viewport, fitted=leader.fitted)

    def go(self, steps: int) -> None:
        """Choose the next difference (1) or the one before (-1); after the last comes the first."""
        if self._groups:
            self.list.setCurrentRow((self.list.currentRow() + steps) % len(self._groups))

    def _show_difference(self, row: int) -> None:
        """Ring the cell or side of a difference on both maps, if it has one.

        Of a group of cells that in its middle is ringed, and all of them are outlined.
        """
        for canvas in (self.left, self.right):
            canvas.outline_cells(())
        if self.comparison is None or not 0 <= row < len(self._groups):
            return
        group = self._groups[row]
        cell, side = self.comparison.position(group.middle)
        for canvas in (self.left, self.right):
            if len(group.indices) > 1:
                canvas.outline_cells(group.indices)
            if cell is not None:
                canvas.overlays.show_place(cell, side)

    # --- taking over ------------------------------------------------------------------------

    def copy_difference(self) -> None:
        """Take over the chosen differences, those of one line, as one undo step."""
        row = self.list.currentRow()
        target = self._target
        if self.comparison is None or target is None or self.busy or self._copying.busy:
            return
        if not 0 <= row < len(self._groups):
            return
        group = self._groups[row]
        chosen = self.comparison.part(group.kind, group.indices)
        try:
            edit = take_over(chosen, target.battlemap, target.active_layer_id)
        except ProblemError as reason:
            self._show_message(reason.problems[0].message)
            return
        name = self.list.item(row).text().partition(":")[0]
        self._push(target, edit, f"Take over {name}")

    async def copy_all(self) -> None:
        """Take over all differences, as one undo step that is computed on another thread.

        If the map is edited meanwhile, the step does not fit it any more, and is dropped. The
        button runs this coroutine (``connect``).
        """
        comparison = self.comparison
        target = self._target
        if comparison is None or target is None or self.busy or self._copying.busy:
            return
        history_index = target.history.index
        battlemap = target.battlemap.snapshot()  # the map itself can be edited meanwhile
        layer_id = target.active_layer_id

        def work(_progress: object, _cancelled: object) -> Edit | None:
            return take_over(comparison, battlemap, layer_id)

        try:
            edit = await self._copying.result(work)
        except ProblemError as reason:
            self._show_message(reason.problems[0].message)
            return
        if history_index != target.history.index or self._document.in_stroke:
            self._show_message("The map was changed meanwhile: please try again.")
            self._timer.start()
        else:
            self._push(target, edit, "Take over all differences")

    def _push(self, target: OpenMap, edit: Edit | None, text: str) -> None:
        """Apply an edit that takes differences over, as one undo step of the target.

        None: a locked layer prevents it, and nothing is changed but the message.
        """
        self._document.make_current(target)
        if edit is None:
            self._show_message("A locked layer sets this here: unlock it to take this over.")
        else:
            self._document.push(edit, text)

    def _undo(self) -> None:
        """Undo the last step of the target."""
        if self._target is not None:
            self._document.make_current(self._target)
            self._document.undo()


def _column_of_map(title: str, take_button: QPushButton, canvas: CompareCanvas) -> QVBoxLayout:
    """Return a map with its title and its button above it."""
    head = QHBoxLayout()
    label = described(ElidedLabel(title, mode=Qt.TextElideMode.ElideMiddle), tip=title)
    head.addWidget(label, 1)
    head.addWidget(take_button)
    column = QVBoxLayout()
    column.addLayout(head)
    column.addWidget(canvas, 1)
    return column


def _canvas(window_renderer: Renderer, compared_map: ComparedMap) -> CompareCanvas:
    """Return a canvas for a map, with a renderer of its own: the maps can need other overlays."""
    battlemap = compared_map.battlemap
    renderer = Renderer(window_renderer.theme, window_renderer.pictures)
    renderer.overlays = window_renderer.choices.of(battlemap.system, battlemap.terrain_set)
    return CompareCanvas(battlemap, renderer, compared_map.title)

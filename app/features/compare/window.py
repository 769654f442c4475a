"""Two maps side by side, with a list of their differences, which can be taken over."""

from __future__ import annotations

from collections.abc import Sequence
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
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.widgets.layout.builders import described, plain_label, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.comparison import Comparison, Difference, ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.document import MapDocument

WAIT_MS = 150
"""How long after an edit the maps are compared again."""


class CompareWindow(QDialog):
    """Compares the current map with ``theirs``: another open map, or one read from a file.

    Theme and pictures are those of ``renderer``, overlays those that it has for each map. ``ours``
    is a map, with its name, to compare in place of the current map; then nothing can be taken over.
    """

    def __init__(
        self,
        document: MapDocument,
        theirs: OpenMap | BattleMap,
        name: str,
        renderer: Renderer,
        parent: QWidget | None = None,
        *,
        ours: tuple[BattleMap, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        current = document.current_map
        self._document = document
        self._target = current if ours is None else None
        self._ours: OpenMap | BattleMap = current if ours is None else ours[0]
        self._theirs = theirs
        self.comparison: Comparison | None = None
        self._listed: list[Difference] = []
        self._job = LatestJob(self)
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        connect(self._timer.timeout, self.compare)
        if ours is None:
            left_name = document.name_of(current)
        else:
            left_name = ours[1]
        self.setWindowTitle(f"Compare {left_name} with {name}")
        self.left = self._canvas(renderer, _map_of(self._ours), "This map")
        self.right = self._canvas(renderer, _map_of(theirs), "The other map")
        self._lay_out(f"Here: {left_name}", f"There: {name}")
        for canvas, other_canvas in ((self.left, self.right), (self.right, self.left)):
            connect(canvas.viewport_changed, partial(self._follow, canvas, other_canvas))
            connect(canvas.input.escaped, self.close)
        connect(document.changed, self._on_changed)
        connect(document.maps_changed, self._on_maps_changed)
        connect(document.work_refused, self._say)
        self.compare()

    def _canvas(self, like: Renderer, battlemap: BattleMap, name: str) -> CompareCanvas:
        renderer = Renderer(like.theme, like.pictures)
        renderer.overlays = like.choices.of(battlemap.system, battlemap.terrain_set)
        return CompareCanvas(battlemap, renderer, name)

    def _lay_out(self, left_name: str, right: str) -> None:
        maps = QHBoxLayout()
        for text, canvas in ((left_name, self.left), (right, self.right)):
            side = QVBoxLayout()
            label = described(ElidedLabel(text, mode=Qt.TextElideMode.ElideMiddle), tip=text)
            side.addWidget(label)
            side.addWidget(canvas, 1)
            maps.addLayout(side, 1)
        self.message = plain_label("Comparing ...", wordWrap=True)
        self.marks = described(QCheckBox("&Mark the differences"), tip="Else the maps alone")
        self.marks.setChecked(True)
        for canvas in (self.left, self.right):
            connect(self.marks.toggled, canvas.show_marks)
        self.list = QListWidget()
        self.list.setAccessibleName("Differences: here | there")
        self.list.setToolTip("Choose a difference to see it in both maps, Enter takes it over")
        self.list.setMaximumHeight(200)
        self.list.setUniformItemSizes(True)
        connect(self.list.currentRowChanged, self._show_difference)
        connect(self.list.itemActivated, lambda _item: self.take_one())
        self.previous_button = self._button("&Previous", "Shift+F7", partial(self.go, -1))
        self.next_button = self._button("&Next", "F7", partial(self.go, 1))
        self.take_button = self._button("&Take over", "F8", self.take_one)
        self.take_button.setToolTip("Make this map show here what the other one shows (F8)")
        self.take_all_button = self._button("Take &all over", "", self.take_all)
        self.take_all_button.setToolTip("Make this map show everything that the other one shows")
        close = self._button("Close", "", self.close)
        undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self)
        connect(undo.activated, self._undo)
        buttons = QHBoxLayout()
        for button in (self.previous_button, self.next_button, self.take_button):
            buttons.addWidget(button)
        buttons.addWidget(self.take_all_button)
        buttons.addStretch(1)
        buttons.addWidget(close)
        message_row = QHBoxLayout()
        message_row.addWidget(self.message, 1)
        message_row.addWidget(self.marks)
        middle = ((maps, 1), message_row, self.list)
        lay_out_dialog(self, *middle, foot=(buttons,), size=QSize(980, 720))
        for button in (self.take_button, self.take_all_button):
            button.setVisible(self._target is not None)
        self._enable(busy=True)

    def _button(self, text: str, keys: str, do) -> QPushButton:  # type: ignore[no-untyped-def]
        button = QPushButton(text)
        button.setAutoDefault(False)
        connect(button.clicked, lambda _checked=False: do())
        if keys:
            button.setToolTip(plain_text(f"{text.replace('&', '')} difference ({keys})"))
            connect(QShortcut(QKeySequence(keys), self).activated, button.click)
        return button

    # --- comparing --------------------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        current = self._document.current_map
        if current in (self._ours, self._theirs):
            canvas = self.left if current is self._ours else self.right
            canvas.map_changed(self._document.composite_of(current), region)
            self._timer.start()

    def _on_maps_changed(self) -> None:
        if self._target is not None and self._target not in self._document.maps:
            self.close()

    @property
    def busy(self) -> bool:
        """True if the maps are being compared, or will be in a moment."""
        return self._job.busy or self._timer.isActive()

    def compare(self) -> None:
        """Compare copies of both maps off the UI thread."""
        if self._document.in_stroke:
            self._timer.start()
            return
        ours = self._shown_map(self._ours)
        theirs = self._shown_map(self._theirs)

        def work(_progress: object, _cancelled: object) -> tuple[Comparison, list[str]]:
            comparison = compare(ours, theirs)
            # Cached properties that the canvases need: computed here, off the UI thread.
            comparison.cells, comparison.sides  # noqa: B018
            return comparison, [
                difference_text(comparison, difference) for difference in comparison.listed()
            ]

        self._job.run(work, self._show, self._refuse)

    def _shown_map(self, which: OpenMap | BattleMap) -> ShownMap:
        if isinstance(which, OpenMap):
            return ShownMap.of(which.battlemap, self._document.composite_of(which))
        return ShownMap.of(which)

    def _show(self, result: tuple[Comparison, list[str]]) -> None:
        self.comparison, texts = result
        self._listed = self.comparison.listed()
        row = max(0, self.list.currentRow())
        self.list.clear()
        self.list.addItems(texts)
        self.list.setCurrentRow(min(row, len(texts) - 1))
        count = self.comparison.count
        text = counted(count, "difference")
        if not count:
            text = "Both maps show the same."
        elif count > len(texts):
            text += f", the first {len(texts):,} are listed"
        self.message.setText(text)
        for canvas in (self.left, self.right):
            canvas.show_differences(self.comparison)
        self._enable(busy=False)

    def _refuse(self, problems: Sequence[Problem]) -> None:
        self.comparison = None
        self._listed = []
        self.list.clear()
        text = problems[0].message
        self._say(f"{text[:1].upper()}{text[1:]}.")
        for canvas in (self.left, self.right):
            canvas.show_differences(None)
        self._enable(busy=False)

    def _say(self, text: str) -> None:
        self.message.setText(text)

    def _enable(self, *, busy: bool) -> None:
        for button in (self.previous_button, self.next_button):
            button.setEnabled(len(self._listed) > 1)
        for button in (self.take_button, self.take_all_button):
            button.setEnabled(bool(self._listed) and not busy and self._target is not None)

    # --- going about ------------------------------------------------------------------------

    def _follow(self, leader: CompareCanvas, follower: CompareCanvas) -> None:
        leader_grid, other_grid = (canvas.document.battlemap.grid for canvas in (leader, follower))
        same_shape = (leader_grid.layout, leader_grid.width, leader_grid.height) == (
            other_grid.layout,
            other_grid.width,
            other_grid.height,
        )
        # Where the grids differ no place of one map is found at the same place of the other.
        if same_shape and follower.viewport != leader.viewport:
            follower.follow(leader.viewport, fitted=leader.fitted)

    def go(self, steps: int) -> None:
        """Choose the next difference (1) or the one before (-1), around the end."""
        if self._listed:
            self.list.setCurrentRow((self.list.currentRow() + steps) % len(self._listed))

    def _show_difference(self, row: int) -> None:
        if self.comparison is None or not 0 <= row < len(self._listed):
            return
        cell, side = self.comparison.position(self._listed[row])
        if cell is not None:
            for canvas in (self.left, self.right):
                canvas.overlays.show_place(cell, side)

    # --- taking over ------------------------------------------------------------------------

    def take_one(self) -> None:
        """Take over the chosen difference, as one undo step."""
        row = self.list.currentRow()
        ours = self._target
        if self.comparison is None or self._job.busy or not 0 <= row < len(self._listed):
            return
        if ours is None:
            return
        difference = self._listed[row]
        try:
            edit = take_over(self.comparison, ours.battlemap, ours.active_layer_id, [difference])
        except ProblemError as reason:
            self._report_taking_failed(reason.problems)
            return
        cell_name = self.list.item(row).text().partition(":")[0]
        self._push(ours, edit, f"Take over {cell_name}")

    async def take_all(self) -> None:
        """Take over all differences, as one undo step that is computed off the UI thread."""
        comparison = self.comparison
        ours = self._target
        if comparison is None or ours is None or self._job.busy:
            return
        index = ours.history.index

        def work(_progress: object, _cancelled: object) -> Edit | None:
            return take_over(comparison, ours.battlemap, ours.active_layer_id)

        self._enable(busy=True)
        try:
            edit = await self._job.result(work)
        except ProblemError as reason:
            self._report_taking_failed(reason.problems)
            return
        self._enable(busy=False)
        if index != ours.history.index or self._document.in_stroke:
            self._say("The map was changed meanwhile: please try again.")
            self._timer.start()
        else:
            self._push(ours, edit, "Take over all differences")

    def _report_taking_failed(self, problems: Sequence[Problem]) -> None:
        self._say(problems[0].message)
        self._enable(busy=False)

    def _push(self, ours: OpenMap, edit: Edit | None, text: str) -> None:
        self._document.make_current(ours)
        if edit is None:
            self._say("A locked layer sets this here: unlock it to take this over.")
        if not self._document.push(edit, text):
            self._enable(busy=False)

    def _undo(self) -> None:
        if self._target is not None:
            self._document.make_current(self._target)
            self._document.undo()


def _map_of(which: OpenMap | BattleMap) -> BattleMap:
    return which.battlemap if isinstance(which, OpenMap) else which

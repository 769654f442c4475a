"""The dialog Balance: edits that bring the shares of wins from all sides near one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QProgressBar,
    QPushButton,
)
from shiboken6 import isValid

from app.background.actions import Action, end, run
from app.background.background_value import ValueJob, show_values
from app.background.jobs import lent_thread
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog, resize_on_screen
from app.widgets.lists.fitted_table import FittedTable
from randomizer.batches.fairness import GOAL, spread
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.batches.fairness import BalanceState, FairnessModel, Wins

    _Asked = tuple[FairnessModel, BattleMap, int, bool]

TEXT = "Balance"

WIDTH = 560
"""In logical pixels."""

CHANGED = "The map is another, or was changed since: search again."

SO_FAR = "The best so far: it was chosen by few battles, which flatter it."

_HELP = (
    f"Looks for at most three edits that bring the attacker's wins from all sides within "
    f"{100 * GOAL:.0f} points of one another. Locked hexes and layers stay as they are."
)


class BalanceDialog(QDialog):
    """Searches for edits of the map that is current then; applies them to that map as it was."""

    def __init__(self, desk: Desk, model: FairnessModel) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle(TEXT)
        self._desk = desk
        self._model = model
        self._map: OpenMap | None = None
        """The map that the proposals are for, as long as it is as it was."""
        self._state: BalanceState | None = None
        """What is told of the finished search while the map is as it was."""
        self._action: Action | None = None
        """The newest search, which may have ended."""
        self.plains = described(
            QCheckBox("Also near the share on &Plains"),
            tip="The share of the attacker on open ground is the measure of even",
        )
        self.status = DialogStatus("What the search says")
        self.progress = described(QProgressBar(), "Battles fought")
        self.table = FittedTable("Proposals")
        for widget in (self.progress, self.table):
            widget.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.search_button = self._button("&Search", self._search)
        self.stop_button = self._button("S&top", self._end)
        self.apply_button = self._button("&Apply", self._apply)
        connect(self.buttons.rejected, self.reject)
        connect(self.table.itemSelectionChanged, self._mark)
        note = plain_label(_HELP, wordWrap=True)
        middle = (note, self.plains, self.progress, self.table, STRETCH)
        lay_out_dialog(self, *middle, foot=(self.status, self.buttons))
        self.resize(WIDTH, self.sizeHint().height())
        connect(desk.document.changed, self._on_changed)
        connect(desk.document.map_replaced, self._enable)
        self._enable()

    def _button(self, text: str, pressed: Callable[[], object]) -> QPushButton:
        button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        connect(button.clicked, pressed)
        return button

    @guarded
    def reject(self) -> None:
        """Close it, and end the search."""
        self._end()
        super().reject()

    # --- searching --------------------------------------------------------------------------

    def _inputs(self) -> _Asked:
        document = self._desk.document
        plains = self.plains.isChecked()
        return self._model, document.battlemap.snapshot(), document.active_layer_id, plains

    def _search(self) -> None:
        self._action = self._search_edits()
        run(self._action)

    async def _search_edits(self) -> None:
        self._desk.document.cancel_stroke()
        self._map = self._desk.document.current_map
        self._state = None
        self.table.hide()
        self.status.say("")
        try:
            await self._show_proposals(ValueJob(_balance, self._inputs()))
        except ProblemError as reason:
            self.status.complain(reason.problems)

    async def _show_proposals(self, job: ValueJob) -> None:
        """Show the proposals so far, until the search is over. Raises ProblemError."""
        try:
            self.progress.setValue(0)
            self.progress.show()
            self._enable()
            await show_values(job, self._show, self)
        finally:
            if isValid(self):  # else it has gone with its window
                self.progress.hide()
                self._enable()

    def _end(self) -> None:
        """End the search; what it proposed stays."""
        if self._action is not None:
            end(self._action)

    def _show(self, state: BalanceState) -> None:
        self.progress.setValue(state.percent)
        last = self._state
        self._state = state
        if last is None or last[1:] != state[1:]:
            self._fill(state)
        size = QSize(self.width(), max(self.height(), self.sizeHint().height()))
        resize_on_screen(self, size)

    def _fill(self, state: BalanceState) -> None:
        boards = [(("As it is",), state.before), *((p.texts, p.wins) for p in state.proposals)]
        boards = [board for board in boards if board[1]]
        sides = [(name, "The attacker's wins from this side, with their 95 % interval")
                 for name, _wins in state.before]  # fmt: skip
        apart = ("Apart", "How many points the shares are apart")
        self.table.set_titles([("Edits", "What each edit does"), *sides, apart])
        self.table.fill([_row(*board) for board in boards])
        self.table.setVisible(bool(boards))
        if state.proposals:
            self.table.selectRow(len(boards) - 1)
        self._enable()

    def _tell(self) -> None:
        """Say what the proposals are worth."""
        state = self._state
        if state is None:
            return
        if state.proposals:
            best = state.proposals[-1].wins
        else:
            best = state.before
        message = ""
        if not self._is_current():
            message = CHANGED
        elif state.percent < 100:
            message = SO_FAR if state.proposals else ""
        elif spread(best) > GOAL:
            message = (
                f"No three edits were found that bring it within {100 * GOAL:.0f} points; the "
                f"best is {100 * spread(best):.0f} points apart."
            )
        elif best is state.before:
            message = "It is balanced as it is."
        self.status.say(message)

    # --- the proposals ----------------------------------------------------------------------

    def _chosen(self) -> int:
        """Return the index of the chosen proposal, -1: none."""
        rows = self.table.selectionModel().selectedRows()
        if rows and self._state and self._state.proposals:
            return rows[0].row() - 1
        return -1

    def _mark(self) -> None:
        """Select the hexes that the chosen proposal is about."""
        self._enable()
        if self._state is not None and self.apply_button.isEnabled():
            self._desk.document.select(self._state.proposals[self._chosen()].cells)

    def _on_changed(self, *_region: object) -> None:
        if self._map is self._desk.document.current_map:
            self._map = None
        self._enable()

    def _enable(self) -> None:
        busy = self.progress.isVisibleTo(self)
        is_current = self._is_current()
        fits = self._desk.document.battlemap.system is self._model.system
        self.search_button.setEnabled(fits and not busy)
        self.stop_button.setEnabled(busy)
        self.apply_button.setEnabled(is_current and self._chosen() >= 0)
        self._tell()

    def _is_current(self) -> bool:
        return self._map is self._desk.document.current_map

    def _apply(self) -> None:
        state = self._state
        chosen = self._chosen()
        if state is None or chosen < 0 or not self._is_current():
            return
        self._end()
        proposal = state.proposals[chosen]
        if self._desk.document.push(proposal.edit, TEXT):
            self._desk.say(f"{TEXT}: {counted(len(proposal.texts), 'edit')} applied")
            self._state = None
            self.status.say("Applied as one step: undo takes all of it back.")


def _row(texts: tuple[str, ...], wins: Wins) -> tuple[str, ...]:
    shares = []
    for _name, interval in wins:
        low, high = (100 * end for end in interval.interval)
        shares.append(f"{100 * interval.chance:.0f} %\n{low:.0f} to {high:.0f}")
    return "\n".join(texts), *shares, f"{100 * spread(wins):.0f}"


def _balance(
    request: _Asked, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[BalanceState]:
    model, battlemap, layer_id, plains = request
    with lent_thread():
        for state in model.balance(battlemap, layer_id, plains=plains):
            if cancelled():
                return
            yield state

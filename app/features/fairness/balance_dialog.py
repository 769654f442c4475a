"""The dialog *Balance*: a search for edits that make a map fairer.

A map is fair when the attacker wins about as often from each of its sides. The dialog runs the
search of the map's ``FairnessModel`` as a job, shows its *proposals* (up to three edits each) while
it goes on, and applies the one that the user chooses::

    Edits                      Left         Top          Right        Apart
    As it is                   71 %         48 %         50 %         23
                               68 to 74     45 to 51     47 to 53
    C3: Marsh to Plains        58 %         49 %         50 %         9
                               55 to 61     46 to 52     47 to 53
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QProgressBar,
    QPushButton,
)
from shiboken6 import isValid

from app.background.actions import Action
from app.background.actions import end as end_action
from app.background.actions import run as run_action
from app.background.background_value import ValueJob, show_values
from app.background.jobs import lent_thread
from app.desk.desk import Desk
from app.qt_guard import connect, guarded, later
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog, resize_on_screen
from app.widgets.lists.fitted_table import FittedTable
from randomizer.batches.fairness import GOAL, ONE_SIDE, spread
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, Severity

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.batches.fairness import BalanceState, FairnessModel, Proposal, Wins

TEXT = "Balance"
"""The title of the dialog, and the name of the undo step."""

WIDTH = 560
"""The width of the dialog in logical pixels: a table with six sides fits."""

MAP_CHANGED = "The map is another, or was changed since: search again."
"""The message where proposals cannot be applied any more."""

MIN_PERCENT_FOR_ESTIMATE = 5
"""Before so much of the work is done, an estimate of the time left would jump about."""

MAX_SECONDS = 90
"""From this time on the time left is told in minutes: it could be one or two."""

TITLE_OF_PLAINS = "Also near the share on &Plains"
"""The title of the box for a search that compares with open ground, too."""

_QUOTED_TITLE = f"“{TITLE_OF_PLAINS.replace('&', '')}”"
"""That title in a message."""

PRELIMINARY = "The best so far: it was chosen by few battles, which flatter it."
"""The message while the search goes on."""

_HELP = (
    f"Looks for at most three edits that bring the attacker's wins from all sides within "
    f"{100 * GOAL:.0f} points of one another. Locked hexes and layers stay as they are."
)


class _SearchInputs(NamedTuple):
    """The inputs of a search."""

    model: FairnessModel

    battlemap: BattleMap
    """A snapshot, which nobody changes."""

    layer_id: int
    """The layer that the edits change."""

    is_near_plains: bool
    """True if the shares shall also be near that on open ground."""


class _Row(NamedTuple):
    """A row of the table."""

    proposal: Proposal | None
    """The proposal that the row is about; None for the map as it is."""

    texts: tuple[str, ...]
    """A text for each column, with line breaks."""


@dataclass
class _Search:
    """A search of a map: made when it begins, and kept until the next one for its proposals."""

    open_map: OpenMap
    """The map that is searched."""

    start_s: float
    """The time at which it began, by ``monotonic``."""

    state: BalanceState | None = None
    """The latest state of the search; None before the first."""

    is_applied: bool = False
    """True since one of its proposals was applied: the others do not fit the map any more."""

    is_running: bool = True
    """False once the search is over, by itself or ended."""

    map_was_changed: bool = False
    """True if the map was changed since the search began: its proposals do not fit any more."""


class BalanceDialog(QDialog):
    """Searches for edits that make the current map fairer, and applies them.

    It can stay open while the desk is used. Proposals can be applied as long as the map that they
    are for is the current one and was not changed since. The calls of a search::

        _begin_search -> _search_edits -> _show_proposals
                                            _show_state -> _fill_table     for each state
    """

    def __init__(self, desk: Desk, model: FairnessModel) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle(TEXT)
        self._desk = desk
        self._model = model
        self._search: _Search | None = None
        """The newest search, None before the first."""
        self._action: Action | None = None
        """The action that carries out that search, which may have ended."""
        self._rows: list[_Row] = []
        """The rows of the table, from top to bottom."""
        self.plains_box = described(
            QCheckBox(TITLE_OF_PLAINS),
            tip="The share of the attacker on open ground is the measure of even",
        )
        self.status = DialogStatus("What the search says")
        self.progress = described(QProgressBar(), "Battles fought")
        self.table = FittedTable("Proposals")
        for widget in (self.progress, self.table):
            widget.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.search_button = self._add_button("&Search", self._begin_search)
        self.stop_button = self._add_button("S&top", self._end_search)
        self.apply_button = self._add_button("&Apply", self._apply)
        # Enter searches. While Search is greyed out it must not close the dialog instead.
        self.search_button.setDefault(True)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        connect(self.buttons.rejected, self.reject)
        connect(self.table.itemSelectionChanged, self._select_cells)
        note = plain_label(_HELP, wordWrap=True)
        middle = (note, self.plains_box, self.progress, self.table, STRETCH)
        lay_out_dialog(self, *middle, foot=(self.status, self.buttons))
        self.resize(WIDTH, self.sizeHint().height())
        connect(desk.document.changed, self._on_changed)
        connect(desk.document.map_replaced, self._update_state)
        self._update_state()

    def _add_button(self, text: str, on_click: Callable[[], object]) -> QPushButton:
        """Add a button to the row at the foot of the dialog, and return it."""
        button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        connect(button.clicked, on_click)
        return button

    @guarded
    def reject(self) -> None:
        """Close it, and end the search."""
        self._end_search()
        super().reject()

    # --- searching --------------------------------------------------------------------------

    def _current_inputs(self) -> _SearchInputs:
        """Return the inputs of a search of the current map."""
        document = self._desk.document
        return _SearchInputs(
            self._model,
            document.battlemap.snapshot(),
            document.active_layer_id,
            is_near_plains=self.plains_box.isChecked(),
        )

    def _begin_search(self) -> None:
        """Begin a search of the current map."""
        self._action = self._search_edits()
        run_action(self._action)

    async def _search_edits(self) -> None:
        """Search for edits, and show proposals, or the problem for which the search failed."""
        self._desk.document.cancel_stroke()
        search = _Search(self._desk.document.current_map, start_s=monotonic())
        self._search = search
        self.table.hide()
        self.status.say("")
        try:
            await self._show_proposals(search, ValueJob(_search_states, self._current_inputs()))
        except ProblemError as reason:
            # The problem is shown last: the end of the search has shown a message on its proposals.
            self._complain(reason)

    def _complain(self, reason: ProblemError) -> None:
        """Say why a search failed, and what to tick where that helps."""
        self.status.complain(reason.problems)
        if ONE_SIDE in [problem.code for problem in reason.problems]:
            hint = f"Tick {_QUOTED_TITLE} and search again."
            self.status.say(f"{self.status.text} {hint}", Severity.ERROR)
        later(self, self._grow_to_fit)  # once the text has its height

    async def _show_proposals(self, search: _Search, job: ValueJob) -> None:
        """Show the proposals so far, until the search is over. Raises ProblemError."""
        try:
            self._show_progress(search, 0)
            self.progress.show()
            self._update_state()
            await show_values(job, partial(self._show_state, search), self)
        finally:
            search.is_running = False
            if isValid(self):  # else it has gone with its window
                self.progress.hide()
                self._update_state()

    def _end_search(self) -> None:
        """End the search; what it proposed stays."""
        if self._action is not None:
            end_action(self._action)

    def _show_state(self, search: _Search, state: BalanceState) -> None:
        """Show the progress, and the proposals if they are others than before."""
        self._show_progress(search, state.percent)
        previous_state = search.state
        search.state = state
        # The table is left alone if only the percentage has changed: a row may be selected in it.
        if previous_state is None or previous_state._replace(percent=state.percent) != state:
            self._fill_table(state)
        later(self, self._grow_to_fit)  # once the rows and the text have their heights

    def _grow_to_fit(self) -> None:
        """Make the dialog as high as its rows and its text need; it never becomes lower."""
        size = QSize(self.width(), max(self.height(), self.sizeHint().height()))
        resize_on_screen(self, size)

    def _show_progress(self, search: _Search, percent: int) -> None:
        """Show how much of the work is done, and the time left once it can be estimated."""
        text = f"{percent} %"
        if percent >= MIN_PERCENT_FOR_ESTIMATE:
            elapsed_s = monotonic() - search.start_s
            text = f"{text}, {_time_left_text(elapsed_s * (100 - percent) / percent)}"
        self.progress.setFormat(text)
        self.progress.setValue(percent)

    def _fill_table(self, state: BalanceState) -> None:
        """Fill the table with the map as it is, if its wins are known, and with the proposals."""
        titles = [("Edits", "What each edit does")]
        for side, _wins in state.before:
            titles.append((side, "The attacker's wins from this side, with their 95 % interval"))
        titles.append(("Apart", "How many points the shares are apart"))
        self.table.set_titles(titles)

        self._rows = []
        if state.before:
            self._rows.append(_Row(None, _row_texts(["As it is"], state.before)))
        for proposal in state.proposals:
            if proposal.wins:
                self._rows.append(_Row(proposal, _row_texts(proposal.texts, proposal.wins)))
        self.table.fill([row.texts for row in self._rows])
        self.table.setVisible(bool(self._rows))
        if state.proposals:
            self.table.selectRow(len(self._rows) - 1)  # the last proposal is the best
        self._update_state()

    def _show_message(self) -> None:
        """Say in the status what the proposals are worth."""
        search = self._search
        if search is not None and search.state is not None and not search.is_applied:
            self.status.say(self._message_on(search.state))

    def _message_on(self, state: BalanceState) -> str:
        """Return the message on a state of the search; "" where the table says enough."""
        if not self._is_current():
            return MAP_CHANGED
        is_finished = state.percent == 100
        if not is_finished:
            if state.proposals:
                return PRELIMINARY
            return ""
        best_wins = state.before
        if state.proposals:
            best_wins = state.proposals[-1].wins
        if spread(best_wins) > GOAL:
            return (
                f"No three edits were found that bring it within {100 * GOAL:.0f} points; the "
                f"best is {100 * spread(best_wins):.0f} points apart."
            )
        message_on_plains = _message_on_plains(best_wins, state.share_on_plains)
        if message_on_plains or state.proposals:
            return message_on_plains
        return "It is balanced as it is."

    # --- the proposals ----------------------------------------------------------------------

    def _chosen_proposal(self) -> Proposal | None:
        """Return the proposal of the selected row; None for the map as it is, and for no row."""
        rows = self.table.selectionModel().selectedRows()
        if not rows or self._search is None or self._search.is_applied:
            return None
        return self._rows[rows[0].row()].proposal

    def _select_cells(self) -> None:
        """Select the hexes on the map that the chosen proposal is about."""
        self._update_state()
        proposal = self._chosen_proposal()
        if proposal is not None and self.apply_button.isEnabled():
            self._desk.document.select(proposal.cells)

    def _on_changed(self, *_region: object) -> None:
        """Note that the map was changed, so that the proposals do not fit it any more."""
        if self._search is not None and self._is_current():
            self._search.map_was_changed = True
        self._update_state()

    def _update_state(self) -> None:
        """Enable the buttons that can be pressed now, and say what the proposals are worth.

        Any other message is said after a call of this.
        """
        is_searching = self._search is not None and self._search.is_running
        has_model = self._desk.document.battlemap.system is self._model.system
        can_apply = self._is_current() and self._chosen_proposal() is not None
        self.search_button.setEnabled(has_model and not is_searching)
        self.stop_button.setEnabled(is_searching)
        self.apply_button.setEnabled(can_apply)
        self._show_message()

    def _is_current(self) -> bool:
        """Return whether the map that was searched is the current one, unchanged."""
        search = self._search
        if search is None or search.map_was_changed:
            return False
        return search.open_map is self._desk.document.current_map

    def _apply(self) -> None:
        """Make the edits of the chosen proposal, as one undo step."""
        proposal = self._chosen_proposal()
        search = self._search
        if search is None or proposal is None or not self._is_current():
            return
        self._end_search()
        if self._desk.document.push(proposal.edit, TEXT):
            self._desk.say(f"{TEXT}: {counted(len(proposal.texts), 'edit')} applied")
            search.is_applied = True
            self._update_state()
            self.status.say("Applied as one step: undo takes all of it back.")


def _row_texts(edit_texts: Sequence[str], wins: Wins) -> tuple[str, ...]:
    """Return the texts of a row: the edits, the wins from each side, and how far these differ."""
    shares = []
    for _side, attacker_wins in wins:
        low, high = attacker_wins.interval
        share = f"{100 * attacker_wins.chance:.0f} %"
        shares.append(f"{share}\n{100 * low:.0f} to {100 * high:.0f}")
    return "\n".join(edit_texts), *shares, f"{100 * spread(wins):.0f}"


def _time_left_text(seconds: float) -> str:
    """Return a text about the time left, in steps of ten seconds: it is an estimate."""
    rounded_seconds = max(10, 10 * round(seconds / 10))
    if rounded_seconds < MAX_SECONDS:
        return f"about {rounded_seconds} s left"
    return f"about {counted(round(rounded_seconds / 60), 'minute')} left"


def _message_on_plains(wins: Wins, share_on_plains: float | None) -> str:
    """Return the message on sides that are even but far from Plains; "" if they are not far.

    Shares that are within ``GOAL`` of one another and far from Plains lie all on one side of it.
    """
    if share_on_plains is None:
        return ""
    shares = [attacker_wins.chance for _side, attacker_wins in wins]
    if max(*shares, share_on_plains) - min(*shares, share_on_plains) <= GOAL:
        return ""
    comparison = "less often"
    if share_on_plains > max(shares):
        comparison = "more often"
    return (
        f"The sides are equal, but attackers win {comparison} on Plains "
        f"({100 * share_on_plains:.0f} %): tick {_QUOTED_TITLE} and search again."
    )


def _search_states(
    inputs: _SearchInputs, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[BalanceState]:
    """Yield the states of a search, until it is over or cancelled. Runs on a job's thread."""
    # A search takes seconds to minutes that nobody waits for: other jobs run beside it.
    with lent_thread():
        for state in inputs.model.balance(
            inputs.battlemap, inputs.layer_id, plains=inputs.is_near_plains
        ):
            if cancelled():
                return
            yield state

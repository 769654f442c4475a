"""Balance on the desk: proposals are searched, marked and applied as one step."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt

from app.features.fairness.balance_dialog import MAP_CHANGED, PRELIMINARY, BalanceDialog
from randomizer.batches.fairness import BalanceState, Proposal, WinsOfAttack
from randomizer.model.basics.rarity import Rarity
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.fairness.fairness_model import BattlelandFairness
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import free_map
from tests.randomizer.systems.colossus.few_battles import balance_few, fight_few

LEFT = [CELL_OF_HEX[number] for number in ENTRY_HEXES[5]]
STONE = COLOSSUS.terrain_code("Stone")


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("fairness",)


@pytest.fixture
def document(window):
    return window.desk.document


@pytest.fixture
def dialog(qtbot, window, document, monkeypatch):
    """The dialog, opened from the panel, for a map that nobody can enter from the left."""
    fight_few(monkeypatch)
    balance_few(monkeypatch)
    document.show_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    document.push(set_values(document.battlemap, 1, "terrain", LEFT, STONE), "Paint Stone")
    window.desk.docks.show("fairness")
    panel = window.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.balance_button.isVisibleTo(panel) and panel.isVisible())
    qtbot.waitUntil(lambda: panel.parent() is not None and panel.measures.rowCount() > 0)
    qtbot.mouseClick(panel.balance_button, Qt.MouseButton.LeftButton)
    (dialog,) = [each for each in window.findChildren(object) if hasattr(each, "apply_button")]
    return dialog


def search(qtbot, dialog) -> None:
    dialog.search_button.click()
    assert dialog.stop_button.isEnabled()
    qtbot.waitUntil(dialog.search_button.isEnabled)


def test_a_proposal_is_marked_and_applied_as_one_step(qtbot, document, dialog):
    search(qtbot, dialog)
    table = dialog.table
    assert table.item(0, 0).text() == "As it is"
    assert table.item(0, 3).text().startswith("0 %\n")
    assert "Stone at " in table.item(1, 0).text()
    # Else the verdict would lie over the last row.
    qtbot.waitUntil(lambda: dialog.height() >= dialog.sizeHint().height())
    table.selectRow(1)
    marked = document.selection.cells.tolist()
    assert {*marked} & {*LEFT}
    assert dialog.apply_button.isEnabled()
    before = document.composite.planes["terrain"].copy()
    dialog.apply_button.click()
    assert document.composite.planes["terrain"].flat[marked[0]] != before.flat[marked[0]]
    assert not dialog.apply_button.isEnabled()
    document.undo()
    assert (document.composite.planes["terrain"] == before).all()


WINS = (WinsOfAttack("Left", Rarity(3, 10)), WinsOfAttack("Right", Rarity(5, 10)))


class TwoProposals(BattlelandFairness):
    """Finds two proposals, of which the first has no wins yet."""

    @staticmethod
    def balance(battlemap, _layer_id, *, plains=False):
        proposals = []
        for cell, wins in ((LEFT[0], ()), (LEFT[1], WINS)):
            edit = set_values(battlemap, 1, "terrain", [cell], 0)
            proposals.append(Proposal((f"Cell {cell}",), edit, (cell,), wins))
        yield BalanceState(100, WINS, tuple(proposals))


def test_a_row_stands_for_its_own_proposal(qtbot, window, document):
    """A proposal without wins has no row; the row of the next one stood for it."""
    document.show_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    document.push(set_values(document.battlemap, 1, "terrain", LEFT, STONE), "Paint Stone")
    dialog = BalanceDialog(window.desk, TwoProposals())
    search(qtbot, dialog)
    assert dialog.table.rowCount() == 2
    dialog.table.clearSelection()
    dialog.table.selectRow(1)
    assert dialog.table.item(1, 0).text() == f"Cell {LEFT[1]}"
    assert document.selection.cells.tolist() == [LEFT[1]]
    dialog.close()


@pytest.mark.deep
def test_proposals_for_a_map_that_has_changed_are_not_applied(qtbot, document, dialog):
    search(qtbot, dialog)
    assert dialog.apply_button.isEnabled()
    document.push(set_values(document.battlemap, 1, "terrain", [LEFT[0]], 0), "Paint")
    assert not dialog.apply_button.isEnabled()
    assert dialog.status.label.text() == MAP_CHANGED


@pytest.mark.deep
def test_proposals_wait_for_their_map(qtbot, document, dialog):
    search(qtbot, dialog)
    mine = document.current_map
    verdict = dialog.status.text
    document.show_map(free_map(FLAT, 3, 3))
    assert dialog.status.text == MAP_CHANGED
    assert not dialog.apply_button.isEnabled()
    assert not dialog.search_button.isEnabled(), "there are no battles on a free map"
    assert dialog.status.label.text() == MAP_CHANGED
    document.make_current(mine)
    assert dialog.apply_button.isEnabled()
    assert dialog.status.text == verdict


@pytest.mark.deep
def test_sides_that_are_equally_bad_are_told_with_what_to_tick(qtbot, document, dialog):
    """The dialog said "It is balanced as it is", and nobody could come in."""
    for side in (1, 3, 5):
        entries = [CELL_OF_HEX[number] for number in ENTRY_HEXES[side]]
        document.push(set_values(document.battlemap, 1, "terrain", entries, STONE), "Paint Stone")
    search(qtbot, dialog)
    titles = [dialog.table.horizontalHeaderItem(column).text() for column in range(1, 4)]
    assert titles == ["Bottom", "Right", "Left"], "in the order of the panel"
    assert dialog.table.item(0, 4).text() == "0"
    message = dialog.status.text
    assert message.startswith("The sides are equal, but attackers win more often on Plains (")
    assert message.endswith("%): tick “Also near the share on Plains” and search again.")
    assert re.search(r"^\d+ %, about .* left$", dialog.progress.text())
    dialog.plains_box.click()
    search(qtbot, dialog)
    assert dialog.table.horizontalHeaderItem(4).text() == "Plains"
    assert "tick" not in dialog.status.text


def test_a_search_is_stopped_and_its_best_so_far_stays(qtbot, dialog):
    dialog.search_button.click()
    qtbot.waitUntil(lambda: dialog.table.rowCount() > 1)
    if dialog.stop_button.isEnabled():  # it may be at its end
        assert dialog.status.label.text() == PRELIMINARY
        dialog.stop_button.click()
    assert dialog.search_button.isEnabled()
    assert not dialog.progress.isVisible()
    assert dialog.apply_button.isEnabled()

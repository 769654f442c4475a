"""The fairness panel on the desk: it follows the hand, the script and the current map."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QComboBox

from app.background.jobs import Job
from app.features.fairness.feature import FairnessController
from app.features.fairness.map_pictures import NO_WAY, PictureKind
from app.features.fairness.picture_choice import NO_PICTURE
from randomizer.batches import distribution
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_property, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.fairness import mirror_battles
from randomizer.systems.colossus.fairness.fairness_model import FAIRNESS_MODEL
from randomizer.systems.colossus.system import SYSTEM
from tests.app.saves import finished
from tests.randomizer.systems.colossus.few_battles import FewBattles, fight_few
from tests.ui_work import UiWork


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("fairness", "script", "odds", "layers")


def cell(label: str) -> int:
    return CELL_OF_HEX[HEX_OF_LABEL[label]]


def put(document, name: str, *labels: str) -> None:
    """Paint as one step."""
    cells = np.sort(np.array([cell(label) for label in labels], np.intp))
    code = SYSTEM.terrain_set.terrain_code(name)
    battlemap = document.battlemap
    layer = document.active_layer_id
    document.push(set_values(battlemap, layer, "terrain", cells, code), f"Paint {name}")


def rows(table) -> list[tuple[str, ...]]:
    return [
        tuple(table.item(row, column).text() for column in range(table.columnCount()))
        for row in range(table.rowCount())
    ]


def choose(combo: QComboBox, text: str) -> None:
    index = combo.findText(text)
    assert index >= 0, text
    combo.setCurrentIndex(index)
    combo.activated.emit(index)  # as a person does


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)


@pytest.fixture
def panel(qtbot, window):
    """The panel of a window that shows open ground, painted by hand."""
    window.desk.document.show_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    window.desk.docks.show("fairness")
    panel = window.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.isVisible() and panel.measures.rowCount() > 0)
    qtbot.waitUntil(lambda: measured(panel)["Imbalance"][0] == "0 %")
    choose(panel.picture_choice.combo, "Ways from Bottom")
    return panel


def measured(panel) -> dict[str, tuple[str, str]]:
    return {title: (value, above) for title, value, above in rows(panel.measures)}


def write_script(window, text: str) -> None:
    """Put a text into the editor, as if it had been saved: nobody is asked at the end."""
    written = window.desk.docks.panel("randomize").editor.document()
    written.setPlainText(text)
    written.setModified(False)


def heat_words(window) -> dict[int, str]:
    """What is written on the hexes, and where colours are."""
    marks = window.desk.renderer.heat_map
    return {} if marks is None else dict(marks.texts)


def test_open_ground_is_even_and_its_costs_stand_on_the_hexes(window, panel):
    assert [row[0] for row in rows(panel.attacks)] == [
        "Bottom\nTop defence",
        "Right\nLeft defence",
        "Left\nRight defence",
    ]
    assert {row[-1] for row in rows(panel.attacks)} == {"even"}
    words = heat_words(window)
    assert (words[cell("A1")], words[cell("D6")], len(words)) == ("1", "6", 27)


def test_the_colours_stay_while_the_map_is_in_front_and_go_with_the_tab(qtbot, window, panel):
    window.desk.docks.views.show_map()
    assert not panel.isVisible()
    put(window.desk.document, "Lake", "D4")
    qtbot.waitUntil(lambda: heat_words(window).get(cell("D4")) == NO_WAY)
    window.desk.docks.close("fairness")
    qtbot.waitUntil(lambda: not heat_words(window))


def test_the_panel_follows_every_edit_and_its_undo(qtbot, window, panel):
    put(window.desk.document, "Lake", "D4", "A1")
    qtbot.waitUntil(lambda: measured(panel)["Out of reach"][0] == "2")
    assert heat_words(window)[cell("D4")] == NO_WAY
    window.desk.document.undo()
    qtbot.waitUntil(lambda: measured(panel)["Out of reach"][0] == "0")
    assert heat_words(window)[cell("A1")] == "1"


def test_natives_and_fliers_go_where_strangers_cannot(qtbot, window, panel):
    put(window.desk.document, "Lake", "A1")
    qtbot.waitUntil(lambda: heat_words(window)[cell("A1")] == NO_WAY)
    choose(panel.native_combo, "Lake")
    qtbot.waitUntil(lambda: heat_words(window)[cell("A1")] == "1")
    choose(panel.native_combo, "nothing")
    qtbot.waitUntil(lambda: heat_words(window)[cell("A1")] == NO_WAY)
    put(window.desk.document, "Lake", "A2", "A3", "B1", "B2", "B3", "B4")
    choose(panel.movement_combo, "flying")
    qtbot.waitUntil(lambda: heat_words(window)[cell("C2")] == "2")
    assert heat_words(window)[cell("A1")] == NO_WAY, "fliers pass over a lake, but do not land"


def test_a_picture_of_who_is_first_can_be_chosen_or_none(window, panel):
    choose(panel.picture_choice.combo, "Bottom against Top defence")
    words = heat_words(window)
    assert (words[cell("A1")], words[cell("D6")]) == ("A 5", "D 5")
    assert panel.picture_choice.legends[PictureKind.LEAD].isVisible()
    assert not panel.picture_choice.legends[PictureKind.COST].isVisible()
    choose(panel.picture_choice.combo, NO_PICTURE)
    assert heat_words(window) == {}
    assert not panel.picture_choice.legends[PictureKind.LEAD].isVisible()


def test_the_colours_go_with_the_panel_and_come_back_when_they_are_chosen(qtbot, window, panel):
    window.desk.docks.close("fairness")
    qtbot.waitUntil(lambda: not heat_words(window))
    put(window.desk.document, "Lake", "D4")
    window.desk.docks.show("fairness")
    qtbot.waitUntil(lambda: measured(panel)["Out of reach"][0] == "1")
    assert heat_words(window) == {}
    assert panel.picture_choice.combo.currentText() == NO_PICTURE
    choose(panel.picture_choice.combo, "Ways from Bottom")
    qtbot.waitUntil(lambda: heat_words(window).get(cell("D4")) == NO_WAY)


def test_the_map_is_placed_among_those_of_the_script_shown(qtbot, window, panel):
    assert finished(window.desk.scripts.opening.open_generator(generator_named("Marsh")))
    qtbot.waitUntil(lambda: "2,000 maps that Marsh.rnd" in panel.compared.text())
    assert measured(panel)["Out of reach"][1] == "0 %"
    assert measured(panel)["Entries connected"][1].endswith("% yes")


def test_without_a_script_the_panel_says_that_there_is_nothing_to_compare(qtbot, window, panel):
    write_script(window, "")
    qtbot.waitUntil(lambda: "no script" in panel.compared.text())
    assert {above for _value, above in measured(panel).values()} == {""}


def test_a_script_with_mistakes_is_said_to_be_one(qtbot, window, panel):
    write_script(window, "AREA (anywhere) HAZARD Bog\n")
    qtbot.waitUntil(lambda: "cannot be compared" in panel.compared.text())


def test_a_fault_in_measuring_the_maps_ends_the_wait(qtbot, window, panel, monkeypatch):
    def fail(_row):
        raise ArithmeticError("no bins")

    # No script gives values that cannot be counted.
    monkeypatch.setattr(distribution, "_histogram_of", fail)
    assert finished(window.desk.scripts.opening.open_generator(generator_named("Marsh")))
    qtbot.waitUntil(lambda: "cannot be compared" in panel.compared.text())
    assert "no bins" in panel.compared.text()


def test_a_start_list_is_a_side_of_its_own(qtbot, window, panel):
    document = window.desk.document
    edit = set_property(document.battlemap, document.active_layer_id, "startlist", ("D4",))
    document.push(edit, "Start list")
    qtbot.waitUntil(lambda: panel.attacks.rowCount() == 1)
    assert rows(panel.attacks)[0][0] == "Bottom\nStart list"
    choose(panel.picture_choice.combo, "Ways from Start list")
    assert heat_words(window)[cell("D4")] == "0"


def test_there_is_no_fairness_of_maps_of_other_systems_and_of_battlelands_again(
    qtbot, window, panel
):
    document = window.desk.document
    before = document.current_map
    free = system_named("free")
    opened = document.open_map(BattleMap.new(free, layers=[Layer(1, "Ground")]))
    assert heat_words(window) == {}
    assert not window.desk.docks.view("fairness").is_open
    document.make_current(before)
    qtbot.waitUntil(lambda: window.desk.docks.view("fairness").is_open)
    assert heat_words(window) == {}
    document.close_map(opened)


def test_the_numbers_shown_are_the_judges(qtbot, window, panel):
    put(window.desk.document, "Brambles", "A1", "B1", "C1", "D1", "F4")
    judged = FAIRNESS_MODEL.assess(window.desk.document.composite.copy(), "on foot", "nothing")
    gain = judged.attacks[0].advantage
    helped = "attacker" if gain > 0 else "defender"
    qtbot.waitUntil(lambda: rows(panel.attacks)[0][-1] == f"{helped} +{abs(gain):.0f} %")
    shown = measured(panel)
    for measure, value in zip(FAIRNESS_MODEL.measures, judged.measured, strict=True):
        text = shown[measure.title][0].removesuffix("%")
        if measure.favours is not None:
            assert text == "even" or text.startswith(measure.favours[0 if value > 0 else 1])
            text = text.rpartition("+")[2].replace("even", "0")
            value = abs(value)
        if not measure.yes_no:
            assert float(text) == pytest.approx(value, abs=0.5)


def test_a_stroke_is_judged_off_the_ui_thread(qtbot, window, panel):
    with UiWork() as work:
        for label in ("A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2"):
            put(window.desk.document, "Bog", label)
            QApplication.processEvents()
        qtbot.waitUntil(lambda: measured(panel)["Out of reach"][0] == "8")
    assert work.where(FAIRNESS_MODEL.assess) == {"job"}


def test_no_name_is_cut_off_in_the_narrowest_panel(qtbot, window, panel):
    window.resize(300, 500)
    qtbot.waitUntil(lambda: panel.width() <= 300)
    for table in (panel.attacks, panel.measures):
        needed = table.sizeHintForColumn(0)
        assert table.columnWidth(0) >= needed, table.accessibleName()
        assert table.horizontalHeader().length() == table.viewport().width()


# --- battles ------------------------------------------------------------------------------------


def wait_for_battles(qtbot, panel, count: int = 20) -> None:
    """Wait until so many have been fought from each side."""
    qtbot.waitUntil(lambda: panel.fought_by.text().startswith(f"{count} battles a side"))


def test_battles_are_fought_from_each_side_and_on_plains_and_it_says_by_whom(qtbot, window, panel):
    wait_for_battles(qtbot, panel)
    with UiWork() as work:
        put(window.desk.document, "Bog", "D4")
        qtbot.waitUntil(lambda: panel.battles.rowCount() == 0)
        wait_for_battles(qtbot, panel)
    assert work.where(mirror_battles.fight_from_each_side) == {"job"}
    *_, last = FAIRNESS_MODEL.fight(
        FAIRNESS_MODEL.battlefield(window.desk.document.composite), lambda: False
    )
    qtbot.waitUntil(
        lambda: (
            [(name, share) for name, share, _ in rows(panel.battles)]
            == [(name, f"{100 * wins.chance:.0f} %") for name, wins in (*last.wins, last.base_line)]
        )
    )
    assert [row[0] for row in rows(panel.battles)] == ["Bottom", "Right", "Left", "Plains"]
    assert (
        "by our simulator; shares in the game differ from it by about 5 points"
        in panel.fought_by.text()
    )


def test_who_dies_where_can_be_shown_on_the_map(qtbot, window, panel):
    wait_for_battles(qtbot, panel)
    sums = []
    for name in ("Deaths of attackers", "Deaths of defenders", "Deaths of both"):
        choose(panel.picture_choice.combo, name)
        sums.append(np.nansum(panel.picture_choice.heat(window.desk.document.battlemap.grid).cells))
        assert panel.picture_choice.legends[PictureKind.DEATHS].isVisible()
        assert len(heat_words(window)) == 27
    assert sums[0] + sums[1] == pytest.approx(sums[2])
    assert min(sums) > 0


def test_an_edit_throws_the_results_away_and_a_title_does_not(qtbot, window, panel):
    wait_for_battles(qtbot, panel)
    qtbot.waitUntil(lambda: not Job.any_running())  # those on plains are the last
    choose(panel.picture_choice.combo, "Deaths of both")
    document = window.desk.document
    shown: list[int] = []
    panel.battles.model().layoutChanged.connect(lambda: shown.append(panel.battles.rowCount()))
    document.push(set_property(document.battlemap, document.active_layer_id, "title", "X"), "Title")
    qtbot.waitUntil(lambda: document.composite.properties["title"] == "X")
    put(document, "Lake", "D4")
    qtbot.waitUntil(lambda: heat_words(window).get(cell("D4")) == "0")
    assert panel.picture_choice.combo.currentText() == "Deaths of both"
    assert shown[:2] == [0, 4], "emptied by the lake, then filled"


@pytest.mark.deep
def test_battles_end_with_the_map_that_they_are_of(qtbot, window, panel, monkeypatch):
    wait_for_battles(qtbot, panel)
    begun = Event()
    go_on = Event()

    class WaitingBattles(FewBattles):
        def armies(self):
            if not begun.is_set():
                begun.set()
                assert go_on.wait(60)
            return super().armies()

    fight_few(monkeypatch, WaitingBattles())
    document = window.desk.document
    before = document.current_map
    layer = Layer(1, "Ground", properties={"startlist": ("C3", "C4", "D4")})
    opened = document.open_map(BattleMap.new(SYSTEM, layers=[layer]))
    assert panel.battles.rowCount() == 0
    qtbot.waitUntil(begun.is_set)
    document.make_current(before)
    wait_for_battles(qtbot, panel)
    go_on.set()
    qtbot.waitUntil(lambda: not Job.any_running())
    assert [row[0] for row in rows(panel.battles)] == ["Bottom", "Right", "Left", "Plains"]
    document.make_current(opened)
    wait_for_battles(qtbot, panel)
    assert [row[0] for row in rows(panel.battles)] == ["Bottom", "Plains"]
    document.close_map(opened)


@pytest.mark.deep
def test_nothing_is_fought_while_the_panel_is_hidden(qtbot, window, panel, monkeypatch):
    wait_for_battles(qtbot, panel)
    window.desk.docks.close("fairness")
    put(window.desk.document, "Bog", "D4")
    qtbot.wait(50)

    class OneRound(FewBattles):
        rounds = (2,)

    fight_few(monkeypatch, OneRound())
    window.desk.docks.show("fairness")
    wait_for_battles(qtbot, panel, 4)


def test_a_side_from_which_few_can_come_in_is_named(qtbot, window, panel):
    assert panel.warnings.isHidden()
    put(window.desk.document, "Bog", "D6", "E5")
    qtbot.waitUntil(
        lambda: (
            panel.warnings.text()
            == "Only 3 creatures of skill 2 can enter from Top defence in the first turn, where 5 "
            "should. Clear D6 or E5."
        )
    )
    assert panel.warnings.isVisible()
    assert measured(panel)["Can come in"][0] == "3"


@pytest.mark.parametrize("value", ["report", "comparison", "battles"])
def test_names_in_the_faults_of_scripts_and_maps_are_in_quotes(panel, value):
    maps = panel.findChild(FairnessController).maps
    fault = Problem(Severity.ERROR, "unknown-hazard", "`Bogg` is no hazard")
    getattr(maps, value).background.failed.emit((fault,))
    assert "“Bogg” is no hazard" in maps.message

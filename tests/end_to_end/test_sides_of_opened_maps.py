"""A scenario opened from the game's files is rolled with its own sides."""

from __future__ import annotations

from randomizer.systems.xconq.records import sides_of
from tests.app.conftest import complete_form
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import open_scenario, script_panel
from tests.randomizer.systems.xconq.worlds import ISLANDS

ROWS = ("60+",) * 30
SIDES = ("Ann", "Bob", "Cid")
SCENARIO = "\n".join(
    (
        "Xconq 1 --+-++ Three sides",
        "islands.per",
        "Map 60 30 0 1 0",
        *ROWS,
        "Sides 3 1 0",
        *SIDES,
        "Units 0 1 0",
        "",
    )
)


def test_a_roll_makes_a_country_for_each_side_of_an_opened_scenario(window, qtbot, tmp_path):
    (tmp_path / "islands.per").write_text(f"{ISLANDS}end\n")
    open_scenario(qtbot, window, tmp_path, SCENARIO)
    settle(qtbot, window)
    form = complete_form(script_panel(qtbot, window))
    assert form.field("countries").value() == 3
    window.desk.rolling.roll()
    settle(qtbot, window)
    battlemap = window.desk.document.battlemap
    owners = {thing.owner for thing in battlemap.visible_things()}
    assert owners - {0} == {1, 2, 3}
    assert [side.name for side in sides_of(battlemap).sides] == list(SIDES)


def test_a_roll_over_an_opened_map_keeps_its_sides_and_says_that_it_is_hidden(
    window, qtbot, tmp_path
):
    (tmp_path / "islands.per").write_text(f"{ISLANDS}end\n")
    text = SCENARIO.replace("Units 0 1 0\n", "Units 1 1 0\n@ Rome 30,15 0\n")
    open_scenario(qtbot, window, tmp_path, text)
    settle(qtbot, window)
    script_panel(qtbot, window)
    window.desk.rolling.roll()
    settle(qtbot, window)
    document = window.desk.document
    opened_layer = document.battlemap.layers[0]
    assert [side.name for side in sides_of(document.battlemap).sides] == list(SIDES)
    assert not opened_layer.visible
    message = window.statusBar().currentMessage()
    assert message.endswith("World is hidden, with its things")
    window.desk.commands.run("edit.undo")
    assert document.battlemap.layers[0].visible
    assert [thing.label for thing in document.battlemap.visible_things()] == ["Rome"]

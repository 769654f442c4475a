"""A scenario opened from the game's files is rolled with as many sides as it has."""

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
    assert len(sides_of(battlemap).sides) == 3

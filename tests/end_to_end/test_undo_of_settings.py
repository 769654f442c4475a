"""Settings that are chosen one after the other while the map follows: each is an undo step."""

from __future__ import annotations

from tests.end_to_end.test_one_roll import lakes, roller  # noqa: F401 - fixtures
from tests.end_to_end.test_other_scripts import choose, form


def test_each_setting_is_a_step(qtbot, roller, lakes):  # noqa: F811
    desk = roller.desk
    history = desk.document.history
    steps = len(history.steps)
    choices = (("symmetry", "Two-fold turn"), ("BaseTerrain", "Bog"), ("symmetry", "No symmetry"))
    for number, (name, text) in enumerate(choices, start=1):
        with qtbot.waitSignal(desk.rolling.finished):
            choose(form(desk).field(name), text)
        assert len(history.steps) == steps + number
    assert history.next_undo.text.startswith("Symmetry")

    desk.document.undo()
    assert desk.scripts.settings.values == {"symmetry": "turn2", "BaseTerrain": "Bog"}
    desk.document.undo()
    assert desk.scripts.settings.values == {"symmetry": "turn2"}
    roller.write("AREA (anywhere) HAZARDS Bog Bog")
    qtbot.waitUntil(lambda: "Bog Bog" in desk.rolling.target().roll.script)
    assert len(history.steps) == steps + 2, "what is typed is another step"

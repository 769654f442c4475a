"""A newcomer makes a world of Xconq from nothing: period, units, locks, rolls, files."""

from __future__ import annotations

from app.features.new_map.dialog import NewMapDialog
from randomizer.systems.xconq.records import sides_of
from tests.end_to_end.test_map_script_desk import settle, type_at
from tests.end_to_end.worlds import choose_kind, click_cell, free_cells, new_world

DRIVEN_DIALOGS = (NewMapDialog,)


class Newcomer:
    """A person who makes a world of the period *Modern*."""

    def __init__(self, window, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.desk = window.desk
        self.document = window.desk.document
        new_world(qtbot, window, "Modern")
        self.desk.canvas.fit()

    def settle(self) -> None:
        settle(self.qtbot, self.window)

    def units(self):
        return list(self.document.battlemap.visible_things())

    def click(self, cell: int) -> None:
        click_cell(self.window, cell)

    def free_land(self, count: int) -> list[int]:
        """Return cells of plains with room around them for a click."""
        return free_cells(self.window, "plains")[:count]

    def choose_side(self, name: str) -> None:
        box = self.desk.tools.bar.owner.box
        box.setCurrentText(name)
        box.activated.emit(box.currentIndex())

    def roll(self) -> str:
        with self.qtbot.waitSignal(self.desk.rolling.rolled):
            self.desk.commands.run("script.roll")
        self.settle()
        return self.window.statusBar().currentMessage()


def test_a_world_from_nothing(window, qtbot, hand, tmp_path):
    newcomer = Newcomer(window, qtbot)
    desk = newcomer.desk
    document = newcomer.document

    # Another name for a terrain, typed where it is defined: the fix writes it everywhere.
    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    type_at(panel.editor, "s", '"." "sea')
    newcomer.settle()
    problems = panel.problems.list
    qtbot.waitUntil(lambda: any(problem.fix is not None for problem in problems.problems))
    problems.choose(next(each for each in problems.problems if each.fix is not None))
    assert problems.fix_button.toolTip() == "Apply: Write “seas” for each “sea”"
    problems.fix_button.click()
    qtbot.waitUntil(lambda: document.battlemap.terrain_set.has_terrain("seas"))
    newcomer.settle()

    # A unit for each of two sides.
    sides = [side.name for side in sides_of(document.battlemap).sides]
    choose_kind(window, "infantry")
    for side, cell in zip(sides, newcomer.free_land(2), strict=True):
        newcomer.choose_side(side)
        newcomer.click(cell)
        document.pick([])
    placed = [unit for unit in newcomer.units() if not unit.key]
    assert [unit.owner for unit in placed] == [1, 2]

    # Some cells are locked, and what stays is told after the roll.
    cell = newcomer.free_land(1)[0]
    desk.tools.choose("lock")
    newcomer.click(cell)
    desk.rolling.key_choice.choose_seed = lambda: 4711
    told = newcomer.roll()
    assert "Kept: 2 things by hand (Touch-ups)" in told
    assert "Locks kept" in told
    assert "in place of" not in told, "what stays needs the room"
    assert told.endswith("The map keeps its sides")
    assert [side.name for side in sides_of(document.battlemap).sides] == sides
    terrain = document.composite.planes["terrain"].copy()
    window.desk.commands.run("edit.undo")
    assert (document.composite.planes["terrain"] != terrain).any()
    window.desk.commands.run("edit.redo")
    assert (document.composite.planes["terrain"] == terrain).all()

    # Painted terrain is told beside the units.
    desk.tools.choose("terrain")
    newcomer.click(newcomer.free_land(1)[0])
    desk.rolling.key_choice.choose_seed = lambda: 4712
    told = newcomer.roll()
    assert "Kept: 2 things and 1 change by hand (Touch-ups)" in told
    terrain = document.composite.planes["terrain"].copy()

    # Saved, exported, and opened again: the same units, and the panel that was in front.
    project = tmp_path / "mine.battlemap"
    hand.expect("Save map as").type_path(project)
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: document.path == project and not document.modified)
    hand.expect("Export map as").type_path(tmp_path / "mine.scn")
    hand.expect("What is saved").press("Save")
    desk.commands.run("file.export-as")
    qtbot.waitUntil(lambda: "mine.per" in window.statusBar().currentMessage())
    assert (tmp_path / "mine.per").read_text("latin-1").count("seas") > 3
    units = len(newcomer.units())
    desk.files.open_path(tmp_path / "mine.scn")
    qtbot.waitUntil(lambda: document.path == tmp_path / "mine.scn")
    newcomer.settle()
    assert len(newcomer.units()) == units
    assert document.battlemap.terrain_set.has_terrain("seas")
    assert (document.composite.planes["terrain"] == terrain).all()
    assert desk.docks.room.right_docks.current_name() == "randomize"

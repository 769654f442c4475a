"""What holds the window: the longest turn of the event loop in each action, in CPU time.

A real window, in which wargame tables are thrown and a script is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtTest import QTest

from app.features.odds.feature import OddsController
from app.systems.cordery.feature import DiceController
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM, table_grid
from tests.benchmarks.benchmark import Row, benchmark
from tests.benchmarks.colossus_scripts import PACKAGED_SCRIPTS
from tests.benchmarks.windows import REST_S, OpenWindow

SCRIPT = PACKAGED_SCRIPTS / "Mountains.rnd"


@benchmark("window", full=(60, 10), tiny=(9, 1))
def measure_window(size: tuple[int, int]) -> Iterator[Row]:
    table_side, keys = size
    tables = Tables()
    tables.throw_small_tables()
    tables.show_gallery()
    tables.throw_large_table(table_side)
    panels = Panels()
    panels.judge_script(keys)
    for title, pauses_ms in (("tables", tables.pauses_ms), ("script", panels.pauses_ms)):
        for action, pause_ms in pauses_ms.items():
            yield Row(f"{title}: {action}", pause_ms, "ms")
        yield Row(f"{title}: longest pause", max(pauses_ms.values()), "ms")


class Tables(OpenWindow):
    """Wargame tables that are thrown, played and compared in a window."""

    @property
    def dice(self):
        """The panel Dice, None until it is made."""
        return self.desk.docks.find_panel("dice")

    def throw_small_tables(self) -> None:
        """Do what the panel Dice offers."""
        self.do("panel Dice", lambda: self.open_table(9, 8), lambda: self.dice is not None)
        self.choose_features()
        # The buttons of the dice, without the time of the mouse.
        throw, back, _forth = self.dice._actions
        self.do("first throw", throw.trigger, self.is_thrown)
        self.do("throw again", throw.trigger, self.is_thrown)
        self.do("a table back", back.trigger, self.is_thrown)
        for feature in ("hills", "water", "railways"):
            button = self.dice.form.throw_buttons[feature]
            self.do(f"{feature} thrown again", button.click, self.is_thrown)
        self.do("tab Dice log", lambda: self.dice.tabs.setCurrentIndex(1), self.is_thrown)
        self.do("a throw beside its log", throw.trigger, self.is_thrown)
        self.do("a line is played", lambda: self.dice.player.show_line(5), self.is_thrown)
        self.do("playing stops", self.dice.player.stop, self.is_thrown)

    def show_gallery(self) -> None:
        """Look at many tables."""
        self.do("gallery", lambda: self.desk.docks.show("gallery"), self.is_gallery_complete)
        gallery = self.desk.docks.panel("gallery")
        self.do("other tables", gallery.form.seed_fields.new_seed.click, self.is_gallery_complete)
        self.desk.docks.close("gallery")

    def throw_large_table(self, side: int) -> None:
        """Throw on a table that is larger than any in the rules."""
        self.do("large bare table", lambda: self.open_table(side, side))
        self.choose_features()
        # The buttons of the dice, without the time of the mouse.
        throw, _back, _forth = self.dice._actions
        self.do("first throw, large", throw.trigger, self.is_thrown)
        self.do("second throw, large", throw.trigger, self.is_thrown)

    def open_table(self, width: int, height: int) -> None:
        """Show a bare table as the current map."""
        grid = table_grid("square", width, height)
        self.desk.document.show_map(BattleMap.new(SYSTEM, grid, [Layer(1, "Table")]))

    def choose_features(self) -> None:
        """Choose what takes most throws."""
        throwing = self.dice.findChild(DiceController).throwing
        throwing.map_choices.choose(relief="mountainous", railways=2, lakes=True)
        self.rest(REST_S)

    def is_thrown(self) -> bool:
        """Return whether the throw and its log are complete."""
        if self.desk.rolling.busy or not self.dice.log.lines():
            return False
        # When the log is complete nobody is told.
        return self.dice.findChild(DiceController).throwing.table.has_fresh_log


class Panels(OpenWindow):
    """Panels that judge a script."""

    def judge_script(self, keys: int) -> None:
        """Open what is made late, and change a percentage with the odds on the map."""
        self.desk.files.open_path(SCRIPT)
        self.wait_until(lambda: self.desk.scripts.script.name == SCRIPT.name)
        self.rest(1.0)
        self.show_panel("odds")
        self.rest(1.5)
        self.type_percentages(keys)
        self.show_panel("fairness")
        self.rest(2.0)
        self.do("gallery", lambda: self.desk.docks.show("gallery"), self.is_gallery_complete)
        gallery = self.desk.docks.panel("gallery")
        self.do("other maps", gallery.form.seed_fields.new_seed.click, self.is_gallery_complete)

    def show_panel(self, name: str) -> None:
        """Show a panel for the first time."""
        self.do(
            f"panel {name}",
            lambda: self.desk.docks.show(name),
            lambda: self.desk.docks.find_panel(name) is not None,
        )

    def type_percentages(self, keys: int) -> None:
        """Type so many keys in the script, each of which changes the odds."""
        live = self.desk.docks.panel("odds").findChild(OddsController).live
        self.wait_until(lambda: live.is_settled)
        editor = self.desk.docks.panel("randomize").editor
        percentage = re.search(r"HAZARDS.*?,\s*(?=\d\d)", editor.text(), re.DOTALL)
        assert percentage is not None
        digit = percentage.end()

        def type_key() -> None:
            cursor = editor.textCursor()
            cursor.setPosition(digit)
            cursor.setPosition(digit + 1, cursor.MoveMode.KeepAnchor)
            editor.setTextCursor(cursor)
            QTest.keyClicks(editor, "9" if cursor.selectedText() == "1" else "1")

        for _key in range(keys):
            self.do("a key with the odds on", type_key, lambda: live.is_settled)

"""Draw the pictures of the manual and the README again: ``python3 packaging/draw_manual.py``.

Every picture is of the real window, driven without a screen; names on the command line draw only
those. The maps are the same every time (seeds are fixed); letters look as the fonts at hand do.
Run it with the environment's own interpreter, as PySide6 and numpy are needed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from make_manual import steps_of_the_example  # noqa: E402
from pictures.quantize import quantized  # noqa: E402
from PySide6.QtCore import QEventLoop, QPoint, QPointF, QRect, QSettings, Qt, QTimer  # noqa: E402
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QDockWidget, QMenu, QWidget  # noqa: E402

from app.appearance.scheme import apply_scheme  # noqa: E402
from app.background.actions import run  # noqa: E402
from app.document.document import MapDocument  # noqa: E402
from app.document.map_files import new_map  # noqa: E402
from app.document.sample import sample_map  # noqa: E402
from app.features.game.group.window import GroupWindow  # noqa: E402
from app.features.odds.feature import OddsController  # noqa: E402
from app.settings import Settings  # noqa: E402
from app.systems.cordery.feature import DiceController  # noqa: E402
from app.window import MainWindow  # noqa: E402
from randomizer.catalog.generators import generators  # noqa: E402
from randomizer.catalog.map_formats import formats  # noqa: E402
from randomizer.catalog.systems import systems  # noqa: E402
from randomizer.model.edits.thing_edits import add_things  # noqa: E402
from randomizer.model.rolls.draw_key import DrawKey  # noqa: E402
from randomizer.model.things.things import Thing  # noqa: E402
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL, LABELS  # noqa: E402
from randomizer.systems.colossus.system import SYSTEM  # noqa: E402
from randomizer.systems.cordery.system import SYSTEM as TABLES  # noqa: E402
from randomizer.systems.cordery.system import table_grid  # noqa: E402
from randomizer.systems.xconq.system import SYSTEM as WORLDS  # noqa: E402
from randomizer.systems.zeroad.system import SYSTEM as MAPS_0AD  # noqa: E402

FOLDER = ROOT / "docs" / "manual" / "pictures"
LEFT = Qt.MouseButton.LeftButton
LIMIT_BYTES = 200_000
WAIT_S = 60
STILL_MS = 400
"""What does not change for so long is painted in full."""
SHOWN_GAME = "/home/ann/Colossus"
SHOWN_MODS = "/home/ann/.local/share/0ad/mods"
"""What the dialogs say instead of the temporary folder of the made-up game."""

BROKEN_SCRIPT = """\
# A pond somewhere inside, with reeds round it.
TITLE Pond
LABEL pond = SOMEOF(3,(inside))
AREA (pond) HAZARD Lake Lake Lake,50
AREA SURROUNDINGSOF((pnd)) HAZARDS Brush,80. Bog,50
PAIR (Bog,*)(Plains,*) HEXSIDES x,30.
"""


class Desk:
    """A real window on the sample map, with settings of its own in ``folder``."""

    def __init__(self, folder: Path, scheme: str, width: int, height: int) -> None:
        store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.settings = Settings(store)
        self.settings.theme = scheme
        apply_scheme(scheme)
        self.window = MainWindow(MapDocument(sample_map()), self.settings)
        self.document = self.window.desk.document
        self.panel_width(330)
        ready: list[bool] = []
        self.window.desk.ready.connect(lambda: ready.append(True))
        self.window.resize(width, height)
        self.window.show()
        wait_until(lambda: bool(ready))
        self.settle()

    def close(self) -> None:
        """Close the window without a question."""
        self.document.set_path(self.document.path)
        self.window.close()
        self.window.deleteLater()
        pause(10)

    def settle(self) -> None:
        """Wait until no roll is under way and everything is painted."""
        wait_until(lambda: not self.window.desk.rolling.busy)
        wait_until(lambda: self.window.desk.scripts.checker.fresh)
        pause(200)

    def dock(self, name: str) -> QDockWidget:
        """A panel by its object name."""
        found: QDockWidget = self.window.findChild(QDockWidget, name)
        return found

    def panel_width(self, width: int) -> None:
        """Make the panels on the right this wide."""
        self.window.resizeDocks([self.dock("randomize")], [width], Qt.Orientation.Horizontal)

    def at(self, label: str, dx: float = 0.0, dy: float = 0.0) -> QPoint:
        """A point of the canvas: the centre of a hex, moved by hex radii."""
        grid = self.document.battlemap.grid
        x, y = grid.centre(self.cell(label))
        point: QPoint = self.window.desk.canvas.viewport.to_screen(x + dx, y + dy).toPoint()
        return point

    def at_hex(self, x: int, y: int) -> QPoint:
        """The centre, on the canvas, of a hex of a map whose cells have coordinates."""
        grid = self.document.battlemap.grid
        point = self.window.desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, y)))
        return QPoint(point.toPoint())

    def cell(self, label: str) -> int:
        """The cell of a hex."""
        return CELL_OF_HEX[HEX_OF_LABEL[label]]

    def paint(self, tool: str, *labels: str) -> None:
        """Click with a tool."""
        self.window.desk.tools.choose(tool)
        for label in labels:
            QTest.mouseClick(self.window.desk.canvas, LEFT, pos=self.at(label))

    def hover(self, point: QPoint) -> None:
        """Move the mouse over the canvas."""
        QTest.mouseMove(self.window.desk.canvas, point)
        pause(60)

    def roll(self, name: str, seed: int, number: int = 0) -> None:
        """Roll a packaged script."""
        panel = self.window.desk.docks.panel("randomize")
        generator = next(generator for generator in generators() if generator.name == name)
        self.run(self.window.desk.scripts.opening.open_generator(generator))
        panel.roll_bar.new_seed.setChecked(False)
        panel.rolling.key_choice.type_seed(seed)
        panel.rolling.key_choice.type_number(number)
        self.press(panel.roll_action.trigger)

    def run(self, action: Coroutine[Any, Any, object]) -> None:
        """Run an action and wait for its end."""
        is_over: list[bool] = []

        async def run_to_end() -> None:
            await action
            is_over.append(True)

        run(run_to_end())
        wait_until(lambda: bool(is_over))

    def press(self, command: Callable[[], object]) -> None:
        """Do something that ends in an undo step, and wait for it."""
        before = self.document.history.index
        command()
        wait_until(lambda: self.document.history.index != before)
        self.settle()

    def picture(self, widget: QWidget | None = None) -> QImage:
        """Return the window, or one widget of it, when it has been painted in full.

        The map is drawn in drafts first, and pictures of the palette come one by one: it is painted
        once it looks the same after a while.
        """
        shown = widget or self.window
        wait_until(lambda: self.window.desk.canvas.is_sharp)
        previous_image = QImage()
        image = shown.grab().toImage()
        while image != previous_image:
            pause(STILL_MS)
            previous_image = image
            image = shown.grab().toImage()
        return image


# --- time ---------------------------------------------------------------------------------------


def pause(duration_ms: int) -> None:
    """Let the event loop run for a while."""
    loop = QEventLoop()
    QTimer.singleShot(duration_ms, loop.quit)
    loop.exec()


def wait_until(condition: Callable[[], bool]) -> None:
    """Let the event loop run until something holds."""
    end_s = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end_s:
            raise TimeoutError("the desk did not get there")
        pause(10)


# --- what is drawn over a picture -----------------------------------------------------------------


def with_pointer(image: QImage, tip: QPoint) -> QImage:
    """The picture with a mouse pointer whose tip is there."""
    outline = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(tip)
    painter.setPen(QPen(QColor("white"), 1.4))
    painter.setBrush(QColor("black"))
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in outline]))
    painter.end()
    return image


def with_menu(image: QImage, menu: QMenu, corner: QPoint) -> QRect:
    """Draw an open menu onto the picture, its upper left corner there; where it lies."""
    menu.ensurePolished()
    menu.popup(QPoint(0, 0))
    pause(60)
    shown = menu.grab().toImage()
    menu.close()
    place = QRect(corner, shown.size())
    painter = QPainter(image)
    painter.fillRect(place.translated(3, 3), QColor(0, 0, 0, 50))
    painter.drawImage(corner, shown)
    painter.end()
    return place


# --- the pictures ---------------------------------------------------------------------------------


def draw_desk(folder: Path) -> QImage:
    """The whole desk as it opens, the mouse over the volcano."""
    with desk(folder) as it:
        it.hover(it.at("D4", 0.1, 0.1))
        tip = it.window.desk.canvas.mapTo(it.window, it.at("D4", 0.1, 0.1))
        return with_pointer(it.picture(), tip)


def draw_dark(folder: Path) -> QImage:
    """The desk in dark colours, with a desert."""
    with desk(folder, scheme="dark", width=1120, height=760) as it:
        it.window.desk.document.replace_map(new_map(SYSTEM))
        it.roll("Desert", 4)
        it.document.set_path(it.document.path)
        return it.picture()


def draw_hex_menu(folder: Path) -> QImage:
    """The menus of a hex and of an edge."""
    from app.features.cell_menu.hex_menu import cell_menu, edge_menu

    with desk(folder, height=900) as it:
        canvas = it.window.desk.canvas
        for name in ("palette", "randomize", "layers", "properties", "history"):
            it.dock(name).hide()
        it.settle()
        on_hex = it.at("B4", -0.1, -0.2)
        on_edge = it.at("E5", 0, 0.82)
        hit = canvas.hit_at(QPointF(on_edge))
        assert hit is not None
        it.hover(on_hex)
        image = it.picture(canvas)
        place = with_menu(
            image, cell_menu(it.document, it.cell("B4"), canvas, canvas.renderer), on_hex
        )
        place |= with_menu(image, edge_menu(it.document, hit, canvas, canvas.renderer), on_edge)
        return image.copy(place.adjusted(-90, -90, 30, 24))


def draw_slope(folder: Path) -> QImage:
    """Painting a slope: the side that lights up, and the hex that will own it."""
    with desk(folder) as it:
        window = it.window
        window.desk.document.replace_map(new_map(SYSTEM))
        window.desk.tools.options.set_elevation(1)
        it.paint("elevation", "C2", "C3", "D3")
        window.desk.tools.options.set_elevation(2)
        it.paint("elevation", "D3")
        window.desk.tools.options.choose(hexside=3)
        window.desk.tools.choose("hexside")
        for label, dx, dy in (("C3", 0.0, -0.8), ("C3", -0.7, -0.4), ("D3", 0.0, 0.8)):
            QTest.mouseClick(window.desk.canvas, LEFT, pos=it.at(label, dx, dy))
        window.desk.canvas.zoom(1.3, QPointF(it.at("C3")))
        edge = it.at("C2", 0.0, 0.72)
        it.hover(edge)
        image = with_pointer(it.picture(window.desk.canvas), edge)
        return image.copy(QRect(it.at("B3", -0.9, -0.6), it.at("E1", 0.9, 0.4)))


def draw_roll(folder: Path) -> QImage:
    """A second roll: two locked hexes stayed, two painted ones went into Touch-ups."""
    with desk(folder) as it:
        window = it.window
        window.desk.document.replace_map(new_map(SYSTEM))
        it.roll("Swamp", 17)
        window.desk.tools.options.choose(terrain=11)
        it.paint("terrain", "E4")
        window.desk.tools.options.choose(terrain=10)
        it.paint("terrain", "B2")
        bogs = [label for label in LABELS if is_terrain(it, label, "Bog")]
        it.paint("lock", *bogs[:2])
        window.desk.tools.choose("terrain")
        it.press(window.desk.docks.panel("randomize").roll_action.trigger)
        return it.picture()


def draw_odds(folder: Path) -> QImage:
    """What is likeliest on every hex of a swamp, and all about one hex."""
    with desk(folder, height=960) as it:
        window = it.window
        window.desk.document.replace_map(new_map(SYSTEM))
        it.roll("Swamp", 17)
        it.panel_width(330)
        window.desk.docks.show("odds")
        panel = window.desk.docks.panel("odds")
        wait_until(lambda: panel.findChild(OddsController).live.is_settled)
        panel.show_cell(it.cell("D4"))
        return it.picture()


def fairness_panel(it: Desk) -> QWidget:
    """The panel of fairness with its first results, on a map of mountains."""
    it.window.desk.document.replace_map(new_map(SYSTEM))
    it.roll("Mountains", 5)
    it.document.set_path(it.document.path)
    it.panel_width(330)
    it.dock("randomize").hide()
    it.window.desk.docks.show("fairness")
    panel: QWidget = it.window.desk.docks.panel("fairness")
    wait_until(lambda: panel.battles.rowCount() > 0)
    return panel


def draw_fairness(folder: Path) -> QImage:
    """How often attackers win from each side, and where creatures die."""
    with desk(folder, height=700) as it:
        panel = fairness_panel(it)
        panel.picture_choice.combo.setCurrentText("Deaths of both")
        panel.picture_choice.combo.activated.emit(panel.picture_choice.combo.currentIndex())
        return it.picture()


def draw_fight(folder: Path) -> QImage:
    """The results of battles of two armies."""
    from app.features.fairness.fight_dialog import FightDialog

    with desk(folder) as it:
        fairness_panel(it).fight_button.click()
        dialog = it.window.findChild(FightDialog)
        assert isinstance(dialog, FightDialog)
        army = "2 Lion+2 Ogre+Centaur+Minotaur+Troll"
        dialog.form.show_values({**dialog.form.values(), "attacker": army, "defender": army})
        dialog.fight_button.click()
        wait_until(dialog.fight_button.isEnabled)
        image = it.picture(dialog)
        dialog.close()
        return image


def draw_table(folder: Path) -> QImage:
    """A wargame table that was just thrown, with what was chosen for it."""
    with desk(folder, width=1280, height=860) as it:
        window = it.window
        window.desk.document.replace_map(new_map(TABLES, table_grid("hex", 9, 8)))
        panel = window.desk.docks.panel("dice")
        dice = panel.findChild(DiceController)
        dice.throwing.map_choices.choose(relief="hilly", railways=1, planted="orchard")
        window.desk.rolling.key_choice.set_displayed(DrawKey(5, 0))
        window.desk.docks.panel("randomize").roll_bar.new_seed.setChecked(False)
        window.desk.docks.panel("randomize").roll_action.trigger()
        wait_until(lambda: len(window.desk.document.battlemap.layers) > 1)
        it.panel_width(330)
        window.desk.canvas.fit()
        pause(700)  # pictures that take time are drawn a little later
        return it.picture()


def draw_world(folder: Path) -> QImage:
    """A new world of Xconq beside the chart of its period."""
    with desk(folder, width=1280, height=820) as it:
        it.window.desk.document.replace_map(new_map(WORLDS))
        it.roll("Modern", 7)
        it.document.set_path(it.document.path)
        it.window.desk.canvas.fit()
        pause(3000)  # the panel comes after the map, pictures that take time after it
        return it.picture()


UNITS = (
    ("infantry", 16, 12, 2),
    ("tanks", 14, 13, 2),
    ("artillery", 13, 13, 2),
    ("engineers", 15, 11, 2),
    ("fighter", 18, 14, 2),
    ("carrier", 20, 12, 2),
    ("helicopter", 20, 12, 2),
    ("patrol ship", 19, 14, 2),
    ("landing ship", 20, 9, 1),
    ("infantry", 20, 9, 1),
    ("submarine", 21, 8, 1),
    ("bomber", 15, 8, 1),
    ("infantry", 13, 8, 3),
    ("tanks", 11, 10, 3),
)
"""Unit types, hexes and sides of the picture of units."""


def draw_units(folder: Path) -> QImage:
    """Units of three sides on and around a continent."""
    with desk(folder, width=1100, height=760) as it:
        it.window.desk.document.replace_map(new_map(WORLDS))
        it.roll("Modern", 7)
        battlemap = it.document.battlemap
        grid = battlemap.grid
        layer = battlemap.layers[-1].id
        for number, (kind, x, y, owner) in enumerate(UNITS, 10_000):
            at = grid.centre(grid.cell(x, y))
            placed = battlemap.system.thing_rules.settled(
                battlemap, [Thing(-1, kind, *at, owner=owner)]
            )
            things = [replace(thing, id=number) for thing in placed.things]
            added = add_things(battlemap, layer, things)
            assert added is not None
            it.document.push(added, "Place a unit")
        canvas = it.window.desk.canvas
        canvas.zoom(4.2, QPointF(it.at_hex(17, 11)))
        canvas.pan(*(canvas.rect().center() - it.at_hex(16, 11)).toTuple())
        pause(700)
        image = it.picture(canvas)
        it.document.set_path(it.document.path)
        middle = it.at_hex(16, 11)
        return image.copy(QRect(0, 0, 470, 330).translated(middle - QPoint(235, 165)))


def is_terrain(it: Desk, label: str, name: str) -> bool:
    """Whether a hex shows this terrain."""
    code = it.document.battlemap.terrain_set.terrain_code(name)
    return bool(it.document.composite.planes["terrain"].flat[it.cell(label)] == code)


def draw_script(folder: Path) -> QImage:
    """The panel with a script that has problems, one of them chosen."""
    path = folder / "Pond.rnd"
    path.write_text(BROKEN_SCRIPT, encoding="utf-8")
    with desk(folder, height=690) as it:
        panel = it.window.desk.docks.panel("randomize")
        for name in ("palette", "layers", "history", "properties"):
            it.dock(name).hide()
        it.panel_width(600)
        it.window.desk.document.replace_map(new_map(SYSTEM))
        it.run(it.window.desk.scripts.opening.open(path))
        it.settle()
        wait_until(it.window.desk.commands.action("view.problems").isEnabled)
        it.window.desk.commands.run("view.problems")
        it.settle()
        rows = panel.problem_list.rows
        rows.setCurrentRow(1)
        rows.setFocus()
        return it.picture()


def draw_layers(folder: Path) -> QImage:
    """The layers panel with a roll, its touch-ups and a hidden layer."""
    with desk(folder) as it:
        window = it.window
        window.desk.document.replace_map(new_map(SYSTEM))
        it.roll("Woods", 3)
        window.desk.tools.options.choose(terrain=8)
        it.paint("terrain", "D3", "D4")
        it.press(window.desk.docks.panel("randomize").roll_action.trigger)
        panel = window.desk.docks.panel("layers")
        panel.list.setCurrentRow(0)
        window.desk.commands.run("layer.new-layer")
        panel.list.item(0).setText("A tower, perhaps")
        window.desk.tools.options.choose(terrain=7)
        it.paint("terrain", "C3")
        panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
        panel.list.setCurrentRow(2)
        it.dock("properties").hide()
        window.desk.docks.show("layers")
        window.resizeDocks([it.dock("layers")], [270], Qt.Orientation.Vertical)
        pause(300)  # the pictures of the layers come a little later
        image = it.picture()
        place = it.dock("layers").geometry()
        return image.copy(place)


def draw_steps(folder: Path) -> QImage:
    """The manual's example after each of its steps, rolled with one seed onto an empty map."""
    from app.render.overlay_options import Overlays
    from app.render.renderer import Renderer
    from app.render.theme import theme
    from randomizer.catalog.scripts import generator_for_script
    from randomizer.generator_run import run
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.rolls.draw_key import DrawKey
    from randomizer.roll_base import Base
    from randomizer.systems.colossus.system import SYSTEM

    apply_scheme("light")
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(entry_sides=False)
    script = ""
    size = 300
    pictures = []
    for step in steps_of_the_example():
        script += step
        generator = generator_for_script(script, "Oasis.rnd")
        base = Base.under(BattleMap.new(SYSTEM), 0)
        made = run(generator, {}, DrawKey(17, 0), base)
        assert made is not None
        battlemap = BattleMap.new(SYSTEM, layers=[*made.layers])
        pictures.append(renderer.picture(battlemap, battlemap.composite(), size, size, 0.2, 1.0))
    columns = 3
    rows = -(-len(pictures) // columns)
    sheet = QImage(size * columns, size * rows, QImage.Format.Format_RGB32)
    sheet.fill(renderer.theme.background)
    painter = QPainter(sheet)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        painter.drawImage(column * size, row * size, picture)
        font = painter.font()
        font.setPixelSize(20)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#555"))
        painter.drawText(column * size + 16, row * size + 32, str(number + 1))
    painter.end()
    return sheet


def draw_new_map(folder: Path) -> QImage:
    """The catalogue of 0 A.D. maps, without what an installed game adds."""
    from app.features.new_map.dialog import NewMapDialog
    from randomizer.catalog import script_catalog

    found = script_catalog.found_entries
    script_catalog.found_entries = lambda: iter(())
    try:
        with desk(folder) as it:
            it.window.desk.commands.run("file.new-map")
            dialog = it.window.findChild(NewMapDialog)
            assert isinstance(dialog, NewMapDialog)
            kinds = [system.name for system in systems()]
            dialog.kinds.setCurrentRow(kinds.index("zeroad"))
            wait_until(lambda: not dialog.entries.thumbnails.busy)
            dialog.resize(800, 560)
            pause(600)
            image = it.picture(dialog)
            dialog.close()
            return image
    finally:
        script_catalog.found_entries = found


def draw_open_game(folder: Path) -> QImage:
    """Choosing a battleland of the game."""
    with desk(folder) as it:
        it.settings.set_game_dir("colossus", make_game(folder / "Colossus"))
        it.window.desk.games.open_from_game()
        dialog = it.window.desk.games.dialog
        wait_until(lambda: dialog.slots.count() > 1 and not dialog.status.busy)
        dialog.slots.setCurrentRow(3)
        dialog.chooser.line.setText(SHOWN_GAME)
        dialog.resize(900, 560)
        pause(600)
        image = it.picture(dialog)
        dialog.close()
        return image


def draw_export(folder: Path) -> QImage:
    """The plan of an export into a variant of one's own."""
    with desk(folder) as it:
        game = make_game(folder / "Colossus")
        it.settings.set_game_dir("colossus", game)
        it.window.desk.games.export()
        dialog = it.window.desk.games.dialog
        wait_until(lambda: dialog.form.group_choice.box.count() > 1)
        dialog.form.slot_choice.box.setCurrentText("Mountains")
        wait_until(dialog.export_button.isEnabled)
        pause(600)
        dialog.chooser.line.setText(SHOWN_GAME)
        html = dialog.plan_view.toHtml()
        dialog.plan_view.setHtml(html.replace(str(game.resolve()), SHOWN_GAME))
        image = it.picture(dialog)
        dialog.close()
        return image


def draw_map_0ad(folder: Path) -> QImage:
    """Islands for 0 A.D. as they were rolled."""
    with desk(folder, width=1120, height=740) as it:
        it.window.desk.document.replace_map(new_map(MAPS_0AD))
        it.roll("Islands", 7)
        it.document.set_path(it.document.path)
        it.window.desk.canvas.fit()
        pause(3000)
        return it.picture()


def draw_export_0ad(folder: Path) -> QImage:
    """The plan of an export into a mod of 0 A.D."""
    with desk(folder) as it:
        mods = folder / "mods"
        mods.mkdir()
        it.settings.set_game_dir("zeroad", mods)
        it.window.desk.document.replace_map(new_map(MAPS_0AD))
        it.roll("Islands", 7)
        it.document.set_path(it.document.path)
        it.window.desk.games.export()
        dialog = it.window.desk.games.dialog
        wait_until(lambda: dialog.form.slot_choice.box.count() > 0)
        dialog.form.slot_choice.name.setText("desert_islands")
        wait_until(dialog.export_button.isEnabled)
        pause(1500)
        dialog.chooser.line.setText(SHOWN_MODS)
        html = dialog.plan_view.toHtml()
        dialog.plan_view.setHtml(html.replace(str(mods.resolve()), SHOWN_MODS))
        image = it.picture(dialog)
        dialog.close()
        return image


def draw_variant(folder: Path) -> QImage:
    """A whole variant: one row is locked, one stays as it is, one was painted by hand."""
    from app.features.game.group.rolls import CATALOGUE, Choice, text_of_choices
    from randomizer.systems.colossus.game.variant import DEFAULT_TERRAINS

    with desk(folder) as it:
        it.settings.set_game_dir("colossus", make_game(folder / "Colossus"))
        choices = {name: Choice(CATALOGUE + name, 17, 2) for name in DEFAULT_TERRAINS}
        choices["Hills"] = Choice(CATALOGUE + "Hills", 4, 1, locked=True)
        choices["Tower"] = Choice()
        it.settings.set_group_choices("colossus", "Default", text_of_choices(choices))
        it.window.desk.games.show_group_window()
        window = it.window.findChild(GroupWindow)
        wait_until(lambda: len(window.board.new_maps()) == len(DEFAULT_TERRAINS) - 1)
        window.board.rows[3].edit_button.click()
        it.window.desk.tools.options.choose(terrain=10)
        it.paint("terrain", "D3", "D4", "C3")
        it.window.desk.games.show_group_window()
        wait_until(lambda: not window.board.has_pending_rows)
        window.resize(1120, 850)
        window.chooser.line.setText(SHOWN_GAME)
        pause(600)
        image = it.picture(window)
        window.close()
        return image


def make_game(root: Path) -> Path:
    """A made-up game: the battlelands in its jar are rolls of our own scripts."""
    from randomizer.generator_run import run
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.rolls.draw_key import DrawKey
    from randomizer.roll_base import Base
    from randomizer.systems.colossus.game.variant import DEFAULT_TERRAINS, new_var_file

    root.mkdir()
    terrains = "".join(f'<terrain name="{name}"/>' for name in DEFAULT_TERRAINS)
    with zipfile.ZipFile(root / "Colossus.jar", "w") as jar:
        jar.writestr("Default/DefaultVar.xml", new_var_file("Default"))
        jar.writestr("Default/DefaultTer.xml", f"<terrains>{terrains}</terrains>")
        for generator in generators():
            if generator.name not in DEFAULT_TERRAINS:
                continue
            base = Base.under(BattleMap.new(generator.system), 0)
            made = run(generator, {}, DrawKey(5, 0), base)
            assert made is not None
            battlemap = BattleMap.new(generator.system, layers=[*made.layers])
            data = formats()[0].write(battlemap)
            jar.writestr(f"Default/Battlelands/{generator.name}.xml", data)
    own = root / "MyLands"
    (own / "Battlelands").mkdir(parents=True)
    (own / "MyLandsVar.xml").write_bytes(new_var_file("MyLands"))
    return root


@contextmanager
def desk(
    folder: Path, scheme: str = "light", width: int = 1180, height: int = 800
) -> Iterator[Desk]:
    """A desk that is closed afterwards."""
    it = Desk(folder, scheme, width, height)
    try:
        yield it
    finally:
        it.close()


PICTURES: dict[str, Callable[[Path], QImage]] = {
    "desk": draw_desk,
    "dark": draw_dark,
    "hex-menu": draw_hex_menu,
    "slope": draw_slope,
    "roll": draw_roll,
    "script": draw_script,
    "layers": draw_layers,
    "steps": draw_steps,
    "new-map": draw_new_map,
    "open-game": draw_open_game,
    "export": draw_export,
    "variant": draw_variant,
    "odds": draw_odds,
    "fairness": draw_fairness,
    "fight": draw_fight,
    "table": draw_table,
    "world": draw_world,
    "units": draw_units,
    "map-0ad": draw_map_0ad,
    "export-0ad": draw_export_0ad,
}


def main(names: list[str]) -> int:
    """Draw the named pictures, or all."""
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"no such picture: {', '.join(unknown)} ({', '.join(PICTURES)})", file=sys.stderr)
        return 2
    application = QApplication([])
    application.setCursorFlashTime(0)  # a text cursor that blinks would never stand still
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory(prefix="battlelands-manual-") as folder:
            image = quantized(PICTURES[name](Path(folder)))
        path = FOLDER / f"{name}.png"
        if not image.save(str(path), quality=0):  # 0: the smallest file
            print(f"{path} cannot be written", file=sys.stderr)
            return 1
        size = path.stat().st_size
        print(f"{path.name}: {image.width()} x {image.height()}, {size / 1000:.0f} kB")
        if size > LIMIT_BYTES:
            print(f"{path.name} is too large", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""The palette: what a system's maps are made of, as buttons in straight columns."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QToolButton, QWidget

from app.document.sample import sample_map
from app.features.palette.button_names import in_lines
from app.features.palette.panel import Palette
from app.features.palette.swatches import LINE_LENGTHS
from app.render.renderer import Renderer
from app.render.theme import theme
from app.tools import ToolOptions
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.cordery_tables import bare_table


@pytest.fixture
def buttons(qtbot):
    """The buttons of a palette for a map, with their pictures, by what they say to a reader."""

    def shown(battlemap: BattleMap) -> dict[str, QToolButton]:
        palette = Palette(battlemap, ToolOptions(), lambda _tool: None)
        qtbot.addWidget(palette)
        palette.resize(300, 800)
        palette.show()
        palette.draw_pictures(Renderer(theme("light")))
        qtbot.waitUntil(lambda: palette.is_fully_drawn)
        shown.palette = palette  # it lives as long as its buttons are asked
        found = palette.findChildren(QToolButton)
        return {each.accessibleName(): each for each in found if each.isVisible()}

    return shown


def test_elevations_without_pictures_are_rows_of_text(buttons):
    found = buttons(sample_map())
    text = found["Elevation 1"].fontMetrics().height()
    assert found["Elevation 1"].height() < 3 * text
    assert found["Terrain Tree"].height() > 3 * text


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_the_pictures_of_a_column_stand_below_each_other(buttons, kind):
    found = buttons(bare_table(kind))
    terrains = [each for name, each in found.items() if name.startswith("Terrain ")]
    middles = {terrain.geometry().center().x() for terrain in terrains}
    assert len(terrains) > 9
    for column in (0, 1, 2):
        xs = [terrain.geometry().center().x() for terrain in terrains[column::3]]
        assert max(xs) - min(xs) <= 1
    assert len(middles) <= 6


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("medit_dirt", "medit dirt"),
        ("medit_grass_field", "medit grass\nfield"),
        ("alpine_mountainside", "alpine\nmountainside"),
        ("Deep sea", "Deep sea"),
    ],
)
def test_names_of_textures_are_shown_as_words(name: str, shown: str) -> None:
    assert in_lines(name, LINE_LENGTHS[0]) == shown


class ShownWindows(QObject):
    """Notes the windows that are shown while it watches the application."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(watched)
        return False


def test_no_part_of_the_palette_is_ever_a_window_that_takes_the_keyboard(qtbot, qapp):
    palette = Palette(sample_map(), ToolOptions(), lambda _tool: None)
    qtbot.addWidget(palette)
    palette.show()
    shown = ShownWindows()
    qapp.installEventFilter(shown)
    palette.show_map(BattleMap.new(ZEROAD), Renderer(theme("light")))
    assert palette.more_button.isVisible()
    assert shown.windows == []
    qapp.removeEventFilter(shown)

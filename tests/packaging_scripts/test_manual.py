"""The manual says what the program does: its words, menus, links, pictures and commands."""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QTabBar, QWidget

from randomizer.__main__ import main
from randomizer.catalog.scripts import script_host
from randomizer.catalog.systems import systems
from randomizer.cli.arguments import build_parser
from randomizer.languages.language import SourceText
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Severity
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import PROJECT
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.map_format.map_json import JSON
from randomizer.systems.zeroad.script.script_location import OWN_MOD
from randomizer.systems.zeroad.system import SYSTEM
from tests.daily import deep_but
from tests.packaging_scripts.test_setup_environment import load
from tests.randomizer.systems.colossus.game_on_disk import make_game

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs" / "manual"
PAGES = sorted(MANUAL.glob("*.md"))
ALL_PAGES = [*PAGES, ROOT / "README.md", ROOT / "CHANGELOG.md"]
NAMES = [page.relative_to(ROOT).as_posix() for page in ALL_PAGES]

LINK = re.compile(r"(!?)\[([^\]]+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
COMMAND = re.compile(r"^(\$ )?(?:\.venv/bin/)?randomizer (.+)$")

LIMIT_BYTES = 200_000

BROKEN = {"check my.rnd": "AREA D4 HAZARD Bog\n"}
"""What my.rnd holds for the examples that show what is said of a broken script."""

make_manual = load("make_manual")


def prose(page: Path) -> str:
    """A page without its code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in text.splitlines() if not line.startswith("    ")]
    return re.sub(r"`[^`\n]*`", "", "\n".join(lines))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_reference_parts_say_what_the_desk_says(page):
    text = page.read_text("utf-8")
    assert make_manual.renewed(text) == text, "run packaging/make_manual.py"


def test_every_word_and_every_message_is_in_the_manual():
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    assert {part for _, part, _ in make_manual.PART.findall(pages)} == set(make_manual.PARTS)
    for words in ("problems", "words"):
        for name in make_manual.messages()[words]:
            assert f"`{name}`" in pages
    for word in make_manual.words().values():
        assert f"`{word.usage}`" in pages
    for code in make_manual.faults.messages():
        assert f"`{code}`" in pages


@pytest.mark.parametrize("page", ALL_PAGES, ids=NAMES)
def test_links_lead_somewhere(page):
    for is_picture, _, target in LINK.findall(prose(page)):
        if target.startswith("https://"):
            continue
        place = (page.parent / target).resolve()
        assert place.is_file(), f"{page.name} links to {target}"
        if page.parent == MANUAL:  # the desk shows these pages, and has no others
            assert place.is_relative_to(MANUAL)
        assert not is_picture or place.suffix == ".png"


def test_every_page_is_linked_from_the_first_one():
    linked = {target for _, _, target in LINK.findall(prose(MANUAL / "README.md"))}
    assert {page.name for page in PAGES} - linked == {"README.md"}


def test_pictures_are_small_and_each_is_shown():
    pictures = {path.name: path.stat().st_size for path in (MANUAL / "pictures").iterdir()}
    shown = {Path(target).name for page in ALL_PAGES for _, _, target in LINK.findall(prose(page))}
    assert set(pictures) <= shown
    assert {name for name, size in pictures.items() if size > LIMIT_BYTES} == set()
    drawn = (ROOT / "packaging" / "draw_manual.py").read_text("utf-8")
    assert {name for name in pictures if f'"{Path(name).stem}": draw_' not in drawn} == set()


# --- words of the program -------------------------------------------------------------------------


def menu_paths(menu: QMenu, before: str) -> Iterator[str]:
    """The entries of a menu as "File > Save", those of menus inside too."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.isSeparator():
            continue
        path = f"{before} > {plain(action.text())}"
        yield path
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from menu_paths(inner, path)


def plain(text: str) -> str:
    return text.replace("&", "").rstrip(":")


def texts_of(widget: QWidget) -> Iterator[str]:
    """What a person reads on a window, its menus left out."""
    for each in [widget, *widget.findChildren(QWidget)]:
        for name in ("text", "title", "windowTitle"):
            text = getattr(each, name, None)
            if callable(text) and isinstance(words := text(), str):
                yield plain(words)
                yield plain(words.partition(": ")[0])
        if isinstance(each, QComboBox):
            yield from (each.itemText(index) for index in range(each.count()))
        if isinstance(each, QTabBar):
            yield from (plain(each.tabText(index)) for index in range(each.count()))
    for action in widget.findChildren(QAction):
        yield plain(action.text())
        yield action.shortcut().toString()


def words_of_an_area() -> Iterator[str]:
    """What the menu of an area of a wargame table has at its first level."""
    from PySide6.QtWidgets import QMenu

    from app.systems.cordery.area_menu import Area, AreaMenu, MenuActions
    from randomizer.systems.cordery.choices import Choices
    from randomizer.systems.cordery.dice_log import log_entries, table_rolls
    from tests.app.cordery_tables import rolled_table

    table = rolled_table("square", relief="hilly")
    lowest = next(layer.id for layer in table.layers if layer.roll is not None)
    menu = QMenu()
    log = log_entries(table_rolls(table, lowest))

    def do_nothing(*_any: object) -> None:
        """Stand for what the entries do: only their texts are read."""

    actions = MenuActions(do_nothing, do_nothing, do_nothing)
    area_menu = AreaMenu(log, {}, Choices().routes, str, actions)
    area_menu.add_entries_to(menu, Area(0, "0101", is_at_rim=True))
    for action in menu.actions():
        yield plain(action.text())


@pytest.fixture
def words_of_the_desk(qtbot, tmp_path):
    """Every menu path, key and text of the window and of the dialogs about the game."""
    from app.document.document import MapDocument
    from app.document.sample import sample_map
    from app.features.game.group.window import GroupWindow
    from app.features.new_map.dialog import NewMapDialog
    from app.features.pictures.picture_dialog import PictureDialog
    from app.features.recovery.dialog import RecoveryDialog
    from app.settings import Settings
    from app.window import MainWindow

    settings = Settings(QSettings(str(tmp_path / "desk.ini"), QSettings.Format.IniFormat))
    settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    window = MainWindow(MapDocument(sample_map()), settings, tmp_path / "journals")
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    found = {
        path
        for action in window.menuBar().actions()
        for path in menu_paths(action.menu(), plain(action.text()))
    }
    for name in ("odds", "fairness", "gallery", "dice", "period", "scenario"):
        found |= set(texts_of(window.desk.docks.panel(name)))
    games = window.desk.games
    for open_dialog in (games.open_from_game, games.export, games.take_back):
        open_dialog()
        dialog = games.dialog
        qtbot.waitUntil(lambda: not games.game_folder().busy)
        found |= set(texts_of(dialog))
        dialog.close()
    games.show_group_window()
    variant = window.findChild(GroupWindow)
    qtbot.waitUntil(lambda: bool(variant.board.new_maps()))
    found |= set(texts_of(variant))
    variant.close()
    new_map = NewMapDialog(settings, window)
    new_map.kinds.setCurrentRow([system.name for system in systems()].index("xconq"))
    found |= set(texts_of(new_map))
    window.desk.commands.run("file.print")
    printing = window.findChild(PictureDialog)
    found |= set(texts_of(printing))
    printing.close()
    window.desk.commands.run("randomize.script-from-maps")
    compared = window.desk.compare.show(sample_map(), "another")
    found |= set(texts_of(compared))
    compared.close()
    found |= set(words_of_an_area())
    recovery = RecoveryDialog(
        [],
        [],
        window.desk.autosave,
        window.desk.renderer,
        lambda _file, _draft: True,
        window,
        damaged=False,
    )
    return found | set(texts_of(window)) | set(texts_of(recovery))


def test_what_is_bold_stands_in_the_program(words_of_the_desk):
    wrong = []
    for page in ALL_PAGES:
        for found in BOLD.findall(prose(page)):
            words = " ".join(found.split())
            is_heading = words.endswith(".") and not words.endswith("...")
            if not is_heading and words != "bold" and plain(words) not in words_of_the_desk:
                wrong.append(f"{page.name}: {words}")
    assert not wrong, "\n".join(wrong)


def test_every_menu_of_the_desk_has_its_page(words_of_the_desk):
    text = " ".join(" ".join(prose(page).split()) for page in PAGES)
    menus = {path.split(" > ")[0] for path in words_of_the_desk if " > " in path}
    assert len(menus) >= 7
    assert {menu for menu in menus if f"**{menu} > " not in text} == set()


# --- commands and scripts -------------------------------------------------------------------------


def test_the_example_of_the_language_page_has_no_problems_at_any_step():
    steps = make_manual.steps_of_the_example()
    script = ""
    assert len(steps) == 5
    for step in steps:
        script += step
        problems = script_host("Oasis.rnd").language.check(SourceText(script))
        assert [problem for problem in problems if problem.severity is not Severity.HINT] == []
    assert script_host("Oasis.rnd").language.check(SourceText(script)) == ()


def commands(page: Path) -> Iterator[tuple[str, list[str] | None]]:
    """Each command of a page without the words behind it, and the output that is shown, if any."""
    for lines in code_of(page):
        for number, line in enumerate(lines):
            found = COMMAND.match(line)
            if found is not None:
                shown = lines[number + 1 :] if found[1] else None
                yield re.split(r" {2,}", found[2])[0], shown


def code_of(page: Path) -> Iterator[list[str]]:
    """The lines of every piece of code, indented or fenced, without the indent."""
    text = page.read_text("utf-8")
    pieces = re.findall(
        r"^```[^\n]*\n(.*?)^```$|((?:^ {4}[^\n]*\n)+)", text, re.DOTALL | re.MULTILINE
    )
    for fenced, indented in pieces:
        yield (fenced or textwrap.dedent(indented)).splitlines()


def test_the_page_of_the_command_line_shows_every_verb():
    shown = [command.split()[0] for command, _ in commands(MANUAL / "command-line.md")]
    # A parser tells its verbs to nobody.
    verbs = next(action for action in build_parser()._actions if action.dest == "verb").choices
    assert set(shown) == set(verbs) - {"balance", "list"}, "balancing takes a minute"
    assert len(shown) > 12


def make_world(path: Path) -> None:
    """The maps that the pages name: a free one with a label on it, a board of MegaMek."""
    battlemap = free_map(FLAT, 6, 5)
    ThingsEdit(1, (), (Thing(1, "town", 0.0, 0.0, label="Northmark"),)).apply(battlemap)
    path.write_bytes(PROJECT.write(battlemap))
    board = "".join(f'hex 010{row} 0 "" ""\n' for row in (1, 2))
    path.with_name("vale.board").write_text(f"size 1 2\n{board}end\n")


def make_files_of_0ad(folder: Path) -> None:
    """The files of 0 A.D. that the pages name: a script, its metadata, mods, a map."""
    script = OWN_MOD.path / "maps" / "random" / "hill_country_28.js"
    (folder / "hills.js").write_text(script.read_text("utf-8"), "utf-8")
    said = {"Name": "Hills", "Script": "hills.js", "Description": "Hills", "Size": 128}
    for name in ("hills", "hills_dry"):
        (folder / f"{name}.json").write_text(json.dumps({"settings": said}))
    for place in ("mods/trees/maps", ".local/share/0ad/mods"):
        (folder / place).mkdir(parents=True)
    with ZipFile(folder / "my.zip", "w") as archive:
        archive.writestr("mod.json", "{}")
    (folder / "map.json").write_bytes(JSON.write(BattleMap.new(SYSTEM)))


# The page of the command line has most of the commands, and each of them is run.
QUICK_PAGES = [page for page in ALL_PAGES if page.name != "command-line.md"]


@pytest.mark.parametrize("page", deep_but(ALL_PAGES, *QUICK_PAGES), ids=NAMES)
def test_the_commands_of_a_page_do_what_it_says(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    make_game(tmp_path / "Colossus")
    make_files_of_0ad(tmp_path)
    make_world(tmp_path / "world.battlemap")
    (tmp_path / "xconq" / "lib").mkdir(parents=True)
    (tmp_path / "xconq" / "lib" / "standard.per").write_text(packaged_text(MODERN), "latin-1")
    script = tmp_path / "my.rnd"
    for command, shown in commands(page):
        if command.startswith("roll hills") and not has_engine():
            continue
        script.write_text(BROKEN.get(command, "".join(make_manual.steps_of_the_example())))
        code = main([word.replace("~", str(tmp_path)) for word in shlex.split(command)])
        said = capfd.readouterr()
        if shown is None:
            assert code == 0, f"randomizer {command}: {said.err}"
        else:
            assert (said.out + said.err).splitlines() == shown


def test_scripts_that_are_named_are_there():
    for page in [*ALL_PAGES, ROOT / "CONTRIBUTING.md"]:
        for script in re.findall(r"packaging/\w+\.py", page.read_text("utf-8")):
            assert (ROOT / script).is_file(), f"{page.name} names {script}"

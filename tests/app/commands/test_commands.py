"""The table of commands: rows, their state, and the menus that are laid out from it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMainWindow, QToolBar

from app.commands.commands import WHY, Change, Command, Commands
from app.commands.layout import MENUS, PANEL_ENTRIES, TOOL_BARS, Menu, entries, path_of
from app.commands.menus import Menus
from app.document.sample import sample_map
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.layouts import SQUARE
from randomizer.systems.free.system import free_map


@pytest.fixture
def frame(qtbot) -> QMainWindow:
    frame = QMainWindow()
    qtbot.addWidget(frame)
    return frame


@pytest.fixture
def commands(frame, document) -> Commands:
    return Commands(frame, document, add_icon=lambda _action, _name: None)


def row(name: str, done: list[str] | None = None, **more) -> Command:
    done = [] if done is None else done
    return Command(name, name.split(".")[1].capitalize(), lambda: done.append(name), **more)


def texts(menu) -> list[str]:
    return ["-" if action.isSeparator() else action.text() for action in menu.actions()]


def test_an_id_stands_for_one_command_and_in_one_place(commands):
    commands.add([row("file.save")])
    with pytest.raises(ValueError, match="two commands"):
        commands.add([row("file.save")])
    with pytest.raises(ValueError, match="in no menu"):
        commands.add([row("nowhere.here")])
    assert path_of("view.colours.dark") == ("View", "Colours")
    assert len(entries()) == len(set(entries()))


def test_no_place_is_in_the_layout_twice():
    def ids(menu: Menu):
        for entry in menu.entries:
            if isinstance(entry, Menu):
                yield from ids(entry)
            elif entry is not None:
                yield entry

    found = [name for menu in (*MENUS, PANEL_ENTRIES) for name in ids(menu)]
    assert len(found) == len(set(found)) > 80
    in_bars = {name for bar in TOOL_BARS.values() for name in bar if name is not None}
    assert in_bars <= set(found)


def test_a_command_that_cannot_be_used_says_why_and_does_nothing(commands, document):
    done: list[str] = []
    why = ["There is no map."]
    commands.add([row("file.save", done, why_not=lambda: why[0])])
    action = commands.action("file.save")
    assert not action.isEnabled()
    assert action.property(WHY) == "There is no map."
    assert action.toolTip() == "Save. There is no map."
    commands.run("file.save")
    assert done == []
    why[0] = ""
    document.select([9])  # its commands are looked at again
    commands.run("file.save")
    assert done == ["file.save"]
    assert action.toolTip() == "Save"


def test_only_the_commands_that_follow_what_changed_are_asked(commands, document):
    asked: list[str] = []

    def following(name: str, change: Change) -> Command:
        def why_not() -> str:
            asked.append(name)
            return ""

        return Command(name, name, lambda: None, why_not=why_not, follows=change)

    commands.add(
        [
            following("file.save", Change.MAP),
            following("select.lock", Change.SELECTION),
            following("layer.merge-down", Change.LAYERS),
            following("view.zoom-in", Change.DESK),
            following("file.open", Change.ANYTHING),
        ]
    )
    asked.clear()
    document.select([9])
    assert asked == ["select.lock", "file.open"]
    asked.clear()
    (layer,) = document.battlemap.layers
    document.push(LayerField(layer.id, "opacity", layer.opacity, 0.5), "Opacity")
    assert set(asked) == {"layer.merge-down", "file.open"}
    asked.clear()
    document.open_map(free_map(SQUARE, 5, 5))
    assert {"file.save", "select.lock", "layer.merge-down", "file.open"} <= set(asked)
    asked.clear()
    commands.refresh(Change.DESK)
    assert asked == ["view.zoom-in", "file.open"]


def test_of_a_group_one_is_ticked(commands):
    chosen = ["light"]

    def use(name: str) -> Command:
        return Command(
            f"view.colours.{name}",
            name,
            lambda: chosen.__setitem__(0, name),
            checked=lambda: chosen == [name],
            group="colours",
        )

    commands.add([use("light"), use("dark")])
    commands.run("view.colours.dark")
    assert chosen == ["dark"]
    ticked = [name for name in commands.ids() if commands.action(name).isChecked()]
    assert ticked == ["view.colours.dark"]
    chosen[0] = "light"
    commands.refresh()
    ticked = [name for name in commands.ids() if commands.action(name).isChecked()]
    assert ticked == ["view.colours.light"]


def test_menus_and_bars_take_up_commands_in_the_order_of_the_layout(frame, commands):
    bars = {name: QToolBar() for name in TOOL_BARS}
    for bar in bars.values():
        frame.addToolBar(bar)
    Menus(frame.menuBar(), bars, commands)
    commands.add([row("file.quit"), row("file.save"), row("tool.eraser")])
    commands.add([row("file.open")])
    file_menu = frame.menuBar().actions()[0].menu()
    named = [text for text in texts(file_menu) if text != "-"]
    assert named == ["Ne&w", "Open", "Open &recent", "Save", "Bring &back", "Quit"]
    assert [text for text in texts(bars["main"]) if text != "-"] == ["Open", "Save"]
    assert texts(bars["tools"]) == ["Eraser"]


def test_a_menu_with_a_source_is_filled_when_it_opens(frame, commands):
    bars = {name: QToolBar() for name in TOOL_BARS}
    menus = Menus(frame.menuBar(), bars, commands)
    found = ["one", "two"]
    commands.add_source(
        "file.open-recent.*", lambda: [row(f"file.open-recent.{name}") for name in found]
    )
    # A menu is found by its title, as a user finds it.
    recent = next(made for menu, made in menus._menus.items() if menu.title == "Open &recent")
    assert texts(recent) == []
    recent.aboutToShow.emit()
    assert len(texts(recent)) == 2
    found[:] = ["three"]
    recent.aboutToShow.emit()
    assert commands.ids(fill=True) == ["file.open-recent.three"]
    assert commands.ids() == []  # they have no keys, and are others the next time
    assert len(texts(recent)) == 1


def test_a_menu_whose_commands_are_all_hidden_is_hidden_with_its_lines(frame, commands):
    bars = {name: QToolBar() for name in TOOL_BARS}
    menus = Menus(frame.menuBar(), bars, commands)
    offered = True
    commands.add([row("terrains.open", offered=lambda: offered)])
    by_title = {menu.title.replace("&", ""): menus._menus[menu] for menu in menus._menus}
    terrain_sets = by_title["Terrain set"]
    for offered in (True, False, True):
        by_title["Map"].aboutToShow.emit()
        assert terrain_sets.menuAction().isVisible() is offered


def test_the_words_of_commands_suit_the_cells_of_the_map(commands, document):
    commands.add(
        [
            Command(
                "select.all",
                "All &{cells}",
                lambda: None,
                "Select every {cell}",
                why_not=lambda: f"No {cell_words(document.battlemap.grid.layout).cell} is there.",
            )
        ]
    )
    action = commands.action("select.all")
    document.replace_map(free_map(SQUARE, 5, 5))
    assert (action.text(), action.statusTip()) == ("All &squares", "Select every square")
    assert action.property(WHY) == "No square is there."
    assert action.toolTip().endswith("No square is there.")
    document.replace_map(sample_map())
    assert (action.text(), action.statusTip()) == ("All &hexes", "Select every hex")


def test_another_map_refreshes_a_command_once_however_many_listeners_ask_for_it(commands, document):
    asked: list[str] = []

    def why_not() -> str:
        asked.append(document.battlemap.system.name)
        return ""

    commands.add([row("file.save", why_not=why_not)])
    for signal in (document.map_replaced, document.path_changed, document.picked_changed):
        signal.connect(lambda: commands.refresh())
    asked.clear()
    other_map = document.open_map(free_map(SQUARE, 4, 3))
    assert asked == ["free"]
    document.close_map(other_map)
    assert asked == ["free", "colossus"]
    commands.refresh()
    assert len(asked) == 3

"""What is kept in the settings and cannot be is ignored, with a word; nothing keeps the start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt

from app import settings_store
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.preferences import COLOUR_SET, SCALE, THEME, TOUCHPAD, WHEEL
from app.settings import RECENT_LIMIT, NewMapChoices, Settings
from app.settings_store import open_store
from app.window import MainWindow
from randomizer.model.basics.limits import LONGEST_TEXT
from tests.daily import deep_but

DIGITS = "9" * 5_000
NESTED = "[" * 100_000
HOSTILE: tuple[object, ...] = (
    *("-5", "0", "1e999", "nan", DIGITS, "²", "x" * 20_000, "\0", NESTED, "{", "null", "7", "[7]"),
    *('{"a": {"b": 1}}', '"text"', f"[{DIGITS}]", ["a", "b"], 7, 2.5, True, [], None),
    *(QByteArray(b"\x01\xd9\xd0\xcb" + b"\xff" * 200), QByteArray(b"x" * 2_000_000)),
    *("square 999999999 999999999 flat", f"square {DIGITS} 5 flat", "square 0 0 flat"),
    *("none 5 5 flat", "flat 5 5 wrap", "square -5 5 flat", ["\0"] * 50, [7, "a"]),
)
KEYS = {
    "view/theme": "theme",
    "view/colour_set": "colour_set",
    "view/scale": "scale",
    "canvas/wheel": "wheel",
    "canvas/touchpad": "touchpad",
    "files/directory": "last_directory",
    "window/closed_docks": "closed_docks",
    "window/front_docks": "front_docks",
    "view/overview": "overview",
    "script/follow": "follow_script",
    "script/folders": "script_folders",
    "shortcuts/file.open": "shortcuts",
    "picture/size": "picture",
    "gallery/pins": "gallery_pins",
    "gallery/width": "gallery_width",
    "commands/recent": "recent_commands",
    "help/tour": "tour_seen",
}
FUNCTIONS = {
    "recent/maps": lambda settings: settings.recent("maps"),
    "new maps/choices/free": lambda settings: settings.new_map_choices("free"),
    "tables/squares": lambda settings: settings.saved_texts("squares"),
    "groups/colossus/x": lambda settings: settings.group_choices("colossus", "x"),
    "game/directory/xconq": lambda settings: settings.game_dir("xconq"),
    "window/geometry": lambda settings: settings.window_bytes("geometry"),
    "window/state": lambda settings: settings.window_bytes("state"),
}


@pytest.fixture
def store(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def read(settings: Settings, key: str) -> object:
    return getattr(settings, KEYS[key]) if key in KEYS else FUNCTIONS[key](settings)


@pytest.mark.parametrize("key", [*KEYS, *FUNCTIONS])
def test_whatever_is_kept_a_value_of_the_usual_kind_is_read(store: QSettings, key: str) -> None:
    usual = read(Settings(store), key)
    for value in HOSTILE:
        store.setValue(key, value)
        found = read(Settings(store), key)
        assert type(found) is type(usual) or key == "game/directory/xconq"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gallery/width", DIGITS),
        ("gallery/width", "-5"),
        ("gallery/width", "9999"),
        ("new maps/choices/free", NESTED),
        ("new maps/choices/free", "7"),
        ("view/theme", "pink"),
        ("view/scale", DIGITS),
        ("view/overview", "maybe"),
        ("script/folders", NESTED),
        ("script/folders", "7"),
        ("tables/squares", "[]"),
        ("recent/maps", ["a"] * 50),
        ("window/state", "text"),
        ("window/state", QByteArray(b"x" * 2_000_000)),
        ("game/directory/xconq", "a\0b"),
        ("files/directory", "x" * 20_000),
    ],
)
def test_what_is_ignored_is_said_once(store: QSettings, key: str, value: object) -> None:
    store.setValue(key, value)
    settings = Settings(store)
    said = list[str]()
    read(settings, key)
    settings.tell(said.append)
    read(settings, key)
    assert len(said) == 1
    assert said[0].startswith(f"Ignored in the settings: {key}: ")
    assert len(said[0]) < 200


def test_what_can_be_is_not_ignored(store: QSettings, tmp_path: Path) -> None:
    settings = Settings(store)
    said = list[str]()
    choices = NewMapChoices(("free", "packaged", "Landscape"), {"width": 40})
    settings.set_new_map_choices("free", choices)
    settings.set_new_map_choices("xconq", NewMapChoices(None))
    settings.gallery_width = 200
    settings.set_saved_texts("squares", {"a": "b"})
    settings.script_folders = (tmp_path,)
    for number in range(2 * RECENT_LIMIT):
        settings.add_recent("maps", tmp_path / str(number))
    again = Settings(store)
    again.tell(said.append)
    assert again.new_map_choices("free") == choices
    assert again.new_map_choices("xconq") == NewMapChoices(None, {})
    assert again.new_map_choices("cordery") == NewMapChoices()
    assert (again.gallery_width, again.saved_texts("squares")) == (200, {"a": "b"})
    assert again.script_folders == (tmp_path,)
    assert len(again.recent("maps")) == RECENT_LIMIT
    assert said == []


def test_a_text_too_long_to_be_read_does_not_replace_the_stored_one(store: QSettings) -> None:
    settings = Settings(store)
    messages: list[str] = []
    settings.tell(messages.append)
    settings.set_saved_texts("squares", {"Hills": "hills = 2"})
    settings.set_saved_texts("squares", {"Hills": "hills = 2", "Long": "x" * LONGEST_TEXT})
    assert messages == ["Ignored in the settings: tables/squares: it is too long to be stored"]
    assert Settings(store).saved_texts("squares") == {"Hills": "hills = 2"}


def test_the_window_opens_whatever_is_kept(qtbot, store: QSettings, document) -> None:
    for number, key in enumerate([*KEYS, *FUNCTIONS]):
        store.setValue(key, HOSTILE[number % len(HOSTILE)])
    store.setValue("gallery/width", DIGITS)
    store.setValue("new map", f"square {DIGITS} 5 flat")
    window = MainWindow(document, Settings(store))
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    assert "Ignored in the settings" in window.statusBar().currentMessage()
    assert window.width() < 10_000


# --- the places of the window -------------------------------------------------------------------

RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
LEFT = Qt.DockWidgetArea.LeftDockWidgetArea

CRASHING = """
import os, sys
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
calls = []
def restore(self, state):
    calls.append(state)
    if len(calls) == int(sys.argv[2]):
        os._exit(9)  # as a crash inside Qt
MainWindow.restoreState = restore
application = QApplication([])
settings = Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))
window = MainWindow(MapDocument(sample_map()), settings)  # nothing else holds it
window.show()
application.exec()
"""


def opened(qtbot, store: QSettings) -> tuple[MainWindow, list[str]]:
    """A window, and what it said of the settings."""
    settings = Settings(store)
    said = list[str]()
    window = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    settings.tell(said.append)
    return window, [*said, window.statusBar().currentMessage()]


def palette_area(window: MainWindow) -> Qt.DockWidgetArea:
    return window.dockWidgetArea(window.desk.docks["palette"])


@pytest.fixture
def moved(qtbot, store: QSettings) -> QSettings:
    """Settings of a session that ended with the palette on the right."""
    window, _ = opened(qtbot, store)
    assert palette_area(window) == LEFT
    window.addDockWidget(RIGHT, window.desk.docks["palette"])
    window.desk.settings.gallery_width = 99
    window.close()
    store.sync()
    return store


def test_places_come_back(qtbot, moved: QSettings) -> None:
    window, said = opened(qtbot, moved)
    assert palette_area(window) == RIGHT
    assert not any("Ignored" in each for each in said)


@pytest.mark.parametrize("start", [60, 300, -40])
def test_damaged_places_are_never_given_to_qt(
    qtbot, moved: QSettings, monkeypatch: pytest.MonkeyPatch, start: int
) -> None:
    state = bytearray(moved.value("window/state").data())
    state[start] ^= 255
    state[start + 1] ^= 255
    moved.setValue("window/state", QByteArray(bytes(state)))
    given: list[QByteArray] = []
    # Qt tells nothing of what it was given.
    monkeypatch.setattr(MainWindow, "restoreState", lambda _, state: given.append(state))
    window, said = opened(qtbot, moved)
    assert given == []
    assert palette_area(window) == LEFT
    assert any("Ignored in the settings: window/state: " in each for each in said)


@pytest.mark.parametrize("call", deep_but([1, 2], 1))
def test_places_with_which_a_start_crashed_are_forgotten_and_nothing_else(
    qtbot, moved: QSettings, call: int
) -> None:
    command = [sys.executable, "-c", CRASHING, moved.fileName(), str(call)]
    assert subprocess.run(command, check=False, timeout=60).returncode == 9
    moved.sync()
    window, said = opened(qtbot, moved)
    assert palette_area(window) == LEFT
    assert window.desk.settings.gallery_width == 99
    assert any("Ignored in the settings: window: " in each for each in said)
    window.close()
    assert not any("Ignored" in each for each in opened(qtbot, moved)[1])


# --- the file -----------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the settings' file."""
    # Settings of a user's own, in a place that no other test has.
    monkeypatch.setattr(settings_store, "ORGANIZATION", f"Tests {os.getpid()}")
    path = settings_store._path()
    assert path is not None, "tests keep settings in files"
    path.parent.mkdir(parents=True, exist_ok=True)
    for each in path.parent.iterdir():
        each.unlink()
    return path


def test_the_file_is_the_one_that_qt_uses(file: Path) -> None:
    store, said = open_store()
    assert (Path(store.fileName()), said) == (file, [])
    Settings(store).recent("maps")
    settings = Settings(store)
    settings.add_recent("maps", file)
    settings.add_recent("maps", file.parent)
    settings.set_window_bytes("state", QByteArray(bytes(range(256))))
    settings.gallery_width = 99
    store.sync()
    del store
    again, said = open_store()
    assert said == []
    assert Settings(again).gallery_width == 99
    assert Settings(again).window_bytes("state").data() == bytes(range(256))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
@pytest.mark.parametrize("what", ["huge", "pipe", "binary", "folder"])
def test_a_file_that_qt_cannot_be_given_is_set_aside(file: Path, what: str) -> None:
    if what == "huge":
        with file.open("wb") as made:
            made.truncate(100 * 2**30)
    elif what == "pipe":
        os.mkfifo(file)
    elif what == "folder":
        file.mkdir()
    else:
        file.write_bytes(rb"[window]" b"\n" rb"y=@Variant(\0\0\0\t\x7f\xff\xff\xff)" b"\n")
    store, said = open_store()
    assert store.allKeys() == []
    [words] = said
    assert words.endswith("it is Battlelands Builder.conf.damaged now") or ".ini" in words
    assert file.with_name(f"{file.name}.damaged").exists()
    assert not file.exists()
    if what == "folder":
        file.with_name(f"{file.name}.damaged").rmdir()


def test_a_damaged_file_of_an_earlier_time_is_kept(file: Path) -> None:
    for _time in range(2):
        file.write_bytes(b"[window]\ny=@Variant(0)\n")
        open_store()
    assert file.with_name(f"{file.name}.damaged").exists()
    assert file.with_name(f"{file.name}.damaged2").exists()


def test_a_file_that_is_gone_leaves_the_recent_ones_by_any_path(store, tmp_path, monkeypatch):
    settings = Settings(store)
    settings.add_recent("scripts", tmp_path / "Bog.rnd")
    monkeypatch.chdir(tmp_path)
    settings.drop_recent("scripts", Path("Bog.rnd"))
    assert settings.recent("scripts") == []


@pytest.mark.parametrize(
    "preference", [THEME, COLOUR_SET, SCALE, WHEEL, TOUCHPAD], ids=lambda each: each.name
)
def test_every_choice_of_a_preference_is_remembered(store, preference):
    assert getattr(Settings(store), preference.name) == preference.default
    for value in preference.values:
        setattr(Settings(store), preference.name, value)
        found = getattr(Settings(store), preference.name)
        assert found == value
        assert type(found) is preference.kind


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("view/theme", "theme"),
        ("view/colour_set", "colour_set"),
        ("view/scale", "scale"),
        ("canvas/wheel", "wheel"),
        ("canvas/touchpad", "touchpad"),
    ],
)
@pytest.mark.parametrize("kept", ["", "nonsense", "110"])
def test_what_is_no_choice_counts_as_the_default(store, key, name, kept):
    known = {each.name: each for each in (THEME, COLOUR_SET, SCALE, WHEEL, TOUCHPAD)}
    store.setValue(key, kept)
    assert getattr(Settings(store), name) == known[name].default

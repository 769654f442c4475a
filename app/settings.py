"""The settings that the desk stores between sessions, as typed properties and methods.

Every feature gets the one ``Settings`` of the desk::

    desk.settings.theme = "dark"
    desk.settings.recent("maps")    # [Path("/home/ada/Plains.battleland"), ...]

``QSettings`` stores texts by keys, such as "view/theme"; the part before the stroke is a *group*.
The stored file can be old or damaged, so each value is checked when it is read: a value that cannot
be used is ignored, and the user is told once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QByteArray, QCryptographicHash, QSettings, QStandardPaths

from app.preferences import COLOUR_SET, SCALE, THEME, TOUCHPAD, WHEEL
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LONGEST_TEXT
from randomizer.model.basics.plurals import there_are
from randomizer.model.settings.setting import Setting

RECENT_LIMIT = 12
"""The number of recent files of a kind, and of recent commands."""

MAX_KEYS = 1000
"""The most keys that are read of one group; the largest group has a key for each command."""

LONGEST_LINE = 10_000
"""The longest text of a path, a shortcut or a choice, in characters."""

LONGEST_PINS = 16 * LONGEST_TEXT
"""The longest text of the gallery's pins, in characters: they have whole scripts."""

LARGEST_BYTES = 2**20
"""The largest state of the window, in bytes; it usually has some thousand."""

WIDEST_PICTURE = 1000
"""The largest width of the gallery's pictures, in logical pixels."""

_STARTING = "window/starting"
"""The key that is set while the window restores its positions (``mark_restoring_places``)."""

Value = TypeVar("Value")


class NewMapChoices(NamedTuple):
    """The last answers given in *New map* for a kind of map."""

    script: tuple[str, ...] | None = ()
    """The key of the script (``CatalogEntry.key``); None for an empty map, () for no answer yet."""

    values: Mapping[str, object] = MappingProxyType({})
    """The values of settings, by name, that differ from their defaults."""


class _StoredText:
    """A property of ``Settings`` that is a text, "" if none is stored."""

    def __init__(self, key: str, longest: int = LONGEST_LINE) -> None:
        self._key = key
        self._longest = longest

    def __get__(self, settings: Settings, _owner: type[Settings]) -> str:
        return settings._text(self._key, self._longest)

    def __set__(self, settings: Settings, text: str) -> None:
        settings._store_text(self._key, text, self._longest)


class _Preference(Generic[Value]):
    """A property of ``Settings``: one of the values of a preference, its default if none is stored.

    ``kind`` converts a value to the type of the property.
    """

    def __init__(self, key: str, setting: Setting, kind: Callable[[Any], Value]) -> None:
        self._key = key
        self._setting = setting
        self._kind = kind

    def __get__(self, settings: Settings, _owner: type[Settings]) -> Value:
        text = settings._text(self._key)
        for value in self._setting.values:
            if str(value) == text:
                return self._kind(value)
        if text:
            settings.ignore(self._key, f"“{text:.40}” is none of its values")
        return self._kind(self._setting.default)

    def __set__(self, settings: Settings, value: Value) -> None:
        settings._store.setValue(self._key, str(value))


class _YesNo:
    """A property of ``Settings`` that is True or False, its default if none is stored.

    The store has ``yes`` or ``no`` for it.
    """

    def __init__(self, key: str, *, default: bool) -> None:
        self._key = key
        self._default = default

    def __get__(self, settings: Settings, _owner: type[Settings]) -> bool:
        text = settings._text(self._key)
        if text == "yes":
            return True
        if text == "no":
            return False
        if text:
            settings.ignore(self._key, f"“{text:.40}” is neither yes nor no")
        return self._default

    def __set__(self, settings: Settings, value: bool) -> None:
        text = "no"
        if value:
            text = "yes"
        settings._store.setValue(self._key, text)


class Settings:
    """Typed access to QSettings; every property reads and writes the store at once.

    Messages about values that are ignored wait until somebody can show them (``tell``).
    """

    def __init__(self, store: QSettings | None = None) -> None:
        """Read and write ``store``; None for the stored settings of this user."""
        self._untold: list[str] = []
        """The messages about ignored values that the user was not told yet."""
        if store is None:
            from app.settings_store import open_store

            store, self._untold = open_store()
        self._store = store
        self._ignored: set[str] = set()
        """The keys whose values were ignored."""
        self._say: Callable[[str], object] | None = None
        """Shows a message to the user; None while nobody can."""

    @property
    def path(self) -> Path:
        """The file of the settings; on Windows and macOS the system's own place for them."""
        return Path(self._store.fileName())

    # --- ignored values ---------------------------------------------------------------------

    def ignore(self, key: str, why: str) -> None:
        """Tell the user why a stored value is ignored, once for each key."""
        if key not in self._ignored:
            self._ignored.add(key)
            self._untold.append(f"{key}: {why}")
            self._tell()

    def tell(self, say: Callable[[str], object]) -> None:
        """Tell of ignored values by ``say`` from now on, and of those before at once."""
        self._say = say
        self._tell()

    def stop_telling(self) -> None:
        """Let the messages about ignored values wait for the next call of ``tell``."""
        self._say = None

    def _tell(self) -> None:
        """Show the messages that wait, in one sentence, if somebody can show them."""
        if self._untold and self._say is not None:
            untold = self._untold
            self._untold = []
            self._say(f"Ignored in the settings: {'; '.join(untold)}")

    # --- checked values of the store --------------------------------------------------------

    def _text(self, key: str, longest: int = LONGEST_LINE) -> str:
        """Return a stored text, "" if none is stored or it cannot be used."""
        value = self._store.value(key, "")
        if value is None:
            return ""
        if not isinstance(value, str):
            self.ignore(key, "this is no text")
            return ""
        if len(value) > longest:
            self.ignore(key, "it is too long")
            return ""
        return value

    def _store_text(self, key: str, text: str, longest: int = LONGEST_LINE) -> None:
        """Store a text for ``_text`` with the same ``longest``; tell the user if it is longer.

        What was stored before stays then: ``_text`` would ignore the longer text, and both were
        lost.
        """
        if len(text) > longest:
            self._untold.append(f"{key}: it is too long to be stored")
            self._tell()
            return
        self._store.setValue(key, text)

    def _json(self, key: str, kind: type[Value]) -> Value:
        """Return the list or dict of a stored JSON text, an empty one if that cannot be used.

        ``kind`` is ``list`` or ``dict``: a text with something else is ignored.
        """
        text = self._text(key, LONGEST_TEXT)
        if not text:
            return kind()
        try:
            # A character has up to four bytes.
            value = parse_json(text.encode("utf-8", "replace"), largest=4 * LONGEST_TEXT)
        except ValueError as reason:
            self.ignore(key, f"this cannot be read: {reason_of(reason)}"[:100])
            return kind()
        if not isinstance(value, kind):
            self.ignore(key, f"this is no {kind.__name__}")
            return kind()
        return value

    def _group(self, name: str) -> dict[str, str]:
        """Return the texts of a group by their keys."""
        self._store.beginGroup(name)
        keys = self._store.childKeys()
        self._store.endGroup()
        if len(keys) > MAX_KEYS:
            self.ignore(name, f"{there_are(len(keys), 'value')}, of which {MAX_KEYS:,} are used")
        return {key: self._text(f"{name}/{key}") for key in keys[:MAX_KEYS]}

    # --- the looks and the input of the desk ------------------------------------------------

    game_pictures = _YesNo("game/pictures", default=False)
    """True if hazards are drawn with the game's own pictures."""

    theme = _Preference("view/theme", THEME, str)
    colour_set = _Preference("view/colour_set", COLOUR_SET, str)
    scale = _Preference("view/scale", SCALE, int)
    """The size of everything in per cent from the next start on; 0: as the system says."""

    wheel = _Preference("canvas/wheel", WHEEL, str)
    touchpad = _Preference("canvas/touchpad", TOUCHPAD, str)

    overview = _YesNo("view/overview", default=True)
    """True if a large map brings its overview along."""

    follow_script = _YesNo("script/follow", default=True)
    """True if the map follows the text of its script while it is typed, and when it is saved."""

    # --- files and folders ------------------------------------------------------------------

    def game_dir(self, system: str) -> Path | None:
        """Return the directory of a system's game, or a file in it; None if never chosen."""
        text = self._text(f"game/directory/{system}")
        if text and not _is_path(text):
            self.ignore(f"game/directory/{system}", "no directory can have this name")
            return None
        if text:
            return Path(text)
        return None

    def set_game_dir(self, system: str, path: Path | None) -> None:
        """Store the directory of a system's game, None for none."""
        text = ""
        if path is not None:
            text = str(path)
        self._store.setValue(f"game/directory/{system}", text)

    @property
    def last_directory(self) -> str:
        """The folder of the last file dialog; the user's documents at first, and if it is gone."""
        folder = self._text("files/directory", LONGEST_LINE)
        if os.path.isdir(folder):  # noqa: PTH112 - never raises
            return folder
        return _documents()

    @last_directory.setter
    def last_directory(self, folder: str) -> None:
        self._store.setValue("files/directory", folder)

    @property
    def program_terrains(self) -> dict[str, Path]:
        """The terrain sets whose looks maps of other programs get, by the name of their format."""
        names = self._group("program terrains")
        return {program: Path(name) for program, name in names.items() if _is_path(name)}

    def set_program_terrains(self, program: str, path: Path | None) -> None:
        """Store the terrain set for maps of a format; None removes it."""
        key = f"program terrains/{program}"
        if path is None:
            self._store.remove(key)
        else:
            self._store.setValue(key, str(path.absolute()))

    @property
    def script_folders(self) -> tuple[Path, ...]:
        """The folders of scripts, games and mods that were added to the catalogue."""
        names = self._json("script/folders", list)
        return tuple(Path(name) for name in names[:MAX_KEYS] if _is_path(name))

    @script_folders.setter
    def script_folders(self, folders: Iterable[Path]) -> None:
        text = json.dumps([str(folder) for folder in folders])
        self._store_text("script/folders", text, LONGEST_TEXT)

    # --- new maps ---------------------------------------------------------------------------

    last_kind = _StoredText("new maps/last")
    """The name of the system of the last new map."""

    def new_map_choices(self, system: str) -> NewMapChoices:
        """Return the choices for the last new map of a system, as far as they can be used."""
        stored = self._json(f"new maps/choices/{system}", dict)
        script = stored.get("script", [])
        values = stored.get("values")
        if not isinstance(values, dict):
            values = {}
        if script is None:
            return NewMapChoices(None, values)
        # A tuple is stored as a list, as JSON has no other.
        is_key = isinstance(script, list) and all(isinstance(part, str) for part in script)
        if not is_key:
            return NewMapChoices(values=values)
        return NewMapChoices(tuple(script), values)

    def set_new_map_choices(self, system: str, choices: NewMapChoices) -> None:
        """Store the choices for a new map of a system; those before stay if they are too long."""
        text = json.dumps({"script": choices.script, "values": dict(choices.values)})
        self._store_text(f"new maps/choices/{system}", text, LONGEST_TEXT)

    # --- keys, pictures, overlays -----------------------------------------------------------

    @property
    def shortcuts(self) -> dict[str, str]:
        """The keys that differ from their defaults, by the command's name; "" for none."""
        return self._group("shortcuts")

    @shortcuts.setter
    def shortcuts(self, keys: dict[str, str]) -> None:
        self._store.remove("shortcuts")
        for name, sequence in keys.items():
            self._store.setValue(f"shortcuts/{name}", sequence)

    @property
    def picture(self) -> dict[str, str]:
        """The last choices for pictures and prints, by the names of the settings, as texts."""
        return self._group("picture")

    def remember_picture(self, values: Mapping[str, object]) -> None:
        """Store choices for pictures and prints, by the names of the settings; others stay."""
        for name, value in values.items():
            self._store.setValue(f"picture/{name}", str(value))

    def switched_overlays(self, kind: str) -> dict[str, int]:
        """Return the overlays that were switched for a kind of map (``OverlayChoices``)."""
        return self._numbers(f"overlays/{kind}")

    def set_switched_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Store the overlays that were switched for a kind of map, as numbers by name."""
        self._set_numbers(f"overlays/{kind}", switched)

    def picture_overlays(self, kind: str) -> dict[str, int]:
        """Return the overlays that pictures and prints show otherwise than the desk."""
        return self._numbers(f"picture overlays/{kind}")

    def set_picture_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Store the overlays that pictures and prints show otherwise than the desk."""
        self._set_numbers(f"picture overlays/{kind}", switched)

    def _numbers(self, group: str) -> dict[str, int]:
        """Return the numbers of a group by their keys, without those of more than four digits."""
        numbers = {}
        for key, text in self._group(group).items():
            if re.fullmatch("[0-9]{1,4}", text):
                numbers[key] = int(text)
            else:
                self.ignore(f"{group}/{key}", f"“{text:.40}” is no number")
        return numbers

    def _set_numbers(self, group: str, numbers: Mapping[str, int]) -> None:
        """Store the numbers of a group by their keys, in place of all earlier ones."""
        self._store.remove(group)
        for key, number in numbers.items():
            self._store.setValue(f"{group}/{key}", str(number))

    # --- groups of maps, tables, the gallery ------------------------------------------------
    # A group of maps is one that a game plays together; it is no group of keys.

    def map_group(self, system: str) -> str:
        """Return the name of the group of maps of a game that was rolled as a whole last."""
        return self._text(f"group/{system}")

    def set_map_group(self, system: str, group: str) -> None:
        """Store the name of the group of maps that was rolled as a whole."""
        self._store.setValue(f"group/{system}", group)

    def group_choices(self, system: str, group: str) -> str:
        """Return the maps chosen for the slots of a group, as ``text_of_choices`` writes them.

        (``features.game.group.rolls``)
        """
        return self._text(f"groups/{system}/{group}", LONGEST_TEXT)

    def set_group_choices(self, system: str, group: str, text: str) -> None:
        """Store the maps chosen for the slots of a group."""
        self._store_text(f"groups/{system}/{group}", text, LONGEST_TEXT)

    def saved_texts(self, kind: str) -> dict[str, str]:
        """Return the saved texts of a kind by name.

        The kinds are "squares" (countries of a campaign) and "boxes" (lists of terrain pieces): the
        saved choices for tables of Cordery.
        """
        texts = self._json(f"tables/{kind}", dict)
        return {str(name): text for name, text in texts.items() if isinstance(text, str)}

    def set_saved_texts(self, kind: str, texts: dict[str, str]) -> None:
        """Store the texts of a kind by name, in place of all earlier ones."""
        self._store_text(f"tables/{kind}", json.dumps(texts), LONGEST_TEXT)

    gallery_pins = _StoredText("gallery/pins", LONGEST_PINS)
    """The pinned maps of the gallery (``rolls.gallery_pins.pins_text``)."""

    @property
    def gallery_width(self) -> int:
        """The width of the gallery's pictures, in logical pixels; 0 if never chosen."""
        text = self._text("gallery/width")
        if re.fullmatch("[0-9]{1,4}", text) and int(text) <= WIDEST_PICTURE:
            return int(text)
        if text:
            self.ignore("gallery/width", f"no picture is “{text:.40}” pixels wide")
        return 0

    @gallery_width.setter
    def gallery_width(self, width: int) -> None:
        self._store.setValue("gallery/width", str(width))

    # --- what was used lately ---------------------------------------------------------------

    @property
    def recent_commands(self) -> list[str]:
        """The names of the commands that the palette ran lately, newest first."""
        return self._text("commands/recent").split()[:RECENT_LIMIT]

    def add_recent_command(self, name: str) -> None:
        """Put the command that the palette has just run first."""
        names = [recent_name for recent_name in self.recent_commands if recent_name != name]
        names.insert(0, name)
        self._store.setValue("commands/recent", " ".join(names[:RECENT_LIMIT]))

    @property
    def tour_seen(self) -> bool:
        """True if the tour was offered once."""
        return self._text("help/tour") == "seen"

    @tour_seen.setter
    def tour_seen(self, seen: bool) -> None:
        text = ""
        if seen:
            text = "seen"
        self._store.setValue("help/tour", text)

    def recent(self, kind: str) -> list[Path]:
        """Return the files of one kind (``maps``, ``scripts``) opened lately, newest first."""
        entries = self._store.value(f"recent/{kind}", [])
        if isinstance(entries, str):  # Qt stores a list of one text as a text
            entries = [entries]
        if not isinstance(entries, list):
            entries = []
        paths = [Path(entry) for entry in entries[:RECENT_LIMIT] if _is_path(entry)]
        if len(paths) < len(entries):
            self.ignore(f"recent/{kind}", "some are no files, or there are too many")
        return paths

    def add_recent(self, kind: str, path: Path) -> None:
        """Put a file that was just opened first among the recent ones of its kind."""
        path = path.absolute()
        paths = [recent_path for recent_path in self.recent(kind) if recent_path != path]
        paths.insert(0, path)
        self._store.setValue(f"recent/{kind}", [str(entry) for entry in paths[:RECENT_LIMIT]])

    def drop_recent(self, kind: str, path: Path) -> None:
        """Remove a file that is gone from the recent ones of its kind."""
        path = path.absolute()
        paths = [recent_path for recent_path in self.recent(kind) if recent_path != path]
        self._store.setValue(f"recent/{kind}", [str(entry) for entry in paths])

    # --- the window -------------------------------------------------------------------------

    closed_docks = _StoredText("window/closed_docks")
    """The docks that wait for a map of their kind (``DocksForMaps.waiting_docks``)."""

    front_docks = _StoredText("window/front_docks")
    """The docks that are in front for maps of each kind (``DocksForMaps.docks_in_front``)."""

    def window_bytes(self, key: str) -> QByteArray:
        """Return the window's ``geometry`` or ``state``, empty if it cannot be used."""
        value = self._store.value(f"window/{key}")
        if isinstance(value, QByteArray) and value.size() <= LARGEST_BYTES:
            if self._text(f"window/{key} digest") == _digest(value):
                return value
            self.ignore(f"window/{key}", "it is not what was written")
        elif value is not None:
            self.ignore(f"window/{key}", "this is no state of a window")
        return QByteArray()

    def set_window_bytes(self, key: str, value: QByteArray) -> None:
        """Store the window's ``geometry`` or ``state``.

        With it a digest is stored, by which damage is noticed: Qt hangs on some damaged states.
        """
        self._store.setValue(f"window/{key}", value)
        self._store.setValue(f"window/{key} digest", _digest(value))

    def mark_restoring_places(self) -> None:
        """Note in the store that the window is restoring its positions, until
        ``mark_places_restored``.

        If the note of an earlier start is there still, that start has not come to its end: then the
        stored positions are removed, as they may be the cause.
        """
        if self._text(_STARTING):
            self._store.remove("window")
            self.ignore(
                "window", "the last start did not end: the panels are where they usually are"
            )
        if self._store.contains("window/state"):
            self._store.setValue(_STARTING, "yes")
            self._store.sync()

    def mark_places_restored(self) -> None:
        """Note that the window has appeared with its positions restored."""
        self._store.remove(_STARTING)


def _digest(value: QByteArray) -> str:
    """Return the SHA-256 digest of some bytes, in hexadecimal digits."""
    # Not hashlib: it loads OpenSSL, before the first paint.
    digest = QCryptographicHash.hash(value, QCryptographicHash.Algorithm.Sha256)
    return digest.toHex().toStdString()


def _is_path(name: object) -> bool:
    """Return whether a value can be the name of a file."""
    return isinstance(name, str) and 0 < len(name) <= LONGEST_LINE and "\0" not in name


def _documents() -> str:
    """Return the folder of the user's documents, or the home folder if there is none."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    if Path(folder).is_dir():
        return folder
    return str(Path.home())

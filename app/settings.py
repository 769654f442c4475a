"""What the desk remembers between sessions, typed."""

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

MOST_KEYS = 1000
"""Of one group; there are fewer commands."""

LONGEST_LINE = 10_000
"""In characters: a path, keys, a choice."""

LONGEST_PINS = 16 * LONGEST_TEXT
"""In characters: pins have whole scripts."""

LARGEST_BYTES = 2**20
"""Of the window's state; it has some thousand."""

WIDEST_PICTURE = 1000
"""Of the gallery, in logical pixels."""

_STARTING = "window/starting"

Value = TypeVar("Value")


class NewMapChoices(NamedTuple):
    """The last answers given in *New map* for a kind of map.

    ``script`` is the key of the script (``CatalogEntry.key``), None for an empty map, () where
    nothing was chosen. ``values`` are those of settings, by name, that are not as usual.
    """

    script: tuple[str, ...] | None = ()
    values: Mapping[str, object] = MappingProxyType({})


class _Words:
    """A text, "" where none is kept."""

    def __init__(self, key: str, longest: int = LONGEST_LINE) -> None:
        self._key = key
        self._longest = longest

    def __get__(self, settings: Settings, _owner: type[Settings]) -> str:
        return settings._text(self._key, self._longest)

    def __set__(self, settings: Settings, text: str) -> None:
        settings._store.setValue(self._key, text)


class _Preference(Generic[Value]):
    """One of the choices of a preference, of type ``kind``; its default where none is kept."""

    def __init__(self, key: str, setting: Setting, kind: Callable[[Any], Value]) -> None:
        self._key = key
        self._setting = setting
        self._kind = kind

    def __get__(self, settings: Settings, _owner: type[Settings]) -> Value:
        text = settings._text(self._key)
        values = [value for value in self._setting.values if str(value) == text]
        if text and not values:
            settings.ignore(self._key, f"“{text:.40}” is none of its values")
        return self._kind(values[0] if values else self._setting.default)

    def __set__(self, settings: Settings, value: Value) -> None:
        settings._store.setValue(self._key, str(value))


class _YesNo:
    """A choice: ``usual`` until one was made."""

    def __init__(self, key: str, usual: bool) -> None:
        self._key = key
        self._usual = usual

    def __get__(self, settings: Settings, _owner: type[Settings]) -> bool:
        text = settings._text(self._key)
        if self._usual:
            return text != "no"
        return text == "yes"

    def __set__(self, settings: Settings, value: bool) -> None:
        settings._store.setValue(self._key, "yes" if value else "no")


class Settings:
    """A typed face of QSettings; every property reads and writes at once.

    What is kept there and cannot be is ignored, and said once (``tell``).
    """

    def __init__(self, store: QSettings | None = None) -> None:
        if store is None:
            from app.settings_store import open_store

            store, self._untold = open_store()
        else:
            self._untold = []
        self._store = store
        self._ignored: set[str] = set()
        self._say: Callable[[str], object] | None = None

    @property
    def path(self) -> Path:
        """The file of the settings; on Windows and macOS the system's own place for them."""
        return Path(self._store.fileName())

    def ignore(self, key: str, why: str) -> None:
        """Say that a value cannot be used, once for each key."""
        if key not in self._ignored:
            self._ignored.add(key)
            self._untold.append(f"{key}: {why}")
            self._tell()

    def tell(self, say: Callable[[str], object] | None) -> None:
        """Say from now on what is ignored, and now what was before; None: keep it until asked."""
        self._say = say
        self._tell()

    def _tell(self) -> None:
        if self._untold and self._say is not None:
            untold = self._untold
            self._untold = []
            self._say(f"Ignored in the settings: {'; '.join(untold)}")

    def _text(self, key: str, longest: int = LONGEST_LINE) -> str:
        value = self._store.value(key, "")
        if isinstance(value, str) and len(value) <= longest:
            return value
        if value is not None:
            self.ignore(key, "this is no text" if not isinstance(value, str) else "it is too long")
        return ""

    def _json(self, key: str, kind: type[Value]) -> Value:
        """Return the JSON value of a text if it is of a kind, else an empty one."""
        text = self._text(key, LONGEST_TEXT)
        try:
            value = parse_json(text.encode("utf-8", "replace"), largest=4 * LONGEST_TEXT)
        except ValueError as reason:
            value = None
            if text:
                self.ignore(key, f"this cannot be read: {reason_of(reason)}"[:100])
        else:
            if not isinstance(value, kind):
                self.ignore(key, "this is something else")
        if isinstance(value, kind):
            return value
        return kind()

    def _group(self, name: str) -> dict[str, str]:
        """Return the texts of a group by their keys."""
        self._store.beginGroup(name)
        keys = self._store.childKeys()
        self._store.endGroup()
        if len(keys) > MOST_KEYS:
            self.ignore(name, f"{there_are(len(keys), 'command')}, of which {MOST_KEYS:,} are used")
        return {key: self._text(f"{name}/{key}") for key in keys[:MOST_KEYS]}

    def game_dir(self, system: str) -> Path | None:
        """Return where the game of a system is (a directory, or a file in it).

        None if never chosen.
        """
        text = self._text(f"game/directory/{system}")
        if text and not _is_path(text):
            self.ignore(f"game/directory/{system}", "no directory can have this name")
            return None
        if text:
            return Path(text)
        return None

    def set_game_dir(self, system: str, path: Path | None) -> None:
        """Remember where the game of a system is."""
        self._store.setValue(f"game/directory/{system}", "" if path is None else str(path))

    game_pictures = _YesNo("game/pictures", False)
    """Whether hazards are drawn with the game's own pictures."""

    theme = _Preference("view/theme", THEME, str)
    colour_set = _Preference("view/colour_set", COLOUR_SET, str)
    scale = _Preference("view/scale", SCALE, int)
    """The size of everything in per cent from the next start on; 0: as the system says."""

    wheel = _Preference("canvas/wheel", WHEEL, str)
    touchpad = _Preference("canvas/touchpad", TOUCHPAD, str)

    @property
    def last_directory(self) -> str:
        """The folder of the last file dialog; the user's documents at first, and if it is gone."""
        folder = self._text("files/directory", LONGEST_LINE)
        return folder if os.path.isdir(folder) else _documents()  # noqa: PTH112 - never raises

    @last_directory.setter
    def last_directory(self, folder: str) -> None:
        self._store.setValue("files/directory", folder)

    @property
    def program_terrains(self) -> dict[str, Path]:
        """The terrain sets whose looks maps of other programs get, by the name of their format."""
        names = self._group("program terrains")
        return {program: Path(name) for program, name in names.items() if _is_path(name)}

    def set_program_terrains(self, program: str, path: Path | None) -> None:
        """Remember the terrain set for maps of a format, None: forget it."""
        key = f"program terrains/{program}"
        if path is None:
            self._store.remove(key)
        else:
            self._store.setValue(key, str(path.absolute()))

    closed_docks = _Words("window/closed_docks")
    """The docks that wait for a map of their kind (``Docks.closed_for_map``)."""

    front_docks = _Words("window/front_docks")
    """The docks that are in front for maps of each kind (``Docks.docks_in_front``)."""

    overview = _YesNo("view/overview", True)
    """Whether a large map brings its overview along."""

    follow_script = _YesNo("script/follow", True)
    """Whether the map follows the text of its script while it is typed, and when it is saved."""

    @property
    def script_folders(self) -> tuple[Path, ...]:
        """The folders of scripts, games and mods that were added to the catalogue."""
        names = self._json("script/folders", list)
        return tuple(Path(name) for name in names[:MOST_KEYS] if _is_path(name))

    @script_folders.setter
    def script_folders(self, folders: Iterable[Path]) -> None:
        self._store.setValue("script/folders", json.dumps([str(folder) for folder in folders]))

    last_kind = _Words("new maps/last")
    """The name of the system of the last new map."""

    def new_map_choices(self, system: str) -> NewMapChoices:
        """Return what was chosen for the last new map of a system."""
        stored = self._json(f"new maps/choices/{system}", dict)
        script = stored.get("script", [])
        values = stored.get("values")
        if not isinstance(values, dict):
            values = {}
        if script is None:
            return NewMapChoices(None, values)
        is_key = isinstance(script, list) and all(isinstance(part, str) for part in script)
        return NewMapChoices(tuple(script) if is_key else (), values)

    def set_new_map_choices(self, system: str, choices: NewMapChoices) -> None:
        """Remember what was chosen for a new map of a system; too long a choice is forgotten."""
        text = json.dumps(choices._asdict() | {"values": dict(choices.values)})
        self._store.setValue(
            f"new maps/choices/{system}", text if len(text) <= LONGEST_TEXT else ""
        )

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

    @picture.setter
    def picture(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            self._store.setValue(f"picture/{name}", str(value))

    def switched_overlays(self, kind: str) -> dict[str, int]:
        """Return the overlays that were switched for a kind of map (``OverlayChoices``)."""
        return self._numbers(f"overlays/{kind}")

    def set_switched_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Remember what was switched for a kind of map."""
        self._set_numbers(f"overlays/{kind}", switched)

    def picture_overlays(self, kind: str) -> dict[str, int]:
        """Return what pictures and prints of a kind of map show otherwise than the desk."""
        return self._numbers(f"picture overlays/{kind}")

    def set_picture_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Remember what pictures and prints of a kind of map show otherwise than the desk."""
        self._set_numbers(f"picture overlays/{kind}", switched)

    def _numbers(self, group: str) -> dict[str, int]:
        """Return the numbers of a group by their keys."""
        numbers = {}
        for key, text in self._group(group).items():
            if re.fullmatch("[0-9]{1,4}", text):
                numbers[key] = int(text)
            else:
                self.ignore(f"{group}/{key}", f"“{text:.40}” is no number")
        return numbers

    def _set_numbers(self, group: str, numbers: Mapping[str, int]) -> None:
        self._store.remove(group)
        for key, number in numbers.items():
            self._store.setValue(f"{group}/{key}", str(number))

    def group(self, system: str) -> str:
        """Return the group of the maps of a system's game that was rolled as a whole last."""
        return self._text(f"group/{system}")

    def set_group(self, system: str, group: str) -> None:
        """Remember which group was rolled as a whole."""
        self._store.setValue(f"group/{system}", group)

    def group_choices(self, system: str, group: str) -> str:
        """Return what the slots of a group get (``features.game.group.rolls.text_of_choices``)."""
        return self._text(f"groups/{system}/{group}", LONGEST_TEXT)

    def set_group_choices(self, system: str, group: str, text: str) -> None:
        """Remember what the slots of a group get."""
        self._store.setValue(f"groups/{system}/{group}", text)

    def saved_texts(self, kind: str) -> dict[str, str]:
        """Return what was saved by its name: campaign ``squares``, terrain ``boxes``."""
        texts = self._json(f"tables/{kind}", dict)
        return {str(name): text for name, text in texts.items() if isinstance(text, str)}

    def set_saved_texts(self, kind: str, texts: dict[str, str]) -> None:
        """Keep these and nothing else of the kind."""
        self._store.setValue(f"tables/{kind}", json.dumps(texts))

    gallery_pins = _Words("gallery/pins", LONGEST_PINS)
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

    @property
    def recent_commands(self) -> list[str]:
        """The names of the commands that the palette ran lately, newest first."""
        return self._text("commands/recent").split()[:RECENT_LIMIT]

    def add_recent_command(self, name: str) -> None:
        """Put the command that the palette ran just now first."""
        names = [
            name,
            *(
                other_recent_command
                for other_recent_command in self.recent_commands
                if other_recent_command != name
            ),
        ]
        self._store.setValue("commands/recent", " ".join(names[:RECENT_LIMIT]))

    @property
    def tour_seen(self) -> bool:
        """True if the tour was offered once."""
        return self._text("help/tour") == "seen"

    @tour_seen.setter
    def tour_seen(self, seen: bool) -> None:
        self._store.setValue("help/tour", "seen" if seen else "")

    def recent(self, kind: str) -> list[Path]:
        """Return the files of one kind (``maps``, ``scripts``) opened lately, newest first."""
        value = self._store.value(f"recent/{kind}", [])
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list):
            entries = []
        paths = [Path(entry) for entry in entries[:RECENT_LIMIT] if _is_path(entry)]
        if len(paths) < len(entries):
            self.ignore(f"recent/{kind}", "some of it are no files, or there are too many")
        return paths

    def add_recent(self, kind: str, path: Path) -> None:
        """``path`` was opened just now."""
        path = path.absolute()
        paths = [path, *(other for other in self.recent(kind) if other != path)]
        self._store.setValue(f"recent/{kind}", [str(entry) for entry in paths[:RECENT_LIMIT]])

    def drop_recent(self, kind: str, path: Path) -> None:
        """``path`` is not there any more."""
        paths = [str(other) for other in self.recent(kind) if other != path]
        self._store.setValue(f"recent/{kind}", paths)

    def bytes(self, key: str) -> QByteArray:
        """Return the window's geometry or state, empty if never stored."""
        value = self._store.value(f"window/{key}")
        if isinstance(value, QByteArray) and value.size() <= LARGEST_BYTES:
            if self._text(f"window/{key} digest") == _digest(value):
                return value
            self.ignore(f"window/{key}", "it is not what was written")
        elif value is not None:
            self.ignore(f"window/{key}", "this is no state of a window")
        return QByteArray()

    def set_bytes(self, key: str, value: QByteArray) -> None:
        """Store the window's geometry or state, with a digest: Qt hangs on some damaged ones."""
        self._store.setValue(f"window/{key}", value)
        self._store.setValue(f"window/{key} digest", _digest(value))

    def begin_places(self) -> None:
        """Note on the disk that the window is put where it was left, until ``end_places``.

        Where a start before did not come as far, where it was left is forgotten.
        """
        if self._text(_STARTING):
            self._store.remove("window")
            self.ignore(
                "window", "the last start did not end: the panels are where they usually are"
            )
        if self._store.contains("window/state"):
            self._store.setValue(_STARTING, "yes")
            self._store.sync()

    def end_places(self) -> None:
        """Note that the window has appeared where it was left."""
        self._store.remove(_STARTING)


def _digest(value: QByteArray) -> str:
    # Not hashlib: it loads OpenSSL, before the first paint.
    digest = QCryptographicHash.hash(value, QCryptographicHash.Algorithm.Sha256)
    return digest.toHex().toStdString()


def _is_path(name: object) -> bool:
    """Return whether a value can be the name of a file."""
    return isinstance(name, str) and 0 < len(name) <= LONGEST_LINE and "\0" not in name


def _documents() -> str:
    """Return the folder of the user's documents, of all that is the user's where there is none."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    if Path(folder).is_dir():
        return folder
    return str(Path.home())

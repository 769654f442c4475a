"""Harnesses of the desk: its settings, the texts of journals, and maps that are drawn.

``run_settings`` reads the file of settings, ``run_kept_texts`` the JSON texts in it and in
journals, and ``run_drawing`` draws and edits a map that passed the gate.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from PySide6.QtCore import QRectF, QSettings

from app.document.document import MapDocument
from app.document.journal_records import (
    file_and_source,
    restore_attributes,
    roll_keys_of,
    texts_about,
)
from app.document.stored_viewport import stored_viewport, viewport_of
from app.features.gallery.pins import MAX_PINS, pins_text, read_pins
from app.features.game.group import rolls
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.encoding import decode_map, encode_map
from tests.app.render.drawing import SIZE, blank_image, draw, middle_viewport
from tests.fuzz.game_files import new_file
from tests.fuzz.harness import Harness, expect, refused
from tests.fuzz.mutators import mutate_block, mutate_json, text_mutator
from tests.fuzz.samples import sample_edits, sample_map, sample_maps
from tests.randomizer.map_strategies import contents

# --- settings -------------------------------------------------------------------------------------

_PROPERTIES = [
    *("game_pictures", "theme", "colour_set", "scale", "wheel", "touchpad", "last_directory"),
    *("closed_docks", "front_docks", "overview", "follow_script", "script_folders"),
    *("last_kind", "shortcuts"),
    *("picture", "gallery_pins", "gallery_width", "recent_commands", "tour_seen"),
]
"""The properties of ``Settings``; the others are read by methods."""

_MAX_IN_ANSWER = 13
"""The number of properties, the first ones, whose values are in the answer."""


def run_settings(data: bytes) -> object:
    """Read all settings from a file as QSettings reads it: nothing raises."""
    path = new_file(data, ".ini")
    try:
        settings = Settings(QSettings(str(path), QSettings.Format.IniFormat))
        values = [getattr(settings, name) for name in _PROPERTIES]
        for system in ("colossus", "xconq"):
            settings.game_dir(system)
            rolls.choices_of_text(settings.group_choices(system, settings.map_group(system)))
        settings.new_map_choices("free")
        for kind in ("squares", "boxes"):
            texts = settings.saved_texts(kind)
            expect(all(isinstance(text, str) for text in texts.values()), "a text that is none")
        for kind in ("maps", "scripts"):
            settings.recent(kind)
        settings.window_bytes("geometry")
        read_pins(settings.gallery_pins)
        answer: list[object] = []
        for value in values[:_MAX_IN_ANSWER]:
            if isinstance(value, dict | list | tuple):
                answer.append(len(value))
            else:
                answer.append(value)
        return answer
    finally:
        path.unlink()


@cache
def _settings_file() -> bytes:
    """Return a file of settings as the desk writes it."""
    pins = pins_text([Roll("Swamp", "Swamp.rnd", "", {}, 3, 4)])
    groups = rolls.text_of_choices({"Brush": rolls.Choice("catalogue:Swamp", 1, 2, True)})
    path = new_file(b"", ".ini")
    store = QSettings(str(path), QSettings.Format.IniFormat)
    settings = Settings(store)
    for name, value in (
        ("view/theme", "dark"),
        ("view/scale", "125"),
        ("new map", "flat 24 18 wrap"),
        ("script/folders", json.dumps(["/maps/own"])),
        ("gallery/width", "160"),
        ("gallery/pins", pins),
        ("groups/colossus/Default", groups),
        ("group/colossus", "Default"),
        ("tables/boxes", json.dumps({"small": "hill = 5"})),
        ("recent/maps", ["/a.xml", "/b.xml"]),
        ("shortcuts/save", "Ctrl+S"),
        ("commands/recent", "save open"),
    ):
        store.setValue(name, value)
    settings.set_window_bytes("geometry", settings.window_bytes("geometry"))
    store.sync()
    data = path.read_bytes()
    path.unlink()
    return data


def run_kept_texts(data: bytes) -> object:
    """Read one text as each of the JSON texts that settings and journals have."""
    text = data.decode("utf-8", "replace")

    # Settings: pins of the gallery, and choices of a group.
    pins = read_pins(text)
    expect(read_pins(pins_text(pins)) == pins[-MAX_PINS:], "pins are kept as others")
    choices = rolls.choices_of_text(text)
    expect(
        rolls.choices_of_text(rolls.text_of_choices(choices)) == choices,
        "choices are kept as others",
    )

    # Journals: what they say of an open map, of the rolls of a step, and of the viewport.
    document = MapDocument(sample_map("colossus"))
    record = {"name": "x", "path": text[:50], "kept": text}
    file_and_source(record)
    open_map = document.maps[0]
    restore_attributes(open_map, record)
    file_and_source(texts_about(open_map, "x"))
    try:
        roll_keys = roll_keys_of(StepRecord("Paint", 1, 1, text, b""))
    except (ValueError, TypeError, RecursionError, KeyError, IndexError):
        roll_keys = None  # a damaged step: the recovery of the journal says so
    viewport = viewport_of(_object_of(text))
    if viewport is not None:
        expect(viewport_of(stored_viewport(viewport)) == viewport, "another view")
    return len(pins), len(choices), roll_keys is None, viewport is None


def _object_of(text: str) -> dict[str, Any]:
    """Return the JSON object that a text is; an empty one for any other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return value


def _kept_seeds() -> Iterator[bytes]:
    """Yield a text of each kind as the desk writes it."""
    yield pins_text([Roll("Swamp", "Swamp.rnd", "", {"a": 1}, 3, 4)] * 2).encode()
    yield rolls.text_of_choices({"Brush": rolls.Choice("catalogue:Swamp", 1, 2, True)}).encode()
    yield json.dumps({"scale": 20.0, "dx": 1.0, "dy": 2}).encode()
    document = MapDocument(sample_map("colossus"))
    yield texts_about(document.maps[0], "x")["kept"].encode()
    yield json.dumps([[1, 2, {}, 3], [2, 3, {}, 4]]).encode()


# --- maps -----------------------------------------------------------------------------------------

SCALES = (0.7, 3.0, 12.0, 40.0, 130.0)
"""Pixels a map unit, at which cells are drawn in different ways."""

EVERYTHING = Overlays(**dict.fromkeys(OVERLAYS, True))
"""All overlays."""


@cache
def _renderer() -> Renderer:
    """Return a renderer that draws all overlays, the same one for all inputs."""
    renderer = Renderer(theme("light", "pictures"))
    renderer.overlays = EVERYTHING
    return renderer


@contextmanager
def faults_raised() -> Iterator[None]:
    """Raise the first fault that a guard of the desk caught in the block.

    The desk hands such faults to ``sys.excepthook`` and goes on.
    """
    faults: list[BaseException] = []
    previous_hook = sys.excepthook
    sys.excepthook = lambda _kind, fault, _trace: faults.append(fault)
    try:
        yield
    finally:
        sys.excepthook = previous_hook
    if faults:
        raise faults[0]


def run_drawing(data: bytes) -> object:
    """Draw a map that passed the gate at five zooms, and do, undo and redo edits of it."""
    try:
        battlemap = decode_map(data)
    except ProblemError as failed:
        return refused(failed.problems)
    with faults_raised():
        return battlemap.system.name, _draw_and_change(battlemap)


def _draw_and_change(battlemap: BattleMap) -> int:
    """Draw the map, then do, undo and redo each sample edit; return how many could be done."""
    document = MapDocument(battlemap)
    renderer = _renderer()
    image = blank_image(1.0)
    whole = QRectF(0, 0, *SIZE)
    for scale in SCALES:
        draw(renderer, document, middle_viewport(battlemap.grid, scale), image, whole)

    contents_at_first = contents(battlemap)
    edit_count = 0
    for edit in sample_edits(battlemap):
        contents_before_edit = contents(battlemap)
        if not document.push(edit, "Fuzz"):  # a locked layer, or more than a map may hold
            continue
        contents_after_edit = contents(battlemap)
        document.undo()
        expect(contents(battlemap) == contents_before_edit, f"undone: {type(edit).__name__}")
        document.redo()
        expect(contents(battlemap) == contents_after_edit, f"done again: {type(edit).__name__}")
        document.undo()
        edit_count += 1
        draw(renderer, document, middle_viewport(battlemap.grid, SCALES[2]), image, whole)
    expect(contents(battlemap) == contents_at_first, "all undone, it is another map")
    return edit_count


HARNESSES = (
    Harness(
        "settings",
        run_settings,
        lambda: [_settings_file()],
        text_mutator(
            "=", "[", "]", "@Invalid()", "@ByteArray(", ")", "\\x0", "wrap", "%", "{", "["
        ),
        tries=300,
        qt=True,
    ),
    Harness("kept-texts", run_kept_texts, _kept_seeds, mutate_json, tries=180, qt=True),
    Harness(
        "drawing",
        run_drawing,
        lambda: [encode_map(battlemap) for battlemap in sample_maps().values()],
        mutate_block,
        tries=40,
        qt=True,
    ),
)

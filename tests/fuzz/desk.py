"""Harnesses of the desk: its settings, what a journal says of a map, and maps that are drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from PySide6.QtCore import QRectF, QSettings

from app.document.document import MapDocument
from app.document.journal_records import (
    about,
    file_and_source,
    restore_attributes,
    roll_states_of,
)
from app.document.map_files import stored_viewport, viewport_of
from app.features.gallery.pins import MOST, pins_text, read_pins
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

_READ_ONCE = [
    *("game_pictures", "theme", "colour_set", "scale", "wheel", "touchpad", "last_directory"),
    *("closed_docks", "front_docks", "overview", "follow_script", "script_folders"),
    *("last_kind", "shortcuts"),
    *("picture", "gallery_pins", "gallery_width", "recent_commands", "tour_seen"),
]


def run_settings(data: bytes) -> object:
    """The file of settings as QSettings reads it: each setting has a value of its kind."""
    path = new_file(data, ".ini")
    try:
        settings = Settings(QSettings(str(path), QSettings.Format.IniFormat))
        found = [getattr(settings, name) for name in _READ_ONCE]
        for system in ("colossus", "xconq"):
            settings.game_dir(system)
            rolls.choices_of_text(settings.group_choices(system, settings.group(system)))
        settings.new_map_choices("free")
        for kind in ("squares", "boxes"):
            texts = settings.saved_texts(kind)
            expect(all(isinstance(text, str) for text in texts.values()), "a text that is none")
        for kind in ("maps", "scripts"):
            settings.recent(kind)
        settings.bytes("geometry")
        read_pins(settings.gallery_pins)
        return [len(each) if isinstance(each, dict | list | tuple) else each for each in found[:13]]
    finally:
        path.unlink()


@cache
def _ini() -> bytes:
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
    settings.set_bytes("geometry", settings.bytes("geometry"))
    store.sync()
    data = path.read_bytes()
    path.unlink()
    return data


def run_kept_texts(data: bytes) -> object:
    """JSON texts of the settings and of journals, each as if it were all of them."""
    text = data.decode("utf-8", "replace")
    pins = read_pins(text)
    expect(read_pins(pins_text(pins)) == pins[-MOST:], "pins are kept as others")
    choices = rolls.choices_of_text(text)
    expect(
        rolls.choices_of_text(rolls.text_of_choices(choices)) == choices,
        "choices are kept as others",
    )
    document = MapDocument(sample_map("colossus"))
    known = {"name": "x", "path": text[:50], "kept": text}
    file_and_source(known)
    open_map = document.maps[0]
    restore_attributes(open_map, known)
    file_and_source(about(open_map, "x"))
    try:
        extras = roll_states_of(StepRecord("Paint", 1, 1, text, b""))
    except (ValueError, TypeError, RecursionError, KeyError, IndexError):
        extras = None  # a damaged step: the recovery of the journal says so
    words = json.loads(text) if _is_object(text) else {}
    viewport = viewport_of(words)
    expect(viewport is None or viewport_of(stored_viewport(viewport)) == viewport, "another view")
    return len(pins), len(choices), extras is None, viewport is None


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _kept_seeds() -> Iterator[bytes]:
    yield pins_text([Roll("Swamp", "Swamp.rnd", "", {"a": 1}, 3, 4)] * 2).encode()
    yield rolls.text_of_choices({"Brush": rolls.Choice("catalogue:Swamp", 1, 2, True)}).encode()
    yield json.dumps({"scale": 20.0, "dx": 1.0, "dy": 2}).encode()
    document = MapDocument(sample_map("colossus"))
    yield about(document.maps[0], "x")["kept"].encode()
    yield json.dumps([[1, 2, {}, 3], [2, 3, {}, 4]]).encode()


# --- maps -----------------------------------------------------------------------------------------

SCALES = (0.7, 3.0, 12.0, 40.0, 130.0)
EVERYTHING = Overlays(**dict.fromkeys(OVERLAYS, True))


@cache
def _renderer() -> Renderer:
    made = Renderer(theme("light", "pictures"))
    made.overlays = EVERYTHING
    return made


@contextmanager
def faults_raised() -> Iterator[None]:
    """Raise the first fault that a guard of the desk caught."""
    caught: list[BaseException] = []
    before = sys.excepthook
    sys.excepthook = lambda _kind, fault, _trace: caught.append(fault)
    try:
        yield
    finally:
        sys.excepthook = before
    if caught:
        raise caught[0]


def run_drawing(data: bytes) -> object:
    """A map that passed the gate is drawn at five zooms, and edits are undone and done again."""
    try:
        battlemap = decode_map(data)
    except ProblemError as failed:
        return refused(failed.problems)
    with faults_raised():
        return battlemap.system.name, _draw_and_change(battlemap)


def _draw_and_change(battlemap: BattleMap) -> int:
    """Draw the map, then do, undo and do again each sample edit; how many could be done."""
    document = MapDocument(battlemap)
    renderer = _renderer()
    image = blank_image(1.0)
    whole = QRectF(0, 0, *SIZE)
    for scale in SCALES:
        draw(renderer, document, middle_viewport(battlemap.grid, scale), image, whole)
    before = contents(battlemap)
    done = 0
    for edit in sample_edits(battlemap):
        state = contents(battlemap)
        if not document.push(edit, "Fuzz"):  # a locked layer, or more than a map may hold
            continue
        after = contents(battlemap)
        document.undo()
        expect(contents(battlemap) == state, f"undone: {type(edit).__name__}")
        document.redo()
        expect(contents(battlemap) == after, f"done again: {type(edit).__name__}")
        document.undo()
        done += 1
        draw(renderer, document, middle_viewport(battlemap.grid, SCALES[2]), image, whole)
    expect(contents(battlemap) == before, "all undone, it is another map")
    return done


HARNESSES = (
    Harness(
        "settings",
        run_settings,
        lambda: [_ini()],
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
        lambda: [encode_map(each) for each in sample_maps().values()],
        mutate_block,
        tries=40,
        qt=True,
    ),
)

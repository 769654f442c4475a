"""A roll as one line of text: who gets it rolls the very same layer.

    text = recipe_text(recipe_of(layer.roll, base))    # battlelands:1:Swamp-17-4:eJxV...:5f1c09ab
    recipe = read_recipe(text)                         # from a chat: ProblemError if it is damaged
    generator = find_generator(recipe)                 # None: its script is not here
    base = locked_as_in(recipe, base)
    warnings = differences(recipe, generator, base)    # what is not as it was there

Behind the version stand, for people, what was rolled, seed and number; then the recipe as canonical
JSON, deflated, in base64url; then the CRC-32 of all before it.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.catalog import (
    generator_for_script,
    generator_named,
    generators,
    is_beside,
    system_named,
)
from randomizer.generator import (
    Base,
    MapGenerator,
    libraries_of,
    roller_version_of,
    settings_for,
    texts_of,
    why_not,
)
from randomizer.model.bounded_json import parse_json
from randomizer.model.gate import check_grid, check_plane, check_roll
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.layer import NO_TEXTS, Roll
from randomizer.model.limits import MOST_CELLS
from randomizer.model.planes import write
from randomizer.model.problems import Problem, ProblemError, Severity, error, split_lines
from randomizer.model.setting import checked_settings
from randomizer.model.system import System
from randomizer.script_catalog import CatalogEntry, found_entries
from randomizer.storage.codec import read, short_fields

HEAD = "battlelands:"
VERSION = 1

LONGEST = 2**18
"""In characters; the locks of a large map take most of it."""

LONGEST_WITH_SCRIPT = 2000
"""A script goes along if the text is no longer than one message of a chat can be."""

LARGEST_JSON = 2**22

_LINE = re.compile(r"battlelands:([0-9]{1,4}):([\w.-]*):([\w-]*):([0-9a-f]{8})", re.ASCII)

Scripts = Iterable[tuple[str, Mapping[str, str]]]
"""Texts of scripts, each with its further texts by name."""


class GridShape(NamedTuple):
    """A grid without its mask."""

    layout: str
    width: int
    height: int
    wrap: bool
    lean: bool


class KeptValues(NamedTuple):
    """Flat, ascending indices of locked places of a plane, and the values there."""

    places: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True)
class RollRecipe:
    """All that makes a roll. Equal recipes make equal layers of equal generators.

    ``roll.script`` and ``roll.texts`` are empty unless the script goes along; ``script`` is their
    digest (``script_digest``). ``roller`` is the version of the generator's rules. ``cells`` and
    ``sides`` were locked, as flat, ascending indices; ``kept`` has by plane what they held where it
    could be seen, in codes of the terrain set whose digest ``terrains`` is.
    """

    system: str
    roll: Roll
    grid: GridShape
    script: str = ""
    roller: int = 1
    cells: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    kept: Mapping[str, KeptValues] = field(default_factory=lambda: MappingProxyType({}))
    terrains: str = ""

    @property
    def script_name(self) -> str:
        """What its script or generator is called."""
        return self.roll.script_name or self.roll.generator


def script_digest(text: str, texts: Mapping[str, str] = NO_TEXTS) -> str:
    """The digest of a script, whatever its line ends: 32 hex digits, "" of an empty one."""
    if not text:
        return ""
    parts = [("", text), *sorted(texts.items())]
    lines = [(name, split_lines(each)) for name, each in parts]
    return _digest(lines)


def _digest(value: object) -> str:
    return sha256(repr(value).encode()).hexdigest()[:32]


# --- the text -------------------------------------------------------------------------------------


def recipe_text(recipe: RollRecipe) -> str:
    """The text of a recipe. Raises ProblemError for one that is too long."""
    own = {Roll: short_fields}
    fields = json.dumps(
        short_fields(recipe, own), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    packed = urlsafe_b64encode(zlib.compress(fields.encode(), 9)).decode().rstrip("=")
    name = re.sub(r"[^A-Za-z0-9.]+", "-", recipe.script_name)[:40]
    line = f"{HEAD}{VERSION}:{name}-{recipe.roll.seed}-{recipe.roll.number}:{packed}"
    if len(line) > LONGEST - 9 or len(fields) > LARGEST_JSON:
        raise error("recipe-size", "the locks of this roll are too many for a recipe")
    return f"{line}:{zlib.crc32(line.encode()):08x}"


def is_recipe(text: str) -> bool:
    """Whether a text begins as a recipe does; it can be damaged."""
    return text[:100].lstrip().startswith(HEAD)


def read_recipe(text: str) -> RollRecipe:
    """The recipe of a text, in which mails may have put line ends. Raises ProblemError."""
    if len(text) > 2 * LONGEST:
        raise error("recipe-size", f"a recipe has {LONGEST:,} characters at most")
    line = "".join(text.split())
    if not line.startswith(HEAD):
        raise error("no-recipe", f"this is no recipe of a roll: those begin with {HEAD}")
    match = _LINE.fullmatch(line)
    if match is None or zlib.crc32(line[:-9].encode()) != int(match[4], 16):
        message = "this recipe was changed on its way, or is not whole: copy it once more"
        raise error("recipe-damaged", message)
    if int(match[1]) != VERSION:
        message = f"this recipe is of another version of the program ({match[1]})"
        raise error("recipe-version", message)
    try:
        return _read_fields(match[3])
    except (ValueError, zlib.error, RecursionError) as fault:
        raise error("recipe-damaged", f"this is no recipe that can be rolled: {fault}") from fault


def _read_fields(packed: str) -> RollRecipe:
    """Raises ValueError, zlib.error, RecursionError, and ProblemError for values of no roll."""
    inflate = zlib.decompressobj()
    data = inflate.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), LARGEST_JSON)
    if not inflate.eof or inflate.unused_data:
        raise ValueError(f"it is not whole, or holds more than {LARGEST_JSON:,} bytes")
    recipe: RollRecipe = read(RollRecipe, parse_json(data, largest=LARGEST_JSON), "the recipe")
    check_roll(recipe.roll, "the recipe")
    for name in (recipe.roll.script_name, *recipe.roll.texts):
        if name and not is_beside(name):
            raise ValueError(f"{name!r:.60} is no name of a script")
    return recipe


# --- from a roll ----------------------------------------------------------------------------------


def recipe_of(roll: Roll, base: Base) -> RollRecipe:
    """The recipe of a roll, whose re-roll would start from ``base``.

    Locks that were set after it was rolled are none of it. Where something else has changed below
    it since (``fits`` is False), it is the recipe of what was there. Raises ProblemError if it is
    too long, or if its generator is not here.
    """
    grid, generator = base.grid, generator_named(roll.generator) if roll.generator else None
    if generator is None:
        generator = generator_for_script(roll.script, roll.script_name, None, roll.texts)
    if roll.ground not in ("", base.ground()):
        base = base.unlocked()
    shape = GridShape(grid.layout.name, grid.width, grid.height, grid.wrap, grid.lean)
    kept = {spec.name: np.flatnonzero(base.kept(spec)) for spec in base.system.shown_planes}
    texts = {name: each for name, each in roll.texts.items() if is_beside(name)}
    whole = RollRecipe(
        base.system.name,
        replace(roll, origins=(), part="", ground=roll.ground or base.ground(), texts=texts),
        shape,
        script_digest(roll.script, roll.texts),
        roller_version_of(generator),
        tuple(np.flatnonzero(base.locked_cells).tolist()),
        tuple(np.flatnonzero(base.locked_sides).tolist()),
        {
            name: KeptValues(
                tuple(places.tolist()), tuple(base.shown.planes[name].flat[places].tolist())
            )
            for name, places in kept.items()
            if len(places)
        },
        _digest(base.terrain_set) if base.locked else "",
    )
    short = replace(whole, roll=replace(whole.roll, script="", texts=NO_TEXTS))
    if packaged_script(whole) or len(recipe_text(whole)) > LONGEST_WITH_SCRIPT:
        return short
    return whole


def fits(recipe: RollRecipe, base: Base) -> bool:
    """Whether a roll onto ``base`` is one onto what the recipe was rolled onto."""
    return locked_as_in(recipe, base).ground() == recipe.roll.ground


# --- back to a roll -------------------------------------------------------------------------------


def recipe_system(recipe: RollRecipe) -> System:
    """The system of the recipe's map. Raises ProblemError if it is not known here."""
    system = system_named(recipe.system)
    if system is None:
        raise error("no-system", f"maps of {recipe.system:.40} are not known here")
    return system


def recipe_grid(recipe: RollRecipe) -> Grid:
    """The grid of the recipe's map, without a mask. Raises ProblemError."""
    system, shape = recipe_system(recipe), recipe.grid
    if system.fixed_grid:
        return system.new_grid()
    layout = next((each for each in LAYOUTS if each.name == shape.layout), None)
    most = 0 < shape.width <= MOST_CELLS and 0 < shape.height <= MOST_CELLS
    if layout is None or not most:
        raise error("recipe-grid", f"no map has the grid of this recipe ({shape.layout:.40})")
    grid = Grid(layout, shape.width, shape.height, wrap=shape.wrap, lean=shape.lean)
    check_grid(system, grid)
    return grid


def packaged_script(recipe: RollRecipe) -> tuple[str, Mapping[str, str]] | None:
    """The script of the recipe among those that come with the program, None if it is not there."""
    scripts = ((each.text, texts_of(each)) for each in generators() if each.text)
    return next((each for each in scripts if script_digest(*each) == recipe.script), None)


def find_generator(recipe: RollRecipe, scripts: Scripts = ()) -> MapGenerator | None:
    """The generator with the recipe's very script, else the packaged one of its name.

    The script is sought in the recipe, in the package, among ``scripts``, in the user's folders and
    in installed games: it can be slow. None if it is not found.
    """
    roll = recipe.roll
    packaged = generator_named(roll.generator) if roll.generator else None
    if packaged is not None and packaged.system.name != recipe.system:
        packaged = None
    if packaged is not None:
        same = script_digest(packaged.text, texts_of(packaged)) == recipe.script
        if same or not recipe.script:
            return packaged
    for text, texts in _scripts(recipe, scripts) if recipe.script else ():
        if script_digest(text, texts) == recipe.script:
            return generator_for_script(text, roll.script_name, None, texts)
    return packaged


def _scripts(recipe: RollRecipe, scripts: Scripts) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield recipe.roll.script, recipe.roll.texts
    packaged = packaged_script(recipe)
    yield from (packaged,) if packaged else ()
    yield from scripts
    for entry in found_entries():
        if isinstance(entry, CatalogEntry) and entry.system.name == recipe.system:
            with suppress(ProblemError):  # the catalogue says what is wrong with it
                generator = entry.generator()
                yield generator.text, texts_of(generator)


def locked_as_in(recipe: RollRecipe, base: Base) -> Base:
    """``base`` with the recipe's locks instead of its own.

    Without any if the recipe was rolled onto another grid or terrain set. Raises ProblemError for
    locks that no such map has.
    """
    base, grid = base.unlocked(), base.grid
    shape = (grid.layout.name, grid.width, grid.height)
    if shape != recipe.grid[:3] or recipe.terrains != _digest(base.terrain_set):
        return base
    cells, sides, planes = base.locked_cells, base.locked_sides, dict(base.shown.planes)
    kept = {}
    try:
        _mark(cells, recipe.cells)
        _mark(sides, recipe.sides)
        for name, (places, values) in recipe.kept.items():
            spec = base.system.plane(name)
            kept[name] = _mark(np.zeros(spec.shape(grid), np.bool_), places)
            planes[name] = planes[name].copy()
            planes[name][kept[name]] = np.array(values, spec.dtype)
            check_plane(base.system, base.terrain_set, grid, spec, planes[name], "the recipe")
    except (IndexError, KeyError, OverflowError, ValueError) as fault:
        raise error("recipe-locks", "no such map has the locks of this recipe") from fault
    covered = {
        spec.name: ~kept.get(spec.name, np.zeros(spec.shape(grid), np.bool_))
        for spec in base.system.shown_planes
    }
    return replace(base, shown=replace(base.shown, planes=planes), covered=covered)


def _mark(places: NDArray[np.bool_], index: tuple[int, ...]) -> NDArray[np.bool_]:
    """The array, True at these flat indices as well. Raises ValueError, IndexError."""
    found = np.array(index, np.intp)
    if (np.diff(found) <= 0).any():
        raise ValueError("the places do not ascend")
    write(places, found, True)
    return places


def differences(recipe: RollRecipe, generator: MapGenerator, base: Base) -> tuple[Problem, ...]:
    """Warnings of all that is not as it was where the recipe comes from: it may be another layer.

    ``base`` has the recipe's locks. Raises ProblemError for what cannot be rolled at all.
    """
    reason = why_not(generator)
    if reason:
        raise error("needs-more", reason)
    checked_settings(settings_for(generator), recipe.roll.settings)
    name, roller = recipe.script_name, roller_version_of(generator)
    found = []
    if script_digest(generator.text, texts_of(generator)) != recipe.script:
        found.append(("script", f"{name} has another text here than where it was rolled"))
    if roller != recipe.roller:
        message = f"it was rolled by version {recipe.roller} of the rules of {name}"
        found.append(("roller", f"{message}, here they are version {roller}"))
    present = libraries_of(generator)
    for library, digest in recipe.roll.libraries.items():
        if library not in present:
            found.append(("library", f"the library {library} is not here"))
        elif present[library] != digest:
            found.append(("library", f"the library {library} is not as where it was rolled"))
    grid, shape = base.grid, recipe.grid
    if (grid.layout.name, grid.width, grid.height, grid.wrap) != shape[:4]:
        size = f"{shape.width} x {shape.height}"
        found.append(("grid", f"it was rolled onto another grid ({shape.layout:.40}, {size})"))
    elif base.ground() != recipe.roll.ground:
        ground = "another map: what lies below or is locked here is not as it was there"
        found.append(("ground", f"it was rolled onto {ground}"))
    return tuple(Problem(Severity.WARNING, f"recipe-{code}", text) for code, text in found)

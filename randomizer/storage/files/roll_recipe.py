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
from typing import NamedTuple

import numpy as np

from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.script_catalog import CatalogEntry, found_entries
from randomizer.catalog.scripts import generator_for_script
from randomizer.catalog.systems import system_named
from randomizer.generator import MapGenerator
from randomizer.ground_digest import ground_digest
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import MOST_CELLS
from randomizer.model.gate.gate import check_grid, check_plane, check_roll
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.planes.planes import Element
from randomizer.model.problems import Problem, ProblemError, Severity, error, split_lines
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.storage.records.codec import read, short_fields
from randomizer.symmetric_rolls import settings_for

HEAD = "battlelands:"
"""The beginning of the text of a recipe."""

VERSION = 1
"""The version of recipes; others are not read."""

LONGEST = 2**18
"""The most characters of a text; the locks of a large map take most of it."""

LARGEST_JSON = 2**22
"""The most bytes of a recipe's JSON, which the text has deflated."""

LONGEST_WITH_SCRIPT = 2000
"""A script goes along if the text is no longer than one message of a chat can be."""

_MOST_DEFLATED = 20
"""The ratio that the deflated text of a script does not reach."""

_LINE = re.compile(
    r"""
    battlelands:
    (?P<version> [0-9]{1,4} ):
    (?P<title> [\w.-]* ):        # for people
    (?P<packed> [\w-]* ):        # base64url
    (?P<checksum> [0-9a-f]{8} )
    """,
    re.ASCII | re.VERBOSE,
)

Scripts = Iterable[tuple[str, Mapping[str, str]]]
"""Texts of scripts, each with its further texts by name."""


class RecipeGrid(NamedTuple):
    """The grid onto which a recipe was rolled; a mask is not part of it."""

    layout: str
    """The name of a layout."""

    width: int
    height: int
    wrap: bool
    lean: bool


class LockedValues(NamedTuple):
    """The locked values of one plane."""

    elements: tuple[int, ...]
    """The flat indices of the cells, sides or corners that are locked and could be seen."""

    values: tuple[int, ...]
    """The value of each of them."""


@dataclass(frozen=True)
class RollRecipe:
    """All that makes a roll: equal recipes make equal layers."""

    system: str
    """The name of the map's system."""

    roll: Roll
    """The roll; its script and texts are empty unless they go along in the recipe."""

    grid: RecipeGrid

    script: str = ""
    """The digest of the script and its texts (``script_digest``)."""

    roller: int = 1
    """The version of the generator's rules (``MapGenerator.roller_version``)."""

    locked: Mapping[str, LockedValues] = field(default_factory=dict)
    """The locked values by plane; planes without any are absent."""

    @property
    def script_name(self) -> str:
        """The name of its script or generator."""
        return self.roll.script_name or self.roll.generator


def script_digest(text: str, texts: Mapping[str, str] = NO_TEXTS) -> str:
    """Return the digest of a script, whatever its line ends: 32 hex digits, "" of an empty one."""
    if not text:
        return ""
    named_texts = sorted({**texts, "": text}.items())
    named_lines = [(name, split_lines(content)) for name, content in named_texts]
    return sha256(repr(named_lines).encode()).hexdigest()[:32]


# --- the text -------------------------------------------------------------------------------------


def recipe_text(recipe: RollRecipe) -> str:
    """Return the text of a recipe. Raises ProblemError for one that is too long."""
    fields = short_fields(recipe, {Roll: short_fields})
    data = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    name = re.sub(r"[^A-Za-z0-9.]+", "-", recipe.script_name)[:40]
    line = packed_line(f"{name}-{recipe.roll.seed}-{recipe.roll.number}", data)
    if len(line) > LONGEST or len(data) > LARGEST_JSON:
        raise error("recipe-size", "the locks of this roll are too many for a recipe")
    return line


def packed_line(title: str, data: bytes) -> str:
    """Return the line with the JSON ``data``; ``title`` is for people."""
    packed = urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    line = f"{HEAD}{VERSION}:{title}:{packed}"
    return f"{line}:{zlib.crc32(line.encode()):08x}"


def is_recipe(text: str) -> bool:
    """Return whether a text begins as a recipe does; it can be damaged."""
    return text[:100].lstrip().startswith(HEAD)


def read_recipe(text: str) -> RollRecipe:
    """Return the recipe of a text, in which mails may have put line ends. Raises ProblemError."""
    if len(text) > 2 * LONGEST:
        raise error("recipe-size", f"a recipe has {LONGEST:,} characters at most")
    line = "".join(text.split())
    if not line.startswith(HEAD):
        raise error("no-recipe", f"this is no recipe of a roll: those begin with {HEAD}")
    match = _LINE.fullmatch(line)
    without_checksum, _colon, _checksum = line.rpartition(":")
    if match is None or zlib.crc32(without_checksum.encode()) != int(match["checksum"], 16):
        message = "this recipe was changed on its way, or is not whole: copy it once more"
        raise error("recipe-damaged", message)
    if int(match["version"]) != VERSION:
        raise error("recipe-version", f"this recipe is of another version ({match['version']})")
    try:
        return _read_fields(match["packed"])
    except (ValueError, zlib.error, RecursionError) as fault:
        raise error(
            "recipe-damaged", f"this recipe cannot be rolled: {reason_of(fault)}"
        ) from fault


def _read_fields(packed: str) -> RollRecipe:
    """Return the recipe of base64url.

    Raises ValueError, zlib.error, RecursionError, and ProblemError for values of no roll.
    """
    padding = "=" * (-len(packed) % 4)  # which ``packed_line`` leaves out
    inflate = zlib.decompressobj()
    data = inflate.decompress(urlsafe_b64decode(packed + padding), LARGEST_JSON)
    if not inflate.eof or inflate.unused_data:
        raise ValueError(f"it is not whole, or holds more than {LARGEST_JSON:,} bytes")
    recipe: RollRecipe = read(RollRecipe, parse_json(data, largest=LARGEST_JSON), "the recipe")
    check_roll(recipe.roll, "the recipe")
    return recipe


# --- from a roll ----------------------------------------------------------------------------------


def recipe_of(roll: Roll, base: Base) -> RollRecipe:
    """Return the recipe of a roll, whose re-roll would start from ``base``.

    Locks that were set after it was rolled do not belong to it. If something else has changed below
    it since, the recipe has the digest of what was there then (``Roll.ground``), and no locks.
    Raises ProblemError if it is too long, or if its generator is not here.
    """
    grid = base.grid
    generator = generator_named(roll.generator) if roll.generator else None
    if generator is None:
        generator = generator_for_script(roll.script, roll.script_name, None, roll.texts)
    # A roll that searched map after map was not bound by locks on paint.
    searched_base = base.with_paint_above()
    if roll.ground == ground_digest(searched_base):
        base = searched_base
    elif roll.ground not in ("", ground_digest(base)):
        base = base.unlocked()
    recipe = RollRecipe(
        system=base.system.name,
        roll=replace(roll, origins=(), part="", ground=roll.ground or ground_digest(base)),
        grid=RecipeGrid(grid.layout.name, grid.width, grid.height, grid.wrap, grid.lean),
        script=script_digest(roll.script, roll.texts),
        roller=generator.roller_version,
        locked=_locked_values(base),
    )
    if _takes_script_along(recipe):
        return recipe
    roll_without_script = replace(recipe.roll, script="", texts=NO_TEXTS)
    return replace(recipe, roll=roll_without_script)


def _locked_values(base: Base) -> dict[str, LockedValues]:
    """Return the values that are locked in a base, by plane."""
    locked = {}
    for spec in base.system.shown_planes:
        elements = np.flatnonzero(base.locked_mask(spec))
        if len(elements):
            values = base.shown.planes[spec.name].flat[elements]
            locked[spec.name] = LockedValues(tuple(elements.tolist()), tuple(values.tolist()))
    return locked


def _takes_script_along(recipe: RollRecipe) -> bool:
    """Return whether the script, which is in the recipe, stays there.

    It does if it is short, and does not come with this program.
    """
    if any(script_digest(*script) == recipe.script for script in _packaged_scripts()):
        return False
    characters = sum(map(len, (recipe.roll.script, *recipe.roll.texts.values())))
    if characters > _MOST_DEFLATED * LONGEST_WITH_SCRIPT:  # it need not be deflated to know
        return False
    return len(recipe_text(recipe)) <= LONGEST_WITH_SCRIPT


# --- back to a roll -------------------------------------------------------------------------------


def recipe_grid(recipe: RollRecipe) -> Grid:
    """Return the grid of a new map for the recipe.

    Raises ProblemError for an unknown kind of map.
    """
    system = system_named(recipe.system)
    layouts = {layout.name: layout for layout in LAYOUTS}
    layout = layouts.get(recipe.grid.layout)
    has_cells = 0 < recipe.grid.width <= MOST_CELLS and recipe.grid.height > 0
    if system is None or layout is None or not has_cells:
        raise error("no-system", f"such maps ({recipe.system:.40}) are not known here")
    if system.fixed_grid:
        return system.new_grid()
    height = min(recipe.grid.height, MOST_CELLS)  # ``check_grid`` refuses what is too large
    grid = Grid(layout, recipe.grid.width, height, wrap=recipe.grid.wrap, lean=recipe.grid.lean)
    check_grid(system, grid)
    return grid


def find_generator(recipe: RollRecipe, scripts: Scripts = ()) -> MapGenerator | None:
    """Return the generator with the recipe's very script, else the packaged one of its name.

    The script is sought in the recipe, in the package, among ``scripts``, in the user's folders and
    in installed games: it can be slow. None if it is not found.
    """
    roll = recipe.roll
    packaged = generator_named(roll.generator) if roll.generator else None
    if packaged is not None and packaged.system.name != recipe.system:
        packaged = None
    if packaged is not None and _digest_of(packaged) == recipe.script:
        return packaged
    if recipe.script:
        for text, texts in _scripts(recipe, scripts):
            if script_digest(text, texts) == recipe.script:
                return generator_for_script(text, roll.script_name, None, texts)
    return packaged


def _digest_of(generator: MapGenerator) -> str:
    """Return the digest of a generator's script; "" if it has none."""
    return script_digest(generator.text, generator.texts)


def _packaged_scripts() -> Scripts:
    """Return the scripts that come with this program."""
    return ((generator.text, generator.texts) for generator in generators() if generator.text)


def _scripts(recipe: RollRecipe, scripts: Scripts) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield all scripts among which that of a recipe can be, those that are at hand first."""
    yield recipe.roll.script, recipe.roll.texts
    yield from _packaged_scripts()
    yield from scripts
    for entry in found_entries():
        if isinstance(entry, CatalogEntry) and entry.system.name == recipe.system:
            with suppress(ProblemError):  # the catalogue says what is wrong with it
                generator = entry.generator()
                yield generator.text, generator.texts


def locked_as_in(recipe: RollRecipe, base: Base) -> Base:
    """Return ``base`` with the recipe's locks instead of its own.

    If the map then differs from what the recipe was rolled onto, it has no locks at all. Raises
    ProblemError for locks that no such map has.
    """
    unlocked = base.unlocked()
    if not recipe.locked or not same_grid(recipe, base):
        return unlocked
    locked_cells = unlocked.locked_cells
    locked_sides = unlocked.locked_sides
    shown_planes = dict(unlocked.shown.planes)
    covered = {}
    try:
        for spec in base.system.shown_planes:
            values = shown_planes[spec.name].copy()
            is_locked = np.zeros(spec.shape(base.grid), np.bool_)
            if spec.name in recipe.locked:
                locked = recipe.locked[spec.name]
                elements = np.array(locked.elements, np.uint64)
                is_locked.reshape(-1)[elements] = True
                values.reshape(-1)[elements] = np.array(locked.values, spec.dtype)
            # Locks of corners follow from those of cells.
            if spec.element is Element.CELL:
                locked_cells |= is_locked
            elif spec.element is Element.SIDE:
                locked_sides |= is_locked
            frame = MapFrame(base.system, base.terrain_set, base.grid)
            check_plane(frame, spec, values, "the recipe")
            shown_planes[spec.name] = values
            # The lock of a cell holds only for the planes that the recipe has values of.
            covered[spec.name] = ~is_locked
    except (IndexError, OverflowError, ValueError) as fault:
        raise error("recipe-locks", "no such map has the locks of this recipe") from fault
    locked_base = replace(unlocked, shown=replace(base.shown, planes=shown_planes), covered=covered)
    if same_ground(recipe, locked_base):
        return locked_base
    return unlocked


def same_grid(recipe: RollRecipe, base: Base) -> bool:
    """Return whether a map has the system and the grid of the recipe; ``lean`` is not compared."""
    grid = base.grid
    base_grid = RecipeGrid(grid.layout.name, grid.width, grid.height, grid.wrap, recipe.grid.lean)
    return base.system.name == recipe.system and base_grid == recipe.grid


def same_ground(recipe: RollRecipe, base: Base) -> bool:
    """Return whether the recipe was rolled onto the same as ``base`` is, locks included."""
    return ground_digest(base) == recipe.roll.ground


def differences(recipe: RollRecipe, generator: MapGenerator, base: Base) -> tuple[Problem, ...]:
    """Return warnings of all that is not as it was where the recipe was made.

    Each means that the roll may be another layer. ``base`` has the recipe's locks. Raises
    ProblemError for what cannot be rolled at all.
    """
    reason = generator.why_not()
    if reason or generator.system.name != recipe.system:
        raise error("needs-more", reason or f"{recipe.script_name} makes other maps here")
    checked_settings(settings_for(generator), recipe.roll.settings)
    name = recipe.script_name
    warnings = []
    if _digest_of(generator) != recipe.script:
        message = f"{name} has another text here than where it was rolled"
        warnings.append(_warning("script", message))
    if generator.roller_version != recipe.roller:
        message = (
            f"it was rolled by version {recipe.roller} of the rules of {name}, "
            f"here they are version {generator.roller_version}"
        )
        warnings.append(_warning("roller", message))
    digests = generator.libraries()
    for library, digest in recipe.roll.libraries.items():
        if library not in digests:
            warnings.append(_warning("library", f"the library {library} is not here"))
        elif digests[library] != digest:
            message = f"the library {library} is not as where it was rolled"
            warnings.append(_warning("library", message))
    if not same_grid(recipe, base):
        grid = recipe.grid
        size = f"{grid.width} x {grid.height}"
        message = f"it was rolled onto another grid ({grid.layout}, {size})"
        warnings.append(_warning("grid", message))
    elif not same_ground(recipe, base):
        message = "it was rolled onto another map than what lies below here"
        if recipe.locked:
            message = f"{message}; its locks are left out"
        warnings.append(_warning("ground", message))
    return tuple(warnings)


def _warning(code: str, message: str) -> Problem:
    return Problem(Severity.WARNING, f"recipe-{code}", message)

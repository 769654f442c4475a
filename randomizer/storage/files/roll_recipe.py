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

import numpy as np

from randomizer.catalog.catalog import (
    generator_for_script,
    generator_named,
    generators,
    system_named,
)
from randomizer.catalog.script_catalog import CatalogEntry, found_entries
from randomizer.generator import (
    Base,
    MapGenerator,
    settings_for,
)
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import MOST_CELLS
from randomizer.model.gate.gate import check_grid, check_plane, check_roll
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.planes.planes import Place
from randomizer.model.problems import Problem, ProblemError, Severity, error, split_lines
from randomizer.model.settings.setting import checked_settings
from randomizer.storage.records.codec import read, short_fields

HEAD = "battlelands:"
VERSION = 1

LONGEST = 2**18
LARGEST_JSON = 2**22
"""In characters and in bytes; the locks of a large map take most of it."""

LONGEST_WITH_SCRIPT = 2000
"""A script goes along if the text is no longer than one message of a chat can be."""

_LINE = re.compile(r"battlelands:([0-9]{1,4}):([\w.-]*):([\w-]*):([0-9a-f]{8})", re.ASCII)

Scripts = Iterable[tuple[str, Mapping[str, str]]]
"""Texts of scripts, each with its further texts by name."""


@dataclass(frozen=True)
class RollRecipe:
    """All that makes a roll: equal recipes make equal layers.

    ``roll.script`` and ``roll.texts`` are empty unless the script goes along; ``script`` is their
    digest (``script_digest``). ``grid``: layout, width, height, wrap, lean. ``roller``: the version
    of the generator's rules. ``locked``: by plane, the flat indices of locked places that could be
    seen, and the values there.
    """

    system: str
    roll: Roll
    grid: tuple[str, int, int, bool, bool]
    script: str = ""
    roller: int = 1
    locked: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)

    @property
    def script_name(self) -> str:
        """The name of its script or generator."""
        return self.roll.script_name or self.roll.generator


def script_digest(text: str, texts: Mapping[str, str] = NO_TEXTS) -> str:
    """Return the digest of a script, whatever its line ends: 32 hex digits, "" of an empty one."""
    parts = [(name, split_lines(content)) for name, content in sorted({**texts, "": text}.items())]
    if text:
        return sha256(repr(parts).encode()).hexdigest()[:32]
    return ""


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
    if match is None or zlib.crc32(line[:-9].encode()) != int(match[4], 16):
        message = "this recipe was changed on its way, or is not whole: copy it once more"
        raise error("recipe-damaged", message)
    if int(match[1]) != VERSION:
        raise error("recipe-version", f"this recipe is of another version ({match[1]})")
    try:
        return _read_fields(match[3])
    except (ValueError, zlib.error, RecursionError) as fault:
        raise error(
            "recipe-damaged", f"this recipe cannot be rolled: {reason_of(fault)}"
        ) from fault


def _read_fields(packed: str) -> RollRecipe:
    """Raises ValueError, zlib.error, RecursionError, and ProblemError for values of no roll."""
    inflate = zlib.decompressobj()
    data = inflate.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), LARGEST_JSON)
    if not inflate.eof or inflate.unused_data:
        raise ValueError(f"it is not whole, or holds more than {LARGEST_JSON:,} bytes")
    recipe: RollRecipe = read(RollRecipe, parse_json(data, largest=LARGEST_JSON), "the recipe")
    check_roll(recipe.roll, "the recipe")
    return recipe


# --- from a roll ----------------------------------------------------------------------------------


def recipe_of(roll: Roll, base: Base) -> RollRecipe:
    """Return the recipe of a roll, whose re-roll would start from ``base``.

    Locks that were set after it was rolled are none of it. Where something else has changed below
    it since (``same_ground`` is False), it is the recipe of what was there. Raises ProblemError if
    it is too long, or if its generator is not here.
    """
    grid = base.grid
    if roll.generator:
        generator = generator_named(roll.generator)
    else:
        generator = None
    generator = generator or generator_for_script(roll.script, roll.script_name, None, roll.texts)
    if roll.ground not in ("", base.ground()):
        base = base.unlocked()
    locked = {
        spec.name: np.flatnonzero(base.locked_mask(spec)) for spec in base.system.shown_planes
    }
    whole = RollRecipe(
        base.system.name,
        replace(roll, origins=(), part="", ground=roll.ground or base.ground()),
        (grid.layout.name, grid.width, grid.height, grid.wrap, grid.lean),
        script_digest(roll.script, roll.texts),
        generator.roller_version,
        {
            name: (tuple(where.tolist()), tuple(base.shown.planes[name].flat[where].tolist()))
            for name, where in locked.items()
            if len(where)
        },
    )
    is_packaged = any(
        script_digest(*packaged_script) == whole.script for packaged_script in _packaged_scripts()
    )
    characters = sum(map(len, (roll.script, *roll.texts.values())))
    is_long = characters > 20 * LONGEST_WITH_SCRIPT  # that is not worth deflating
    if is_packaged or is_long or len(recipe_text(whole)) > LONGEST_WITH_SCRIPT:
        return replace(whole, roll=replace(whole.roll, script="", texts=NO_TEXTS))
    return whole


# --- back to a roll -------------------------------------------------------------------------------


def recipe_grid(recipe: RollRecipe) -> Grid:
    """Return the grid of a new map for the recipe.

    Raises ProblemError for an unknown kind of map.
    """
    system = system_named(recipe.system)
    (name, width, height, wrap, lean) = recipe.grid
    layout = next((known_layout for known_layout in LAYOUTS if known_layout.name == name), None)
    if system is None or layout is None or not (0 < width <= MOST_CELLS and height > 0):
        raise error("no-system", f"such maps ({recipe.system:.40}) are not known here")
    if system.fixed_grid:
        return system.new_grid()
    grid = Grid(layout, width, min(height, MOST_CELLS), wrap=wrap, lean=lean)
    check_grid(system, grid)
    return grid


def find_generator(recipe: RollRecipe, scripts: Scripts = ()) -> MapGenerator | None:
    """Return the generator with the recipe's very script, else the packaged one of its name.

    The script is sought in the recipe, in the package, among ``scripts``, in the user's folders and
    in installed games: it can be slow. None if it is not found.
    """
    roll = recipe.roll
    if roll.generator:
        packaged = generator_named(roll.generator)
    else:
        packaged = None
    if packaged is not None and packaged.system.name != recipe.system:
        packaged = None
    if packaged is None or _digest_of(packaged) != recipe.script:
        for text, texts in _scripts(recipe, scripts) if recipe.script else ():
            if script_digest(text, texts) == recipe.script:
                return generator_for_script(text, roll.script_name, None, texts)
    return packaged


def _digest_of(generator: MapGenerator) -> str:
    return script_digest(generator.text, generator.texts)


def _packaged_scripts() -> Scripts:
    return ((generator.text, generator.texts) for generator in generators() if generator.text)


def _scripts(recipe: RollRecipe, scripts: Scripts) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield recipe.roll.script, recipe.roll.texts
    yield from _packaged_scripts()
    yield from scripts
    for entry in found_entries():
        if isinstance(entry, CatalogEntry) and entry.system.name == recipe.system:
            with suppress(ProblemError):  # the catalogue says what is wrong with it
                generator = entry.generator()
                yield generator.text, generator.texts


def locked_as_in(recipe: RollRecipe, base: Base) -> Base:
    """``base`` with the recipe's locks instead of its own.

    Without any if it is then not what the recipe was rolled onto. Raises ProblemError for locks
    that no such map has.
    """
    free = base.unlocked()
    if not recipe.locked or not same_grid(recipe, base):
        return free
    cells = free.locked_cells
    sides = free.locked_sides
    planes = dict(free.shown.planes)
    covered = {}
    try:
        for spec in base.system.shown_planes:
            values = planes[spec.name].copy()
            mask = np.zeros(spec.shape(base.grid), np.bool_)
            if spec.name in recipe.locked:
                elements, its_own = recipe.locked[spec.name]
                index = np.array(elements, np.uint64)
                mask.reshape(-1)[index] = True
                values.reshape(-1)[index] = np.array(its_own, spec.dtype)
            if spec.place is not Place.CORNER:
                locks = cells if spec.place is Place.CELL else sides
                locks |= mask
            check_plane(base.system, base.terrain_set, base.grid, spec, values, "the recipe")
            planes[spec.name] = values
            covered[spec.name] = ~mask
    except (IndexError, OverflowError, ValueError) as fault:
        raise error("recipe-locks", "no such map has the locks of this recipe") from fault
    locked = replace(free, shown=replace(base.shown, planes=planes), covered=covered)
    return locked if same_ground(recipe, locked) else free


def same_grid(recipe: RollRecipe, base: Base) -> bool:
    """Return whether a map has the system and grid of the recipe's, as far as that is told."""
    grid = base.grid
    base_shape = base.system.name, grid.layout.name, grid.width, grid.height, grid.wrap
    return base_shape == (recipe.system, *recipe.grid[:4])


def same_ground(recipe: RollRecipe, base: Base) -> bool:
    """Return whether the recipe was rolled onto the same as ``base`` is, locks included."""
    return base.ground() == recipe.roll.ground


def differences(recipe: RollRecipe, generator: MapGenerator, base: Base) -> tuple[Problem, ...]:
    """Warnings of all that is not as it was where the recipe comes from: it may be another layer.

    ``base`` has the recipe's locks. Raises ProblemError for what cannot be rolled at all.
    """
    reason = generator.why_not()
    if reason or generator.system.name != recipe.system:
        raise error("needs-more", reason or f"{recipe.script_name} makes other maps here")
    checked_settings(settings_for(generator), recipe.roll.settings)
    name = recipe.script_name
    roller = generator.roller_version
    present = generator.libraries()
    result = []
    if _digest_of(generator) != recipe.script:
        result.append(("script", f"{name} has another text here than where it was rolled"))
    if roller != recipe.roller:
        message = f"it was rolled by version {recipe.roller} of the rules of {name}"
        result.append(("roller", f"{message}, here they are version {roller}"))
    for library, digest in recipe.roll.libraries.items():
        if present.get(library) != digest:
            state = "as where it was rolled" if library in present else "here"
            result.append(("library", f"the library {library} is not {state}"))
    if not same_grid(recipe, base):
        layout, width, height, *_ = recipe.grid
        result.append(("grid", f"it was rolled onto another grid ({layout}, {width} x {height})"))
    elif not same_ground(recipe, base):
        locks = "; its locks are left out" if recipe.locked else ""
        result.append(
            ("ground", f"it was rolled onto another map than what lies below here{locks}")
        )
    return tuple(Problem(Severity.WARNING, f"recipe-{code}", text) for code, text in result)

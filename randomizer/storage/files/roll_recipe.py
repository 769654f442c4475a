"""A roll as one line of text: who gets it rolls the very same layer.

    text = recipe_text(recipe_of(layer.roll, base))    # battlelands:1:Swamp-17-4:eJxV...:5f1c09ab
    recipe = read_recipe(text)                         # from a chat: ProblemError if it is damaged
    generator = find_generator(recipe)                 # None: its script is not here
    base = locked_as_in(recipe, base)
    warnings = differences(recipe, generator, base)    # what is not as it was there

Behind the version stand, for people, what was rolled, seed and number; then the recipe as canonical
JSON, deflated, in base64url; then the CRC-32 of all before it.

This module has the recipe and its text. ``recipe_generators`` finds the generator of a recipe,
``recipe_bases`` makes recipes from rolls, and the base onto which a recipe is rolled.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.gate.gate import check_roll
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import error, split_lines
from randomizer.storage.records.codec import read, short_fields

HEAD = "battlelands:"
"""The beginning of the text of a recipe."""

VERSION = 1
"""The version of recipes; others are not read."""

LONGEST = 2**18
"""The most characters of a text; the locks of a large map take most of it."""

LARGEST_JSON = 2**22
"""The most bytes of a recipe's JSON, which the text has deflated."""

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
    """The version of the generator's rules (``MapGenerator.roller_version``).

    The names of all fields stand in the text of the recipe.
    """

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

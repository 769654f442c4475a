"""The terrains, hexsides and ways that the cells of a map can have.

A map has one ``TerrainSet``, and its planes hold indices into the tuples of that set. Sets of games
are constants of their systems; sets of a user are edited (``edits/terrain_entries.py``) and read
from files (``storage/files/terrain_files.py``). ``terrain_check.py`` says which sets a map can
have::

    lake = Terrain("Lake", "#4a7fb0", water=True, body=True)
    terrain_set = TerrainSet("Mine", (Terrain("Plain", "#b5c77e"), lake))
    terrain_set.terrain_code("Lake")        # 1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Terrain:
    """One kind of terrain; a game may call it a hazard.

    The fields from ``code`` on are for sets of a user; games leave them as they are.
    """

    name: str

    colour: str
    """``#rrggbb``: the colour of a terrain without a picture, and of small maps."""

    letters: str = ""
    """One-letter names that files of the game use, as "Tt": the usual one first; "" for none."""

    aliases: tuple[str, ...] = ()
    """Other names that files of the game use."""

    description: str = ""

    hinders: str = ""
    """The units that it hinders, of those not native to it (``terrain_check.HINDERS``).

    "slows": they can enter, but become slower; "ground": those that do not fly cannot enter;
    "all": none of them can enter; "": none is hindered.
    """

    body: bool = False
    """True if neighbouring cells of it are drawn as one body, such as a lake or a town."""

    missing: bool = False
    """True if a change of the set removed it: it is there only because maps still show it."""

    picture: str = ""
    """The name of its picture in the resources of the desk; "" if that is the name of the terrain.

    Without such a picture it is drawn in its colour.
    """

    ground: str = ""
    """The name of the picture of the ground on which its own picture stands; "" if it has none."""

    water: bool = False
    """True for what is no land."""

    code: str = ""
    """The name of the terrain in files of other programs.

    (Elsewhere a *code* is a number: the index in ``TerrainSet.terrains``.)
    """

    cost: float | None = 1.0
    """The cost of entering a cell on the ground, where the easiest terrain has 1.0.

    None if nothing on the ground can enter.
    """

    priority: int | None = None
    """Its rank where two terrains meet: the higher one is drawn over the edge of the other.

    None: the priority of its picture.
    """

    asset: str = ""
    """The digest of the user's own picture among the assets of the map; "" for none."""

    pattern: str = ""
    """The name of the pattern in which it is drawn without a picture; "" for none."""

    order: int = 0
    """Its position in lists, lower ones first. Sorting a list changes it, never codes of planes."""

    blocks_sight: bool | None = None
    """True if nobody looks into or out of it, as walls on virtual tables.

    None: its picture and its name say that (``sight.blocks_sight``).
    """


@dataclass(frozen=True, slots=True)
class Hexside:
    """One kind of hexside hazard. It belongs to one of the two cells at its edge, its owner.

    The owner is the higher cell if ``higher``, the cell of the terrain ``ground`` if that is given,
    and else either of the two. The fields ``ground``, ``drops`` and ``beside`` make up the rule by
    which all edges of a map can be filled at once (``geometry/auto_edges.py``).
    """

    name: str

    letter: str
    """The one letter by which files name it."""

    colour: str
    """``#rrggbb``."""

    higher: bool = False
    """True if the higher one of the two cells is the owner."""

    ground: str = ""
    """The name of the owner's terrain; "" for any. (Not a picture, as ``Terrain.ground``.)"""

    drops: tuple[int, int] | None = None
    """The least and the greatest height of the owner over its neighbour at edges of this kind.

    For instance (2, 99) for cliffs.

    None if the rule does not look at heights.
    """

    beside: str = ""
    """The name of the neighbour's terrain at edges of this kind; "" if the rule does not ask."""

    description: str = ""

    missing: bool = False
    """True if a change of the set removed it, as ``Terrain.missing``."""

    blocks_sight: bool | None = None
    """True if nobody looks across it; None: its name says that (``sight.blocks_sight``)."""

    @property
    def owner(self) -> str:
        """The owner in words, as a template for ``cell_words.cell_text``."""
        if self.higher:
            return "the higher {cell}"
        if self.ground:
            return f"the {self.ground.lower()} {{cell}}"
        return "either {cell}"


WAY_STYLES = ("road", "track", "rail", "water")
"""The styles in which ways are drawn; ``water`` ones flow: they have a direction and widths."""

MAX_WAYS = 8
"""The ways of a set; each needs a plane of its own in the system."""


@dataclass(frozen=True, slots=True)
class Way:
    """One kind of way through cells, such as a road or a river."""

    name: str

    style: str
    """One of ``WAY_STYLES``."""

    colour: str
    """``#rrggbb``."""

    width: float = 1.0
    """The width in which it is drawn, where 1.0 is the usual one of its style."""

    cost: float | None = None
    """The cost of going along it to the next cell, in the unit of ``Terrain.cost``.

    None if it makes no way easier, such as a river.
    """

    description: str = ""

    missing: bool = False
    """True if a change of the set removed it, as ``Terrain.missing``."""


@dataclass(frozen=True)
class TerrainSet:
    """The terrains, hexsides, elevations and ways of one map.

    Sets of equal values are equal, and can be the key of a cache.
    """

    name: str

    terrains: tuple[Terrain, ...]
    """Planes hold the index of a terrain, its *code*. An unset cell shows ``terrains[0]``."""

    hexsides: tuple[Hexside, ...] = ()
    """Planes hold the index of a hexside plus 1; 0 is "no hexside"."""

    elevations: tuple[int, ...] = (0,)
    """The values that can be painted."""

    ways: tuple[Way, ...] = ()
    """The n-th way is in the n-th plane of ways of the map's system (``System.ways``)."""

    tactical: bool = False
    """True if its maps are boards on which units move and see from cell to cell.

    Such maps are drawn with grid lines, levels and names of cells unless a person chooses
    otherwise. Else the maps are of countries.
    """

    _terrain_codes: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """The index of each terrain by its name."""

    _hexside_codes: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """The value of each hexside in planes, by its letter."""

    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A frozen dataclass can set its own fields only in this way.
        terrain_codes = {terrain.name: code for code, terrain in enumerate(self.terrains)}
        object.__setattr__(self, "_terrain_codes", terrain_codes)
        hexside_codes = {hexside.letter: code for code, hexside in enumerate(self.hexsides, 1)}
        object.__setattr__(self, "_hexside_codes", hexside_codes)
        values = (self.name, self.terrains, self.hexsides, self.elevations, self.ways)
        object.__setattr__(self, "_hash", hash((*values, self.tactical)))

    def __hash__(self) -> int:
        """Return the hash, which is computed once: a set is looked up in every frame."""
        return self._hash

    def terrain_code(self, name: str) -> int:
        """Return the index of the terrain ``name`` (exact spelling). Raises KeyError if unknown."""
        return self._terrain_codes[name]

    def has_terrain(self, name: str) -> bool:
        """Return whether ``name`` is a terrain of this set (exact spelling)."""
        return name in self._terrain_codes

    def hexside_title(self, hexside: Hexside) -> str:
        """Return a hexside's name for lists; with "on sides" if a way has the same name."""
        if any(way.name == hexside.name for way in self.ways):
            return f"{hexside.name} on sides"
        return hexside.name

    def hexside_code(self, letter: str) -> int:
        """Return the plane value of hexside ``letter``; a blank is 0.

        Raises KeyError if unknown.
        """
        if letter == " ":
            return 0
        return self._hexside_codes[letter]

    def hexside_letter(self, code: int) -> str:
        """Return the letter of a plane value, blank for 0."""
        if code:
            return self.hexsides[code - 1].letter
        return " "

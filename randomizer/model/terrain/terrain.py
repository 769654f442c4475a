"""The terrains and hexsides of one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Terrain:
    """One kind of terrain (a game may call it a hazard).

    ``colour`` is ``#rrggbb``; ``letters`` are the one-letter names used by files, the usual one
    first. ``picture`` is the name of its picture in the desk's resources, "" if that has the name
    of the terrain; without such a picture it is drawn in its colour. What its picture shows can
    stand on the ground of another: ``ground`` names that picture, "" for its own. ``hinders`` says
    which non-natives it hinders: ``slows`` them, keeps out those on the ``ground``, or ``all``.
    Neighbouring cells of a ``body`` are drawn as one area: a lake, a town. ``water`` is no land. A
    ``missing`` one is in its set only because maps still show it: a change of the terrain set
    removed it. Nobody looks into or out of one that ``blocks_sight`` (walls on virtual tables);
    None as its picture and name tell (``model.sight``).

    The rest is for sets of one's own: ``code`` is what files of other programs call it; ``cost``
    of entering a cell, in those of the easiest ground, None where nothing on the ground enters;
    ``priority`` in which terrains run over others, None as its picture has it; ``asset`` the digest
    of a picture of one's own among the assets of the map, "" for none; ``pattern`` the name of a
    pattern in which a terrain without picture is drawn; ``order`` where lists show it (codes of
    planes do not change when a list is sorted).
    """

    name: str
    colour: str
    letters: str = ""
    aliases: tuple[str, ...] = ()
    description: str = ""
    hinders: str = ""
    body: bool = False
    missing: bool = False
    picture: str = ""
    ground: str = ""
    water: bool = False
    code: str = ""
    cost: float | None = 1.0
    priority: int | None = None
    asset: str = ""
    pattern: str = ""
    order: int = 0
    blocks_sight: bool | None = None


@dataclass(frozen=True, slots=True)
class Hexside:
    """One kind of hexside hazard; it belongs to one of the two cells at its edge.

    The owner is the ``higher`` cell, the cell of the terrain named ``ground``, or (neither is
    given) either. Edges should have it where the higher cell is ``drops`` (least and most) above
    the other, or where ``ground`` is next to the terrain named ``beside``. ``missing`` is as in
    ``Terrain``, and nobody looks across one that ``blocks_sight``; None as its name tells.
    """

    name: str
    letter: str
    colour: str
    higher: bool = False
    ground: str = ""
    drops: tuple[int, int] | None = None
    beside: str = ""
    description: str = ""
    missing: bool = False
    blocks_sight: bool | None = None

    @property
    def owner(self) -> str:
        """The cell it belongs to, as a template for ``cell_text``."""
        if self.higher:
            return "the higher {cell}"
        if self.ground:
            return f"the {self.ground.lower()} {{cell}}"
        return "either {cell}"


WAY_STYLES = ("road", "track", "rail", "water")
"""How ways are drawn; ``water`` ones flow: they have a direction and widths."""

MOST_WAYS = 8


@dataclass(frozen=True, slots=True)
class Way:
    """One kind of way through cells, such as a road or a river.

    ``style`` is one of ``WAY_STYLES``, ``width`` 1.0 the usual one of its style. ``cost`` is that
    of going along it from cell to cell, in those of the easiest ground; None where it is no help.
    ``missing`` is as in ``Terrain``.
    """

    name: str
    style: str
    colour: str
    width: float = 1.0
    cost: float | None = None
    description: str = ""
    missing: bool = False


@dataclass(frozen=True)
class TerrainSet:
    """The terrains, hexsides, elevations and ways of one map.

    Sets of equal values are equal, and can be the key of a cache. Planes hold indices: of terrains
    the index into ``terrains``, of hexsides the index into ``hexsides`` plus 1, where 0 is "no
    hexside". An unset cell shows ``terrains[0]``. ``elevations`` are the values that can be
    painted. The n-th of ``ways`` lies in the n-th plane of ways of the map's system.
    """

    name: str
    terrains: tuple[Terrain, ...]
    hexsides: tuple[Hexside, ...] = ()
    elevations: tuple[int, ...] = (0,)
    ways: tuple[Way, ...] = ()
    tactical: bool = False
    """Whether its maps are boards on which units move and see from cell to cell: they are drawn
    with grid lines, levels and names of cells unless a person wants it otherwise. Else they are
    countries."""
    _terrain_codes: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _hexside_codes: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_terrain_codes", {t.name: code for code, t in enumerate(self.terrains)}
        )
        object.__setattr__(
            self, "_hexside_codes", {h.letter: code for code, h in enumerate(self.hexsides, 1)}
        )
        values = (self.name, self.terrains, self.hexsides, self.elevations, self.ways)
        object.__setattr__(self, "_hash", hash((*values, self.tactical)))

    def __hash__(self) -> int:
        """Worked out once: a set is looked up in every frame."""
        return self._hash

    def terrain_code(self, name: str) -> int:
        """Return the index of the terrain ``name`` (exact spelling). Raises KeyError if unknown."""
        return self._terrain_codes[name]

    def has_terrain(self, name: str) -> bool:
        """Return whether ``name`` is a terrain of this set (exact spelling)."""
        return name in self._terrain_codes

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

"""``randomizer roll --lock``: parses ``D4=Volcano/2,C3,D4:0=c`` to the locks of a roll's base.

An *item* is the lock of one cell or side; items are separated by commas::

    C3              a cell as the map below shows it
    D4=Volcano/2    a cell with a terrain and an elevation
    D4:0=c          side 0 of a cell with a hexside, which is named by its letter
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from randomizer.cli.output import UsageError
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import Element, PlaneRole, PlaneSpec
from randomizer.model.system.system import System
from randomizer.roll_base import Base

NO_HEXSIDE = ("none", "-")
"""The words for a side without a hexside."""

NOUNS = {
    PlaneRole.TERRAIN: "terrain",
    PlaneRole.HEIGHT: "elevation",
    PlaneRole.HEXSIDE: "hexside",
}
"""The names of what can be locked, for messages."""

MOST_COMMAS = 2
"""The most commas in the name of a cell."""


def with_locks(base: Base, texts: Iterable[str]) -> Base:
    """Return ``base`` with all cells and sides locked that ``texts`` (of ``--lock``) name.

    One without a value keeps what the base shows there. Raises UsageError for a syntax error, and
    for a cell or side with two different values.
    """
    locks = _Locks(base)
    for text in texts:
        for item in locks.split_items(text):
            locks.add(item)
    return locks.locked_base()


class _Locks:
    """The locks of a base, and those that are added to them.

    The methods ``read_...`` return the index or code of a thing that is named in a lock. They raise
    UsageError, which quotes ``item``, the text of the whole lock.
    """

    def __init__(self, base: Base) -> None:
        self._base = base
        self.system: System = base.system
        self.grid = base.grid
        self.terrain_set = base.terrain_set
        self.planes = {name: plane.copy() for name, plane in base.shown.planes.items()}
        """The values of all cells and sides, with those of the locks put in."""
        self.cells = base.locked_cells.copy()
        """(height, width): the locked cells."""
        self.sides = base.locked_sides.copy()
        """(height, width, degree): the locked sides."""
        self.values: dict[tuple[str, int], int] = {}
        """The values that locks gave, by plane and flat index: none may get two."""

    def locked_base(self) -> Base:
        """Return the base with all these locks."""
        shown = replace(self._base.shown, planes={**self._base.shown.planes, **self.planes})
        return replace(self._base, shown=shown, locked_cells=self.cells, locked_sides=self.sides)

    def split_items(self, text: str) -> list[str]:
        """Return the items of a text; names of cells may have commas, too, as in ``12,5=Wood``."""
        items = []
        pieces = text.split(",")
        while pieces:
            piece_count = self._count_pieces_of_first_item(pieces)
            items.append(",".join(pieces[:piece_count]).strip())
            pieces = pieces[piece_count:]
        return items

    def _count_pieces_of_first_item(self, pieces: Sequence[str]) -> int:
        """Return how many pieces, as split at commas, the first item has.

        It has more than one if the name of its cell has commas. An item that names no cell has one.
        """
        for piece_count in range(1, MOST_COMMAS + 2):
            item = ",".join(pieces[:piece_count])
            name = re.split("[=:]", item)[0].strip()
            if self.find_cell(name) is not None:
                return piece_count
        return 1

    def add(self, item: str) -> None:
        """Lock the cell or the side of one item."""
        target, equals, value = (part.strip() for part in item.partition("="))
        if not target or (equals and not value):
            raise UsageError(f"--lock: “{item}” is no lock; write D4, D4=Volcano/2 or D4:0=c")
        label, colon, side = (part.strip() for part in target.partition(":"))
        cell = self.read_cell(label)
        if colon:
            self.plane_of_role(PlaneRole.HEXSIDE, item)  # raises if the map has no hexsides
            index = cell * self.grid.degree + self.read_side(side, item)
            if equals:
                self.put(PlaneRole.HEXSIDE, index, self.read_hexside(value, item), item)
            self.sides.flat[index] = True
            return
        if equals:
            name, slash, height = (part.strip() for part in value.partition("/"))
            self.put(PlaneRole.TERRAIN, cell, self.read_terrain(name, item), item)
            if slash:
                self.put(PlaneRole.HEIGHT, cell, self.read_elevation(height, item), item)
        self.cells.flat[cell] = True

    def put(self, role: PlaneRole, index: int, value: int, item: str) -> None:
        """Set the value of a cell or side, by its flat index in the plane of this role."""
        plane = self.plane_of_role(role, item).name
        if self.values.setdefault((plane, index), value) != value:
            raise UsageError(f"--lock: “{item}” contradicts another lock of the same place")
        self.planes[plane].flat[index] = value

    # --- parsing ----------------------------------------------------------------------------

    def find_cell(self, label: str) -> int | None:
        """Return the flat index of the cell with a name in any case of letters, None for none."""
        for name in (label, label.upper()):
            cell = self.system.cell_of_name(self.grid, name)
            if cell is not None:
                return cell
        return None

    def read_cell(self, label: str) -> int:
        """Return the flat index of the cell with a name."""
        cell = self.find_cell(label)
        if cell is None:
            word = cell_words(self.grid.layout).cell
            raise UsageError(f"--lock: the map has no {word} “{label}”")
        return cell

    def read_side(self, side: str, item: str) -> int:
        """Return the number of a side, which is written as such."""
        names = self.grid.layout.side_names
        if re.fullmatch("[0-9]", side) is None or int(side) >= len(names):
            numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            raise UsageError(f"--lock: “{item}” names no side; the sides are {numbered}")
        return int(side)

    def read_terrain(self, word: str, item: str) -> int:
        """Return the code of a terrain by its name, an alias or a letter."""
        terrains = self.terrain_set.terrains
        folded = word.casefold()
        for code, terrain in enumerate(terrains):
            if folded in map(str.casefold, (terrain.name, *terrain.aliases, *terrain.letters)):
                return code
        names = ", ".join(f"{terrain.name} {terrain.letters[:1]}" for terrain in terrains)
        raise UsageError(f"--lock: “{item}” names no terrain; the terrains are {names}")

    def read_elevation(self, height: str, item: str) -> int:
        """Return an elevation that the map's terrain set or the map itself has."""
        spec = self.plane_of_role(PlaneRole.HEIGHT, item)
        elevations = self.terrain_set.elevations
        # Files can hold elevations that cannot be painted; those present can be locked.
        allowed = {*elevations, *self.planes[spec.name].ravel().tolist()}
        if re.fullmatch("-?[0-9]{1,9}", height) and int(height) in allowed:
            return int(height)
        text = ", ".join(map(str, elevations))
        raise UsageError(f"--lock: “{item}” names no elevation; the elevations are {text}")

    def read_hexside(self, word: str, item: str) -> int:
        """Return the plane value of a hexside by its letter or name, 0 for none."""
        hexsides = self.terrain_set.hexsides
        folded = word.casefold()
        if folded in NO_HEXSIDE:
            return 0
        for code, hexside in enumerate(hexsides, 1):
            if folded in (hexside.letter, hexside.name.casefold()):
                return code
        names = ", ".join(f"{hexside.letter} {hexside.name.lower()}" for hexside in hexsides)
        raise UsageError(f"--lock: “{item}” names no hexside; they are {names}, or none")

    def plane_of_role(self, role: PlaneRole, item: str) -> PlaneSpec:
        """Return the plane of a role. Planes of corners cannot be locked by the command line."""
        spec = self.system.with_role(role)
        if spec is None or spec.element is Element.CORNER:
            raise UsageError(
                f"--lock: “{item}”: {with_article(self.system.title)} has no {NOUNS[role]}"
            )
        return spec

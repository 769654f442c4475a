"""Reads the option ``--lock``: which cells and sides a roll has to keep, and with which values.

    base = with_locks(base, ["D4=Volcano/2,C3", "D4:0=c"])

Each text has *items* between commas, and an item is the lock of one cell or side::

    C3              a cell as the map below shows it
    D4=Volcano/2    a cell with a terrain and an elevation
    D4:0=c          side 0 of a cell with a hexside, which is named by its letter
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from randomizer.cli.output import UsageError
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import Element, PlaneRole, PlaneSpec
from randomizer.roll_base import Base

NO_HEXSIDE = ("none", "-")
"""The words for a side without a hexside."""

NOUNS = {
    PlaneRole.TERRAIN: "terrain",
    PlaneRole.HEIGHT: "elevation",
    PlaneRole.HEXSIDE: "hexside",
}
"""The names of what can be locked, for messages."""

MAX_COMMAS = 2
"""The most commas in the name of a cell."""


def with_locks(base: Base, texts: Iterable[str]) -> Base:
    """Return ``base`` with all cells and sides locked that ``texts`` (of ``--lock``) name.

    One without a value keeps what the base shows there; beside another lock of the same place it
    says nothing. Raises UsageError for a syntax error, and for a cell or side that is given two
    different values.
    """
    reader = _LockReader(base)
    locks = []
    for text in texts:
        locks += reader.read(text)
    return _locked(base, locks)


@dataclass(frozen=True)
class _Lock:
    """A cell, or one side of a cell, that a roll has to keep."""

    text: str
    """The lock as the user wrote it: "D4=Volcano/2"."""

    cell: int
    """The flat index of the cell."""

    side: int | None = None
    """The number of the side that is locked; None if it is the cell."""

    values: Mapping[PlaneRole, int] = field(default_factory=dict)
    """The values that it gives: a hexside to a side, a terrain and an elevation to a cell.

    What it does not give stays as the base shows it.
    """


def _locked(base: Base, locks: Iterable[_Lock]) -> Base:
    """Return ``base`` with these locks. Raises UsageError if two of them contradict each other."""
    planes = {name: plane.copy() for name, plane in base.shown.planes.items()}
    locked_cells = base.locked_cells.copy()
    locked_sides = base.locked_sides.copy()
    given_values: dict[tuple[PlaneRole, int], int] = {}  # by flat index in the plane of the role
    for lock in locks:
        if lock.side is None:
            index = lock.cell
            locked_cells.flat[index] = True
        else:
            index = lock.cell * base.grid.degree + lock.side
            locked_sides.flat[index] = True
        for role, value in lock.values.items():
            if (role, index) in given_values and given_values[role, index] != value:
                message = f"--lock: “{lock.text}” contradicts another lock of the same place"
                raise UsageError(message)
            given_values[role, index] = value
            spec = base.system.plane_with_role(role)
            assert spec is not None, "the reader has asked for it"
            planes[spec.name].flat[index] = value
    shown = replace(base.shown, planes=planes)
    return replace(base, shown=shown, locked_cells=locked_cells, locked_sides=locked_sides)


class _LockReader:
    """Reads the texts of ``--lock`` for one base.

    A text has several *items*, each of which is a lock. The methods ``_read_...`` return the number
    of what is named in an item. They raise UsageError, which quotes the item.
    """

    def __init__(self, base: Base) -> None:
        self._system = base.system
        self._grid = base.grid
        self._terrain_set = base.terrain_set
        self._shown = base.shown
        """The values of all cells and sides before the roll."""

    def read(self, text: str) -> list[_Lock]:
        """Return the locks of a text. Raises UsageError."""
        return [self._read_item(item) for item in self._split_items(text)]

    # --- items ------------------------------------------------------------------------------

    def _split_items(self, text: str) -> list[str]:
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

        It has more than one if the name of its cell has commas: "12,5=Wood" on a map that has no
        cell "12". An item that names no cell has one.
        """
        for piece_count in range(1, MAX_COMMAS + 2):
            item = ",".join(pieces[:piece_count])
            name = re.split("[=:]", item)[0].strip()
            if self._find_cell(name) is not None:
                return piece_count
        return 1

    def _read_item(self, item: str) -> _Lock:
        """Return the lock of one item."""
        target, equals, value = (part.strip() for part in item.partition("="))
        if not target or (equals and not value):
            raise UsageError(f"--lock: “{item}” is no lock; write D4, D4=Volcano/2 or D4:0=c")
        cell_name, colon, side_text = (part.strip() for part in target.partition(":"))
        cell = self._read_cell(cell_name)

        # A side, with or without a hexside: D4:0=c.
        values: dict[PlaneRole, int] = {}
        if colon:
            self._plane_of_role(PlaneRole.HEXSIDE, item)  # raises if the map has no hexsides
            side = self._read_side(side_text, item)
            if equals:
                values[PlaneRole.HEXSIDE] = self._read_hexside(value, item)
            return _Lock(item, cell, side, values)

        # A cell, with or without a terrain and an elevation: D4=Volcano/2.
        if equals:
            terrain, slash, elevation = (part.strip() for part in value.partition("/"))
            values[PlaneRole.TERRAIN] = self._read_terrain(terrain, item)
            if slash:
                values[PlaneRole.HEIGHT] = self._read_elevation(elevation, item)
        return _Lock(item, cell, values=values)

    # --- cells and sides --------------------------------------------------------------------

    def _find_cell(self, name: str) -> int | None:
        """Return the flat index of the cell with a name in any case of letters, None for none."""
        for spelling in (name, name.upper()):
            cell = self._system.cell_of_name(self._grid, spelling)
            if cell is not None:
                return cell
        return None

    def _read_cell(self, name: str) -> int:
        """Return the flat index of the cell with a name."""
        cell = self._find_cell(name)
        if cell is None:
            word = cell_words(self._grid.layout).cell
            raise UsageError(f"--lock: the map has no {word} “{name}”")
        return cell

    def _read_side(self, text: str, item: str) -> int:
        """Return the number of a side, which is written as such."""
        names = self._grid.layout.side_names
        if re.fullmatch("[0-9]", text) is None or int(text) >= len(names):
            numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            raise UsageError(f"--lock: “{item}” names no side; the sides are {numbered}")
        return int(text)

    # --- values -----------------------------------------------------------------------------

    def _read_terrain(self, word: str, item: str) -> int:
        """Return the code of a terrain by its name, an alias or a letter."""
        self._plane_of_role(PlaneRole.TERRAIN, item)
        terrains = self._terrain_set.terrains
        folded = word.casefold()
        for code, terrain in enumerate(terrains):
            if folded in map(str.casefold, (terrain.name, *terrain.aliases, *terrain.letters)):
                return code
        names = ", ".join(f"{terrain.name} {terrain.letters[:1]}" for terrain in terrains)
        raise UsageError(f"--lock: “{item}” names no terrain; the terrains are {names}")

    def _read_elevation(self, text: str, item: str) -> int:
        """Return an elevation that the map's terrain set or the map itself has."""
        spec = self._plane_of_role(PlaneRole.HEIGHT, item)
        elevations = self._terrain_set.elevations
        # Files can hold elevations that cannot be painted; those present can be locked.
        allowed = {*elevations, *self._shown.planes[spec.name].ravel().tolist()}
        if re.fullmatch("-?[0-9]{1,9}", text) and int(text) in allowed:
            return int(text)
        listed = ", ".join(map(str, elevations))
        raise UsageError(f"--lock: “{item}” names no elevation; the elevations are {listed}")

    def _read_hexside(self, word: str, item: str) -> int:
        """Return the plane value of a hexside by its letter or name, 0 for none."""
        hexsides = self._terrain_set.hexsides
        folded = word.casefold()
        if folded in NO_HEXSIDE:
            return 0
        for code, hexside in enumerate(hexsides, 1):
            if folded in (hexside.letter.casefold(), hexside.name.casefold()):
                return code
        names = ", ".join(f"{hexside.letter} {hexside.name.lower()}" for hexside in hexsides)
        raise UsageError(f"--lock: “{item}” names no hexside; they are {names}, or none")

    def _plane_of_role(self, role: PlaneRole, item: str) -> PlaneSpec:
        """Return the plane of a role. Planes of corners cannot be locked by the command line."""
        spec = self._system.plane_with_role(role)
        if spec is None or spec.element is Element.CORNER:
            raise UsageError(
                f"--lock: “{item}”: {with_article(self._system.title)} has no {NOUNS[role]}"
            )
        return spec

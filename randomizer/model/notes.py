"""Notes: texts at cells of a map, numbered in the order of their ids; and the key that lists them.

A note is a thing of a kind that is ``numbered``: its label is the title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.regions import cells_by_region, regions_of
from randomizer.model.settings.setting import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.things import Thing

TEXT = "text"
"""The entry of ``Thing.state`` with the text of a note."""

NOTE_TEXT = Setting(
    TEXT, str, "What the key says of this place", "", title="Text", lines=6, most=2000
)
"""That entry, for kinds of notes; the state of a thing holds such a text in any script."""


class Note(NamedTuple):
    """One note of a map; ``cell`` is the name of its cell, "" off the map."""

    number: int
    thing: Thing
    cell: str

    @property
    def heading(self) -> str:
        """``3. The old mill (0412)``."""
        cell = f"({self.cell})" if self.cell else ""
        return " ".join(filter(None, (f"{self.number}.", self.thing.label, cell)))

    @property
    def lines(self) -> list[str]:
        """The lines of its text."""
        text = self.thing.state.get(TEXT)
        if isinstance(text, str):
            return text.strip().splitlines()
        return []


def numbered(battlemap: BattleMap) -> list[tuple[int, Thing]]:
    """Return the notes of the visible layers with their numbers, from 1 on."""
    kinds = {kind.name for kind in kinds_by_name(battlemap).values() if kind.numbered}
    things = [
        thing
        for layer in battlemap.layers
        if layer.visible and not kinds.isdisjoint(layer.things.kinds)
        for thing in layer.things.values()
        if thing.kind in kinds
    ]
    return list(enumerate(sorted(things, key=lambda thing: thing.id), 1))


def notes_of(battlemap: BattleMap) -> list[Note]:
    """Return the notes of the visible layers with the names of their cells."""
    grid = battlemap.grid
    name = battlemap.system.cell_name
    cells = ((note, grid.cell_at(note[1].x, note[1].y)) for note in numbered(battlemap))
    return [Note(*note, name(grid, cell) if cell >= 0 else "") for note, cell in cells]


def region_lines(battlemap: BattleMap, composite: Composite) -> Iterator[str]:
    """Yield each region with its number of cells and its share of the map."""
    numbers = cells_by_region(battlemap, composite).tolist()
    for region, number in zip(regions_of(battlemap.records), numbers, strict=True):
        if region is not None:
            share = number / max(1, len(battlemap.grid.cells))
            yield f"{region.name}: {counted(number, 'cell')} ({share:.1%})"


def key_in_markdown(battlemap: BattleMap) -> str:
    """Return the key of a map: its notes, then its regions, in Markdown."""
    composite = battlemap.composite()
    title = battlemap.system.map_title(composite.properties)
    parts = [f"# {_escaped(title) or 'Key'}"]
    for note in notes_of(battlemap):
        parts.append(f"## {_escaped(note.heading)}")
        parts += ["  \n".join(map(_escaped, note.lines))] if note.lines else []
    regions = [f"- {_escaped(line)}" for line in region_lines(battlemap, composite)]
    parts += ["## Regions", "\n".join(regions)] if regions else []
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    """Return a line of text in which nothing is markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in text)

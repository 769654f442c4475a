"""Notes: numbered texts at cells of a map, and the *key*, which lists them below the map.

A note is a thing whose kind is ``numbered`` (``ThingKind``). Its label is the title, and its state
has the text. Notes are numbered from 1 in the order of their ids. The key in Markdown::

    ## 3. The old mill (0412)

    Two millers live here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.regions import cells_by_region, regions_of
from randomizer.model.map.things_at import things_on_cell
from randomizer.model.settings.setting import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.things import Thing

_MARKUP = re.compile(r"[\\`*_\[\]<>#|]")
"""The characters that can be markup anywhere in a line of Markdown."""

_MARKUP_AT_START = re.compile(r"^([0-9]*)([-+=~.)])")
"""What makes a list, a rule or a heading at the start of a line: ``-``, ``1.``, ``===`` ..."""

TEXT = "text"
"""The entry of ``Thing.state`` with the text of a note."""

NOTE_TEXT = Setting(
    TEXT,
    str,
    "What the key says of this place",
    default="",
    title="Text",
    lines=6,
    # In any alphabet so many characters fit into the state of a thing (``LARGEST_STATE``).
    maximum=2000,
)
"""The setting of that entry, for kinds of notes."""


class Note(NamedTuple):
    """One note of a map."""

    number: int
    """Its number in the key, from 1."""
    thing: Thing
    cell: str
    """The name of its cell, "" if it is off the map."""

    @property
    def heading(self) -> str:
        """Number, title and cell, as far as it has them: ``3. The old mill (0412)``."""
        words = [f"{self.number}."]
        if self.thing.label:
            words.append(self.thing.label)
        if self.cell:
            words.append(f"({self.cell})")
        return " ".join(words)

    @property
    def lines(self) -> list[str]:
        """The lines of its text; [] if it has none."""
        text = self.thing.state.get(TEXT)
        if isinstance(text, str):  # a file can have put anything there
            return text.strip().splitlines()
        return []


def numbered_notes(battlemap: BattleMap) -> list[tuple[int, Thing]]:
    """Return the things of the visible layers that are notes, each with its number, from 1 on."""
    note_kinds = {kind.name for kind in kinds_by_name(battlemap).values() if kind.numbered}
    things: list[Thing] = []
    for layer in battlemap.layers:
        # Most layers have no notes: then their things need not be looked at.
        if layer.visible and not note_kinds.isdisjoint(layer.things.kinds):
            things += [thing for thing in layer.things.values() if thing.kind in note_kinds]
    things.sort(key=lambda thing: thing.id)
    return list(enumerate(things, 1))


def notes_of(battlemap: BattleMap) -> list[Note]:
    """Return the notes of the visible layers with the names of their cells."""
    grid = battlemap.grid
    notes = []
    for number, thing in numbered_notes(battlemap):
        cell = grid.cell_at(thing.x, thing.y)
        cell_name = ""
        if cell >= 0:
            cell_name = battlemap.system.cell_name(grid, cell)
        notes.append(Note(number, thing, cell_name))
    return notes


def notes_on(battlemap: BattleMap, cell: int) -> list[Note]:
    """Return the notes of the visible layers on a cell."""
    kinds = kinds_by_name(battlemap)
    ids = {thing.id for thing in things_on_cell(battlemap, cell) if kinds[thing.kind].numbered}
    if not ids:  # most cells have none: then the notes of the map need not be numbered
        return []
    cell_name = battlemap.system.cell_name(battlemap.grid, cell)
    notes = []
    for number, thing in numbered_notes(battlemap):
        if thing.id in ids:
            notes.append(Note(number, thing, cell_name))
    return notes


def region_lines(battlemap: BattleMap, composite: Composite) -> Iterator[str]:
    """Yield a line for each region of a map: ``Northmark: 12 cells (4.0%)``.

    A region is a named area, such as a country; the percentage is its share of all cells.
    """
    cell_counts = cells_by_region(battlemap, composite).tolist()
    for region, cell_count in zip(regions_of(battlemap.records), cell_counts, strict=True):
        if region is not None:  # None is a region that was removed
            share = cell_count / max(1, len(battlemap.grid.cells))
            yield f"{region.name}: {counted(cell_count, 'cell')} ({share:.1%})"


def key_in_markdown(battlemap: BattleMap) -> str:
    """Return the key of a map: its notes, then its regions, in Markdown."""
    composite = battlemap.composite()
    title = battlemap.system.map_title(composite.properties)
    parts = [f"# {_escaped(title) or 'Key'}"]
    for note in notes_of(battlemap):
        parts.append(f"## {_escaped(note.heading)}")
        if note.lines:
            # Two blanks at the end of a line keep it a line of its own in Markdown.
            parts.append("  \n".join(map(_escaped_line, note.lines)))
    regions = [f"- {_escaped_line(line)}" for line in region_lines(battlemap, composite)]
    if regions:
        parts += ["## Regions", "\n".join(regions)]
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    """Return a text in Markdown that stands within a line, with a backslash before markup."""
    return _MARKUP.sub(r"\\\g<0>", text)


def _escaped_line(text: str) -> str:
    """Return a text in Markdown that is a line of its own: its start can be markup, too.

    Blanks at its start, of which four would make it program text, are left out.
    """
    return _MARKUP_AT_START.sub(r"\1\\\2", _escaped(text.lstrip()))

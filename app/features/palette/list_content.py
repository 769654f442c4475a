"""The content of the palette's list of kinds: which kinds have rows, and the texts around them.

    query = Query(category="Units", text="oak")
    content = list_content(battlemap, map_kinds, game_kinds, query)

    None in Units; found in:            content.first_heading
    Trees                               a heading, by the groups of the kinds
    Oak                                 content.row_kinds
    1,250 more: filter by another word  content.notes

Two contents that are equal have the same rows. Counts of things and colours of owners are not
among the content: they change more often, and are shown in rows that are there.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from app.features.palette.listed_kinds import list_kinds
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import ThingKind

MAX_ROWS = 300
"""The most kinds that get a row; a note says how many more there are.

If it is larger, a list of all kinds of a game takes seconds to appear.
"""

EXACT_NAME = "The whole name by which the game knows it, with its folders"
"""The tool tip of the notes that ask for a name."""


class GameState(Enum):
    """Whether the kinds of an installed game are known."""

    READING = auto()
    """The game is being read: its kinds are not known yet."""

    MISSING = auto()
    """No game is installed: its kinds are those that the program knows by itself."""

    READ = auto()
    """The game was read. So is a game that cannot be read, and one of maps without a game: these
    have no kinds."""


class GameKinds(NamedTuple):
    """The kinds that the installed game of a map has beyond those of the map."""

    kinds: tuple[ThingKind, ...]

    state: GameState


class Query(NamedTuple):
    """What the user looks for."""

    category: str
    """The category whose kinds are listed, see listed_kinds.py."""

    text: str
    """The words of the filter, without blanks at either end; "" lists the whole category."""


class Note(NamedTuple):
    """A text below the kinds, such as how many more there are."""

    text: str

    tip: str = ""
    """Its tool tip; "" for none."""


class ListContent(NamedTuple):
    """What the rows of the list are made of."""

    kinds: tuple[ThingKind, ...]
    """The kinds that the user looks for, those without rows included."""

    first_heading: str
    """The heading above all groups; "" for none."""

    notes: tuple[Note, ...]
    """The notes below the last kind."""

    @property
    def row_kinds(self) -> tuple[ThingKind, ...]:
        """The kinds that have rows, from the first row on."""
        return self.kinds[:MAX_ROWS]


def list_content(
    battlemap: BattleMap, map_kinds: tuple[ThingKind, ...], game: GameKinds, query: Query
) -> ListContent:
    """Return what the list shows for a query; ``map_kinds`` are the kinds of the map."""
    # A kind can be placed by its exact name, whether the game has it or not.
    typed_kind = battlemap.system.thing_kind(battlemap, query.text)
    words = query.text.casefold().split()
    listed = list_kinds(map_kinds, game.kinds, query.category, words, typed_kind)
    first_heading = ""
    if listed.is_elsewhere:
        first_heading = f"None in {query.category}; found in:"
    return ListContent(listed.kinds, first_heading, _notes(len(listed.kinds), game.state, query))


def _notes(kind_count: int, game_state: GameState, query: Query) -> tuple[Note, ...]:
    """Return notes on why a kind that somebody looks for may be missing among the kinds."""
    notes = []
    if kind_count > MAX_ROWS:
        notes.append(Note(f"{kind_count - MAX_ROWS:,} more: filter by another word"))
    if not query.text:
        return tuple(notes)
    if game_state is GameState.READING:
        notes.append(Note("The installed game is being read..."))
    elif kind_count == 0:
        notes.append(Note("Nothing here has these words."))
        if game_state is GameState.MISSING:
            # One sentence in three rows, which are broken where it reads best.
            notes.append(Note("No installed game was found:", EXACT_NAME))
            notes.append(Note("an exact name can be typed,", EXACT_NAME))
            notes.append(Note("as structures/athen/fortress", EXACT_NAME))
    return tuple(notes)

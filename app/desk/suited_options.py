"""Moves the options of the tools to what the current map has.

Options such as the terrain to paint are indices into the terrain set of the map, and the next thing
is of one of its kinds. With another map they may mean nothing, and are moved to what there is. When
the set or the kinds of the *same* map change, they follow the entry that was chosen::

    terrain set    Grass, Wood, Bog         the option is 2: Bog
    another set    Grass, Fen, Wood, Bog    it becomes 3

Calls: ``follow`` after each edit; then ``suit_map`` if the edit brought another terrain set. With
another map ``change_map``, then ``suit_map``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from app.document.open_map import SymmetryChoice
from app.tools import ToolOptions
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import counts
from randomizer.model.things.thing_kind import ThingKind

if TYPE_CHECKING:
    from app.document.document import MapDocument


class SuitedOptions:
    """The options of the tools, as they are moved from map to map."""

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        self.options = options
        """What all tools share."""
        self._document = document
        self._current_map = document.current_map
        """The map whose symmetry the options have."""
        self._terrain_set = document.battlemap.terrain_set
        """The terrain set whose entries the options name by their indices."""
        self._thing_kinds: Sequence[ThingKind] = ()
        """The kinds of things that the map offered when it was last looked at."""

    def follow(self, region: Region) -> None:
        """Follow the entries of the current map's lists, some of which may have changed."""
        if region.terrain_set:
            self._translate_indices()
        if region.records:
            self._follow_renamed_kind()
            self._suit_owner()

    def change_map(self) -> None:
        """Store the symmetry of the tools with the former map, and choose that of this one."""
        options = self.options
        self._current_map.symmetry = SymmetryChoice(options.symmetry_kind, options.centre)
        self._current_map = self._document.current_map
        kind, centre = self._current_map.symmetry
        options.choose(symmetry_kind=kind, centre=centre)

    def suit_map(self) -> None:
        """Move all options to what the current map has."""
        system = self._document.battlemap.system
        terrain_set = self._document.battlemap.terrain_set
        options = self.options
        self._terrain_set = terrain_set
        self._thing_kinds = system.thing_kinds(self._document.battlemap)
        heights = terrain_set.elevations
        options.choose(
            terrain=min(options.terrain, len(terrain_set.terrains) - 1),
            # The option is the index + 1, and 0 stands for no hexside.
            hexside=min(options.hexside, len(terrain_set.hexsides)),
            route=min(options.route, max(0, len(system.routes_of(terrain_set)) - 1)),
            elevation=min(max(options.elevation, min(heights)), max(heights)),
            weights=tuple(
                (terrain, weight)
                for terrain, weight in options.weights
                if terrain < len(terrain_set.terrains)
            ),
        )
        if options.thing is not None and not self._has_kind(options.thing.kind):
            options.choose(thing=None)
        self._suit_owner()

    def _translate_indices(self) -> None:
        """Let the options follow what was chosen to paint into another terrain set of the map.

        There a terrain can have another index, or another name (``_new_indices``).
        """
        battlemap = self._document.battlemap
        options = self.options
        system = battlemap.system
        old_set = self._terrain_set
        terrain_set = battlemap.terrain_set
        terrains = _new_indices(old_set.terrains, terrain_set.terrains)
        hexsides = _new_indices(old_set.hexsides, terrain_set.hexsides)
        routes = _new_indices(system.routes_of(old_set), system.routes_of(terrain_set))
        weights = []
        for terrain, weight in options.weights:
            if terrain in terrains:
                weights.append((terrains[terrain], weight))
        options.choose(
            terrain=terrains.get(options.terrain, 0),
            # The option is the index + 1, and 0 stands for no hexside.
            hexside=hexsides.get(options.hexside - 1, -1) + 1,
            route=routes.get(options.route, 0),
            weights=tuple(weights),
        )

    def _follow_renamed_kind(self) -> None:
        """Let the next thing follow its kind when a record, such as a period, renames that.

        Nothing is placed from then on if the kind is gone.
        """
        battlemap = self._document.battlemap
        thing = self.options.thing
        old_kinds = self._thing_kinds
        self._thing_kinds = battlemap.system.thing_kinds(battlemap)
        if thing is None or battlemap.system.thing_kind(battlemap, thing.kind) is not None:
            return
        old_names = [kind.name for kind in old_kinds]
        if thing.kind not in old_names:
            return  # a kind that only the things of the map have
        next_thing = None
        # Where the number of kinds differs, one was removed or added rather than renamed.
        if len(old_kinds) == len(self._thing_kinds):
            new_indices = _new_indices(old_kinds, self._thing_kinds)
            new_index = new_indices.get(old_names.index(thing.kind))
            if new_index is not None:
                next_thing = replace(thing, kind=self._thing_kinds[new_index].name)
        self.options.choose(thing=next_thing)

    def _suit_owner(self) -> None:
        """Forget a chosen owner whom the map does not have.

        What is placed next gets the owner that is usual on this map, else the first player.
        """
        options = self.options
        possible_owners = [number for kind in self._thing_kinds for number, _name in kind.owners]
        if options.owner is not None and options.owner not in possible_owners:
            options.choose(owner=None)
        thing = options.thing
        if not possible_owners or thing is None:
            return
        if not _is_player(thing.owner) or thing.owner in possible_owners:
            return
        battlemap = self._document.battlemap
        owner = battlemap.system.usual_owner(battlemap, thing.kind)
        if owner is None:
            players = [number for number in possible_owners if _is_player(number)]
            owner = min(players, default=0)
        options.choose(thing=replace(thing, owner=owner))

    def _has_kind(self, kind: str) -> bool:
        """Return whether the map offers a kind of things, or has things of it already."""
        battlemap = self._document.battlemap
        is_offered = battlemap.system.thing_kind(battlemap, kind) is not None
        return is_offered or kind in counts(battlemap)


def _is_player(owner: int) -> bool:
    """Return whether the number of an owner (``ThingKind.owners``) is that of a player.

    Below 1 are owners such as nature, and nobody.
    """
    return owner > 0


class _Named(Protocol):
    """A terrain, a hexside, a route or a kind of things."""

    @property
    def name(self) -> str: ...


def _new_indices(old_entries: Sequence[_Named], new_entries: Sequence[_Named]) -> dict[int, int]:
    """Return the new indices of the entries of a list after a change, by their old indices::

        Grass, Wood, Bog  ->  Grass, Fen, Wood     {0: 0, 1: 2}    Bog is gone
        Grass, Wood, Bog  ->  Grass, Copse, Bog    {0: 0, 1: 1, 2: 2}    Wood was renamed

    An entry follows its name. If no entry has that name any more, but the one at its index has a
    name that is new in the list, it was renamed to that. Else it is gone, and left out.
    """
    old_names = {entry.name for entry in old_entries}
    index_of_name = {entry.name: index for index, entry in enumerate(new_entries)}
    result = {}
    for index, entry in enumerate(old_entries):
        if entry.name in index_of_name:
            result[index] = index_of_name[entry.name]
        elif index < len(new_entries) and new_entries[index].name not in old_names:
            result[index] = index
    return result

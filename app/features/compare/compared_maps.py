"""The two maps of a comparison, and what differs between them, as the window shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.document.open_map import OpenMap
from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.comparison import Comparison, ShownMap, compare
from randomizer.model.comparison.difference_groups import DifferenceGroup, difference_groups
from randomizer.model.comparison.difference_texts import group_text, terrain_changes_text
from randomizer.model.map.battlemap import BattleMap

MAX_DIFFERENCES_WITHOUT_SUMMARY = 20
"""Of more differences than these a summary stands above the list, as nobody reads all of it."""

MAX_CHANGES = 4
"""So many changes of terrain are told above the list: one line or two."""


@dataclass(frozen=True, eq=False)
class ComparedMap:
    """One of the two maps that are compared."""

    map: OpenMap | BattleMap
    """An open map, which can be edited while it is compared, or one that nobody edits."""

    name: str
    """Its name, as in the title of the window."""

    title: str
    """The text above it."""

    use_map: Callable[[], object] | None = None
    """Makes this map the rolled layer, for the button *Take* above it; None for no such button."""

    @property
    def battlemap(self) -> BattleMap:
        """The map itself, as it is now."""
        if isinstance(self.map, OpenMap):
            return self.map.battlemap
        return self.map

    def shown_copy(self) -> ShownMap:
        """Return a copy of what the map shows, to be compared on another thread."""
        if isinstance(self.map, OpenMap):
            return ShownMap.of(self.map.battlemap, self.map.live_composite())
        return ShownMap.of(self.map)


@dataclass(frozen=True, eq=False)
class ListedDifferences:
    """The outcome of comparing both maps."""

    comparison: Comparison

    groups: list[DifferenceGroup]
    """The groups of differences that are listed: of very many only the first."""

    texts: list[str]
    """The texts of ``groups``."""

    terrain_changes: str
    """Which terrains differ, as text; "" for none, and where the list is short."""

    @property
    def summary(self) -> str:
        """The text above the list: how many differences there are, and which terrains differ."""
        count = self.comparison.count
        listed_count = sum(len(group.indices) for group in self.groups)
        if count == 0:
            text = "Both maps show the same."
        elif count > listed_count:
            text = f"{counted(count, 'difference')}, the first {listed_count:,} are listed"
        else:
            text = counted(count, "difference")
        if self.terrain_changes:
            text = f"{text}. {self.terrain_changes}."
        return text


def list_differences(
    ours: ShownMap, theirs: ShownMap, _progress: object, _cancelled: object
) -> ListedDifferences:
    """Compare copies of two maps. Raises ProblemError if that is impossible.

    It is the work of a job, which gives it the two further arguments.
    """
    comparison = compare(ours, theirs)
    # Cached properties that the canvases need: computed here, off the UI thread.
    comparison.cells, comparison.sides  # noqa: B018
    groups = difference_groups(comparison)
    texts = [group_text(comparison, group) for group in groups]
    terrain_changes = ""
    if comparison.count > MAX_DIFFERENCES_WITHOUT_SUMMARY:
        terrain_changes = terrain_changes_text(comparison, MAX_CHANGES)
    return ListedDifferences(comparison, groups, texts, terrain_changes)

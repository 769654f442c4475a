"""What the user does with candidates of the gallery: take, open, compare, copy the recipe.

To *take* a candidate makes it the rolled layer of the current map. The others need the whole maps
of candidates (candidate_maps.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.background.actions import Stopped
from app.desk.desk import Desk
from app.desk.services import ComparedCandidate
from app.features.gallery.candidate_maps import RollTarget, candidate_maps
from app.features.gallery.desk_source import DeskSource
from app.features.gallery.map_list import GalleryList
from app.qt_guard import connect
from app.scripts.script import setup_of_roll
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.rolling.roll_setup import RollSetup
    from randomizer.model.map.battlemap import BattleMap


class CandidateUse(QObject):
    """Does what the user asks for in the list of the gallery, with the chosen candidates."""

    def __init__(self, desk: Desk, source: DeskSource, maps: GalleryList) -> None:
        """Follow the actions of ``maps``; ``source`` tells where a roll goes."""
        super().__init__(maps)
        self._desk = desk
        self._source = source
        self._maps = maps
        actions = maps.map_actions
        connect(actions.take_requested, self._take)
        connect(actions.open_requested, self._open)
        connect(actions.compare_requested, self._compare)
        connect(actions.recipe_requested, self._copy_recipe)
        connect(actions.menu_made, self._extend_menu)

    def _take(self, candidate: Candidate) -> None:
        """Make a candidate the rolled layer, as one undo step, and show the map."""
        self._desk.docks.views.show_map()
        # Colours that a panel has laid over the map would hide it.
        heat = self._desk.heat
        heat.drop(heat.owner)
        self._desk.rolling.roll_chosen(
            candidate.key, self._setup_of(candidate), self._source.destination()
        )

    def _setup_of(self, candidate: Candidate) -> RollSetup:
        """Return the setup that rolls a candidate: the current one if it does.

        A pinned map may have been rolled with another text or other settings: its roll has stored
        them. The current setup has what no roll stores, such as whether the map follows the text.
        """
        setup = setup_of_roll(candidate.roll)
        current_setup = self._source.setup()
        is_current = (
            candidate.roll.script_name == current_setup.script_name
            and setup.text == current_setup.text
            and setup.texts == current_setup.texts
            and setup.settings == current_setup.settings
        )
        if is_current:
            return current_setup
        return setup

    async def _open(self, candidate: Candidate) -> None:
        """Open a candidate as a map of its own."""
        maps = await self._whole_maps([candidate])
        self._desk.document.open_map(maps[0])

    def _copy_recipe(self, candidate: Candidate) -> None:
        """Copy the recipe of a candidate: the text that tells how it was rolled."""
        self._desk.recipes.copy(candidate.roll, self._source.base())

    async def _compare(self, candidates: Sequence[Candidate]) -> None:
        """Compare one candidate with the current map, or two; each can be taken from there."""
        maps = await self._whole_maps(candidates)
        names = _distinct_names(candidates)
        if len(candidates) == 1:
            take = partial(self._take, candidates[0])
            self._desk.compare.show(maps[0], names[0], take_theirs=take)
            return
        ours = ComparedCandidate(maps[0], names[0], partial(self._take, candidates[0]))
        theirs = ComparedCandidate(maps[1], names[1], partial(self._take, candidates[1]))
        self._desk.compare.show_two(ours, theirs)

    def _extend_menu(self, menu: QMenu) -> None:
        """Let other features add to the menu of the chosen candidates, if all could be rolled.

        They get the coroutine ``call_with_maps``, which rolls the maps and calls a function with
        them.
        """
        chosen = self._maps.view.chosen()
        if any(candidate.problems for candidate in chosen):
            return
        names = _numbered([candidate.name for candidate in chosen])

        async def call_with_maps(use: Callable[[dict[str, BattleMap]], object]) -> None:
            maps = await self._whole_maps(chosen)
            use(dict(zip(names, maps, strict=True)))

        self._desk.gallery_menu_made.emit(menu, call_with_maps)

    async def _whole_maps(self, candidates: Sequence[Candidate]) -> Sequence[BattleMap]:
        """Return for each candidate the current map as it would be with its roll.

        Raises Stopped if one cannot be rolled, which the user is told.
        """
        source = self._source
        # The current setup is asked, also for a pinned map: a roll does not tell of locks.
        keeps_locks = source.setup().behaviour.keeps_all_locks
        target = RollTarget(source.destination(), source.base(), keeps_locks)
        try:
            return await candidate_maps(candidates, target, self._desk.document.battlemap)
        except ProblemError as reason:
            self._desk.say(f"Not rolled: {reason.problems[0].message}")
            raise Stopped from reason


def _distinct_names(candidates: Sequence[Candidate]) -> list[str]:
    """Return names that tell candidates apart: their numbers, if script and seed are the same."""
    scripts_and_seeds = set()
    for candidate in candidates:
        scripts_and_seeds.add((candidate.roll.script_name, candidate.roll.seed))
    if len(candidates) > 1 and len(scripts_and_seeds) == 1:
        return _numbered([f"no. {candidate.roll.number}" for candidate in candidates])
    return _numbered([candidate.name for candidate in candidates])


def _numbered(names: Sequence[str]) -> list[str]:
    """Return the names, the second of a name as "no. 5 (2)", and so on.

    A pinned map rolled with other settings has the name of one that is not pinned.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    distinct_names = []
    for name in names:
        counts[name] += 1
        if counts[name] == 1:
            distinct_names.append(name)
        else:
            distinct_names.append(f"{name} ({counts[name]})")
    return distinct_names

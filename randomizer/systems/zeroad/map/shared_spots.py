"""Finds things of a map that stand on one spot: overlapping towns, and copies of the same thing.

    for problem in check_shared_spots(battlemap):
        problem.message         # "Oak: 2 of them stand on one spot"

``map_check.check_map`` lists the problems.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.systems.zeroad.map.owners import owners_of
from randomizer.systems.zeroad.map.records import settings_of_map
from randomizer.systems.zeroad.map.template_groups import DECORATION, group_of, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap

SHARED_SPOT = "entity-shared-spot"
"""The code of problems of things that stand on one spot."""

MAX_SPOTS = 10
"""The number of spots that have a problem of their own; the others are counted."""

_CENTRE = "civil_centre"
"""The word in the templates of the buildings around which the towns of players stand."""

_MAX_CENTRES = 1000
"""The most centres that are compared, each with all others: more than 8 players can have.

The comparison of 16,000 took five seconds.
"""

_CENTRE_WIDTH = 8.0
"""The width of a civil centre, in tiles (32 m): centres that are nearer than this overlap."""

_SPOTS_PER_TILE = 64
"""Things on the same fraction of a tile, 6 cm wide, stand on one spot.

With a larger spot two trees of a random forest would share one by chance.
"""

_MOVING_GROUPS = ("unit", DECORATION)
"""The groups of things that may share a spot: units step aside, decorations block nothing."""


class _Standing(NamedTuple):
    """A thing that stands on a spot."""

    id: int
    """The id of the thing."""
    template: str
    """Its kind."""
    owner: int
    """The number of its player, 0 for Gaia."""


class _StandingThings(NamedTuple):
    """Things, and the points on which they stand."""

    things: list[_Standing]
    """The things."""
    points: NDArray[np.float64]
    """The position of each of them in map units, (things, 2)."""


class _Spot(NamedTuple):
    """A spot with several things."""

    things: list[_Standing]
    """The things, in the order of layers."""
    tile: int
    """The tile on which the first of them stands, negative outside the map."""


def check_shared_spots(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem for each spot on which several things stand: first those of towns.

    The first spots have a problem each, the others are counted.
    """
    spots = [*_shared_centres(battlemap), *_shared_points(battlemap)]
    for spot in islice(spots, MAX_SPOTS):
        yield _problem_of(battlemap, spot)
    further_spots = spots[MAX_SPOTS:]
    if further_spots:
        count = counted(len(further_spots), "more spot has", "more spots have")
        message = f"{count} several things"
        cell = _cell_of(further_spots[0])
        yield Problem(Severity.WARNING, SHARED_SPOT, message, cell=cell)


def _standing_things(battlemap: BattleMap, has_kind: Callable[[str], bool]) -> _StandingThings:
    """Return the things on visible layers for whose template ``has_kind`` is True."""
    things = list[_Standing]()
    points = [np.zeros((0, 2))]
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        # Templates are tested once each, instead of for each thing.
        arrays = layer.things.arrays()
        template_has_kind = [has_kind(template) for template in arrays.kind_names]
        of_kind = arrays.some(np.array(template_has_kind, np.bool_)[arrays.kinds])
        templates = [of_kind.kind_names[kind] for kind in of_kind.kinds.tolist()]
        rows = zip(of_kind.ids.tolist(), templates, of_kind.owners.tolist(), strict=True)
        things += [_Standing(*row) for row in rows]
        points.append(of_kind.points)
    return _StandingThings(things, np.concatenate(points))


def _shared_centres(battlemap: BattleMap) -> Iterator[_Spot]:
    """Yield each civil centre with those after it that overlap it, of whatever player."""
    standing = _standing_things(battlemap, _is_centre)
    centres = standing.things[:_MAX_CENTRES]
    points = standing.points[:_MAX_CENTRES]
    is_reported = np.zeros(len(centres), np.bool_)  # each centre is on one spot at most
    for index in range(len(centres)):
        dx, dy = (points - points[index]).T
        overlaps = (np.hypot(dx, dy) < _CENTRE_WIDTH) & ~is_reported
        if overlaps[index] and overlaps.sum() > 1:
            is_reported |= overlaps
            things = [centres[row] for row in np.flatnonzero(overlaps).tolist()]
            yield _Spot(things, battlemap.grid.cell_at(*points[index]))


def _shared_points(battlemap: BattleMap) -> Iterator[_Spot]:
    """Yield the things of one template that stand at the same point, point by point."""
    things, points = _standing_things(battlemap, _stands_still)
    if not things:
        return

    # A spot is three whole numbers: a number for the template, and the fractions of a tile along x
    # and y. Equal rows of this array (things, 3) are things on one spot.
    code_of_template: dict[str, int] = {}
    for thing in things:
        code_of_template.setdefault(thing.template, len(code_of_template))
    template_codes = np.array([code_of_template[thing.template] for thing in things])
    fractions_of_tiles = np.rint(points * _SPOTS_PER_TILE).astype(np.int64)
    spots = np.column_stack([template_codes, fractions_of_tiles])
    _spots, spot_of_thing, counts = np.unique(
        spots, axis=0, return_inverse=True, return_counts=True
    )

    # The rows of things sorted by their spots, so that those of one spot follow one another.
    rows_by_spot = np.argsort(spot_of_thing.reshape(-1), kind="stable")
    ends = np.cumsum(counts)
    for spot in np.flatnonzero(counts > 1).tolist():
        rows = rows_by_spot[ends[spot] - counts[spot] : ends[spot]].tolist()
        tile = battlemap.grid.cell_at(*points[rows[0]])
        yield _Spot([things[row] for row in rows], tile)


def _is_centre(template: str) -> bool:
    """Return whether a template is a civil centre."""
    return _CENTRE in template


def _stands_still(template: str) -> bool:
    """Return whether things of a template block each other; centres are compared by themselves."""
    return not _is_centre(template) and group_of(template) not in _MOVING_GROUPS


def _problem_of(battlemap: BattleMap, spot: _Spot) -> Problem:
    """Return the problem of things on one spot.

    Of copies with one owner a fix removes all but one. If the owner is a player, it is none of the
    fixes that the program applies without being asked for each (``Problem.fix``).
    """
    things = spot.things
    title = title_of(things[0].template)
    owners = sorted({thing.owner for thing in things})
    fix: Fix | None = None
    other_fixes: tuple[Fix, ...] = ()
    if len(owners) > 1:
        names = dict(owners_of(settings_of_map(battlemap)))
        owner_names = [names.get(owner, f"player {owner}") for owner in owners]
        message = f"{title}: those of {listed(owner_names)} stand on one spot"
    else:
        message = f"{title}: {len(things)} of them stand on one spot"
        removals = tuple(ThingChange(thing.id, is_removed=True) for thing in things[1:])
        keep_one = Fix("keep one of them", things=removals)
        if owners == [0]:
            fix = keep_one
        else:  # "Fix all" must not remove anything of a player
            other_fixes = (keep_one,)
    return Problem(
        Severity.WARNING,
        SHARED_SPOT,
        message,
        cell=_cell_of(spot),
        fix=fix,
        other_fixes=other_fixes,
    )


def _cell_of(spot: _Spot) -> int | None:
    """Return the tile of a spot as the cell of its problem; None outside the map."""
    if spot.tile < 0:
        return None
    return spot.tile

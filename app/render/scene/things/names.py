"""The labels of things as texts below them, where there is room, the most important ones first.

A kind says how important its labels are (``ThingKind.naming``). Which are shown depends on the map
and the scale, not on the part that is drawn, so that parts fit together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QFontMetricsF

from app.render.scene.batch import TextBatch
from app.render.scene.icons import font
from app.render.scene.things.things import diameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF

    from app.render.scene.things.loads import Loads
    from app.render.theme import Theme
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.things.things import Things

NAME_PIXELS = 11.0
"""The type size of names, in logical pixels at every scale."""

NAMES_FROM = 6.0
"""Names are shown from this scale on: the hex radius in logical pixels."""

MOST_NAMES = 3000
"""At most so many names have a chance to be shown."""

MARGIN = 3.0
"""The least room between two names side by side, in logical pixels."""


class Names(NamedTuple):
    """The names that are shown at one scale: ``points`` (n, 2) are their middles, in map units."""

    texts: tuple[str, ...]
    points: NDArray[np.float64]
    widest: float = 0.0
    """The width of the widest, in logical pixels."""

    def batch(self, scale: float, area: QRectF, theme: Theme) -> Iterator[TextBatch]:
        """Yield those that may reach into ``area`` (map units)."""
        reach = np.array((self.widest, NAME_PIXELS)) / scale
        first = np.array(area.topLeft().toTuple()) - reach
        last = np.array(area.bottomRight().toTuple()) + reach
        near = np.flatnonzero(((self.points >= first) & (self.points <= last)).all(axis=1))
        if len(near):
            texts = [self.texts[each] for each in near.tolist()]
            inks = theme.label_text, theme.label_halo
            yield TextBatch(texts, self.points[near], NAME_PIXELS / scale, *inks, bold=True)


NO_NAMES = Names((), np.zeros((0, 2)))


def names_of(battlemap: BattleMap, scale: float, loads: Loads) -> Names:
    """Return the names that are shown; what is carried (``loads``) has none.

    Of equally important ones those of somebody come first, then those that were placed first.
    """
    naming = _naming(battlemap)
    if scale < NAMES_FROM or not naming:
        return NO_NAMES
    named = [
        (-naming[thing.kind], not thing.owner, thing.id, thing.label, (thing.x, thing.y))
        for layer in battlemap.layers
        if layer.visible and not naming.keys().isdisjoint(layer.things.kinds)
        for thing in layer.things.values()
        if thing.label and thing.kind in naming and thing.id not in loads.carried
    ]
    named = sorted(named)[:MOST_NAMES]
    metrics = QFontMetricsF(font(NAME_PIXELS, bold=True))
    below = diameter(battlemap, scale) / 2 + metrics.height() / 2
    points = battlemap.grid.shown_points(
        np.array([each[4] for each in named], float).reshape(-1, 2)
    )
    points = points + np.array((0.0, below / scale))
    rows: dict[int, list[tuple[float, float, float]]] = {}
    shown, widest = [], 0.0
    for place, (x, y) in enumerate((points * scale).tolist()):
        half, row = metrics.horizontalAdvance(named[place][3]) / 2, int(y // metrics.height())
        near = (each for number in (row - 1, row, row + 1) for each in rows.get(number, ()))
        if not any(
            abs(y - other_y) < metrics.height() and abs(x - other) < half + other_half + MARGIN
            for other, other_y, other_half in near
        ):
            rows.setdefault(row, []).append((x, y, half))
            shown.append(place)
            widest = max(widest, 2 * half)
    return Names(tuple(named[each][3] for each in shown), points[shown], widest)


def _naming(battlemap: BattleMap) -> dict[str, int]:
    """How important the labels of kinds are, without those that are never shown."""
    kinds = battlemap.system.thing_kinds(battlemap)
    return {kind.name: kind.naming for kind in kinds if kind.naming}


class KeptNames:
    """``names_of`` the map asked for last, worked out again when something of it has changed."""

    def __init__(self) -> None:
        self._key: object = ()
        self._layers: tuple[Things, ...] = ()
        self._names = NO_NAMES

    def of(self, battlemap: BattleMap, scale: float, loads: Loads) -> Names:
        """Return the names that are shown now."""
        layers = tuple(each.things for each in battlemap.layers if each.visible and each.things)
        revisions = tuple((id(each), each.revision) for each in layers)
        grid, naming = battlemap.grid, tuple(_naming(battlemap).items())
        key = (revisions, id(grid), grid.lean, scale, naming) if naming else None
        if key != self._key:
            self._key, self._layers = key, layers  # so that no other thing gets their ids
            self._names = names_of(battlemap, scale, loads)
        return self._names

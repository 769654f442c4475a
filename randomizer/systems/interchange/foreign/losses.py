"""Counts the content of a map that a format cannot hold, and makes hints for the user of that.

A writer tells ``losses`` which content its format holds, and gets the rest:

    losses(battlemap, composite, label=0, elevation=3)
    # {"label": 0, "elevation": 3, "hexside": 12, "region": 2, ...}

Here the format holds all labels and all elevations but three; the map has twelve hexsides and two
regions, for which the format has no place. ``Codec.check`` makes hints of that (``loss_problems``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from randomizer.formats.losses import NOT_KEPT
from randomizer.model.basics.plurals import counted
from randomizer.model.fixtures_record import fixtures_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, Severity
from randomizer.systems.free.things import LABEL, NOTE, START
from randomizer.systems.interchange.foreign.ways import visible_ways


def losses(battlemap: BattleMap, composite: Composite, **lost_counts: int) -> Counter[str]:
    """Return how much a format loses of a map, by words such as "hexside", "label" and "line".

    ``lost_counts`` has an argument for each kind of content that the format can hold: the number of
    these that are lost nevertheless, mostly 0. All content of other kinds counts as lost. The words
    are those of ``_content``; a "line" is a cell of a way.
    """
    return Counter({**_content(battlemap, composite), **lost_counts})


def loss_problems(program: str, lost: Mapping[str, int]) -> Iterator[Problem]:
    """Yield a hint for each kind of content that a file loses, by the result of ``losses``."""
    for word, count in sorted(lost.items()):
        if not count:
            continue
        if word == "terrain":
            message = f"{counted(count, word)}: {program} has no such, the nearest is written"
        else:
            nouns = _NOUNS.get(word, (word,))
            message = f"{counted(count, *nouns)}: {program} has none"
        yield Problem(Severity.HINT, NOT_KEPT, message)


def _content(battlemap: BattleMap, composite: Composite) -> Counter[str]:
    """Return how much a map shows of each kind of content but terrains, by words.

    Cells, things, properties and pictures are counted, whichever the kind consists of.
    """
    terrains = battlemap.terrain_set.terrains
    pictures_of_terrains = sum(bool(terrain.asset) for terrain in terrains)
    has_picture_below = PICTURE in battlemap.records
    ways = visible_ways(battlemap, composite)
    regions = set(np.unique(composite.planes["region"]).tolist()) - {NO_REGION}
    numbers = Counter(
        elevation=int(np.count_nonzero(composite.planes["elevation"])),
        hexside=int(np.count_nonzero(composite.planes["hexside"])),
        line=sum(int(np.count_nonzero(plane)) for _way, plane in ways),
        property=sum(bool(value) for value in composite.properties.values()),
        picture=pictures_of_terrains + has_picture_below,
        region=len(regions),
        setting=int(battlemap.grid.wrap),
    )
    numbers.update(fixtures_of(battlemap.records).counts_by_noun())
    word_of_kind = {LABEL: "label", START: "start", NOTE: "note"}
    numbers.update(word_of_kind.get(thing.kind, "object") for thing in battlemap.visible_things())
    return numbers


_NOUNS = {
    "hexside": ("hexside or exit", "hexsides or exits"),
    "line": ("cell of a route", "cells of routes"),
    "object": ("thing", "things"),
    "property": ("property", "properties"),
}
"""Singular and plural, on the screen, of the words of ``losses`` that are not shown as they are."""

"""The systems whose maps a format can write, and the refusal of maps of other systems."""

from __future__ import annotations

from randomizer.formats.format import Format
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error


def can_write(map_format: Format, battlemap: BattleMap) -> bool:
    """Return whether a format holds maps of this system."""
    return map_format.writable and (
        not map_format.systems or battlemap.system.name in map_format.systems
    )


def refuse_other_systems(map_format: Format, battlemap: BattleMap) -> None:
    """Raise ProblemError for a map of a system that the format does not hold."""
    if not can_write(map_format, battlemap):
        title = battlemap.system.title
        raise error(
            "other-system",
            f"{with_article(map_format.title)} cannot hold {with_article(title)}: "
            "nothing was written",
        )

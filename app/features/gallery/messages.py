"""What the gallery says: how a search ended, and why there are no maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.features.gallery.search import AT_ONCE, Ended
from randomizer.forced_roll import can_be_forced
from randomizer.generator import NO_MORE_MAPS
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem


class GalleryMessage(NamedTuple):
    """What the gallery says of a search, or of why there is none."""

    text: str
    """The line below the pictures."""

    without_maps: str = ""
    """The text that takes the place of the pictures if there are none; "" for none."""


def describe_end(
    ended: Ended, seed: int, first: int, map_count: int, *, of_filter: bool
) -> GalleryMessage:
    """Return how a search ended that has shown ``map_count`` maps.

    It began with the map number ``first`` of ``seed``. ``of_filter``: it looked for maps that pass
    a filter, not only for those that keep the locks.
    """
    if not ended.message and ended.following == first:
        return GalleryMessage(f"Seed {seed}: no map yet")
    if not ended.message:
        text = f"Seed {seed}, no. {first:,} to {ended.following - 1:,}"
        failed = ended.following - first - map_count
        if failed > 0:
            text = f"{text}; {failed:,} of them {many(failed, 'makes', 'make')} no map"
        return GalleryMessage(text)
    none = "has what you locked. More tries others."
    if of_filter:
        none = "passes the filter. More tries others, an empty line above shows all maps."
    if ended.shown_count < AT_ONCE:  # there are no others, so what is shown need not be counted
        text = f"{ended.message[:1].upper()}{ended.message[1:]}"
    else:
        text = f"{counted(map_count, 'map')} shown; {ended.message}"
    return GalleryMessage(text, f"None of the maps tried {none}")


def describe_tally(tried: int, found_count: int) -> GalleryMessage:
    """Return how far a search is."""
    return GalleryMessage(f"Looking for maps ... {found_count:,} found in {counted(tried, 'map')}")


def describe_locks(problems: Sequence[Problem]) -> GalleryMessage | None:
    """Return why no map keeps the locks; None if that is not what is wrong."""
    if not can_be_forced(problems):
        return None
    text = " ".join(problem.message for problem in problems[:2])
    return GalleryMessage(text, f"{text} Unlock it, or press Roll: then it can be forced.")


def describe_script_problem(problem: Problem) -> GalleryMessage:
    """Return why the script makes no maps."""
    if problem.code == NO_MORE_MAPS:
        return GalleryMessage(problem.message, problem.message)
    if problem.line is None:
        line = ""
    else:
        line = f" (line {problem.line})"
    return GalleryMessage(f"The script rolls nothing: {problem.message}{line}")


def describe_mistake(problem: Problem) -> GalleryMessage:
    """Return what is wrong with a filter."""
    if problem.fix is None:
        way_out = ""
    else:
        way_out = f" ({problem.fix.title})"
    return GalleryMessage(f"{problem.message[:1].upper()}{problem.message[1:]}{way_out}")

"""The messages of the gallery: how a search ended, and why there are no maps.

A search looks at the maps of a seed, one number after the other, and shows those that pass the
filter and keep the locks. ``GalleryPanel`` shows the message that a function here returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.features.gallery.search import AT_ONCE, Ended
from randomizer.forced_roll import can_be_forced
from randomizer.generator import NO_MORE_MAPS
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Fix, Problem

MAX_LOCK_PROBLEMS = 2
"""At most so many locks that no map keeps are told: the line below the pictures is short."""


class GalleryMessage(NamedTuple):
    """A message about a search, or about the reason why there is none."""

    text: str
    """The line below the pictures."""

    without_maps: str = ""
    """The text in place of the pictures where there are none; "" for no text."""

    fix: Fix | None = None
    """The fix of the mistake in the filter that is told; None if there is none."""


def describe_end(
    ended: Ended, seed: int, first: int, map_count: int, *, of_filter: bool
) -> GalleryMessage:
    """Return the message on a search that has ended.

    It began with the map number ``first`` of ``seed``, and ``map_count`` maps are shown now. With
    ``of_filter`` it looked for maps that pass a filter, else for those that keep the locks.
    """
    # A search that showed all maps, whatever they look like, has no message: such as
    # "Seed 5, no. 0 to 47; 2 of them make no map".
    if not ended.message:
        return GalleryMessage(_numbers_text(ended, seed, first, map_count))
    # The message of every other one tells how rare such maps are, or why there are no more.
    if map_count < AT_ONCE:
        text = _sentence(ended.message)  # all are in sight: their number need not be told
    else:
        text = f"{counted(map_count, 'map')} shown; {ended.message}"
    if of_filter:
        reason = "passes the filter. The button More tries others, an empty line above shows all."
    else:
        reason = "has what you locked. The button More tries others."
    return GalleryMessage(text, f"None of the maps tried {reason}")


def _numbers_text(ended: Ended, seed: int, first: int, map_count: int) -> str:
    """Return a text on the map numbers that a search has tried, such as "Seed 5, no. 0 to 47"."""
    tried_count = ended.next_number - first
    if tried_count == 0:
        return f"Seed {seed}: no map yet"
    text = f"Seed {seed}, no. {first:,} to {ended.next_number - 1:,}"
    failed_count = tried_count - map_count
    if failed_count > 0:
        text = f"{text}; {failed_count:,} of them {many(failed_count, 'makes', 'make')} no map"
    return text


def describe_tally(tried: int, found_count: int) -> GalleryMessage:
    """Return the message on a search that goes on: of ``tried`` maps ``found_count`` are shown."""
    return GalleryMessage(f"Looking for maps ... {found_count:,} found in {counted(tried, 'map')}")


def describe_locks(problems: Sequence[Problem]) -> GalleryMessage | None:
    """Return the message on locks that no map can keep; None if the problems are others."""
    if not can_be_forced(problems):
        return None
    text = " ".join(problem.message for problem in problems[:MAX_LOCK_PROBLEMS])
    return GalleryMessage(text, f"{text} Unlock it, or press Roll: then it can be forced.")


def describe_script_problem(problem: Problem) -> GalleryMessage:
    """Return the message on a problem for which the script makes no maps."""
    if problem.code == NO_MORE_MAPS:  # the seed has fewer maps: nothing is wrong with the script
        return GalleryMessage(problem.message, problem.message)
    line_words = ""
    if problem.line is not None:
        line_words = f" (line {problem.line})"
    return GalleryMessage(f"The script rolls nothing: {problem.message}{line_words}")


def describe_mistake(problem: Problem) -> GalleryMessage:
    """Return the message on a mistake in the filter, with its fix if it has one."""
    fix_words = ""
    if problem.fix is not None:
        fix_words = f" ({problem.fix.title})"
    text = f"{_sentence(problem.message)}{fix_words}"
    return GalleryMessage(text, fix=problem.fix)


def _sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"
